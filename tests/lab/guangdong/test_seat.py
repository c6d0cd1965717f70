"""A person at the table: what is shown, what may be chosen, taking back, records, reviews; and the page."""

import json
import random

import pytest

from mj_bot.lab.guangdong.guangdong_players import load_player
from mj_bot.lab.guangdong.seat import PERSON, GuangdongGame, GuangdongPersonGame
from mj_bot.lab.guangdong.guangdong_rules import parse_settings
from mj_bot.lab.play.session import Session
from mj_bot.mahjong.action import WIN_INDEX, encode_action
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.mahjong.tile import count_tiles
from tests.browser import needs_browser, open_page
from tests.lab.play.games import play_on, serve
from tests.lab.review.games import parse_data

OPPONENTS = ["shanten", "random", "ours"]


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "shanten", str(tmp_path / "played"), game=GuangdongGame())


def check_position(position, seat):
    """Every tile that is seen is seen four times at the most, and none is lost."""
    seen, total = [], position["left"]
    for place, own in enumerate(position["seats"]):
        assert (own["hand"] is not None) == (place == seat or seat is None)
        seen += (own["hand"] or []) + [tile["tile"] for tile in own["river"] if tile["claimed_by"] is None]
        seen += [name for meld in own["melds"] for name in meld["tiles"]]
        total += own["hand_size"] - len(own["hand"] or [])
    count_tiles(seen)
    assert total + len(seen) == 136


@pytest.mark.parametrize("seed", range(3))
def test_what_the_person_sees_adds_up_to_the_end(session, seed):
    rng, state = random.Random(seed), session.begin(seed, seed % 4, False)
    while state["legal"]:
        for frame in state["frames"]:
            check_position(frame["position"], state["seat"])
        hint = session.hint(state["sequence"])
        assert hint["chosen"] in state["legal"] and hint["shanten"] >= -1
        state = session.act(state["sequence"], rng.choice(state["legal"]))
    end = state["events"][-1]
    assert end["kind"] == "END" and sum(end["scores"]) == 0
    check_position(state["frames"][-1]["position"], None)
    assert state["players"][state["seat"]] == PERSON and state["saved"]


def test_a_choice_is_taken_back_and_the_game_goes_the_same_way_again(session):
    state = session.begin(3, 0, True)
    first = state["legal"]
    after = session.act(state["sequence"], first[0])
    back = session.undo(after["sequence"])
    assert back["legal"] == first and not back["can_undo"]
    again = session.act(back["sequence"], first[0])
    assert again["events"] == after["events"] and again["legal"] == after["legal"]
    with pytest.raises(IllegalActionError, match="expected one of the"):
        session.act(again["sequence"], "CHI W2 W1")


def test_a_past_game_is_listed_reviewed_and_played_on(session):
    state, _ = play_on(session, session.begin(11, 2, False), lambda legal: legal[-1])
    row, = session.past.list_own()
    assert row["seat"] == 2 and row["scores"] == state["events"][-1]["scores"]
    page = session.past.review("game-1")
    assert "mj-W1" in page and parse_data(page)["tactic"] == "shanten" and "#e0a100" in page
    state = session.resume(state["sequence"], "game-1")
    assert state["legal"] and state["seat"] == 2
    with pytest.raises(IllegalActionError, match="expected one of the person's choices in game-1, got event 999"):
        session.resume(state["sequence"], "game-1", 999)


@pytest.mark.parametrize("change", [
    {"steps": [99999]}, {"steps": [WIN_INDEX]}, {"seed": -1}, {"settings": None}, {"players": [5] * 4}])
def test_games_that_cannot_be_are_not_listed(session, tmp_path, change):
    """A number out of range was an error of the whole list; illegal actions were played."""
    play_on(session, session.begin(11, 2, False), lambda legal: legal[-1])
    data = json.loads((tmp_path / "played/game-1.json").read_text(encoding="utf-8"))
    (tmp_path / "played/game-2.json").write_text(json.dumps(dict(data, **change)), encoding="utf-8")
    assert [row["name"] for row in session.past.list_own()] == ["game-1"]


