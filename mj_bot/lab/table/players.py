"""Defines players at the referee's table: tactics in this process, and outside bots as processes."""

import contextlib
import os
import shlex
import shutil
import sys
import textwrap
import threading
import time
from collections import ChainMap
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ... import botzone
from ...deadline import call_until
from ...mahjong.action import format_action
from ...mahjong.errors import ProtocolError, TacticError, UnknownTacticError
from ...mahjong.state import GameState
from ...tactic import TACTICS, load_class, load_tactic, parse_spec
from ...tactic.outside import split_outside_spec
from ...trouble import FAILURES, Printed, check_action, check_finite, make_tactic_error
from ..run.printable import clean_lines
from ..words import say
from .bot_process import MOST_OUTPUT, BotProcess


class Answer(NamedTuple):
    """Keeps one turn of one player.

    response: the text of the answer, such as "PLAY W1".
    verdict: "OK", or Botzone's verdict on a player that failed: TLE (time), MLE (memory), RE (crash), OLE (too much
        output), NJ (unreadable answer).
    milliseconds: how long the player took.
    memory_mb: peak memory in MB of an outside bot's process, 0 where unknown.
    debug: the player's remark about its answer.
    """

    response: str
    verdict: str = "OK"
    milliseconds: float = 0.0
    memory_mb: int = 0
    debug: str = ""


# {name of a player: its class}. The player network:FOLDER plays the network of a run of `train`.
PLAYERS = ChainMap({"network": "mj_bot.lab.train.network_player:NetworkTactic"}, TACTICS)
# Seconds per turn on Botzone.
TIME_LIMIT = 6.0
# The first turn of an outside bot may take _FIRST_TURN times the limit. Making a tactic may take LOADING times the
# limit, because the tactic may import torch.
_FIRST_TURN, LOADING = 2, 5
_IMPORT_SECONDS = 60
_TRACEBACK = "Traceback (most recent call last)"
_ACTION_WORDS = ("PASS", "PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU")
# (player, verdict) of the failures that this process has printed.
REPORTED = set()
# {name of a protocol in a spec: (Botzone's interaction, whether the bot is kept running)}.
INTERACTIONS = {"json": (botzone.JSON, False), "json-keep": (botzone.JSON, True),
                "simplified": (botzone.SIMPLIFIED, False), "simplified-keep": (botzone.SIMPLIFIED, True)}


def make_player(
        spec: str, time_limit: float = TIME_LIMIT, memory_limit: int | None = None) -> "TacticPlayer | ProcessPlayer":
    """Returns a new player.

    spec: a tactic of PLAYERS with its settings, such as search:danger=4.4, or PROTOCOL:COMMAND for an outside bot, with
        a protocol of INTERACTIONS. A bot is started every turn, or with -keep once per game.
    time_limit: seconds per turn; an outside bot may take twice as long for its first turn.
    memory_limit: MB of an outside bot, None for no limit.
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
        raise UnknownTacticError("%s; an outside bot is json:COMMAND, such as json:./bot", error) from None


def make_tactic_player(spec: str, time_limit: float | None = TIME_LIMIT) -> "TacticPlayer":
    """Returns a new player for a tactic of PLAYERS. time_limit: seconds per turn, None for no limit."""
    return TacticPlayer(make_tactic(spec, time_limit), spec, time_limit)


def make_tactic(spec: str, time_limit: float | None = TIME_LIMIT, **defaults: Any) -> Any:
    """Returns a new tactic object of PLAYERS.

    time_limit: seconds per turn, None for no limit; making the tactic may take LOADING times as long.
    defaults: settings for those that the spec leaves out.
    Raises UnknownTacticError: no such tactic. TacticError: the tactic cannot be made.
    """
    load = partial(load_tactic, spec, PLAYERS, **defaults)
    with keep_stdout(spec):
        if time_limit is None:
            return load()
        call_until(time.perf_counter() + _IMPORT_SECONDS, load_class, parse_spec(spec, PLAYERS)[0], PLAYERS)
        return call_until(time.perf_counter() + LOADING * time_limit, load)


def shorten(spec: str, width: int = 32) -> str:
    """Returns a player's spec in at most `width` characters. Python and folders of programs are left out of a command.

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


