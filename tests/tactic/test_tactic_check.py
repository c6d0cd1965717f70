"""What is checked of a tactic's answers before a match and before an upload."""

import re

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.table.players import REPORTED
from mj_bot.lab.table.tactic_check import compare_answers, try_player, try_tactic
from mj_bot.lab.upload.pythons import PYTHON36_LIBRARIES, describe_python, find_python36
from mj_bot.lab.upload.pyz import HandinError, build
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


OWN = """
from mj_bot.tactic.rand import RandomTactic
kept = []
class OwnTactic(RandomTactic):
    def decide(self, state, actions):
        %s
        return super(OwnTactic, self).decide(state, actions)
"""


def check_own(tmp_path, line, before=""):
    """Exit code of `check` for a tactic in a file: RandomTactic with a line before each decision."""
    (tmp_path / "checked.py").write_text(before + OWN % line)
    return main(["check", str(tmp_path / "checked.py")])


class TestCommand:
    def test_a_right_tactic(self, capsys):
        assert main(["check", "random"]) == 0
        said = capsys.readouterr().out
        assert re.search("upload      [0-9]{5,} bytes", said) and "matches     on the engine" in said

    def test_an_outside_bot(self, capsys):
        """It was told that no tactic has this name."""
        assert main(["check", "json:./bot"]) == 2
        assert "`mj-bot referee` plays a game with it" in capsys.readouterr().err

    @pytest.mark.parametrize("line, before, told", [
        ("pass", "import torch", "No module named 'torch' .*; Botzone has numpy and MahjongGB and no other package"),
        ("pass", "def own(counts: list[int]): pass", r"expected Python 3.6, got list\[...\] \(line 1 of checked.py\)"),
        ("kept.append(bytearray(60 << 20))", "", "expected at most 256 MB of memory|MemoryError"),
        ("kept.append(open(__file__))", "", "Too many open files|NotADirectoryError"),
        ("self.ranked = [(actions[0], float('nan'))]", "", "expected finite numbers in ranked"),
    ])
    def test_what_handin_refuses_is_refused(self, tmp_path, capsys, line, before, told):
        """All but the last passed without a Python 3.6: 8,257 MB of memory, and torch where it is installed."""
        assert check_own(tmp_path, line, before) == 2
        assert re.search("check: .*(%s)" % told, capsys.readouterr().err)

    def test_a_thread_that_is_left_behind(self, tmp_path, capsys):
        """It was refused as if the file did not end, although the file ends by itself."""
        start = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=%s).start()"
        assert check_own(tmp_path, "pass", start % "'.pyz' not in __file__") == 0


@pytest.fixture(scope="module")
def python():
    path = find_python36()
    if not path or not describe_python(path, PYTHON36_LIBRARIES):
        pytest.skip("no Python 3.6 with the libraries of the bot: `check` is not tested there")
    return describe_python(path, PYTHON36_LIBRARIES)


class TestTheFile:
    """The answers in the file, on Python 3.6 where there is one."""

    def test_the_same_answers(self, python, tmp_path):
        (tmp_path / "bot.pyz").write_bytes(build("random"))
        seconds, peak = compare_answers(str(tmp_path / "bot.pyz"), "random", *try_tactic("random"), python=python)
        assert len(seconds) > 10 and 10 < peak < 200

    def test_other_answers(self, python, tmp_path):
        (tmp_path / "bot.pyz").write_bytes(build("random:seed=1"))
        with pytest.raises(HandinError, match="expected the same answer on Python 3.6.*, got "):
            compare_answers(str(tmp_path / "bot.pyz"), "random", *try_tactic("random"), python=python)
