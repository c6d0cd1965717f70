"""Records as people have them: other encodings, cut files, values that no platform writes, and broken bytes."""

import gzip
import io
import json
import sys
from types import SimpleNamespace

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records import cutting, source
from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.formats import FORMATS
from mj_bot.lab.records.source import read_games
from tests.lab.records.games import first_whole_games
from tests.lab.records.platforms.test_tziakcha import load_made

FIRST, = first_whole_games(1)
LOG = json.loads(format_log(record_from_game(FIRST)))
# As match/ID?lite=true serves it: players are objects, some nameless.
SERVED = {
    "success": True, "status": "finished", "logs": LOG["logs"], "initdata": json.dumps(LOG["initdata"]),
    "players": [{"name": "甲", "mail": "a@b"}, {"name": None}, None, {"type": "bot"}]}
MOST_TEXT, MOST_VALUES = 1 << 18, 1 << 15
NAN = '{"logs": [{"output": {"command": "finish", "display": {"fanCnt": NaN}}}]}'


def write_log(path, **values):
    path.write_text(json.dumps(dict(LOG, **values)))
    return str(path)


def cut_packed():
    packed = bytearray(gzip.compress(json.dumps(LOG).encode()))
    packed[200:240] = bytes(40)
    return bytes(packed)


# Each of these ended the command with a traceback, filled the memory or took hours, and the other files were not read.
BROKEN = [
    (json.dumps(dict(LOG, initdata="{broken")), "expected JSON, got 'broken'"),
    (json.dumps(dict(LOG, initdata=[1])), "initdata as an object, got"),
    (json.dumps(dict(LOG, initdata=5)), "initdata as an object, got 5"),
    (json.dumps(dict(LOG, initdata={"walltiles": 7})), "expected a text, got 7"),
    (json.dumps(dict(LOG, players=4)), "expected a list of 4, got 4"),
    ('{"logs": [%s]}' % ("9" * 5000), "a number of 5000 digits"),
    *((NAN.replace('{"fanCnt": NaN}', shown + ', "content": {}'), said) for shown, said in (
        ("3", "expected a display, got 3"), ('{"player": 7}', "expected 0..3, got 7"), ('{"fan": [{}]}', "no 'cnt'"))),
    (NAN, "the number NaN"), (NAN.replace("NaN", "1e999"), "beyond all bounds"),
    ("[" * 10 ** 4 + "," * 10 ** 4, "nested too deeply"), ('{"logs": ["' + '\\"' * 10 ** 5, "expected JSON"),
    ('{"logs": [' + "[" * 600 + '"\\ud800"' + "]" * 601 + "}", "nested too deeply"),
    ("0" * (MOST_TEXT + 1), "at most %d characters a game" % MOST_TEXT),
    ("[" + "[]," * (MOST_VALUES // 2) + "[]]", "at most %d values a text" % MOST_VALUES),
    ("{}\n" * (MOST_VALUES + 1), "at most %d values a text" % MOST_VALUES),
    (cut_packed(), "expected a file that can be read to its end"),
    ('{"requests": ["0 \\u00b2 0"], "responses": []}', "expected"),
    ('{"requests": ["abc"], "responses": []}', "expected"),
    ("\n# A text\n" * 20, "one a line), got '# A text' in line 2"),
]


def test_a_match_that_has_just_begun_is_no_good_game(tmp_path):
    """Hands that a text did not deal were shown as W9 W9 W8 ..; thousands of such games took a minute of `review`."""
    game, = read_games(write_log(tmp_path / "a.json", logs=LOG["logs"][:1]))
    assert "expected a game with moves, got none in" in str(game.error)
    for name, text in (("a.pmn", '[Event "x"]\n[PWind "E"]\n'), ("a.txt", "Match 1\n"), ("b.json", '{"requests": []}')):
        (tmp_path / name).write_text(text)
        game, = read_games(str(tmp_path / name))
        assert game.error and not game.transcripts


def test_broken_games_are_reported_and_the_others_are_read(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cutting, "MOST_TEXT", MOST_TEXT)
    monkeypatch.setattr(cutting, "_MOST_VALUES", MOST_VALUES)
    for number, (data, _) in enumerate(BROKEN):
        path = tmp_path / ("broken%d.json" % number)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    write_log(tmp_path / "whole.json")
    for command in (["review", "--tactic", "none"], ["replay", "--tactic", "random", "--show", "none"],
                    ["records", "check"]):
        assert main(command + [str(tmp_path)]) == 2
        captured = capsys.readouterr()
        for number, (_, message) in enumerate(BROKEN):
            told, = [line for line in captured.err.splitlines() if "broken%d.json" % number in line]
            assert message in told
        assert told.count(".json") == 1
        assert "Traceback" not in captured.err
    assert "Games: 1 legal, %d not legal" % len(BROKEN) in captured.out


def test_names_fit_terminals_and_files(tmp_path, capsys):
    """Escape sequences reached the terminal; half a surrogate pair could not be written at all."""
    path = write_log(tmp_path / "a.json", id="\x1b[31mred", players=["\ud800", "\x1b]0;title\x07", 7, "x" * 500])
    assert main(["review", path, "--tactic", "none", "-o", str(tmp_path / "a.html")]) == 0
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    record = next(read_games(path)).record
    assert (record.name, record.players[:3]) == ("\ufffd[31mred", ["\ufffd", "\ufffd]0;title\ufffd", "7"])
    assert len(record.players[3]) == 200


def test_a_list_of_matches(tmp_path):
    """One that is broken costs only itself, a cut only the last one; a list of entries is one match."""
    path = tmp_path / "matches.json"
    text = json.dumps([LOG, dict(LOG, logs=[]), LOG["logs"], LOG])
    path.write_text(text)
    games = list(read_games(str(path)))
    assert [game.where[len(str(path)):] for game in games] == ["#1", "#2", "#3", "#4"]
    assert [bool(game.error) for game in games] == [False, True, False, False]
    path.write_text(text[:-len(text) // 10])
    games = list(read_games(str(path)))
    assert [bool(game.error) for game in games] == [False, True, False, True] and len(games[3].record.steps) > 10
    path.write_text(json.dumps(LOG["logs"]))
    game, = read_games(str(path))
    assert game.error is None and game.record.scores
    path.write_text(json.dumps([*load_made()[:2], LOG], indent=1))
    assert [game.error for game in read_games(str(path))] == [None] * 3, "of several forms"


@pytest.mark.parametrize("form", ["log", "official"])
@pytest.mark.parametrize("first, broken", [("", 0), ("half a game that a tail of the file begins with}", 1)])
def test_a_broken_first_line_costs_only_itself(first, broken, form, tmp_path):
    """No game of such a file was read."""
    path = tmp_path / "games.txt"
    path.write_text(first + "\n" + 2 * FORMATS[form].write(FIRST), encoding="utf-8")
    games = list(read_games(str(path)))
    assert [bool(game.error) for game in games] == [True] * broken + [False] * 2
    assert games[broken].where.endswith(":2")


@pytest.mark.parametrize("form", ["log", "official"])
@pytest.mark.parametrize("is_packed", [False, True], ids=["cut", "cut as .gz"])
def test_a_cut_file_is_shown_up_to_the_cut(form, is_packed, tmp_path):
    """Of a .gz that was cut short, and of a log, nothing was shown."""
    data = FORMATS[form].write(FIRST).encode()
    data = gzip.compress(data)[:-200] if is_packed else data[:len(data) * 2 // 3]
    path = tmp_path / "game.txt"
    path.write_bytes(data)
    game, = read_games(str(path))
    assert game.error and len(game.record.steps) > 10


def test_stdin(monkeypatch, capsys):
    for data in (json.dumps(LOG).encode(), gzip.compress(json.dumps(LOG).encode())):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data))))
        assert main(["review", "-", "--tactic", "none"]) == 0
        assert "1 game" in capsys.readouterr().out
    assert main(["records", "check", source.STDIN]) == 2


def test_pages_of_several_games_want_a_folder(tmp_path, capsys):
    """The option -o page.html made a folder of that name, later the error did not say what to give instead."""
    write_log(tmp_path / "a.json")
    (tmp_path / "b.jsonl").write_text("\n".join([json.dumps(LOG)] * 2))
    for path, told in ((tmp_path, "expected a folder for the pages of several games"),
                       (tmp_path / "b.jsonl", "give a folder, such as %s/" % (tmp_path / "page"))):
        assert main(["review", str(path), "--tactic", "none", "-o", str(tmp_path / "page.html")]) == 2
        assert told in capsys.readouterr().err and not (tmp_path / "page.html").exists()
