"""Defines the base class of tactics.

Four methods lead from a position to an action. `choose` and `decide` each call `evaluate`; `__call__` calls `decide`:

    evaluate(observations, masks)   values many decisions; the tactic writes it
        choose(observations, masks)     returns an action for each decision, for the engine
        decide(game_state, actions)     returns the action of one position; sets ranked, best, reasons, explanation
            __call__(game_state)            does what decide does, but wins and takes single actions by itself

If a tactic writes `evaluate` or `choose`, the engine plays it in thousands of games at once. If it writes `decide` or
`__call__`, the referee plays its games one by one. find_batch_obstacle tells why a tactic is of the second sort.
"""

from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, WIN_INDEX, decode_action, encode_action, format_action
from ..mahjong.errors import TacticError
from ..mahjong.state import GameState
from ..mahjong.tile import list_tiles
from ..observation.encoder import encode_observation
from ..observation.layout import field
from ..trouble import locate_method

_ACTIONS_SHOWN = 3


class Evaluation(NamedTuple):
    """Keeps the values of the legal actions of M decisions.

    points: float[M, 235], in the tactic's value_unit. A claim has the points of its best discard. The points of legal
        actions are finite. None for a tactic without values.
    preference: float[M, 235]. The action of the highest preference is chosen. None to choose the action of most points.
    details: dict of further arrays with a row for each decision, for explanations.
    """

    points: Optional[np.ndarray]
    preference: Optional[np.ndarray] = None
    details: Dict[str, np.ndarray] = {}

    def choose(self, masks: np.ndarray) -> np.ndarray:
        """Returns the chosen action of each decision, int64[M]: the first of those with the highest preference.

        Without preferences it is the first action of most points.
        masks: bool[M, 235], the legal actions.
        Raises TacticError: the values have another shape, or that of a legal action is NaN or infinite.
        """
        for name in ("points", "preference"):
            values = getattr(self, name)
            if values is not None:
                _check_values(name, values, masks)
        values = self.points if self.preference is None else self.preference
        return np.where(masks, values, -np.inf).argmax(1)


def _check_values(name, values, masks):
    """Raises TacticError unless the values of all legal actions are finite and the array has the shape of masks."""
    if getattr(values, "shape", None) != masks.shape or values.dtype.kind not in "fiub":
        raise TacticError("", "RE", "expected %s as an array float%r, got %s", name, list(masks.shape),
                          _format_array(values))
    is_wrong = masks & ~np.isfinite(values) if values.dtype.kind == "f" else np.zeros(1)
    if is_wrong.any():
        row, index = np.argwhere(is_wrong)[0]
        raise TacticError("", "RE", "expected finite %s of legal actions, got %s for %s", name, values[row, index],
                          _format_index(index))


class Tactic(object):
    """Wins when it can, takes the only action, and leaves the rest to decide().

    A subclass has a method evaluate or choose for many decisions, or a method decide for one, or its own __call__.

    reasons: text that says why the latest action was chosen.
    ranked: list of (action, value), the chosen one first, then by falling values. It is empty if the tactic has no
        values.
    best: the best action so far, which is the answer if time runs out.
    explanation: dict with the figures of the reasons, or None.
    value_unit: text, the unit of the values.
    is_repeatable: whether the same position always gets the same answer. It is False for a tactic that draws at random
        or watches the clock.
    """

    reasons = ""
    ranked = ()
    best = None
    explanation = None
    value_unit = ""
    is_repeatable = True

    def __call__(self, game_state: GameState) -> Tuple:
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

    def decide(self, game_state: GameState, actions: List[Tuple]) -> Tuple:
        """Returns the choice among two actions or more, none of them a win; sets reasons, ranked, best and explanation.
        """
        questions = Questions(game_state, actions)
        try:
            evaluation = self.evaluate(questions.observations, questions.masks)
        finally:
            # If time runs out, this is the answer.
            self.best = self.choose_so_far(questions)
        if _replaces_method(self, "choose"):
            chosen = self.choose(questions.observations, questions.masks)
            check_chosen(chosen, "", self, observations=questions.observations, masks=questions.masks)
        else:
            chosen = evaluation.choose(questions.masks)
        self.best = questions.read_action(chosen)
        if evaluation.points is not None:
            self.ranked = questions.rank_actions(evaluation.points, self.best)
        self.explain(game_state, questions, evaluation)
        return self.best

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Returns the chosen action of each decision, int64[M]. The decisions may have wins, which are chosen."""
        return _evaluate_rows(self, observations, masks)[0]

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns the values of decisions without a win. The discard after a claim is a decision of its own.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions. `decide` asks in one call.
        """
        if not _replaces_method(self, "choose"):
            raise TacticError("", "RE", "expected a method evaluate, choose or decide in %s, there is none",
                              type(self).__name__)
        return Evaluation(None)

    def choose_so_far(self, questions: "Questions") -> Optional[Tuple]:
        """Returns the best action by what the latest evaluate() computed, perhaps in part; None if nothing useful."""

    def explain(self, game_state: GameState, questions: "Questions", evaluation: Evaluation) -> None:
        """Sets reasons and explanation of self.best, with which self.ranked begins."""
        if self.ranked:
            self.reasons = format_best(self.ranked)


