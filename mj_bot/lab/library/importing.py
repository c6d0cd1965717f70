"""Reads files into the library, and reviews its games in worker processes; both go on where they were broken off."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice

from ..records.source import ReadGame, read_games
from ..run.workers import WorkerPool
from .sessions import order_sessions
from .store import Library

_GAMES_AT_ONCE = 64  # in one transaction


def import_files(library: Library, paths: Iterable, report: Callable = lambda count: None) -> tuple:
    """Adds the games of files that are not in the library yet, without reviews.

    paths: of records.source.list_files. report: called with the number of games after each transaction.
    Returns (new games, games that were there, [error of each game that cannot be read at all]).
    """
    new, known, errors = 0, 0, []
    for path in paths:
        if library.is_imported(path):
            continue
        games = order_sessions(_skip_unreadable(read_games(path), errors))
        while True:
            batch = list(islice(games, _GAMES_AT_ONCE))
            if not batch:
                break
            added = [is_new for _, is_new in library.add_games(batch)]
            new, known = new + sum(added), known + len(added) - sum(added)
            report(len(added))
        library.mark_imported(path)
    return new, known, errors


def _skip_unreadable(games: Iterable, errors: list) -> Iterator[ReadGame]:
    """Yields the games of which the beginning can be read; appends the error of the others."""
    for game in games:
        if any(transcript.requests for transcript in game.transcripts):
            yield game
        else:
            errors.append("%s: %s" % (game.where, game.error))


def review_waiting(library: Library, review: Callable, workers: int, report: Callable = lambda count: None) -> int:
    """Reviews the games that have no review yet; returns how many.

    review: function(records.source.ReadGame) that returns what review/games.py describes, and that can be pickled.
    workers: number of processes. report: called with 1 after each game. Raises LibraryError, and what review raises.
    """
    def list_tasks():
        for key in library.list_waiting():
            game = library.read_game(key)
            if game:  # else it was forgotten meanwhile
                yield key, game

    count = 0
    with WorkerPool(partial(_review, review), workers) as pool:
        for key, reviewed in pool.run_tasks(list_tasks()):
            library.add_review(key, reviewed)
            count += 1
            report(1)
    return count


def _review(review, key, game):
    return key, review(game)
