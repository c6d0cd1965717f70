"""The batch form of rule_based chooses what the tactic chooses."""

import pytest

from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.batch import load_chooser, rule_based
from mj_bot.lab.batch.rule_based import RuleBasedBatch
from mj_bot.observation import fan_memo
from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.observation.layout import CLAIM, FOLLOW, PLACES, TURN
from mj_bot.tactic.rule_based import RuleBasedTactic
from tests.golden_decisions import list_golden_decisions


@pytest.fixture(scope="module")
def decisions():
    return list_golden_decisions(RuleBasedTactic(), 23, 400)


class TestSameChoices:
    def test_on_golden_games(self, decisions):
        observations, masks, expected = decisions
        assert set(observations[:, PLACES["task"][0]].tolist()) >= {TURN, FOLLOW, CLAIM}
        assert RuleBasedBatch()(observations, masks).tolist() == expected.tolist()

    @pytest.mark.slow
    def test_on_all_golden_games(self):
        observations, masks, expected = list_golden_decisions(RuleBasedTactic(), 1, 10 ** 9)
        assert RuleBasedBatch()(observations, masks).tolist() == expected.tolist()

    def test_in_whole_games(self):
        compare_runners("random", 1)

    @pytest.mark.slow
    @pytest.mark.parametrize("other", ["random", "search"])
    def test_in_many_whole_games(self, other):
        compare_runners(other, 50)


def compare_runners(other, wall_count):
    """Games by the referee with the tactic end as those by the engine with the batch form."""
    match = make_match(["rule_based", other], seed=7, rotations=4)
    by_referee, by_engine = (
        [[dict(tally.as_dict(), times=None) for tally in tallies]
         for tallies in runner.play_walls(match, 0, wall_count)]
        for runner in (table, engine_runner))
    assert by_referee == by_engine


def test_little_room_for_answers(decisions, monkeypatch):
    """Few keys noted at a time, and answers forgotten while others are still to come."""
    observations, masks, expected = (column[:100] for column in decisions)
    plenty = RuleBasedBatch()
    plenty(observations, masks)
    monkeypatch.setattr(fan_memo, "MOST_NOTED", 8)
    monkeypatch.setattr(rule_based, "_FANS_KEPT", 128)
    sparing = RuleBasedBatch()
    assert sparing(observations, masks).tolist() == expected.tolist()
    assert sparing._fans.asked_count > plenty._fans.asked_count > 0


def test_unknown_option():
    with pytest.raises(UnknownTacticError, match="options that 'rule_based' takes"):
        load_chooser("rule_based:depth=3")
