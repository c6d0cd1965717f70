"""The batch form of mj_bot/tactic/search.py: its method choose."""

from ...tactic.search import SearchTactic


class SearchBatch(SearchTactic):
    """SearchTactic for many decisions at once; for one thread."""

    def __call__(self, observations, masks, games=None, seats=None, points=None):
        """As SearchTactic.choose."""
        return self.choose(observations, masks, points)
