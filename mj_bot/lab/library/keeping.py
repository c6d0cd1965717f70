"""Keeps the games that a command reads or plays. Where the library cannot be used, the command says so and goes on."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Optional

from ...mahjong.errors import MahjongError
from ..records.source import ReadGame
from ..words import say
from .kept_matches import keep_match
from .store import Library, open_library


class GameKeeper(object):
    """Keeps games of a command in the library; after the first error nothing more is kept.

    command: the command's name, for errors on stderr. library: None where it cannot be used.
    """

    def __init__(self, command: str):
        self._command = command
        self._importer = None  # the process that reviews in the background
        self.library = None
        self.library = self._try(open_library)

    def _try(self, work: Callable, *values: Any) -> Any:
        """Returns the value of a function; after an error it is None, and the library is no longer used."""
        try:
            return work(*values)
        except MahjongError as error:
            self.library = None
            print("%s: %s" % (self._command, say("%s; the games are not kept", error)), file=sys.stderr)
        return None

    def keep_reviewed(self, game: ReadGame, reviewed: dict) -> None:
        """Keeps a game with the review of all its seats, as review/games.py describes it."""
        if self.library and any(transcript.requests for transcript in game.transcripts):
            self._try(_keep_reviewed, self.library, game, reviewed)

    def keep(self, games: list, name: str, *, is_own: bool = False) -> None:
        """Keeps games without reviews, under the name of the page of their file; a process begins to review them."""
        if self.library:
            self._try(_keep, self.library, games, name, is_own)
            self.review_waiting()

    def keep_match(self, name: str, content: Optional[dict]) -> None:
        """Keeps a match of the table as it is now; None forgets a match that is over."""
        if self.library:
            self._try(keep_match, self.library, name, content, time.time())

    def review_waiting(self) -> None:
        """Begins to review, in another process, the games that have no review."""
        is_busy = self._importer is not None and self._importer.poll() is None
        if self.library and not is_busy and self._try(self.library.list_waiting):
            self._importer = subprocess.Popen(
                [sys.executable, "-m", "mj_bot.lab", "library", "import", "--background", "--file", self.library.path],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def close(self) -> None:
        """Ends the process that reviews; the next one goes on."""
        if self._importer is not None and self._importer.poll() is None:
            self._importer.terminate()
            self._importer.wait()


def _keep_reviewed(library: Library, game: ReadGame, reviewed: dict) -> None:
    """Adds a game with its review."""
    (key, _), = library.add_games([game])
    library.add_review(key, reviewed)


def _keep(library: Library, games: list[ReadGame], name: str, is_own: bool) -> None:
    """Adds games without reviews, under the name of the page of their file, "" for none."""
    keys = [key for key, _ in library.add_games(games, is_own=is_own)]
    if name:
        library.collect(name, keys)
