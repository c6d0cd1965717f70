"""Botzone's protocol, which no other module knows, and the Bot, which always has a legal answer.

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
from itertools import islice

from .deadline import BudgetExceeded, call_until, read_process_age, wait_for_input
from .last_resort import last_resort, safest_action
from .mahjong.action import format_action
from .mahjong.errors import ProtocolError
from .trouble import FAILURES, Printed, check_action, make_tactic_error, warn

JSON = "json"
SIMPLIFIED = "simplified"
KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
# Seconds from the start of the process to the end of the tactic's time; then its best action so far is the answer. On a
# starved machine the answer takes up to half a second more to be written.
BUDGET = 2.5
# Part of every answer: otherwise nobody notices that the bot sees no win.
BLIND = "MahjongGB is not installed: no win is seen, not even one in hand; see requirements.txt"

# Botzone refuses a debug field over 1 KB; a game's whole input is under 20 KB.
_MAX_DEBUG = 1000
_MAX_LINE = 1 << 20
# The time to read a number grows with the square of its length: a million digits would take minutes.
_MAX_DIGITS = 1000
_MAX_COUNT_DIGITS = 4
CUT = "time was up, this is its best action so far"

Reply = namedtuple("Reply", "response debug data globaldata")
Reply.__doc__ = "A bot's answer. debug: for the log. data, globaldata: given back to the bot at its next turn."
Reply.__new__.__defaults__ = ("", "", "")


def detect_interaction(first_line):
    """Returns JSON or SIMPLIFIED, as the first line of a bot's first input tells.

    >>> detect_interaction('{"requests": ["0 0 0"], "responses": []}'), detect_interaction("1")
    ('json', 'simplified')
    """
    return SIMPLIFIED if first_line[:1] in tuple("0123456789") else JSON


def parse_input(text):
    """Returns (requests, responses), two lists, of one input after the first, or of a first input in JSON.

    text: a JSON object with the lists "requests" and "responses", a JSON object {"request": ...}, a JSON text, or a raw
        request line. The last three have no responses.
    Raises ProtocolError: any other text.

    >>> parse_input('{"requests": ["0 0 0", "1 0"], "responses": ["PASS"]}')
    (['0 0 0', '1 0'], ['PASS'])
    >>> parse_input('"2 T6"'), parse_input("2 T6")
    ((['2 T6'], []), (['2 T6'], []))
    """
    if detect_interaction(text) == SIMPLIFIED:
        return [text], []
    try:
        message = json.loads(text, parse_int=_parse_int)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("expected a request or JSON, got %.80r: %s" % (text, error)) from None
    if isinstance(message, str):
        return [message], []
    if isinstance(message, dict):
        requests = message.get("requests", [message.get("request")])
        responses = message.get("responses")
        if isinstance(requests, list) and requests:
            return requests, responses if isinstance(responses, list) and len(requests) > 1 else []
    raise ProtocolError("expected a request, or an object with requests, got %.80r" % (message,))


def _parse_int(text):
    if len(text) > _MAX_DIGITS:
        raise ProtocolError("expected a number of at most %d digits, got %d" % (_MAX_DIGITS, len(text)))
    return int(text)


def read_input(first_line, lines, is_first):
    """Returns (requests, responses), two lists, of the input that begins with `first_line` and may go on in `lines`.

    lines: iterator of texts. It may end early.
    is_first: whether the bot has just been started. Only then a simplified input begins with its number of requests.
    Raises ProtocolError: the input is no request, and no JSON with requests.
    """
    if not (is_first and first_line.isdecimal() and len(first_line) <= _MAX_COUNT_DIGITS):
        return parse_input(first_line)
    texts = list(islice(lines, max(0, 2 * int(first_line) - 1)))
    if not texts:
        raise ProtocolError("expected requests after their number, got none of %.20s" % first_line)
    return texts[::2], texts[1::2]


def format_input(requests, responses, interaction, *, data="", globaldata=""):
    """Returns the text that the platform writes to a bot when it starts it; the text ends with a newline.

    requests, responses: lists of texts; there is one response fewer.
    """
    if interaction == SIMPLIFIED:
        lines = [str(len(requests)), requests[0]]
        for response, request in zip(responses, requests[1:]):
            lines += [response, request]
        return "\n".join(lines + [data, globaldata]) + "\n"
    message = {"requests": requests, "responses": responses, "data": data, "globaldata": globaldata}
    return json.dumps(message) + "\n"


def format_next_input(request, interaction):
    """Returns the text that the platform writes to a bot that it keeps running; the text ends with a newline."""
    return (request if interaction == SIMPLIFIED else json.dumps(request)) + "\n"


def format_reply(reply, interaction):
    """Returns the text of a Reply; the text ends with a newline.

    >>> format_reply(Reply("PASS", "why"), SIMPLIFIED)
    'PASS\\nwhy\\n'
    """
    if interaction == SIMPLIFIED:
        return "\n".join(reply).rstrip("\n") + "\n"
    return json.dumps(reply._asdict()) + "\n"


def parse_reply(text, interaction):
    """Returns the Reply in what a bot printed in one turn, as the platform reads it.

    The KEEP_RUNNING line is cut off before.

    Raises ProtocolError: no JSON object with a text "response", or no line at all.

    >>> parse_reply('{"response": "PLAY W1"}', JSON).response
    'PLAY W1'
    """
    if interaction == SIMPLIFIED:
        lines = [line.rstrip("\r\n") for line in text.split("\n", 3)]
        if not lines[0]:
            raise ProtocolError("expected a response on the first line, got %.80r" % text)
        return Reply(*lines)
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("expected JSON, got %.80r: %s" % (text, error)) from None
    if not isinstance(message, dict) or not isinstance(message.get("response"), str):
        raise ProtocolError('expected an object with a text "response", got %.80r' % (message,))
    return Reply(message["response"], *(str(message.get(key) or "") for key in Reply._fields[1:]))


class Bot(object):
    """A tactic at one seat: inputs in, replies out, always a legal answer.

    tactic: spec as tactic.load_tactic takes it.
    budget: seconds for one reply, from the start of the process if the system knows it. They include imports and the
        tactic's loading(). After that time, the answer is the tactic's `best`, else safest_action.
    keep_running: whether it stays after an answer. Then the first request imports the tactic, without a time limit: an
        interrupted import leaves numpy half loaded, and every later import of it fails.

    If GameState refuses a request, the answers are those of last_resort until a game begins or a whole history comes.
    """

    def __init__(self, tactic, budget=BUDGET, keep_running=False):
        self._spec = tactic
        self._budget = budget
        self._keep_running = keep_running
        self._tactic = None
        self._reasons = ""
        self._notice = ""
        self._state = None
        self._transcript = []  # of the game so far: (own answer to the request before, request)
        self._answered = None
        self._past = None  # the game that the tactic's loading() has seen
        self._shown = 0  # length of this part of the transcript

    def reply(self, first_line, lines, is_first, *, start=None):
        """Returns the Reply to one input. It never raises.

        first_line: the input's first line. lines: iterator of its other lines.
        is_first: whether the bot has just been started.
        start: when the budget began, in seconds of time.perf_counter(); None for now.
        """
        start = time.perf_counter() if start is None else start
        legal, problem, heard = None, "", [first_line]
        self._reasons = ""
        try:
            requests, responses = read_input(first_line, _note(lines, heard), is_first)
            if len(heard) == 1:
                heard = map(str, requests)
            self._follow(requests, responses)
            legal = self._state.action_space()
            if self._keep_running and self._tactic is None:
                self._load_tactic()
            action = legal[0] if len(legal) == 1 else self._ask(legal, start + self._budget)
        except KeyboardInterrupt:
            raise  # of whoever runs `mj-bot live`
        except BaseException as error:  # a tactic's own classes too
            problem = _report_problem()
            action = self._replace(legal, "\n".join(heard), isinstance(error.__cause__, BudgetExceeded))
        self._answered = format_action(action)
        if self._notice:
            warn("mj_bot: %s\n" % self._notice)
        milliseconds = 1000 * (time.perf_counter() - start)
        parts = ["%s, %.0f ms" % (self._answered, milliseconds), self._notice, self._reasons]
        return Reply(self._answered, _one_line(parts, problem))

    def _replace(self, legal, text, is_late):
        """Returns the action that is played when the tactic gives none.

        legal: None where the text of the input is no game.
        """
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
        """Brings the state up to the last request."""
        if str(requests[0]).startswith("0"):
            self._begin()
        if self._state is None:
            raise ProtocolError("expected a game from its first request on, got %.80r" % (requests[0],))
        if len(responses) != len(requests) - 1:
            raise ProtocolError("expected one response fewer than requests, got %d and %d"
                                % (len(responses), len(requests)))
        for index, request in enumerate(requests):
            if index:
                self._answered = responses[index - 1]
            if self._transcript:
                self._state.answer(self._answered)
            self._state.apply(request)
            self._transcript.append((self._answered, request))

    def _begin(self):
        # Imported here: the last resort must work even if the game's own modules or MahjongGB are broken.
        from .mahjong.fan import IS_AVAILABLE
        from .mahjong.state import GameState

        self._notice = "" if IS_AVAILABLE else BLIND
        self._state = GameState()
        self._transcript = []
        self._answered = None
        if hasattr(self._tactic, "loading"):
            self._tactic = None

    def _ask(self, legal, deadline):
        """Returns the tactic's action, one of `legal`."""
        if self._tactic is None:
            call_until(deadline, self._load_tactic)
        try:
            if hasattr(self._tactic, "best"):
                self._tactic.best = None  # that of an earlier decision
            if hasattr(self._tactic, "loading"):
                self._show_past(deadline)
            action = call_until(deadline, self._tactic, self._state.copy())
            self._reasons = str(getattr(self._tactic, "reasons", ""))
        except FAILURES as error:
            raise make_tactic_error(error, self._spec, type(self._tactic).__module__) from error
        check_action(action, self._spec, self._tactic, legal=legal, request=self._transcript[-1][1],
                     hand=self._state.my_hand)
        return legal[legal.index(action)]  # in plain texts, whatever the tactic's own tuple consists of

    def _load_tactic(self):
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
    except Exception:  # of a property, or of a comparison with arrays
        return None


