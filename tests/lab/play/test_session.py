"""The games of a sitting: choices, undo, hints, the record, and what the browser is sent."""

import json
import os
import random
import shlex
import threading

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.play.game import PERSON, PersonGame
from mj_bot.lab.play.session import Session, StaleError
from mj_bot.lab.records.botzone_log import parse_log
from mj_bot.lab.records.source import read_games
from mj_bot.lab.table.referee import Referee
from mj_bot.mahjong.errors import IllegalActionError, UnknownTacticError
from tests.lab.play.games import OPPONENTS, choose_greedily, find_rich_seed, play_on


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "rule_based", str(tmp_path / "played"))


@pytest.fixture(scope="module")
def rich_seed(tmp_path_factory):
    return find_rich_seed(str(tmp_path_factory.mktemp("rich")))


def test_the_record_is_the_game_that_was_played(session, rich_seed):
    shown, played = play_on(session, session.begin(rich_seed, 1, False))
    with open(shown["saved"], encoding="utf-8") as file:
        record = parse_log(file.read())
    assert record.players == ["random:seed=3", PERSON, "random:seed=1", "random:seed=2"]
    referee = Referee(record.wall, record.prevalent_wind)
    for step in record.steps:
        assert referee.requests == step.requests
        referee.step([answer.response for answer in step.answers])
    assert referee.is_over and referee.scores == record.scores == shown["events"][-1]["scores"]
    answers = [step.answers[1].response for step in record.steps]
    chosen = iter(answers)
    assert all(text in chosen for text in played), "the choices stand in the record, in their order"
    game, = read_games(shown["saved"])
    assert len(game.transcripts) == 4


def test_the_command_that_is_shown_opens_the_record(session):
    shown, _ = play_on(session, session.begin(5, 2, False))
    python, module, name, *words = shlex.split(shown["review"])
    assert (os.path.exists(python), module, name) == (True, "-m", "mj_bot.lab")
    assert main(words) == 0
    with open(shown["saved"].replace(".json", ".html"), encoding="utf-8") as file:
        assert PERSON in file.read()


def test_games_are_saved_side_by_side(session):
    paths = [play_on(session, session.begin(seed, 0, False))[0]["saved"] for seed in (1, 2)]
    assert [os.path.basename(path) for path in paths] == ["game-1.json", "game-2.json"]


