"""A player that asks a trained network, see mj_bot/network. A claim and the discard after it are two questions."""

import numpy as np

from ..mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE
from ..network.forward import OUTCOMES, SCORE_UNIT, Answer, Network, TorchNetwork, list_parts
from ..network.weights import load_weights
from . import default_weights, read_weight_file
from .base import Evaluation, Tactic, format_best

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

    def evaluate(self, observations, masks):
        """Returns the Evaluation: the points expected of each action, and the logits by which it is chosen.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        parts = [self._network(observations[part]) for part in list_parts(len(observations), self._network.device)]
        answer = parts[0] if len(parts) == 1 else Answer(*map(np.concatenate, zip(*parts)))
        outcomes = _softmax(answer.outcome)
        points = _expect_points(answer, outcomes, masks)
        return Evaluation(points, answer.policy, {"score": SCORE_UNIT * answer.score, "outcomes": outcomes})

    def explain(self, game_state, questions, evaluation):
        outcomes = [list(pair) for pair in zip(OUTCOMES, evaluation.details["outcomes"][0].tolist())]
        self.explanation = {"score": float(evaluation.details["score"][0]), "outcomes": outcomes}
        self.reasons = "%s; expects %s" % (format_best(self.ranked), ", ".join(
            "%s %.0f%%" % (name, 100 * chance) for name, chance in outcomes))


def _expect_points(answer, outcomes, masks):
    """Returns the expected points of the game by action, float32[M, 235]; meaningless where masks is False.

    outcomes: float32[M, 4], the chances of OUTCOMES.
    """
    policy = np.where(masks, answer.policy, -np.inf)
    gaps = np.minimum(policy.max(1)[:, None] - policy, _MOST_GAP)
    weight = outcomes[:, :1] + _PAYING * outcomes[:, 1:2]
    return SCORE_UNIT * answer.score[:, None] - _COSTS * weight ** 2 * gaps ** _GAP_POWER


def _softmax(logits):
    """Probabilities of logits [..., N]."""
    powers = np.exp(logits - logits.max(-1)[..., None])
    return powers / powers.sum(-1)[..., None]
