"""Players at the referee's table: tactics in this process, and outside bots as processes."""

import contextlib
import os
import shlex
import shutil
import sys
import textwrap
import threading
import time
from collections import ChainMap
from functools import partial
from typing import NamedTuple

from ... import botzone
from ...deadline import call_until
from ...mahjong.action import format_action
from ...mahjong.errors import ProtocolError, TacticError, UnknownTacticError
from ...mahjong.state import GameState
from ...tactic import TACTICS, load_class, load_tactic, parse_spec
from ...tactic.outside import split_outside_spec
from ...trouble import FAILURES, Printed, check_action, check_finite, make_tactic_error
from ..words import clean_lines, say
from .bot_process import MOST_OUTPUT, BotProcess


class Answer(NamedTuple):
    """One turn of one player."""

    response: str
    verdict: str = "OK"  # or Botzone's TLE (time), MLE (memory), RE (crash), OLE (output), NJ (unreadable answer)
    milliseconds: float = 0.0
    memory_mb: int = 0  # peak of an outside bot's process, 0 where unknown
    debug: str = ""


# network:FOLDER plays the network of a run of `train`.
PLAYERS = ChainMap({"network": "mj_bot.lab.train.network_player:NetworkTactic"}, TACTICS)
TIME_LIMIT = 6.0
_FIRST_TURN = 2  # times the time limit
LOADING = 5  # times the time limit: a constructor may import torch
_IMPORT_SECONDS = 60
_TRACEBACK = "Traceback (most recent call last)"
_ACTION_WORDS = ("PASS", "PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU")
REPORTED = set()  # (player, verdict) of the failures that this process has printed
INTERACTIONS = {"json": (botzone.JSON, False), "json-keep": (botzone.JSON, True),
                "simplified": (botzone.SIMPLIFIED, False), "simplified-keep": (botzone.SIMPLIFIED, True)}


def make_player(spec, time_limit=TIME_LIMIT, memory_limit=None):
    """A player from its spec: a tactic as parse_spec takes it, with PLAYERS, or PROTOCOL:COMMAND for an outside bot.

    PROTOCOL is one of json, json-keep, simplified, simplified-keep; a bot is started every turn, with keep once a game.
    time_limit: seconds a turn; a command has twice as much for the first turn. memory_limit: MB of a command, None for
    no limit.
    Raises UnknownTacticError: no such tactic or command. TacticError: the tactic cannot be made.
    """
    protocol, _, command = spec.partition(":")
    if protocol in INTERACTIONS:
        return ProcessPlayer(command, *INTERACTIONS[protocol], time_limit=time_limit, memory_limit=memory_limit)
    try:
        return make_tactic_player(spec, time_limit)
    except UnknownTacticError as error:
        if protocol in PLAYERS or split_outside_spec(spec):
            raise
        raise UnknownTacticError("%s; an outside bot is json:COMMAND, such as json:./bot" % error) from None


def make_tactic_player(spec, time_limit=TIME_LIMIT):
    """The TacticPlayer of a spec of PLAYERS. Raises as make_player."""
    return TacticPlayer(make_tactic(spec, time_limit), spec, time_limit)


def make_tactic(spec, time_limit=TIME_LIMIT, **defaults):
    """A tactic of PLAYERS as load_tactic makes it, with LOADING times the time limit for it; None for no limit."""
    load = partial(load_tactic, spec, PLAYERS, **defaults)
    with keep_stdout(spec):
        if time_limit is None:
            return load()
        call_until(time.perf_counter() + _IMPORT_SECONDS, load_class, parse_spec(spec, PLAYERS)[0], PLAYERS)
        return call_until(time.perf_counter() + LOADING * time_limit, load)


def shorten(spec, width=32):
    """A player's spec in at most `width` characters; a command without Python and folders of programs.

    >>> shorten("json:.venv/bin/python old/mj_bot.pyz"), shorten("json:.venv/bin/python old/mj_bot.pyz", 18)
    ('json:old/mj_bot.pyz', 'json:../mj_bot.pyz')
    >>> shorten("search:danger=4.4,correction=0.5", 24)
    'search:dang..rection=0.5'
    """
    protocol, _, command = spec.partition(":")
    head = width // 2 - 1
    if protocol in INTERACTIONS and command:
        program, _, rest = command.partition(" ")
        program = os.path.basename(program)
        spec = "%s:%s" % (protocol, rest if rest and program.startswith("python") else (program + " " + rest).strip())
        head = min(head, len(protocol) + 1)
    return spec if len(spec) <= width else spec[:head] + ".." + spec[head + 2 - width:]


