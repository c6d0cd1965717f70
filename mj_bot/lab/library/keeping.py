"""Keeps the games that a command reads or plays. A library that cannot be used is told and tried again."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Optional

from ...mahjong.errors import MahjongError
from ..records.source import ReadGame
from ..words import say
from .library_file import BUSY_SECONDS, LibraryError
from .store import Library, open_library

_MOST_PENDING = 256  # calls that an error left for later; a game with its review has some megabytes


class GameKeeper(object):
    """Keeps games of a command in the library. What an error leaves out is kept at the next call or at the end.

    command: the command's name, for errors on stderr. busy_seconds: how long a call waits for another process.
    problem: the error of the latest call, None if everything is kept.
    """

    def __init__(self, command: str, busy_seconds: float = BUSY_SECONDS):
        self._command = command
        self._busy_seconds = busy_seconds
        self._importer = None  # the process that reviews in the background
        self._library = None
        self._pending = {}  # {label: function(library)}, in the order of the calls
        self._lock = threading.RLock()
        self.problem = None
        self.library  # noqa: B018  says at once whether it can be used

    @property
    def library(self) -> Optional[Library]:
        """Returns the library, None as long as it cannot be opened."""
        with self._lock:
            if self._library is None:
                try:
                    self._library = open_library(busy_seconds=self._busy_seconds)
                    self.problem = None
                except MahjongError as error:
                    self._tell(error)
            return self._library

    def _tell(self, error):
        """Prints an error once, and notes it for the page."""
        if str(error) != str(self.problem):
            print("%s: %s" % (self._command, say("%s; the games are not kept", error)), file=sys.stderr)
        self.problem = error

    def _keep(self, label: object, work: Callable) -> None:
        """Calls function(library) after those that failed before; an error keeps it for later.

        label: what is kept; a later call with the same label replaces a pending one.
        """
        with self._lock:
            self._pending.pop(label, None)
            for old in list(self._pending)[:1 - _MOST_PENDING]:
                self._pending.pop(old)
            self._pending[label] = work
            library = self.library
            for name in list(self._pending) if library else ():
                try:
                    self._pending[name](library)
                except MahjongError as error:
                    self._tell(error)
                    if isinstance(error, LibraryError):
                        return
                del self._pending[name]
            if library:
                self.problem = None

    def keep_reviewed(self, game: ReadGame, reviewed: dict) -> None:
        """Keeps a game with the review of all its seats, as review/games.py describes it."""
        def work(library: Library) -> None:
            (key, _), = library.add_games([game])
            library.add_review(key, reviewed)

        if any(transcript.requests for transcript in game.transcripts):
            self._keep(("reviewed", game.where), work)

    def keep(self, games: list, name: str, *, is_own: bool = False, former: Optional[str] = None) -> None:
        """Keeps games under the name of their file's page, "" for none, and begins to review them.

        is_own, former: of Library.add_games.
        """
        def work(library: Library) -> None:
            keys = [key for key, _ in library.add_games(games, is_own=is_own, former=former)]
            if name:
                library.collect(name, keys)

        self._keep(("games", name, *(game.where for game in games)), work)
        self.review_waiting()

    def keep_match(self, name: str, content: Optional[dict]) -> None:
        """Keeps a match of the table as it is now; None forgets a match that is over."""
        now = time.time()
        self._keep(("match", name), lambda library: library.keep_match(name, content, now))

    def review_waiting(self) -> None:
        """Begins to review, in another process, the games that have no review."""
        try:
            if self._is_reviewing() or not self.library or not self.library.list_waiting():
                return
        except MahjongError as error:
            self._tell(error)
        else:
            self._importer = subprocess.Popen(
                [sys.executable, "-m", "mj_bot.lab", "library", "import", "--background", "--file", self.library.path],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _is_reviewing(self):
        return self._importer is not None and self._importer.poll() is None

    def close(self) -> None:
        """Keeps what is pending, and ends the process that reviews; the next one goes on."""
        if self._pending:
            self._busy_seconds, self._library = BUSY_SECONDS, None
            self._keep(None, lambda library: None)
        if self._is_reviewing():
            self._importer.terminate()
            self._importer.wait()
