"""States of recorded games, and what the tests read off them without the code of mj_bot/worth."""

import numpy as np

from mj_bot.mahjong.action import encode_action
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.shanten import discard_table, shanten
from mj_bot.mahjong.shanten_tables import UNREACHABLE
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import list_tiles, parse_counts
from mj_bot.worth.correction import Distances
from tests.golden_games import read_games


def list_states(every):
    """Yields states of recorded games; each goes on once the next is asked for."""
    number = 0
    for place, game in enumerate(read_games()):
        if game["mode"] == "illegal" or place % 3:
            continue
        state = GameState()
        seat = game["seed"] % 4
        for requests, _display, answers in game["steps"][:-1]:
            state.apply(requests[seat])
            number += 1
            if len(state.action_space()) > 1 and number % every == 0:
                yield state
            state.answer(answers[seat])


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


def state_of(hand):
    state = GameState()
    state.apply("0 1 0")
    state.apply("1 0 0 0 0 " + " ".join(list_tiles(parse_counts(hand))))
    return state
