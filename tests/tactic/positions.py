"""Positions that tactics are asked about: those of recorded games, and some written out."""

import copy
import random

from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import list_tiles, parse_counts
from tests.golden_games import read_games


def positions(every=40):
    """Yields states with a choice, sampled over the recorded games; each goes on once the next is asked for."""
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


def read_fields(state):
    """All of a state's fields, players taken apart, to compare two states by."""
    found = dict(vars(state))
    found["players"] = [[getattr(player, name) for name in player.__slots__] for player in state.players]
    return copy.deepcopy(found)


def state_of(seat, hand, requests=""):
    """The state of a seat after its deal and some more requests, apart by semicolons."""
    state = GameState()
    state.apply("0 %d 0" % seat)
    state.apply("1 0 0 0 0 " + " ".join(list_tiles(parse_counts(hand))))
    for request in filter(None, requests.split("; ")):
        state.apply(request)
    return state


def discard_of(seat, tile_name):
    return "3 %d DRAW; 3 %d PLAY %s" % (seat, seat, tile_name)
