"""The matches at live tables: what was asked and answered in each, in memory and on disk."""

import os
import sys
import time

from ... import botzone
from ...mahjong.errors import ProtocolError
from ..run.files import make_folder, open_alone, read_json, write_json
from .wire import is_match_id

# Where the answer to a match's latest request is: to go with the next poll; gone with one whose reply never came, so
# that nobody knows; taken by the server.
READY, IN_DOUBT, TAKEN = "ready", "in doubt", "taken"

_FINISHED = "finished"
_SUFFIX = ".json"
# Seconds after which the match of a file is not played any more.
_STALE = 24 * 3600


class Match(object):
    """One match.

    requests, responses: lists of texts, as many of both.
    status: READY, IN_DOUBT or TAKEN. since: when it came to be IN_DOUBT, on the caller's clock.
    repeats: how often the latest answer was sent again unasked.
    """

    def __init__(self, match_id, requests=(), responses=()):
        self.match_id = match_id
        self.requests = list(requests)
        self.responses = list(responses)
        self.status = IN_DOUBT
        self.since = None
        self.repeats = 0
        self._bot = None

    def answer(self, request, make_bot):
        """Answers a new request; a new bot, from make_bot(), gets all requests and answers before it too."""
        if self._bot is None:
            self._bot = make_bot()
            text = botzone.format_input(self.requests + [request], self.responses, botzone.JSON)
            reply = self._bot.reply(text.strip(), iter(()), True)
        else:
            reply = self._bot.reply(request, iter(()), False)
        self.requests.append(request)
        self.responses.append(reply.response)
        self.repeats = 0
        self.status = READY


class MatchFolder(object):
    """Matches in a folder, as a context manager: a file each in the form of a bot's input, in `finished` at the end.

    path: of the folder, made where it is not there.
    Raises MahjongError: a folder that cannot be written, or that another process plays from.
    """

    def __init__(self, path):
        self.path = path
        make_folder(os.path.join(path, _FINISHED))
        # Not files.lock_new_folder, which writes down the command: the address may be in it.
        self._lock = open_alone(os.path.join(path, "lock"))

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._lock.close()

    def load(self):
        """The Matches (dict by id) that were not over when they were last saved, all IN_DOUBT.

        Raises ProtocolError: a file that is damaged.
        """
        oldest = time.time() - _STALE
        matches = {}
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            match_id = name[:-len(_SUFFIX)]
            if name.endswith(_SUFFIX) and not is_match_id(match_id):
                print("live: leaving alone %r, whose name is no match's" % name, file=sys.stderr)
            elif name.endswith(_SUFFIX) and os.lstat(path).st_mtime > oldest:
                matches[match_id] = Match(match_id, *_read(path))
        return matches

    def save(self, match):
        """Writes a match down."""
        self._write(match, {}, self._file_of(match))

    def finish(self, match, result):
        """Puts a match away that is over; result: wire.Result."""
        over = {"seat": result.seat, "scores": result.scores}
        self._write(match, over, os.path.join(self.path, _FINISHED, match.match_id + _SUFFIX))
        if os.path.exists(self._file_of(match)):
            os.remove(self._file_of(match))

    def _file_of(self, match):
        return os.path.join(self.path, match.match_id + _SUFFIX)

    def _write(self, match, more, path):
        write_json(path, dict(more, requests=match.requests, responses=match.responses), indent=None)


def _read(path):
    try:
        saved = read_json(path)
        requests, responses = saved["requests"], saved["responses"]
        is_whole = isinstance(requests, list) and len(requests) == len(responses) > 0 and all(
            text.isprintable() for text in requests + responses)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        is_whole = False
    if not is_whole:
        raise ProtocolError("expected a match with as many requests as responses in %s; move the file away to do "
                            "without it" % path)
    return requests, responses
