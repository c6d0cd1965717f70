"""What tests read off states without the code of mj_bot/worth."""

import numpy as np

from mj_bot.mahjong.action import encode_action
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.shanten import discard_table, shanten
from mj_bot.mahjong.shanten_tables import UNREACHABLE
from mj_bot.worth.correction import Distances


def measure(state):
    """Distances of a state, by mahjong.shanten."""
    counts, melds = state.hand_counts, len(state.players[state.my_pid].melds)
    after, useful = np.full((1, 34), UNREACHABLE), np.zeros((1, 34, 34), bool)
    claimed = np.zeros((1, 235), np.int64)
    if sum(counts) + 3 * melds == 14:
        for tile, (distance, tiles) in discard_table(counts, melds).items():
            after[0, tile] = distance
            useful[0, tile, tiles] = True
    for action in state.action_space():
        if action[0] in ("CHI", "PENG"):
            left, laid = hand_after(state, split_discard(action)[0])
            claimed[0, encode_action(action, state.last_tile)[0]] = shanten(left, len(laid))
    return Distances(np.array([shanten(counts, melds)]), after, useful, claimed)


def pack_of(state):
    return tuple(meld.as_pack(state.my_pid) for meld in state.players[state.my_pid].melds)
