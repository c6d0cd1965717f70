"""Keeps many games as arrays, with about 150 bytes per game, in a folder of .npz files: the compact form.

The folder is a run (run/run_folder.py). Each task of the run writes one file: games-000000.npz and so on. A file with N
games has these arrays, whose values mean what the fields of game_record.Game mean:

    facts, wind, flowers    uint8[N]; `flowers` counts the flowers of the winner
    players                 uint8[N, 4], numbers that the writer of the folder chooses
    scores                  int16[N, 4]
    walls                   uint8[N, 136], tiles 0..33
    sizes                   uint16[N], bytes of each game's moves
    moves                   uint8[total], the moves of all games one after another
    notes                   uint8[K], a line of JSON for each game: empty, or {"players", "flowers", "origin"}. The
                            array is left out where no game has a note.
    broken                  uint8[K], JSON of [[where, what is wrong], ...] of the games that are not legal

As soon as all files are there, run.json has their number as the fact `parts`.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import read_arrays
from ...mahjong.errors import Message, ProtocolError
from ...mahjong.rules import SEATS
from ...mahjong.tile import COPIES, TILE_COUNT
from ..run.files import format_json
from ..run.run_folder import RunFolder, expect_part, is_run, list_parts, read_run
from ..table.walls import WALL_SIZE
from .game_record import MOST_MOVES, Game
from .record_json import parse_record_json
from .shapes import MISFITS, describe_misfit, take_flowers, take_names, take_origin

GAMES_KIND, GAMES_VERSION = "games", 1
PARTS_FACT = "parts"

HEAD = np.dtype([("facts", "u1"), ("wind", "u1"), ("flowers", "u1"), ("players", "u1", (SEATS,)),
                 ("scores", "<i2", (SEATS,))])

_GAMES_SUFFIX = ".npz"
_MOST_PART = 1 << 30  # most unpacked bytes of a file, enough for some million games
_FIELDS = {name: (HEAD[name].base.str[1:], (None,) + HEAD[name].shape) for name in HEAD.names}
_FIELDS.update(walls=("u1", (None, WALL_SIZE)), sizes=("u2", (None,)), moves=("u1", (None,)))
_NAMELESS = ("0", "1", "2", "3")


class Games(NamedTuple):
    """Keeps many games as arrays, which compiled code reads."""

    heads: np.ndarray  # HEAD[N]
    walls: np.ndarray  # uint8[N, 136]
    moves: np.ndarray  # uint8[total]
    ends: np.ndarray  # int64[N + 1]; the moves of game i are moves[ends[i]:ends[i + 1]]
    notes: np.ndarray  # object[N]; the note of each game is a text of JSON, or "" for none


def make_ends(sizes: np.ndarray) -> np.ndarray:
    """Returns int64[N + 1], where each game's moves begin, and the last ones end. sizes: int[N], bytes of moves."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def join_games(several: Iterable[Games]) -> Games:
    """Returns one Games that contains the games of several Games, in order."""
    several = list(several) or [pack_games([])]
    heads, walls, moves, sizes, notes = (
        np.concatenate(column) for column in zip(*(games._replace(ends=np.diff(games.ends)) for games in several)))
    return Games(heads, walls, moves, make_ends(sizes), notes)


def take_games(games: Games, indices: np.ndarray) -> Games:
    """Returns the games with these indices, in the order of the indices. indices: int[K]."""
    starts, sizes = games.ends[indices], np.diff(games.ends)[indices]
    ends = make_ends(sizes)
    moves = games.moves[np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1])]
    return Games(games.heads[indices], games.walls[indices], moves, ends, games.notes[indices])


