"""Finds the games in files and directories, whatever form of formats.py they have. .gz is unpacked."""

import gzip
import os
from itertools import chain, islice
from typing import NamedTuple, Union

from ...mahjong.errors import MahjongError, ProtocolError
from ..table.record import Record, Transcript
from . import compact
from .follow import game_from_record, record_from_game
from .formats import find_format, parse_text
from .game import BrokenGameError, Game

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".json.gz", ".jsonl.gz", ".txt.gz", ".log.gz", ".mjg")


class Raw(NamedTuple):
    """A game as it stands in its source."""

    path: str
    line: int  # the first one
    where: str  # "path", or "path:line" of one of several
    content: Union[str, Game, MahjongError]  # a Game of the compact form; an error in place of what cannot be read


def list_files(paths):
    """Paths of the files in `paths`, where directories are searched for names that end as records do, in order.

    Raises ProtocolError: a path that is not there, or a directory without records.
    """
    files = []
    for path in paths:
        if not os.path.isdir(path):
            if not os.path.exists(path):
                raise ProtocolError("expected a file or directory, there is no %r" % path)
            files.append(path)
            continue
        found = sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
            if name.endswith(_SUFFIXES)
        )
        if not found:
            raise ProtocolError("expected records (%s) in %r, found none" % (" ".join(_SUFFIXES), path))
        files += found
    return files


def cut_games(path):
    """Yields the Raw of each game of a file."""
    try:
        with open(path, "rb") as file:
            is_compact = compact.is_compact(file.read(len(compact.MAGIC)))
        if is_compact:
            for number, game in enumerate(compact.unpack_games(compact.read_games(path), path), 1):
                yield Raw(path, number, "%s:%d" % (path, number), game)
            return
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
            yield from _cut_text(path, file)
    except ProtocolError as error:
        yield Raw(path, 1, path, error)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        yield Raw(path, 1, path, ProtocolError("expected text that can be read, got: %s" % error))


def _cut_text(path, file):
    first = list(islice(file, 3))
    found = find_format("".join(first), first[0]) if first else None
    if found is None or found.begins is None:
        yield Raw(path, 1, path, "".join(chain(first, file)))
        return
    start, lines = 1, []
    for number, line in enumerate(chain(first, file), 1):
        if lines and found.begins(line):
            yield Raw(path, start, "%s:%d" % (path, start), "".join(lines))
            start, lines = number, []
        lines.append(line)
    yield Raw(path, start, "%s:%d" % (path, start), "".join(lines))


def parse_raw(raw):
    """The Game of a Raw.

    Raises MahjongError: what is there is no game of all four seats, or none of any form.
    """
    game = _parse(raw)
    if isinstance(game, Transcript):
        raise ProtocolError("expected a game of all four seats, got one bot's input in %s" % raw.where)
    if isinstance(game, Record):
        game = game_from_record(game)
        game.where = raw.where
    return game


def _parse(raw):
    if isinstance(raw.content, MahjongError):
        raise raw.content
    return raw.content if isinstance(raw.content, Game) else parse_text(raw)


class ReadGame(NamedTuple):
    """A game of a file. Where it breaks, the transcripts are those before."""

    where: str  # "path", or "path:line" of one of several
    record: Union[Record, None]  # None where the source has one seat's side alone, or nothing can be read
    transcripts: list  # a table.record.Transcript of each seat that the source has
    error: Union[MahjongError, None]


def read_games(path):
    """Yields a ReadGame for each game of a file; the games after one that breaks still come."""
    for raw in cut_games(path):
        error = game = None
        try:
            game = _parse(raw)
            if isinstance(game, Game):
                game = record_from_game(game)
        except BrokenGameError as caught:
            error, game = caught, caught.record
        except MahjongError as caught:
            error = caught
        if isinstance(game, Transcript):
            yield ReadGame(raw.where, None, [game], error)
        else:
            yield ReadGame(raw.where, game, game.transcripts() if game else [], error)
