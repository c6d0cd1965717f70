"""A player that asks a trained network, see mj_bot/network. A claim and the discard after it are two questions."""

import numpy as np

from ..mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ..network.forward import OUTCOMES, SCORE_UNIT, Network, TorchNetwork, list_parts
from ..network.weights import load_weights
from . import default_weights, read_weight_file
from .base import Questions, Tactic, format_best

# An action costs a number of its kind, times the square of (chance to win + half the chance to pay for a win), times a
# power of the gap between its logit and the best one. Fitted to games with random actions, see
# docs/studies/action_values.md.
_KIND_COSTS = {PASS_INDEX: 1.2, DISCARD_BASE: 1.03, OPEN_KONG_BASE: 1.6, PUNG_BASE: 1.55, CHOW_BASE: 1.6}
_PAYING, _GAP_POWER = 0.5, 1.25
_MOST_GAP = 25.0
_COSTS = np.zeros(ACTION_COUNT, np.float32)
for _start in sorted(_KIND_COSTS):
    _COSTS[_start:] = _KIND_COSTS[_start]


class CNNTactic(Tactic):
    """Wins when it can, else takes the network's most probable legal action.

    weights: name of a weight file that was handed in with the bot, or the path of one; the project's own if None.
    torch: 1 to compute with torch, for networks that numpy is too slow for; on a GPU in bfloat16, where two nearly
    equal actions may change places.
    Raises ModelMismatchError: no such file, or weights of another version.
    """

    value_unit = "points"
    value_error = 1.43, 0.39  # by `fit slips`, see docs/studies/action_values.md

    def __init__(self, weights=None, torch=0):
        name = weights or default_weights("cnn")
        self._network = (TorchNetwork if torch else Network)(load_weights(read_weight_file(name), name))

    def decide(self, game_state, actions):
        questions = Questions(game_state, actions)
        answer = self._network(questions.observations)
        chosen = _choose_best(answer.policy, questions.masks)
        self.best = questions.read_action(chosen)
        self.ranked = questions.rank_actions(_expect_points(answer, questions.masks), self.best)
        outcomes = [list(pair) for pair in zip(OUTCOMES, _softmax(answer.outcome[0]).tolist())]
        self.explanation = {"score": SCORE_UNIT * float(answer.score[0]), "outcomes": outcomes}
        self.reasons = "%s; expects %s" % (format_best(self.ranked), ", ".join(
            "%s %.0f%%" % (name, 100 * chance) for name, chance in outcomes))
        return self.best

    def choose(self, observations, masks, points=None):
        """As SearchTactic.choose; writes the points expected of each action to `points`."""
        actions = np.empty(len(masks), np.int64)
        for part in list_parts(len(observations), self._network.device):
            answer = self._network(observations[part])
            actions[part] = _choose_best(answer.policy, masks[part])
            if points is not None:
                points[part] = _expect_points(answer, masks[part])
        return actions


def _choose_best(policy, masks):
    """A win, else the legal action with the highest logit (the first of equals), by row, int64[M]."""
    best = np.where(masks, policy, -np.inf).argmax(1)
    return np.where(masks[:, WIN_INDEX], WIN_INDEX, best)


def _expect_points(answer, masks):
    """Expected points of the game by action, float32[M, 235]; meaningless where masks is False."""
    policy = np.where(masks, answer.policy, -np.inf)
    gaps = np.minimum(policy.max(1)[:, None] - policy, _MOST_GAP)
    outcomes = _softmax(answer.outcome)
    weight = outcomes[:, :1] + _PAYING * outcomes[:, 1:2]
    return SCORE_UNIT * answer.score[:, None] - _COSTS * weight ** 2 * gaps ** _GAP_POWER


def _softmax(logits):
    """Probabilities of logits [..., N]."""
    powers = np.exp(logits - logits.max(-1)[..., None])
    return powers / powers.sum(-1)[..., None]
