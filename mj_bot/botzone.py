"""Speaks Botzone's protocol, which no other module knows, and contains the Bot, which always has a legal answer.

The first line of the input decides between two interactions. The bot's version on Botzone has a setting for this:

    json        one line {"requests": [...], "responses": [...], ...}; the answer is one line
                {"response": ..., "debug": ..., "data": ..., "globaldata": ...}
    simplified  a line n, then 2n - 1 lines request, response, request ...; the answer is a line each of response,
                debug, data, globaldata, without the empty ones at the end

A bot that is kept running ends each answer with the line KEEP_RUNNING. Later inputs have only the new request: a raw
line, a JSON text, or an object with the request or with all of them.

Source: Botzone's wiki and its official judge.
"""

import io
import json
import os
import sys
import time
from collections import namedtuple
from itertools import chain, dropwhile, islice
from typing import IO, List, Optional, Tuple

from .deadline import BudgetExceeded, call_until, read_process_age, wait_for_input
from .last_resort import last_resort, safest_action
from .mahjong.action import format_action
from .mahjong.errors import ProtocolError
from .trouble import FAILURES, Printed, check_action, make_tactic_error, warn

JSON = "json"
SIMPLIFIED = "simplified"
KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
# The tactic's time ends this many seconds after the start of the process. Then its best action so far is the answer. On
# a busy machine it can take another half second until the answer is written.
BUDGET = 2.5
# This text is part of every answer, because otherwise nobody would notice that the bot sees no win.
BLIND = "MahjongGB is not installed: no win is seen, not even one in hand; see requirements.txt"

# Botzone refuses a debug field over 1 KB. The whole input of a game has less than 20 KB.
_MAX_DEBUG = 1000
_MAX_LINE = 1 << 20
# The time to read a number grows with the square of its length: a million digits would take minutes.
_MAX_DIGITS = 1000
_MAX_COUNT_DIGITS = 4
CUT = "time was up, this is its best action so far"

Reply = namedtuple("Reply", "response debug data globaldata")
Reply.__doc__ = """Keeps a bot's answer to one input.

response: the action, in Botzone's text. debug: text for the log. data, globaldata: texts that Botzone gives back to the
bot at its next turn.
"""
Reply.__new__.__defaults__ = ("", "", "")


def detect_interaction(first_line: str) -> str:
    """Returns JSON or SIMPLIFIED, as the first line of a bot's first input tells."""
    return SIMPLIFIED if first_line[:1] in tuple("0123456789") else JSON


def parse_input(text: str) -> Tuple[List[str], List[str]]:
    """Returns (requests, responses), two lists, of a first input or of any later input.

    text: a JSON object with the lists "requests" and "responses", a JSON object {"request": ...}, a JSON text, a raw
        request line, or the lines of a first simplified input. The middle three have no responses.
    Raises ProtocolError: the text is none of these.

    >>> parse_input('{"requests": ["0 0 0", "1 0"], "responses": ["PASS"]}'), parse_input("2\\n0 0 0\\nPASS\\n1 0")
    ((['0 0 0', '1 0'], ['PASS']), (['0 0 0', '1 0'], ['PASS']))
    >>> parse_input('"2 T6"'), parse_input("2 T6")
    ((['2 T6'], []), (['2 T6'], []))
    """
    if detect_interaction(text) == SIMPLIFIED:
        first_line, *texts = text.split("\n")
        return (texts[::2], texts[1::2]) if texts else ([first_line], [])
    try:
        message = json.loads(text, parse_int=_parse_int)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("expected a request or JSON, got %.80r: %s", text, error) from None
    if isinstance(message, str):
        return [message], []
    if isinstance(message, dict):
        requests = message.get("requests", [message.get("request")])
        responses = message.get("responses")
        if isinstance(requests, list) and requests:
            return requests, responses if isinstance(responses, list) and len(requests) > 1 else []
    raise ProtocolError("expected a request, or an object with requests, got %.80r", message)


def _parse_int(text):
    """Returns the int of a text of digits. Raises ProtocolError: there are too many digits."""
    if len(text) > _MAX_DIGITS:
        raise ProtocolError("expected a number of at most %d digits, got %d", _MAX_DIGITS, len(text))
    return int(text)


