"""What a target costs beyond its tiles for want of fans, from MahjongGB's answers kept."""

import numpy as np

from ...mahjong.fan import MIN_FAN
from ...mahjong.tile import TILE_COUNT
from ...tactic.pattern.holding import FANS_SHORT, ONE_FAN_SHORT
from ..engine.compile import jit_part
from ..reach.waits import hand_key, look_up


@jit_part
def surcharge(desk, memo):
    """Surcharge of the target in desk.need; where MahjongGB must be asked first, none, and the desk says so."""
    if not desk.is_open:
        return 0
    need = desk.need
    tile = _find_win_tile(desk.counts, need)
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
