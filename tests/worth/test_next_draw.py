"""What the next draw makes of a hand, against a count of all draws and discards."""

import itertools

import numpy as np
import pytest

from mj_bot.mahjong.action import ACTION_COUNT, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, PASS_INDEX
from mj_bot.mahjong.shanten import shanten
from mj_bot.worth.chance import CLASS_OF
from mj_bot.worth.chance import ARRIVALS
from mj_bot.worth.correction import Distances
from mj_bot.worth.waits import NEAR, WEIGHT, add_next_draws, list_near
from mj_bot.worth.parameters import PARAMETERS
from tests.golden_games import read_games, walk
from tests.worth.values import Waits


def positions():
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
    for state in itertools.islice(positions(), 0, None, 3):
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
