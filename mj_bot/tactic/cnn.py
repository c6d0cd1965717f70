"""Defines the player that asks a trained network. A claim and the discard after it are two questions to the network."""

from collections import namedtuple
from numbers import Real

import numpy as np

from ..mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE
from ..mahjong.errors import ModelMismatchError
from ..network.forward import OUTCOMES, SCORE_UNIT, Answer, Network, TorchNetwork, list_parts
from ..network.weights import load_weights
from ..trouble import check_number
from . import default_weights, read_weight_card, read_weight_file
from .base import Evaluation, Tactic, format_best

# Estimated loss of an action = cost of its kind x (P(win) + paying x P(pay))^2 x (best logit - its logit)^gap_power.
# The card of a weight file has these numbers as "costs", fitted to games with random actions: see
# docs/studies/action_values.md. A weight file without a card, or without costs in it, gets these.
COSTS_WITHOUT_CARD = {"pass": 1.0, "discard": 1.0, "kong": 1.0, "pung": 1.0, "chow": 1.0, "paying": 0.5,
                      "gap_power": 1.25}
# The first action of each kind.
_KIND_STARTS = (("pass", PASS_INDEX), ("discard", DISCARD_BASE), ("kong", OPEN_KONG_BASE), ("pung", PUNG_BASE),
                ("chow", CHOW_BASE))
_MOST_GAP = 25.0

Costs = namedtuple("Costs", "by_action paying gap_power")
Costs.__doc__ = """The numbers of the estimated loss; by_action: float32[235]."""


class CNNTactic(Tactic):
    """Wins when it can, else takes the network's most probable legal action.

    weights: name of a weight file that was handed in with the bot, or the path of one; the project's own if None.
    torch: 1 to compute with torch, for networks that numpy is too slow for; on a GPU in bfloat16, where two nearly
    equal actions may change places.
    value_error: of the points, by "slips cnn" in the card of the weights; None where it was not measured.
    Raises ModelMismatchError: no such file, weights of another version, or a card with other costs.
    """

    value_unit = "points"
    value_error = None

    def __init__(self, weights=None, torch=0):
        check_number("torch", torch, 0, 1, is_whole=True)
        name = weights or default_weights("cnn")
        self._network = (TorchNetwork if torch else Network)(load_weights(read_weight_file(name), name))
        card = read_weight_card(name)
        self._costs = read_costs(card.get("costs", COSTS_WITHOUT_CARD), name)
        if "slips cnn" in card:
            self.value_error = tuple(card["slips cnn"]["value_error"])

    def evaluate(self, observations, masks):
        """Returns the Evaluation: the points expected of each action, and the logits by which it is chosen.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        parts = [self._network(observations[part]) for part in list_parts(len(observations), self._network.device)]
        answer = parts[0] if len(parts) == 1 else Answer(*map(np.concatenate, zip(*parts)))
        outcomes = _softmax(answer.outcome)
        points = _expect_points(answer, outcomes, masks, self._costs)
        return Evaluation(points, answer.policy, {"score": SCORE_UNIT * answer.score, "outcomes": outcomes})

    def explain(self, game_state, questions, evaluation):
        outcomes = [list(pair) for pair in zip(OUTCOMES, evaluation.details["outcomes"][0].tolist())]
        self.explanation = {"score": float(evaluation.details["score"][0]), "outcomes": outcomes}
        self.reasons = "%s; expects %s" % (format_best(self.ranked), ", ".join(
            "%s %.0f%%" % (name, 100 * chance) for name, chance in outcomes))


def read_costs(costs, name):
    """Returns the Costs of a card: a dict with the keys of COSTS_WITHOUT_CARD. name: of the weight file.

    Raises ModelMismatchError: other keys, or a value that is no number.
    """
    if not isinstance(costs, dict) or not COSTS_WITHOUT_CARD.keys() <= costs.keys() or not all(
            isinstance(costs[key], Real) for key in COSTS_WITHOUT_CARD):
        raise ModelMismatchError("expected costs with the numbers %s in the card of %r, got %.200r" % (
            ", ".join(COSTS_WITHOUT_CARD), name, costs))
    by_action = np.zeros(ACTION_COUNT, np.float32)
    for kind, start in _KIND_STARTS:
        by_action[start:] = costs[kind]
    return Costs(by_action, float(costs["paying"]), float(costs["gap_power"]))


def _expect_points(answer, outcomes, masks, costs):
    """Returns the expected points of the game by action, float32[M, 235]; meaningless where masks is False.

    outcomes: float32[M, 4], the chances of OUTCOMES. costs: Costs.
    """
    policy = np.where(masks, answer.policy, -np.inf)
    gaps = np.minimum(policy.max(1)[:, None] - policy, _MOST_GAP)
    weight = outcomes[:, :1] + costs.paying * outcomes[:, 1:2]
    return SCORE_UNIT * answer.score[:, None] - costs.by_action * weight ** 2 * gaps ** costs.gap_power


def _softmax(logits):
    """Returns the probabilities of logits [..., N]."""
    powers = np.exp(logits - logits.max(-1)[..., None])
    return powers / powers.sum(-1)[..., None]
