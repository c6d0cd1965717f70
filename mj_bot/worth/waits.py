"""Values a ready hand by the tiles that it really wins on, with the fans that MahjongGB counts.

A hand one tile short of ready is valued by the ready hands after its next draw, each times its chance. The patterns
count only their usual fans, so the points cannot tell nearly equal discards to such hands apart; the next draw can.
data/results/search_next_draw.json has the matches in which this was tried.
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ..jit import jit_part
from ..mahjong.action import DISCARD_BASE
from ..mahjong.compiled import is_fourth_tile
from ..mahjong.fan import MIN_FAN, WinFacts, count_fan
from ..mahjong.meld import Meld
from ..mahjong.shanten import useful_tiles
from ..mahjong.shanten_tables import shanten_least
from ..mahjong.state import GameState
from ..mahjong.suit_tables import SuitTables
from ..mahjong.tile import TILE_COUNT, TILE_NAMES, list_tiles
from ..observation.fan_memo import Memo, hand_key, look_up_win
from ..observation.openings import Openings
from .chance import ARRIVALS, CLASS_OF, MAX_SHARE
from .correction import Distances
from .patterns import BASE_PAY
from .settings import ValueSettings

# A function returns this if it needs fans that MahjongGB must count first.
NOT_COUNTED = -1.0
# Discards within NEAR points of the best action count as nearly equal. A point of the next draw counts WEIGHT points.
# Other values of the two did no better in matches.
NEAR = 1.0
WEIGHT = 0.4
_DISCARDS = slice(DISCARD_BASE, DISCARD_BASE + TILE_COUNT)


class Counting(NamedTuple):
    """Keeps what counting the waits of a hand takes: table and working memory for the shanten, and a cache of fans."""

    missing: SuitTables  # as shanten_tables.load_missing returns it
    scratch: np.ndarray  # as shanten_tables.make_scratch returns it
    memo: Memo  # the cached fans


class Seat(NamedTuple):
    """Keeps the facts of a seat that its waits depend on."""

    seat_wind: int  # 0..3
    prevalent_wind: int  # 0..3
    draws: int  # tiles left in the own wall


def list_waits(
        state: GameState, counts: Sequence[int], melds: List[Meld]) -> List[Tuple[int, Optional[int], Optional[int]]]:
    """Returns the tiles that win with eight fan, a list of (tile, fan on a discard, fan by self-draw).

    A fan is None where this way has fewer than eight. The list is empty for a hand that is not ready.
    counts: list[34], concealed tiles, 13 less 3 for each meld. melds: list of Meld.
    """
    distance, tiles = useful_tiles(counts, len(melds))
    pack, hand = tuple(meld.as_pack(state.my_pid) for meld in melds), tuple(list_tiles(counts))
    waits = []
    for tile in tiles if distance == 0 else ():
        # Flowers do not count towards the eight fan, so they are left out.
        fans = [count_fan(pack, hand, TILE_NAMES[tile], WinFacts(
            is_self_drawn=is_self_drawn, is_fourth_tile=is_fourth_tile(state.shown, tile), seat_wind=state.my_pid,
            prevalent_wind=state.prevalent_wind)) for is_self_drawn in (False, True)]
        if max(fans) >= MIN_FAN:
            waits.append((tile, *(fan if fan >= MIN_FAN else None for fan in fans)))
    return waits


@jit_part
def value_waits(counting: Counting, settings: ValueSettings, openings: Openings, opening: int, seat: Seat) -> float:
    """Returns the sum over the waits of (chance * points) ** sharpness, 0 for a hand that is not ready.

    Returns NOT_COUNTED if MahjongGB must count fans first.
    opening: index in `openings` of the hand, which has 13 tiles less 3 for each meld.
    """
    counts, melds, meld_count = openings.counts[opening], openings.melds[opening], openings.meld_count[opening]
    least, useful = shanten_least(counting.missing, counts, meld_count, counting.scratch)
    if least != 0:
        return 0.0
    values = settings.values
    base = _base_share(values, openings.unseen, seat.draws)
    first, second = hand_key(counts, melds, meld_count, seat.seat_wind, seat.prevalent_wind)
    total = 0.0
    is_counted = True
    for tile in range(TILE_COUNT):
        if not useful >> tile & 1:
            continue
        for self_drawn in range(2):
            fan = look_up_win(counting.memo, first, second, tile, self_drawn, openings.shown)
            if fan < 0:
                is_counted = False
                break
            if fan >= MIN_FAN:
                arrivals = ARRIVALS[CLASS_OF[tile]]
                share = base * arrivals[0]
                if not self_drawn:
                    share += values.win_claims * base * (arrivals[1] + arrivals[2])
                chance = 1 - (1 - min(MAX_SHARE, share)) ** openings.unseen[tile]
                total += (chance * (BASE_PAY + fan)) ** values.sharpness
                break
    return total if is_counted else NOT_COUNTED


@jit_part
def value_next_draw(counting: Counting, settings: ValueSettings, openings: Openings, opening: int, seat: Seat) -> float:
    """Returns the worth in points, by the next draw, of a hand that is one tile short of ready.

    The worth is a sum over the tiles that make the hand ready: the chance of each times the worth of the best ready
    hand after it. It is 0 where no ready hand has a wait of eight fan. Returns NOT_COUNTED if MahjongGB must count fans
    first.
    opening: index in `openings` of the hand, which has 13 tiles less 3 for each meld.
    """
    counts, unseen, values = openings.counts[opening], openings.unseen, settings.values
    _, useful = shanten_least(counting.missing, counts, openings.meld_count[opening], counting.scratch)
    base = _base_share(values, unseen, seat.draws)
    total = 0.0
    is_counted = True
    for tile in range(TILE_COUNT):
        if not useful >> tile & 1 or not unseen[tile]:
            continue
        counts[tile] += 1
        best = 0.0
        for discard in range(TILE_COUNT):
            if counts[discard]:
                counts[discard] -= 1
                worth = value_waits(counting, settings, openings, opening, seat)
                counts[discard] += 1
                is_counted = is_counted and worth != NOT_COUNTED
                best = max(best, worth)
        counts[tile] -= 1
        share = min(MAX_SHARE, base * ARRIVALS[CLASS_OF[tile], 0])
        total += (1 - (1 - share) ** unseen[tile]) * best ** (1 / values.sharpness)
    return total if is_counted else NOT_COUNTED


@jit_part
def _base_share(values, unseen, draws):
    """Returns the share of the unseen tiles that the seat draws before the game ends."""
    return values.horizon * max(1, draws) / max(1, unseen.sum())


def list_near(points: np.ndarray, distances: Distances) -> np.ndarray:
    """Returns the nearly equal discards that are to be compared, bool[B, 34].

    A row has such discards if two or more actions are near the best one, and all of these are discards to one tile from
    ready.
    points: float[B, 235], corrected points, minus infinity for illegal actions.
    distances: how far the hands are from ready, as correction.measure_distances returns it.
    """
    is_near = points >= points.max(1)[:, None] - NEAR
    discards = is_near[:, _DISCARDS]
    is_asked = (discards.sum(1) == is_near.sum(1)) & (discards.sum(1) > 1)
    is_asked &= ((distances.after == 1) | ~discards).all(1)
    return discards & is_asked[:, None]


def add_next_draws(points: np.ndarray, nears: np.ndarray, next_draws: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns (points with the value of the next draw added, what was added), both float[B, 235].

    After the addition, nearly equal discards are shifted together so that the highest points of the row do not change.
    So they can be compared with the other actions.
    points: float[B, 235], minus infinity for illegal actions. nears: bool[B, 34], the nearly equal discards.
    next_draws: float[B, 34], value of the next draw after each of these discards.
    """
    rows = np.flatnonzero(nears.any(1))
    discards = points[rows, _DISCARDS]
    raised = np.where(nears[rows], discards + WEIGHT * next_draws[rows], -np.inf)
    common = raised.max(1) - discards.max(1)
    changed = points.copy()
    changed[rows, _DISCARDS] = np.where(nears[rows], raised - common[:, None], discards)
    added = np.zeros(points.shape)
    np.subtract(changed, points, out=added, where=np.isfinite(points))
    return changed, added
