"""A player that aims at hands of eight fan: an action is worth the winning hands that it may lead to.

mj_bot/worth values a hand. The points include the risk of a discard. A claim is valued with its best discard and
compared with passing.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import WIN_INDEX
from ..mahjong.opening import hand_after, split_discard
from ..mahjong.tile import TILE_NAMES
from ..observation.encoder import meld_kind
from ..worth.fitted import FITTED
from ..worth.parameters import replace_parameters
from ..worth.patterns import PATTERNS
from ..worth.valuer import POINTS, TARGETS, WORTH, Hand, Valuer, choose_best
from ..worth.waits import list_waits
from .base import Questions, Tactic, format_best

_DRAGONS = {4, 5, 6}
_PARTS = PATTERNS + ("waits",)
_PARTS_SHOWN = 4

Choice = namedtuple("Choice", "action points worth danger forecast next_draw")
Choice.__doc__ = """An action and its value.

points: expected of the game. worth: of the hand. danger: the chance that the discard is won on. forecast: the points
before the corrections. next_draw: what the next draw adds, see worth/next_draw.py.
"""


class SearchTactic(Tactic):
    """Wins when it can, else takes the action of most points; the same position gets the same answer.

    parameters: named as in worth.parameters.Parameters, to replace the tuned ones.
    choices: list of Choice, after decide(), the best first.
    worths: float64[M], after choose(): what the hands are worth after the chosen actions; NaN for a win.
    Raises TypeError: an unknown parameter, or a value of the wrong type.
    """

    value_unit = "points"
    value_error = tuple(FITTED["slips search"]["value_error"])

    def __init__(self, **parameters):
        self.parameters = replace_parameters(parameters)
        self._valuer = Valuer(self.parameters)
        self.worths = np.zeros(0)
        self.choices = []

    def decide(self, game_state, actions):
        self._valuer.valued = None
        try:
            ranked = self.value_actions(game_state, actions)
        finally:
            self.best = self._choose_so_far(actions)
        chosen = ranked[choose_best(np.array([[choice.points for choice in ranked]]))[0]]
        ranked.sort(key=lambda choice: (choice is not chosen, -choice.points))
        self.choices = ranked
        self.ranked = [(choice.action, choice.points) for choice in ranked]
        self.explanation = self._explain(game_state, chosen)
        self.reasons = "%s; %s" % (format_best(self.ranked, "%s %.2f"), _format_explanation(**self.explanation))
        return chosen.action

    def _choose_so_far(self, actions):
        """The best action valued so far, None before the first; by targets alone until all have points."""
        if self._valuer.valued is None:
            return None
        valued = self._valuer.valued[0, :len(actions)]
        values = valued[:, POINTS if valued[:, POINTS].all() else TARGETS]
        return actions[values.argmax()] if values.any() else None

    def choose(self, observations, masks, points=None):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is valued with its best discard, which is a later decision.
        points: float[M, 235] or None; gets the expected points of each legal action, a claim with its best discard;
        rows with a win stay unchanged.
        """
        actions = np.full(len(masks), WIN_INDEX, np.int16)
        self.worths = np.full(len(masks), np.nan)
        rows = np.flatnonzero(~masks[:, WIN_INDEX])
        if len(rows):
            observations, masks = observations[rows], masks[rows]
            found, worths, _ = self._valuer.value_actions(observations, masks)
            found = self._valuer.correct(observations, masks, found, worths=worths)
            actions[rows] = choose_best(found)
            self.worths[rows] = worths[np.arange(len(rows)), actions[rows]]
            if points is not None:
                points[rows] = found
        return actions

    def compute_worths(self, observations, masks):
        """Worth of the hand after each legal action, float64[M, 235]; 0 for wins and illegal actions."""
        return self._valuer.value_actions(observations, masks)[1]

    def value_actions(self, game_state, actions):
        """The value of each legal action, wins apart: list of Choice in the order of actions.

        A claim has the value of its best discard. Its other discards lose what they lose as discards of the position
        after the claim.
        """
        questions = Questions(game_state, actions)
        points, worths, valued = (np.repeat(found, len(questions.masks), axis=0) for found in (
            self._valuer.value_actions(questions.observations[:1], questions.masks[:1])))
        points[1:] = -np.inf
        for (_, row, discard), value in zip(questions.places.values(), valued[0]):
            if row:
                points[row, discard], worths[row, discard] = value[POINTS], value[WORTH]
        drawn = np.zeros(points.shape)
        points = self._valuer.correct(questions.observations, questions.masks, points, worths=worths, drawn=drawn)
        values, next_draws = questions.value_actions(points, points), questions.value_actions(drawn, points)
        return [Choice(action, values[action], worth, danger, forecast, next_draws[action])
                for action, (_, worth, danger, forecast) in zip(actions, valued[0].tolist())]

    def list_parts(self, state, choice):
        """Where the worth of the hand after a Choice comes from, as Valuer.explain, and its waits as list_waits."""
        counts, melds = hand_after(state, *split_discard(choice.action))
        hand = Hand(counts, [(meld_kind(meld), meld.tile) for meld in melds], state.unseen, state.walls[state.my_pid],
                    _DRAGONS | {state.my_pid, state.prevalent_wind})
        waits = list_waits(state, counts, melds)
        return self._valuer.explain(hand, choice.worth, waits) + (waits,)

    def _explain(self, state, best):
        parts, needs, _ = self.list_parts(state, best)
        total = sum(parts)
        aims = [[name, part / total] for part, name in sorted(zip(parts, _PARTS), reverse=True) if part > 0.01 * total]
        return {"danger": best.danger, "aims": aims[:_PARTS_SHOWN], "needs": [TILE_NAMES[tile] for tile in needs]}


def _format_explanation(danger, aims, needs):
    return "danger %.1f%%; aims at %s; needs %s" % (
        100 * danger, ", ".join("%s %d%%" % (name, round(100 * share)) for name, share in aims) or "nothing in reach",
        " ".join(needs) or "no tile")
