"""Tactics that choose for many decisions at once, for the engine; and the batch form of `search`.

It never decides otherwise than the tactic: tests compare the two at the same positions.
"""

import importlib
import importlib.util

from ...tactic import load_class, load_tactic
from ..table.players import PLAYERS

# What chooses for these until their tactics do.
BATCH = {
    "cnn": "mj_bot.lab.train.player:CNNPlayer",
    "search": "mj_bot.lab.batch.search:SearchBatch",
}
_NEEDS = {"cnn": "torch", "network": "torch"}


def has_choose(spec):
    """Whether the player of a spec is a tactic that chooses for many decisions at once.

    Others play through the referee, and so do networks where there is no torch.
    """
    name = spec.partition(":")[0]
    if name not in PLAYERS or name in _NEEDS and importlib.util.find_spec(_NEEDS[name]) is None:
        return False
    return name in BATCH or hasattr(load_class(name, PLAYERS), "choose")


def load_chooser(spec):
    """The method `choose` of a new tactic, see mj_bot/tactic/__init__.py. spec: of which has_choose is true.

    Raises UnknownTacticError: an option that it does not take.
    """
    tactic = load_tactic(spec, dict(PLAYERS, **BATCH))
    return getattr(tactic, "choose", tactic)