def call_tactic(tactic: Any, name: str, seconds: float | None, function: Callable, *args: Any) -> Any:
    """Returns function(*args), a call of a tactic object.

    name: of the tactic in messages. seconds: how long the call may take, None for no limit.
    Raises TacticError: any failure of the call.
    """
    try:
        with keep_stdout(name):
            if seconds is None:
                return function(*args)
            return call_until(time.perf_counter() + seconds, function, *args)
    except FAILURES as error:
        raise make_tactic_error(error, name, type(tactic).__module__) from error


class TacticPlayer(object):
    """Plays a tactic object in this process.

    name: the player's name in tables. time_limit: seconds per turn, None for no limit. Only the main thread keeps it.
    An exception of the tactic counts as a crash. The first failure of each sort is printed on stderr.
    """

    def __init__(self, tactic: Any, name: str, time_limit: float | None = None):
        self.tactic = tactic
        self.name = name
        self.state = None
        self._time_limit = time_limit

    def begin(self) -> None:
        """Starts a new game."""
        self.state = GameState()

    def respond(self, request: str) -> Answer:
        """Returns the Answer to one request."""
        start = time.perf_counter()
        response, verdict, debug = "", "OK", ""
        try:
            response, debug = self.call(self._respond, request)
        except TacticError as error:
            verdict = error.verdict
            _report(error)
        return Answer(response, verdict, 1000 * (time.perf_counter() - start), debug=debug)

    def call(self, function: Callable, *args: Any) -> Any:
        """Returns function(*args), a call of the tactic, as call_tactic does."""
        return call_tactic(self.tactic, self.name, self._time_limit, function, *args)

    def decide(self, legal: list[tuple], request: str) -> tuple:
        """Returns the tactic's action after the latest request. Raises TacticError: the tactic fails, or errs."""
        action = self.call(self.tactic, self.state.copy())
        self._check(action, legal, request)
        return action

    def follow(self, request: str, response: str) -> None:
        """Repeats a turn with a known response, to set a game up again."""
        self.see(request)
        self.state.answer(response)

    def see(self, request: str) -> None:
        """Applies a request to the state, and tells the tactic what happened."""
        seen = len(self.state.history)
        self.state.apply(request)
        self.tell(seen)

    def tell(self, seen: int) -> None:
        """Tells the tactic the actions of the game from index `seen` of the history on."""
        if hasattr(self.tactic, "loading"):
            for player_id, action in self.state.history[seen:]:
                self.tactic.loading(self.state, player_id, action)

    def _respond(self, request):
        """Returns (response, debug) to one request."""
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
        return response, debug

    def _check(self, action, legal, request):
        """Raises TacticError: the tactic's action is not one of the legal actions."""
        check_action(action, self.name, self.tactic, legal=legal, request=request, hand=self.state.my_hand)

    def end(self) -> None:
        """Leaves the table."""


