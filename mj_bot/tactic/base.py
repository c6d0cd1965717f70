"""The base class of tactics: it takes wins and single actions, and implements `__call__` with `choose`."""

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, decode_action, encode_action, format_action
from ..mahjong.errors import TacticError
from ..mahjong.tile import list_tiles
from ..observation.encoder import encode_observation
from ..observation.layout import field
from ..trouble import locate_method


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
        return questions.list_actions(chosen)[chosen[0]]


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
    """

    def __init__(self, game_state, actions):
        """game_state: GameState. actions: its legal actions."""
        self._actions = {}  # by the index of the action, and by that of the discard after a claim, else None
        for action in actions:
            first, *follow = encode_action(action, game_state.last_tile)
            self._actions.setdefault(first, {})[follow[0] if follow else None] = action
        self._claims = [first for first, by_discard in self._actions.items() if None not in by_discard]
        claims = [next(iter(self._actions[first].values())) for first in self._claims]
        self.observations = np.stack([encode_observation(game_state, claim) for claim in [None] + claims])
        self.masks = np.zeros((1 + len(claims), ACTION_COUNT), bool)
        for mask, legal in zip(self.masks, [self._actions] + [self._actions[first] for first in self._claims]):
            mask[list(legal)] = True

    def list_actions(self, chosen):
        """{index: action} of the legal actions, a claim with one discard only, by rising index.

        chosen: int[1 + C], the index that was chosen for each row; those after the first are the discards.
        """
        discards = dict.fromkeys(self._actions)
        discards.update(zip(self._claims, chosen[1:]))
        return {index: self._actions[index][discards[index]] for index in sorted(discards)}

    def value_actions(self, points):
        """{action: points}; those of a claim are reduced by the loss of its discard to its best discard.

        points: float[1 + C, 235], of the legal actions of each row, the claims' own in the first.
        """
        values = {}
        for first, by_discard in self._actions.items():
            row = 1 + self._claims.index(first) if first in self._claims else 0
            best = max(points[row, discard] for discard in by_discard) if row else 0.0
            for discard, action in by_discard.items():
                values[action] = float(points[0, first] + (points[row, discard] - best if row else 0.0))
        return values
