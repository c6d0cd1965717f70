"""The project's own form of games: some 200 bytes a game, thousands of games a file.

A file is a header and blocks, each with games of its own; more games are appended as further blocks.

    header  "MJGAMES\\n", version uint16, 6 bytes of zeros
    notes   "NOTE", games uint32, bytes uint32, CRC-32 uint32 of what follows in it
            a line of JSON for each game of the next block, empty or {"players", "flowers", "origin"}, see game.Game;
            left out if all lines are empty
    block   "GAME", games uint32, bytes of moves uint32, CRC-32 uint32 of what follows in it
            lengths of the moves uint16[games], HEAD[games], walls uint8[games, 102] of four tiles in three bytes, moves

Numbers are little-endian. The heads of the blocks are the index of the games. A game takes 119 bytes and its moves
(game.py), at most 119 + MOST_MOVES.
"""

import struct
import zlib
from contextlib import AbstractContextManager
from typing import NamedTuple

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.tile import COPIES, TILE_COUNT
from ..run.files import append_bytes, expect_readable, format_json, open_alone
from ..table.walls import WALL_SIZE
from .game import MOST_MOVES, Game
from .shapes import MISFITS, describe_misfit, parse_json, take_flowers, take_names, take_origin

MAGIC = b"MJGAMES\n"
VERSION = 1
PACKED_WALL = WALL_SIZE * 6 // 8
# Most bytes of a file, which is read whole: some twenty million games.
MOST_BYTES = 1 << 32

# flowers: the winner's; players: numbers that the writer of the file chooses; see game.Game for the others.
HEAD = np.dtype([("facts", "u1"), ("wind", "u1"), ("flowers", "u1"), ("players", "u1", (4,)), ("scores", "<i2", (4,))])

_HEADER = struct.Struct("<8sH6x")
_BLOCK = struct.Struct("<4sIII")
_BLOCK_MAGIC, _NOTE_MAGIC = b"GAME", b"NOTE"
_NAMELESS = ("0", "1", "2", "3")
_GAME_SIZE = 2 + HEAD.itemsize + PACKED_WALL


class Games(NamedTuple):
    """Many games as arrays."""

    heads: np.ndarray  # HEAD[N]
    walls: np.ndarray  # uint8[N, 102], packed
    moves: np.ndarray  # uint8[total]
    ends: np.ndarray  # int64[N + 1], game i has moves[ends[i]:ends[i + 1]]
    notes: np.ndarray  # object[N], texts as above