def pack_games(games: list[Game]) -> Games:
    """Returns the arrays of a list of games.

    Players that are numbers 0..255 go into the array `players`. Players that have names go into the notes.
    """
    heads = np.zeros(len(games), HEAD)
    for index, game in enumerate(games):
        players = [player if isinstance(player, int) else 0 for player in game.players]
        heads[index] = (game.facts, game.wind, game.winner_flowers, players, game.scores)
    walls = np.frombuffer(b"".join(game.wall for game in games), np.uint8).reshape(-1, WALL_SIZE)
    moves = np.frombuffer(b"".join(game.moves for game in games), np.uint8)
    notes = np.array([_write_note(game) for game in games], object)
    return Games(heads, walls, moves, make_ends([len(game.moves) for game in games]), notes)


def _write_note(game):
    note = {"flowers": game.flowers, "origin": game.origin}
    if not all(isinstance(player, int) for player in game.players) and game.players != _NAMELESS:
        note["players"] = game.players
    note = {key: value for key, value in note.items() if value}
    return format_json(note, ensure_ascii=True) if note else ""


def read_note(text: str) -> dict:
    """Returns the dict in the note of a game. It may have the keys "players" (4 names), "flowers" and "origin".

    Raises ProtocolError: the text is not such a note.
    """
    try:
        note = parse_record_json(text) if text else {}
        read = {"players": take_names, "flowers": take_flowers, "origin": take_origin}
        return {key: take(note[key]) for key, take in read.items() if key in note}
    except MISFITS as error:
        raise ProtocolError("expected a note with players, flowers or origin, got %.80r: %s", text,
                            describe_misfit(error)) from None


def has_own_fans(note: dict) -> bool:
    """Checks whether the platform of a game with this note counts fans otherwise than the judge does."""
    origin = note.get("origin", {})
    return "sub_rule" in origin or bool(origin.get("rules", {}).get("knitted_wait"))


def unpack_games(games: Games, name: str = "") -> Iterator[Game]:
    """Yields each game of a Games as a Game. The games are named "name:1", "name:2" and so on."""
    for index, head in enumerate(games.heads):
        moves = games.moves[games.ends[index]:games.ends[index + 1]].tobytes()
        note = dict({"players": head["players"].tolist()}, **read_note(games.notes[index]))
        yield Game(games.walls[index].tobytes(), int(head["wind"]), moves, head["scores"].tolist(), int(head["facts"]),
                   name="%s:%d" % (name, index + 1), **note)


def digest_games(games: Games) -> str:
    """Returns a digest of games, a text of hexadecimal digits.

    It does not depend on the files that the games come from.
    """
    digest = hashlib.sha256()
    for array in (games.heads, games.walls, games.moves, games.ends):
        digest.update(array.tobytes())
    digest.update("\n".join(games.notes).encode())
    return digest.hexdigest()


def name_part(task: int) -> str:
    """Returns the name of the file of a task, such as games-000000.npz for task 0."""
    return "games-%06d%s" % (task, _GAMES_SUFFIX)


def write_part(run: RunFolder, task: int, games: Games, *, broken: Sequence[tuple] = ()) -> None:
    """Writes the games of a task into the folder of a run.

    run: RunFolder of the run. task: number of the task, 0 first.
    broken: (where, what is wrong) of each game of the task that is not legal.
    Raises MahjongError: the file cannot be written. ProtocolError: read_part would refuse these games.
    """
    name = name_part(task)
    check_games(games, "for %s" % (run.path / name))
    arrays = dict({key: games.heads[key] for key in HEAD.names}, walls=games.walls,
                  sizes=np.diff(games.ends).astype("<u2"), moves=games.moves)
    if any(games.notes):
        arrays["notes"] = _encode("\n".join(games.notes))
    if broken:
        arrays["broken"] = _encode(format_json(broken))
    run.write_arrays(name, arrays)


def _encode(text):
    return np.frombuffer(text.encode("utf-8", "backslashreplace"), np.uint8)


