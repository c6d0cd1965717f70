"""What is checked of a tactic's answers before a match and before an upload."""

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.table import tactic_check
from mj_bot.lab.table.players import REPORTED
from mj_bot.lab.table.tactic_check import compare_python36, find_python36, try_player, try_tactic
from mj_bot.mahjong.errors import TacticError
from mj_bot.tactic import TACTICS
from mj_bot.tactic.base import Evaluation, Tactic
from mj_bot.tactic.rand import RandomTactic



class First(RandomTactic):
    """Takes a fixed action of each position; subclasses break one rule each."""

    def decide(self, game_state, actions):
        self.ranked = [(action, -float(rank)) for rank, action in enumerate(actions)]
        return actions[0]


class NotFirst(First):
    def decide(self, game_state, actions):
        super().decide(game_state, actions)
        return actions[1]


class Rising(First):
    def decide(self, game_state, actions):
        chosen = super().decide(game_state, actions)
        self.ranked = [(action, float(rank)) for rank, action in enumerate(actions)]
        return chosen


class Talking(First):
    def decide(self, game_state, actions):
        self.reasons = "x" * 1000
        return actions[0]


class NotANumber(First):
    def decide(self, game_state, actions):
        self.ranked = [(actions[0], float("nan"))]
        return actions[0]


class NaNPoints(Tactic):
    def evaluate(self, observations, masks):
        return Evaluation(np.full(masks.shape, np.nan))


class Alternating(Tactic):
    """Takes the first and the last action by turns."""

    count = 0

    def choose(self, observations, masks):
        self.count += 1
        return masks.argmax(1) if self.count % 2 else 234 - masks[:, ::-1].argmax(1)


class Drawing(Alternating):
    is_repeatable = False


class TwoWays(Tactic):
    """Answers otherwise where it is asked about one row alone."""

    def choose(self, observations, masks):
        return masks.argmax(1) if self.ranked == () else 234 - masks[:, ::-1].argmax(1)

    def evaluate(self, observations, masks):
        return Evaluation(np.zeros(masks.shape))

    def explain(self, game_state, questions, evaluation):
        self.ranked = ()


@pytest.fixture
def seat(monkeypatch):
    def register(kind):
        monkeypatch.setitem(TACTICS, "own", "%s:%s" % (__name__, kind.__name__))
        REPORTED.clear()
        return "own"
    return register


@pytest.mark.parametrize("kind, told", [
    (NotFirst, "expected ranked to begin with the chosen action"), (Rising, "expected falling values in ranked after"),
    (Talking, "expected reasons of at most 900 bytes, got 1000"), (NotANumber, "expected finite numbers in ranked"),
    (NaNPoints, "expected finite points of legal actions, got nan"),
    (Alternating, "expected the same answer to the same position"),
    (TwoWays, "expected the same action by choose and by __call__"), (First, ""), (Drawing, ""), (RandomTactic, ""),
])
def test_wrong_answers_are_refused_before_a_match(seat, kind, told):
    """A tactic whose values were NaN, or whose choose was another player, was played and handed in."""
    if not told:
        return try_player(seat(kind))
    with pytest.raises(TacticError) as raised:
        try_player(seat(kind))
    assert told in str(raised.value)


@pytest.mark.parametrize("kind, told", [(NotANumber, "expected finite numbers in ranked, got nan"),
                                        (NaNPoints, "expected finite points of legal actions, got nan")])
def test_values_that_are_no_numbers_are_reported_at_the_table(seat, capsys, kind, told):
    assert main(["referee", seat(kind), "random", "random", "random", "--board", "none"]) == 1
    assert "own: RE, " in capsys.readouterr().err


def test_an_outside_bot_is_not_checked():
    assert try_player("json:./bot") is None


class TestCommand:
    def test_a_right_tactic(self, monkeypatch, capsys):
        monkeypatch.setattr(tactic_check, "find_python36", lambda: None)
        assert main(["check", "random"]) == 0
        said = capsys.readouterr()
        assert "answers " in said.out and "matches     on the engine" in said.out
        assert "expected a Python 3.6" in said.err

    def test_a_wrong_tactic(self, seat, capsys):
        assert main(["check", seat(Alternating)]) == 2
        assert "check: own: RE, expected the same answer to the same position" in capsys.readouterr().err

    def test_by_the_referee(self, seat, monkeypatch, capsys):
        monkeypatch.setattr(tactic_check, "find_python36", lambda: None)
        assert main(["check", seat(First)]) == 0
        assert "matches     by the referee: it replaces decide" in capsys.readouterr().out


@pytest.fixture(scope="module")
def python():
    path = find_python36()
    if not path:
        pytest.skip("no Python 3.6 with the libraries of the bot: `check` is not tested there")
    return path


class TestPython36:
    def test_the_same_answers(self, python):
        assert len(compare_python36(python, "random", try_tactic("random"))) > 5

    def test_other_answers(self, python):
        trial = try_tactic("random")
        with pytest.raises(TacticError, match="expected the same answer on Python 3.6, got "):
            compare_python36(python, "random:seed=1", trial)

    def test_what_fails_there(self, python):
        with pytest.raises(TacticError, match="expected Python 3.6 to play it too: .*3x4"):
            compare_python36(python, "random:weights=3x4", try_tactic("random"))
