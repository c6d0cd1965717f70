"""Tactics that choose many actions at once, for the engine."""

import importlib.util
from functools import partial
from itertools import chain, repeat
from types import FunctionType

from ...mahjong.errors import UnknownTacticError
from ...tactic import load_class
from ...tactic.base import check_chosen
from .players import LOADING, PLAYERS, TIME_LIMIT, call_tactic, make_tactic

# torch is twice as fast at many decisions.
_OPTIONS = {"cnn": {"torch": 1}}
_SHARE = 1 / 16  # of the time limit, for each decision of a call


def has_choose(spec):
    """Whether a spec names a tactic with the method choose, see mj_bot/tactic/__init__.py.

    An inherited choose does not know a method that a subclass replaces: then only `__call__` plays the subclass.
    """
    name = spec.partition(":")[0]
    for kind in load_class(name, PLAYERS).__mro__ if name in PLAYERS else ():
        if "choose" in vars(kind):
            return True
        if any(isinstance(value, FunctionType) and key != "__init__" for key, value in vars(kind).items()):
            return False
    return False


def load_chooser(spec, time_limit=TIME_LIMIT):
    """The method choose of a new tactic, a function that reports a failure in one line.

    time_limit: seconds for a decision. As few decisions are slow, a call has this time and a share of it for each
    decision. The first call, which loads tables, has LOADING times as much. Only the main thread keeps the limit.
    Raises as load_tactic; UnknownTacticError where has_choose is false. The function raises TacticError: choose fails,
    is too late, or gives other than legal actions.
    """
    if not has_choose(spec):
        raise UnknownTacticError("expected a tactic with the method choose, got %r" % spec)
    options = _OPTIONS.get(spec.partition(":")[0], {}) if importlib.util.find_spec("torch") else {}
    tactic, seconds = make_tactic(spec, time_limit, **options), chain([LOADING * time_limit], repeat(time_limit))

    def choose(observations, masks, **more):
        limit = next(seconds) * (1 + len(masks) * _SHARE)
        actions = call_tactic(tactic, spec, limit, partial(tactic.choose, **more), observations, masks)
        check_chosen(actions, spec, tactic, observations=observations, masks=masks)
        return actions

    return choose
