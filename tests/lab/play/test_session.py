"""The games of a sitting: choices, undo, hints, the record, and what the browser is sent."""

import json
import os
import pathlib
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from mj_bot.lab.library.game_content import read_session
from mj_bot.lab.play import past
from mj_bot.lab.play.seated_match import PERSON
from mj_bot.lab.play.past import OpenError
from mj_bot.lab.play.session import Session, StaleError
from mj_bot.lab.records.platforms.hands import SESSION_SEATINGS
from mj_bot.lab.records.source import ReadLimits, read_games
from mj_bot.lab.review import JUDGES
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.review.facts import Facts
from mj_bot.lab.table.players import TacticPlayer, make_tactic_player
from mj_bot.lab.table.game_referee import Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.action import parse_action
from mj_bot.mahjong.errors import IllegalActionError
from tests.golden_games import REAL, SAMPLES
from tests.lab.records.platforms.test_tziakcha import load_made
from tests.lab.play.games import OPPONENTS, RICH_SEED, choose_greedily, play_on, read_saved, stack_one_wall
from tests.lab.review.games import parse_data


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "rule_based", str(tmp_path / "played"))


def check_record(shown):
    """The Record of a game that is over: its answers lead the referee to its requests and scores."""
    record = read_saved(shown)
    referee = Referee(record.wall, record.prevalent_wind)
    for step in record.steps:
        assert referee.requests == step.requests
        referee.step([answer.response for answer in step.answers])
    assert referee.is_over and referee.scores == record.scores == shown["events"][-1]["scores"]
    return record


def test_the_record_is_the_game_that_was_played(session):
    shown, played = play_on(session, session.begin(RICH_SEED, 1, False))
    record = check_record(shown)
    kinds = {parse_action(text)[:1] + (len(text.split(" ")),) for text in played}
    assert {("CHI", 3), ("PENG", 2), ("GANG", 1)} <= kinds and kinds & {("GANG", 2), ("BUGANG", 2)}
    assert record.players == ["random:seed=3", PERSON, "random:seed=1", "random:seed=2"]
    answers = [step.answers[1].response for step in record.steps]
    chosen = iter(answers)
    assert all(text in chosen for text in played), "the record has the choices in their order"
    game, = read_games(shown["saved"])
    assert len(game.transcripts) == 4
    assert not shown["can_undo"] and session.hint(shown["sequence"]) is None
    with pytest.raises(IllegalActionError, match="practice"):
        session.undo(shown["sequence"])


def test_a_record_that_cannot_be_saved_does_not_end_the_sitting(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    session = Session(OPPONENTS, "random", str(tmp_path / "file"))
    shown, _ = play_on(session, session.begin(1, 0, False))
    assert shown["saved"] is None
    assert "expected a folder, got" in capsys.readouterr().err


def test_nothing_of_the_others_and_of_the_seed_is_shown_before_the_end(session):
    """The wall follows from the seed. Nothing that is sent has the number in it."""
    seed = 0x1234567890abcdef
    shown = session.begin(seed, 1, True)
    while shown["legal"]:
        text = json.dumps([shown, session.past.list_own()])
        assert shown["seed"] is None and str(seed) not in text and "%x" % seed not in text
        for frame in shown["frames"]:
            for seat, side in enumerate(frame["position"]["seats"]):
                assert seat == 1 or (side["hand"] is None and side["drawn"] in (None, True))
        for event in shown["events"]:
            assert event["kind"] != "DRAW" or event["seat"] == 1 or "tile" not in event
        shown = session.act(shown["sequence"], choose_greedily(shown["legal"]))
    assert all(side["hand"] for side in shown["frames"][-1]["position"]["seats"])
    assert shown["seed"] == str(seed) not in shown["saved"]
    assert session.undo(shown["sequence"])["seed"] is None


def strip(shown):
    return {key: value for key, value in shown.items() if key not in ("sequence", "frames", "can_undo")}


def test_undo_leads_back_to_each_state(session):
    shown = session.begin(RICH_SEED, 1, True)
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
    check_record(play_on(session, shown)[0])


def test_a_request_on_an_earlier_state_changes_nothing(session):
    first = session.begin(5, 0, True)
    text = first["legal"][0]
    shown = session.act(first["sequence"], text)
    for request in (lambda: session.act(first["sequence"], text), lambda: session.undo(first["sequence"]),
                    lambda: session.begin(1, 1, True, sequence=first["sequence"]),
                    lambda: session.hint(first["sequence"])):
        with pytest.raises(StaleError):
            request()
    assert session.describe() == dict(shown, frames=shown["frames"][-1:])


def test_of_many_tabs_at_once_one_acts(session):
    first = session.begin(5, 0, True)

    def click(tab):
        try:
            session.act(first["sequence"], first["legal"][0])
            return "acted"
        except StaleError:
            return "stale"

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(click, range(8))) == ["acted"] + ["stale"] * 7
    assert session.describe()["sequence"] == first["sequence"] + 1


