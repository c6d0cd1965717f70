"""How far a hand is from ready, for correction.py; lab/batch/worth/distances.py measures many hands at once."""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, encode_action
from ..mahjong.opening import group_by_opening, hold_after
from ..mahjong.shanten import UNREACHABLE, discard_table, shanten
from ..mahjong.tile import TILE_COUNT, TILE_NAMES

# now: int[B], shanten, that after the best discard where one is owed. after: int[B, 34], shanten after each discard;
# useful: bool[B, 34, 34], the tiles that lower it then; both count where a discard is owed. claimed: int[B, 235],
# shanten after a chow or pung and its best discard; counts where it is legal.
Distances = namedtuple("Distances", "now after useful claimed")


def find_distances(state):
    """The Distances of a GameState, B = 1."""
    counts, melds = state.hand_counts, len(state.players[state.my_pid].melds)
    if sum(counts) + 3 * melds == 14:
        return measure_discards(counts, melds)
    claimed = np.zeros((1, ACTION_COUNT), np.int64)
    for opening, discards in group_by_opening(state.action_space()):
        if discards != [None]:
            left, laid = hold_after(state, opening)
            index = encode_action(opening + (TILE_NAMES[discards[0]],), state.last_tile)[0]
            claimed[0, index] = shanten(left, len(laid))
    return Distances(np.array([shanten(counts, melds)]), np.zeros((1, TILE_COUNT), np.int64),
                     np.zeros((1, TILE_COUNT, TILE_COUNT), bool), claimed)


def measure_discards(counts, meld_count):
    """The Distances of a hand that owes a discard, B = 1.

    counts: 34 ints, 14 less 3 a meld.
    """
    after = np.full((1, TILE_COUNT), UNREACHABLE, np.int64)
    useful = np.zeros((1, TILE_COUNT, TILE_COUNT), bool)
    for tile, (distance, tiles) in discard_table(counts, meld_count).items():
        after[0, tile] = distance
        useful[0, tile, tiles] = True
    return Distances(np.array([shanten(counts, meld_count)]), after, useful, np.zeros((1, ACTION_COUNT), np.int64))
