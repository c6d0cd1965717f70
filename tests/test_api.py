"""mj_bot.api and docs/api.md: what the page shows works, and untrusted input raises errors of the project alone."""

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from mj_bot import api

REPOSITORY = Path(__file__).parents[1]


def test_the_page_shows_what_happens():
    failed, count = doctest.testfile(str(REPOSITORY / "docs" / "api.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert failed == 0 and count > 40


def test_the_page_names_what_is_public():
    page = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    results = {"Decision", "Fan", "FanCount", "Interval", "MatchResult", "Opinion", "Outlook", "PlayerResult"}
    assert {name for name in api.__all__ if name not in page} <= results
    assert all(hasattr(api, name) for name in api.__all__) and len(set(api.__all__)) == len(api.__all__)


class Lowest(api.Tactic):
    def choose(self, observations, masks):
        return masks.argmax(1)


class First(api.Tactic):
    def decide(self, state, actions):
        return actions[0]


def test_objects_and_texts_are_players_everywhere():
    """A match and sampled worlds took texts alone, and a match of an object ended with an AttributeError."""
    pytest.importorskip("numba", reason="no numba: the engine plays too slowly")
    match = api.play_match([Lowest(), Lowest(), First(), "random"], walls=1, rotations=4)
    assert [player.name for player in match.players] == ["Lowest", "Lowest_2", "First", "random"]
    differences = api.play_match(["rule_based", Lowest()], walls=1, rotations=4).differences
    assert list(differences) == [("rule_based", "Lowest")]
    with pytest.raises(api.MahjongError, match="workers=1 with the tactic First"):
        api.play_match([First(), "random"], walls=1, workers=2)
    state = api.state_from_requests(["0 0 2", "1 0 0 0 0 W1 W1 W1 W2 W3 W4 T5 T6 T7 B8 B8 F1 F2", "2 F1"])
    worlds = api.sample_worlds(state, 3, judge=api.load_tactic("search"))
    assert (worlds.play([Lowest()] + ["rule_based"] * 3) == worlds.play([Lowest(), *["rule_based"] * 3])).all()
    assert api.think("rule_based", state).action == api.think(api.load_tactic("rule_based"), state).action
    with pytest.raises(api.MahjongError, match="expected a GameState, got None"):
        api.think("rule_based", None)


def test_a_state_is_that_of_its_decision():
    """state() copied the states of all decisions to return one."""
    game = api.play_game(["rule_based"] * 4, seed=3)
    for decision in game.decisions():
        assert repr(game.state(decision.seat, decision.decision_index)) == repr(decision.state)
    assert repr(game.state(0, -1)) == repr(list(game.decisions(0))[-1].state)
    with pytest.raises(api.ProtocolError, match="of seat 0, got 99"):
        game.state(0, 99)
    for seat in (9, -1, "1", 1.0):  # an IndexError or TypeError came from the depth of the review
        with pytest.raises(api.MahjongError, match="seat=None or 0..3, got %r" % seat):
            api.review(game, "", seat)


def test_why_workers_cannot_start():
    """The error said that a worker died, and no more."""
    source = "from mj_bot import api\napi.play_match(['random', 'rule_based'], walls=1, rotations=4, workers=2)\n"
    done = subprocess.run([sys.executable], input=source, capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=str(REPOSITORY)))
    assert "one died: other processes cannot import a script from stdin" in done.stderr.splitlines()[-1]


def test_the_reference_has_every_name(tmp_path, monkeypatch, capsys):
    """`make docs` writes it, with the fields of results by their comments."""
    pytest.importorskip("pdoc", reason="no pdoc: `make docs` installs it")
    monkeypatch.setattr(sys, "argv", ["make_reference.py", str(tmp_path)])
    runpy.run_path(str(REPOSITORY / "docs" / "make_reference.py"), run_name="__main__")
    page = Path(capsys.readouterr().out.strip()).read_text(encoding="utf-8")
    assert all('id="%s"' % name in page for name in api.__all__)
    assert "0..3, 0 is east" in page and "<strong>rotations</strong>: seatings per wall" in page


@pytest.mark.parametrize("words, told", [
    (["agreement.py", "game.txt", "rule_based"], r"PLAY    +\d+ of \d+"),
    (["mistakes.py", "game.txt", "games.txt"], r"seat \d: .* cost \d"),
    (["match.py", "rule_based", "random", "1"], r"rule_based +[+-]\d"),
])
def test_the_scripts_run(words, told, tmp_path, monkeypatch, capsys):
    """examples/api; the game of this seed is short."""
    pytest.importorskip("numba", reason="no numba: the engine plays too slowly")
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(api.play_game(["random"] + ["rule_based"] * 3, seed=8).format("official"))
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(REPOSITORY / "examples" / "api" / words[0]), run_name="__main__")
    assert re.search(told, capsys.readouterr().out)
