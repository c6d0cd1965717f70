"""The chance that each discard is won on, see mj_bot/worth/danger.py, from one observation at a time."""

from collections import namedtuple
from math import exp

import numpy as np

from ....jit import jit_part
from ....mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, TILE_COUNT
from ....observation.layout import AT, CONCEALED_KONG, NONE, RIVER_SIZE, WALL_DRAWS
from ....worth.danger import FEATURES, LATELY, OPPONENTS


# The column of each feature by its name.
_COLUMN = namedtuple("Columns", [name.replace(" ", "_") for name in FEATURES])(*range(len(FEATURES)))
for _first, _words in (("one meld", "one two three four"), ("none unseen", "none one two three")):
    assert [name.split()[0] for name in FEATURES[FEATURES.index(_first):][:4]] == _words.split()


@jit_part
def set_risks(observation, weights, danger, tiles, risks):
    """Writes, for some tiles, `danger` times the chance that the discard is won on, at most 1, into float64[34].

    weights: float64[F], of worth.danger.FEATURES. tiles: bit t for tile t; the risks of others are 0.
    """
    late = _list_later(observation, np.int64(observation[AT.discard_count]) - LATELY - 1)
    for tile in range(TILE_COUNT):
        risks[tile] = 0.0
    for opponent in range(1, OPPONENTS + 1):
        _add_opponent(observation, weights, opponent, late, tiles, risks)
    for tile in range(TILE_COUNT):
        risks[tile] = min(1.0, danger * risks[tile])


@jit_part
def _add_opponent(observation, weights, opponent, late, tiles, chances):
    """Adds the chances that one opponent wins on some tiles; late: bit t where tile t was discarded lately."""
    discarded, last, suits = _read_river(observation, opponent)
    meld_count, meld_suits = _read_melds(observation, opponent)
    passed = _list_later(observation, last)
    base = _weigh_game(observation, weights, meld_count)
    total_discards = total_melds = 0
    for suit in range(4):
        total_discards += suits >> 8 * suit & 255
        total_melds += meld_suits >> 8 * suit & 255
    honour_melds = meld_suits >> 24 & 255
    for tile in range(TILE_COUNT):
        if not tiles >> tile & 1:
            continue
        suit = tile // 9
        own_melds = meld_suits >> 8 * suit & 255
        one_suit = own_melds + (honour_melds if tile < FIRST_HONOUR else 0)
        logit = base + _weigh_tile(weights, tile, np.int64(observation[AT.unseen + tile]))
        logit += (late >> tile & 1) * weights[_COLUMN.discarded_lately]
        logit += (discarded >> tile & 1) * weights[_COLUMN.discarded_by_it]
        logit += (passed >> tile & 1) * weights[_COLUMN.let_pass_by_it]
        if tile < FIRST_HONOUR and ((tile % 9 > 0 and discarded >> (tile - 1) & 1)
                                    or (tile % 9 < 8 and discarded >> (tile + 1) & 1)):
            logit += weights[_COLUMN.neighbour_discarded_by_it]
        logit += (suits >> 8 * suit & 255) / (total_discards + 1) * weights[_COLUMN.share_of_its_discards]
        if total_melds >= 2 and one_suit == total_melds:
            logit += weights[_COLUMN.melds_of_one_suit]
        logit += own_melds / (total_melds + 1) * weights[_COLUMN.share_of_its_melds]
        chances[tile] += 1 / (1 + exp(-logit))


@jit_part
def _weigh_game(observation, weights, meld_count):
    """What an opponent's number of melds and the time weigh."""
    left = 0
    for seat in range(4):
        left += np.int64(observation[AT.walls + seat])
    progress = 1 - left / (4 * WALL_DRAWS)
    weight = weights[_COLUMN.always] + progress * weights[_COLUMN.progress]
    weight += progress ** 2 * weights[_COLUMN.progress_squared]
    if meld_count:
        weight += weights[_COLUMN.one_meld + meld_count - 1]
    if meld_count >= 2:
        weight += progress * weights[_COLUMN.progress_with_two_melds]
    return weight


@jit_part
def _weigh_tile(weights, tile, unseen):
    """What the kind of tile and its unseen copies weigh."""
    weight = weights[_COLUMN.none_unseen + unseen] if unseen < 4 else 0.0
    if tile >= FIRST_HONOUR:
        weight += weights[_COLUMN.honour]
        if tile >= FIRST_DRAGON:
            weight += weights[_COLUMN.dragon]
        if unseen == 0:
            weight += weights[_COLUMN.honour_none_unseen]
    elif tile % 9 == 0 or tile % 9 == 8:
        weight += weights[_COLUMN.terminal]
    elif tile % 9 == 1 or tile % 9 == 7:
        weight += weights[_COLUMN.beside_terminal]
    return weight


@jit_part
def _list_later(observation, time):
    """Bit t where somebody discarded tile t after a time."""
    tiles = np.int64(0)
    for at in range(4 * RIVER_SIZE):
        tile = np.int64(observation[AT.river_tile + at])
        if tile < NONE and observation[AT.river_time + at] > time:
            tiles |= 1 << tile
    return tiles


@jit_part
def _read_river(observation, opponent):
    """(bit t where it discarded tile t, time of its last discard or -1, its discards by suit, a byte each)."""
    tiles = suits = np.int64(0)
    last = np.int64(-1)
    for at in range(RIVER_SIZE * opponent, RIVER_SIZE * (opponent + 1)):
        tile = np.int64(observation[AT.river_tile + at])
        if tile < NONE:
            tiles |= 1 << tile
            suits += 1 << 8 * (tile // 9)
            last = max(last, np.int64(observation[AT.river_time + at]))
    return tiles, last, suits


@jit_part
def _read_melds(observation, opponent):
    """(number of melds, those seen by suit, a byte each)."""
    count = suits = np.int64(0)
    for at in range(4 * opponent, 4 * opponent + 4):
        kind, tile = observation[AT.meld_kind + at], np.int64(observation[AT.meld_tile + at])
        count += kind > 0
        if 0 < kind and (kind < CONCEALED_KONG or tile < NONE):
            suits += 1 << 8 * (tile // 9)
    return count, suits
