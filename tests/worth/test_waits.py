"""The waits of ready hands, against what the recorded judge says when the tile comes, and what the next draw makes."""

import itertools

import numpy as np
import pytest

from mj_bot.mahjong.action import ACTION_COUNT, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, PASS_INDEX
from mj_bot.mahjong.rules import is_last_tile
from mj_bot.mahjong.shanten import shanten
from mj_bot.mahjong.tile import TILE_INDEX, parse_tile
from mj_bot.worth.chance import ARRIVALS, CLASS_OF
from mj_bot.worth.correction import Distances
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.waits import NEAR, WEIGHT, add_next_draws, list_near, list_waits
from tests.golden_games import name_of, read_games, walk
from tests.tactic.positions import state_of
from tests.worth.values import Waits


def judged_tiles():
    """Yields (where, state, its concealed counts without the tile that came, the tile, the judge's fan or negative).

    Left out is what no hand can know before: tiles of kongs, and the wall's last. Of the tiles that do not complete a
    hand some are enough.
    """
    for game in read_games():
        for step, _requests, display, _answers, states in walk(game):
            for seat, (state, judged) in enumerate(zip(states, display.get("canHu", [-4] * 4))):
                if judged == -4 or (judged < 0 and step % 5):
                    continue
                is_of_kong = any(action[0] in ("GANG", "BUGANG") for _, action in state.history[-2:])
                if is_of_kong or is_last_tile(state.walls, state.history[-1][0]):
                    continue
                tile = TILE_INDEX[state.drawn_tile or state.last_tile]
                counts = list(state.hand_counts)
                counts[tile] -= state.is_my_turn
                yield (name_of(game), step, seat), state, counts, tile, judged


def test_waits_are_what_the_judge_lets_win():
    wins = 0
    for where, state, counts, tile, judged in judged_tiles():
        waits = {wait: fans for wait, *fans in list_waits(state, counts, state.players[state.my_pid].melds)}
        assert waits.get(tile, (None, None))[state.is_my_turn] == (judged if judged >= 8 else None), where
        wins += judged >= 8
    assert wins == 185


# Why, hand, tile, fan of a win on a discard, None for fewer than eight, fan of a self-draw.
WAITS = [
    ("closed wait of mixed steps", "W234 T345 B46888 F11", [("B5", 9, 11)]),
    ("two fan for drawing it all oneself", "W234678 T567 B3488", [("B2", None, 9), ("B5", None, 8)]),
    ("one wait on any tile, the other self-drawn", "W234678 T456 B3488", [("B2", None, 9), ("B5", 12, 14)]),
    ("too cheap", "W123 W567 B34567 F11", []),
    ("not ready", "W123 T569 B345 F44 J22", []),
]


@pytest.mark.parametrize("hand, expected", [case[1:] for case in WAITS], ids=[case[0] for case in WAITS])
def test_waits_and_their_worth(hand, expected):
    """What is waited for comes with its chance; a tile that must be self-drawn, by the own draws alone."""
    state = state_of(1, hand)
    parameters = PARAMETERS._replace(horizon=0.5, win_claims=0.6, sharpness=1.5)
    waits = Waits(state, parameters)
    assert list_waits(state, state.hand_counts, ()) == [(parse_tile(name), *fans) for name, *fans in expected]
    worth = 0.0
    for name, fan, by_draw in expected:
        drawn, before, others = (0.5 * 21 / (136 - 13) * rate for rate in ARRIVALS[CLASS_OF[parse_tile(name)]])
        share = drawn + 0.6 * (before + others) if fan else drawn
        worth += ((1 - (1 - share) ** state.unseen[parse_tile(name)]) * (24 + (fan or by_draw))) ** 1.5
    assert waits.worth(state.hand_counts) == pytest.approx(worth)


def test_flowers_do_not_make_a_hand_dear_enough():
    state = state_of(1, "W123 W567 B34567 F11")
    state.players[state.my_pid].n_flowers = 8
    assert list_waits(state, state.hand_counts, ()) == []


def list_near_ready():
    """Yields the states of golden games in which a seat waits and is one tile short of ready, some of each game."""
    for game in list(read_games())[::12]:
        for step, _requests, _display, _answers, states in walk(game):
            for state in states:
                counts, melds = state.hand_counts, len(state.players[state.my_pid].melds)
                if step % 7 == 0 and sum(counts) + 3 * melds == 13 and shanten(counts, melds) == 1:
                    yield state


