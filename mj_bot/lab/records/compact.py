"""The compact form: many games as arrays, some 150 bytes a game, in a folder of .npz files.

The folder is that of a run, see run/run_folder.py. games-000000.npz and the files after it have the games of one task:

    facts, wind, flowers    uint8[N], see game.Game; flowers: of the winner
    players                 uint8[N, 4], numbers that the writer of the folder chooses
    scores                  int16[N, 4]
    walls                   uint8[N, 136], tiles 0..33
    sizes, moves            uint16[N], bytes of each game's moves; uint8[total], the moves of all games, see game.py
    notes                   uint8[K], left out where no game has one: a line of JSON for each game, empty or
                            {"players", "flowers", "origin"}, see game.Game
    broken                  uint8[K], JSON of [[where, what is wrong], ...] of the games that are not legal

run.json has the number of files as the fact `parts` as soon as all are there.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import read_arrays
from ...mahjong.errors import ProtocolError
from ...mahjong.rules import SEATS
from ...mahjong.tile import COPIES, TILE_COUNT
from ..run.files import format_json
from ..run.run_folder import RunFolder, expect_part, is_run, list_parts, read_run
from ..table.walls import WALL_SIZE
from .game_record import MOST_MOVES, Game
from .shapes import MISFITS, describe_misfit, parse_json, take_flowers, take_names, take_origin

GAMES_KIND, GAMES_VERSION = "games", 1
PARTS_FACT = "parts"

HEAD = np.dtype([("facts", "u1"), ("wind", "u1"), ("flowers", "u1"), ("players", "u1", (SEATS,)),
                 ("scores", "<i2", (SEATS,))])

_GAMES_SUFFIX = ".npz"
_MOST_PART = 1 << 30  # bytes of a file, unpacked: some million games
_FIELDS = {name: (HEAD[name].base.str[1:], (None,) + HEAD[name].shape) for name in HEAD.names}
_FIELDS.update(walls=("u1", (None, WALL_SIZE)), sizes=("u2", (None,)), moves=("u1", (None,)))
_NAMELESS = ("0", "1", "2", "3")


class Games(NamedTuple):
    """Many games as arrays."""

    heads: np.ndarray  # HEAD[N]
    walls: np.ndarray  # uint8[N, 136]
    moves: np.ndarray  # uint8[total]
    ends: np.ndarray  # int64[N + 1], game i has moves[ends[i]:ends[i + 1]]
    notes: np.ndarray  # object[N], texts, see above


def make_ends(sizes: np.ndarray) -> np.ndarray:
    """Returns where the moves of games of these sizes begin, and the end of the last, int64[N + 1]."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def join_games(several: Iterable[Games]) -> Games:
    """Returns one Games of several."""
    several = list(several) or [pack_games([])]
    heads, walls, moves, sizes, notes = (
        np.concatenate(column) for column in zip(*(games._replace(ends=np.diff(games.ends)) for games in several)))
    return Games(heads, walls, moves, make_ends(sizes), notes)


def take_games(games: Games, indices: np.ndarray) -> Games:
    """Returns the Games with these indices, int[K], in that order."""
    starts, sizes = games.ends[indices], np.diff(games.ends)[indices]
    ends = make_ends(sizes)
    moves = games.moves[np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1])]
    return Games(games.heads[indices], games.walls[indices], moves, ends, games.notes[indices])


def pack_games(games: list[Game]) -> Games:
    """Returns the Games of a list of Game; names of players that are no numbers 0..255 go into the notes."""
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
    """Returns the dict of a note, with some of "players" (4 names), "flowers" and "origin". Raises ProtocolError."""
    try:
        note = parse_json(text) if text else {}
        read = {"players": take_names, "flowers": take_flowers, "origin": take_origin}
        return {key: take(note[key]) for key, take in read.items() if key in note}
    except MISFITS as error:
        raise ProtocolError("expected a note with players, flowers or origin, got %.80r: %s" % (
            text, describe_misfit(error))) from None


def has_own_fans(note: dict) -> bool:
    """Checks whether the platform of a game counts its fans otherwise than the judge. note: of read_note."""
    origin = note.get("origin", {})
    return "sub_rule" in origin or bool(origin.get("rules", {}).get("knitted_wait"))


def unpack_games(games: Games, name: str = "") -> Iterator[Game]:
    """Yields a Game for each of Games, named "name:number" from 1 on."""
    for index, head in enumerate(games.heads):
        moves = games.moves[games.ends[index]:games.ends[index + 1]].tobytes()
        note = dict({"players": head["players"].tolist()}, **read_note(games.notes[index]))
        yield Game(games.walls[index].tobytes(), int(head["wind"]), moves, head["scores"].tolist(), int(head["facts"]),
                   name="%s:%d" % (name, index + 1), **note)


