"""The progress of commands that take long, on stderr."""

import sys

from tqdm import tqdm

_LINE_SECONDS = 30  # between two lines where stderr is no terminal


class Progress(tqdm):
    """tqdm's progress bar, a context manager. total: None where unknown. unit: such as " games"."""

    def __init__(self, total, unit=" games", **options):
        super().__init__(total=total, unit=unit, file=sys.stderr, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else _LINE_SECONDS, **options)

    def skip(self, count):
        """Adds what an earlier run has done, which does not count for the rate."""
        self.initial += count
        self.update(count)