def format_input(
        requests: List[str], responses: List[str], interaction: str, *, data: str = "", globaldata: str = "") -> str:
    """Returns the text that the platform writes to a bot when it starts it. The text ends with a newline.

    requests, responses: lists of texts; there is one response fewer. interaction: JSON or SIMPLIFIED.
    data, globaldata: what the bot had asked the platform to keep.
    """
    if interaction == SIMPLIFIED:
        lines = [str(len(requests)), requests[0]]
        for response, request in zip(responses, requests[1:]):
            lines += [response, request]
        return "\n".join(lines + [data, globaldata]) + "\n"
    message = {"requests": requests, "responses": responses, "data": data, "globaldata": globaldata}
    return json.dumps(message) + "\n"


def format_next_input(request: str, interaction: str) -> str:
    """Returns the line that the platform writes to a bot that it keeps running."""
    return (request if interaction == SIMPLIFIED else json.dumps(request)) + "\n"


def format_reply(reply: Reply, interaction: str) -> str:
    """Returns the text of a reply for JSON or SIMPLIFIED. The text ends with a newline."""
    if interaction == SIMPLIFIED:
        return "\n".join(reply).rstrip("\n") + "\n"
    return json.dumps(reply._asdict()) + "\n"


def parse_reply(text: str, interaction: str) -> Reply:
    """Returns the reply in what a bot printed in one turn, as the platform reads it.

    text: without the line KEEP_RUNNING. interaction: JSON or SIMPLIFIED.
    Raises ProtocolError: there is no JSON object with a text "response", or no line at all.

    >>> parse_reply('{"response": "PLAY W1"}', JSON).response
    'PLAY W1'
    """
    if interaction == SIMPLIFIED:
        lines = [line.rstrip("\r\n") for line in text.split("\n", 3)]
        if not lines[0]:
            raise ProtocolError("expected a response on the first line, got %.80r", text)
        return Reply(*lines)
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("expected JSON, got %.80r: %s", text, error) from None
    if not isinstance(message, dict) or not isinstance(message.get("response"), str):
        raise ProtocolError('expected an object with a text "response", got %.80r', message)
    return Reply(message["response"], *(str(message.get(key) or "") for key in Reply._fields[1:]))