def test_hints_see_what_loading_tells(monkeypatch):
    """A tactic that learns from the game so far has seen all of it when it is asked."""
    seen = []

    class Watcher:
        def loading(self, state, player_id, action):
            assert state.last_action == (player_id, action)
            seen.append((player_id, action))

        def __call__(self, state):
            assert seen == state.history
            return state.action_space()[0]

    session = Session(OPPONENTS, "watcher", "unused")
    shown, _ = play_on(session, session.begin(5, 0, True), most=4)
    monkeypatch.setattr("mj_bot.lab.play.person_game.make_judges", lambda spec, limit: [TacticPlayer(Watcher(), spec)])
    assert session.hint(shown["sequence"])["chosen"] == shown["legal"][0]


def test_waits_are_told_of_each_choice_that_makes_the_hand_ready(session):
    """And of no other."""
    shown = session.begin(3, 0, True)
    while not shown["waits"]:
        shown = session.act(shown["sequence"], session.hint(shown["sequence"])["chosen"])
    facts = Facts(session._game.state)
    for text in shown["legal"]:
        leads = facts.describe(parse_action(text))
        assert (leads["shanten"] == 0) == (text in shown["waits"])
        wins = [[name, copies, fan or drawn, fan is None] for name, copies, fan, drawn in leads["wins"]]
        assert shown["waits"].get(text, wins) == wins


def test_an_opponent_that_crashes_ends_the_game(session, monkeypatch, capsys):
    shown = session.begin(5, 0, True)
    monkeypatch.setattr("mj_bot.tactic.rand.RandomTactic.__call__", lambda self, state: 1 / 0)
    shown = session.act(shown["sequence"], shown["legal"][0])
    assert shown["events"][-1]["verdict"] == "RE" and shown["saved"]
    assert session.undo(shown["sequence"])["legal"]


def sum_rows(shown):
    return [sum(scores) for scores in zip(*shown["match"]["rows"])] or [0] * 4


class TestMatch:
    def test_scores_add_up_by_player_while_seats_change(self, session):
        shown = session.begin(7, None, False, games=3, opponents=OPPONENTS)
        totals, seats = [0] * 4, []
        with pytest.raises(IllegalActionError, match="is over"):
            session.go_on(shown["sequence"])
        for number in (1, 2, 3):
            assert (shown["match"]["number"], shown["match"]["games"]) == (number, 3)
            assert sum_rows(shown) == totals
            shown, _ = play_on(session, shown)
            seat, scores = shown["seat"], shown["events"][-1]["scores"]
            seats.append(seat)
            totals = [total + scores[(seat + place) % 4] for place, total in enumerate(totals)]
            assert sum_rows(shown) == totals and shown["seed"] == str(6 + number)
            if number < 3:
                shown = session.go_on(shown["sequence"])
        assert [(seat - seats[0]) % 4 for seat in seats] == [0, 1, 2]
        with pytest.raises(IllegalActionError, match="another to come"):
            session.go_on(shown["sequence"])

    def test_a_game_taken_back_does_not_count(self, session):
        shown, _ = play_on(session, session.begin(7, 0, True, games=2))
        assert session.undo(shown["sequence"])["match"]["rows"] == []
        again, _ = play_on(session, session.describe())
        assert again["match"]["rows"] == shown["match"]["rows"]


