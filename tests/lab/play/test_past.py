"""Past games: pages of which one judge speaks first, and all judges the second time."""

import os
import subprocess
import sys
from dataclasses import replace

from mj_bot.lab.library.game_content import make_key
from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.library.library_pages import list_games
from mj_bot.lab.play.past import PastGames
from mj_bot.lab.play.session import Session
from mj_bot.lab.records.source import ReadGame
from mj_bot.lab.review import games
from mj_bot.lab.review import JUDGES
from tests.lab.play.games import OPPONENTS, play_on
from tests.lab.review.games import golden_lines, parse_data


def short_lines(count):
    """The shortest of some recorded games, as lines."""
    return sorted(golden_lines(40, "stacked"), key=len)[:count]


def read_page(past, name):
    return parse_data(past.review(name))


def test_a_page_opens_with_the_first_judge_and_is_completed_by_the_second(tmp_path, monkeypatch):
    """It was shown only when all judges had answered; a page that was opened again was computed again."""
    past = PastGames(str(tmp_path), "random,rule_based")
    data = "".join(short_lines(2)).encode()
    names = [row["name"] for row in past.open_file(data)]
    for name in (names[0], names[0].rpartition("-")[0]):
        first, second = read_page(past, name), read_page(past, name)
        assert first["pending"] and first["judges"] == ["random"]
        assert "pending" not in second and second["judges"] == ["random", "rule_based"]
        monkeypatch.setattr(games, "review_seat", None)  # nothing is computed any more
        assert read_page(past, name) == second
        monkeypatch.undo()


def test_reviews_of_the_page_are_by_the_judges_of_the_hints(tmp_path):
    """Where there is one, the page has nothing to wait for."""
    data = short_lines(1)[0].encode()
    for adviser, judges in ((JUDGES, JUDGES.split(",")), ("rule_based", ["rule_based"])):
        past = Session(["random"] * 3, adviser, str(tmp_path)).past
        name = past.open_file(data)[0]["name"]
        assert ("pending" in read_page(past, name)) == (len(judges) > 1)
        assert read_page(past, name)["judges"] == judges


def test_a_game_of_the_table_replaces_only_its_own_earlier_end(tmp_path, monkeypatch):
    """After the folder of records was emptied, the next game removed the old one from the library.

    A game whose last choice was taken back replaces its earlier end, but never another game that has its number by now.
    """
    monkeypatch.setenv("MJ_BOT_LIBRARY", str(tmp_path / "library.sqlite"))
    monkeypatch.setattr(GameKeeper, "review_waiting", lambda keeper: None)
    keeper, sessions = GameKeeper("play"), []
    for seed in (3, 4):
        session = Session(OPPONENTS, "random", str(tmp_path / "played"))
        session.keeper = session.past.keeper = keeper
        state, _ = play_on(session, session.begin(seed, 0, True))
        sessions.append((session, state))
        (tmp_path / "played" / "game-1.json").rename(tmp_path / ("old-%d.json" % seed))
    assert keeper.library.count()["games"] == 2
    (tmp_path / "old-3.json").rename(tmp_path / "played" / "game-1.json")
    session, state = sessions[1]
    keys = {game["key"] for game in list_games(keeper.library, most=9)}
    play_on(session, session.undo(state["sequence"]))
    assert sorted(os.listdir(tmp_path / "played")) == ["game-1.json", "game-2.json"]
    session, state = sessions[0]
    played, _ = play_on(session, session.undo(state["sequence"]))
    assert played["saved"].endswith("game-1.json") and len(os.listdir(tmp_path / "played")) == 2
    assert keys <= {game["key"] for game in list_games(keeper.library, most=9)}
    record = session.past.read("game-1")
    changed = replace(record, steps=record.steps[:-1])
    session.past.save(changed, played["saved"])
    keys = {game["key"] for game in list_games(keeper.library, most=9)}
    new, old = (make_key(ReadGame("", one, one.transcripts(), None)) for one in (changed, record))
    assert new in keys and old not in keys


def test_two_processes_give_their_games_numbers_of_their_own(tmp_path):
    """Three processes that saved 30 games each in one folder left 30 files: each number was given three times."""
    code = ("import sys\nfrom mj_bot.lab.play.past import PastGames\nfrom mj_bot.lab.records.source import read_games\n"
            "record = next(read_games(sys.argv[1])).record\npast = PastGames(sys.argv[2], '')\n"
            "for _ in range(20): past.save(record)")
    path = tmp_path / "game.jsonl"
    path.write_text(short_lines(1)[0])
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), str(tmp_path / "played")]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    names = os.listdir(tmp_path / "played")
    assert sorted(names) == sorted("game-%d.json" % number for number in range(1, 41))
    assert all(os.path.getsize(tmp_path / "played" / name) for name in names)