def test_a_pung_is_one_choice_with_its_discard():
    for seed in range(200):
        game = GuangdongPersonGame(seed, 0, ["shanten"] * 3)
        while not game.is_over:
            pungs = [action for action in game.choices if action[0] == "PENG"]
            game.act(pungs[0] if pungs else game.choices[0])
            if pungs:
                event = next(event for event in game.events[::-1] if event["kind"] == "PENG")
                assert event["tile"] == pungs[0][1] and event["seat"] == 0 and event["from"] != 0
                assert game.frames[0]["event"] == event
                return
    pytest.fail("no pung in 200 games")


def test_wild_tiles_are_marked_in_each_game_also_where_they_are_turned():
    assert GuangdongPersonGame(0, 0, OPPONENTS).marked == ["J1", "J3"]
    games = [GuangdongPersonGame(seed, 0, OPPONENTS, settings=parse_settings("wild=turned")) for seed in range(4)]
    assert all(len(game.marked) == 1 for game in games) and len({game.marked[0] for game in games}) > 1


def test_a_session_plays_by_its_settings(tmp_path):
    folder = str(tmp_path / "played")
    game = GuangdongGame(parse_settings("wild=turned_and_next,win_by_discard=1"))
    session = Session(OPPONENTS, "shanten", folder, game=game)
    state, _ = play_on(session, session.begin(4, 1, False))
    assert len(state["marked"]) == 2
    # A past game keeps its own, whatever the session's are.
    other = Session(OPPONENTS, "shanten", folder, game=GuangdongGame())
    assert parse_data(other.past.review("game-1"))["marked"] == state["marked"]


def test_a_win_that_is_taken_loses_nothing():
    """The review once counted a win that the adviser took too as a step lost."""
    for seed in range(40):
        game = GuangdongPersonGame(seed, 0, ["random"] * 3)
        while not game.is_over and not any(action[0] == "HU" for action in game.choices):
            game.act(list(game.choices)[-1])
        if not game.is_over:
            decision = game.describe_choice(load_player("shanten"), [WIN_INDEX])
            assert (decision["logged"], decision["loss"], decision["agreement"]) == ("HU", 0.0, "same")
            missed = game.describe_choice(load_player("shanten"), [
                encode_action(next(action for action in game.choices if action[0] == "PLAY"))[0]])
            assert missed["loss"] is None and missed["agreement"] == "other"
            return
    pytest.fail("no win in 40 games")


@needs_browser
@pytest.mark.slow
def test_a_game_by_clicks(browser, session):
    """And its review, which had no table: its tiles have no chances to deal in. The hint said "null" for the plan."""
    session.begin(5, 0, True)
    with serve(session) as url, open_page(browser, url) as page:
        page.wait_for_selector("main[data-ready]")
        assert page.locator("#mj-J1 rect[stroke='#e0a100']").count() == 1
        assert page.locator("#mj-J2 rect[stroke='#e0a100']").count() == 0
        page.check("#hints")
        page.wait_for_selector("#hint:not([hidden])")
        assert "null" not in page.inner_text("#hint") and page.is_hidden("#links")
        page.uncheck("#hints")
        tile = session.describe()["legal"][-1].split(" ")[1]
        page.click("#hand .tile[data-tile='%s']" % tile)
        page.wait_for_selector("main[data-sequence='2'][data-ready]")
        assert [event["kind"] for event in session.describe()["events"]][:3] == ["DEAL", "DRAW", "PLAY"]
        play_on(session, session.describe())
        page.goto(url + "past/game-1")
        for key in ("Home", "d", "r"):
            page.keyboard.press(key)
        assert page.locator("#table .mj-best").count() and page.locator("#decision figure").count()
        assert page.is_hidden("#danger") and "%" not in page.inner_text("#decision")
