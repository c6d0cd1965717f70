"""The progress of commands that take long, on stderr."""

import sys

from tqdm import tqdm

# Seconds between two lines where stderr is no terminal.
_LINE = 30


class Progress(tqdm):
    """A progress bar as a context manager: tqdm's, with the options that all commands share.

    total: how much there is to do, None where nobody knows. unit: such as " games". options: further ones of tqdm.
    """

    def __init__(self, total, unit=" games", **options):
        super().__init__(total=total, unit=unit, file=sys.stderr, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else _LINE, **options)

    def skip(self, count):
        """Counts what an earlier run has done; it does not count for the rate."""
        self.initial += count
        self.update(count)