class Bot(object):
    """Plays a tactic at one seat: it reads inputs and returns replies, always with a legal answer.

    tactic: text, as tactic.load_tactic reads it, such as "random:seed=7".
    budget: seconds for one reply, from the start of the process if the system knows it. They include imports and the
        tactic's loading(). After that time the answer is the tactic's `best`, else that of safest_action.
    keep_running: whether the process stays after an answer. Then the first request imports the tactic without a time
        limit: an interrupted import leaves numpy half loaded, and every later import of numpy fails.

    If GameState refuses a request, last_resort answers until a new game begins or an input with all requests comes.
    """

    def __init__(self, tactic: str, budget: float = BUDGET, keep_running: bool = False) -> None:
        self._spec = tactic
        self._budget = budget
        self._keep_running = keep_running
        self._tactic = None
        self._reasons = ""
        self._notice = ""
        self._state = None
        # This is the game so far, a list of (own answer to the request before, request).
        self._transcript = []
        self._answered = None
        # _past is the state up to the latest event that the tactic's loading() has seen. _shown is how many entries of
        # the transcript lead to it.
        self._past = None
        self._shown = 0

    def reply(self, text: str, start: Optional[float] = None) -> Reply:
        """Returns the reply to one input, as parse_input reads it. It raises nothing but KeyboardInterrupt.

        start: when the budget began, in seconds of time.perf_counter(); None for now.
        """
        start = time.perf_counter() if start is None else start
        legal, problem = None, ""
        self._reasons = ""
        try:
            requests, responses = parse_input(text)
            if detect_interaction(text) == JSON:
                text = "\n".join(map(str, requests))
            self._follow(requests, responses)
            legal = self._state.action_space()
            if self._keep_running and self._tactic is None:
                self._load_tactic()
            action = legal[0] if len(legal) == 1 else self._ask(legal, start + self._budget)
        except KeyboardInterrupt:
            # The user of `mj-bot live` stops it.
            raise
        except BaseException as error:
            # A tactic may raise a class of its own.
            problem = _report_problem()
            action = self._replace(legal, text, isinstance(error.__cause__, BudgetExceeded))
        self._answered = format_action(action)
        if self._notice:
            warn("mj_bot: %s\n" % self._notice)
        milliseconds = 1000 * (time.perf_counter() - start)
        remarks = ["%s, %.0f ms" % (self._answered, milliseconds), self._notice, self._reasons]
        return Reply(self._answered, _one_line(remarks, problem))

    def _replace(self, legal, text, is_late):
        """Returns the action that is played when the tactic gives none. legal: None if the input is no game."""
        tactic, hand_counts = self._tactic, self._state and self._state.hand_counts
        # The tactic and the state may be half changed.
        self._tactic = None
        if not legal:
            self._state = None
            return last_resort(text, hand_counts)
        best = _read_best(tactic, legal) if is_late else None
        if best:
            self._reasons = CUT
        return best or safest_action(legal, hand_counts)

    def _follow(self, requests, responses):
        """Applies all requests of an input to the state."""
        if str(requests[0]).startswith("0"):
            self._begin()
        if self._state is None:
            raise ProtocolError("expected a game from its first request on, got %.80r", requests[0])
        if len(responses) != len(requests) - 1:
            raise ProtocolError("expected one response fewer than requests, got %d and %d", len(responses),
                                len(requests))
        for index, request in enumerate(requests):
            if index:
                self._answered = responses[index - 1]
            if self._transcript:
                self._state.answer(self._answered)
            self._state.apply(request)
            self._transcript.append((self._answered, request))

    def _begin(self):
        """Begins a new game."""
        # These are imported here, because the last resort must work even if MahjongGB or the modules of the game are
        # broken.
        from .mahjong.fan import IS_AVAILABLE
        from .mahjong.state import GameState

        self._notice = "" if IS_AVAILABLE else BLIND
        self._state = GameState()
        self._transcript = []
        self._answered = None
        if hasattr(self._tactic, "loading"):
            self._tactic = None

    def _ask(self, legal, deadline):
        """Returns the tactic's action, one of `legal`. deadline: in seconds of time.perf_counter()."""
        if self._tactic is None:
            call_until(deadline, self._load_tactic)
        try:
            if hasattr(self._tactic, "best"):
                # The attribute still has the action of an earlier decision.
                self._tactic.best = None
            if hasattr(self._tactic, "loading"):
                self._show_past(deadline)
            action = call_until(deadline, self._tactic, self._state.copy())
            self._reasons = str(getattr(self._tactic, "reasons", ""))
        except FAILURES as error:
            raise make_tactic_error(error, self._spec, type(self._tactic).__module__) from error
        check_action(action, self._spec, self._tactic, legal=legal, request=self._transcript[-1][1],
                     hand=self._state.my_hand)
        # The equal tuple of `legal` consists of plain texts, whatever the tactic's own tuple consists of.
        return legal[legal.index(action)]

    def _load_tactic(self):
        """Loads the tactic, to which no event has been shown yet."""
        from .mahjong.state import GameState
        from .tactic import load_tactic

        self._tactic = load_tactic(self._spec)
        self._past = GameState()
        self._shown = 0

    def _show_past(self, deadline):
        """Calls loading() for each action since the tactic was last asked, on the state right after the action."""
        for answered, request in self._transcript[self._shown:]:
            if self._past.requests:
                self._past.answer(answered)
            before = len(self._past.history)
            self._past.apply(request)
            for player_id, action in self._past.history[before:]:
                call_until(deadline, self._tactic.loading, self._past, player_id, action)
        self._shown = len(self._transcript)


def _read_best(tactic, legal):
    """Returns the attribute `best` of a tactic if it is one of the legal actions, else None."""
    try:
        best = getattr(tactic, "best", None)
        return legal[legal.index(best)] if isinstance(best, tuple) and best in legal else None
    except Exception:
        # `best` may be a property that fails, or contain arrays that cannot be compared.
        return None


