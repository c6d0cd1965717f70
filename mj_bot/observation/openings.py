"""Lists the openings of a decision in compiled code: the hand that each opening leaves, and its discards."""

from typing import NamedTuple

import numpy as np

from ..jit import jit_part
from ..mahjong.action import (ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE)
from ..mahjong.compiled import chow_index, is_chow
from ..mahjong.tile import TILE_COUNT
from .encoder import meld_kind, read_hand
from .layout import ADDED_KONG, AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, OPEN_KONG, PUNG, ROB

# No suit is changed.
UNCHANGED = -1
# A turn with three concealed and four added kongs has more tiles than a hand.
MOST_OPENINGS = 8
# Pass, a kong, and a pung and three chows, each with a discard of the eleven tiles left; a turn has less.
MOST_ACTIONS = 48


class Openings(NamedTuple):
    """Keeps one decision, all int64: visible tiles, then a row for each opening in the order of action_space()."""

    unseen: np.ndarray  # [34], copies by kind that the seat cannot see
    shown: np.ndarray  # [34], copies that count for the fourth tile, at the discard for which a claim was made
    action: np.ndarray  # index of its action, or DISCARD_BASE for a mere discard
    counts: np.ndarray  # [., 34], the hand that it leaves
    melds: np.ndarray  # [., 4, 2], the melds then: kind and tile as in an observation
    meld_count: np.ndarray
    changed: np.ndarray  # the suit that it changes, 3 the honours, or UNCHANGED
    discards: np.ndarray  # bit t where tile t may end it, 0 where nothing is discarded


def make_openings():
    """Returns memory for Openings, which serves one decision after another."""
    shapes = [TILE_COUNT] * 2 + [(MOST_OPENINGS,) + more for more in ((), (TILE_COUNT,), (4, 2), (), (), ())]
    return Openings(*(np.zeros(shape, np.int64) for shape in shapes))


def fill_opening(openings, counts, melds, unseen):
    """Writes a hand by itself as the first opening, without discards.

    counts: concealed tiles by kind. melds: list of Meld. unseen: copies of each tile that may still come.
    """
    openings.counts[0], openings.unseen[:], openings.discards[0] = counts, unseen, 0
    openings.meld_count[0], openings.changed[0] = len(melds), UNCHANGED
    for slot, meld in enumerate(melds):
        openings.melds[0, slot] = meld_kind(meld), meld.tile


@jit_part
def list_openings(observation, mask, openings):
    """Fills Openings from an observation and its legal actions, without wins; returns the number of openings."""
    _read_observation(observation, openings)
    if observation[AT.task] == CLAIM or observation[AT.task] == ROB:
        return _list_claims(observation, mask, openings)
    openings.action[0] = DISCARD_BASE
    openings.discards[0] = _kinds(openings.counts[0])
    count = 1
    for tile in range(TILE_COUNT):
        if mask[CONCEALED_KONG_BASE + tile]:
            _open(openings, count, CONCEALED_KONG_BASE + tile, tile)
            _lay(openings, count, CONCEALED_KONG, tile, 4, 0)
            count += 1
    # Added kongs come in the order of the pungs.
    for place in range(openings.meld_count[0]):
        tile = openings.melds[0, place, 1]
        if openings.melds[0, place, 0] == PUNG and mask[ADDED_KONG_BASE + tile]:
            _open(openings, count, ADDED_KONG_BASE + tile, tile)
            openings.melds[count, place, 0] = ADDED_KONG
            openings.counts[count, tile] -= 1
            count += 1
    return count


@jit_part
def _read_observation(observation, openings):
    """Writes the hand, as the first opening, and the visible tiles."""
    for tile in range(TILE_COUNT):
        openings.unseen[tile] = observation[AT.unseen + tile]
    openings.meld_count[0] = count = read_hand(observation, openings.counts[0], openings.shown, openings.melds[0])
    openings.changed[0] = UNCHANGED
    openings.discards[0] = 0
    if observation[AT.task] == CLAIM:
        openings.shown[np.int64(observation[AT.last_tile])] -= 1
    elif observation[AT.task] == FOLLOW:
        # Claim and discard are chosen together, before the meld is shown.
        tile = openings.melds[0, count - 1, 1]
        if openings.melds[0, count - 1, 0] == PUNG:
            openings.shown[tile] -= 3
        else:
            for part in range(tile - 1, tile + 2):
                openings.shown[part] -= 1


@jit_part
def _list_claims(observation, mask, openings):
    tile = np.int64(observation[AT.last_tile])
    openings.action[0] = PASS_INDEX
    count = 1
    if mask[PUNG_BASE + tile]:
        _open(openings, count, PUNG_BASE + tile, tile)
        _lay(openings, count, PUNG, tile, 2, 1)
        count += 1
    if mask[OPEN_KONG_BASE + tile]:
        _open(openings, count, OPEN_KONG_BASE + tile, tile)
        _lay(openings, count, OPEN_KONG, tile, 3, 0)
        count += 1
    for middle in range(tile - 1, tile + 2):
        if is_chow(middle, tile) and mask[chow_index(middle, tile)]:
            _open(openings, count, chow_index(middle, tile), tile)
            for part in range(middle - 1, middle + 2):
                openings.counts[count, part] -= part != tile
            _lay(openings, count, CHOW, middle, 0, 1)
            count += 1
    return count


@jit_part
def _open(openings, at, action, tile):
    """Begins an opening that changes the suit of `tile`, with the hand before it."""
    openings.action[at] = action
    openings.changed[at] = tile // 9
    openings.discards[at] = 0
    for kind in range(TILE_COUNT):
        openings.counts[at, kind] = openings.counts[0, kind]
    for place in range(4):
        openings.melds[at, place, 0] = openings.melds[0, place, 0]
        openings.melds[at, place, 1] = openings.melds[0, place, 1]
    openings.meld_count[at] = openings.meld_count[0]


@jit_part
def _lay(openings, at, kind, tile, copies, is_discard_next):
    """Lays a meld for which the hand gives some copies of its tile."""
    openings.counts[at, tile] -= copies
    if is_discard_next:
        openings.discards[at] = _kinds(openings.counts[at])
    place = openings.meld_count[at]
    openings.melds[at, place, 0] = kind
    openings.melds[at, place, 1] = tile
    openings.meld_count[at] = place + 1


@jit_part
def _kinds(counts):
    """Returns the kinds of tile in a hand, bit t for tile t."""
    kinds = np.int64(0)
    for tile in range(TILE_COUNT):
        kinds |= np.int64(counts[tile] > 0) << tile
    return kinds