def _replaces_method(tactic, name):
    """Checks whether a tactic replaces a method of the base class. name: of the method."""
    return getattr(getattr(tactic, name), "__func__", None) is not getattr(Tactic, name)


def _evaluate_rows(tactic, observations, masks):
    """Returns (chosen actions int64[M], rows without a win, Evaluation of these rows)."""
    masks = masks.astype(bool, copy=False)  # those of an environment are int8, which ~ would not invert
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


def value_decisions(tactic: Tactic, observations: np.ndarray, masks: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns what a tactic chooses and its points, (int64[M], float64[M, 235]).

    The points are minus infinity for illegal actions, and for all actions of a decision with a win.
    observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
    Raises TacticError: the tactic has no points.
    """
    actions, rows, evaluation = _evaluate_rows(tactic, observations, masks)
    if evaluation.points is None:
        raise TacticError("", "RE",
                          "expected a method evaluate with points in %s, there is none",
                          type(tactic).__name__)
    if _replaces_method(tactic, "choose"):
        actions = tactic.choose(observations, masks)
    points = np.full(masks.shape, -np.inf)
    points[rows] = np.where(masks[rows], evaluation.points, -np.inf)
    return actions, points


def find_batch_obstacle(tactic_class: type) -> str:
    """Returns why only __call__ plays a class of tactics, as the end of a sentence; "" if choose plays it too.

    >>> find_batch_obstacle(Tactic)
    'it has no method evaluate or choose'
    """
    if not issubclass(tactic_class, Tactic):
        return "it is no subclass of Tactic"
    for name in ("__call__", "decide"):
        if getattr(tactic_class, name) is not getattr(Tactic, name):
            return "it replaces %s, which answers one position at a time" % name
    if hasattr(tactic_class, "loading"):
        return "it has a method loading, which follows one game"
    if tactic_class.evaluate is Tactic.evaluate and tactic_class.choose is Tactic.choose:
        return "it has no method evaluate or choose"
    return ""


def check_chosen(
        actions: np.ndarray, name: str, tactic: Tactic, *, observations: np.ndarray, masks: np.ndarray) -> None:
    """Raises TacticError unless `choose` gave a legal action for each decision.

    actions: what it gave. name: of the tactic. observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal
        actions.
    """
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
    """Returns the type and shape of an array, or the start of another value, as text."""
    return "%s%r" % (values.dtype, list(values.shape)) if isinstance(values, np.ndarray) else "%.80r" % (values,)


def _format_index(index):
    """Returns an action's index with its meaning, as "2 (PLAY W1)"."""
    words = format_action(decode_action(index, DISCARD_BASE)).split()
    return "%d (%s)" % (index, " ".join(words[:-1] if words[0] in ("CHI", "PENG") else words))


class Questions(object):
    """Turns a position into decisions, the input of `evaluate` and `choose`.

    The first row is the position. A row follows for the discard after each claim.
    observations: uint8[1 + C, OBSERVATION_SIZE], where C chows and pungs are legal. masks: bool[1 + C, 235].
    indices: {action: (its index, the row of its discard after a claim, else 0, its index in that row)}.
    """

    def __init__(self, game_state: GameState, actions: List[Tuple]) -> None:
        """Encodes a position with its legal actions."""
        self.indices = {}
        # This is {index of a claim: one of its actions}.
        claims = {}
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

    def read_action(self, chosen: np.ndarray) -> Tuple:
        """Returns the chosen action. chosen: int[1 + C], the index of an action for each row."""
        return next(action for action, (first, row, last) in self.indices.items()
                    if chosen[0] == first and chosen[row] == last)

    def combine_values(self, values: np.ndarray, points: np.ndarray) -> Dict[Tuple, float]:
        """Returns {action: value}: of a claim with a discard what the claim is worth plus what this discard loses."""
        # values, points: float[1 + C, 235], of the legal actions of each row; a claim has those of its best discard.
        best = np.where(self.masks, points, -np.inf).argmax(1)
        return {action: float(values[0, first] + (values[row, last] - values[row, best[row]] if row else 0.0))
                for action, (first, row, last) in self.indices.items()}

    def rank_actions(self, points: np.ndarray, chosen: Tuple) -> List[Tuple[Tuple, float]]:
        """Returns a list of (action, points), the chosen action first, then by falling points, float[1 + C, 235]."""
        return sorted(self.combine_values(points, points).items(), key=lambda entry: (entry[0] != chosen, -entry[1]))


def format_best(ranked: List[Tuple[Tuple, float]], form: str = "%s %+.2f") -> str:
    """Returns the best actions with their values as text. ranked: list of (action, value), the best first."""
    return ", ".join(form % (format_action(action), value) for action, value in ranked[:_ACTIONS_SHOWN])
