"""Damaged records are read as far as they are whole, or refused in a line."""

import contextlib
import gzip
import json
import re
from itertools import cycle, islice
from pathlib import Path

import pytest

from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.records.convert import check_files
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.formats import FORMATS
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review.overview import Overview
from mj_bot.lab.review.pages import build_index, build_page, format_table
from mj_bot.lab.words import load_catalogue
from mj_bot.mahjong.errors import Message
from tests.damage import try_damaged
from tests.golden_games import SAMPLES
from tests.lab.records.games import golden_games
from tests.lab.records.test_opened import CASES, PAGE, make_zip, wrap_source
from tests.lab.records.platforms.test_lianzhong import NINE_GATES
from tests.lab.records.platforms.test_salasasa import load_sessions
from tests.lab.records.platforms.test_tziakcha import MADE, load_made, read

INPUTS = Path(__file__).parents[3] / "data" / "samples"
_MOST_BYTES = 100_000


def load_records():
    """Returns whole records of every form, as bytes: the samples, and golden games in every form that is written."""
    # Short games are read fast.
    games = sorted(golden_games(), key=lambda game: len(game.moves))[:12]
    records = [format_log(record_from_game(game)).encode() for game in games[:4]]
    for game in games:
        for entry in FORMATS.values():
            if entry.write and max(game.scores) != 10:
                with contextlib.suppress(ValueError):
                    records.append(entry.write(game).encode())
    records.append(b"\n".join(records[:3]))
    records += [path.read_bytes() for folder in (INPUTS, SAMPLES) for path in sorted(folder.rglob("*"))
                if path.is_file() and path.stat().st_size < _MOST_BYTES and path.suffix != ".md"]
    steps = load_made()
    records += MADE.read_bytes().splitlines()
    records += [path.read_bytes() for path in sorted(CASES.glob("*.[jz]*"))]
    log = format_log(record_from_game(games[0]))
    records += [wrap_source(PAGE).encode("gb18030"), ("<pre>%s</pre>" % log).encode("utf-16")]
    records.append(make_zip(
        {"1.matches": "\n".join([log, log]), "2.json.gz": gzip.compress(log.encode()), "3.html": PAGE}))
    records += [NINE_GATES.encode(), format_log(record_from_game(read(steps[1]))).encode()]
    records += [json.dumps(session).encode() for session in load_sessions()[:4]]
    records.append(json.dumps({"session": {}, "records": [{"step": step} for step in steps[:3]]}).encode())
    return records


def list_untranslated(text):
    """Returns the texts of an error and of its values that have no Chinese, though they have words."""
    if isinstance(text, ValueError) and text.args and isinstance(text.args[0], Message):
        text = text.args[0]
    template = str(getattr(text, "template", text))
    if template == "expected a file that can be read to its end, got %s: %s":  # in the words of what unpacks it
        return []
    values = [value for value in getattr(text, "values", ()) if isinstance(value, (Message, BaseException))]
    is_missing = template not in load_catalogue() and re.search("[a-z]{2} [a-z]{2}", template)
    return [template] * bool(is_missing) + [each for value in values for each in list_untranslated(value)]


def check_record(data, path):
    """Checks that all that reads records takes these bytes; every twentieth file is made into pages too.

    Python's own words stood in Chinese errors: "'str' object has no attribute 'get'".

    path: where the file is written.
    """
    path.write_bytes(data)
    games, overview = [], Overview("")
    for game in islice(read_games(str(path)), 50):
        assert not list_untranslated(game.error)
        games.append(review_game(game, ""))
        overview.add(games[-1], "game.html")
        json.dumps(games[-1], ensure_ascii=False, allow_nan=False).encode("utf-8")
    if len(data) % 20 == 0:
        for game in games:
            build_page(game).encode("utf-8")
        build_index(overview.describe()).encode("utf-8")
    shown = format_table(games) + "".join("%s: %s" % (game["where"], game["error"]) for game in games)
    shown.encode("utf-8")
    assert "\x1b" not in shown and "\r" not in shown, "expected nothing that moves the cursor"
    read = 0
    for form in (None, "log"):
        for done in check_files([str(path)], form=form):
            "".join(done.texts).encode("utf-8")
            json.dumps(done.broken).encode("utf-8")
            read += len(done.broken) + len(done.games.heads)
    assert read or games, "expected a game or what is wrong, got nothing"
    path.unlink()  # a file that is written over waits for the disk, a new one does not


@pytest.mark.parametrize("count", [8, pytest.param(2000, marks=pytest.mark.slow)])
def test_damaged_records(count, tmp_path):
    names = cycle(["%d.json", "%d.txt.gz", "%d.log"])
    records = {next(names) % index: data for index, data in enumerate(load_records())}
    try_damaged(records, lambda name, data: check_record(data, tmp_path / name), count)
