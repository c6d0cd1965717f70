"""Defines the player by rule: it takes the action after which the hand is nearest to a family of winning hands.

    value of a family = its distance (winning_families.py) less its frequency among wins
    value of a hand   = the lowest value of a family. Beyond TWO_MISSING, a hundredth of the second lowest and a 200th
                        of the third lowest are added

Source: the rule-based player of rl-final, as its report describes it. The report leaves some questions open, which this
    file answers as follows:

- A discard loses what its tile is worth by itself: more with a copy or a neighbour, and in the middle of a suit. For a
ready hand this does not count.
- A claim is valued with its best discard and compared with passing. A pung is claimed whenever it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of equal actions the one with the lowest index is taken, so passing comes before claiming.
"""

from typing import List, Sequence

import numpy as np

from ..jit import jit, jit_part, make_table
from ..mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE
from ..mahjong.meld import Meld
from ..mahjong.opening import hand_after, split_discard
from ..mahjong.state import GameState
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.openings import fill_opening, list_openings, make_openings
from ..worth.patterns import FAMILIES
from .base import Evaluation, Questions, Tactic
from .winning_families import FAMILY_COUNT, MOST, OUT_OF_REACH, change_tile, cost_families, make_hand, set_hand

# These are added to the value of the hand after an action, in thousandths of a tile. So a chow must gain about a tile,
# a pung more than a discard.
CHOW_COST, PUNG_COST, KONG_COST = 800, 50, -1500
# Hands with a value of at most ONE_MISSING miss one tile, those beyond TWO_MISSING miss two or more.
ONE_MISSING, TWO_MISSING = 1100, 2000
_FREQUENCIES = make_table([family.frequency for family in FAMILIES])
# A tile that no family needs is worth this: with a copy; for each neighbour, by its distance; and alone.
_COPY_WORTH, _NEIGHBOUR_WORTH = 30, make_table((0, 20, 10))
_LONE_WORTH = make_table([-12, -11, -10, -10, -10, -10, -10, -11, -12] * 3 + [-13] * 7)
_FAMILIES_SHOWN = 6


class RuleBasedTactic(Tactic):
    """Wins when it can, else takes the action whose hand has the lowest value. It does not defend."""

    value_unit = "tiles"

    def __init__(self) -> None:
        self._hand, self._openings, self._values = make_hand(), make_openings(), np.zeros(FAMILY_COUNT)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns minus the value of the hand after each action. A claim has the points of its best discard."""
        points = np.full(masks.shape, -np.inf)
        _value_actions(self._hand, self._openings, self._values, observations, masks, points)
        return Evaluation(points)

    def explain(self, game_state: GameState, questions: Questions, evaluation: Evaluation) -> None:
        """Sets the reasons: the value of the hand after the best action, and its nearest families.

        questions: the decisions of the position. evaluation: their values.
        """
        value = -self.ranked[0][1]
        counts, melds = hand_after(game_state, *split_discard(self.best))
        families = self.list_families(counts, melds, game_state)[:_FAMILIES_SHOWN]
        self.explanation = {"value": value, "patterns": families}
        self.reasons = "%.3f: %s" % (
            value, ", ".join("%s %.3f" % tuple(family) for family in families) or "no pattern in reach")

    def list_families(self, counts: Sequence[int], melds: List[Meld], game_state: GameState) -> List[list]:
        """Returns a list of [family, its value in tiles] of a hand, the nearest family first.

        counts: list[34], concealed tiles. melds: list of Meld. game_state: the state of the hand's seat.
        """
        fill_opening(self._openings, counts, melds, unseen=game_state.unseen)
        _value_hand(self._hand, set_hand(self._hand, self._openings, 0), self._values)
        families = [[family.name, value / 1000] for family, value in zip(FAMILIES, self._values.tolist())
                    if value < OUT_OF_REACH]
        return sorted(families, key=lambda entry: entry[1])


@jit
def _value_actions(hand, openings, values, observations, masks, points):
    """Writes the points of each legal action, float64[M, 235]."""
    for row in range(len(masks)):
        for opening in range(list_openings(observations[row], masks[row], openings)):
            action, discards = openings.action[opening], int(openings.discards[opening])
            cost = (CHOW_COST if action >= CHOW_BASE else PUNG_COST if action >= PUNG_BASE
                    else KONG_COST if action >= OPEN_KONG_BASE else 0)
            melds = set_hand(hand, openings, opening)
            # Only a pass and a kong have no discard.
            if not discards:
                points[row, action] = -(_value_hand(hand, melds, values) + cost) / 1000
            for tile in range(TILE_COUNT):
                if discards >> tile & 1:
                    worth = _value_tile(hand.counts, tile)
                    change_tile(hand, tile, -1)
                    value = _value_hand(hand, melds, values)
                    change_tile(hand, tile, 1)
                    points_after = -(value + cost + (worth if value > ONE_MISSING else 0)) / 1000
                    chosen = action + tile if action == DISCARD_BASE else action
                    points[row, chosen] = max(points[row, chosen], points_after)


@jit
def _value_hand(hand, melds, values):
    """Returns the value of a hand, and writes the values of the families, OUT_OF_REACH for those out of reach."""
    cost_families(hand, melds, values, MOST)
    first = second = third = float(OUT_OF_REACH)
    for family in range(FAMILY_COUNT):
        if values[family] < OUT_OF_REACH:
            value = values[family] = values[family] - _FREQUENCIES[family]
            first, second, third = min(first, value), max(first, min(second, value)), max(second, min(third, value))
    if first > TWO_MISSING:
        first += (second / 100 if second < OUT_OF_REACH else 0.0) + (third / 200 if third < OUT_OF_REACH else 0.0)
    return first


@jit_part
def _value_tile(counts, tile):
    """Returns the worth of a tile that no family needs, in thousandths of a tile."""
    if counts[tile] > 1:
        return _COPY_WORTH
    worth = 0
    for other in range(tile - 2, tile + 3):
        if tile < FIRST_HONOUR and other // 9 == tile // 9 and counts[other]:
            worth += _NEIGHBOUR_WORTH[abs(other - tile)]
    return worth or _LONE_WORTH[tile]
