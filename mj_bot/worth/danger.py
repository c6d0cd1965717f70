"""Estimates the chance that a discard is another player's winning tile, from what everybody sees.

The estimate is a logistic model of one opponent and one tile. Its features are the opponent's melds, the time, the
unseen copies and the rank of the tile, and the opponent's discards and passes. `mj-bot fit calibrate` fits the weights.
"""

from collections import namedtuple
from math import exp
from typing import NamedTuple, Sequence

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import AT, CONCEALED_KONG, NONE, OBSERVATION_SIZE, RIVER_SIZE, WALL_DRAWS
from .parameters import FITTED, list_weights

DANGER_FEATURES = (
    "always", "one meld", "two melds", "three melds", "four melds", "progress", "progress squared",
    "progress with two melds", "none unseen", "one unseen", "two unseen", "three unseen", "honour", "dragon",
    "terminal", "beside terminal", "discarded by it", "let pass by it", "melds of one suit", "discarded lately",
    "neighbour discarded by it", "share of its discards", "share of its melds", "honour none unseen",
)
DANGER_WEIGHTS = list_weights(FITTED["calibrate"]["danger"], DANGER_FEATURES)
OPPONENTS = 3
# This many last discards of the game count as late.
LATELY = 8

# This has the column of each feature by its name, such as _COLUMN.two_melds.
_COLUMN = namedtuple("Columns", [name.replace(" ", "_") for name in DANGER_FEATURES])(*range(len(DANGER_FEATURES)))
for _first, _words in (("one meld", "one two three four"), ("none unseen", "none one two three")):
    assert [name.split()[0] for name in DANGER_FEATURES[DANGER_FEATURES.index(_first):][:4]] == _words.split()


class Opponent(NamedTuple):
    """Keeps what everybody sees of one opponent. A count by suit is an int with a byte for each of the four suits."""

    melds: int  # how many melds it has
    meld_suits: int  # count by suit of the melds whose tiles are seen
    discarded: int  # bit t is set if it discarded tile t
    discard_suits: int  # count by suit of its discards
    passed: int  # bit t is set if somebody discarded tile t after the last discard of the opponent


def list_features(observations: np.ndarray) -> np.ndarray:
    """Returns the features of each opponent and each tile, float64[..., 3, 34, len(DANGER_FEATURES)].

    The opponents are in the order of play: the next seat first.
    observations: uint8[..., OBSERVATION_SIZE].
    """
    rows = observations.reshape(-1, OBSERVATION_SIZE)
    features = np.zeros((len(rows), OPPONENTS, TILE_COUNT, len(DANGER_FEATURES)))
    _list_features(rows, features)
    return features.reshape(observations.shape[:-1] + features.shape[1:])


def seat_chances(observation: np.ndarray, weights: Sequence[float]) -> np.ndarray:
    """Returns the chance that each opponent wins on each tile if it is discarded now, float64[3, 34], in order of play.
    """
    return 1 / (1 + np.exp(-(list_features(observation) @ np.asarray(weights))))


@jit
def _list_features(observations, features):
    """Writes the features of some observations, float64[N, 3, 34, F]."""
    for row in range(len(observations)):
        late = _list_later(observations[row], int(observations[row, AT.discard_count]) - LATELY - 1)
        for opponent in range(1, OPPONENTS + 1):
            seen = _read_opponent(observations[row], opponent)
            for tile in range(TILE_COUNT):
                _describe_game(observations[row], seen.melds, features[row, opponent - 1, tile])
                _describe(observations[row], seen, late, tile, features[row, opponent - 1, tile])


@jit_part
def set_dangers(observation: np.ndarray, weights: np.ndarray, tiles: int, dangers: np.ndarray,
                features: np.ndarray) -> None:
    """Writes the danger of discards, float64[34]: the sum of each opponent's chance to win on the tile.

    observation: uint8[OBSERVATION_SIZE]. weights: float64[F], a weight for each of DANGER_FEATURES.
    tiles: bit t for tile t; only the dangers of these tiles are computed, others become 0.
    features: float64[F], work space.
    """
    late = _list_later(observation, int(observation[AT.discard_count]) - LATELY - 1)
    dangers[:] = 0.0
    for opponent in range(1, OPPONENTS + 1):
        seen = _read_opponent(observation, opponent)
        _describe_game(observation, seen.melds, features)
        for tile in range(TILE_COUNT):
            if tiles >> tile & 1:
                _describe(observation, seen, late, tile, features)
                logit = 0.0
                for column in range(len(features)):
                    logit += features[column] * weights[column]
                dangers[tile] += 1 / (1 + exp(-logit))


