"""Runs the loop at Botzone's local-AI address: polls, answers and failed polls.

After a failed poll its answers are in doubt: the server may have taken them. Sending an answer again is dangerous,
because it has no number: if the game has gone on, the server takes it for the answer to the next request. So the next
polls leave out the answers in doubt, and their replies decide. If a reply repeats the request, the answer is sent
again. If it has the next request or the end, the server has taken the answer. A server that sends each request only
once never shows that it has not taken an answer. So until a server has repeated a request, an answer is sent again
after PATIENCE seconds without news of its match, at most three times.
"""

import sys
import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ...botzone import Bot
from ...mahjong.errors import ProtocolError
from .address import Address, PollFailed
from .matches import IN_DOUBT, TABLE_READY, TAKEN, LiveMatch, MatchFolder
from .wire import Result, parse_poll_reply

# Seconds after which a poll without a reply is abandoned. Gateways end a long poll after a minute. The shorter timeout
# is for polls while other answers wait to be sent or are in doubt. Even the shorter timeout is long, because an
# abandoned poll may still arrive at the server with its answers.
LONG_POLL = 100.0
PATIENCE = 20.0
# Most answers of a poll, each a header. Servers refuse requests with too many headers; a limit of 100 is common.
_MOST_ANSWERS = 64
_MOST_REPEATS = 3  # how often an answer is sent again at most
# A poll that a gateway ends after this many seconds or more was a long poll without news.
_LONG = 15.0
# After a reply without news in fewer seconds the client waits before the next poll.
_QUICK = 1.0
# Seconds of waits: after "forbidden", after a first failure, the longest after failures, the longest without news.
_FORBIDDEN_WAIT = 300.0
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 60.0
_LONGEST_IDLE = 5.0
# The random share of a wait, so that many clients do not return at the same moment.
_JITTER = 0.5
_FORBIDDEN = 403
_GATEWAY_TIMEOUTS = (None, 408, 504, 524)
# Client errors that are temporary; any other means that the address is wrong.
_TEMPORARY = (_FORBIDDEN, 408, 425, 429)


class Timing(NamedTuple):
    """Keeps how a client waits; tests replace it.

    sleep: function that waits some seconds. clock: function that returns the time in seconds.
    random: source of the random share of a wait.
    """

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    random: Random = Random()


SYSTEM_TIMING = Timing()


class Client(object):
    """Plays a tactic at all live tables of an address.

    tactic: the tactic with its settings, such as search:danger=4.4. folder: where matches are kept.
    budget: seconds for an answer. report: function(Result), called for each match that ends.
    matches: {id: LiveMatch} of the matches that are being played. finished: number of matches that have ended.
    Raises ProtocolError: a saved match is damaged.
    """

    def __init__(self, address: Address, tactic: str, folder: MatchFolder, *, budget: float,
                 report: Callable[[Result], None], timing: Timing = SYSTEM_TIMING):
        self._address = address
        self._tactic = tactic
        self._folder = folder
        self._budget = budget
        self._report = report
        self._sleep, self._clock, self._random = timing
        self._failures = 0  # polls that have failed since the last reply
        self._idle = 0  # replies without news that came at once, since the last news
        self._last_trouble = None  # the trouble that was printed last
        self._repeats_requests = False  # whether the server has ever repeated a request
        self.finished = 0
        self.matches = folder.load()
        for match in self.matches.values():
            match.since = self._clock()

    def run(self, match_count: int | None = None) -> None:
        """Plays until match_count matches have ended, or an interrupt. Raises ProtocolError: an unknown address."""
        while match_count is None or self.finished < match_count:
            self.poll()

    def poll(self) -> None:
        """Polls once and answers the requests. Raises ProtocolError: the server does not know the address."""
        for match in self._list_doubtful():
            if self._clock() - match.since >= PATIENCE:
                match.status = TABLE_READY
                match.repeats += 1
        ready = [match for match in self.matches.values() if match.status == TABLE_READY]
        sent = ready[:_MOST_ANSWERS]
        headers = {"X-Match-" + match.match_id: match.responses[-1] for match in sent}
        start = self._clock()
        try:
            timeout = PATIENCE if len(sent) < len(ready) or self._list_doubtful() else LONG_POLL
            requests, results = parse_poll_reply(self._address.poll(headers, timeout))
        except (PollFailed, ProtocolError) as error:
            for match in sent:
                match.status, match.since = IN_DOUBT, self._clock()
            self._wait(error, self._clock() - start)
            return
        self._failures = 0
        if self._last_trouble:
            print("live: %s answers again" % self._address.host, file=sys.stderr)
            self._last_trouble = None
        is_quick = self._clock() - start < _QUICK
        for match in sent:
            match.status = TAKEN
        over = {result.match_id for result in results}
        news = [self._take_request(match_id, request) for match_id, request in requests if match_id not in over]
        news += [self._take_result(result) for result in results]
        self._idle = 0 if any(news) or not is_quick else self._idle + 1
        if self._idle:
            self._pause(min(_FIRST_WAIT * 2 ** min(self._idle - 1, 8), _LONGEST_IDLE))

    def _list_doubtful(self):
        """Returns the matches whose answers are in doubt and will be sent again after PATIENCE seconds."""
        if self._repeats_requests:
            return []
        return [match for match in self.matches.values() if match.status == IN_DOUBT and match.repeats < _MOST_REPEATS]

    def _take_request(self, match_id, request):
        """Answers a request, and returns whether it is new."""
        match = self.matches.get(match_id)
        if match is None:
            match = self.matches[match_id] = LiveMatch(match_id)
            print("live: match %s begins" % match_id, file=sys.stderr)
        elif match.requests[-1] == request:  # the game itself never repeats a request
            match.status = TABLE_READY
            self._repeats_requests = True
            return False
        match.answer(request, lambda: Bot(self._tactic, self._budget))
        self._folder.save(match)
        return True

    def _take_result(self, result):
        """Files a match that is over, and returns whether that is news."""
        match = self.matches.pop(result.match_id, None)
        if match is not None:  # a result without a match is a repetition by the server
            self.finished += 1
            self._folder.finish(match, result)
            self._report(result)
        return match is not None

    def _wait(self, error, seconds):
        """Waits after a poll that failed for `seconds`. Raises ProtocolError: the address is wrong."""
        status = getattr(error, "status", None)
        if status is not None and 300 <= status < 500 and status not in _TEMPORARY:
            raise ProtocolError("expected %s to know this address, got status %d; copy it again from Botzone's "
                                "page of local AIs", self._address.host, status)
        if seconds >= _LONG and status in _GATEWAY_TIMEOUTS:
            self._failures = 0
            return
        wait = min(_FIRST_WAIT * 2 ** min(self._failures, 8), _LONGEST_WAIT)
        if status == _FORBIDDEN:
            wait = _FORBIDDEN_WAIT
        self._failures += 1
        if str(error) != self._last_trouble:
            self._last_trouble = str(error)
            print("live: %s: %s; trying again, less and less often" % (self._address.host, error), file=sys.stderr)
        self._pause(wait)

    def _pause(self, seconds):
        self._sleep(seconds * (1 - _JITTER * self._random.random()))
