"""The file of the library: what goes in and comes out, other versions, damage, two processes, a full disk."""

import contextlib
import csv
import io
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.learn.lessons import describe_score, keep_answer
from mj_bot.lab.learn.positions import PositionChoice, list_positions
from mj_bot.lab.library import importing
from mj_bot.lab.library.export import EXPORT_COLUMNS, export_library, guard_cell, list_rows
from mj_bot.lab.library.game_content import make_key, pack_game, unpack_game
from mj_bot.lab.library.importing import import_files, review_waiting
from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.library.leaks import name_leak, name_state
from mj_bot.lab.library.player_summary import GameChoice, describe_player
from mj_bot.lab.library.library_pages import list_games, list_players
from mj_bot.lab.library.rescue import check_library, rescue_library
from mj_bot.lab.library.schema import JUDGE_AGAIN, LIBRARY_VERSION, TABLES
from mj_bot.lab.library.library_file import DamagedLibraryError, LibraryError
from mj_bot.lab.library.store import open_library
from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.records.source import ReadLimits, list_files, read_games
from mj_bot.lab.review import JUDGES
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import SAMPLES
from tests.lab.library.games import add_four, add_reviewed, list_hands, list_reviewed, make_player_games

HANDS = str(SAMPLES / "tziakcha.jsonl")