@jit_part
def _describe(observation, seen, late, tile, features):
    """Writes the features of one opponent and one tile into float64[F], except those that _describe_game writes."""
    discarded = seen.discarded
    suit = tile // 9
    is_honour, unseen = tile >= FIRST_HONOUR, int(observation[AT.unseen + tile])
    for count in range(4):
        features[_COLUMN.none_unseen + count] = unseen == count
    features[_COLUMN.honour] = is_honour
    features[_COLUMN.dragon] = tile >= FIRST_DRAGON
    features[_COLUMN.honour_none_unseen] = is_honour and unseen == 0
    features[_COLUMN.terminal] = not is_honour and (tile % 9 == 0 or tile % 9 == 8)
    features[_COLUMN.beside_terminal] = not is_honour and (tile % 9 == 1 or tile % 9 == 7)
    features[_COLUMN.discarded_lately] = late >> tile & 1
    features[_COLUMN.discarded_by_it] = discarded >> tile & 1
    features[_COLUMN.let_pass_by_it] = seen.passed >> tile & 1
    features[_COLUMN.neighbour_discarded_by_it] = not is_honour and (
        (tile % 9 > 0 and discarded >> (tile - 1) & 1 != 0) or (tile % 9 < 8 and discarded >> (tile + 1) & 1 != 0))
    features[_COLUMN.share_of_its_discards] = (
        _of_suit(seen.discard_suits, suit) / (_of_all_suits(seen.discard_suits) + 1))
    own, total = _of_suit(seen.meld_suits, suit), _of_all_suits(seen.meld_suits)
    honours = _of_suit(seen.meld_suits, 3) if suit < 3 else 0
    features[_COLUMN.melds_of_one_suit] = total >= 2 and own + honours == total
    features[_COLUMN.share_of_its_melds] = own / (total + 1)


@jit_part
def _describe_game(observation, melds, features):
    """Writes the features that do not depend on the tile: the time, and the opponent's number of melds."""
    progress = 1 - int(observation[AT.walls:AT.walls + 4].sum()) / (4 * WALL_DRAWS)
    features[_COLUMN.always] = 1.0
    features[_COLUMN.progress] = progress
    features[_COLUMN.progress_squared] = progress ** 2
    for count in range(4):
        features[_COLUMN.one_meld + count] = melds == count + 1
    features[_COLUMN.progress_with_two_melds] = progress if melds >= 2 else 0.0


@jit_part
def _of_suit(counts, suit):
    """Returns the byte of one suit 0..3 in a count by suit."""
    return counts >> 8 * suit & 255


@jit_part
def _of_all_suits(counts):
    """Returns the sum of the four bytes of a count by suit."""
    return _of_suit(counts, 0) + _of_suit(counts, 1) + _of_suit(counts, 2) + _of_suit(counts, 3)


@jit_part
def _list_later(observation, time):
    """Returns the tiles that somebody discarded after a time, bit t for tile t."""
    tiles = 0
    for index in range(4 * RIVER_SIZE):
        tile = int(observation[AT.river_tile + index])
        if tile < NONE and int(observation[AT.river_time + index]) > time:
            tiles |= 1 << tile
    return tiles


@jit_part
def _read_opponent(observation, opponent):
    """Returns what everybody sees of an opponent. opponent: 1..3, how many seats after the observer."""
    melds = meld_suits = 0
    for index in range(4 * opponent, 4 * opponent + 4):
        meld_kind, tile = int(observation[AT.meld_kind + index]), int(observation[AT.meld_tile + index])
        melds += meld_kind > 0
        if 0 < meld_kind and (meld_kind < CONCEALED_KONG or tile < NONE):
            meld_suits += 1 << 8 * (tile // 9)
    discarded = suits = 0
    last = -1
    for index in range(RIVER_SIZE * opponent, RIVER_SIZE * (opponent + 1)):
        tile = int(observation[AT.river_tile + index])
        if tile < NONE:
            discarded |= 1 << tile
            suits += 1 << 8 * (tile // 9)
            last = max(last, int(observation[AT.river_time + index]))
    return Opponent(melds, meld_suits, discarded, suits, _list_later(observation, last))
