"""The chance that a discard is another player's winning tile, from what everybody sees.

A logistic model of one opponent and one tile: its melds, how far the game is, copies unseen, what kind of tile it is,
and what the opponent discarded and let pass. Fitted by `python3 -m mj_bot.lab calibrate`, see constants.py.
"""

import numpy as np

from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CONCEALED_KONG, NONE, WALL_DRAWS, field

FEATURES = (
    "always", "one meld", "two melds", "three melds", "four melds", "progress", "progress squared",
    "progress with two melds", "none unseen", "one unseen", "two unseen", "three unseen", "honour", "dragon",
    "terminal", "beside terminal", "discarded by it", "let pass by it", "melds of one suit", "discarded lately",
    "neighbour discarded by it", "share of its discards", "share of its melds", "honour none unseen",
)
OPPONENTS = 3
# The game's last discards that count as late.
LATELY = 8

_TILES = np.arange(TILE_COUNT)
_SUITS = np.minimum(_TILES // 9, 3)
_IS_HONOUR = _TILES >= FIRST_HONOUR
_RANKS = np.where(_IS_HONOUR, -1, _TILES % 9)
# The columns that depend on the kind of tile alone.
_KINDS = np.stack([_IS_HONOUR, _TILES >= FIRST_DRAGON, np.isin(_RANKS, (0, 8)), np.isin(_RANKS, (1, 7))], axis=-1)
# float[35, 34]: row t has its ones at the neighbours of tile t in its suit; NONE has none.
_NEIGHBOURS = np.zeros((NONE + 1, TILE_COUNT))
for _tile in range(FIRST_HONOUR):
    for _other in (_tile - 1, _tile + 1):
        if 0 <= _other < FIRST_HONOUR and _other // 9 == _tile // 9:
            _NEIGHBOURS[_tile, _other] = 1.0
_SAME = np.eye(NONE + 1)[:, :TILE_COUNT]
# float[35, 4]: the suit of a tile, honours last.
_IN_SUIT = _SAME @ np.eye(4)[_SUITS]


def list_features(observations):
    """The features of FEATURES for each opponent and tile.

    observations: uint8[..., OBSERVATION_SIZE], see observation/layout.py.
    Returns float64[..., 3, 34, F]: opponents from the next seat on.
    """
    lead = observations.shape[:-1]
    tiles, times = field(observations, "river_tile"), field(observations, "river_time").astype(np.int64)
    clock = field(observations, "discard_count").astype(np.int64)[..., None]
    made = tiles < NONE
    # When each opponent made its last discard; -1 before its first.
    last = np.where(made, times, -1).max(axis=-1)[..., 1:]
    unseen = field(observations, "unseen")[..., None, :]
    melds = (field(observations, "meld_kind") > 0).sum(axis=-1)[..., 1:, None]
    progress = 1 - field(observations, "walls").sum(axis=-1, dtype=float)[..., None, None] / (4 * WALL_DRAWS)
    discarded = _SAME[tiles].sum(axis=-2)[..., 1:, :]
    late = (_SAME[tiles] * (times >= clock - LATELY)[..., None]).sum(axis=(-2, -3))[..., None, :]
    columns = np.zeros(lead + (OPPONENTS, TILE_COUNT, len(FEATURES)))

    def put(name, values):
        columns[..., FEATURES.index(name)] = values

    put("always", 1.0)
    for count, name in enumerate(("one meld", "two melds", "three melds", "four melds"), start=1):
        put(name, melds == count)
    put("progress", progress)
    put("progress squared", progress ** 2)
    put("progress with two melds", progress * (melds >= 2))
    for count, name in enumerate(("none unseen", "one unseen", "two unseen", "three unseen")):
        put(name, unseen == count)
    for place, name in enumerate(("honour", "dragon", "terminal", "beside terminal")):
        put(name, _KINDS[:, place])
    put("discarded by it", discarded > 0)
    put("let pass by it", _count_passed(tiles, times, last) > 0)
    put("discarded lately", late > 0)
    put("neighbour discarded by it", _NEIGHBOURS[tiles].sum(axis=-2)[..., 1:, :] > 0)
    by_suit = _IN_SUIT[tiles].sum(axis=-2)[..., 1:, :]
    put("share of its discards", by_suit[..., _SUITS] / (by_suit.sum(axis=-1)[..., None] + 1))
    _put_meld_suits(put, observations)
    put("honour none unseen", (unseen == 0) & _IS_HONOUR)
    return columns


def _count_passed(tiles, times, last):
    """[..., 3, 34]: discards of a tile since the opponent's own last one, which it did not win on."""
    passed = []
    for opponent in range(OPPONENTS):
        since = times > last[..., opponent, None, None]
        passed.append((_SAME[tiles] * since[..., None]).sum(axis=(-2, -3)))
    return np.stack(passed, axis=-2)


def _put_meld_suits(put, observations):
    kinds, tiles = field(observations, "meld_kind")[..., 1:, :], field(observations, "meld_tile")[..., 1:, :]
    seen = (kinds > 0) & ((kinds < CONCEALED_KONG) | (tiles < NONE))
    by_suit = (_IN_SUIT[tiles] * seen[..., None]).sum(axis=-2)
    total = by_suit.sum(axis=-1)[..., None]
    own = by_suit[..., _SUITS]
    with_honours = own + np.where(_IS_HONOUR, 0, by_suit[..., 3:])
    put("melds of one suit", (with_honours == total) & (total >= 2))
    put("share of its melds", own / (total + 1))


def seat_chances(observations, weights):
    """The chance that each tile, discarded now, is won on by each opponent: float64[..., 3, 34], as list_features.

    weights: float64[F], of FEATURES.
    """
    return 1 / (1 + np.exp(-(list_features(observations) @ np.asarray(weights))))


def deal_in_chances(observations, weights):
    """The same, float64[..., 34], the opponents' chances added."""
    return seat_chances(observations, weights).sum(axis=-2)