@pytest.fixture
def library(tmp_path):
    return open_library(str(tmp_path / "own" / "library.sqlite"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """The path of a library with four reviewed hands."""
    return add_four(open_library(str(tmp_path_factory.mktemp("filled") / "library.sqlite"))).path


@pytest.fixture
def full(library, filled):
    """A library with four reviewed hands."""
    shutil.copy(filled, library.path)
    return library


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_a_game_comes_back_as_it_was(path):
    for game in read_games(str(path)):
        again = unpack_game(pack_game(game))
        assert (again.where, again.record, again.transcripts) == (game.where, game.record, game.transcripts)
        assert str(again.error) == str(game.error)


class TestGames:
    def test_a_game_is_not_added_twice(self, library, tmp_path):
        """A copy of a file under another name has the same games."""
        copy = tmp_path / "copy.jsonl"
        copy.write_bytes((SAMPLES / "tziakcha.jsonl").read_bytes())
        count = len(list_hands())
        assert import_files(library, [HANDS]) == (count, 0, [])
        assert import_files(library, [str(copy)]) == (0, count, [])
        assert library.count()["games"] == library.count()["waiting"] == count

    def test_a_file_has_the_limits_of_opened_ones(self, library, monkeypatch):
        """A file of 200 KB with 20,000 hands, or copies of one, was read to its end."""
        monkeypatch.setattr(importing, "ReadLimits", lambda: ReadLimits(games=1))
        new, known, errors = import_files(library, [HANDS])
        assert (new, known) == (1, 0) and library.count()["games"] == 1
        assert errors == ["%s: expected a file of at most 1 games, got more in %s: the rest is left out" % (
            HANDS, HANDS)]

    def test_a_whole_game_replaces_a_broken_one(self, library):
        game = list_hands()[0]
        broken = game._replace(error=MahjongError("cut"))
        assert library.add_games([broken]) == [(make_key(game), True)]
        assert library.add_games([game, broken]) == [(make_key(game), False)] * 2
        assert library.read_game(make_key(game)).error is None

    def test_a_game_replaces_another_one_only_where_it_says_so(self, library):
        """After the folder of records was emptied, each game of the table deleted an old one with the same path."""
        one, other, third = (game._replace(where="build/played/game-1.json") for game in list_hands()[:3])
        library.add_games([one], is_own=True)
        library.add_games([other], is_own=True)
        assert {game["key"] for game in list_games(library, most=9)} == {make_key(one), make_key(other)}
        library.add_games([third], is_own=True, former=make_key(other))
        library.add_games([third], is_own=True, former=make_key(third))
        assert {game["key"] for game in list_games(library, most=9)} == {make_key(one), make_key(third)}

    def test_the_review_comes_back(self, full):
        game, reviewed = list_reviewed()[0]
        assert full.read_review(make_key(game)) == reviewed
        assert full.list_waiting() == [] and full.read_review("nothing") is None

    def test_lists(self, full):
        games = list_games(full, most=2)
        assert len(games) == 2 and games[0]["file"] == "tziakcha.jsonl" and len(games[0]["players"]) == 4
        assert sum(games[0]["scores"]) == 0 and games[0]["tactic"] == JUDGES
        players = list_players(full, most=9)
        assert {player["name"]: player["games"] for player in players} == dict.fromkeys(
            ["Player A", "Player B", "Player C", "Player D"], len(list_reviewed()))

    def test_the_games_of_a_file_keep_their_order(self, full):
        keys = [make_key(game) for game, _ in list_reviewed()][::-1]
        full.collect("file-1", keys)
        assert full.list_collection("file-1") == keys and full.list_collection("file-2") == []

    def test_forgetting(self, full):
        keys = full.list_games_with("Player A")
        assert full.forget_games(keys[:1]) == 1 and full.count()["games"] == len(keys) - 1
        with pytest.raises(LibraryError, match="expected a game of the library, got"):
            full.forget_games(keys)
        assert full.forget_games(keys[1:]) == len(keys) - 1
        assert full.count() == {"games": 0, "waiting": 0, "players": 0} and not list(list_rows(full, "decisions"))

    def test_forgetting_games_that_wait_for_a_review(self, full):
        """After a migration nothing was removed, with "0 games removed", and all joins of names were lost."""
        full.join_names("Player B", ["Player A"])
        with full.open(is_change=True) as db:
            for statement in filter(str.strip, (JUDGE_AGAIN + TABLES).split(";")):
                db.execute(statement)
        first, *keys = full.list_games_with("Player A")
        assert full.forget_games([first]) == 1 and full.list_names("Player A") == ["Player B", "Player A"]
        assert len(keys) == len(list_reviewed()) - 1 and full.forget_games(keys) == len(keys)
        with pytest.raises(LibraryError, match="expected a player of the library, got 'Player A'"):
            full.list_games_with("Player A")

    def test_names_that_are_one_player(self, full):
        full.join_names("Player B", ["Player A", "Player C"])
        full.join_names("Player D", ["Player C"])
        assert full.list_names("Player A") == ["Player D", "Player A", "Player B", "Player C"]
        assert [player["others"] for player in list_players(full, most=9)] == [["Player A", "Player B", "Player C"]]
        full.split_names("Player A")
        assert full.list_names("Player A") == ["Player A"]
        with pytest.raises(LibraryError, match="expected a player of the library, got 'Nobody'"):
            full.join_names("Player A", ["Nobody"])


    def test_players_are_told_apart_by_their_ids(self, library):
        """Two people with one name were one player, and a renamed one was two."""
        game, reviewed = list_reviewed()[0]

        def add(number, names, ids):
            origin = dict(game.record.origin, id=str(number), names=names, seats=[0, 1, 2, 3], ids=ids or [""] * 4,
                          time=1e9 + number)
            add_reviewed(library, game, reviewed, origin=origin, players=names)

        add(1, ["小明", "B", "C", "D"], None)  # by an older version
        add(2, ["小明", "B", "C", "D"], ["a", "b", "c", "d"])
        add(5, ["Ming", "B", "C", "D"], ["a", "b", "c", "d"])
        add(3, ["小明", "E", "F", "D"], ["e", "f", "g", "d"])
        add(4, ["小明", "E", "F", ""], ["a", "f", "g", ""])  # renamed only later
        games = {player["name"]: player["games"] for player in list_players(library, most=9)}
        assert games == {"Ming": 4, "小明": 1, "B": 3, "C": 3, "D": 4, "E": 2, "F": 2}
        assert library.list_names("Ming") == ["Ming", "小明"]
        add(6, ["小明", "小明", "", "D"], ["a", "e", "", "d"])  # both at one table
        assert {player["name"] for player in list_players(library, most=9)} >= {"小明 (a)", "小明"}
        assert len(library.list_games_with("小明")) == 2
        assert library.list_names("Ming") == ["小明 (a)", "Ming"], "the former name finds the renamed player too"
        library.join_names("B", ["Ming"])
        assert library.list_names("小明 (a)") == ["B", "小明 (a)", "Ming"]

    def test_a_seat_of_nameless_games_gets_a_name(self, library, tmp_path):
        """Logs of Botzone without names had no "me", so a bot's author had neither a page nor questions."""
        game, reviewed = list_reviewed()[0]
        record = replace(game.record, players=["0", "1", "2", "3"], origin={})
        path = tmp_path / "log.jsonl"
        path.write_text(format_log(record) + format_log(record).replace('"id": "', '"id": "x', 1))
        assert import_files(library, [str(path)]) == (1, 1, [])
        key, = library.list_waiting()
        library.add_review(key, dict(reviewed, players=[""] * 4))
        assert list_players(library, most=9) == []
        assert import_files(library, [str(path)], names={2: "bot"}) == (0, 2, [])
        assert import_files(library, [str(path) + ":1"], names={1: "bot", 3: "other"}) == (0, 1, [])
        assert list_games(library, most=9)[0]["players"] == ["", "bot", "", "other"] and not library.list_waiting()
        assert describe_player(library, "bot", GameChoice())["games"] == 1
        with pytest.raises(MahjongError, match="no such game"):
            import_files(library, [str(path) + ":7"], names={1: "bot"})
        assert import_files(library, [HANDS], names={1: "bot"})[0] and len(library.list_games_with("bot")) == 1

    @pytest.mark.parametrize("name", ["tziakcha", "salasasa"])
    def test_ids_are_not_kept_themselves(self, name):
        """Nothing personal but the names is in a record: ids of accounts are digests there."""
        ids = {id_ for path in SAMPLES.glob("%s*" % name) for game in read_games(str(path)) if game.record
               for id_ in game.record.origin.get("ids", [])}
        assert all(re.fullmatch("[0-9a-f]{10}|", id_) for id_ in ids)


class TestImport:
    def test_files_that_are_there_are_not_read_again(self, library, tmp_path, monkeypatch):
        path = tmp_path / "games.jsonl"
        path.write_bytes((SAMPLES / "tziakcha.jsonl").read_bytes())
        import_files(library, list_files([str(tmp_path)]))
        with monkeypatch.context() as patch:
            patch.setattr("mj_bot.lab.library.importing.read_named_games", None)
            assert import_files(library, [str(path)]) == (0, 0, [])
        path.write_text(path.read_text().split("\n")[0])
        assert import_files(library, [str(path)]) == (0, 1, [])

    def test_a_file_is_known_by_its_content(self, library, tmp_path, monkeypatch):
        """Another file of this name, size and time in another folder, and games appended meanwhile, were left out."""
        first, second, *_ = (SAMPLES / "tziakcha.jsonl").read_text().splitlines()
        width = max(len(first), len(second))
        for folder, line in (("ra", first), ("rb", second)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "g.jsonl").write_text(line.ljust(width) + "\n")
            os.utime(tmp_path / folder / "g.jsonl", (1e9, 1e9))
            monkeypatch.chdir(tmp_path / folder)
            assert import_files(library, ["g.jsonl"]) == (1, 0, [])
        (tmp_path / "rb" / "new.jsonl").write_text(first.ljust(width) + "\n")
        os.utime(tmp_path / "rb" / "new.jsonl", (1e9, 1e9))
        os.replace("new.jsonl", "g.jsonl")
        assert import_files(library, ["g.jsonl"]) == (0, 1, [])

        def append(count):
            with open("g.jsonl", "a") as file:
                file.write(second + "\n")

        os.utime("g.jsonl")
        assert import_files(library, ["g.jsonl"], append)[:2] == (0, 1)
        assert import_files(library, ["g.jsonl"])[:2] == (0, 2)

    def test_a_name_of_other_bytes(self, library, tmp_path):
        """A folder from a Chinese archive ended an import, and a name typed in GBK was "a damaged library"."""
        path = os.path.join(os.fsencode(tmp_path), b"\xb9\xfa.jsonl")
        shutil.copy(HANDS, path)
        paths = list_files([str(tmp_path)])
        assert len(paths) == 1 and import_files(library, paths) == (len(list_hands()), 0, [])
        assert import_files(library, paths) == (0, 0, []) and library.count()["games"]
        for ask in (library.list_names, library.list_games_with):
            with pytest.raises(MahjongError, match="expected a text in UTF-8") as raised:
                ask("\udcb9")
            assert not isinstance(raised.value, LibraryError)

    def test_an_interrupted_import_goes_on(self, library):
        """After an interrupt no game is reviewed again and none is left out."""
        import_files(library, [HANDS])
        reviewed = {make_key(game): review for game, review in list_reviewed()}
        extra = library.list_waiting()[len(reviewed):]
        library.forget_games(extra)
        calls = []

        def review(game):
            if len(calls) == 2:
                raise KeyboardInterrupt
            calls.append(make_key(game))
            return reviewed[make_key(game)]

        with pytest.raises(KeyboardInterrupt):
            review_waiting(library, review, 1)
        assert library.list_waiting() == list(reviewed)[2:]
        calls.append("enough to go on")
        assert review_waiting(library, review, 1) == (len(reviewed) - 2, [])
        assert library.list_waiting() == [] and len(set(calls)) == len(calls) == len(reviewed) + 1

    def test_a_game_that_cannot_be_reviewed_stops_no_import(self, library):
        """One review with a value that is not a number ended every import before the games that came after it."""
        import_files(library, [HANDS])
        (bad, first), (worse, _), *_ = list_reviewed()

        def review(game):
            if make_key(game) == make_key(worse):
                raise MahjongError("no values")
            return dict(first, scores=[float("nan")]) if make_key(game) == make_key(bad) else first

        count, errors = review_waiting(library, review, 1)
        assert count == len(list_hands()) - 2 and library.list_waiting() == [make_key(bad), make_key(worse)]
        assert len(errors) == 2 and bad.where in errors[0] and "finite" in errors[0] and "no values" in errors[1]


class TestFile:
    def test_an_older_library_is_judged_again_and_keeps_all_else(self, full, tmp_path):
        """Its losses were of other judges' rules; the games and the answers of learning stay."""
        key, path = make_key(list_reviewed()[0][0]), str(tmp_path / "old.sqlite")
        shutil.copy(full.path, path)
        with contextlib.closing(sqlite3.connect(path)) as db, db:
            # Games and players of version 5 had no ids, and it had no kept matches.
            db.executescript("DROP INDEX players_by_identity; ALTER TABLE players DROP COLUMN identity; "
                             "ALTER TABLE games DROP COLUMN identities; DROP TABLE files; DROP TABLE decisions; "
                             "CREATE TABLE decisions (game, player, disputed); DROP TABLE matches;")
            db.execute("INSERT INTO lessons VALUES (?, 0, 9, 1, 5.0)", (key,))
            db.execute("PRAGMA user_version = 5")
        old = open_library(path)
        assert len(old.list_waiting()) == len(list_reviewed()) and old.read_review(key) is None
        reviewed = {game.where: review for game, review in list_reviewed()}
        assert review_waiting(old, lambda game: reviewed[game.where], 1) == (len(list_reviewed()), [])
        with old.open() as db, full.open() as other:
            for table in ("decisions", "seats", "games"):
                rows, expected = (of.execute("SELECT * FROM " + table).fetchall() for of in (db, other))
                width = -1 if table == "games" else None  # without the ids of players, which old records lack
                assert rows and [row[:width] for row in rows] == [row[:width] for row in expected]
            assert db.execute("SELECT due FROM lessons").fetchall() == [(5.0,)]

    @pytest.mark.parametrize("statements, message", [
        ("CREATE TABLE mine (x)", "expected a library of mj_bot, got another database"),
        # One without tables was taken for a library of that version: "no such table".
        ("PRAGMA user_version = 3", "expected a library of mj_bot, got another database"),
        ("PRAGMA application_id = 1835688559; PRAGMA user_version = %d" % (LIBRARY_VERSION + 1),
         "got one of version %d of a newer mj_bot" % (LIBRARY_VERSION + 1))])
    def test_another_database_is_refused_and_stays(self, tmp_path, statements, message):
        """It stayed but for its journal, which became that of a library."""
        path = tmp_path / "other.sqlite"
        with sqlite3.connect(path) as db:
            db.executescript(statements)
        before = path.read_bytes()
        with pytest.raises(LibraryError, match=message):
            open_library(str(path))
        assert path.read_bytes() == before

    def test_a_damaged_library_is_set_aside(self, full, tmp_path, capsys):
        """The file is never deleted, and the next library begins next to it."""
        for number in (1, 2):
            damaged = _damage(full.path)
            again = open_library(full.path)
            kept = tmp_path / "own" / ("library.sqlite.damaged-%d" % number)
            assert kept.read_bytes() == damaged and str(kept) in capsys.readouterr().err
            assert again.count()["games"] == 0

    def test_processes_that_find_damage_at_once(self, full, tmp_path):
        """The second one set the new library of the first one aside, with the games in it. All add the same games."""
        _damage(full.path)
        code = ("import sys\nfrom mj_bot.lab.library.importing import import_files\n"
                "from mj_bot.lab.library.store import open_library\n"
                "print(import_files(open_library(sys.argv[1]), [sys.argv[2]])[0])")
        both = [subprocess.Popen([sys.executable, "-c", code, full.path, HANDS], stdout=subprocess.PIPE, text=True)
                for _ in range(2)]
        new = [int(process.communicate()[0]) for process in both]
        assert sum(new) == len(list_hands()) == open_library(full.path).count()["games"]
        assert [path.name for path in tmp_path.glob("own/*damaged*")] == ["library.sqlite.damaged-1"]

    @pytest.mark.parametrize("content", [b"{}\n", b"hello world\n", HANDS])
    def test_a_file_that_is_no_library_stays(self, tmp_path, content):
        """`library import --file game.json` renamed the record and began a library in its place."""
        path = tmp_path / "game.json"
        content = content if isinstance(content, bytes) else open(content, "rb").read()
        path.write_bytes(content)
        assert main(["library", "import", "--file", str(path)]) == 2
        assert path.read_bytes() == content and os.listdir(tmp_path) == ["game.json"]

    def test_only_its_owner_reads_it(self, tmp_path):
        """The file was readable for all users of the machine, and so was its folder."""
        path = tmp_path / "new" / "library.sqlite"
        for _ in range(2):
            library = open_library(str(path))
            with library.open() as db:
                db.execute("SELECT 1")
                assert all(file.stat().st_mode & 0o77 == 0 for file in [path.parent, *path.parent.iterdir()])
            path.chmod(0o644)  # as an older version made it

    def test_a_check_finds_damage(self, full):
        with full.open(is_change=True) as db:
            db.execute("UPDATE games SET content = x'00' WHERE id = 1")
        problem, = check_library(full)
        assert "cannot be read" in problem
        with open(full.path, "r+b") as file:
            file.truncate(6000)
        assert main(["library", "check", "--file", full.path]) == 2, "it began a new library, which was whole"
        assert os.path.getsize(full.path) == 6000

    def test_the_others_are_rescued(self, full, capsys):
        """A damaged game stopped `export` and `forget`, and no command left it out."""
        full.join_names("Player B", ["Player A"])
        keys, count = [make_key(game) for game, _ in list_reviewed()], len(list_reviewed())
        keep_answer(full, keys[2], 0, 9, is_right=False, now=1.8e9)
        with full.open(is_change=True) as db:
            db.execute("UPDATE games SET content = x'00' WHERE key = ?", keys[:1])
            db.execute("UPDATE reviews SET content = x'00' WHERE game = 2")
            # Its player's page showed fewer mistakes than there were.
            db.execute("DELETE FROM decisions WHERE game = ?", (count,))
        rows = {table: _read_rows(full, table, "3, 4") for table in ("seats", "decisions", "reviews")}
        assert main(["library", "check", "--file", full.path]) == 2 and full.count()["games"] == count
        assert main(["library", "check", "--file", full.path, "--rescue"]) == 2
        assert "%d games are in the new library, 1 are lost" % (count - 1) in capsys.readouterr().out
        assert [full.read_game(key) is None for key in keys] == [True] + [False] * (count - 1)
        assert full.list_waiting() == [keys[1], keys[-1]] and full.list_names("Player A") == ["Player B", "Player A"]
        assert {table: _read_rows(full, table, "3, 4") for table in rows} == rows
        assert describe_score(full, 1.8e9)["answered"] == 1 and check_library(full) == []

    def test_pages_of_noise_lose_the_games_on_them(self, library):
        """Four damaged pages made every other game unreadable too."""
        make_player_games(library, 20)
        with library.open() as db:
            db.execute("SELECT 1")
        size = os.path.getsize(library.path)
        with open(library.path, "r+b") as file:
            for page in random.Random(5).sample(range(20, size // 4096), 4):
                file.seek(4096 * page)
                file.write(b"\xa5" * 4096)
        assert check_library(library)
        count, lost, _ = rescue_library(library)
        assert count >= 12 and count + lost >= 18 and check_library(library) == []

    def test_a_full_disk_changes_nothing(self, library):
        with library.open() as db:
            pages = db.execute("PRAGMA page_count").fetchone()[0]
        whole = library.open

        @contextlib.contextmanager
        def open_small(is_change=False):
            with whole(is_change) as db:
                db.execute("PRAGMA max_page_count = %d" % pages)
                yield db

        library.open = open_small
        with pytest.raises(LibraryError, match="expected room on the disk"):
            library.add_games(list_hands())
        del library.open
        assert library.count()["games"] == 0 and check_library(library) == []

    def test_what_an_error_leaves_out_is_kept_later(self, library, monkeypatch, capsys):
        """After one error nothing more was kept until the table was started again, and a move waited for 20 seconds."""
        monkeypatch.setenv("MJ_BOT_LIBRARY", library.path)
        keeper, games = GameKeeper("play", 0.01), list_hands()
        keeper.review_waiting = lambda: None
        with library.open(is_change=True):
            keeper.keep(games[:1], "", is_own=True)
            keeper.keep_match("match", {"move": 1})
            keeper.keep_match("match", {"move": 2})
            assert "another process uses it" in str(keeper.problem)
            with pytest.raises(LibraryError):
                keep_answer(keeper.library, "0" * 16, 0, 9, is_right=True, now=1.8e9)
        assert capsys.readouterr().err.count("another process uses it") == 1
        keeper.keep(games[1:2], "", is_own=True)
        assert keeper.problem is None and keeper.library.count()["games"] == 2
        assert library.list_matches()["match"][1] == {"move": 2}
        with library.open(is_change=True):
            keeper.keep(games[2:3], "", is_own=True)
        keeper.close()
        assert library.count()["games"] == 3

    def test_a_library_that_comes_back_is_used(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setenv("MJ_BOT_LIBRARY", str(tmp_path / "folder" / "library.sqlite"))
        (tmp_path / "folder").write_text("")
        keeper = GameKeeper("review")
        keeper.keep_reviewed(*list_reviewed()[0])
        assert keeper.library is None and keeper.problem
        assert "review: expected a folder, got" in capsys.readouterr().err
        (tmp_path / "folder").unlink()
        keeper.keep_reviewed(*list_reviewed()[1])
        assert keeper.library.count()["games"] == 2 and keeper.problem is None


def _damage(path):
    """Writes over all of a library but the head by which SQLite knows its files, and returns the bytes."""
    content = b"SQLite format 3\0" + b"no database " * 500
    with open(path, "wb") as file:
        file.write(content)
    return content


def _read_rows(library, table, games):
    with library.open() as db:
        return db.execute("SELECT * FROM %s WHERE game IN (%s)" % (table, games)).fetchall()


class TestFigures:
    @pytest.mark.parametrize("leak, logged, chosen, facts", [
        ("win", "PASS", "HU", {}), ("chow", "PASS", "CHI W2 W5", {}), ("pung", "CHI W2 W5", "PENG W1", {}),
        ("kong", "PLAY W1", "GANG W2", {}), ("pass_chow", "CHI W2 W5", "PASS", {}),
        ("pass_kong", "BUGANG W1", "PLAY W2", {}), ("claim", "CHI W2 W5", "CHI W3 W5", {}),
        ("tile", "CHI W2 W5", "CHI W2 W6", {}), ("wait", "PLAY W1", "PLAY W2", {"shanten": (0, 0)}),
        ("push", "PLAY W1", "PLAY W2", {"danger": (0.01, 0.08), "distance_to_8_fan": (3, 2)}),
        ("fold", "PLAY W1", "PLAY W2", {"danger": (0.08, 0.01), "distance_to_8_fan": (1, 2)}),
        ("tile", "CHI W2 W5", "CHI W2 W6", {"danger": (0.08, 0.01), "distance_to_8_fan": (1, 2)}),
        ("needless", "PLAY W1", "PLAY W2", {"danger": (0.01, 0.08), "is_needless": True}),
        ("needless", "CHI W2 W5", "CHI W2 W6", {"danger": (0.01, 0.08), "is_needless": True}),
        ("plan", "PLAY W1", "PLAY W2", {"targets": ("七对", "花龙")}), ("tile", "PLAY W1", "PLAY W2", {}),
        ("tile", "PASS", "PLAY W2", {}),
    ])
    def test_names_of_leaks(self, leak, logged, chosen, facts):
        """Each kind of mistake; pairs are of the judge's action and of the one that was made.

        A game in which a seat passed at its own turn, an error by the rules, had no page. The wrong discard after a
        chow, made to stay in the hand, was called folded too early.
        """
        facts = dict(facts)
        is_needless = facts.pop("is_needless", False)
        plain = {"danger": (0.0, 0.0), "distance_to_8_fan": (2, 2), "shanten": (1, 1), "targets": ("花龙", "花龙")}
        pair = [{name: values[place] for name, values in dict(plain, **facts).items()} for place in (0, 1)]
        best, made = (dict(side, danger=[0.0, side["danger"], 0.0, 0.0], targets=[[side["targets"], 2]])
                      for side in pair)
        decision = {"logged": logged, "chosen": chosen, "chosen_facts": best, "logged_facts": made, "causes": [],
                    "loss": 2.0, "is_needless_danger": is_needless}
        assert name_leak(decision) == (leak, "七对" if leak == "plan" else None)

    @pytest.mark.parametrize("shanten, distance, state", [
        (0, 0, 0), (0, 1, 1), (0, None, 1), (1, 1, 1), (-1, -1, 0), (3, 5, 3), (6, None, 4), (None, None, 4)])
    def test_states_of_hands(self, shanten, distance, state):
        """A hand that wins by no tile was "ready" here and "one from ready" in its review."""
        assert name_state({"shanten": shanten, "distance_to_8_fan": distance}) == state


class TestExport:
    def test_csv_of_decisions(self, full, tmp_path):
        path = tmp_path / "rows.csv"
        count = export_library(full, str(path), "decisions")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        assert lines[0].split(",") == list(EXPORT_COLUMNS["decisions"]) and len(lines) == count + 1
        assert count == len(list(list_rows(full, "decisions"))) > 50
        one = export_library(full, str(path), "decisions", "Player A")
        assert 0 < one < count

    def test_answers_of_learning(self, full, tmp_path):
        """They could not be taken along, and stayed when their game was forgotten."""
        with full.open() as db:
            key, seat, frame, loss = db.execute("SELECT key, seat, frame, decisions.loss FROM decisions JOIN games ON "
                                                "games.id = game WHERE leak IS NOT NULL").fetchone()
        keep_answer(full, key, seat, frame, is_right=False, now=1.8e9)
        keep_answer(full, "0" * 16, 1, 20, is_right=True, now=1.8e9)  # of a sample game
        rows = [dict(zip(EXPORT_COLUMNS["answers"], row)) for row in list_rows(full, "answers")]
        assert [(row["game"], row["seat"], row["frame"], row["is_right"], row["loss"]) for row in rows] == [
            (key, seat, frame, 0, loss), ("0" * 16, 1, 20, 1, None)]
        assert rows[0]["time"] < rows[0]["due"] < rows[1]["due"] and rows[1]["player"] is None
        own, = list_rows(full, "answers", rows[0]["player"])
        assert own == tuple(rows[0].values())
        assert export_library(full, str(tmp_path / "answers.csv"), "answers") == 2
        full.forget_games([key])
        assert [row[7] for row in list_rows(full, "answers")] == ["0" * 16]
        assert full.forget_answers() == 1 and not list(list_rows(full, "answers"))

    @pytest.mark.parametrize("text", [
        "=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", "a;=1+1", "a\t=1", "a\";=1",
        "\uff1d1+1", "x|=1", ";=1;=2", "=1\";=2"])
    def test_no_cell_computes_anything(self, text):
        """A name such as =HYPERLINK(...) ran in a spreadsheet, and with semicolons between cells so did a;=1+1."""
        file = io.StringIO()
        csv.writer(file).writerow(["first", guard_cell(text), "last"])
        for separator in ",;\t|":
            for row in csv.reader(io.StringIO(file.getvalue().replace("\r", "\n")), delimiter=separator):
                assert not any(cell.lstrip("\t\r\n")[:1] in tuple("=+-@\uff1d") for cell in row), (separator, row)

    def test_records_can_be_read_again(self, full, tmp_path):
        path = tmp_path / "records.jsonl"
        assert export_library(full, str(path), "games") == len(list_reviewed())
        assert {tuple(game.record.scores) for game in read_games(str(path))} == {
            tuple(game.record.scores) for game, _ in list_reviewed()}

    def test_other_endings(self, full, tmp_path):
        with pytest.raises(MahjongError, match=r"ends in \.csv, \.parquet or \.jsonl"):
            export_library(full, str(tmp_path / "rows.xlsx"), "games")

    @pytest.mark.parametrize("name, text", [("budget.csv", "a,b\n"), ("records.jsonl", '{"requests": []}\n')])
    def test_a_strange_file_is_not_replaced(self, full, tmp_path, name, text):
        """A table of somebody else, and a file of records, were replaced without a word."""
        (tmp_path / name).write_text(text)
        with pytest.raises(MahjongError, match="expected a new file or one of the same kind"):
            export_library(full, str(tmp_path / name), "games")
        assert (tmp_path / name).read_text() == text
        (tmp_path / name).unlink()
        for _ in range(2):  # its own file is replaced
            assert export_library(full, str(tmp_path / name), "games")

    def test_parquet_without_pyarrow(self, full, tmp_path, monkeypatch, capsys):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.setenv("MJ_BOT_LIBRARY", full.path)
        assert main(["library", "export", "-o", str(tmp_path / "rows.parquet")]) == 2
        assert "expected the package pyarrow, which is not installed; run" in capsys.readouterr().err

    def test_parquet(self, full, tmp_path):
        parquet = pytest.importorskip("pyarrow.parquet", reason="no pyarrow: expected the extra parquet")
        path = tmp_path / "rows.parquet"
        count = export_library(full, str(path), "decisions")
        assert parquet.read_table(path).num_rows == count


@pytest.mark.parametrize("damage", [
    "UPDATE reviews SET content = substr(content, 1, 100)", "UPDATE reviews SET content = x'78'",
    "UPDATE games SET content = x'789c4bcc2bc9cc4b5728c94855285106004c4a0764'", "UPDATE games SET content = x''",
    "UPDATE games SET title = CAST(x'c328' AS TEXT), scores = CAST(x'ff' AS TEXT), path = CAST(x'c3' AS TEXT)",
    "UPDATE players SET name = CAST(x'c328' || CAST(id AS BLOB) AS TEXT)", "UPDATE seats SET figures = x'00'",
    "UPDATE reviews SET content = 0", "UPDATE games SET players = '[1,'", "UPDATE seats SET figures = 'x'",
    "INSERT INTO learned (time, key, seat, frame, is_right) VALUES (1e300, '', 0, 0, 1)"])
def test_damage_that_the_database_does_not_see(full, damage):
    """Texts that are no UTF-8, cut contents and values of another program's types ended in tracebacks."""
    keys = [game["key"] for game in list_games(full, most=99)]
    with full.open(is_change=True) as db:
        db.execute(damage)
    refused = []
    for ask in (lambda: list_games(full, most=99), lambda: list_players(full, most=9), lambda: list(map(
            full.read_game, keys)), lambda: list(map(full.read_review, keys)), lambda: list(list_rows(full, "games")),
            lambda: describe_player(full, "Player A", GameChoice()), lambda: describe_score(full, 1e9),
            lambda: list_positions(full, PositionChoice(), most=9, now=1e9)):
        try:
            ask()
        except LibraryError as error:
            refused.append(str(error))
    named = [text for text in refused if full.path in text]
    # A player whose name is damaged is not found.
    assert named and all("expected a player of the library" in text for text in refused if text not in named)


def test_a_damaged_page_is_an_error_with_the_path(full):
    with open(full.path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 20000)
    with pytest.raises(DamagedLibraryError, match="library.sqlite"):
        list_games(full, most=99)
