"""A player by rule: it takes the action that leads to the state nearest to a winning hand worth 8 fan.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- A claim is valued with its best discard, against passing. A pung is claimed where it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of actions worth the same the first in action_space() is taken, so passing goes before claiming.
"""

from ..mahjong.meld import make_added_kong, make_chow, make_concealed_kong, make_kong, make_pung
from ..mahjong.tile import TILE_INDEX
from .pattern.holding import Holding
from .pattern.value import Outlook, combine

# What an action adds to the value of the state it leads to, in thousandths of a tile: a chow must gain about one.
_ACTION_COST = {"PASS": 0, "PLAY": 0, "PENG": 0, "CHI": 800, "GANG": -1500, "BUGANG": -1500}
_PATTERNS_SHOWN = 6


class RuleBasedTactic(object):
    """Wins when it can, else takes the action whose state has the lowest value; does not defend.

    It depends on the position alone: the same position gets the same answer, whatever was played before.
    """

    def __init__(self):
        self.reasons = ""

    def __call__(self, game_state):
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "wins with %d fan" % action[1]
                return action
        if len(actions) == 1:
            self.reasons = "nothing to choose"
            return actions[0]
        outlooks = {}
        best = None
        for action in actions:
            opening, discard = _split_discard(action)
            if opening not in outlooks:
                outlooks[opening] = Outlook(_hold_after(game_state, opening))
            values = outlooks[opening].list_values(discard)
            total = combine(values) + _ACTION_COST[action[0]]
            if best is None or total < best[0]:
                best = (total, action, values)
        total, action, values = best
        self.reasons = _format_reasons(total, values)
        return action


def _format_reasons(total, values):
    """The state's value and those of its patterns, in tiles, the best first."""
    patterns = ["%s %.3f" % (pattern, value / 1000) for value, pattern in values[:_PATTERNS_SHOWN]]
    return "%.3f: %s" % (total / 1000, ", ".join(patterns) or "no pattern in reach")


def _split_discard(action):
    """(action without the discard that ends it, tile 0..33 of that discard or None)."""
    if action[0] in ("PLAY", "CHI", "PENG"):
        return action[:-1], TILE_INDEX[action[-1]]
    return action, None


def _hold_after(game_state, opening):
    """What the own seat holds after an action, before the discard that ends it."""
    seat = game_state.my_pid
    counts = list(game_state.hand_counts)
    melds = list(game_state.players[seat].melds)
    if opening[0] == "BUGANG":
        pung = next(meld for meld in melds if meld.type == "PENG" and meld.cards[0] == opening[1])
        melds[melds.index(pung)] = make_added_kong(pung)
        counts[pung.tile] -= 1
    elif opening[0] in ("CHI", "PENG", "GANG"):
        meld = _make_meld(game_state, opening)
        melds.append(meld)
        for tile in meld.tiles:
            counts[tile] -= 1
        if not meld.is_concealed:
            counts[TILE_INDEX[meld.src_card]] += 1
    return Holding(counts, melds, game_state.unseen, seat, game_state.prevalent_wind)


def _make_meld(game_state, opening):
    if opening[0] == "GANG" and len(opening) == 2:
        return make_concealed_kong(game_state.my_pid, TILE_INDEX[opening[1]])
    claimed, giver = TILE_INDEX[game_state.last_tile], game_state.last_pid
    if opening[0] == "CHI":
        return make_chow(TILE_INDEX[opening[1]], claimed, giver)
    return make_pung(claimed, giver) if opening[0] == "PENG" else make_kong(claimed, giver)
