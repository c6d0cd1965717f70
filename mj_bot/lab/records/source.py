"""Finds the games in files and directories, whatever of our formats they are in.

What a file holds is told by how it begins: the organisers' text ("Match"), the Lianzhong platform's, the compact form,
or JSON, one game a file or one a line: a Botzone log ("logs", or a list), a game of the recorded judge ("steps"), a
bot's input ("requests"). .gz is unpacked. A bot's simplified input is read too, and what was sent to a bot that kept
running; inputs tell of one seat alone.
"""

import gzip
import json
import os
from collections import namedtuple
from itertools import chain, islice

from ...botzone import SIMPLIFIED, detect_interaction, read_input
from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.request import read_input as read_json_input
from ..table.record import Record, Transcript
from . import compact
from .botzone_log import parse_log
from .follow import game_from_record, record_from_game
from .golden import parse_golden
from .lianzhong import is_lianzhong, parse_lianzhong
from .official import parse_official

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".json.gz", ".jsonl.gz", ".txt.gz", ".log.gz", ".mjg")
_MATCH = "Match "
_OFFICIAL, _LIANZHONG, _COMPACT, _OTHER = range(4)

# A game as it stands in its source. kind: how to read it. content: list of lines, or a Game. line: number of the first.
Raw = namedtuple("Raw", "kind content line path")


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
    """Yields the Raw of each game of a file, which may still turn out to be none.

    Raises ProtocolError: a file that cannot be read, or a compact one that is damaged.
    """
    try:
        with open(path, "rb") as file:
            is_compact = compact.is_compact(file.read(len(compact.MAGIC)))
        if is_compact:
            for number, game in enumerate(compact.unpack_games(compact.read_games(path), path), 1):
                yield Raw(_COMPACT, game, number, path)
            return
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
            for kind, line, lines in _cut_text(file):
                yield Raw(kind, lines, line, path)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ProtocolError("expected text that can be read, got: %s" % error) from None


def _cut_text(file):
    """(kind, number of the first line, lines) of each game."""
    first = list(islice(file, 3))
    lines = chain(first, file)
    if first and first[0].startswith(_MATCH):
        for start, block in _cut_before(lines, lambda line: line.startswith(_MATCH)):
            yield _OFFICIAL, start, block
    elif is_lianzhong(first):
        yield _LIANZHONG, 1, list(lines)
    elif first and _is_whole(first[0]):
        # A line a game, and after it the lone requests that came while the bot kept running.
        for start, block in _cut_before(lines, lambda line: line.strip() and not line.startswith('"')):
            yield _OTHER, start, block
    else:
        yield _OTHER, 1, ["".join(lines)]


def _cut_before(lines, is_first):
    start, block = 1, []
    for number, line in enumerate(lines, 1):
        if block and is_first(line):
            yield start, block
            start, block = number, []
        block.append(line)
    if block:
        yield start, block


def name_raw(raw):
    """Where a game is, "path", or "path:line" of the first of several."""
    return raw.path if raw.line == 1 and raw.kind == _LIANZHONG else "%s:%d" % (raw.path, raw.line)


def parse_raw(raw):
    """The Game of a Raw.

    Raises MahjongError: what is there is no game of all four seats, or none that its format can tell.
    """
    if raw.kind == _COMPACT:
        return raw.content
    if raw.kind == _OFFICIAL:
        return parse_official("".join(raw.content), raw.line, raw.path)
    if raw.kind == _LIANZHONG:
        return parse_lianzhong("".join(raw.content), raw.line, raw.path)
    where = name_raw(raw)
    record, _ = _parse_other(raw.content, where)
    if record is None:
        raise ProtocolError("expected a game of all four seats, got one bot's input in %s" % where)
    game = game_from_record(record)
    game.where = where
    return game


def read_games(path):
    """Reads the games of a file one by one, as their seats saw them.

    Yields (where, transcripts): the place, "path" or "path:line", and a list of Transcript, or the MahjongError that
    names what is wrong there; the games after it still come.
    """
    for where, game in read_records(path):
        yield where, game.transcripts() if isinstance(game, Record) else game


def read_records(path):
    """Reads the games of a file one by one, with all that their records tell.

    Yields (where, game) as read_games does; game is a Record where the source tells of all four seats, else a list of
    Transcript.
    """
    try:
        for raw in cut_games(path):
            where = name_raw(raw)
            try:
                yield where, _parse_record(raw, where)
            except MahjongError as error:
                yield where, error
    except ProtocolError as error:
        yield path, error


def _parse_record(raw, where):
    if raw.kind != _OTHER:
        return record_from_game(parse_raw(raw))
    record, transcripts = _parse_other(raw.content, where)
    return transcripts if record is None else record


def _is_whole(line):
    """Whether a line holds a game by itself."""
    try:
        return isinstance(json.loads(line), (dict, list))
    except ValueError:
        return False


def _parse_other(lines, name):
    """(Record, None), or (None, list of one Transcript) of a bot's input."""
    text = lines[0]
    if detect_interaction(text) == SIMPLIFIED:
        rest = iter(text.splitlines())
        requests, responses = read_input(next(rest), rest, is_first=True)
        # After the data lines come the requests of a bot that kept running.
        requests += [line for line in rest if detect_interaction(line) == SIMPLIFIED]
        return None, [Transcript(name, None, requests, responses)]
    try:
        game, requests_after = json.loads(text), [json.loads(line) for line in lines[1:] if line.strip()]
    except ValueError as error:
        raise ProtocolError("expected a game as JSON, got %.80r: %s" % (text, error)) from None
    if isinstance(game, dict) and "requests" in game:
        requests, responses = read_json_input(game)
        return None, [Transcript(name, None, requests + requests_after, responses)]
    if isinstance(game, dict) and "steps" in game:
        return parse_golden(text, name), None
    if isinstance(game, list) or (isinstance(game, dict) and "logs" in game):
        return parse_log(game, name), None
    raise ProtocolError('expected a game with "requests", "logs" or "steps", got %.80r' % text)
