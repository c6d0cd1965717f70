"""A clone alone tests every reader: tests/samples has a file of our own making in every format."""

import pytest

from mj_bot.lab.records.cutting import cut_games
from mj_bot.lab.records.formats import FORMATS
from mj_bot.lab.records.source import read_games
from tests.golden_games import SAMPLES

# Of each file: its format and its games.
FILES = {
    "botzone.jsonl.gz": ("log", 5), "official.txt": ("official", 5), "judge.jsonl": ("golden", 1),
    "lianzhong/won.txt": ("lianzhong", 1), "lianzhong/given.txt": ("lianzhong", 1),
    "lianzhong/drawn.txt": ("lianzhong", 1), "lianzhong/flowers.txt": ("lianzhong", 1),
    "tziakcha.jsonl": ("tziakcha", 12), "robbed_kong.json": ("tziakcha", 1), "salasasa.json": ("salasasa", 12),
    "displays.jsonl": ("entries", 1), "game.pmn": ("pmn", 1),
    "input.json": ("input", 1), "kept_running.txt": ("input", 1), "simplified.txt": ("simplified", 1),
}


def test_every_format_has_a_sample():
    assert {form for form, _ in FILES.values()} == set(FORMATS)


@pytest.mark.parametrize("name", FILES)
def test_a_sample_is_recognised_and_read(name):
    form, count = FILES[name]
    path = SAMPLES / name
    assert {raw.form for raw in cut_games(str(path))} == {form}
    games = list(read_games(str(path)))
    assert len(games) == count and not any(game.error for game in games)
    whole = form not in ("input", "simplified")
    assert all(bool(game.record) == whole and len(game.transcripts) == (4 if whole else 1) for game in games)
    assert all(len(transcript.requests) > 10 for game in games for transcript in game.transcripts)


def test_a_simplified_input_may_begin_with_blanks(tmp_path):
    """An empty line before the number of requests ended a command with a traceback."""
    path, text = tmp_path / "input.txt", (SAMPLES / "simplified.txt").read_text(encoding="utf-8")
    path.write_text("\n \t" + text, encoding="utf-8")
    (copy,), (game,) = read_games(str(path)), read_games(str(SAMPLES / "simplified.txt"))
    assert not copy.error and copy.transcripts == game.transcripts
