"""Lists the openings of a decision in compiled code.

The opening of an action is the action without the discard that ends it: a claim, a kong, a pass, or a discard whose
tile is not chosen yet. The hand that an opening leaves contains the tiles that may be discarded next.
"""

from typing import List, NamedTuple, Sequence

import numpy as np

from ..jit import jit_part
from ..mahjong.action import (ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE)
from ..mahjong.compiled import chow_index, is_chow
from ..mahjong.meld import Meld
from ..mahjong.tile import TILE_COUNT
from .encoder import meld_kind, read_observed_hand
from .layout import ADDED_KONG, AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, OPEN_KONG, PUNG, ROB

# Openings.changed has this value for an opening that changes no suit.
UNCHANGED = -1
# A turn has fewer than eight openings: three concealed and four added kongs would need more tiles than a hand has.
MOST_OPENINGS = 8
# No decision has more actions. A claim has at most 47: pass, win, kong, and a pung and three chows with 11 discards
# each. A turn has fewer.
MOST_ACTIONS = 48


class Openings(NamedTuple):
    """Keeps one decision: the tiles that the seat sees, then a row for each opening in the order of action_space().

    All arrays are int64.
    """

    unseen: np.ndarray  # [34], copies of each tile that the seat cannot see
    shown: np.ndarray  # [34], copies that count for the fan of the fourth tile, without the tile that is being claimed
    action: np.ndarray  # [.], index of the opening's action, DISCARD_BASE for a discard without a claim
    counts: np.ndarray  # [., 34], the concealed tiles that the opening leaves
    melds: np.ndarray  # [., 4, 2], the melds after the opening: CHOW .. CONCEALED_KONG, and the tile
    meld_count: np.ndarray  # [.], how many melds there are after the opening
    changed: np.ndarray  # [.], the only suit that the opening changes, 3 for honours, UNCHANGED if there is none
    discards: np.ndarray  # [.], bit t is set if tile t may be discarded; 0 if no discard follows


def make_openings() -> Openings:
    """Returns memory for Openings, which can be filled for one decision after another."""
    shapes = [TILE_COUNT] * 2 + [(MOST_OPENINGS,) + more for more in ((), (TILE_COUNT,), (4, 2), (), (), ())]
    return Openings(*(np.zeros(shape, np.int64) for shape in shapes))


def fill_opening(openings: Openings, counts: Sequence[int], melds: List[Meld], *, unseen: Sequence[int]) -> None:
    """Writes a hand as the first and only opening, without discards.

    counts: list[34], concealed tiles. melds: list of Meld. unseen: list[34], copies of each tile that may still come.
    """
    openings.counts[0], openings.unseen[:], openings.discards[0] = counts, unseen, 0
    openings.meld_count[0], openings.changed[0] = len(melds), UNCHANGED
    for slot, meld in enumerate(melds):
        openings.melds[0, slot] = meld_kind(meld), meld.tile


@jit_part
def list_openings(observation: np.ndarray, mask: np.ndarray, openings: Openings) -> int:
    """Lists the openings of an observation's legal actions, without wins, and returns how many there are.

    mask: [235], not 0 where the action with this index is legal. openings: receives the openings.
    """
    _read_observation(observation, openings)
    if observation[AT.task] == CLAIM or observation[AT.task] == ROB:
        return _list_claims(observation, mask, openings)
    openings.action[0] = DISCARD_BASE
    openings.discards[0] = _list_tiles(openings.counts[0])
    count = 1
    for tile in range(TILE_COUNT):
        if mask[CONCEALED_KONG_BASE + tile]:
            _open(openings, count, CONCEALED_KONG_BASE + tile, tile)
            _lay(openings, count, CONCEALED_KONG, tile, 4, 0)
            count += 1
    # Added kongs are listed in the order of their pungs.
    for slot in range(openings.meld_count[0]):
        tile = openings.melds[0, slot, 1]
        if openings.melds[0, slot, 0] == PUNG and mask[ADDED_KONG_BASE + tile]:
            _open(openings, count, ADDED_KONG_BASE + tile, tile)
            openings.melds[count, slot, 0] = ADDED_KONG
            openings.counts[count, tile] -= 1
            count += 1
    return count


@jit_part
def _read_observation(observation, openings):
    """Writes the visible tiles, and the hand as the first opening."""
    for tile in range(TILE_COUNT):
        openings.unseen[tile] = observation[AT.unseen + tile]
    count = read_observed_hand(observation, openings.counts[0], openings.shown, openings.melds[0])
    openings.meld_count[0] = count
    openings.changed[0] = UNCHANGED
    openings.discards[0] = 0
    if observation[AT.task] == CLAIM:
        openings.shown[np.int64(observation[AT.last_tile])] -= 1
    elif observation[AT.task] == FOLLOW:
        # A claim and its discard are chosen together, so the tiles of the meld are not shown yet.
        tile = openings.melds[0, count - 1, 1]
        if openings.melds[0, count - 1, 0] == PUNG:
            openings.shown[tile] -= 3
        else:
            for member in range(tile - 1, tile + 2):
                openings.shown[member] -= 1


@jit_part
def _list_claims(observation, mask, openings):
    """Lists passing, then the pung, the open kong and the chows of a claim. Returns how many openings there are."""
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
            for member in range(middle - 1, middle + 2):
                openings.counts[count, member] -= member != tile
            _lay(openings, count, CHOW, middle, 0, 1)
            count += 1
    return count


@jit_part
def _open(openings, opening, action, tile):
    """Begins an opening with the hand before it."""
    openings.action[opening] = action
    openings.changed[opening] = tile // 9
    openings.discards[opening] = 0
    for other_tile in range(TILE_COUNT):
        openings.counts[opening, other_tile] = openings.counts[0, other_tile]
    for slot in range(4):
        openings.melds[opening, slot, 0] = openings.melds[0, slot, 0]
        openings.melds[opening, slot, 1] = openings.melds[0, slot, 1]
    openings.meld_count[opening] = openings.meld_count[0]


@jit_part
def _lay(openings, opening, meld_type, tile, copies, is_discard_next):
    """Lays a meld in an opening."""
    openings.counts[opening, tile] -= copies
    if is_discard_next:
        openings.discards[opening] = _list_tiles(openings.counts[opening])
    slot = openings.meld_count[opening]
    openings.melds[opening, slot, 0] = meld_type
    openings.melds[opening, slot, 1] = tile
    openings.meld_count[opening] = slot + 1


@jit_part
def _list_tiles(counts):
    """Returns the tiles in a hand, bit t for tile t."""
    tiles = np.int64(0)
    for tile in range(TILE_COUNT):
        tiles |= np.int64(counts[tile] > 0) << tile
    return tiles
