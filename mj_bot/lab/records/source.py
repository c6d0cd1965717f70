"""Finds the games in files and directories, whatever of our formats they are in.

A file holds one game as JSON, or one a line; .gz is unpacked. What it holds is told by its keys: a bot's input
("requests"), a Botzone log ("logs", or a list), a game of the recorded judge ("steps"). A bot's simplified input is
read too, and what was sent to a bot that kept running.
"""

import gzip
import json
import os

from ...botzone import SIMPLIFIED, detect_interaction, read_input
from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.request import read_input as read_json_input
from .botzone_log import parse_log
from .golden import parse_golden
from .record import Record, Transcript

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".json.gz", ".jsonl.gz", ".txt.gz", ".log.gz")


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


def read_games(path):
    """Reads the games of a file one by one.

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
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            first = file.readline()
            if _is_whole(first):
                for number, lines in _split_games(first, file):
                    yield _parse(lines, "%s:%d" % (path, number))
            else:
                yield _parse([first + file.read()], path)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        yield path, ProtocolError("expected text that can be read, got: %s" % error)


def _is_whole(line):
    """Whether a line holds a game by itself."""
    try:
        return isinstance(json.loads(line), (dict, list))
    except ValueError:
        return False


def _split_games(first, rest):
    """(line number, lines) of each game: a line, and the lone requests that came while the bot kept running."""
    start, lines = 1, [first]
    for number, line in enumerate(rest, start=2):
        if line.startswith('"'):
            lines.append(line)
        elif line.strip():
            yield start, lines
            start, lines = number, [line]
    yield start, lines


def _parse(lines, where):
    try:
        return where, _parse_game(lines, where)
    except MahjongError as error:
        return where, error


def _parse_game(lines, name):
    text = lines[0]
    if detect_interaction(text) == SIMPLIFIED:
        rest = iter(text.splitlines())
        requests, responses = read_input(next(rest), rest, is_first=True)
        # After the data lines come the requests of a bot that kept running.
        requests += [line for line in rest if detect_interaction(line) == SIMPLIFIED]
        return [Transcript(name, None, requests, responses)]
    try:
        game, requests_after = json.loads(text), [json.loads(line) for line in lines[1:]]
    except ValueError as error:
        raise ProtocolError("expected a game as JSON, got %.80r: %s" % (text, error)) from None
    if isinstance(game, dict) and "requests" in game:
        requests, responses = read_json_input(game)
        return [Transcript(name, None, requests + requests_after, responses)]
    if isinstance(game, dict) and "steps" in game:
        return parse_golden(text, name)
    if isinstance(game, list) or (isinstance(game, dict) and "logs" in game):
        return parse_log(game, name)
    raise ProtocolError('expected a game with "requests", "logs" or "steps", got %.80r' % text)
