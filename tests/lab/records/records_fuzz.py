"""Broken records for everything that reads records, and a judge of what comes out.

    python3 -m tests.lab.records.records_fuzz --count 1000 --seed 0
"""

import contextlib
import gzip
import json
import random
import sys
import tempfile
from pathlib import Path

from mj_bot.lab.records.botzone_log import format_log
from mj_bot.lab.records.convert import check_files
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.formats import FORMATS
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review.overview import Overview
from mj_bot.lab.review.pages import build_index, build_page, format_table
from tests.fuzz import break_bytes, break_value, run_command, try_broken
from tests.lab.records.games import golden_games
from tests.lab.records.platforms.test_lianzhong import NINE_GATES
from tests.lab.records.platforms.test_salasasa import load_sessions
from tests.lab.records.platforms.test_tziakcha import MADE, load_made, read

SAMPLES = Path(__file__).parents[3] / "data" / "samples"


def load_records():
    """Whole records of every form, as bytes."""
    # Short games are read fast.
    games = sorted(golden_games(), key=lambda game: len(game.moves))[:12]
    records = [format_log(record_from_game(game)).encode() for game in games[:4]]
    for game in games:
        for entry in FORMATS.values():
            if entry.format and max(game.scores) != 10:
                with contextlib.suppress(ValueError):
                    records.append(entry.format(game).encode())
    records += [path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.suffix in (".json", ".txt")]
    steps = load_made()
    people = [read(step) for step in steps[:3]]
    records += MADE.read_bytes().splitlines()
    records += [NINE_GATES.encode(), format_log(record_from_game(people[1])).encode()]
    records += [json.dumps(session).encode() for session in load_sessions()[:4]]
    records.append(json.dumps({"session": {}, "records": [{"step": step} for step in steps[:3]]}).encode())
    records += [path.read_bytes() for path in sorted(MADE.parent.glob("*.mjg"))]
    return records


def break_record(rng, records):
    """A broken record as bytes: another value somewhere in its JSON, other bytes, a cut, two at once."""
    data = rng.choice(records)
    if data[:1] in b"{[" and rng.random() < 0.6:
        lines = data.split(b"\n")
        with contextlib.suppress(ValueError):
            value = json.loads(lines[0])
            for _ in range(rng.choice((1, 1, 2))):
                value = break_value(rng, value)
            lines[0] = json.dumps(value).encode("utf-8", "surrogatepass")
        data = b"\n".join(lines)
    for _ in range(rng.choice((0, 1, 1, 3)) if data[:1] in b"{[" else rng.choice((1, 1, 2, 5))):
        data = _break_words(rng, data) if rng.random() < 0.2 else break_bytes(rng, data)
    if rng.random() < 0.1:
        data += b"\n" + rng.choice(records)
    if rng.random() < 0.2:
        data = gzip.compress(data, 1)
        if rng.random() < 0.6:
            data = break_bytes(rng, data)
    return data


def _break_words(rng, data):
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(words)
    return b" ".join(words)


def find_complaint(path, has_pages):
    """What is wrong with how a file of records is read, None where nothing is. Any error that comes out is wrong too.

    has_pages: whether the pages are made too.
    """
    games, overview = [], Overview("")
    for number, game in enumerate(read_games(str(path)), 1):
        games.append(review_game(game, ""))
        overview.add(games[-1], "game.html")
        text = json.dumps(games[-1], ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
        if has_pages:
            build_page(games[-1]).encode("utf-8")
        if number > 50:
            break
    if has_pages:
        build_index(overview.describe()).encode("utf-8")
    shown = format_table(games) + "".join("%s: %s" % (
        game["where"], game["error"]) for game in games)
    shown.encode("utf-8")
    if "\x1b" in shown or "\r" in shown:
        return "expected nothing that moves the cursor, got %r" % shown
    read = 0
    for form in (None, "log"):
        for done in check_files([str(path)], form=form):
            "".join(done.texts).encode("utf-8")
            json.dumps(done.broken).encode("utf-8")
            read += len(done.broken) + len(done.games.heads)
    if not read and not games:
        return "expected a game or what is wrong, got nothing"
    return None


def run_fuzz(count, seed):
    """(record, complaint) of the first of `count` broken records that is not read rightly, else None."""
    rng = random.Random(seed)
    records = load_records()
    with tempfile.TemporaryDirectory() as folder:
        def find(data):
            path = Path(folder) / rng.choice(("a.json", "b.txt.gz", "c.mjg"))
            path.write_bytes(data)
            complaint = find_complaint(path, has_pages=rng.random() < 0.05)
            # A file that is written over waits for the disk, a new one does not.
            path.unlink()
            return complaint

        return try_broken(count, lambda: break_record(rng, records), find)


if __name__ == "__main__":
    sys.exit(run_command(__doc__, run_fuzz, "records read"))
