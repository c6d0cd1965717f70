"""The loop at Botzone's local-AI address: polls, answers, and what to do when a poll fails.

A poll that fails leaves its answers in doubt: the server may have taken them. To send one again unasked is dangerous,
since an answer carries no number: where the game has gone on, the server would take it for the answer to the next
request. So the next polls go without the answers in doubt. What they bring decides: the same request again, so the
answer is sent again; the next request, or the end, so it had been taken. A server that sends each request only once
would leave this open for ever: until it has sent one again, an answer goes out anew after PATIENCE seconds without a
word of its match.
"""

import sys
import time
from random import Random

from ...botzone import Bot
from ...mahjong.errors import ProtocolError
from .address import PollFailed
from .matches import IN_DOUBT, READY, TAKEN, Match
from .wire import format_answers, parse_poll_reply

# Seconds without a reply: gateways end a long poll after a minute. A poll that is given up may still be on its way, its
# answers with it, so even the shorter one, while something is left to send, is long for any server.
LONG_POLL = 100.0
PATIENCE = 20.0
# Servers refuse requests with too many headers: 100 are common.
_MOST_ANSWERS = 64
_MOST_REPEATS = 3
# A poll that a gateway ends after so long was a long poll in which nothing happened.
_HELD = 15.0
# A reply without news that comes sooner is no long poll's: the next poll waits.
_QUICK = 1.0
_FORBIDDEN_WAIT = 300.0
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 60.0
_LONGEST_IDLE = 5.0
# The share of a wait that chance may take off, so that many clients do not come back at the same moment.
_JITTER = 0.5
_FORBIDDEN = 403
_GATEWAY_TIMEOUTS = (None, 408, 504, 524)
# Client errors that pass by themselves; any other means that the address is wrong.
_PASSING = (_FORBIDDEN, 408, 425, 429)


class Client(object):
    """A tactic at as many live tables as the address has.

    address: address.Address. tactic: spec as tactic.load_tactic takes it. folder: matches.MatchFolder.
    budget: seconds an answer, as botzone.Bot has it.
    report: function(Result) called for each match that ends.
    random: random.Random of the waits. sleep, clock: as of time; they stand for it in tests.
    matches: dict from its id to each Match that is being played.
    finished: how many have ended.
    Raises ProtocolError: a saved match is damaged.
    """

    def __init__(self, address, tactic, folder, budget, report, *, random=None, sleep=time.sleep,
                 clock=time.monotonic):
        self._address = address
        self._tactic = tactic
        self._folder = folder
        self._budget = budget
        self._report = report
        self._sleep = sleep
        self._clock = clock
        self._random = random or Random()
        self._failures = 0
        self._idle = 0  # replies without news that came at once
        self._said = None  # the trouble that was told last
        self._repeats_requests = False  # whether the server has been seen to
        self.finished = 0
        self.matches = folder.load()
        for match in self.matches.values():
            match.since = clock()

    def run(self, match_count=None):
        """Plays on until so many matches have ended; None: until it is interrupted.

        Raises ProtocolError: the server does not know the address.
        """
        while match_count is None or self.finished < match_count:
            self.poll()

    def poll(self):
        """One poll, and the answers to all that it brings.

        Raises ProtocolError: the server does not know the address.
        """
        self._send_again()
        ready = [match for match in self.matches.values() if match.status == READY]
        sent = ready[:_MOST_ANSWERS]
        headers = format_answers((match.match_id, match.responses[-1]) for match in sent)
        start = self._clock()
        try:
            reply = parse_poll_reply(self._address.poll(headers, self._timeout(len(sent) < len(ready))))
        except (PollFailed, ProtocolError) as error:
            for match in sent:
                match.status, match.since = IN_DOUBT, self._clock()
            self._wait(error, self._clock() - start)
            return
        self._failures = 0
        if self._said:
            print("live: %s answers again" % self._address.host, file=sys.stderr)
            self._said = None
        is_quick = self._clock() - start < _QUICK
        for match in sent:
            match.status = TAKEN
        over = {result.match_id for result in reply.results}
        news = [self._take_request(match_id, request) for match_id, request in reply.requests if match_id not in over]
        news += [self._take_result(result) for result in reply.results]
        self._idle = 0 if any(news) or not is_quick else self._idle + 1
        if self._idle:
            self._pause(min(_FIRST_WAIT * 2 ** min(self._idle - 1, 8), _LONGEST_IDLE))

    def _send_again(self):
        for match in self._doubtful():
            if self._clock() - match.since >= PATIENCE:
                match.status = READY
                match.repeats += 1

    def _doubtful(self):
        """The matches whose answers will go out anew if nothing is heard of them."""
        if self._repeats_requests:
            return []
        return [match for match in self.matches.values()
                if match.status == IN_DOUBT and match.repeats < _MOST_REPEATS]

    def _timeout(self, has_more):
        return PATIENCE if has_more or self._doubtful() else LONG_POLL

    def _take_request(self, match_id, request):
        """Answers a request; whether it is new."""
        match = self.matches.get(match_id)
        if match is None:
            match = self.matches[match_id] = Match(match_id)
            print("live: match %s begins" % match_id, file=sys.stderr)
        elif match.requests[-1] == request:  # in this game no request comes twice in a row
            match.status = READY
            self._repeats_requests = True
            return False
        match.answer(request, self._make_bot)
        self._folder.save(match)
        return True

    def _make_bot(self):
        return Bot(self._tactic, self._budget)

    def _take_result(self, result):
        """Puts a match away; whether it was being played."""
        match = self.matches.pop(result.match_id, None)
        if match is not None:  # else the server repeats it
            self.finished += 1
            self._folder.finish(match, result)
            self._report(result)
        return match is not None

    def _wait(self, error, held):
        """Lets some time pass after a poll that failed when it had been held so long; raises where no time helps."""
        status = getattr(error, "status", None)
        if status is not None and 300 <= status < 500 and status not in _PASSING:
            raise ProtocolError("expected %s to know this address, got status %d; take it anew from Botzone's page "
                                "of local AIs" % (self._address.host, status))
        if held >= _HELD and status in _GATEWAY_TIMEOUTS:
            self._failures = 0
            return
        wait = min(_FIRST_WAIT * 2 ** min(self._failures, 8), _LONGEST_WAIT)
        if status == _FORBIDDEN:
            wait = _FORBIDDEN_WAIT
        self._failures += 1
        if str(error) != self._said:
            self._said = str(error)
            print("live: %s: %s; trying again, less and less often" % (self._address.host, error), file=sys.stderr)
        self._pause(wait)

    def _pause(self, seconds):
        self._sleep(seconds * (1 - _JITTER * self._random.random()))