def _report_problem():
    """Returns the traceback of the current exception, or of its cause and then its text; writes it to stderr too.

    For a ProtocolError the text alone: the input is wrong, not the code.
    """
    import traceback  # at the top it would slow every start

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


def _one_line(parts, problem):
    """Returns the debug field: printable ASCII without line breaks, of at most _MAX_DEBUG characters, as JSON too.

    parts: texts, the most important first. problem: a traceback, "" for none.
    """
    text = "; ".join(filter(None, parts))
    if problem:
        # The end of a traceback names the error and is more important than the reasons.
        text = text[:_MAX_DEBUG // 2]
        text += "; " + problem[len(text) + 2 - _MAX_DEBUG:]
    words = text[:_MAX_DEBUG].replace("\\", "/").replace('"', "'").split()
    return "".join(character if " " <= character <= "~" else "?" for character in " ".join(words))


def _read_lines(stream):
    """Yields the lines of a byte stream that are not blank, as stripped texts of at most _MAX_LINE bytes.

    A stream that cannot be read yields no lines.
    """
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


def _note(lines, heard):
    """Yields lines; adds them to a list."""
    for line in lines:
        heard.append(line)
        yield line


def serve(bot, stream, output, *, keep_running=False, start=None):
    """Answers the first input or, where the bot is kept running, every input. An empty stream gets one PASS.

    stream: a stream of bytes with readline. output: a stream of text.
    start: when the budget of the first answer began, in seconds of time.perf_counter(); None for now.
    """
    lines = _read_lines(stream)
    line = next(lines, "")
    interaction = detect_interaction(line)
    is_first = True
    while line is not None:
        output.write(format_reply(bot.reply(line, lines, is_first, start=start), interaction))
        start = None
        if keep_running:
            output.write(KEEP_RUNNING + "\n")
        output.flush()
        line = next(lines, None) if keep_running else None
        if is_first and interaction == SIMPLIFIED:
            line = _skip_data(line, lines)
        is_first = False


def _skip_data(line, lines):
    """Returns the first request in `line` and `lines`, after the data and globaldata of a simplified first input.

    This bot writes no data, but an earlier bot of the same name on Botzone may have.
    """
    for _ in range(2):
        if line is None or _is_request(line):
            break
        line = next(lines, None)
    return line


def _is_request(line):
    try:
        request = parse_input(line)[0][-1]
    except ProtocolError:
        return False
    return isinstance(request, str) and request[:2] in ("0 ", "1 ", "2 ", "3 ")


def run(tactic, keep_running=False, budget=BUDGET):
    """Plays a tactic, given by its spec, on stdin and stdout."""
    start = time.perf_counter() - read_process_age()
    # Set before numpy is imported: its matrices are small here, and on a busy machine several threads take ten times as
    # long as one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = sys.stdout
    # Output of a tactic must not become part of an answer.
    sys.stdout = Printed(lambda text: warn("mj_bot: %s\n" % text))
    # sys.stdin is None if the process started with a closed one.
    stream = sys.stdin.buffer if sys.stdin else io.BytesIO()
    if sys.stdin:
        start += wait_for_input(sys.stdin)
    serve(Bot(tactic, budget, keep_running), stream, output, keep_running=keep_running, start=start)
