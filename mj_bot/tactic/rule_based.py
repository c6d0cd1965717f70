"""A player by rule: it takes the action that leads to the state nearest to a winning hand worth 8 fan.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- A claim is valued with its best discard, against passing. A pung is claimed where it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of actions worth the same the first in action_space() is taken, so passing goes before claiming.
"""

from ..mahjong.opening import hold_after, split_discard
from .pattern.holding import Holding
from .pattern.value import Outlook, combine

# What an action adds to the value of the state it leads to, in thousandths of a tile: a chow must gain about one.
ACTION_COST = {"PASS": 0, "PLAY": 0, "PENG": 0, "CHI": 800, "GANG": -1500, "BUGANG": -1500}
_PATTERNS_SHOWN = 6


class RuleBasedTactic(object):
    """Wins when it can, else takes the action whose state has the lowest value; does not defend.

    It depends on the position alone: the same position gets the same answer, whatever was played before.
    """

    value_unit = "tiles"

    def __init__(self):
        self.reasons = ""
        self.ranked = []

    def __call__(self, game_state):
        self.ranked = []
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "wins with %d fan" % action[1]
                return action
        if len(actions) == 1:
            self.reasons = "nothing to choose"
            return actions[0]
        outlooks = {}
        totals = []
        best = None
        for action in actions:
            opening, discard = split_discard(action)
            if opening not in outlooks:
                outlooks[opening] = Outlook(_hold_after(game_state, opening))
            values = outlooks[opening].list_values(discard)
            total = combine(values) + ACTION_COST[action[0]]
            totals.append((action, -total / 1000))
            if best is None or total < best[0]:
                best = (total, action, values)
        total, action, values = best
        self.reasons = _format_reasons(total, values)
        self.ranked = sorted(totals, key=lambda entry: -entry[1])
        return action


def _format_reasons(total, values):
    """The state's value and those of its patterns, in tiles, the best first."""
    patterns = ["%s %.3f" % (pattern, value / 1000) for value, pattern in values[:_PATTERNS_SHOWN]]
    return "%.3f: %s" % (total / 1000, ", ".join(patterns) or "no pattern in reach")


def _hold_after(game_state, opening):
    """What the own seat holds after an action, before the discard that ends it."""
    counts, melds = hold_after(game_state, opening)
    return Holding(counts, melds, game_state.unseen, game_state.my_pid, game_state.prevalent_wind)