def call_tactic(tactic, name, seconds, function, *args):
    """function(*args) of a tactic within some seconds, None for no limit. Raises TacticError: any failure."""
    try:
        with keep_stdout(name):
            if seconds is None:
                return function(*args)
            return call_until(time.perf_counter() + seconds, function, *args)
    except FAILURES as error:
        raise make_tactic_error(error, name, type(tactic).__module__) from error


class TacticPlayer(object):
    """A tactic object in this process; an exception counts as a crash.

    name: in tables. time_limit: seconds a turn, in the main thread only; None for no limit. The first failure of each
    kind is printed on stderr.
    """

    def __init__(self, tactic, name, time_limit=None):
        self.tactic = tactic
        self.name = name
        self.state = None
        self._time_limit = time_limit

    def begin(self):
        self.state = GameState()

    def respond(self, request):
        """The Answer to one request."""
        start = time.perf_counter()
        try:
            return self.call(self._respond, request, start)
        except TacticError as error:
            _report(error)
            return Answer("", error.verdict, 1000 * (time.perf_counter() - start))

    def call(self, function, *args):
        """As call_tactic, within the time limit."""
        return call_tactic(self.tactic, self.name, self._time_limit, function, *args)

    def decide(self, legal, request):
        """The tactic's action after the latest request, one of the legal ones. Raises TacticError."""
        action = self.call(self.tactic, self.state.copy())
        self._check(action, legal, request)
        return action

    def follow(self, request, response):
        """Repeats a turn with a known response, to set a game up again."""
        self.see(request)
        self.state.answer(response)

    def see(self, request):
        """Applies a request to the state and the tactic."""
        seen = len(self.state.history)
        self.state.apply(request)
        self.tell(seen)

    def tell(self, seen):
        """Tells the tactic the actions of the game after the first `seen`."""
        if hasattr(self.tactic, "loading"):
            for player_id, action in self.state.history[seen:]:
                self.tactic.loading(self.state, player_id, action)

    def _respond(self, request, start):
        self.see(request)
        state = self.state
        legal = state.action_space()
        action, debug = legal[0], ""
        if len(legal) > 1:
            action = self.tactic(state.copy())
            check_finite(self.tactic)
            debug = str(getattr(self.tactic, "reasons", ""))
        try:
            self._check(action, legal, request)
            response = format_action(action)
            state.answer(response)
        except TacticError as error:
            response = _format_illegal(action)
            _report(error)
        return Answer(response, "OK", 1000 * (time.perf_counter() - start), 0, debug)

    def _check(self, action, legal, request):
        check_action(action, self.name, self.tactic, legal=legal, request=request, hand=self.state.my_hand)

    def end(self):
        """Leaves the table."""