def test_a_seed_that_is_not_given_is_large_and_each_time_another(session):
    """64 bits are not to be tried out."""
    seeds = {int(play_on(session, session.begin(None, 0, False))[0]["seed"]) for _ in range(2)}
    assert len(seeds) == 2 and max(seeds) >> 40


class TestPastGames:
    def test_they_are_listed_and_reviewed(self, session):
        session.past.judges = ""
        ends = [play_on(session, session.begin(seed, seed, False))[0] for seed in (1, 2)]
        rows = session.past.list_own()
        assert [row["name"] for row in rows] == ["game-2", "game-1"]
        for row, shown in zip(rows, reversed(ends)):
            assert (row["seat"], row["scores"]) == (shown["seat"], shown["events"][-1]["scores"])
            assert row["fan"] == shown["events"][-1].get("fan")
        page = session.past.review("game-1")
        assert page.startswith("<!doctype html>")
        assert parse_data(page)["resume"] == {"address": "../#resume=game-1", "seat": 1}

    @pytest.mark.parametrize("frame", [None, 2, 30])
    def test_one_is_played_on_as_if_it_had_stopped_there(self, session, frame):
        seed, seat = 5, 2
        shown, played = play_on(session, session.begin(seed, seat, False))
        whole = shown["events"]
        shown = session.resume(shown["sequence"], "game-1", frame)
        assert shown["practice"] and shown["seed"] is None and shown["seat"] == seat and shown["legal"]
        assert shown["events"] == whole[:len(shown["events"])]
        assert len(shown["events"]) > (frame or 30)
        for _ in range(3):
            if shown["can_undo"]:
                shown = session.undo(shown["sequence"])
        assert shown["events"] == whole[:len(shown["events"])]
        shown, _ = play_on(session, shown)
        assert os.path.basename(shown["saved"]) == "game-2.json" and shown["events"] == whole
        assert read_saved(shown).wall == wall_from_seed(seed)

    @pytest.mark.parametrize("name", ["tziakcha.jsonl", "tziakcha/salasasa.json", "lianzhong/2017-01-01-0.txt",
                                      "botzone.jsonl.gz"])
    def test_a_game_of_any_source_is_played_on(self, session, name):
        """On the same walls: up to there it is the record's game, and passing and discarding what is drawn goes on."""
        path = next((folder / name for folder in (SAMPLES, REAL) if (folder / name).exists()), None)
        if not path:
            pytest.skip("the real games are not installed: %s" % name)
        row = next(row for row in session.past.open_file(path.read_bytes()) if row["error"] is None)
        record = session.past.read(row["name"])
        where = next(game.where for game in read_games(str(path)) if game.error is None)
        for seat, name in ((0, row["name"]), (3, session.past.open_record(where))):
            transcript = record.transcripts()[seat]
            frames = [made.index for made in replay(transcript, make_tactic_player("random"))]
            frame = frames[len(frames) // 2]
            shown = session.resume(session.describe()["sequence"], name, frame, seat=seat)
            assert shown["legal"] and shown["seat"] == seat and len(session._game.record.steps) == frame
            assert session._game.request == transcript.requests[frame]
        shown, _ = play_on(session, shown, choose=lambda legal: legal[0])
        again, = read_games(shown["saved"])
        assert again.error is None and again.record.has_one_wall == record.has_one_wall
        assert sum(again.record.scores) == 0
        with pytest.raises(IllegalActionError, match="expected the seat"):
            session.resume(shown["sequence"], row["name"], 3)
        with pytest.raises(OpenError, match="no such"):
            session.past.open_record("%s:999" % path)

    def test_a_file_of_many_games_says_that_some_are_left_out(self, session, monkeypatch):
        """Those beyond the 64th were left out without a word, after all of a small packed file were in memory."""
        monkeypatch.setattr(past, "_MOST_GAMES", 3)
        session.past.judges = ""
        lines = [json.dumps(step) for step in load_made()]
        session.past.open_file("\n".join(lines[:5]).encode(), "many.jsonl")
        page = str(parse_data(session.past.review(session.past.list_opened()[0]["file"])))
        assert "expected a file of at most 3 games here, got more in many.jsonl" in page
        monkeypatch.setattr(past, "_LIMITS", ReadLimits(games=2))
        session.past.open_file("\n".join(lines[:1] * 9).encode(), "copies.jsonl")
        page = str(parse_data(session.past.review(session.past.list_opened()[0]["file"])))
        assert "expected a file of at most 2 games, got more in copies.jsonl" in page

    def test_another_seat_of_an_own_game(self, session):
        """It was played on at the person's seat, whatever seat the review's page had asked for."""
        shown, _ = play_on(session, session.begin(5, 2, False))
        row, = session.past.open_file(pathlib.Path(shown["saved"]).read_bytes())
        for seat, expected in ((0, 0), (2, 2), (None, 2)):
            assert session.resume(None, row["name"], 30, seat=seat)["seat"] == expected

    def test_one_bots_input_is_not_played_on(self, session):
        row, = session.past.open_file(pathlib.Path("data/samples/draw.json").read_bytes())
        assert "resume" not in parse_data(session.past.review(row["name"]))
        with pytest.raises(IllegalActionError, match="expected a whole game of all four seats"):
            session.resume(None, row["name"])

    def test_a_penalty_is_no_deal_in(self, session):
        """Who had declared a false win seemed to have discarded the tile of a self-drawn win."""
        step = load_made()[0]
        step["b"] |= 1 << 8
        row, = session.past.open_file(json.dumps(step).encode())
        assert (row["error"], row["winner"], row["giver"]) == (None, 1, None) and row["scores"][0] == -48

    @pytest.mark.parametrize("name", ["game-2", "../game-1", "game-1.json", "", "game-1/../game-1"])
    def test_names_that_are_none(self, session, name):
        shown, _ = play_on(session, session.begin(5, 2, False))
        for ask in (lambda: session.resume(shown["sequence"], name), lambda: session.past.review(name)):
            with pytest.raises(IllegalActionError, match="past game"):
                ask()
        with pytest.raises(IllegalActionError, match="expected an event"):
            session.resume(shown["sequence"], "game-1", 10 ** 6)

    def test_other_files_of_the_folder_are_left_out(self, session, tmp_path):
        """Another spelling of a number, and a link to nowhere, ended the list of all games with status 500."""
        play_on(session, session.begin(5, 2, False))
        (tmp_path / "played" / "game-7.json").write_text("{}")
        (tmp_path / "played" / "game-8.json").write_text('{"logs": [1]}')
        for name in ("notes.json", "game-007.json", "game-\u0663.json"):
            (tmp_path / "played" / name).write_text("{}")
        (tmp_path / "played" / "game-9.json").symlink_to(tmp_path / "nowhere")
        assert [row["name"] for row in session.past.list_own()] == ["game-1"]


class TestCoach:
    """A move that loses much by both judges is not played until the person wants it."""

    def test_stops_are_counted(self, tmp_path):
        session = Session(["random"] * 3, JUDGES, str(tmp_path / "played"))
        first = session.begin(4, 0, True)
        hint = session.hint(first["sequence"])
        worst = hint["ranked"][-1][0]
        shown = session.act(first["sequence"], worst, limit=0.5)
        stopped = shown["stopped"]
        assert shown["sequence"] == first["sequence"] and shown["legal"] == first["legal"]
        assert stopped["logged"] == worst != stopped["chosen"] and len(stopped["judges"]) == 2
        # The hint was of search alone.
        assert hint["ranked"] == stopped["ranked"] and hint["unit"] == "points"
        values = dict(stopped["ranked"])
        assert 0.5 < stopped["loss"] <= values[stopped["chosen"]] - values[worst]
        assert stopped["remarks"] and json.dumps(stopped)
        assert "stopped" in session.act(first["sequence"], worst, limit=0.5)
        shown = session.act(first["sequence"], stopped["chosen"], limit=0.5)
        assert "stopped" not in shown
        assert shown["coach"] == {"stops": 1, "kept": 0, "lost": 0, "saved": round(stopped["loss"], 2)}
        shown = session.undo(shown["sequence"])
        assert "stopped" not in session.act(shown["sequence"], worst, limit=99.0)
        shown = session.undo(session.describe()["sequence"])
        session.act(shown["sequence"], worst, limit=0.5)
        shown = session.act(shown["sequence"], worst)
        assert (shown["coach"]["stops"], shown["coach"]["kept"]) == (2, 1)
        assert shown["coach"]["lost"] == shown["coach"]["saved"] == round(stopped["loss"], 2)
        with pytest.raises(IllegalActionError, match="limit of 0.1 .. 100.0 points"):
            session.act(shown["sequence"], shown["legal"][0], limit=0.0)


class TestOneWall:
    """Matches by the rules of tziakcha.net."""

    def test_seats_winds_and_points_of_sixteen_hands(self, tmp_path):
        """The players change seats as on the platform, and the records form one session."""
        session = Session(OPPONENTS, "random", str(tmp_path / "played"))
        shown = session.begin(4, 1, True, games=16, rules="tziakcha")
        assert shown["match"]["placing"] is None
        seats, winds, paths = [], [], []
        for hand in range(16):
            shown = shown if hand == 0 else session.go_on(shown["sequence"])
            position = shown["frames"][-1]["position"]
            assert position["left"] > 60 and ["flowers", 8] in shown["rules"]
            seats.append([["person", *OPPONENTS].index(name) for name in shown["players"]])
            winds.append(position["wind"])
            shown, _ = play_on(session, shown, choose=lambda legal: "PASS" if "PASS" in legal else legal[-1])
            paths.append(shown["saved"])
        expected = [list(table) for table in SESSION_SEATINGS]
        assert [[(player + 1) % 4 for player in table] for table in seats] == expected
        assert winds == [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4
        rows = shown["match"]["rows"]
        assert all(sum(row) == 0 for row in rows) and sum(shown["match"]["placing"]) == 5.0
        games = [game for path in paths for game in read_games(path)]
        assert len({read_session(game) for game in games}) == 1 and all(game.error is None for game in games)
        assert [game.record.origin["hand"] for game in games] == list(range(16))
        last = games[-1].record.origin
        assert [last["before"][last["seats"].index(player)] for player in range(4)] == [
            sum(scores) for scores in zip(*rows[:15])]
        assert session.resume(shown["sequence"], "game-1")["match"]["rules"] == "tziakcha"

    def test_a_false_win_costs_points_and_the_hand_goes_on(self, tmp_path, monkeypatch):
        """It can be taken back, and is part of the record. Only who counts the fan can make one."""
        wall = stack_one_wall("W2 W3 W4 T5 T6 T7 B7 B8 B9 F3 F3 B1 B1", "F3")
        monkeypatch.setattr("mj_bot.lab.play.person_game.wall_from_seed", lambda seed: wall)
        session = Session(["random"] * 3, "random", str(tmp_path / "played"))
        assert "HU" not in session.begin(1, 0, True, rules="tziakcha")["legal"]
        first = session.begin(1, 0, True, rules="tziakcha", counts_fans=True)
        assert "HU" in first["legal"] and first["win_fan"] is None
        shown = session.act(first["sequence"], "HU")
        assert shown["false_wins"] == 1 and shown["frames"] == first["frames"][-1:]
        assert shown["legal"] == [text for text in first["legal"] if text != "HU"]
        shown = session.act(shown["sequence"], "PLAY F3")
        shown = session.undo(shown["sequence"])
        assert (shown["false_wins"], shown["legal"]) == (0, first["legal"])
        shown = session.act(shown["sequence"], "HU")
        shown, _ = play_on(session, shown, choose=lambda legal: "PASS" if "PASS" in legal else legal[-1])
        game, = read_games(shown["saved"])
        assert game.error is None and game.record.origin["penalties"][0] <= -30
        assert sum(shown["match"]["rows"][0]) == 0
