"""The causes of losses: they sum up, the named ones explain at least half, and the chance to win fits its points."""

from contextlib import suppress

import pytest

from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.causes import COST, _split_win, compute_outlook
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.table.players import make_tactic_player
from mj_bot.mahjong.errors import MahjongError
from mj_bot.worth.points import expect_points
from tests.golden_games import GOLDEN, with_recorded, with_samples

_LEAST = 3.0


def list_decisions(path, step=1):
    """Yields the search and each of its decisions in every `step`th game of a file, of a broken game up to there."""
    for game in [game for place, game in enumerate(read_games(str(path))) if place % step == 0]:
        for transcript in game.transcripts:
            with suppress(MahjongError):
                player = make_tactic_player("search")
                for decision in replay(transcript, player):
                    yield player.tactic, decision


def check_losses(path, step=1):
    """Checks each loss of three points or more; returns how many there are."""
    checked = 0
    for _, decision in list_decisions(path, step):
        values = dict(decision.ranked)
        if decision.logged not in values or values[decision.chosen] - values[decision.logged] < _LEAST:
            continue
        loss = values[decision.chosen] - values[decision.logged]
        causes, _ = decision.explain(decision.chosen, decision.logged)
        where = path, decision.index, causes
        points = {name: points for name, points, *_ in causes}
        assert sum(points.values()) == pytest.approx(loss, abs=1e-3), where
        assert points["usual"] <= loss / 2, where
        for name, _, *figures in causes:
            assert name == "fan" or all(0 <= chance <= 1 for chance in figures[:2]), where
        checked += 1
    return checked


@with_recorded
def test_losses_of_judged_games_are_explained(path):
    step, least = (100, 5) if path == GOLDEN else (10, 20)
    assert check_losses(path, step) > least


@pytest.mark.slow
@with_samples
def test_losses_of_games_in_all_formats_are_explained(folder):
    assert sum(check_losses(path) for path in list_files([str(folder)])) > 5


def test_the_endings_of_the_game_make_the_points():
    """The forecast is named, not estimated anew: its three endings give back what the search expects.

    The ways to win left out the tiles that a ready hand waits for, and three of 5,299 mistakes named no fact.
    """
    checked = 0
    for search, decision in list_decisions(GOLDEN, 300):
        for choice in () if decision.chosen[0] == "HU" else search.choices:
            outlook = compute_outlook(search, decision.state, choice)
            assert outlook.win + outlook.nobody + outlook.other == pytest.approx(1)
            points = expect_points(choice.worth, sum(decision.state.walls))
            assert outlook.win * outlook.pay - outlook.other * outlook.cost == pytest.approx(points)
            assert outlook.cost == COST or outlook.win == 0
            assert sum(_split_win(search, decision.state, choice).values()) == pytest.approx(outlook.win, abs=1e-3)
            checked += 1
    assert checked > 20
