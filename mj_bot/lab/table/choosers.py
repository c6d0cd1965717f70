"""Tactics that choose many actions at once, for the engine."""

import importlib.util
from types import FunctionType

from ...tactic import load_class, load_tactic
from .players import PLAYERS

# torch is twice as fast at many decisions.
_OPTIONS = {"cnn": {"torch": 1}}


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


def load_chooser(spec):
    """The method choose of a new tactic; as load_tactic. spec: one for which has_choose is true."""
    name = spec.partition(":")[0]
    options = _OPTIONS.get(name, {}) if importlib.util.find_spec("torch") else {}
    return load_tactic(spec, PLAYERS, **options).choose
