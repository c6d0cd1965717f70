"""Files as people have them: Botzone's packs, saved pages, archives, encodings, records of another game."""

import base64
import email.message
import gzip
import html
import io
import itertools
import json
import os
import pprint
import random
import re
import shutil
import tarfile
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records import convert, json_games, notes, packed, record_json
from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.records.botzone.official import format_official
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.formats import RIICHI
from mj_bot.lab.records.source import ReadLimits, cut_games, read_games
from mj_bot.lab.review.games import review_game
from tests.lab.records.games import first_whole_games

CASES = Path(__file__).parent / "cases"
ID = "0123456789abcdef%08d"
SCORES = [list(game.scores) for game in first_whole_games(3)]


def make_match(number, key="log", id_form=lambda text: {"$oid": text}, initdata=json.dumps, logs=lambda value: value):
    """A match as Botzone's packs have it."""
    log = json.loads(format_log(record_from_game(first_whole_games(3)[number])))
    return {"_id": id_form(ID % number), "game": "Chinese-Standard-Mahjong", "initdata": initdata(log["initdata"]),
            "players": [{"type": "bot", "bot": "bot %d" % seat} for seat in range(4)], key: logs(log["logs"])}


PACKED = [make_match(number) for number in range(3)]
TEXTS = {
    "lines": "\n".join(map(json.dumps, PACKED)),
    "lines with commas": ",\n".join(map(json.dumps, PACKED)),
    "lines in a list": "[\n%s\n]" % ",\n".join(map(json.dumps, PACKED)),
    "all on one line": " ".join(map(json.dumps, PACKED)),
    "a list": json.dumps(PACKED),
    "several lines each": "\n".join(json.dumps(match, indent=2) for match in PACKED),
    "by id": json.dumps({ID % number: match for number, match in enumerate(PACKED)}, indent=1),
    "by id, without ids": json.dumps({ID % number: {"log": match["log"], "initdata": match["initdata"]}
                                      for number, match in enumerate(PACKED)}),
    "logs by id": json.dumps({ID % number: match["log"] for number, match in enumerate(PACKED)}),
    "in an answer": json.dumps({"success": True, "data": {"count": 3, "matches": PACKED}}),
    "as texts": json.dumps(list(map(json.dumps, PACKED))),
    "a text a line": "\n".join(json.dumps(json.dumps(match)) for match in PACKED),
    "logs as text": "\n".join(json.dumps(make_match(number, logs=json.dumps)) for number in range(3)),
    "ids as text": "\n".join(json.dumps(make_match(number, "logs", str, dict)) for number in range(3)),
    "a mix": json.dumps([PACKED[0], json.dumps(make_match(1, "logs", str, dict)), [PACKED[2]]]),
    "a line and a list": json.dumps(PACKED[0]) + "\n" + json.dumps(PACKED[1:]),
}


