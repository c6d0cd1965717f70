"""One run of an outside bot as a process: its turns within limits, and the end of everything that it has started."""

import contextlib
import ctypes
import itertools
import os
import selectors
import signal
import subprocess
import threading
import time
from typing import NamedTuple

from ... import botzone

MOST_OUTPUT = 1 << 20  # bytes of a turn on stdout, and on stderr
_PAUSE = 0.001  # seconds between two checks whether a process has ended
_SAMPLE_SECONDS = 0.02  # between two looks at its memory
_END_SECONDS = 2.0  # for the end of what a bot has left
_MOST_ERRORS = 2000  # bytes at the end of stderr that are kept
_CHUNK = 1 << 16
# A variable in the environment of every process that this one starts: of a bot its mark, of any other process _OWN.
_STARTED_BY, _OWN = "MJ_BOT_STARTED_BY", "mj_bot"
_PR_SET_CHILD_SUBREAPER = 36  # source: man 2 prctl
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
# Numbers of the bots that run, and of the processes that adopt orphans: this one, but not a fork of it.
_running, _adopting = set(), set()
# One thread at a time starts a bot or ends what a bot has left.
_lock = threading.Lock()
_counter = itertools.count()


class BotProcess(object):
    """One run of an outside bot.

    words: of its command. most_memory_mb: of the bot and its child processes together, None for no limit.
    is_kept: whether its output ended with the marker, and it goes on running. memory_mb: its peak, as read while it
    works; 0 where the system does not tell it. exit_code: after close(), None where close() has killed it.
    Raises OSError: the command cannot be started.
    """

    def __init__(self, words, most_memory_mb=None):
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
        self._left = b""  # output after the marker
        self._errors = b""  # the end of stderr
        self._ended = self.is_kept = False
        self.memory_mb, self.exit_code = 0, None

    def exchange(self, text, deadline, may_stay):
        """Returns (output, verdict) of one turn, up to the marker or the end of the output."""
        pending = text.encode()
        output, self._left = self._left, b""
        # The line break after the last marker may come in a piece of its own.
        skipped = b"\r\n" if self.is_kept else b""
        marker = botzone.KEEP_RUNNING.encode()
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        error_bytes, next_look = 0, 0.0
        with selectors.DefaultSelector() as selector:
            for stream, event in ((stdout, selectors.EVENT_READ), (stderr, selectors.EVENT_READ),
                                  (stdin, selectors.EVENT_WRITE)):
                selector.register(stream, event)
            while True:
                if may_stay and marker in output:
                    output, _, rest = output.partition(marker)
                    self._left = rest
                    self.is_kept = True
                    return output.lstrip(skipped).decode("utf-8", "replace"), "OK"
                seconds = deadline - time.perf_counter()
                ready = selector.select(min(max(seconds, 0), _SAMPLE_SECONDS))
                # Not the peak of wait4: that includes the process from which this one was started.
                self.memory_mb = max(self.memory_mb, read_memory_mb(self.pid))
                if self._most_memory_mb is not None and time.perf_counter() >= next_look:
                    next_look = time.perf_counter() + _SAMPLE_SECONDS
                    self.memory_mb = max(self.memory_mb, self._measure_tree())
                    if self.memory_mb > self._most_memory_mb:
                        return "", "MLE"
                if not ready and seconds <= 0:
                    return "", "TLE"
                for key, _ in ready:
                    if key.fileobj is stdin:
                        try:
                            pending = pending[os.write(stdin.fileno(), pending):]
                        except BrokenPipeError:
                            pending = b""
                        if not pending:
                            selector.unregister(stdin)
                            if not may_stay:
                                stdin.close()
                    elif key.fileobj is stderr:
                        chunk = self._read_errors()
                        error_bytes += len(chunk)
                        if not chunk:
                            selector.unregister(stderr)
                        if error_bytes > MOST_OUTPUT:
                            return "", "OLE"
                    else:
                        chunk = os.read(stdout.fileno(), _CHUNK)
                        if not chunk:
                            self._ended, self.is_kept = True, False
                            return output.lstrip(skipped).decode("utf-8", "replace"), "OK"
                        output += chunk
                        if len(output) > MOST_OUTPUT:
                            return "", "OLE"

    def _measure_tree(self):
        """Returns the memory in MB that the bot and its child processes use together."""
        tree, total = {self.pid}, 0.0
        for process in sorted(list_processes(), key=lambda process: (process.started, process.number)):
            if process.number in tree or process.parent in tree:
                tree.add(process.number)
                total += process.memory_mb
        return int(total)

    def _read_errors(self):
        """Returns what stderr has at the moment, at most _CHUNK bytes, b"" at its end; keeps the last bytes of all."""
        try:
            chunk = os.read(self._popen.stderr.fileno(), _CHUNK)
        except BlockingIOError:
            return b""
        self._errors = (self._errors + chunk)[-_MOST_ERRORS:]
        return chunk

    def close(self, deadline=0.0):
        """Reads the exit code of a process whose output has ended, and kills it if it runs at the deadline; any other
        process is killed at once. Then everything that it has started is killed."""
        for stream in (self._popen.stdin, self._popen.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        ended = 0
        while self._ended and not ended:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if not ended:
                self._read_errors()
                time.sleep(_PAUSE)
                self._ended = time.perf_counter() < deadline
        # The group has its child processes too, which Popen.kill would leave. It may have ended.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if not ended:
            _, status = os.waitpid(self.pid, 0)
        self._popen.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        self.exit_code = self._popen.returncode if self._ended else None
        self.read_errors()
        self._popen.stderr.close()
        _running.discard(self.pid)
        _end_orphans(self._mark, self._since)

    def read_errors(self):
        """Returns the last part of its stderr."""
        if not self._popen.stderr.closed:
            for _ in range(MOST_OUTPUT // _CHUNK):
                if not self._read_errors():
                    break
        return self._errors.decode("utf-8", "replace").strip()


def _adopt_orphans():
    """Makes this process the parent of what its bots leave, on Linux alone, so that it can be found."""
    if os.getpid() not in _adopting:
        _adopting.add(os.getpid())
        os.environ[_STARTED_BY] = _OWN
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_orphans(mark, since):
    """Kills what a bot has left in sessions of its own: adopted processes with its mark, or with no mark at all.

    since: ticks, when the bot was started. A process that took off the mark while another bot of this process runs may
    be that bot's; it is killed too.
    """
    deadline = time.perf_counter() + _END_SECONDS
    own, session = os.getpid(), os.getsid(0)
    while _has_children() and time.perf_counter() < deadline:
        with _lock:
            left = [process.number for process in list_processes()
                    if process.parent == own and process.session != session and process.started >= since
                    and process.number not in _running and _read_mark(process.number) in (mark, "")]
            for number in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(number, os.WNOHANG)
        if not left:
            return
        time.sleep(_PAUSE)  # their own children are adopted next


def _has_children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    except AttributeError:  # not every system has it
        pass
    return True


def _read_mark(number):
    """Returns what a process has in _STARTED_BY, "" for nothing or where it cannot be read."""
    with contextlib.suppress(OSError), open("/proc/%d/environ" % number, "rb") as file:
        for line in file.read().split(b"\0"):
            name, _, value = line.partition(b"=")
            if name == _STARTED_BY.encode():
                return value.decode("ascii", "replace")
    return ""


class RunningProcess(NamedTuple):
    """A process as the system describes it. parent: its number. started: ticks since the start of the machine."""

    number: int
    parent: int
    session: int
    started: int
    memory_mb: float


def list_processes():
    """Returns all RunningProcess that the system shows, [] where it shows none. Source: man 5 proc."""
    processes = []
    with contextlib.suppress(FileNotFoundError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            # The name of the program is in brackets, and may have brackets and spaces.
            with contextlib.suppress(OSError), open("/proc/%s/stat" % name, "rb") as file:
                words = file.read().rpartition(b")")[2].split()
                processes.append(RunningProcess(
                    int(name), int(words[1]), int(words[3]), int(words[19]), int(words[21]) * _PAGE_MB))
    return processes


def _count_ticks():
    """Returns the ticks since the start of the machine, as in RunningProcess."""
    seconds = time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else 0
    return int(seconds * os.sysconf("SC_CLK_TCK"))


def read_memory_mb(process):
    """Returns the peak memory in MB of a running process, by its number or "self"; 0 where the system hides it."""
    with contextlib.suppress(OSError), open("/proc/%s/status" % process) as status:
        return next((int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:")), 0)
    return 0