def digest_games(games: Games) -> str:
    """Returns a digest (text) of Games, which does not depend on the files that they were read from."""
    digest = hashlib.sha256()
    for array in (games.heads, games.walls, games.moves, games.ends):
        digest.update(array.tobytes())
    digest.update("\n".join(games.notes).encode())
    return digest.hexdigest()


def name_part(task: int) -> str:
    """Returns the name of the file of task `number`."""
    return "games-%06d%s" % (task, _GAMES_SUFFIX)


def write_part(run: RunFolder, task: int, games: Games, broken: Sequence[tuple] = ()) -> None:
    """Writes the Games of a task into a run_folder.RunFolder. broken: list of (where, what is wrong).

    Raises MahjongError: the file cannot be written. ProtocolError: games that no reader would take.
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
    """Returns (Games, list of (where, what is wrong)) of the file of a task.

    Raises ProtocolError: it cannot be read, or has other arrays than those of games.
    """
    with expect_part(path):
        arrays = read_arrays(path, _MOST_PART, _FIELDS)
        sizes = arrays["sizes"]
        count = len(sizes)
        notes = _decode(arrays, "notes", "\n" * (count - 1)).split("\n") if count else []
        if {count} != {len(notes), len(arrays["walls"]), *(len(arrays[name]) for name in HEAD.names)}:
            raise ValueError("expected arrays of %d games" % count)
        heads = np.zeros(count, HEAD)
        for name in HEAD.names:
            heads[name] = arrays[name]
        broken = parse_json(_decode(arrays, "broken", "[]"))
        if not isinstance(broken, list) or not all(
                isinstance(item, list) and list(map(type, item)) == [str, str] for item in broken):
            raise ValueError("expected what is wrong with other games, got %.80r" % (broken,))
    games = Games(heads, arrays["walls"], arrays["moves"], make_ends(sizes), np.array(notes, object))
    check_games(games, "in %s" % path)
    return games, list(map(tuple, broken))


def _decode(arrays, name, default):
    if name not in arrays:
        return default
    array = arrays[name]
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError("expected %s of bytes, got %s, %r" % (name, array.dtype, array.shape))
    return array.tobytes().decode()


def check_games(games: Games, where: str) -> None:
    """Refuses values that would lead compiled code out of its arrays. where: end of an error's text."""
    sizes = np.diff(games.ends)
    if games.ends[-1] != len(games.moves):
        raise ProtocolError("expected moves of %d bytes, got %d %s" % (games.ends[-1], len(games.moves), where))
    if len(sizes) and sizes.max() > MOST_MOVES:
        raise ProtocolError("expected at most %d bytes of moves a game, got %d %s" % (MOST_MOVES, sizes.max(), where))
    whole = np.repeat(np.arange(TILE_COUNT, dtype=np.uint8), COPIES)
    bad = np.flatnonzero((np.sort(games.walls, axis=1) != whole).any(axis=1))
    if len(bad):
        raise ProtocolError("expected walls of four tiles of each kind, got another as number %d %s" % (bad[0], where))
    if len(games.heads) and games.heads["wind"].max() > 3:
        raise ProtocolError("expected prevalent winds 0..3, got %d %s" % (games.heads["wind"].max(), where))


def is_games_folder(path: str | Path) -> bool:
    """Checks whether a folder is that of a run with games."""
    try:
        return is_run(path) and bool(read_run(path, GAMES_KIND, GAMES_VERSION))
    except ProtocolError:
        return False


def list_game_files(folder: str | Path) -> list[Path]:
    """Returns the paths of the files of games in a folder, in order.

    Raises ProtocolError: no folder of games, or one whose command has not come to its end.
    """
    run = read_run(folder, GAMES_KIND, GAMES_VERSION)
    count = run["facts"].get(PARTS_FACT)
    if type(count) is not int:
        raise ProtocolError("expected all games of a run, got a part of them in %s; this command goes on: %.300s" % (
            folder, run.get("command")))
    # A link may lead out of the folder; a pipe would wait for ever.
    names, files = set(list_parts(folder, _GAMES_SUFFIX)), []
    while len(files) < count:
        if name_part(len(files)) not in names:
            raise ProtocolError("expected %d files of games in %s, got no %s" % (
                count, folder, name_part(len(files))))
        files.append(Path(folder) / name_part(len(files)))
    return files


def read_games(folder: str | Path) -> Games:
    """Returns all Games of a folder. Raises ProtocolError: no whole folder of games, or a damaged one."""
    return join_games(read_part(path)[0] for path in list_game_files(folder))


def measure_folder(folder: str | Path) -> int:
    """Returns the bytes of the files of games in a folder."""
    return sum(os.path.getsize(os.path.join(folder, name)) for name in list_parts(folder, _GAMES_SUFFIX)
               if name.startswith("games-"))
