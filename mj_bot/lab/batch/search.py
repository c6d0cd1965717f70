"""The batch form of mj_bot/tactic/search.py; mj_bot/lab/reach does its work."""

from ...worth.parameters import PARAMETERS
from .worth.choose import Chooser


class SearchBatch(object):
    """SearchTactic for many decisions at once.

    parameters: as of SearchTactic. Raises TypeError: a name that is none of them.
    """

    def __init__(self, **parameters):
        unknown = sorted(set(parameters) - set(PARAMETERS._fields))
        if unknown:
            raise TypeError("expected parameters out of %s, got %s" % (" ".join(PARAMETERS._fields), " ".join(unknown)))
        self._chooser = Chooser(PARAMETERS._replace(**parameters))

    def __call__(self, observations, masks, games, seats):
        return self._chooser.choose(observations, masks)
