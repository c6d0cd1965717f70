"""Shows on stderr how far a long command is, and how long it will take."""

import sys
import threading
import time
from typing import Any

from tqdm import tqdm

from ...mahjong.errors import Message
from ..words import say
from .command import GOES_ON
from .files import PathLike

_LINE_SECONDS = 30  # seconds between two lines if stderr is no terminal
_LEAST_SECONDS = 10  # shorter work is not announced
_MEASURED_SECONDS = 2  # seconds of work that are measured before the estimate


class Progress(tqdm):
    """Shows tqdm's progress bar, and says in one line how long the work will take. It is a context manager.

    total: number of units; None where unknown. unit: name of the units, such as " games".
    name: the command's name in the line; "" for no line. hint: what the line says about Ctrl-C.
    most: an upper limit of the total, where the total is unknown. options: more arguments of tqdm.
    """

    def __init__(
            self, total: float | None, unit: str = " games", *, name: str = "", hint: str = GOES_ON,
            most: float | None = None, **options: Any):
        self._name, self._hint, self._most, self._begun = name, hint, most, None
        self._unit = unit
        super().__init__(total=total, unit=" " + say(unit.strip()), file=sys.stderr, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else _LINE_SECONDS, **options)
        self._closed = threading.Event()
        if sys.stderr.isatty() and not self.disable:
            threading.Thread(target=self._tick, daemon=True).start()

    def _tick(self):
        """Redraws the bar every second, so that its clock shows that the work runs."""
        while not self._closed.wait(1):
            self.refresh()

    def update(self, n: float = 1) -> bool | None:
        """Counts units that are done. n: how many. Returns what tqdm's method returns."""
        shown, now, total = super().update(n), time.monotonic(), self.total or self._most
        if self._begun is None:
            self._begun = now, self.n  # the work before the first update loads and compiles
        elif self._name and total and self.n > self._begun[1] and now > self._begun[0] + _MEASURED_SECONDS:
            print_estimate(self._name, total - self.n, "more" + self._unit + " at most" * (self.total is None),
                           rate=(self.n - self._begun[1]) / (now - self._begun[0]), hint=self._hint)
            self._name = ""
        return shown

    def close(self) -> None:
        """Ends the bar."""
        self._closed.set()
        super().close()

    def skip(self, count: float) -> None:
        """Counts units that an earlier run has done. They do not count for the speed. count: how many."""
        self.initial += count
        self.update(count)
        self._begun = None


def open_events(folder: PathLike, last: int) -> Any:
    """Returns torch's SummaryWriter, which writes figures for TensorBoard into a folder.

    last: the last finished step; what an interrupted run wrote about later steps is dropped.
    """
    from torch.utils.tensorboard import SummaryWriter  # takes a second, and says much on import

    # Its thread prints the traceback of a full disk, and raises the same error here.
    threading.excepthook = _print_other_errors
    return SummaryWriter(str(folder), purge_step=last + 1)


def _print_other_errors(error):
    """Prints the traceback of an error in a thread, unless it is an OSError: the main thread raises those too."""
    if not issubclass(error.exc_type, OSError):
        threading.__excepthook__(error)


def print_estimate(name: str, count: float, unit: str, *, rate: float, hint: str = GOES_ON) -> None:
    """Says on stderr how long `count` units take, and what Ctrl-C does, unless the work is short.

    unit: name of the units, such as "more games". rate: units per second.
    """
    if count > _LEAST_SECONDS * rate:
        Progress.write(say("%s: %s %s, about %s on this machine; after Ctrl-C %s",
                           name, format(int(count), ","), say(unit), describe_seconds(count / rate), hint),
                       file=sys.stderr)


def describe_seconds(seconds: float) -> Message:
    """Returns a time in words, such as "5.6 hours"."""
    if seconds < 90:
        return Message("%.0f seconds", seconds)
    return Message("%.0f minutes", seconds / 60) if seconds < 5400 else Message("%.1f hours", seconds / 3600)
