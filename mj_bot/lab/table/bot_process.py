"""Runs an outside bot as a process: its turns within limits, and the end of everything that it has started."""

import contextlib
import ctypes
import itertools
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from ... import botzone

MOST_OUTPUT = 1 << 20  # most bytes that a turn may print on stdout, and on stderr
_PAUSE = 0.001  # seconds between two checks whether a process has ended
_SAMPLE_SECONDS = 0.02  # seconds between two looks at a bot's memory
_END_SECONDS = 2.0  # seconds in which the processes that a bot has left must end
_MOST_ERRORS = 2000  # bytes of the end of stderr that are kept
_CHUNK = 1 << 16  # bytes that are read at once
# Every process that this one starts has this variable in its environment. A bot has its own mark there, any other
# process has _OWN.
_STARTED_BY, _OWN = "MJ_BOT_STARTED_BY", "mj_bot"
_PR_SET_CHILD_SUBREAPER = 36  # source: man 2 prctl
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
# Process ids of the bots that run, and of the processes that adopt orphans: this one, but not a fork of it.
_running, _adopting = set(), set()
# Only one thread at a time starts a bot, or ends the processes that a bot has left.
_lock = threading.Lock()
_counter = itertools.count()


class BotProcess(object):
    """Runs an outside bot once, for one turn or for all turns of a game.

    most_memory_mb: limit in MB for the bot and its child processes together, None for no limit.
    is_kept: True if its last output ended with the marker of Botzone's keep-running mode; the bot goes on running.
    memory_mb: its peak memory in MB so far; 0 where the system does not tell it.
    exit_code: its exit code after close(); None if close() has killed it.
    Raises OSError: the command cannot be started.
    """

    def __init__(self, words: Sequence[str], most_memory_mb: int | None = None):
        _adopt_orphans()
        self._mark = "%d-%d" % (os.getpid(), next(_counter))
        self._since = _count_ticks()
        with _lock:
            self._popen = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                env=dict(os.environ, **{_STARTED_BY: self._mark}))
            self.pid = self._popen.pid
            _running.add(self.pid)
        for stream in (self._popen.stdin, self._popen.stderr):
            os.set_blocking(stream.fileno(), False)
        self._most_memory_mb = most_memory_mb
        self._pending = b""  # input of the turn that the bot has not read yet
        self._output = b""  # what the bot has printed in the turn, later what belongs to the next turn
        self._errors, self._error_bytes = b"", 0  # the end of stderr, and its length in the turn
        self._next_look = 0.0  # time of time.perf_counter() at which the memory is measured again
        self._ended = self.is_kept = False
        self.memory_mb, self.exit_code = 0, None

    def exchange(self, text: str, deadline: float, may_stay: bool) -> tuple[str, str]:
        """Sends the text of one turn, and returns (output, verdict).

        text: the bot's input. deadline: time of time.perf_counter() until which the bot may answer.
        may_stay: whether the bot may print the marker of the keep-running mode and go on running. If not, its input is
            closed after the text.
        output: what the bot printed, up to the marker or the end of its output; "" unless the verdict is "OK".
        verdict: "OK", or Botzone's "TLE" (time), "MLE" (memory) or "OLE" (output).
        """
        self._pending, self._error_bytes = text.encode(), 0
        # The line break after the last marker may come in a piece of its own.
        skipped = b"\r\n" if self.is_kept else b""
        marker = botzone.KEEP_RUNNING.encode()
        with selectors.DefaultSelector() as selector:
            for stream, event in ((self._popen.stdout, selectors.EVENT_READ),
                                  (self._popen.stderr, selectors.EVENT_READ),
                                  (self._popen.stdin, selectors.EVENT_WRITE)):
                selector.register(stream, event)
            verdict = None
            while verdict is None:
                if may_stay and marker in self._output:
                    self.is_kept, verdict = True, "OK"
                else:
                    verdict = self._go_on(selector, deadline, may_stay=may_stay)
        output, _, self._output = self._output.partition(marker) if may_stay else (self._output, b"", b"")
        return output.lstrip(skipped).decode("utf-8", "replace") if verdict == "OK" else "", verdict

    def _go_on(self, selector, deadline, *, may_stay):
        """Moves bytes for at most _SAMPLE_SECONDS. Returns the verdict on the turn, None while the turn goes on."""
        seconds = deadline - time.perf_counter()
        ready = selector.select(min(max(seconds, 0), _SAMPLE_SECONDS))
        if self._takes_too_much_memory():
            return "MLE"
        if not ready and seconds <= 0:
            return "TLE"
        for key, _ in ready:
            if key.fileobj is self._popen.stdin:
                try:
                    self._pending = self._pending[os.write(key.fd, self._pending):]
                except BrokenPipeError:
                    self._pending = b""
                if not self._pending:
                    selector.unregister(key.fileobj)
                    if not may_stay:
                        key.fileobj.close()
            elif key.fileobj is self._popen.stderr:
                chunk = self._read_errors()
                self._error_bytes += len(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
                if self._error_bytes > MOST_OUTPUT:
                    return "OLE"
            else:
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    self._ended, self.is_kept = True, False
                    return "OK"
                self._output += chunk
                if len(self._output) > MOST_OUTPUT:
                    return "OLE"
        return None

    def _takes_too_much_memory(self):
        """Updates memory_mb, and checks it against the limit."""
        # The peak of wait4 would not do: it includes the process from which this one was started.
        self.memory_mb = max(self.memory_mb, read_memory_mb(self.pid))
        if self._most_memory_mb is None or time.perf_counter() < self._next_look:
            return False
        self._next_look = time.perf_counter() + _SAMPLE_SECONDS
        self.memory_mb = max(self.memory_mb, self._measure_tree())
        return self.memory_mb > self._most_memory_mb

    def _measure_tree(self):
        """Returns the memory in MB that the bot and its child processes use together."""
        tree, total = {self.pid}, 0.0
        for process in sorted(list_processes(), key=lambda process: (process.started, process.process_id)):
            if process.process_id in tree or process.parent in tree:
                tree.add(process.process_id)
                total += process.memory_mb
        return int(total)

    def _read_errors(self):
        """Returns at most _CHUNK bytes of stderr, b"" at its end, and keeps the last ones of all that it has read."""
        try:
            chunk = os.read(self._popen.stderr.fileno(), _CHUNK)
        except BlockingIOError:
            return b""
        self._errors = (self._errors + chunk)[-_MOST_ERRORS:]
        return chunk

    def close(self, deadline: float = 0.0) -> None:
        """Ends the process and everything that it has started.

        A process whose output has ended gets time to exit by itself, so that its exit code is known. Any other process
        is killed at once.
        deadline: time of time.perf_counter() at which a process that has ended its output is killed too.
        """
        for stream in (self._popen.stdin, self._popen.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        while self._ended and self._popen.poll() is None:
            self._read_errors()
            time.sleep(_PAUSE)
            self._ended = time.perf_counter() < deadline
        # Popen.kill would leave the child processes; they are in the group of the bot. The group may have ended.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        exit_code = self._popen.wait()
        self.exit_code = exit_code if self._ended else None
        self.read_errors()
        self._popen.stderr.close()
        _running.discard(self.pid)
        _end_orphans(self._mark, self._since)

    def read_errors(self) -> str:
        """Returns the end of what the bot has printed on stderr so far."""
        if not self._popen.stderr.closed:
            for _ in range(MOST_OUTPUT // _CHUNK):
                if not self._read_errors():
                    break
        return self._errors.decode("utf-8", "replace").strip()


def _adopt_orphans():
    """Makes this process the parent of those that its bots leave, so that it can find them; on Linux only."""
    if os.getpid() not in _adopting:
        _adopting.add(os.getpid())
        os.environ[_STARTED_BY] = _OWN
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_orphans(mark, since):
    """Kills what a bot has left in sessions of its own: adopted processes that have the bot's mark, or none at all."""
    # A process that took off its mark while another bot of this process runs may be that bot's; it is killed too.
    deadline = time.perf_counter() + _END_SECONDS
    own, session = os.getpid(), os.getsid(0)
    while _has_children() and time.perf_counter() < deadline:
        with _lock:
            left = [process.process_id for process in list_processes()
                    if process.parent == own and process.session != session and process.started >= since
                    and process.process_id not in _running and _read_mark(process.process_id) in (mark, "")]
            for process_id in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process_id, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process_id, os.WNOHANG)
        if not left:
            return
        time.sleep(_PAUSE)  # now the system gives their own children to this process


def _has_children():
    """Checks whether this process has child processes; True where the system cannot tell."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    except AttributeError:  # not every system has waitid
        pass
    return True


def _read_mark(process_id):
    """Returns the value of the variable _STARTED_BY of a process, "" if it has none or cannot be read."""
    with contextlib.suppress(OSError), open("/proc/%d/environ" % process_id, "rb") as file:
        for line in file.read().split(b"\0"):
            name, _, value = line.partition(b"=")
            if name == _STARTED_BY.encode():
                return value.decode("ascii", "replace")
    return ""


class RunningProcess(NamedTuple):
    """Keeps what the system tells about a process: the ids, the memory that it uses now.

    started: ticks from the start of the machine to the start of the process.
    """

    process_id: int
    parent: int
    session: int
    started: int
    memory_mb: float


def list_processes() -> list[RunningProcess]:
    """Returns all processes that the system shows, [] where it shows none. Source: man 5 proc."""
    processes = []
    with contextlib.suppress(FileNotFoundError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            # The second word is the name of the program in brackets. It may contain brackets and spaces.
            with contextlib.suppress(OSError), open("/proc/%s/stat" % name, "rb") as file:
                words = file.read().rpartition(b")")[2].split()
                processes.append(RunningProcess(
                    int(name), int(words[1]), int(words[3]), started=int(words[19]),
                    memory_mb=int(words[21]) * _PAGE_MB))
    return processes


def _count_ticks():
    """Returns the clock ticks since the start of the machine."""
    seconds = time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else 0
    return int(seconds * os.sysconf("SC_CLK_TCK"))


def read_memory_mb(process: int | str) -> int:
    """Returns the peak memory in MB of a process id or of "self"; 0 where the system does not tell it."""
    with contextlib.suppress(OSError), open("/proc/%s/status" % process) as status:
        return next((int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:")), 0)
    return 0
