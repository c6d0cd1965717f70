"""The compact form: its contents, its size, and refused files."""

from dataclasses import replace

import numpy as np
import pytest

from mj_bot.lab.records.compact import (
    HEAD, VERSION, GamesWriter, join_games, pack_games, read_games, take_games, unpack_games,
)
from mj_bot.lab.records.game import MOST_MOVES
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from tests.lab.records.games import golden_games
from tests.lab.records.platforms.test_tziakcha import load_made, read

HEADER = 16


@pytest.fixture
def path(tmp_path):
    """A file with two blocks, of three games and of all others."""
    path = tmp_path / "games.mjg"
    games = golden_games()
    with GamesWriter(str(path)) as writer:
        writer.write(pack_games(games[:3]))
        writer.write(pack_games(games[3:]))
    return path


def test_every_recorded_game_comes_back_from_at_most_250_bytes_on_average(path):
    """The recorded games have more claims and kongs than played ones; the worst that the rules allow is stated."""
    games = list(unpack_games(read_games(str(path)), "here"))
    assert games == list(golden_games()) and games[0].name == "here:1"
    assert path.stat().st_size / len(games) <= 250
    assert 2 + HEAD.itemsize + 102 + MOST_MOVES == 391


def test_games_are_appended(path):
    games = golden_games()
    with GamesWriter(str(path)) as writer:
        assert writer.game_count == len(games)
        writer.write(pack_games(games[:5]))
    assert list(unpack_games(read_games(str(path)))) == list(games) + list(games[:5])


@pytest.mark.parametrize("header", [b"", b"MJGA"], ids=["nothing", "a header that was cut short"])
def test_a_new_file_has_no_games(header, tmp_path):
    path = tmp_path / "games.mjg"
    path.write_bytes(header)
    with GamesWriter(str(path)) as writer:
        assert writer.game_count == 0
    assert len(read_games(str(path)).heads) == 0


def test_taking_and_joining_games():
    games = pack_games(golden_games()[:20])
    parts = [take_games(games, np.arange(first, 20, 3)) for first in range(3)]
    order = [place for first in range(3) for place in range(first, 20, 3)]
    assert list(unpack_games(join_games(parts))) == [golden_games()[place] for place in order]


def test_names_flowers_and_origin_are_kept_where_there_are_any(tmp_path):
    """Blocks without notes have the older format; notes without their games are a torn block."""
    people = [read(step) for step in load_made()[:3]]
    path = tmp_path / "games.mjg"
    with GamesWriter(str(path)) as writer:
        writer.write(pack_games(golden_games()[:2]))
        assert b"NOTE" not in path.read_bytes()
        writer.write(pack_games(people + [golden_games()[2]]))
        end = writer.byte_count
    data = path.read_bytes()
    path.write_bytes(data + data[data.index(b"NOTE"):data.rindex(b"GAME")])
    with GamesWriter(str(path)) as writer:
        assert (writer.game_count, writer.byte_count) == (6, end)
    games = list(unpack_games(take_games(read_games(str(path)), np.arange(2, 6))))
    assert games == people + [golden_games()[2]]
    assert [(game.players, game.origin) for game in games[:3]] == [(game.players, game.origin) for game in people]
    assert games[0].players == ("Player A", "Player B", "Player C", "Player D")
    assert games[0].origin["platform"] == "tziakcha" and games[3].origin == {}
    numbered = [games[3], replace(games[3], players=(3, 1, 0, 2))]
    assert pack_games(numbered).heads["players"].tolist() == [[0, 0, 0, 0], [3, 1, 0, 2]]


@pytest.mark.parametrize("note", ["x", '{"players": ["a"]}', '{"flowers": [[0, 4, 1]]}', '{"origin": 3}'])
def test_notes_that_are_none_are_refused(note):
    games = pack_games(golden_games()[:1])
    with pytest.raises(ProtocolError, match="expected a note with players, flowers or origin"):
        list(unpack_games(games._replace(notes=np.array([note], object))))


def test_a_file_that_was_cut_short_is_refused_and_taken_up(path):
    """After a crash within a block: readers refuse the file, a writer cuts the torn block off."""
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    with pytest.raises(ProtocolError, match=r"expected whole blocks of games, got \d+ more bytes: .* is cut short at"):
        read_games(str(path))
    with GamesWriter(str(path)) as writer:
        assert writer.game_count == 3
        writer.write(pack_games(golden_games()[3:]))
    assert path.read_bytes() == data


@pytest.mark.parametrize("reason, change, message", [
    ("another format", lambda data: b"x" + data[1:], r"expected a file that begins with b'MJGAMES\\n', got b'xJGAMES"),
    ("nothing", lambda data: b"", "expected a file that begins with"),
    ("a later version", lambda data: data[:8] + b"\2" + data[9:], "expected version %d of the compact form, got 2"
     % VERSION),
    ("a byte that changed", lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
     "expected the checksum [0-9a-f]{8}, got [0-9a-f]{8} in the block at byte 16"),
    ("no block", lambda data: data[:HEADER] + b"XXXX" + data[HEADER + 4:],
     "expected a block that begins with b'GAME', got b'XXXX' at byte 16"),
])
def test_damaged_files_are_refused(path, reason, change, message):
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ProtocolError, match=message):
        read_games(str(path))


def test_what_would_lead_compiled_code_astray_is_refused(tmp_path):
    """A wall that is none, with a checksum that is right."""
    games = pack_games(golden_games()[:3])
    games.walls[1, :3] = 255
    path = str(tmp_path / "games.mjg")
    with GamesWriter(path) as writer:
        writer.write(games)
    with pytest.raises(ProtocolError, match="expected walls of four tiles of each kind, got another as number 1"):
        read_games(path)


def test_moves_longer_than_a_game_are_refused(tmp_path):
    games = pack_games(golden_games()[:1])
    games = games._replace(moves=np.zeros(400, np.uint8), ends=np.array([0, 400]))
    with GamesWriter(str(tmp_path / "games.mjg")) as writer:
        with pytest.raises(MahjongError, match="expected at most 272 bytes of moves a game, got 400"):
            writer.write(games)


def test_a_file_has_one_writer(path):
    with GamesWriter(str(path)):
        found = "expected a file that can be written, got .*: another process uses it"
        with pytest.raises(MahjongError, match=found):
            GamesWriter(str(path))