class ProcessPlayer(object):
    """Plays an outside bot with Botzone's protocol, started for every turn or kept running.

    command: its command, which is split as a shell splits it. interaction: botzone.JSON or botzone.SIMPLIFIED.
    keep_running: whether the process stays for the whole game. time_limit: seconds per turn.
    memory_limit: MB of the process and its child processes together, None for no limit.
    Raises UnknownTacticError: the command cannot be split or started.
    """

    def __init__(
            self, command: str, interaction: str = botzone.JSON, keep_running: bool = False, *,
            time_limit: float = TIME_LIMIT, memory_limit: int | None = None):
        self.name = command
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UnknownTacticError("expected a command as a shell splits it, got %r: %s", command, error) from None
        self._interaction, self._keep_running = interaction, keep_running
        self._time_limit, self._memory_limit = time_limit, memory_limit
        self._process = None
        if not self._words or not shutil.which(self._words[0]):
            raise UnknownTacticError("expected a command that can be started, got %r", command)

    def begin(self) -> None:
        """Starts a new game; ends a process that was kept running."""
        self.end()
        self._requests, self._responses, self._memory = [], [], {}

    def follow(self, request: str, response: str) -> None:
        """Repeats a turn with a known response, to set a game up again. Only allowed before the first respond()."""
        self._requests.append(request)
        self._responses.append(response)

    def respond(self, request: str) -> Answer:
        """Returns the Answer to one request."""
        self._requests.append(request)
        limit = self._time_limit * (_FIRST_TURN if len(self._requests) == 1 else 1)
        start = time.perf_counter()
        if self._process is None:
            try:
                self._process = BotProcess(self._words, self._memory_limit)
            except OSError as error:
                _report(TacticError(self.name, "RE", "expected a command that can be started: %s", error.strerror))
                self._responses.append("")
                return Answer("", "RE", 1000 * (time.perf_counter() - start))
            text = botzone.format_input(self._requests, self._responses, self._interaction, **self._memory)
        else:
            text = botzone.format_next_input(request, self._interaction)
        process = self._process
        output, verdict = process.exchange(text, start + limit, self._keep_running)
        milliseconds = 1000 * (time.perf_counter() - start)
        verdict, problem = self._judge_process(process, verdict, limit, start=start)
        response, debug = "", ""
        if verdict == "OK":
            try:
                reply = botzone.parse_reply(output, self._interaction)
                if self._interaction == botzone.SIMPLIFIED and reply.response.lstrip().startswith("{"):
                    raise ProtocolError("expected a response on the first line, got JSON")
                response, debug = reply.response, reply.debug
                self._memory = {"data": reply.data, "globaldata": reply.globaldata}
            except ProtocolError as error:
                verdict, problem = "NJ", error
        errors = process.read_errors()
        if verdict == "OK" and _TRACEBACK in errors:
            problem = "expected no error behind its answer"
        if problem:
            hint = self._hint(verdict, output, process.is_kept)
            _report(TacticError(self.name, verdict, "%s%s", problem, hint), errors)
        self._responses.append(response)
        return Answer(response, verdict, milliseconds, memory_mb=process.memory_mb, debug=debug)

    def _judge_process(self, process, verdict, limit, *, start):
        """Closes a process that does not go on running, and returns (verdict, problem) of its turn."""
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
        return verdict, problem

    def _hint(self, verdict, output, is_kept):
        """Returns what may be wrong with the protocol, as the end of a sentence; "" if nothing points to it."""
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

    def end(self) -> None:
        """Leaves the table, and ends a process that is kept running."""
        if self._process is not None:
            self._process.close()
            self._process = None


# A player at the referee's table.
Player = TacticPlayer | ProcessPlayer


def _format_illegal(action):
    """Returns the text of a tactic's answer that may be any object; "" if it has no text."""
    try:
        return format_action(action) if isinstance(action, tuple) else ""
    except (TypeError, KeyError, IndexError):
        return ""


@contextlib.contextmanager
def keep_stdout(name: str) -> Iterator[None]:
    """Makes a context in which the output of a tactic goes to stderr. name: the player's name in the message.

    It works in the main thread only, because stdout belongs to the whole process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with contextlib.redirect_stdout(Printed(lambda text: _report(TacticError(name, "print", text)))):
        yield


def _report(error, errors=""):
    """Prints a TacticError on stderr, once for each player and verdict, because a match has thousands of games."""
    player_verdict = error.args[:2]
    if player_verdict in REPORTED:
        return
    REPORTED.add(player_verdict)
    # Codes for the terminal, and marks that turn the direction of writing, are not printed as they came.
    text = clean_lines(say(error))
    if errors:
        text += say("; the end of its stderr:") + "\n" + textwrap.indent(clean_lines(errors), "    ", lambda line: True)
    print(text, file=sys.stderr, flush=True)
