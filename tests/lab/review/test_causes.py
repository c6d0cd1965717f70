"""The causes of losses: they sum up, the named ones explain at least half, and the chance to win fits its points."""

import pytest

from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.causes import COST, foresee
from mj_bot.lab.review.decisions import replay, review_seat
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth.points import expect_points
from tests.golden_games import GOLDEN, full_sets, with_samples

_LEAST = 3.0


def check_losses(path, step=1):
    """Checks each loss of three points or more in every `step`th game of a file; returns how many there are."""
    search, checked = SearchTactic(), 0
    for game in [game for place, game in enumerate(read_games(str(path))) if place % step == 0]:
        for transcript in game.transcripts:
            for made in review_seat(transcript, search)["decisions"]:
                if made["loss"] is None or made["loss"] < _LEAST:
                    continue
                causes = {name: points for name, points, *_ in made["causes"]}
                where = game.where, made["frame"], made["causes"]
                assert sum(causes.values()) == pytest.approx(made["loss"], abs=1e-3), where
                # Where the rest is more, the page says that the loss is uncertain by as much.
                assert causes.get("usual", 0.0) <= max(made["loss"] / 2, made["uncertainty"]), where
                for name, _, *figures in made["causes"]:
                    assert name == "fan" or all(0 <= chance <= 1 for chance in figures[:2]), where
                checked += 1
    return checked


def test_losses_of_judged_games_are_explained():
    assert check_losses(GOLDEN, 30) > 20


@pytest.mark.slow
@with_samples
def test_losses_of_games_in_all_formats_are_explained(folder):
    assert sum(check_losses(path) for path in list_files([str(folder)])) > 5


@pytest.mark.slow
@pytest.mark.parametrize("path", full_sets())
def test_losses_of_many_judged_games_are_explained(path):
    assert check_losses(path, 40) > 20


def test_the_endings_of_the_game_make_the_points():
    """The forecast is named, not estimated anew: its three endings give back what the search expects."""
    search, checked = SearchTactic(), 0
    game = next(read_games(str(GOLDEN)))
    for decision in replay(game.transcripts[0], search):
        for choice in search.choices:
            outlook = foresee(search, decision.state, choice)
            assert outlook.win + outlook.nobody + outlook.other == pytest.approx(1)
            points = expect_points(choice.worth, sum(decision.state.walls))
            assert outlook.win * outlook.pay - outlook.other * outlook.cost == pytest.approx(points)
            assert outlook.cost == COST or outlook.win == 0
            checked += 1
    assert checked > 20