def count_next_draw(state, counts, waits):
    """By every tile that may come and every discard then."""
    total = 0.0
    base = PARAMETERS.horizon * max(1, state.walls[state.my_pid]) / sum(state.unseen)
    for tile, copies in enumerate(state.unseen):
        with_tile = np.array(counts) + np.eye(34, dtype=int)[tile]
        worths = [waits.worth(with_tile - np.eye(34, dtype=int)[discard])
                  for discard in np.flatnonzero(with_tile)] if copies else [0.0]
        share = min(0.95, base * ARRIVALS[CLASS_OF[tile]][0])
        total += (1 - (1 - share) ** copies) * max(worths) ** (1 / PARAMETERS.sharpness)
    return total


def test_worths_are_those_of_a_count_of_all_draws():
    found = []
    for state in itertools.islice(list_near_ready(), 0, None, 3):
        waits, counts = Waits(state, PARAMETERS), list(state.hand_counts)
        found.append(waits.next_draw(counts))
        assert found[-1] == pytest.approx(count_next_draw(state, counts, waits)) and counts == list(state.hand_counts)
    assert len(found) >= 30 and 0.2 < np.mean(np.array(found) > 0) < 1


def find(points, after):
    full = np.full((1, ACTION_COUNT), -np.inf)
    for index, value in points.items():
        full[0, index] = value
    distances = np.full((1, 34), 2)
    for tile, distance in after.items():
        distances[0, tile] = distance
    return np.flatnonzero(list_near(full, Distances(np.array([1]), distances, None, None))[0]).tolist()


@pytest.mark.parametrize("points, after, others, expected", [
    ({0: 5.0, 1: 5.0 - 0.9 * NEAR, 2: 5.0 - 1.1 * NEAR}, {0: 1, 1: 1, 2: 1}, {}, [0, 1]),
    ({0: 5.0, 1: 5.0, 2: 0.0}, {0: 1, 1: 1, 2: 0}, {}, [0, 1]),
    ({0: 5.0, 1: 5.0}, {0: 1, 1: 2}, {}, []),
    ({0: 5.0, 1: 5.0}, {0: 0, 1: 0}, {}, []),
    ({0: 5.0, 1: 0.0}, {0: 1, 1: 1}, {}, []),
    *(({0: 5.0, 1: 5.0}, {0: 1, 1: 1}, {other: value}, expected) for other in (PASS_INDEX, CHOW_BASE)
      for value, expected in ((5.0, []), (5.0 - 2 * NEAR, [0, 1]))),
], ids=["near", "a far one counts nothing", "one goes back", "ready", "nothing to choose", "next to a pass",
        "before a pass", "next to a chow", "before a chow"])
def test_discards_that_are_asked(points, after, others, expected):
    assert find({**{DISCARD_BASE + tile: value for tile, value in points.items()}, **others}, after) == expected


def test_near_discards_are_told_apart_and_no_others():
    """Of near ones 3, 2.5 and 2.8 the last becomes the best, and brings what the best brought; 1 and a kong stay."""
    points, next_draws = np.full((2, ACTION_COUNT), -np.inf), np.zeros((2, 34))
    points[:, DISCARD_BASE:DISCARD_BASE + 4] = 3.0, 2.5, 1.0, 2.8
    points[:, CONCEALED_KONG_BASE] = 1.5
    nears = np.zeros((2, 34), bool)
    nears[1, [0, 1, 3]] = True
    next_draws[1, [0, 1, 3]] = 1.0, 0.0, 10.0
    changed, added = add_next_draws(points, nears, next_draws)
    assert (changed[0] == points[0]).all() and not added[0].any()
    common = 2.8 + 10 * WEIGHT - 3.0
    assert changed[1, DISCARD_BASE:DISCARD_BASE + 4] == pytest.approx(
        [3.0 + WEIGHT - common, 2.5 - common, 1.0, 3.0]) and changed[1, CONCEALED_KONG_BASE] == 1.5
    assert added[1, DISCARD_BASE:DISCARD_BASE + 4] == pytest.approx([WEIGHT - common, -common, 0.0, 3.0 - 2.8])
