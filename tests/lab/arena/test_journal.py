"""The journal of a match: what it keeps, and what it refuses."""

import json

import pytest

from mj_bot.lab.arena.journal import VERSION, Journal
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.arena.tally import Tally
from mj_bot.lab.arena.unit import Unit
from mj_bot.mahjong.errors import MahjongError, ProtocolError

MATCH = make_match(["a", "b"], rotations=4)
IDENTITY = {"players": ["a", "b"], "seed": 0}


def make_unit(wall, score=7):
    return Unit(wall, [Tally(score=score, games=8, wins=1), Tally(score=-score, games=8, deal_ins=1)])


@pytest.fixture
def path(tmp_path):
    """A journal with walls 0 and 2."""
    path = tmp_path / "match.journal"
    journal = Journal(str(path), MATCH, IDENTITY)
    journal.add([make_unit(0), make_unit(2, -3)])
    journal.close()
    return path


def read(path, match=MATCH, identity=IDENTITY):
    journal = Journal(str(path), match, identity)
    journal.close()
    return journal.units


def test_walls_come_back(path):
    assert read(path) == {0: make_unit(0), 2: make_unit(2, -3)}


def test_a_wall_that_is_there_is_not_written_again(path):
    before = path.read_bytes()
    journal = Journal(str(path), MATCH, IDENTITY)
    journal.add([make_unit(0, 99)])
    journal.close()
    assert path.read_bytes() == before and journal.units[0] == make_unit(0)


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_line_is_dropped_and_written_anew(path, cut):
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    journal = Journal(str(path), MATCH, IDENTITY)
    assert set(journal.units) == {0}
    journal.add([make_unit(2, -3)])
    journal.close()
    assert path.read_bytes() == whole


def test_a_torn_first_line_begins_anew(path):
    path.write_bytes(path.read_bytes()[:10])
    assert read(path) == {}
    assert json.loads(path.read_text()).items() >= IDENTITY.items()


@pytest.mark.parametrize("change, message", [
    (lambda lines: [lines[0].replace('"version":%d' % VERSION, '"version":99')] + lines[1:], "expected version 2"),
    (lambda lines: [lines[0].replace("journal", "novel")] + lines[1:], "expected a file of format"),
    (lambda lines: ["[]"] + lines[1:], "expected a file of format"),
    (lambda lines: ["{}"] + lines[1:], "expected a file of format"),
    (lambda lines: [lines[0], lines[1][:-3], lines[2]], "expected JSON.*line 2"),
    (lambda lines: [lines[0], "3", lines[2]], "expected the tallies of a wall.*line 2"),
    (lambda lines: [lines[0], lines[1].replace('"score":7', '"score":8')], "add up to 0"),
    (lambda lines: [lines[0], lines[1].replace('"games":8', '"games":9', 1)], "8, 8"),
    (lambda lines: [lines[0], lines[1].replace('"wall":0', '"wall":"0"')], "got wall '0'"),
    (lambda lines: [lines[0], lines[1].replace('"wins"', '"win"')], "expected the tallies"),
], ids=["version", "format", "list", "object", "json", "number", "score", "games", "wall", "name"])
def test_damaged_and_foreign_journals_are_refused(path, change, message):
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")
    with pytest.raises(ProtocolError, match=message):
        read(path)


def test_a_journal_of_another_match_is_refused(path):
    with pytest.raises(ProtocolError, match=r"expected seed 1 .* got 0 in .*; move the file away"):
        read(path, identity={"players": ["a", "b"], "seed": 1})


def test_one_journal_serves_one_match_at_a_time(path):
    journal = Journal(str(path), MATCH, IDENTITY)
    with pytest.raises(MahjongError, match="another process uses it"):
        read(path)
    journal.close()
    assert len(read(path)) == 2


def test_a_journal_that_cannot_be_written(tmp_path):
    with pytest.raises(MahjongError, match="expected a file that can be written"):
        read(tmp_path)


def test_without_a_file_the_walls_stay_in_memory():
    journal = Journal(None, MATCH, IDENTITY)
    journal.add([make_unit(3)])
    assert set(journal.units) == {3}
    journal.close()
