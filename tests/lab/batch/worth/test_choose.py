"""The batch form of search chooses what the tactic chooses."""

import pytest

from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.batch import load_batch
from mj_bot.lab.batch.worth import choose, waits
from mj_bot.lab.batch.worth.choose import Chooser
from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.observation.layout import CLAIM, FOLLOW, PLACES, TURN
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth.parameters import PARAMETERS
from tests.golden_decisions import list_golden_decisions

OTHERS = dict(sharpness=1.4, ready=0.5, chow_claims=0.7, least_chance=1e-4)


@pytest.fixture(scope="module")
def decisions():
    return list_golden_decisions(SearchTactic(), 23, 400)


class TestSameChoices:
    def test_on_golden_games(self, decisions):
        observations, masks, expected = decisions
        assert set(observations[:, PLACES["task"][0]].tolist()) >= {TURN, FOLLOW, CLAIM}
        assert Chooser(PARAMETERS).choose(observations, masks).tolist() == expected.tolist()

    @pytest.mark.parametrize("options", [OTHERS, dict(fans=0, claims_by_value=0)], ids=["others", "parts left out"])
    def test_with_other_parameters(self, options):
        observations, masks, expected = list_golden_decisions(SearchTactic(**options), 37, 150)
        chosen = load_batch("search:%s" % ",".join("%s=%s" % option for option in options.items()))(
            observations, masks, None, None)
        assert chosen.tolist() == expected.tolist()

    def test_without_the_next_draw(self, decisions):
        """They change what is chosen, in both forms the same way."""
        observations, masks, expected = list_golden_decisions(SearchTactic(next_draws=0), 23, 400)
        assert load_batch("search:next_draw=0")(observations, masks, None, None).tolist() == expected.tolist()
        assert (observations == decisions[0]).all() and 1 <= (expected != decisions[2]).sum() < 20

    def test_without_what_is_seen(self):
        """The discard after a claim is chosen anew, when the claimed tile is no longer held."""
        observations, masks, expected = list_golden_decisions(SearchTactic(unseen=0), 37, 150)
        rows = observations[:, PLACES["task"][0]] != FOLLOW
        chosen = load_batch("search:unseen=0")(observations, masks, None, None)
        assert chosen[rows].tolist() == expected[rows].tolist()
        assert chosen.tolist() != load_batch("search")(observations, masks, None, None).tolist()

    @pytest.mark.slow
    def test_on_all_chosen_golden_games(self):
        observations, masks, expected = list_golden_decisions(SearchTactic(), 1, 10 ** 9)
        assert Chooser(PARAMETERS).choose(observations, masks).tolist() == expected.tolist()

    @pytest.mark.slow
    def test_in_whole_games(self):
        """By the referee with the tactic and by the engine with the batch form."""
        match = make_match(["search", "random"], seed=7, rotations=4)
        by_referee, by_engine = (
            [[dict(tally.as_dict(), times=None) for tally in tallies] for tallies in runner.play_walls(match, 0, 4)]
            for runner in (table, engine_runner))
        assert by_referee == by_engine


def test_little_room_for_answers(decisions, monkeypatch):
    """Keys noted one at a time, and answers forgotten while others are still to come."""
    observations, masks, _ = decisions
    plenty = Chooser(PARAMETERS)
    expected = plenty.choose(observations, masks).tolist()
    assert plenty.choose(observations, masks).tolist() == expected
    monkeypatch.setattr(waits, "MOST_NOTED", 1)
    monkeypatch.setattr(choose, "_MEMO_SIZE", 256)
    sparing = Chooser(PARAMETERS)
    assert sparing.choose(observations, masks).tolist() == expected
    assert sparing.asked_count > plenty.asked_count > 0


def test_unknown_option():
    with pytest.raises(UnknownTacticError, match="parameters out of horizon .* got depth"):
        load_batch("search:depth=3")
