"""The lines of a match in its journal; journals as such are tested in tests/lab/run."""

import json

import pytest

from mj_bot.lab.arena.run_match import PlayedWalls
from mj_bot.lab.arena.schedule import make_match
from mj_bot.mahjong.errors import ProtocolError

MATCH = make_match(["random", "random:seed=1"], rotations=4)
FINGERPRINT = {"players": ["random", "random:seed=1"], "seed": 0}


@pytest.fixture
def path(tmp_path):
    """A journal with walls 0 and 2."""
    path = tmp_path / "match.journal"
    with PlayedWalls(MATCH, FINGERPRINT, str(path)) as walls:
        assert sum(walls.play([MATCH.specs], 0, 1)) + sum(walls.play([MATCH.specs], 2, 3)) == 2
    return path


def damage(lines, number, key, value):
    """The lines with another value of the first player's tally, or of the wall."""
    data = json.loads(lines[number])
    (data if key in data else data["tallies"][0])[key] = value
    return lines[:number] + [json.dumps(data)] + lines[number + 1:]


@pytest.mark.parametrize("change, message", [
    (lambda lines: [lines[0], "3", lines[2]], "expected the tallies of a wall.*line 2"),
    (lambda lines: damage(lines, 1, "score", 10 ** 6), "add up to 0"),
    (lambda lines: damage(lines, 1, "games", 9), r"with \[9, 8\]"),
    (lambda lines: damage(lines, 2, "wall", "0"), "got wall '0'"),
    (lambda lines: damage(lines, 1, "win", 1), "expected the tallies"),
    (lambda lines: damage(lines, 1, "players", None), "expected the tallies"),
], ids=["number", "score", "games", "wall", "name", "players"])
def test_damaged_lines_are_refused(path, change, message):
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")
    with pytest.raises(ProtocolError, match=message):
        PlayedWalls(MATCH, FINGERPRINT, str(path))
