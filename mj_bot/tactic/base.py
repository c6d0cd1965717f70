"""The base class of tactics: it takes wins and single actions, and implements `__call__` with `choose`."""

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, decode_action, encode_action, format_action
from ..mahjong.errors import TacticError
from ..mahjong.tile import list_tiles
from ..observation.encoder import encode_observation
from ..observation.layout import field
from ..trouble import locate_method

_ACTIONS_SHOWN = 3


class Tactic(object):
    """Base of a tactic: it wins when it can, takes the only action, and leaves the rest to decide().

    A subclass has a method choose, see mj_bot/tactic/__init__.py, or a method decide of its own.
    """

    reasons = ""
    ranked = ()
    best = None
    explanation = None

    def __call__(self, game_state):
        self.ranked, self.explanation = [], None
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "wins with %d fan" % action[1]
                return action
        if len(actions) == 1:
            self.reasons = "nothing to choose"
            return actions[0]
        return self.decide(game_state, actions)

    def decide(self, game_state, actions):
        """The choice among two actions or more, none of them a win; sets reasons and ranked."""
        if not hasattr(self, "choose"):
            raise TacticError("", "RE", "expected a method decide or choose in %s, there is none" % type(self).__name__)
        self.reasons = "one of %d actions" % len(actions)
        questions = Questions(game_state, actions)
        chosen = self.choose(questions.observations, questions.masks)
        check_chosen(chosen, "", self, observations=questions.observations, masks=questions.masks)
        return questions.read_action(chosen)


def check_chosen(actions, name, tactic, *, observations, masks):
    """Raises TacticError unless `choose` gave a legal action for each row. name: of the tactic."""
    if not (isinstance(actions, np.ndarray) and actions.dtype.kind in "iu" and actions.shape == masks.shape[:1]):
        got = "%s%r" % (actions.dtype, list(actions.shape)) if isinstance(actions, np.ndarray) else "%.80r" % (actions,)
        problem = "expected an array int[%d], got %s" % (len(masks), got)
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


def _format_index(index):
    """An action's index with its meaning.

    >>> _format_index(2), _format_index(138), _format_index(1)
    ('2 (PLAY W1)', '138 (PENG)', '1 (HU)')
    """
    words = format_action(decode_action(index, DISCARD_BASE)).split()
    return "%d (%s)" % (index, " ".join(words[:-1] if words[0] in ("CHI", "PENG") else words))


class Questions(object):
    """A decision as input of `choose`: a row for the decision, then one for the discard after each claim.

    observations: uint8[1 + C, OBSERVATION_SIZE] where C chows and pungs are legal. masks: bool[1 + C, 235].
    places: {action: (its index, the row of its discard after a claim, else 0, its index in that row)}.
    """

    def __init__(self, game_state, actions):
        """game_state: GameState. actions: its legal actions."""
        self.places = {}
        claims = {}  # an action of each claim, by the claim's index
        for action in actions:
            indices, row = encode_action(action, game_state.last_tile), 0
            if len(indices) == 2:
                claims.setdefault(indices[0], action)
                row = 1 + list(claims).index(indices[0])
            self.places[action] = indices[0], row, indices[-1]
        claimed = [encode_observation(game_state, claim) for claim in claims.values()]
        self.observations = np.stack([encode_observation(game_state)] + claimed)
        self.masks = np.zeros((1 + len(claims), ACTION_COUNT), bool)
        for first, row, last in self.places.values():
            self.masks[0, first] = self.masks[row, last] = True

    def read_action(self, chosen):
        """The chosen action. chosen: int[1 + C], the index of an action for each row."""
        return next(action for action, (first, row, last) in self.places.items()
                    if chosen[0] == first and chosen[row] == last)

    def value_actions(self, values, points):
        """{action: value}; that of a claim is changed by the difference of its discard to the discard of most points.

        values, points: float[1 + C, 235], of the legal actions of each row, the claims' own in the first.
        """
        best = np.where(self.masks, points, -np.inf).argmax(1)
        return {action: float(values[0, first] + (values[row, last] - values[row, best[row]] if row else 0.0))
                for action, (first, row, last) in self.places.items()}

    def rank_actions(self, points, chosen):
        """List of (action, points), the chosen action first, then falling; points: as of value_actions."""
        return sorted(self.value_actions(points, points).items(), key=lambda entry: (entry[0] != chosen, -entry[1]))


def format_best(ranked, form="%s %+.2f"):
    """The best actions with their values. ranked: as of a tactic."""
    return ", ".join(form % (format_action(action), value) for action, value in ranked[:_ACTIONS_SHOWN])
