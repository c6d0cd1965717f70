"""Matches that the library keeps: a new server goes on where the one before was, even after a kill."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from mj_bot.lab.guangdong.seat import GuangdongGame
from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.play.session import Session
from mj_bot.mahjong.errors import IllegalActionError
from tests.lab.play.games import OPPONENTS, RICH_SEED, choose_greedily, play_on, stack_one_wall
from tests.lab.review.games import parse_data

# Plays on without an end, and tells each state that it has answered with.
PLAY = """
import json, sys
from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.play.session import Session
from tests.lab.play.games import OPPONENTS, choose_greedily
GameKeeper.review_waiting = lambda keeper: None
session = Session(OPPONENTS, "random", sys.argv[1])
session.keeper = session.past.keeper = GameKeeper("play")
shown = session.begin(5, 0, False, games=16, rules="tziakcha")
while True:
    print(json.dumps([shown["match"]["id"], shown["match"]["rows"], shown["events"]]), flush=True)
    legal = shown["legal"]
    shown = session.act(shown["sequence"], choose_greedily(legal)) if legal else session.go_on(shown["sequence"])
"""


@pytest.fixture(autouse=True)
def library(monkeypatch, tmp_path):
    """A library of its own, whose games nobody reviews."""
    monkeypatch.setenv("MJ_BOT_LIBRARY", str(tmp_path / "library.sqlite"))
    monkeypatch.setattr(GameKeeper, "review_waiting", lambda keeper: None)


def make_session(tmp_path, opponents=OPPONENTS, adviser="", **options):
    """A session as that of a new server; without an adviser its pages come at once."""
    session = Session(opponents, adviser, str(tmp_path / "played"), **options)
    session.keeper = session.past.keeper = GameKeeper("play")
    return session


def restart(session, tmp_path):
    """The session of another server, in which the match goes on."""
    other = make_session(tmp_path, session._opponents, session.adviser, game=session.table_game)
    row, = other.list_kept()
    assert row["number"] == session.describe()["match"]["number"]
    other.continue_match(None, row["id"])
    return other


def strip(shown):
    """What the two sessions have in common. Frames of earlier events are shown once."""
    return json.loads(json.dumps({key: value for key, value in shown.items() if key not in ("sequence", "table")}))


def test_a_match_goes_on_at_each_state(tmp_path):
    """Scores and standard points were lost with the server. All that a page shows is as before, and so is undo."""
    session = make_session(tmp_path)
    shown = session.begin(RICH_SEED, 1, True, games=2, rules="tziakcha")
    for count in range(200):
        if count % 8 == 0 or not shown["legal"]:
            session = restart(session, tmp_path)
            assert strip(session.describe()) == strip(dict(shown, frames=shown["frames"][-1:]))
            assert session.describe()["sequence"] > shown["sequence"]
            shown = session.describe()
        if count == 24:
            before = shown
            session = restart(session, tmp_path)
            for _ in range(3):
                shown = session.undo(session.describe()["sequence"])
            assert shown["events"] == before["events"][:len(shown["events"])] != before["events"]
        if shown["legal"]:
            shown = session.act(shown["sequence"], choose_greedily(shown["legal"]))
        elif shown["match"]["number"] == 1:
            shown = session.go_on(shown["sequence"])
        else:
            break
        if shown["match"]["number"] == 2 and not shown["legal"]:
            break
    assert len(shown["match"]["rows"]) == 2 and session.list_kept() == []
    assert make_session(tmp_path).list_kept() == [], "a match that is over goes"
    name = "match-" + shown["match"]["id"]
    assert {row["match"] for row in session.past.list_own()} == {name}
    assert parse_data(session.past.review(name))["games"][1]["link"] == name + "-2"


def test_a_match_by_the_rules_of_botzone_has_a_page(tmp_path):
    """Its games stood alone in the list, while the hands of a match on one wall had a page together."""
    session = make_session(tmp_path)
    shown = play_on(session, session.begin(5, 1, False, games=2))[0]
    shown = play_on(session, session.go_on(shown["sequence"]))[0]
    data = parse_data(session.past.review("match-" + shown["match"]["id"]))
    assert [game["scores"] for game in data["games"]] == [
        [row[(4 - 1 + seat) % 4] for seat in range(4)] for row in shown["match"]["rows"]]
    assert data["sessions"][0]["names"][0] == "person" and len(data["sessions"][0]["games"]) == 2


def test_a_kill_loses_one_move_at_most(tmp_path):
    command = [sys.executable, "-c", PLAY, str(tmp_path / "played")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process.stdout:
        for line in process.stdout:
            told = json.loads(line)
            if len(told[1]) == 1 and 30 < len(told[2]) and told[2][-1]["kind"] != "END":
                os.kill(process.pid, signal.SIGKILL)
                told = json.loads((process.stdout.read().splitlines() or [line])[-1])
                break
    process.wait()
    session = make_session(tmp_path)
    shown = session.continue_match(None, told[0])
    assert shown["match"]["rows"][:len(told[1])] == told[1]
    assert len(shown["match"]["rows"]) > len(told[1]) or shown["events"][:len(told[2])] == told[2]
    assert play_on(session, shown)[0]["match"]["number"] >= 2


def test_a_false_win_and_the_stops_of_the_coach_are_kept(tmp_path, monkeypatch):
    wall = stack_one_wall("W2 W3 W4 T5 T6 T7 B7 B8 B9 F3 F3 B1 B1", "F3")
    monkeypatch.setattr("mj_bot.lab.play.person_game.wall_from_seed", lambda seed: wall)
    session = make_session(tmp_path)
    shown = session.begin(1, 0, True, rules="tziakcha", counts_fans=True)
    session._coach.stops = [{"sequence": 1, "text": "HU", "loss": 3.0, "is_kept": True}]
    shown = session.act(shown["sequence"], "HU")
    for _ in range(2):
        session = restart(session, tmp_path)
        assert (session.describe()["false_wins"], session.describe()["coach"]["kept"]) == (1, 1)
        assert "HU" not in session.describe()["legal"]
    shown = session.act(session.describe()["sequence"], shown["legal"][0])
    session = restart(session, tmp_path)
    assert session.describe()["false_wins"] == 1
    assert session.undo(session.describe()["sequence"])["false_wins"] == 0


def test_a_game_that_is_played_on_from_a_record_is_kept(tmp_path):
    session = make_session(tmp_path)
    play_on(session, session.begin(5, 2, False))
    shown = session.resume(None, "game-1", 30)
    assert strip(restart(session, tmp_path).describe()) == strip(dict(shown, frames=shown["frames"][-1:]))


def test_each_game_has_its_own_rules(tmp_path):
    """Matches of Guangdong are kept too, and each session lists those of its rules."""
    session = make_session(tmp_path, ["shanten"] * 3, "shanten", game=GuangdongGame())
    shown = session.begin(3, 0, True, games=2)
    for _ in range(5):
        shown = session.act(shown["sequence"], shown["legal"][-1])
    assert make_session(tmp_path).list_kept() == []
    with pytest.raises(IllegalActionError, match="another one: expected rules, one of botzone"):
        make_session(tmp_path).continue_match(None, shown["match"]["id"])
    other = restart(session, tmp_path)
    assert strip(other.describe()) == strip(dict(shown, frames=shown["frames"][-1:]))
    other.begin(4, 0, True)
    assert [row["id"] for row in other.list_kept()] == [shown["match"]["id"]]
    other.forget_match(shown["match"]["id"])
    assert other.list_kept() == []


def test_a_match_of_another_version_is_told(tmp_path):
    """One hid the list of all past games, and replaced the match on the table by half of itself.

    A library of somebody else's could run any command, as an opponent of a match that goes on.
    """
    session = make_session(tmp_path)
    shown = session.begin(5, 0, True)
    _, kept = session.keeper.library.list_matches()[shown["match"]["id"]]
    odd = [{"match": {"rules": "botzone", "odd": 1}}, {"match": {}}, dict(kept, match=None), dict(kept, stops=[{}]),
           dict(kept, sequence="1"), dict(kept, seat=-1), dict(kept, order=[0] * 4),
           *[dict(kept, match=dict(kept["match"], **{key: value})) for key, value in (
               ("scores", [["a"]]), ("games", "2"), ("opponents", ["json:touch %s/run" % tmp_path] * 3))],
           *[{other: kept[other] for other in kept if other != key} for key in kept if key != "is_over"]]
    session.keeper.keep_match("a", dict(kept))
    for content in odd:
        session.keeper.keep_match("odd", content)
        with pytest.raises(IllegalActionError, match="expected a match of this version"):
            session.continue_match(None, "odd")
        assert session.describe(True) == shown and "a" in [row["id"] for row in session.list_kept()]
    with session.keeper.library.open(is_change=True) as db:
        db.execute("UPDATE matches SET content = x'00' WHERE name = 'odd'")
    assert [row["id"] for row in session.list_kept()] == ["a"] and not (tmp_path / "run").exists()
    assert session.act(shown["sequence"], shown["legal"][0])["legal"]


def test_without_a_library_nothing_is_kept(tmp_path):
    session = Session(OPPONENTS, "random", str(tmp_path / "played"))
    shown = session.begin(5, 0, True)
    assert not shown["match"]["is_kept"] and session.list_kept() == []
    assert not pathlib.Path(os.environ["MJ_BOT_LIBRARY"]).exists()


def test_what_no_library_can_keep_holds_up_nothing(tmp_path, capsys):
    """A name that is no text stayed the first of what was pending, so nothing was kept after it."""
    session = make_session(tmp_path)
    shown = session.begin(1, 0, True)
    session.forget_match("\ud800")
    assert "expected a text in UTF-8" in capsys.readouterr().err
    session.keeper._keep("number", lambda library: library.keep_match("late", {}, 2 ** 70))
    assert "a number of at most 63 bits" in capsys.readouterr().err
    shown = session.act(shown["sequence"], shown["legal"][0])
    assert not shown["has_unkept"] and not session.keeper._pending
    assert restart(session, tmp_path).describe()["events"] == shown["events"]
