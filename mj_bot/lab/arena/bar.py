"""The progress of a match on stderr: games done, rate, time left, and the widest difference so far."""

import sys
import time

from tqdm import tqdm

from .report import shorten
from .verdict import differences

# Seconds between two looks at the differences, and between two lines where stderr is no terminal.
_LOOK = 2
_LINE = 30


class Bar(object):
    """A progress bar for conduct.play_match, as a context manager.

    match: Match. wall_count: of walls to play. rule: what may end the match earlier; no time left is told then.
    known: walls that are done already.
    """

    def __init__(self, match, wall_count, rule, known):
        self._names = match.names
        self._games = len(match.seatings)
        self._next_look = 0
        self._bar = tqdm(
            total=None if rule else wall_count * self._games, initial=min(known, wall_count) * self._games,
            unit=" games", file=sys.stderr, mininterval=0.1 if sys.stderr.isatty() else _LINE, smoothing=0.05,
            dynamic_ncols=True)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._bar.close()

    def show(self, progress, walls):
        """Counts walls just played."""
        if time.monotonic() > self._next_look and len(progress.units) > 1:
            self._next_look = time.monotonic() + _LOOK
            spread = differences(progress.scores)
            (i, j), widest = max(spread.items(), key=lambda item: item[1].high - item[1].mean)
            names = shorten(self._names[i], 16), shorten(self._names[j], 16)
            self._bar.set_postfix_str("%s less %s: %+.2f +- %.2f" % (
                *names, widest.mean, widest.high - widest.mean), refresh=False)
        self._bar.update(walls * self._games)
