"""Files .mjg, which people have from version 1.0, are read, and written into a folder by `records convert`."""

import gzip
import struct
import zlib

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.compact import pack_games, read_games_folder, unpack_games
from mj_bot.lab.records.mjg import parse_mjg
from mj_bot.lab.records.source import read_games
from mj_bot.mahjong.errors import ProtocolError
from tests.golden_games import SAMPLES
from tests.lab.records.platforms.test_tziakcha import load_made, read

GAMES, HANDS = ((SAMPLES / name).read_bytes() for name in ("games.mjg", "hands.mjg"))
HEADER, BLOCK = 16, 16


def test_they_have_the_games_that_they_were_made_of():
    logs = list(read_games(str(SAMPLES / "botzone.jsonl.gz")))
    assert [list(game.scores) for game in unpack_games(parse_mjg(GAMES, "here"), "here")] == [
        game.record.scores for game in logs]
    people = [read(step) for step in load_made()]
    hands = list(unpack_games(parse_mjg(HANDS, "here"), "here"))
    assert hands == people and hands[0].name == "here:1"
    assert [game.players for game in hands] == [game.players for game in people]
    assert hands[3].origin["hand"] == 3 and hands[3].origin["platform"] == "tziakcha"


@pytest.mark.parametrize("suffix", [".mjg", ".mjg.gz"])
def test_records_convert_writes_them_into_a_folder(suffix, tmp_path, capsys):
    path, folder = tmp_path / ("hands" + suffix), tmp_path / "hands"
    path.write_bytes(gzip.compress(HANDS) if suffix.endswith(".gz") else HANDS)
    assert main(["records", "convert", str(path), "-o", str(folder)]) == 0
    assert "Games: 12 in" in capsys.readouterr().out
    assert list(unpack_games(read_games_folder(folder))) == list(unpack_games(parse_mjg(HANDS, "")))


def test_blocks_follow_one_another():
    games = list(unpack_games(parse_mjg(GAMES + HANDS[HEADER:] + GAMES[HEADER:], "")))
    assert len(games) == 5 + 12 + 5 and games[:5] == games[17:]


def change_wall(data):
    """A block with a wall that is none, and a checksum that is right."""
    magic, count, size, _ = struct.unpack_from("<4sIII", data, HEADER)
    body = bytearray(data[HEADER + BLOCK:])
    body[count * 17:count * 17 + 3] = b"\xff" * 3
    return data[:HEADER] + struct.pack("<4sIII", magic, count, size, zlib.crc32(body)) + bytes(body)


@pytest.mark.parametrize("change, message", [
    (lambda data: b"x" + data[1:], "expected games in version 1 of .mjg, got b'xJGAMES"),
    (lambda data: b"", "expected games in version 1 of .mjg"),
    (lambda data: data[:8] + b"\2" + data[9:], "expected games in version 1 of .mjg"),
    (lambda data: data[:-10], "expected whole games with their checksum, got others in the block at byte 16 of here"),
    (lambda data: data + b"GAME", "got others in the block at byte 1030"),
    (lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], "expected whole games with their checksum"),
    (lambda data: data[:HEADER] + b"XXXX" + data[HEADER + 4:], "expected whole games with their checksum"),
    (lambda data: HANDS[:HANDS.rindex(b"GAME")] + GAMES[HEADER:], "expected 5 notes, got 12"),
    (change_wall, "expected walls of four tiles of each kind, got another as number 0"),
])
def test_damaged_files_are_refused(change, message):
    with pytest.raises(ProtocolError, match=message):
        parse_mjg(change(GAMES), "here")


def test_a_file_without_games():
    assert len(parse_mjg(GAMES[:HEADER], "here").heads) == len(pack_games([]).heads) == 0
