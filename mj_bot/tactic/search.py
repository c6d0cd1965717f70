"""Defines the player that aims at hands of eight fan: an action is worth the winning hands that it may lead to.

mj_bot/worth values a hand. The points include the risk of a discard. A claim is valued with its best discard and
compared with passing.
"""

from collections import namedtuple

from ..mahjong.opening import hand_after, split_discard
from ..mahjong.tile import TILE_NAMES
from ..observation.encoder import meld_kind
from ..worth.fitted import FITTED
from ..worth.parameters import PARAMETERS, RANGES, replace_parameters
from ..worth.patterns import PATTERNS
from ..worth.valuer import POINTS, TARGETS, Hand, Valuer, prefer_best
from ..worth.waits import list_waits
from .base import Evaluation, Questions, Tactic, format_best

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
    choices: list of Choice of the latest position, the chosen one first.
    Raises TypeError: an unknown parameter, or a value of the wrong type.
    """

    value_unit = "points"
    value_error = tuple(FITTED["slips search"]["value_error"])
    tunable = {name: (getattr(PARAMETERS, name),) + tuple(bounds) for name, bounds in RANGES.items()}

    def __init__(self, **parameters):
        self.parameters = replace_parameters(parameters)
        self._valuer = Valuer(self.parameters)
        self.choices = []

    def evaluate(self, observations, masks):
        """Returns the Evaluation: a claim is valued with its best discard, which is a later decision.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions, without a win.
        details: the other fields of Choice by action, float64[M, 235] each.
        """
        forecasts, worths, dangers = self._valuer.value_actions(observations, masks)
        points, next_draws = self._valuer.correct(observations, masks, forecasts, worths=worths)
        return Evaluation(points, prefer_best(points), {
            "worth": worths, "danger": dangers, "forecast": forecasts, "next_draw": next_draws})

    def choose_so_far(self, questions):
        """Returns the best action valued so far, None before the first; by targets alone until all have points."""
        if self._valuer.valued is None:
            return None
        actions = list(questions.indices)
        valued, self._valuer.valued = self._valuer.valued[0, :len(actions)], None
        values = valued[:, POINTS if valued[:, POINTS].all() else TARGETS]
        return actions[values.argmax()] if values.any() else None

    def explain(self, game_state, questions, evaluation):
        choices = {choice.action: choice for choice in _list_choices(questions, evaluation)}
        self.choices = [choices[action] for action, _ in self.ranked]
        self.explanation = self._explain(game_state, self.choices[0])
        self.reasons = "%s; %s" % (format_best(self.ranked, "%s %.2f"), _format_explanation(**self.explanation))

    def compute_worths(self, observations, masks):
        """Returns the worth of the hand after each legal action, float64[M, 235]; 0 for wins and illegal actions."""
        return self._valuer.value_actions(observations, masks)[1]

    def value_actions(self, game_state, actions):
        """Returns a list of Choice in the order of actions, which are legal and no wins.

        A claim has the value of its best discard. Its other discards lose what they lose as discards of the position
        after the claim.
        """
        questions = Questions(game_state, actions)
        return _list_choices(questions, self.evaluate(questions.observations, questions.masks))

    def list_parts(self, state, choice):
        """Returns what the worth of the hand after a Choice is made of, the tiles that this hand needs, and its waits.

        The first two are those of Valuer.explain; the waits are those of waits.list_waits.
        """
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


def _list_choices(questions, evaluation):
    points, details = evaluation.points, evaluation.details
    values, next_draws = (questions.value_actions(array, points) for array in (points, details["next_draw"]))
    return [Choice(action, values[action], float(details["worth"][row, last]), float(details["danger"][row, last]),
                   float(details["forecast"][row, last]), next_draws[action])
            for action, (_, row, last) in questions.indices.items()]


def _format_explanation(danger, aims, needs):
    return "danger %.1f%%; aims at %s; needs %s" % (
        100 * danger, ", ".join("%s %d%%" % (name, round(100 * share)) for name, share in aims) or "nothing in reach",
        " ".join(needs) or "no tile")
