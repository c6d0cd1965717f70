"""The batch form of mj_bot/tactic/rule_based.py; mj_bot/lab/pattern does its work."""

from .pattern.choose import Chooser


class RuleBasedBatch(object):
    """RuleBasedTactic for many decisions at once."""

    def __init__(self):
        self._chooser = Chooser()

    def __call__(self, observations, masks, games, seats):
        return self._chooser.choose(observations, masks)