def read_part(path: str | Path) -> tuple[Games, list]:
    """Returns (games, broken) of the file of one task.

    path: path of the file. broken: list of (where, what is wrong) of the games that were not legal.
    Raises ProtocolError: the file cannot be read, or its arrays are not those of games.
    """
    with expect_part(path):
        arrays = read_arrays(path, _MOST_PART, _FIELDS)
        sizes = arrays["sizes"]
        count = len(sizes)
        notes = _decode(arrays.get("notes"), "\n" * (count - 1)).split("\n") if count else []
        if {count} != {len(notes), len(arrays["walls"]), *(len(arrays[name]) for name in HEAD.names)}:
            raise ValueError(Message("expected arrays of %d games", count))
        heads = np.zeros(count, HEAD)
        for name in HEAD.names:
            heads[name] = arrays[name]
        broken = parse_record_json(_decode(arrays.get("broken"), "[]"))
        if not isinstance(broken, list) or not all(
                isinstance(item, list) and list(map(type, item)) == [str, str] for item in broken):
            raise ValueError(Message("expected what is wrong with other games, got %.80r", broken))
    games = Games(heads, arrays["walls"], arrays["moves"], make_ends(sizes), np.array(notes, object))
    check_games(games, "in %s" % path)
    return games, list(map(tuple, broken))


def _decode(array, default):
    return default if array is None else array.tobytes().decode()


def check_games(games: Games, where: str) -> None:
    """Refuses values that would lead compiled code out of its arrays.

    where: end of the error's text, which says where the games were read.
    Raises ProtocolError: moves, a wall or a wind is outside of its range.
    """
    sizes = np.diff(games.ends)
    if games.ends[-1] != len(games.moves):
        raise ProtocolError("expected moves of %d bytes, got %d %s", games.ends[-1], len(games.moves), where)
    if len(sizes) and sizes.max() > MOST_MOVES:
        raise ProtocolError("expected at most %d bytes of moves a game, got %d %s", MOST_MOVES, sizes.max(), where)
    whole = np.repeat(np.arange(TILE_COUNT, dtype=np.uint8), COPIES)
    bad = np.flatnonzero((np.sort(games.walls, axis=1) != whole).any(axis=1))
    if len(bad):
        raise ProtocolError("expected walls of four tiles of each kind, got another as number %d %s", bad[0], where)
    if len(games.heads) and games.heads["wind"].max() > 3:
        raise ProtocolError("expected prevalent winds 0..3, got %d %s", games.heads["wind"].max(), where)


def is_games_folder(path: str | Path) -> bool:
    """Checks whether a path is the folder of a run whose parts are games."""
    try:
        return is_run(path) and bool(read_run(path, GAMES_KIND, GAMES_VERSION))
    except ProtocolError:
        return False


def list_game_files(folder: str | Path) -> list[Path]:
    """Returns the paths of the files of games in a folder, in order.

    Raises ProtocolError: the folder has no games, or the command that writes it has not come to its end.
    """
    run = read_run(folder, GAMES_KIND, GAMES_VERSION)
    count = run["facts"].get(PARTS_FACT)
    if type(count) is not int:
        raise ProtocolError("expected all games of a run, got a part of them in %s; this command goes on: %.300s",
                            folder, run.get("command"))
    # list_parts leaves out links, which may lead out of the folder, and pipes, which would wait for ever.
    names, files = set(list_parts(folder, _GAMES_SUFFIX)), []
    while len(files) < count:
        if name_part(len(files)) not in names:
            raise ProtocolError("expected %d files of games in %s, got no %s", count, folder, name_part(len(files)))
        files.append(Path(folder) / name_part(len(files)))
    return files


def read_games_folder(folder: str | Path) -> Games:
    """Returns all games of a folder. Raises ProtocolError: they are not all there, or a file is damaged."""
    return join_games(read_part(path)[0] for path in list_game_files(folder))


def measure_folder(folder: str | Path) -> int:
    """Returns the size of the files of games in a folder, in bytes."""
    return sum(os.path.getsize(os.path.join(folder, name)) for name in list_parts(folder, _GAMES_SUFFIX)
               if name.startswith("games-"))