def _report_problem():
    """Writes the traceback of the current exception, or of its cause, to stderr, and returns it."""
    # At the top of this file the import would slow every start.
    import traceback

    error = sys.exc_info()[1]
    origin = error.__cause__ or error
    lines = []
    try:
        if not isinstance(error, ProtocolError):
            lines = traceback.format_exception(type(origin), origin, origin.__traceback__)
        if origin is not error or not lines:
            lines += traceback.format_exception_only(type(error), error)
    except Exception as failure:
        # A traceback quotes the tactic's file, which need not be UTF-8.
        lines = ["no traceback: %s\n%s.%s: %s\n" % (
            type(failure).__name__, type(error).__module__, type(error).__name__, error)]
    text = "".join(lines)
    warn(text)
    return text


def _one_line(texts, problem):
    """Returns the debug field: printable ASCII, which JSON does not lengthen, of at most _MAX_DEBUG characters."""
    text = "; ".join(filter(None, texts))
    if problem:
        # The end of a traceback names the error and is more important than the reasons.
        text = text[:_MAX_DEBUG // 2]
        text += "; " + problem[len(text) + 2 - _MAX_DEBUG:]
    words = text[:_MAX_DEBUG].replace("\\", "/").replace('"', "'").split()
    return "".join(character if " " <= character <= "~" else "?" for character in " ".join(words))


def _read_lines(stream):
    """Yields the lines of a byte stream that are not blank, as stripped texts of at most _MAX_LINE bytes."""
    while True:
        try:
            line = rest = stream.readline(_MAX_LINE)
            while len(rest) == _MAX_LINE and not rest.endswith(b"\n"):
                rest = stream.readline(_MAX_LINE)
        except OSError:
            _report_problem()
            return
        if not line:
            return
        # A file may begin with a byte order mark, which strip() leaves.
        text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
        if text:
            yield text


def run_bot(bot: Bot, stream: IO[bytes], output: IO[str], *, keep_running: bool = False,
          start: Optional[float] = None) -> None:
    """Answers the first input, or every input if the bot is kept running. An empty stream gets one PASS.

    stream: a stream of bytes with readline. output: a stream of text. keep_running: whether the bot is kept running.
    start: when the budget of the first answer began, in seconds of time.perf_counter(); None for now.
    """
    lines = _read_lines(stream)
    first_input = _read_first_input(lines)
    interaction = detect_interaction(first_input)
    later_lines = lines if keep_running else ()
    if interaction == SIMPLIFIED:
        # An earlier bot of this name may have left data and globaldata, which come before the next request.
        later_lines = dropwhile(lambda line: not _is_request(line), later_lines)
    for text in chain([first_input], later_lines):
        output.write(format_reply(bot.reply(text, start), interaction))
        start = None
        if keep_running:
            output.write(KEEP_RUNNING + "\n")
        output.flush()


def _read_first_input(lines):
    """Returns the first input, whose lines are as many as its first line says if that is a number."""
    line = next(lines, "")
    is_count = line.isdecimal() and len(line) <= _MAX_COUNT_DIGITS
    return "\n".join([line, *islice(lines, max(0, 2 * int(line) - 1) if is_count else 0)])


def _is_request(line):
    """Checks whether a line is a request."""
    try:
        return str(parse_input(line)[0][-1])[:2] in ("0 ", "1 ", "2 ", "3 ")
    except ProtocolError:
        return False


def run(tactic: str, keep_running: bool = False, budget: float = BUDGET) -> None:
    """Plays a tactic on stdin and stdout.

    tactic: text, as tactic.load_tactic reads it. keep_running: whether to stay for later inputs. budget: seconds for
        one answer.
    """
    start = time.perf_counter() - read_process_age()
    # The matrices of the bot are small, and on a busy machine several threads are much slower than one. numpy reads
    # this when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = sys.stdout
    # What a tactic prints must not become part of an answer.
    sys.stdout = Printed(lambda text: warn("mj_bot: %s\n" % text))
    # sys.stdin is None if the process started with a closed one.
    stream = sys.stdin.buffer if sys.stdin else io.BytesIO()
    if sys.stdin:
        start += wait_for_input(sys.stdin)
    run_bot(Bot(tactic, budget, keep_running), stream, output, keep_running=keep_running, start=start)
