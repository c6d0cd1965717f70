"""Reads files into the library, and reviews its games in worker processes; both go on where they were broken off."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Optional

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..records.source import ReadGame, ReadLimits, list_named_files, read_named_games
from ..run.workers import WorkerPool
from .game_content import name_players
from .library_file import LibraryError
from .sessions import order_sessions
from .store import Library, read_file_stamp

_GAMES_AT_ONCE = 64  # in one transaction


def import_files(library: Library, paths: Iterable[str], report: Callable = lambda count: None, *,
                 names: Optional[dict[int, str]] = None) -> tuple[int, int, list]:
    """Adds the games of files that are not in the library yet, without reviews.

    paths: files, folders, links, or names of single games in files. report: called with the number of games after each
    transaction. names: {seat: name} for the games whose record names no player.
    ReadLimits limits how much is read of each file. The games up to a limit are added, and an error tells that the rest
    is left out.
    Returns (new games, games that were there, [error of each game that cannot be read at all]).
    Raises ProtocolError: there is no such file, or no such game in a file.
    """
    new, known, errors = 0, 0, []
    for path, where in list_named_files(paths):
        if not names and library.is_imported(path):
            continue
        stamp = read_file_stamp(path)  # before it is read: games may be appended meanwhile
        read = read_named_games([(path, where)], ReadLimits())
        games = _skip_unreadable(order_sessions(_name_seats(game, names or {}) for game in read), errors)
        for batch in iter(lambda games=games: [*islice(games, _GAMES_AT_ONCE)], []):
            added = [is_new for _, is_new in library.add_games(batch)]
            new, known = new + sum(added), known + len(added) - sum(added)
            report(len(added))
        if not where:
            library.mark_imported(path, stamp)
    return new, known, errors


def _name_seats(game: ReadGame, names: dict[int, str]) -> ReadGame:
    """Returns a game whose players have the names of their seats, if its record names no player."""
    if not (names and game.record) or any(name_players(game.record)):
        return game
    return game._replace(record=replace(game.record, players=[names.get(seat, "") for seat in range(SEATS)]))


def _skip_unreadable(games: Iterable, errors: list) -> Iterator[ReadGame]:
    """Yields the games of which the beginning can be read; appends the error of the others."""
    for game in games:
        if any(transcript.requests for transcript in game.transcripts):
            yield game
        else:
            errors.append("%s: %s" % (game.where, game.error))


def review_waiting(library: Library, review: Callable, workers: int, report: Callable = lambda count: None) -> tuple:
    """Reviews the games that have no review yet.

    A game whose review fails waits on, and the others are reviewed.
    review: function(records.source.ReadGame) that returns what review/games.py describes, and that can be pickled.
    workers: number of processes. report: called with 1 after each game. Raises LibraryError.
    Returns (number of reviewed games, [error of each that fails]).
    """
    count, errors = 0, []
    games = ((key, library.read_game(key)) for key in library.list_waiting())
    tasks = ((key, game) for key, game in games if game)  # else it was forgotten meanwhile
    with WorkerPool(partial(_review, review), workers) as pool:
        for key, where, reviewed, error in pool.run_tasks(tasks):
            try:
                if not error:
                    library.add_review(key, reviewed)
                    count += 1
            except LibraryError:
                raise
            except MahjongError as refusal:  # a figure that is not finite
                error = str(refusal)
            if error:
                errors.append("%s: %s" % (where, error))
            report(1)
    return count, errors


def _review(review: Callable, key: str, game: ReadGame) -> tuple:
    """Returns (key, where the game is from, its review, None), or with the error in place of the review."""
    try:
        return key, game.where, review(game), None
    except MahjongError as error:
        return key, game.where, None, str(error)
