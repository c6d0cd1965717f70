"""The progress of tuning and ablation on stderr: games done, rate and time left."""

import sys

from tqdm import tqdm

# Seconds between two lines where stderr is no terminal.
_LINE = 30


class Bar(object):
    """A progress bar over games, as a context manager. total: games to play."""

    def __init__(self, total):
        # The rate is of all games so far: those of a journal are left out of it.
        self._bar = tqdm(total=total, unit=" games", file=sys.stderr, smoothing=0, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else _LINE)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._bar.close()

    def show(self, games, is_known):
        """Counts games just played, or known from a journal."""
        if is_known:
            self._bar.initial += games
        self._bar.update(games)

    def tell(self, text):
        """Says what is under way."""
        self._bar.set_postfix_str(text, refresh=False)
