"""The extra cost of a target with too few fans, counted from its tiles, else by MahjongGB.

Every charged target has a pattern of 6 fan and is won on a discard of its first missing tile. Only fans of its tiles
count. A concealed hand has 2 fan more, enough for every pattern of 6.
"""

import numpy as np

from ...jit import jit_part
from ...mahjong.fan import MIN_FAN
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ...observation.fan_memo import TILE_SHIFT, hand_key, look_up_fan
from ...observation.layout import CHOW, CONCEALED_KONG

# Extra cost of a target of 7 fan, which a self-draw makes 8, and of one with fewer.
ONE_FAN_SHORT = 500
FANS_SHORT = 1500

_WINDS = 4
# Fans wanted beyond those of the pattern.
_WANTED = MIN_FAN - 6


@jit_part
def compute_charge(scratch, memo):
    """Cost of the missing fans of the target in scratch.need; 0 and is_uncounted if MahjongGB must count first."""
    if not scratch.is_open:
        return 0
    tile = _choose_win_tile(scratch.counts, scratch.need)
    if count_certain(scratch, tile) >= _WANTED:
        return 0
    scratch.need[tile] -= 1
    first, second = hand_key(scratch.need, scratch.melds, scratch.meld_count, scratch.seat_wind, scratch.prevalent_wind)
    scratch.need[tile] += 1
    fan = look_up_fan(memo, first, second | np.uint64(tile << TILE_SHIFT))
    if fan < 0:
        scratch.is_uncounted = 1
        return 0
    if fan >= MIN_FAN:
        return 0
    return ONE_FAN_SHORT if fan == MIN_FAN - 1 else FANS_SHORT


@jit_part
def _choose_win_tile(counts, need):
    """The first missing tile of a target; the last of its tiles where none is missing."""
    for tile in range(TILE_COUNT):
        if need[tile] > counts[tile]:
            return tile
    tile = TILE_COUNT - 1
    while not need[tile]:
        tile -= 1
    return tile


@jit_part
def count_certain(scratch, win_tile):
    """Fans that the target in scratch.need certainly has besides its pattern; there may be more.

    The tiles alone show these: pungs of honours, concealed kongs, tile hogs, all simples or all chows or no
    honours; with four pungs also: two concealed, two of one rank, pungs of terminals.
    """
    held = scratch.all_tiles
    fan = 0
    melded = 0  # pungs and kongs
    for tile in range(TILE_COUNT):
        held[tile] = scratch.need[tile]
    for place in range(scratch.meld_count):
        kind, tile = scratch.melds[place][0], scratch.melds[place][1]
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
        if count == 0:
            continue
        is_terminal = tile < FIRST_HONOUR and (tile % 9 == 0 or tile % 9 == 8)
        pairs += count == 2
        honours += tile >= FIRST_HONOUR
        terminals += is_terminal
        if count >= 3:
            thrice += 1
            concealed += tile != win_tile and not melded >> tile & 1
            terminal_pungs += is_terminal
            fan += 2 * (count == COPIES)
            if tile >= FIRST_HONOUR:
                fan += 2 if _is_valued(scratch, tile) else 1
    if not honours:
        fan += 2 if not terminals or not thrice else 1
    if thrice == 4 and pairs == 1:
        fan += terminal_pungs + 2 * (concealed >= 2) + 2 * _has_double_pung(held)
    return fan


@jit_part
def _is_valued(scratch, tile):
    wind = tile - FIRST_HONOUR
    return wind >= _WINDS or wind == scratch.seat_wind or wind == scratch.prevalent_wind


@jit_part
def _has_double_pung(held):
    """Whether four pungs have one rank in two suits."""
    for rank in range(9):
        if (held[rank] >= 3) + (held[9 + rank] >= 3) + (held[18 + rank] >= 3) >= 2:
            return True
    return False