def test_a_record_that_cannot_be_saved_does_not_end_the_sitting(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    session = Session(OPPONENTS, "random", str(tmp_path / "file"))
    shown, _ = play_on(session, session.begin(1, 0, False))
    assert shown["saved"] is None and shown["review"] is None
    assert "expected room for the record" in capsys.readouterr().err


def test_nothing_of_the_others_is_shown_before_the_end(session, rich_seed):
    shown = session.begin(rich_seed, 1, True)
    while shown["legal"]:
        for frame in shown["frames"]:
            for seat, side in enumerate(frame["position"]["seats"]):
                assert seat == 1 or (side["hand"] is None and side["drawn"] in (None, True))
        for event in shown["events"]:
            assert event["kind"] != "DRAW" or event["seat"] == 1 or "tile" not in event
        shown = session.act(shown["sequence"], choose_greedily(shown["legal"]))
    assert all(side["hand"] for side in shown["frames"][-1]["position"]["seats"])


def strip(shown):
    return {key: value for key, value in shown.items() if key not in ("sequence", "frames", "can_undo")}


def test_undo_leads_back_to_each_state(session, rich_seed):
    shown = session.begin(rich_seed, 1, True)
    states = []
    while shown["legal"]:
        states.append((strip(shown), shown["frames"][-1]))
        shown = session.act(shown["sequence"], choose_greedily(shown["legal"]))
    for before, frame in reversed(states):
        shown = session.undo(shown["sequence"])
        assert strip(shown) == before
        assert shown["frames"] == [frame]
    assert not shown["can_undo"]
    with pytest.raises(IllegalActionError, match="to take back"):
        session.undo(shown["sequence"])


def test_a_game_may_take_another_way_after_undo(session):
    rng = random.Random(3)
    shown = session.begin(5, 2, True)
    for _ in range(60):
        if shown["can_undo"] and (not shown["legal"] or rng.random() < 0.3):
            shown = session.undo(shown["sequence"])
        else:
            shown = session.act(shown["sequence"], rng.choice(shown["legal"]))
    shown, _ = play_on(session, shown)
    with open(shown["saved"], encoding="utf-8") as file:
        record = parse_log(file.read())
    referee = Referee(record.wall, record.prevalent_wind)
    for step in record.steps:
        referee.step([answer.response for answer in step.answers])
    assert referee.scores == record.scores


def test_no_undo_outside_practice(session):
    shown, _ = play_on(session, session.begin(5, 2, False), most=2)
    assert not shown["can_undo"]
    with pytest.raises(IllegalActionError, match="practice"):
        session.undo(shown["sequence"])


def test_a_request_on_an_earlier_state_changes_nothing(session):
    first = session.begin(5, 0, True)
    text = first["legal"][0]
    shown = session.act(first["sequence"], text)
    for request in (lambda: session.act(first["sequence"], text), lambda: session.undo(first["sequence"]),
                    lambda: session.begin(1, 1, True, first["sequence"]), lambda: session.hint(first["sequence"])):
        with pytest.raises(StaleError):
            request()
    assert session.describe() == dict(shown, frames=shown["frames"][-1:])


def test_of_many_tabs_at_once_one_acts(session):
    first = session.begin(5, 0, True)
    outcomes = []

    def click():
        try:
            session.act(first["sequence"], first["legal"][0])
            outcomes.append("acted")
        except StaleError:
            outcomes.append("stale")

    tabs = [threading.Thread(target=click) for _ in range(8)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(outcomes) == ["acted"] + ["stale"] * 7
    assert session.describe()["sequence"] == first["sequence"] + 1


@pytest.mark.parametrize("text", ["PASS", "PLAY W0", "HU", "", "GANG", "play W1"])
def test_illegal_actions(session, text):
    shown = session.begin(5, 0, True)
    assert text not in shown["legal"]
    with pytest.raises(IllegalActionError, match="expected one of"):
        session.act(shown["sequence"], text)
    assert session.describe()["sequence"] == shown["sequence"]


def test_hints_are_of_this_choice(session):
    shown = session.begin(5, 0, True)
    for _ in range(6):
        hint = session.hint(shown["sequence"])
        assert hint["chosen"] in shown["legal"] and hint["adviser"] == "rule_based" and hint["unit"] == "tiles"
        assert hint["ranked"][0][0] == hint["chosen"]
        assert {text for text, _ in hint["ranked"]} <= set(shown["legal"])
        json.dumps(hint)
        shown = session.act(shown["sequence"], hint["chosen"])


def test_hints_see_what_loading_tells(monkeypatch):
    """A tactic that learns from the game so far has seen all of it when it is asked."""
    seen = []

    class Watcher:
        def loading(self, state, player_id, action):
            seen.append((player_id, action))

        def __call__(self, state):
            assert seen == state.history
            return state.action_space()[0]

    session = Session(OPPONENTS, "watcher", "unused")
    shown, _ = play_on(session, session.begin(5, 0, True), most=4)
    monkeypatch.setattr("mj_bot.lab.play.session.load_tactic", lambda spec: Watcher())
    assert session.hint(shown["sequence"])["chosen"] == shown["legal"][0]


def test_no_hint_at_the_end(session):
    shown, _ = play_on(session, session.begin(1, 0, False))
    assert session.hint(shown["sequence"]) is None


def test_unknown_players():
    with pytest.raises(UnknownTacticError):
        PersonGame(1, 0, ["random", "randon", "random"])


def test_an_opponent_that_crashes_ends_the_game(session, monkeypatch, capsys):
    shown = session.begin(5, 0, True)
    monkeypatch.setattr("mj_bot.tactic.rand.RandomTactic.__call__", lambda self, state: 1 / 0)
    shown = session.act(shown["sequence"], shown["legal"][0])
    assert shown["events"][-1]["verdict"] == "RE" and shown["saved"]
    assert session.undo(shown["sequence"])["legal"]
