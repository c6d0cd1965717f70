"""Batch forms of tactics: the same choices for many decisions at once, on the engine.

It never decides otherwise than the tactic: tests compare the two at the same positions.

A batch form is a class that takes the options of its tactic and has

    __call__(observations, masks, games, seats) -> actions

    observations    uint8[M, OBSERVATION_SIZE], what the seats see, as mj_bot/observation/layout.py lays it out
    masks    bool[M, 235], the legal actions
    games    int64[M], numbers of the games, none used twice; seats int[M], 0..3
    actions  int[M], the index of a legal action for each row

The discard after a chow or pung is a decision of its own, the next one of that seat in that game. In the same position
a batch form does what its tactic does; one object plays all the seats of a player.
"""

import importlib
import importlib.util

from ...mahjong.errors import UnknownTacticError
from ...tactic import parse_spec

BATCH = {
    "cnn": "mj_bot.lab.train.player:CNNBatch",
    "network": "mj_bot.lab.train.player:NetworkBatch",
    "random": "mj_bot.lab.batch.rand:RandomBatch",
    "rule_based": "mj_bot.lab.batch.rule_based:RuleBasedBatch",
    "search": "mj_bot.lab.batch.search:SearchBatch",
}
# Without the library these play through the referee.
_NEEDS = {"cnn": "torch", "network": "torch"}


def has_batch(spec):
    """Whether the player of a spec is a tactic with a batch form."""
    name = spec.partition(":")[0]
    return name in BATCH and (name not in _NEEDS or importlib.util.find_spec(_NEEDS[name]) is not None)


def load_batch(spec):
    """A new batch form from its tactic's spec.

    Raises UnknownTacticError: an option that it does not take.
    """
    name, options = parse_spec(spec, BATCH)
    module_name, class_name = BATCH[name].split(":")
    try:
        return getattr(importlib.import_module(module_name), class_name)(**options)
    except TypeError as error:
        raise UnknownTacticError("expected options that %r takes, got %r: %s" % (name, options, error)) from error
