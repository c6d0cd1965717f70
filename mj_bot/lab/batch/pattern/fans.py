"""What a target costs beyond its tiles for want of fans: from fans that are easily seen, else from MahjongGB's answers.

Every target that is charged has a pattern of 6 fan, won on a discard with no more than the tile itself to count.
"""

import numpy as np

from ....mahjong.fan import MIN_FAN
from ....mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ....observation.layout import CHOW, CONCEALED_KONG
from ....tactic.pattern.holding import FANS_SHORT, ONE_FAN_SHORT
from ...engine.compile import jit_part
from ..worth.waits import hand_key, look_up

_WINDS = 4
# What the pattern lacks.
_WANTED = MIN_FAN - 6


@jit_part
def surcharge(desk, memo):
    """Surcharge of the target in desk.need; where MahjongGB must be asked first, none, and the desk says so."""
    if not desk.is_open:
        return 0
    need = desk.need
    tile = _find_win_tile(desk.counts, need)
    if count_sure(desk, tile) >= _WANTED:
        return 0
    need[tile] -= 1
    first, second = hand_key(need, desk.melds, desk.meld_count, desk.seat_wind, desk.prevalent_wind)
    need[tile] += 1
    fan = look_up(memo, desk.notes, desk.note_count, first, second | np.uint64(tile << 17))
    if fan < 0:
        desk.is_uncounted = 1
        return 0
    if fan >= MIN_FAN:
        return 0
    return ONE_FAN_SHORT if fan == MIN_FAN - 1 else FANS_SHORT


@jit_part
def _find_win_tile(counts, need):
    """The first tile that a target lacks; the last of its tiles where it lacks none."""
    for tile in range(TILE_COUNT):
        if need[tile] > counts[tile]:
            return tile
    tile = TILE_COUNT - 1
    while not need[tile]:
        tile -= 1
    return tile


@jit_part
def count_sure(desk, win_tile):
    """Fans that the target in desk.need has beside its pattern for sure; there may be more.

    These are told by the tiles alone: pungs of honours, concealed kongs, tile hogs, all simples or all chows or no
    honours; and what goes with four pungs: two concealed, two of a rank, those of terminals.
    """
    held = desk.held
    fan = 0
    melded = 0  # pungs and kongs
    for tile in range(TILE_COUNT):
        held[tile] = desk.need[tile]
    for place in range(desk.meld_count):
        kind, tile = desk.melds[place, 0], desk.melds[place, 1]
        if kind == CHOW:
            for part in range(tile - 1, tile + 2):
                held[part] += 1
        else:
            held[tile] += 3
            melded |= 1 << tile
            fan += 2 * (kind == CONCEALED_KONG)
    thrice = concealed = pairs = honours = terminals = terminal_pungs = 0
    for tile in range(TILE_COUNT):
        count = held[tile]
        is_terminal = tile < FIRST_HONOUR and (tile % 9 == 0 or tile % 9 == 8)
        pairs += count == 2
        honours += tile >= FIRST_HONOUR and count > 0
        terminals += is_terminal and count > 0
        if count >= 3:
            thrice += 1
            concealed += tile != win_tile and not melded >> tile & 1
            terminal_pungs += is_terminal
            fan += 2 * (count == COPIES)
            if tile >= FIRST_HONOUR:
                fan += 2 if _is_valued(desk, tile) else 1
    if not honours:
        fan += 2 if not terminals or not thrice else 1
    if thrice == 4 and pairs == 1:
        fan += terminal_pungs + 2 * (concealed >= 2) + 2 * _has_double_pung(held)
    return fan


@jit_part
def _is_valued(desk, tile):
    wind = tile - FIRST_HONOUR
    return wind >= _WINDS or wind == desk.seat_wind or wind == desk.prevalent_wind


@jit_part
def _has_double_pung(held):
    """Whether four pungs have one rank in two suits."""
    for rank in range(9):
        if (held[rank] >= 3) + (held[9 + rank] >= 3) + (held[18 + rank] >= 3) >= 2:
            return True
    return False
