"""The progress of commands that take long, on stderr, and how long they will take."""

import sys
import threading
import time

from tqdm import tqdm

from ..words import say
from .command import GOES_ON

_LINE_SECONDS = 30  # between two lines where stderr is no terminal
_LEAST_SECONDS = 10  # shorter work is not announced
_MEASURED_SECONDS = 2  # of work to measure before the estimate


class Progress(tqdm):
    """tqdm's progress bar, a context manager, which says in a line how long the work will take.

    total: None where unknown. unit: such as " games". name: of the command in that line; "" for no line. hint: what
    Ctrl-C does. most: an upper limit of the total, where the total is unknown.
    """

    def __init__(self, total, unit=" games", *, name="", hint=GOES_ON, most=None, **options):
        self._name, self._hint, self._most, self._begun = name, hint, most, None
        self._unit = unit
        super().__init__(total=total, unit=" " + say(unit.strip()), file=sys.stderr, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else _LINE_SECONDS, **options)
        self._closed = threading.Event()
        if sys.stderr.isatty() and not self.disable:
            # The first update may take a minute: the clock shows that the work runs.
            threading.Thread(target=self._tick, daemon=True).start()

    def _tick(self):
        while not self._closed.wait(1):
            self.refresh()

    def update(self, n=1):
        shown, now, total = super().update(n), time.monotonic(), self.total or self._most
        if self._begun is None:
            self._begun = now, self.n  # until then the work loads and compiles
        elif self._name and total and self.n > self._begun[1] and now > self._begun[0] + _MEASURED_SECONDS:
            print_estimate(self._name, total - self.n, "more" + self._unit + " at most" * (self.total is None),
                 rate=(self.n - self._begun[1]) / (now - self._begun[0]), hint=self._hint)
            self._name = ""
        return shown

    def close(self):
        self._closed.set()
        super().close()

    def skip(self, count):
        """Adds what an earlier run has done, which does not count for the rate."""
        self.initial += count
        self.update(count)
        self._begun = None


def open_events(folder, last):
    """A SummaryWriter of torch for TensorBoard; drops what an interrupted run wrote after step `last`."""
    from torch.utils.tensorboard import SummaryWriter  # takes a second, and says much on import

    # Its thread prints the traceback of a full disk, and raises the same error here.
    threading.excepthook = _print_other_errors
    return SummaryWriter(str(folder), purge_step=last + 1)


def _print_other_errors(error):
    if not issubclass(error.exc_type, OSError):
        threading.__excepthook__(error)


def print_estimate(name, count, unit, *, rate, hint=GOES_ON):
    """Says on stderr how much a command will do, at `rate` units a second, and what Ctrl-C does; not of short work."""
    if count > _LEAST_SECONDS * rate:
        Progress.write(say("%s: %s %s, about %s on this machine; after Ctrl-C %s" % (
            name, format(int(count), ","), say(unit), format_seconds(count / rate), hint)), file=sys.stderr)


def format_seconds(seconds):
    """A time in words.

    >>> format_seconds(89), format_seconds(2000), format_seconds(20000)
    ('89 seconds', '33 minutes', '5.6 hours')
    """
    if seconds < 90:
        return "%.0f seconds" % seconds
    return "%.0f minutes" % (seconds / 60) if seconds < 5400 else "%.1f hours" % (seconds / 3600)
