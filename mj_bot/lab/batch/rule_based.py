"""The batch form of mj_bot/tactic/rule_based.py."""

from ...tactic.rule_based import RuleBasedTactic


class RuleBasedBatch(RuleBasedTactic):
    """RuleBasedTactic.choose as a batch form."""

    def __call__(self, observations, masks, games=None, seats=None):
        return self.choose(observations, masks)