def pack_walls(walls):
    """Walls uint8[N, 136] as uint8[N, 102]: four tiles of six bits in three bytes."""
    a, b, c, d = np.moveaxis(np.asarray(walls, np.uint8).reshape(-1, WALL_SIZE // 4, 4), 2, 0)
    return np.stack([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d], axis=2).reshape(-1, PACKED_WALL)


def unpack_walls(packed):
    """The inverse of pack_walls.

    >>> walls = np.arange(272, dtype=np.uint8).reshape(2, 136) % 34
    >>> bool((unpack_walls(pack_walls(walls)) == walls).all())
    True
    """
    x, y, z = np.moveaxis(packed.reshape(-1, PACKED_WALL // 3, 3), 2, 0)
    return np.stack([x >> 2, (x & 3) << 4 | y >> 4, (y & 15) << 2 | z >> 6, z & 63], axis=2).reshape(-1, WALL_SIZE)


def _make_ends(sizes):
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def join_games(parts):
    """One Games of several."""
    parts = list(parts) or [pack_games([])]
    heads, walls, moves, sizes, notes = (
        np.concatenate(column) for column in zip(*(part._replace(ends=np.diff(part.ends)) for part in parts)))
    return Games(heads, walls, moves, _make_ends(sizes), notes)


def take_games(games, places):
    """The Games at places, int[K], in that order."""
    starts, sizes = games.ends[places], np.diff(games.ends)[places]
    ends = _make_ends(sizes)
    moves = games.moves[np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1])]
    return Games(games.heads[places], games.walls[places], moves, ends, games.notes[places])


def pack_games(games):
    """Games of a list of Game; names of players that are no numbers 0..255 go into the notes."""
    heads = np.zeros(len(games), HEAD)
    for place, game in enumerate(games):
        players = [player if isinstance(player, int) else 0 for player in game.players]
        heads[place] = (game.facts, game.wind, game.winner_flowers, players, game.scores)
    walls = np.frombuffer(b"".join(game.wall for game in games), np.uint8).reshape(-1, WALL_SIZE)
    moves = np.frombuffer(b"".join(game.moves for game in games), np.uint8)
    notes = np.array([_write_note(game) for game in games], object)
    return Games(heads, pack_walls(walls), moves, _make_ends([len(game.moves) for game in games]), notes)


def _write_note(game):
    note = {"flowers": game.flowers, "origin": game.origin}
    if not all(isinstance(player, int) for player in game.players) and game.players != _NAMELESS:
        note["players"] = game.players
    note = {key: value for key, value in note.items() if value}
    return format_json(note, ensure_ascii=True) if note else ""


def read_note(text):
    """The dict of a note, with some of "players" (4 names), "flowers" and "origin". Raises ProtocolError."""
    try:
        note = parse_json(text) if text else {}
        read = {"players": take_names, "flowers": take_flowers, "origin": take_origin}
        return {key: take(note[key]) for key, take in read.items() if key in note}
    except MISFITS as error:
        raise ProtocolError("expected a note with players, flowers or origin, got %.80r: %s" % (
            text, describe_misfit(error))) from None


def unpack_games(games, name=""):
    """Yields a Game for each of Games, named "name:number" from 1 on."""
    walls = unpack_walls(games.walls)
    for place, head in enumerate(games.heads):
        moves = games.moves[games.ends[place]:games.ends[place + 1]].tobytes()
        note = dict({"players": head["players"].tolist()}, **read_note(games.notes[place]))
        yield Game(walls[place].tobytes(), int(head["wind"]), moves, head["scores"].tolist(), int(head["facts"]),
                   name="%s:%d" % (name, place + 1), **note)


def read_games(path):
    """The Games of a file; as parse_games."""
    return parse_games(read_file(path), path)


def read_file(path):
    """The bytes of a file of games. Raises ProtocolError: it cannot be read, or has more than MOST_BYTES."""
    with expect_readable("a file of games, got %r" % str(path)), open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ProtocolError("expected a file of games of at most %d bytes, got more in %s" % (MOST_BYTES, path))
    return data


def parse_games(data, path):
    """The Games in the bytes of a file. Raises ProtocolError: another format or version, or a damaged file."""
    parts, end = _scan(data, path)
    if end < len(data):
        raise ProtocolError("expected whole blocks of games, got %d more bytes: %s is cut short at byte %d"
                            % (len(data) - end, path, end))
    return join_games(parts)


def _scan(data, path):
    """(list of Games, a block each; byte after the last whole one)."""
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise ProtocolError("expected a file that begins with %r, got %r in %s" % (MAGIC, data[:8], path))
    version = _HEADER.unpack_from(data)[1]
    if version != VERSION:
        raise ProtocolError("expected version %d of the compact form, got %d in %s" % (VERSION, version, path))
    parts, notes, at, whole = [], None, _HEADER.size, _HEADER.size
    while at + _BLOCK.size <= len(data):
        magic, count, size, check = _BLOCK.unpack_from(data, at)
        if magic not in (_BLOCK_MAGIC, _NOTE_MAGIC):
            raise ProtocolError("expected a block that begins with %r, got %r at byte %d of %s"
                                % (_BLOCK_MAGIC, magic, at, path))
        body = at + _BLOCK.size
        end = body + count * _GAME_SIZE * (magic == _BLOCK_MAGIC) + size
        if end > len(data):
            break
        found = zlib.crc32(memoryview(data)[body:end])
        if found != check:
            raise ProtocolError("expected the checksum %08x, got %08x in the block at byte %d of %s"
                                % (check, found, at, path))
        if magic == _NOTE_MAGIC:
            notes = data[body:end].decode("ascii", "replace").split("\n")
        else:
            notes = notes or [""] * count
            if len(notes) != count:
                raise ProtocolError("expected %d notes of the games at byte %d, got %d in %s" % (
                    count, at, len(notes), path))
            parts.append(_read_block(data, body, count, size=size, notes=np.array(notes, object)))
            _check_block(parts[-1], size, "in the block at byte %d of %s" % (at, path))
            notes, whole = None, end
        at = end
    return parts, whole


def _read_block(data, at, count, *, size, notes):
    sizes = np.frombuffer(data, "<u2", count, at)
    at += sizes.nbytes
    heads = np.frombuffer(data, HEAD, count, at)
    at += heads.nbytes
    walls = np.frombuffer(data, np.uint8, count * PACKED_WALL, at).reshape(count, PACKED_WALL)
    at += walls.nbytes
    return Games(heads, walls, np.frombuffer(data, np.uint8, size, at), _make_ends(sizes), notes)


def _check_block(games, size, where):
    """Refuses values that would lead compiled code out of its arrays."""
    if games.ends[-1] != size:
        raise ProtocolError("expected moves of %d bytes, got %d %s" % (size, games.ends[-1], where))
    whole = np.repeat(np.arange(TILE_COUNT, dtype=np.uint8), COPIES)
    bad = np.flatnonzero((np.sort(unpack_walls(games.walls), axis=1) != whole).any(axis=1))
    if len(bad):
        raise ProtocolError("expected walls of four tiles of each kind, got another as number %d %s" % (bad[0], where))
    if len(games.heads) and games.heads["wind"].max() > 3:
        raise ProtocolError("expected prevalent winds 0..3, got %d %s" % (games.heads["wind"].max(), where))


class GamesWriter(AbstractContextManager):
    """Appends to a file of games, as a context manager. game_count, byte_count: of the whole file."""

    def __init__(self, path):
        """Opens or creates the file; an incomplete last block is cut off.

        Raises ProtocolError: another format or version, or a damaged file. MahjongError: the file cannot be written, or
        another process writes to it.
        """
        self.path = path
        self._file = open_alone(path)
        try:
            data = read_file(path)
            if len(data) < _HEADER.size and _HEADER.pack(MAGIC, VERSION).startswith(data):
                self._file.truncate(0)
                data = _HEADER.pack(MAGIC, VERSION)
                self._write(data)
            parts, self.byte_count = _scan(data, path)
            self._file.truncate(self.byte_count)
            self.game_count = sum(len(part.heads) for part in parts)
        except MahjongError:
            self.close()
            raise

    def __exit__(self, *details):
        self.close()

    def write(self, games):
        """Appends Games as a block. Raises MahjongError: no room, or more moves than a game can have."""
        sizes = np.diff(games.ends)
        if len(sizes) and sizes.max() > MOST_MOVES:
            raise MahjongError("expected at most %d bytes of moves a game, got %d for %s"
                               % (MOST_MOVES, sizes.max(), self.path))
        body = sizes.astype("<u2").tobytes() + games.heads.tobytes() + games.walls.tobytes() + games.moves.tobytes()
        block = _BLOCK.pack(_BLOCK_MAGIC, len(games.heads), len(games.moves), zlib.crc32(body)) + body
        if any(games.notes):
            body = "\n".join(games.notes).encode()
            block = _BLOCK.pack(_NOTE_MAGIC, len(games.heads), len(body), zlib.crc32(body)) + body + block
        self._write(block)
        self.game_count += len(games.heads)
        self.byte_count += len(block)

    def _write(self, data):
        append_bytes(self._file, data, "games in %r" % self.path)

    def close(self):
        self._file.close()
