"""The parts of a match in its folder; folders as such are tested in tests/lab/run."""

import gzip
import json

import pytest

from mj_bot.lab.arena.run_match import PlayedWalls
from mj_bot.lab.arena.schedule import make_match
from mj_bot.mahjong.errors import ProtocolError

MATCH = make_match(["random", "random:seed=1"], rotations=4)
FINGERPRINT = {"players": ["random", "random:seed=1"], "seed": 0}


@pytest.fixture
def folder(tmp_path):
    """A run with walls 0 to 1 and 4."""
    folder = tmp_path / "match.run"
    with PlayedWalls(MATCH, FINGERPRINT, str(folder)) as walls:
        assert sum(walls.play(0, 2)) + sum(walls.play(4, 5)) == 3 * 4
    return folder


def change_tally(part, key, value):
    """Sets a value of the first player's tally of the last wall."""
    part["walls"][-1][0][key] = value
    return part


@pytest.mark.parametrize("change, message", [
    (lambda part: 3, "expected the tallies of walls, got 3 .* in .*walls-"),
    (lambda part: change_tally(part, "score", 10 ** 6), "add up to 0"),
    (lambda part: change_tally(part, "games", 9), r"\[9, 8\]"),
    (lambda part: change_tally(part, "win", 1), "expected the tallies of walls"),
    (lambda part: dict(part, first="0"), "from wall '0'"),
    (lambda part: dict(part, walls=3), "expected the tallies of walls"),
], ids=["number", "score", "games", "name", "wall", "walls"])
def test_damaged_parts_are_refused_and_the_folder_is_free_again(folder, change, message):
    path = min(folder.glob("walls-*"))
    whole = path.read_bytes()
    path.write_bytes(gzip.compress(json.dumps(change(json.loads(gzip.decompress(whole)))).encode()))
    with pytest.raises(ProtocolError, match=message):
        PlayedWalls(MATCH, FINGERPRINT, str(folder))
    path.write_bytes(whole)
    with PlayedWalls(MATCH, FINGERPRINT, str(folder)) as walls:
        assert set(walls.done) == {0, 1, 4}
