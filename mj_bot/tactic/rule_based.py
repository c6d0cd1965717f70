"""A player by rule: it takes the action that leads to the state nearest to a winning hand worth 8 fan.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- A claim is valued with its best discard, against passing. A pung is claimed where it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of actions worth the same the first in action_space() is taken, so passing goes before claiming.
"""

from ..mahjong.opening import group_by_opening, hold_after
from ..mahjong.tile import TILE_NAMES
from .forced import forced_action
from .pattern.holding import Holding
from .pattern.value import PatternValues, combine

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
        forced = forced_action(actions)
        if forced:
            action, self.reasons = forced
            return action
        valued = []
        for opening, discards in group_by_opening(actions):
            of_patterns = PatternValues(_hold_after(game_state, opening))
            for tile in discards:
                values = of_patterns.list_values(tile)
                action = opening if tile is None else opening + (TILE_NAMES[tile],)
                valued.append((combine(values) + ACTION_COST[action[0]], action, values))
        valued.sort(key=lambda entry: entry[0])
        self.ranked = [(action, -total / 1000) for total, action, _ in valued]
        total, action, values = valued[0]
        self.reasons = _format_reasons(total, values)
        return action


def _format_reasons(total, values):
    """The state's value and those of its patterns, in tiles, the best first."""
    patterns = ["%s %.3f" % (pattern, value / 1000) for value, pattern in values[:_PATTERNS_SHOWN]]
    return "%.3f: %s" % (total / 1000, ", ".join(patterns) or "no pattern in reach")


def _hold_after(game_state, opening):
    """What the own seat holds after an action, before the discard that ends it."""
    counts, melds = hold_after(game_state, opening)
    return Holding(counts, melds, game_state.unseen, game_state.my_pid, game_state.prevalent_wind)
