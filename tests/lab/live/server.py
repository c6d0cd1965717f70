"""A local-AI server for the tests: referees matches, holds polls, drops connections, repeats itself, aborts matches."""

import http.server
import random
import threading
import time

from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.game_referee import Referee
from mj_bot.lab.table.walls import wall_from_seed

PATH = "/api/" + "5a" * 12 + "/top-secret-word/localai"
# How a poll's connection is lost: before it is looked at, after its answers were taken, in the midst of the reply.
UNSEEN, UNANSWERED, CUT = "unseen", "unanswered", "cut"


class _Match:
    """One match: a referee, three random players, and a seat that is played from afar.

    request: what the seat is asked and has not answered; None when the match is over. illegal: what the judge punished
    the seat for.
    """

    def __init__(self, number, seat):
        self.match_id = "%024x" % number
        self.seat = seat
        self.referee = Referee(wall_from_seed(number), number % 4)
        self.others = {other: make_player("random:seed=%d" % (4 * number + other))
                       for other in range(4) if other != seat}
        for player in self.others.values():
            player.begin()
        self.answered = 0
        self.illegal = None
        self.result = None

    @property
    def request(self):
        return self.referee.requests[self.seat] if self.result is None else None

    def take(self, response):
        request = self.request
        answers = [response if seat == self.seat else self.others[seat].respond(asked).response
                   for seat, asked in enumerate(self.referee.requests)]
        self.referee.step(answers)
        self.answered += 1
        if self.referee.is_over:
            self.end("4 " + " ".join(map(str, self.referee.scores)))
            if self.referee.verdict not in ("HU", "HUANG") and self.referee.culprit == self.seat:
                self.illegal = "%r to %r" % (response, request)

    def end(self, told):
        self.result = "%s %d %s" % (self.match_id, self.seat, told)


class LiveServer(http.server.ThreadingHTTPServer):
    """Serves a number of matches at PATH.

    drops: chance that a poll's connection is lost. abort_every: each abort_every-th match is aborted in the middle.
    hold: seconds until a poll ends with 504. faults: statuses to answer polls with, None = as usual, before anything
    else; `unasked` counts answers to matches that wait for none.
    """

    daemon_threads = True

    def __init__(self, match_count, drops=0.0, abort_every=0, hold=2.0):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.random = random.Random(0)
        self.drops = drops
        self.hold = hold
        self.faults = []
        self.lock = threading.Lock()
        self.matches = {}
        for number in range(match_count):
            match = _Match(number, number % 4)
            self.matches[match.match_id] = match
        self.aborted_at = {match_id: 20 + number % 40 for number, match_id in enumerate(self.matches)
                           if abort_every and number % abort_every == 0}
        self.told_results = set()
        self.unasked = 0

    @property
    def url(self):
        return "http://127.0.0.1:%d%s" % (self.server_port, PATH)

    def take_answers(self, headers):
        for name, response in headers.items():
            if name.lower().startswith("x-match-"):
                match = self.matches[name[len("x-match-"):].lower()]
                if match.request is None:
                    self.unasked += 1
                else:
                    match.take(response)
                    if match.answered == self.aborted_at.get(match.match_id) and match.result is None:
                        match.end("0")

    def compose(self):
        """(body, ids of the results in it) of all that is to be told now; None where there is nothing."""
        # In half of the matches the other players still think.
        asked = [match for match in self.matches.values() if match.request is not None and self.random.random() < 0.5]
        over = [match for match in self.matches.values()
                if match.result is not None and match.match_id not in self.told_results]
        if not asked and not over:
            return None
        lines = ["%d %d" % (len(asked), len(over))]
        for match in asked:
            lines += [match.match_id, match.request]
        return "\n".join(lines + [match.result for match in over]) + "\n", {match.match_id for match in over}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        server = self.server
        with server.lock:
            fault = server.faults.pop(0) if server.faults else None
            lost = None
            if server.random.random() < server.drops:
                lost = server.random.choice((UNSEEN, UNANSWERED, CUT))
            if self.path != PATH:
                fault = 401
            if fault is None and lost != UNSEEN:
                server.take_answers(self.headers)
        if fault is not None:
            self.send_reply(fault, "the path was %s" % self.path)
        elif lost in (UNSEEN, UNANSWERED):
            self.close_connection = True
        else:
            self.hold(lost == CUT)

    def hold(self, is_cut):
        deadline = time.monotonic() + self.server.hold
        while time.monotonic() < deadline:
            with self.server.lock:
                composed = self.server.compose()
                if composed is not None:
                    body, told = composed
                    self.send_reply(200, body, is_cut)
                    if not is_cut:
                        self.server.told_results |= told
                    return
            time.sleep(0.002)
        self.send_reply(504, "gateway time-out")

    def send_reply(self, status, body, is_cut=False):
        content = body.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:len(content) // 2] if is_cut else content)
        except OSError:
            is_cut = True
        self.close_connection = is_cut

    def log_message(self, *words):
        pass
