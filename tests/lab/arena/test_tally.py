"""Counts of games, and their sums."""

import json
import random

import pytest

from mj_bot.lab.arena.tally import Outcome, Tally, count_game
from mj_bot.lab.table.fan_names import ENGLISH_FANS
from tests.golden_games import read_games

SELF_DRAW = Outcome([54, -18, -18, -18], [0, 1, 2, 3], "HU", 0, None, None, [(8, 1, "花龙"), (2, 1, "平和")])
DISCARD = Outcome([-8, 34, -18, -8], [1, 0, 0, 0], "HU", 1, 2, None, [(4, 1, "和绝张"), (3, 2, "幺九刻")])
DRAWN = Outcome([0] * 4, [0] * 4, "HUANG", None, None, None, [])
CRASH = Outcome([10, 10, 10, -30], [0] * 4, "RE", None, None, 3, [])


def count(*games):
    """Tallies of two players over games of (seating, outcome)."""
    tallies = [Tally(), Tally()]
    for seating, outcome in games:
        count_game(tallies, seating, outcome)
    return tallies


@pytest.mark.parametrize("games, first, second", [
    ([((0, 0, 1, 1), SELF_DRAW)], dict(score=36, games=2, wins=1, self_draws=1, fan=10, claims=1, patterns={"花龙": 1}),
     dict(score=-36, deal_ins=0, claims=5)),
    # Two of three points are more than one of four.
    ([((0, 1, 0, 1), DISCARD)], dict(deal_ins=1), dict(wins=1, self_draws=0, fan=10, patterns={"幺九刻": 1})),
    ([((0, 1, 1, 1), DRAWN), ((0, 1, 1, 1), CRASH)], dict(draws=1, failures={}), dict(draws=3, failures={"RE": 1})),
], ids=["a self-draw", "a discard: giver and richest fan", "a drawn game and a crash"])
def test_counts(games, first, second):
    for tally, expected in zip(count(*games), (first, second)):
        assert {key: getattr(tally, key) for key in expected} == expected


def test_who_scored_more_than_whom():
    first, second = count(((0, 0, 1, 1), DISCARD))
    # -8 against -18 and -8, 34 against both; -8 of the fourth seat is as much as the first's.
    assert first.outscored == {1: 2 + 1 + 2 + 2} and second.outscored == {0: 1}


def test_sums_go_through_json_and_merge():
    first, second = [((0, 0, 1, 1), SELF_DRAW), ((0, 1, 0, 1), CRASH)], [((1, 0, 0, 1), DISCARD)]
    for one, other, expected in zip(count(*first), count(*second), count(*first, *second)):
        for tally in (one, expected):
            tally.add_time(3.0)
        for tally in (other, expected):
            tally.add_time(0.2, 5)
            tally.memory_mb = 40
        read = [Tally.from_dict(json.loads(json.dumps(tally.as_dict()))) for tally in (one, other)]
        assert read == [one, other]
        read[0].add(read[1])
        assert read[0] == expected


def test_quantiles_of_time():
    rng = random.Random(1)
    times = [rng.lognormvariate(1, 1.5) for _ in range(5001)]
    tally = Tally()
    for milliseconds in times:
        tally.add_time(milliseconds)
    for share in (0.5, 0.99):
        assert tally.time_quantile(share) == pytest.approx(sorted(times)[int(share * 5000)], rel=0.03)
    assert Tally().time_quantile(0.5) is None
    tally.add_time(0)  # a clock that did not move


def test_the_judges_fans_have_english_names():
    shown = {fan["name"] for game in read_games() for fan in game["steps"][-1][1].get("fan", ())}
    assert len(shown) > 20 and shown <= set(ENGLISH_FANS)