class ProcessPlayer(object):
    """An outside bot with Botzone's protocol, started every turn or kept running.

    command: as a shell splits it. interaction: botzone.JSON or botzone.SIMPLIFIED. time_limit: seconds a turn.
    memory_limit: MB of the process and its child processes together, None for no limit.
    Raises UnknownTacticError: a command that cannot be split or started.
    """

    def __init__(self, command, interaction=botzone.JSON, keep_running=False, *, time_limit=TIME_LIMIT,
                 memory_limit=None):
        self.name = command
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UnknownTacticError("expected a command as a shell splits it, got %r: %s" % (command, error)) from None
        self._interaction, self._keep_running = interaction, keep_running
        self._time_limit, self._memory_limit = time_limit, memory_limit
        self._process = None
        if not self._words or not shutil.which(self._words[0]):
            raise UnknownTacticError("expected a command that can be started, got %r" % command)

    def begin(self):
        self.end()
        self._requests, self._responses, self._memory = [], [], {}

    def follow(self, request, response):
        """Repeats a turn with a known response, to set a game up again; before the first respond()."""
        self._requests.append(request)
        self._responses.append(response)

    def respond(self, request):
        """The Answer to one request."""
        self._requests.append(request)
        limit = self._time_limit * (_FIRST_TURN if len(self._requests) == 1 else 1)
        start = time.perf_counter()
        if self._process is None:
            try:
                self._process = BotProcess(self._words, self._memory_limit)
            except OSError as error:
                _report(TacticError(self.name, "RE", "expected a command that can be started: %s" % error.strerror))
                self._responses.append("")
                return Answer("", "RE", 1000 * (time.perf_counter() - start))
            text = botzone.format_input(self._requests, self._responses, self._interaction, **self._memory)
        else:
            text = botzone.format_next_input(request, self._interaction)
        process = self._process
        output, verdict = process.exchange(text, start + limit, self._keep_running)
        milliseconds = 1000 * (time.perf_counter() - start)
        problem = {"TLE": "expected an answer within %g s" % limit,
                   "OLE": "expected at most %d MB of output" % (MOST_OUTPUT >> 20),
                   "MLE": "expected at most %s MB of memory, used %d" % (self._memory_limit, process.memory_mb),
                   }.get(verdict)
        if verdict != "OK" or not process.is_kept:
            process.close(start + limit)
            self._process = None
            if verdict == "OK" and process.exit_code is None:
                verdict, problem = "TLE", "expected its end within %g s" % limit
            elif verdict == "OK" and process.exit_code:
                verdict, problem = "RE", "expected exit code 0, got %d" % process.exit_code
        response, debug = "", ""
        if verdict == "OK":
            try:
                reply = botzone.parse_reply(output, self._interaction)
                if self._interaction == botzone.SIMPLIFIED and _is_json_reply(reply.response):
                    raise ProtocolError("expected a response on the first line, got JSON")
                response, debug = reply.response, reply.debug
                self._memory = {"data": reply.data, "globaldata": reply.globaldata}
            except ProtocolError as error:
                verdict, problem = "NJ", str(error)
        errors = process.read_errors()
        if verdict == "OK" and _TRACEBACK in errors:
            problem = "expected no error behind its answer"
        if problem:
            _report(TacticError(self.name, verdict, problem + self._hint(verdict, output, process.is_kept)), errors)
        self._responses.append(response)
        return Answer(response, verdict, milliseconds, process.memory_mb, debug)

    def _hint(self, verdict, output, is_kept):
        """Returns what may be wrong with the protocol, as the end of a sentence; "" where nothing points to it."""
        other = next(name for name, (interaction, keeps) in INTERACTIONS.items()
                     if interaction != self._interaction and keeps == self._keep_running)
        is_json = self._interaction == botzone.JSON
        if verdict == "NJ" and output.lstrip().startswith(_ACTION_WORDS if is_json else "{"):
            return "; the bot seems to answer in the other interaction: name it as %s:COMMAND" % other
        if verdict == "RE" and len(self._requests) == 1:
            return "; if it reads the other interaction, name it as %s:COMMAND" % other
        if verdict == "TLE" and self._keep_running and not is_kept:
            return "; it never printed the line %s, which keeps it running" % botzone.KEEP_RUNNING
        return ""

    def end(self):
        """Leaves the table, and ends a process that is kept running."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _is_json_reply(text):
    """Whether a line is an answer of the JSON interaction."""
    try:
        botzone.parse_reply(text, botzone.JSON)
    except ProtocolError:
        return False
    return True


def _format_illegal(action):
    """Text of an action that may be anything; "" where it has none."""
    try:
        return format_action(action) if isinstance(action, tuple) else ""
    except (TypeError, KeyError, IndexError):
        return ""


@contextlib.contextmanager
def keep_stdout(name):
    """A context in which a tactic's output goes to stderr; in the main thread only, as stdout is of the process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with contextlib.redirect_stdout(Printed(lambda text: _report(TacticError(name, "print", text)))):
        yield


def _report(error, errors=""):
    """Prints a TacticError on stderr, once for each player and verdict: a match has thousands of games."""
    player_verdict = error.args[:2]
    if player_verdict in REPORTED:
        return
    REPORTED.add(player_verdict)
    # Codes for the terminal, and marks that turn the direction of writing, are not printed as they came.
    text = clean_lines(say(error))
    if errors:
        text += say("; the end of its stderr:") + "\n" + textwrap.indent(clean_lines(errors), "    ", lambda line: True)
    print(text, file=sys.stderr, flush=True)
