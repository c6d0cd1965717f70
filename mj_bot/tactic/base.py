"""Defines the base class of tactics: one path from a position to an action.

    evaluate(observations, masks)   Evaluation of many decisions, written by the tactic
        choose(observations, masks)     an action for each decision, for the engine
        decide(game_state, actions)     the action, ranked, best, reasons and explanation of one position
            __call__(game_state)            as decide, but wins and takes single actions by itself

A tactic writes `evaluate` or `choose`, then every game is played with it. Or it writes `decide` or `__call__`, then the
referee plays its games. find_batch_obstacle tells which.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, WIN_INDEX, decode_action, encode_action, format_action
from ..mahjong.errors import TacticError
from ..mahjong.tile import list_tiles
from ..observation.encoder import encode_observation
from ..observation.layout import field
from ..trouble import locate_method

_ACTIONS_SHOWN = 3


class Evaluation(namedtuple("Evaluation", "points preference details")):
    """Keeps the values of the legal actions of M decisions.

    points: float[M, 235] in the tactic's value_unit, a claim with its best discard; finite where an action is legal.
        None for a tactic without values.
    preference: float[M, 235], the highest of a row is chosen; None where the action of most points is chosen.
    details: dict of further arrays with a row for each decision, for explanations.
    """

    __slots__ = ()

    def __new__(cls, points, preference=None, details=None):
        return super(Evaluation, cls).__new__(cls, points, preference, details or {})

    def choose(self, masks):
        """Returns the chosen action of each decision, int64[M]: the first of those with the highest value.

        masks: bool[M, 235], the legal actions.
        Raises TacticError: values of another shape, or a legal action whose value is NaN or infinite.
        """
        for name in ("points", "preference"):
            values = getattr(self, name)
            if values is not None:
                _check_values(name, values, masks)
        values = self.points if self.preference is None else self.preference
        return np.where(masks, values, -np.inf).argmax(1)


def _check_values(name, values, masks):
    if getattr(values, "shape", None) != masks.shape or values.dtype.kind not in "fiub":
        raise TacticError("", "RE", "expected %s as an array float%r, got %s" % (
            name, list(masks.shape), _format_array(values)))
    is_wrong = masks & ~np.isfinite(values) if values.dtype.kind == "f" else np.zeros(1)
    if is_wrong.any():
        row, index = np.argwhere(is_wrong)[0]
        raise TacticError("", "RE", "expected finite %s of legal actions, got %s for %s" % (
            name, values[row, index], _format_index(index)))


class Tactic(object):
    """Base of a tactic: it wins when it can, takes the only action, and leaves the rest to decide().

    A subclass has a method evaluate or choose for many decisions, or a method decide for one, or its own __call__.

    reasons: text, why the latest action was chosen. ranked: list of (action, value), the chosen one first, then by
    falling values; empty where the tactic has no values. best: the best action so far. explanation: dict or None.
    value_unit: text, of the values. is_repeatable: whether the same position always has the same answer; False for a
    tactic that draws at random or watches the clock. tunable: the options that `fit tune` may change, {name: (default,
    low, high, is_log)}; is_log: steps are taken in the logarithm, and low is above 0.
    """

    reasons = ""
    ranked = ()
    best = None
    explanation = None
    value_unit = ""
    is_repeatable = True
    tunable = {}

    def __call__(self, game_state):
        """Returns the action of this seat, one of game_state.action_space()."""
        self.ranked, self.best, self.explanation = [], None, None
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "wins with %d fan" % action[1]
                return action
        if len(actions) == 1:
            self.reasons = "nothing to choose"
            return actions[0]
        self.reasons = "one of %d actions" % len(actions)
        return self.decide(game_state, actions)

    def decide(self, game_state, actions):
        """Returns the choice among two actions or more, none of them a win; sets reasons, ranked, best, explanation."""
        questions = Questions(game_state, actions)
        try:
            evaluation = self.evaluate(questions.observations, questions.masks)
        finally:
            # Where time runs out, this is the answer.
            self.best = self.choose_so_far(questions)
        if _is_own(self, "choose"):
            chosen = self.choose(questions.observations, questions.masks)
            check_chosen(chosen, "", self, observations=questions.observations, masks=questions.masks)
        else:
            chosen = evaluation.choose(questions.masks)
        self.best = questions.read_action(chosen)
        if evaluation.points is not None:
            self.ranked = questions.rank_actions(evaluation.points, self.best)
        self.explain(game_state, questions, evaluation)
        return self.best

    def choose(self, observations, masks):
        """Returns the chosen action of each decision, int64[M]: a win where one is legal.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions. The discard after a claim is
        a decision of its own.
        """
        return _evaluate_rows(self, observations, masks)[0]

    def evaluate(self, observations, masks):
        """Returns the Evaluation of decisions without a win.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions. `decide` asks about a position
        and about the discard after each claim in one call, the position first.
        """
        if not _is_own(self, "choose"):
            raise TacticError("", "RE", "expected a method evaluate, choose or decide in %s, there is none" % (
                type(self).__name__))
        return Evaluation(None)

    def choose_so_far(self, questions):
        """Returns the best action by what the latest evaluate(), perhaps cut short, has computed; None for nothing.

        questions: Questions about the position.
        """

    def explain(self, game_state, questions, evaluation):
        """Sets reasons and explanation of self.best. self.ranked begins with self.best.

        questions: Questions about the position. evaluation: Evaluation, with a row for each of them.
        """
        if self.ranked:
            self.reasons = format_best(self.ranked)


def _is_own(tactic, name):
    """Checks whether a tactic replaces a method of the base class."""
    return getattr(getattr(tactic, name), "__func__", None) is not getattr(Tactic, name)


def _evaluate_rows(tactic, observations, masks):
    """Returns (chosen actions int64[M], rows without a win, the Evaluation of these rows)."""
    actions = np.full(len(masks), WIN_INDEX, np.int64)
    rows = np.flatnonzero(~masks[:, WIN_INDEX])
    if len(rows) < len(masks):
        observations, masks = observations[rows], masks[rows]
    if len(rows):
        evaluation = tactic.evaluate(observations, masks)
        if evaluation.points is not None or evaluation.preference is not None:
            actions[rows] = evaluation.choose(masks)
    else:
        evaluation = Evaluation(np.zeros(masks.shape))
    return actions, rows, evaluation


def value_decisions(tactic, observations, masks):
    """Returns what a tactic chooses and its points: (int64[M], float64[M, 235]).

    The points are minus infinity for illegal actions, and for all actions of a decision with a win.
    observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
    Raises TacticError: the tactic has no points.
    """
    actions, rows, evaluation = _evaluate_rows(tactic, observations, masks)
    if evaluation.points is None:
        raise TacticError("", "RE", "expected a method evaluate with points in %s, there is none" % (
            type(tactic).__name__))
    if _is_own(tactic, "choose"):
        actions = tactic.choose(observations, masks)
    points = np.full(masks.shape, -np.inf)
    points[rows] = np.where(masks[rows], evaluation.points, -np.inf)
    return actions, points


def find_batch_obstacle(kind):
    """Returns why only __call__ plays a class of tactics, as the end of a sentence; "" where choose plays it too.

    >>> find_batch_obstacle(Tactic)
    'it has no method evaluate or choose'
    """
    if not issubclass(kind, Tactic):
        return "it is no subclass of Tactic"
    for name in ("__call__", "decide"):
        if getattr(kind, name) is not getattr(Tactic, name):
            return "it replaces %s, which answers one position at a time" % name
    if hasattr(kind, "loading"):
        return "it has a method loading, which follows one game"
    if kind.evaluate is Tactic.evaluate and kind.choose is Tactic.choose:
        return "it has no method evaluate or choose"
    return ""


def check_chosen(actions, name, tactic, *, observations, masks):
    """Raises TacticError unless `choose` gave a legal action for each row. name: of the tactic."""
    if not (isinstance(actions, np.ndarray) and actions.dtype.kind in "iu" and actions.shape == masks.shape[:1]):
        problem = "expected an array int[%d], got %s" % (len(masks), _format_array(actions))
    else:
        legal = (actions >= 0) & (actions < ACTION_COUNT)
        legal[legal] = masks[legal, actions[legal]]
        if legal.all():
            return
        row = legal.argmin()
        problem = "expected one of %s with the hand %s, got %d" % (
            ", ".join(map(_format_index, np.flatnonzero(masks[row]))),
            " ".join(list_tiles(field(observations[row], "hand"))), actions[row])
    raise TacticError(name, "illegal action", problem + locate_method(tactic, "choose"))


def _format_array(values):
    return "%s%r" % (values.dtype, list(values.shape)) if isinstance(values, np.ndarray) else "%.80r" % (values,)


def _format_index(index):
    """Returns an action's index with its meaning, as text.

    >>> _format_index(2), _format_index(138), _format_index(1)
    ('2 (PLAY W1)', '138 (PENG)', '1 (HU)')
    """
    words = format_action(decode_action(index, DISCARD_BASE)).split()
    return "%d (%s)" % (index, " ".join(words[:-1] if words[0] in ("CHI", "PENG") else words))


class Questions(object):
    """Turns a position into input of `evaluate` and `choose`.

    There is a row for the decision, then a row for the discard after each claim.
    observations: uint8[1 + C, OBSERVATION_SIZE] where C chows and pungs are legal. masks: bool[1 + C, 235].
    indices: {action: (its index, the row of its discard after a claim, else 0, its index in that row)}.
    """

    def __init__(self, game_state, actions):
        """Encodes a GameState with its legal actions."""
        self.indices = {}
        claims = {}  # an action of each claim, by the claim's index
        for action in actions:
            indices, row = encode_action(action, game_state.last_tile), 0
            if len(indices) == 2:
                claims.setdefault(indices[0], action)
                row = 1 + list(claims).index(indices[0])
            self.indices[action] = indices[0], row, indices[-1]
        claimed = [encode_observation(game_state, claim) for claim in claims.values()]
        self.observations = np.stack([encode_observation(game_state)] + claimed)
        self.masks = np.zeros((1 + len(claims), ACTION_COUNT), bool)
        for first, row, last in self.indices.values():
            self.masks[0, first] = self.masks[row, last] = True

    def read_action(self, chosen):
        """Returns the chosen action. chosen: int[1 + C], the index of an action for each row."""
        return next(action for action, (first, row, last) in self.indices.items()
                    if chosen[0] == first and chosen[row] == last)

    def value_actions(self, values, points):
        """Returns {action: value}.

        A claim and its discard are two decisions: the pair is worth the claim plus what its discard loses against the
        discard of most points.
        values, points: float[1 + C, 235], of the legal actions of each row, a claim with its best discard.
        """
        best = np.where(self.masks, points, -np.inf).argmax(1)
        return {action: float(values[0, first] + (values[row, last] - values[row, best[row]] if row else 0.0))
                for action, (first, row, last) in self.indices.items()}

    def rank_actions(self, points, chosen):
        """Returns a list of (action, points), the chosen action first, then by falling points.

        points: float[1 + C, 235], of the legal actions of each row.
        """
        return sorted(self.value_actions(points, points).items(), key=lambda entry: (entry[0] != chosen, -entry[1]))


def format_best(ranked, form="%s %+.2f"):
    """Returns the best actions with their values as text. ranked: list of (action, value), the best first."""
    return ", ".join(form % (format_action(action), value) for action, value in ranked[:_ACTIONS_SHOWN])
