"""Keeps the matches at live tables: their requests and responses, in memory and on disk."""

import os
import pathlib
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from ...botzone import JSON, Bot, format_input
from ...mahjong.errors import ProtocolError
from ..run.files import make_folder, open_alone, read_json, write_json
from .wire import Result, is_match_id

# States of the answer to a match's latest request: the next poll sends it; a poll that got no reply has sent it; the
# server has taken it.
TABLE_READY, IN_DOUBT, TAKEN = "ready", "in doubt", "taken"

_FINISHED = "finished"
_SUFFIX = ".json"
# A match counts as over if its file was not written for this many seconds.
_STALE = 24 * 3600


@dataclass
class LiveMatch:
    """Keeps one match.

    match_id: Botzone's id. requests: texts. responses: texts, one per request.
    status: TABLE_READY, IN_DOUBT or TAKEN. since: when IN_DOUBT began, on the caller's clock.
    repeats: how often the latest answer was sent again without a new request.
    """

    match_id: str
    requests: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    status: str = IN_DOUBT
    since: float | None = None
    repeats: int = 0
    _bot: Bot | None = None

    def answer(self, request: str, make_bot: Callable) -> None:
        """Answers a new request.

        make_bot: function that returns a new Bot. It is called if this process has no bot of the match yet; the new
        bot also gets all earlier requests and responses.
        """
        if self._bot is None:
            self._bot = make_bot()
            text = format_input(self.requests + [request], self.responses, JSON)
            reply = self._bot.reply(text.strip())
        else:
            reply = self._bot.reply(request)
        self.requests.append(request)
        self.responses.append(reply.response)
        self.repeats = 0
        self.status = TABLE_READY


class MatchFolder(AbstractContextManager):
    """Keeps matches in a folder; a context manager.

    Each match is a file in the form of a bot's input. The file of a match that is over is in the folder `finished`.
    path: the folder; it is made if it is missing.
    Raises MahjongError: the folder cannot be written, or another process uses it.
    """

    def __init__(self, path: str):
        self.path = path
        make_folder(os.path.join(path, _FINISHED))
        # files.lock_new_folder would write down the command, which may contain the address.
        self._lock = open_alone(os.path.join(path, "lock"))

    def __exit__(self, *details):
        self._lock.close()

    def load(self) -> dict[str, LiveMatch]:
        """Returns {id: LiveMatch} of the matches that are not over, all IN_DOUBT.

        Raises ProtocolError: a file is damaged.
        """
        oldest = time.time() - _STALE
        matches = {}
        for path in sorted(pathlib.Path(self.path).glob("*" + _SUFFIX)):
            if not is_match_id(path.stem):
                print("live: skipping %r, whose name is not of a match" % path.name, file=sys.stderr)
            elif path.lstat().st_mtime <= oldest:
                print("live: skipping match %s, which is more than a day old" % path.stem, file=sys.stderr)
            else:
                matches[path.stem] = LiveMatch(path.stem, *_read(path))
        return matches

    def save(self, match: LiveMatch) -> None:
        """Writes the file of a match."""
        self._write(match, self.path)

    def finish(self, match: LiveMatch, result: Result) -> None:
        """Moves a match that is over to the folder `finished`. result: how it ended."""
        self._write(match, os.path.join(self.path, _FINISHED), seat=result.seat, scores=result.scores)
        pathlib.Path(self.path, match.match_id + _SUFFIX).unlink(missing_ok=True)

    def _write(self, match, folder, **more):
        """Writes the file of a match into a folder. more: keys that the file gets too."""
        path = os.path.join(folder, match.match_id + _SUFFIX)
        write_json(path, dict(more, requests=match.requests, responses=match.responses), indent=None)


def _read(path):
    """Returns (requests, responses) of a file. Raises ProtocolError: it is damaged."""
    try:
        saved = read_json(path)
        requests, responses = saved["requests"], saved["responses"]
        is_whole = isinstance(requests, list) and len(requests) == len(responses) > 0 and all(
            text.isprintable() for text in requests + responses)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        is_whole = False
    if not is_whole:
        raise ProtocolError("expected a match with as many requests as responses in %s; move the file away to skip it",
                            path)
    return requests, responses
