"""Positions that tactics are asked about: those of recorded games, and some written out."""

import copy
import functools
import random

import numpy as np

from mj_bot.mahjong.action import ACTION_COUNT, encode_action, format_action
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import list_tiles, parse_counts
from mj_bot.observation.encoder import encode_observation
from tests.golden_games import read_games


# Samples with more positions are not kept in memory.
_LEAST_EVERY_KEPT = 10


def positions(every=40):
    """Yields states with a choice, sampled over the recorded games; each goes on once the next is asked for."""
    return _walk(every) if every < _LEAST_EVERY_KEPT else (state.copy() for state in _sample(every))


@functools.lru_cache(maxsize=None)
def list_wins():
    """Returns a list of all states of sampled seats of the recorded games that may win, for callers that copy them."""
    return [state.copy() for state in _walk(1) if any(action[0] == "HU" for action in state.action_space())]


@functools.lru_cache(maxsize=None)
def _sample(every):
    return [state.copy() for state in _walk(every)]


def _walk(every):
    """Yields states with a choice, each of which goes on once the next is asked for."""
    rng = random.Random(1)
    for game in read_games():
        seat = rng.randrange(4)
        state = GameState()
        for requests, _display, answers in game["steps"][:-1]:
            state.apply(requests[seat])
            if len(state.action_space()) > 1 and rng.randrange(every) == 0:
                yield state
            try:
                state.answer(answers[seat])
            except ValueError:
                break


def list_golden_decisions(tactic, every, most):
    """(observations, masks, the tactic's choices) at each `every`-th decision of golden games, at least `most`.

    A claim is followed by the decision of its discard.
    """
    rows = []
    number = 0
    for game in read_games():
        for seat in range(4):
            state = GameState()
            for requests, _, answers in game["steps"][:-1]:
                state.apply(requests[seat])
                actions = state.action_space()
                number += len(actions) > 1
                if len(actions) > 1 and number % every == 0:
                    rows += _list_rows(state, actions, tactic(state))
                if answers[seat] not in [format_action(action) for action in actions]:
                    break
                state.answer(answers[seat])
        if len(rows) >= most:
            break
    return tuple(np.array(column) for column in zip(*rows))


def _list_rows(state, actions, chosen):
    """The (observation, mask, choice) of a decision, and of the discard after a claim."""
    indices = [encode_action(action, state.last_tile) for action in actions]
    first, *follow = encode_action(chosen, state.last_tile)
    rows = [(encode_observation(state), _make_mask(index[0] for index in indices), first)]
    if follow:
        mask = _make_mask(index[1] for index in indices if index[0] == first)
        rows.append((encode_observation(state, chosen), mask, follow[0]))
    return rows


def _make_mask(actions):
    mask = np.zeros(ACTION_COUNT, bool)
    mask[list(actions)] = True
    return mask


def read_fields(state):
    """All of a state's fields, players taken apart, to compare two states by."""
    found = dict(vars(state))
    found["players"] = [[getattr(player, name) for name in player.__slots__] for player in state.players]
    return copy.deepcopy(found)


def state_of(seat, hand, requests="", wind=0):
    """The state of a seat after its deal and some more requests, apart by semicolons."""
    state = GameState()
    state.apply("0 %d %d" % (seat, wind))
    state.apply("1 0 0 0 0 " + " ".join(list_tiles(parse_counts(hand))))
    for request in filter(None, requests.split("; ")):
        state.apply(request)
    return state


def discard_of(seat, tile_name):
    return "3 %d DRAW; 3 %d PLAY %s" % (seat, seat, tile_name)