def make_zip(files, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_a_pack_as_it_is_downloaded():
    game, = read_games(str(CASES / "matchpack.zip"))
    assert game.error is None and game.where.endswith("cases/matchpack.zip") and game.record.scores


def test_archives_of_many_files():
    first, second, third = map(json.dumps, PACKED)
    data = make_zip({"a/": "", "a/1.matches": first + "\n" + second, "__MACOSX/a/1.matches": "x",
                     "../../etc/b.jsonl.gz": gzip.compress(third.encode("utf-16"))})
    games = list(read_games("pack.zip", data))
    assert [game.record.scores for game in games] == SCORES
    assert [game.where for game in games] == ["pack.zip/1.matches:1", "pack.zip/1.matches:2", "pack.zip/b.jsonl.gz"]
    nameless = make_zip({"/home/me/x.json": json.dumps(PACKED[0]["log"]), "y.json": "[]"})
    assert next(read_games("pack.zip", nameless)).record.name == "x"


def make_tar(files, mode):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


@pytest.mark.parametrize("container", ["zip", "tar", "gztar", "folder"])
def test_the_set_of_the_organisers_as_it_is_handed_out(container, tmp_path, capsys):
    """The texts about the games were games that are not legal. A claim that was overruled stands in capitals, too."""
    notes.note.cache_clear()
    path = tmp_path / "set"
    shutil.unpack_archive(CASES / "ijcai_set.zip", path)
    shutil.copy(CASES / "official_upper_ignore.txt", path)
    (path / "README.md").write_text("Match <ID>")
    (path / "notes.txt").write_text("1 file\n2 texts about it\n")
    if container != "folder":
        path = shutil.make_archive(str(tmp_path / "a"), container, path)
    assert main(["records", "check", str(path)]) == 0
    told = capsys.readouterr()
    assert "Games: 6 legal, 0 not legal" in told.out
    line, = [line for line in told.err.replace("\r", "\n").splitlines() if "passed over" in line]
    assert "README.txt" in line and "notes.txt" in line and "sample.txt" not in line


LOCKED, UNTRUE = bytearray(make_zip({"a.json": "{}"})), bytearray(make_zip({"a.json": b" " * (1 << 25)}))
LOCKED[6] |= 1
LOCKED[LOCKED.index(b"PK\1\2") + 8] |= 1
UNTRUE[UNTRUE.index(b"PK\1\2") + 24:][:4] = b"\1\0\0\0"
INNER = make_zip({"a.json": "{}"})
BOMB = b" " * (1 << 25)


@pytest.mark.parametrize("data, told", [
    (make_tar({"a.txt": b"a text"}, "w"), "expected records in pack, got no game in a.txt"),
    (make_tar({"._a/.DS_Store": b""}, "w:gz"), "expected records in a .tar, got an empty one"),
    (make_tar({"a.json": b"{}" * 400}, "w")[:700], "expected a file that can be read to its end"),
    (make_tar({"a.json": BOMB}, "w:gz"), "unpacks to at most 200 times its size"),
    (make_tar({"b": INNER}, "w"), "got a .zip in pack/b"),
    (make_zip({"inner.zip": INNER}), "got a .zip in pack: unpack it"),
    (make_zip({"a.json": "1", "b": INNER}), "got a .zip in pack/b: unpack it"),
    (gzip.compress(INNER), "got a .zip in pack: unpack it"),
    (make_zip({"%d.json" % number: "{}" for number in range(6)}), "at most 5 files in a .zip, got more"),
    (make_zip({"a.json": BOMB}), "unpacks to at most 200 times its size"),
    (make_zip({"a.json.gz": gzip.compress(BOMB), "b": b""}), "unpacks to at most 200 times its size"),
    (gzip.compress(BOMB), "unpacks to at most 200 times its size"),
    (make_zip({"a.json": "{}"}, zipfile.ZIP_BZIP2), "got another method in pack"),
    (make_zip({"a.json": "{}"}, zipfile.ZIP_LZMA), "got another method in pack"),
    (make_zip({}), "got an empty one"), (bytes(LOCKED), "without a password"), (bytes(UNTRUE), "expected"),
    (make_zip({"a.json": "{}" * 100})[:40], "expected a file that can be read to its end"),
], ids=itertools.count())
def test_archives_that_are_refused(data, told, monkeypatch):
    monkeypatch.setattr(packed, "_FREE", 1 << 16)
    monkeypatch.setattr(packed, "MOST_FILES", 5)
    errors = [str(game.error) for game in read_games("pack", data)]
    assert any(told in error for error in errors) and "None" not in errors


def test_a_text_that_begins_with_a_number_is_no_input():
    """It was the input of a bot: `review` wrote an empty page, and api.read_games told no error."""
    for text in ("2024-01-01 my notes\nplayed 16 games\n", "12\nyears\n", "3", "1\n9 0 0\nPASS\n"):
        game, = read_games("a.txt", text.encode())
        assert str(game.error).startswith("expected a game (") and not game.transcripts


def test_names_and_links_in_archives(tmp_path, monkeypatch, capfd):
    """Names are shown without codes for the terminal, a link is a file with a path in it, and nothing is written."""
    link = zipfile.ZipInfo("link.json")
    link.external_attr = 0o120777 << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of zipfile, on the second a.json
        for name in ("\x1b[2J\u202ered.json", "/abs.json", "..\\..\\up.json", "C:\\x\\a.json", "\n:3#4", "a.json",
                     "a.json", "é" * 3000):
            archive.writestr(name, json.dumps(PACKED[0]))
        archive.writestr(link, "/etc/passwd")
    (tmp_path / "pack.zip").write_bytes(file.getvalue())
    monkeypatch.chdir(tmp_path)
    assert main(["records", "check", "pack.zip"]) == 2
    told = capfd.readouterr()
    assert "8 legal, 1 not legal" in told.out and "link.json" in told.err and "'/etc/passwd' in line 1" in told.err
    assert all(line.isprintable() for text in told for line in re.split("[\r\n]", text))
    assert os.listdir() == ["pack.zip"]
    assert all(game.where.isprintable() and len(game.where) < 220 for game in read_games("pack.zip"))


def test_damaged_archives():
    """Damage in the tables of a .zip was a traceback: a negative offset, a name that is not UTF-8, an empty name."""
    rng = random.Random(5)
    whole = [make_zip({"a.json": json.dumps(PACKED[0])[:900], "é/b.jsonl": "{}"}), gzip.compress(b"{}" * 300)]
    told = set()
    for data in map(bytearray, whole * 100):
        heads = [place for place in range(len(data)) if data[place:place + 2] == b"PK"] or [0]
        for _ in range(rng.choice((1, 2, 8))):
            place = min(rng.choice(heads) + rng.randrange(60), len(data) - 1)
            if rng.random() < 0.8:
                data[place] = rng.choice((0, 1, 128, 255, rng.randrange(256)))
            else:
                del data[place:place + rng.randrange(1, 30)]
        told.update(str(game.error).partition(": ")[0] for game in read_games("pack", bytes(data)))
    assert {"expected a file that can be read to its end, got BadZipFile",
            "expected a file that can be read to its end, got EOFError"} <= told


@pytest.mark.parametrize("text", ['"' * (1 << 16), "[%s[]]" % ("[]," * (1 << 14)), "[%s{}]" % ('{"a":{}},' * (1 << 13)),
                                  "{%s}" % ",".join('"%d":[]' % number for number in range(1 << 13))])
def test_a_million_values_without_a_game(text, monkeypatch):
    """4 MB of quotes, or of empty lists, took minutes of the drop box."""
    looked = []
    monkeypatch.setattr(json_games, "detect", looked.append)
    for module in (json_games, record_json):
        monkeypatch.setattr(module, "_MANY", 100)
    game, = read_games("a.json", text.encode())
    assert str(game.error).startswith("expected a game (") and len(looked) < 3 * (100 + len(text) // 20)
    assert len(record_json.list_values(text)[0]) <= 101 + len(text) // 100


def test_a_task_has_few_long_games(monkeypatch):
    """256 games of 16 MB each were kept at a time."""
    monkeypatch.setattr(convert, "_TASK_TEXT", 10000)
    path = str(Path(__file__).parents[2] / "samples" / "tziakcha.jsonl")
    raws = list(cut_games(path))
    tasks = list(convert._cut_tasks([path]))
    assert [raw.where for task, _ in tasks for raw in task] == [raw.where for raw in raws] and len(tasks) > 1
    assert all(sum(raw.size for raw in task[:-1]) < 10000 for task, _ in tasks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
@pytest.mark.parametrize("form", ["lines", "several lines each", "official"])
def test_encodings(encoding, form):
    """PowerShell's > writes UTF-16, which was shown as bytes."""
    if form == "official":
        text = "\n".join(format_official(replace(game, name="甲的机器人")) for game in first_whole_games(3))
    else:
        text = TEXTS[form].replace("bot 0", "甲的机器人")
    games = list(read_games("a.json", text.replace("\n", "\r\n").encode(encoding)))
    assert [game.record.scores for game in games] == SCORES
    assert "甲的机器人" in (games[0].record.players[0], games[0].record.name)


LOG_TEXT = json.dumps(PACKED[0]["log"])
NAMES = json.dumps([{"name": "玩家 %d" % seat} for seat in range(4)])
PAGES = {
    "double quotes": "var _rawLogJSON = %s;" % json.dumps(LOG_TEXT),
    "single quotes": "window._rawLogJSON='%s';" % LOG_TEXT.replace("\\", "\\\\").replace("'", "\\'"),
    "hex escapes": "var _rawLogJSON = '%s'" % LOG_TEXT.replace("\\", "\\\\").replace('"', "\\x22"),
    "a value": "let _rawLogJSON = %s;" % LOG_TEXT,
    "parsed": "const _rawLogJSON = JSON.parse(%s);" % json.dumps(LOG_TEXT).replace("<", "\\u003c"),
}
HEAD = ("<!DOCTYPE html>\n<html><head><title>x</title></head><body>\n<script>\n  playerNames = %s;\n  %s\n"
        "</script></body></html>")


def wrap_source(page):
    """A page as a browser saves its "view source"."""
    rows = ['<tr><td class="line-number" value="%d"></td><td class="line-content">%s</td></tr>' % (
        number, html.escape(line).replace("script", '<span class="html-tag">script</span>'))
        for number, line in enumerate(page.split("\n"), 1)]
    return "<html><body><table><tbody>%s</tbody></table></body></html>" % "\n".join(rows)


@pytest.mark.parametrize("wrap", [str, wrap_source, lambda page: html.escape(page),
                                  lambda page: "\n".join("%5d  %s" % item for item in enumerate(page.split("\n"), 1)),
                                  lambda page: "<pre>%s</pre>" % html.escape(page)],
                         ids=["saved", "view source", "escaped", "numbered copy", "in pre"])
@pytest.mark.parametrize("form", PAGES)
def test_saved_pages_of_a_match(form, wrap):
    page = HEAD % (NAMES, PAGES[form])
    page = "<!-- saved from url=(0058)https://www.botzone.org.cn/match/%s -->\n" % (ID % 7) + page
    for encoding in ("utf-8", "utf-16", "gb18030"):
        game, = read_games("page.html", wrap(page).encode(encoding))
        assert game.error is None and game.record.scores == SCORES[0]
        assert game.record.players[0] == "玩家 0" and game.record.name == ID % 7


def make_mail(page, encoding):
    """A page as a browser saves it in one file."""
    part = email.message.EmailMessage()
    part.set_content(page, subtype="html", cte=encoding)
    lines = ["From: <Saved by Blink>", "Snapshot-Content-Location: https://www.botzone.org.cn/match/" + ID % 7,
             "Subject: =?utf-8?Q?x?=", "MIME-Version: 1.0", 'Content-Type: multipart/related;', '\ttype="text/html";',
             '\tboundary="--b--"', "", "----b--", part.as_string(), "----b--", "Content-Type: text/css", "", "a {}",
             "----b----", ""]
    return "\n".join(lines)


def make_har(*texts):
    """What the tools of a browser keep of answers."""
    return json.dumps({"log": {"version": "1.2", "entries": [
        {"request": {"url": "https://x/%d" % number}, "response": {"content": dict({"text": text}, **(
            {"encoding": "base64", "text": base64.b64encode(text.encode()).decode()} if number % 2 else {}))}}
        for number, text in enumerate(texts)]}})


PAGE = HEAD % (NAMES, PAGES["double quotes"])


def make_canonical(value):
    """A value as MongoDB exports it."""
    if isinstance(value, list):
        return list(map(make_canonical, value))
    if isinstance(value, dict):
        return {key: make_canonical(item) for key, item in value.items()}
    return {"$numberInt": str(value)} if isinstance(value, int) else value


CONTAINERS = {
    "a page in one file": (make_mail(PAGE, "quoted-printable"), 1),
    "a page in one file, base64": (make_mail(PAGE, "base64").replace("\n", "\r\n"), 1),
    "a .har": (make_har("body {}", json.dumps(PACKED[0]), "<html></html>", json.dumps(PACKED[2]), PAGE), 3),
    "Python's str": ("\n".join(map(str, PACKED)), 3), "Python's str of a list": (str(PACKED), 3),
    "Python's print of a dict": (pprint.pformat(PACKED[0]), 1), "a tuple": (str([tuple(PACKED)]), 3),
    "MongoDB's canonical JSON": (json.dumps(make_canonical(PACKED)), 3),
    "MongoDB's shell": (json.dumps(PACKED[0]).replace(
        '{"$oid": "%s"}' % (ID % 0), 'ObjectId("%s")' % (ID % 0)).replace('"memory": 0', '"memory": NumberInt(0)'), 1),
    **{name: (text, 3) for name, text in TEXTS.items()},
    "the input of the judge": (json.dumps({key: PACKED[0][key] for key in ("log", "initdata")}, indent=4), 1),
    **{"shown by " + tag: ("<html><body>%s\n%s</body></html>" % (tag, html.escape(json.dumps(PACKED[0], indent=1))), 1)
       for tag in ("", "<pre style='x'>")}, "a list that a page shows": ("<html><pre>%s</pre>" % json.dumps(PACKED), 3),
    **{"numbered " + form: ("\n".join(form % number + json.dumps(match) for number, match in enumerate(PACKED, 1)), 3)
       for form in ("%d. ", "%d) ", "%d: ", "[%d] ", "%d\t", " %d ", "game%d = ")},
    "a variable": ("const games = " + json.dumps(PACKED, indent=1) + ";\n", 3),
    "a list of marks": ("\n".join("- " + json.dumps(match) for match in PACKED), 3),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_what_people_keep_games_in(container):
    """Each was refused, Botzone's own packs, too."""
    text, count = CONTAINERS[container]
    games = list(read_games("folder/a.json", text.encode()))
    assert [game.error for game in games] == [None] * count
    assert [game.record.scores for game in games] == (SCORES[::2] + SCORES if "har" in container else SCORES)[:count]
    if container in TEXTS:
        assert [game.record.name for game in games] == [ID % number for number in range(3)]
        assert "logs by id" == container or "without ids" in container or (
            games[0].record.players == ["bot %d" % seat for seat in range(4)])
    assert "judge" not in container or games[0].record.name == "a"


@pytest.mark.parametrize("text, told", [
    (TEXTS["lines"].replace("\n", "\noops\n", 1), "got 'oops' in line 2"),
    (json.dumps(PACKED[0], indent=1).replace('"quan', 'quan', 1).replace('"game": ', '"game" '), "expected a colon"),
    (json.dumps(PACKED[0], indent=1).replace('"game": ', '"game" '), "in line 5"),
    (json.dumps(PACKED[0], indent=1)[:30000], "got its end in line "),
    (json.dumps(dict(PACKED[0], game="Tic-Tac-Toe")), "expected a match of Chinese-Standard-Mahjong, got one of 'Tic"),
    (json.dumps(dict(PACKED[0], log=[])), "got one without moves"),
    ("\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + "\0" * 40, "got a picture (PNG)"),
    ("<html><body>Please log in</body></html>", "expected a page with a match"),
    (make_har("<html></html>"), "expected a .har into which a browser loaded a match or a record"),
    (make_mail("<html><body>Please log in</body></html>", "base64"), "expected a page with a match"),
    ("bplist00" + "x" * 40, "got a page as Safari saves it"),
    ("{'logs': [" + "'a', " * 40, "expected"), ("{'a\\x': " * 20, "expected"),
])
def test_the_first_strange_line_is_named(text, told):
    """It, or what the file is instead. The error was json's own, "Extra data: line 2 column 1"."""
    errors = [str(game.error) for game in read_games("a.json", text.encode("latin-1")) if game.error]
    assert len(errors) == 1 and told in errors[0]
    assert "Extra data" not in errors[0] and "Expecting" not in errors[0] and "(char" not in errors[0]


def test_a_folder_with_saved_pages(tmp_path, capsys):
    """Other pages of the folder, such as those that `review` writes, are no records."""
    (tmp_path / "match.html").write_text(HEAD % (NAMES, PAGES["parsed"]), encoding="utf-16")
    (tmp_path / "index.html").write_text("<html></html>")
    (tmp_path / "1.matches").write_text(TEXTS["lines"])
    assert main(["records", "check", str(tmp_path)]) == 0
    assert "4 legal" in capsys.readouterr().out


@pytest.mark.parametrize("text", [
    '<?xml version="1.0"?>\n<mjloggm ver="2.3">',
    json.dumps({"ver": 2.3, "log": [[[0, 0, 0], [25000, 25000], [11]]], "name": ["", "", "", ""]}, indent=2),
    '{"type": "start_kyoku", "bakaze": "E", "dora_marker": "1m"}\n' * 30,
    json.dumps({"head": {"uuid": "1"}, "data": [{"name": ".lq.RecordNewRound", "data": {"chang": 0, "doras": ["1z"]}}]},
               indent=1)])
def test_records_of_riichi_mahjong(text):
    """A reader of another game got a list of formats."""
    for data in (text.encode(), gzip.compress(text.encode()), text.encode("utf-16")):
        game, = read_games("log", data)
        assert str(game.error) == RIICHI


@pytest.mark.parametrize("verdict", ["TLE", "NJ"])
@pytest.mark.parametrize("answer", [{}, {"response": None}, {"response": ""}, {"response": {"broken": 1}}, None])
def test_an_answer_that_is_missing(verdict, answer, capsys, tmp_path):
    """Local runners leave out the answer of a bot that failed; the end and the penalty were lost."""
    text = (CASES / "log_TLE_without_response.json").read_text(encoding="utf-8").replace('"TLE"', '"%s"' % verdict)
    match = json.loads(text)
    entry = match["logs"][-2]["0"]
    entry.pop("response", None)
    match["logs"][-2]["0"] = answer if answer is None else dict(entry, **answer)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(match))
    game, = read_games(str(path))
    assert game.error is None and game.record.scores == [-30, 10, 10, 10]
    end = review_game(game, "")["frames"][-1]["event"]
    assert (end["verdict"], end["seat"], end["scores"]) == (verdict, 0, [-30, 10, 10, 10])
    assert main(["records", "check", str(path)]) == 0


def test_one_opened_file_has_limits():
    """A packed file of 196 KB filled half a gigabyte of memory."""
    text = "\n".join([json.dumps(PACKED[0])] * 9)
    for limits, told in ((ReadLimits(games=4), "at most 4 games, got more in a.json: the rest is left out"),
                         (ReadLimits(characters=200000), "at most 0 MB"), (ReadLimits(seconds=-1), "at most -1 s")):
        *games, last = read_games("a.json", text.encode(), limits=limits)
        assert told in str(last.error) and len(games) < 9 and not any(game.error for game in games)


@pytest.mark.parametrize("form", ["compact", "log"])
def test_no_output_has_a_path(form, tmp_path, monkeypatch):
    """The absolute path of the user's file was written as the name of a match without an id."""
    folder = tmp_path / "private folder"
    folder.mkdir()
    match = {key: PACKED[0][key] for key in ("log", "initdata")}
    (folder / "match one.json").write_text(json.dumps(match))
    (folder / "old.json").write_text(json.dumps(dict(match, id=str(folder / "old.json"))))
    (folder / "more.json").write_text(json.dumps([match, match]))
    out = tmp_path / "out"
    assert main(["records", "convert", str(folder), "-o", str(out), "--to", form]) == 0
    written = b"".join(path.read_bytes() for path in ([out] if out.is_file() else out.rglob("*")) if path.is_file())
    assert b"private folder" not in written and str(tmp_path).encode() not in written
    if form == "log":
        assert b"match one" in written and b"more-2" in written
    again = tmp_path / "again"
    assert main(["records", "convert", str(out), "-o", str(again), "--to", "log"]) == 0
    assert str(tmp_path) not in again.read_text(encoding="utf-8")
