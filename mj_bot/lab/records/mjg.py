"""Reads .mjg files, the compact form of games up to version 1.0: a header, then blocks of games.

    header  "MJGAMES\\n", version uint16, 6 bytes of zeros
    notes   "NOTE", games uint32, bytes uint32, CRC-32 uint32 of the rest: a line of JSON for each game of the next
            block, with the keys "players", "flowers" and "origin", or an empty line
    block   "GAME", games uint32, bytes of moves uint32, CRC-32 uint32 of the rest: lengths of the moves
            uint16[games], compact.HEAD[games], walls uint8[games, 102] of four tiles in three bytes, moves

Numbers are little-endian. `mj-bot records convert FILE.mjg -o FOLDER` writes the games in the present form.
"""

import struct
import zlib

import numpy as np

from ...mahjong.errors import ProtocolError
from ..table.walls import WALL_SIZE
from .compact import HEAD, Games, check_games, join_games, make_ends

MJG_MAGIC = b"MJGAMES\n"
_MJG_VERSION = 1
_HEADER, _BLOCK = struct.Struct("<8sH6x"), struct.Struct("<4sIII")
_PACKED_WALL = WALL_SIZE * 6 // 8
_GAME_SIZE = 2 + HEAD.itemsize + _PACKED_WALL


def parse_mjg(data: bytes, path: str) -> Games:
    """Returns the games in `data`, the bytes of a file. path: path of the file, for messages of errors.

    Raises ProtocolError: the file has another version, or it is damaged.
    """
    if len(data) < _HEADER.size or _HEADER.unpack_from(data) != (MJG_MAGIC, _MJG_VERSION):
        raise ProtocolError("expected games in version %d of .mjg, got %r in %s" % (
            _MJG_VERSION, bytes(data[:_HEADER.size]), path))
    blocks, notes, start = [], None, _HEADER.size
    while start < len(data):
        where = "in the block at byte %d of %s" % (start, path)
        magic, count, size, check = _BLOCK.unpack_from(data.ljust(start + _BLOCK.size, b"\0"), start)
        body = start + _BLOCK.size
        end = body + count * _GAME_SIZE * (magic == b"GAME") + size
        if magic not in (b"GAME", b"NOTE") or end > len(data) or zlib.crc32(memoryview(data)[body:end]) != check:
            raise ProtocolError("expected whole games with their checksum, got others " + where)
        if magic == b"NOTE":
            notes = data[body:end].decode("ascii", "replace").split("\n")
        else:
            notes = notes or [""] * count
            if len(notes) != count:
                raise ProtocolError("expected %d notes, got %d %s" % (count, len(notes), where))
            blocks.append(_read_block(data, body, count, size=size, notes=np.array(notes, object)))
            check_games(blocks[-1], where)
            notes = None
        start = end
    return join_games(blocks)


def _read_block(data, start, count, *, size, notes):
    """Returns the games of a block. start: index of its first byte. count: number of games. size: bytes of all moves.
    """
    sizes = np.frombuffer(data, "<u2", count, start)
    start += sizes.nbytes
    heads = np.frombuffer(data, HEAD, count, start)
    start += heads.nbytes
    packed = np.frombuffer(data, np.uint8, count * _PACKED_WALL, start).reshape(count, _PACKED_WALL // 3, 3)
    x, y, z = np.moveaxis(packed, 2, 0)
    walls = np.stack([x >> 2, (x & 3) << 4 | y >> 4, (y & 15) << 2 | z >> 6, z & 63], axis=2).reshape(-1, WALL_SIZE)
    return Games(heads, walls, np.frombuffer(data, np.uint8, size, start + packed.nbytes), make_ends(sizes), notes)
