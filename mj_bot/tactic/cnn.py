"""Defines the player that asks a trained network. A claim and the discard after it are two decisions of the network."""

from collections import namedtuple
from numbers import Real
from typing import Dict, Optional

import numpy as np

from ..mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE
from ..mahjong.errors import ModelMismatchError
from ..mahjong.state import GameState
from ..network.forward import OUTCOMES, SCORE_UNIT, Network, Prediction, TorchNetwork, list_batches
from ..network.weights import load_weights
from ..trouble import check_number
from . import default_weights, read_weight_card, read_weight_file
from .base import Evaluation, Questions, Tactic, format_best

# Estimated loss of an action = cost of its group x (P(win) + paying x P(pay))^2 x (best logit - its logit)^gap_power.
# These numbers were fitted to games with random actions (docs/studies/action_values.md), and stand in the card of a
# weight file as "costs". A weight file without a card, or with a card without costs, gets the ones below.
COSTS_WITHOUT_CARD = {"pass": 1.0, "discard": 1.0, "kong": 1.0, "pung": 1.0, "chow": 1.0, "paying": 0.5,
                      "gap_power": 1.25}
# Each group of actions with the same cost begins at this action.
_GROUP_STARTS = (("pass", PASS_INDEX), ("discard", DISCARD_BASE), ("kong", OPEN_KONG_BASE), ("pung", PUNG_BASE),
                ("chow", CHOW_BASE))
_MOST_GAP = 25.0

Costs = namedtuple("Costs", "by_action paying gap_power")
Costs.__doc__ = """Keeps the numbers of the estimated loss. by_action: float32[235], cost of each action."""


class CNNTactic(Tactic):
    """Wins when it can, else takes the network's most probable legal action.

    weights: name of a weight file that was handed in with the bot, or path of one; None for the project's own.
    torch: 1 to compute with torch, for networks that are too slow in numpy. On a GPU torch computes in bfloat16, where
        two nearly equal actions may change places.
    value_error: error of the points, as "verdict cnn" in the card of the weights tells it; None if it was not measured.
    Raises ModelMismatchError: there is no such file, its weights have another version, or its card has
        incomplete costs.
    """

    value_unit = "points"
    value_error = None

    def __init__(self, weights: Optional[str] = None, torch: int = 0) -> None:
        check_number("torch", torch, 0, 1, is_whole=True)
        name = weights or default_weights("cnn")
        self._network = (TorchNetwork if torch else Network)(load_weights(read_weight_file(name), name))
        card = read_weight_card(name)
        self._costs = read_costs(card.get("costs", COSTS_WITHOUT_CARD), name)
        if "verdict cnn" in card:
            self.value_error = tuple(card["verdict cnn"]["value_error"])

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns the points expected of each action, and the logits by which it is chosen.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        batches = list_batches(len(observations), self._network.device)
        answers = [self._network(observations[batch]) for batch in batches]
        answer = answers[0] if len(answers) == 1 else Prediction(*map(np.concatenate, zip(*answers)))
        outcomes = _softmax(answer.outcome)
        points = _expect_points(answer, outcomes, masks, self._costs)
        return Evaluation(points, answer.policy, {"score": SCORE_UNIT * answer.score, "outcomes": outcomes})

    def explain(self, game_state: GameState, questions: Questions, evaluation: Evaluation) -> None:
        """Sets the reasons: the best actions with their points, and how the game is expected to end.

        questions: the decisions of the position. evaluation: their values.
        """
        outcomes = [list(pair) for pair in zip(OUTCOMES, evaluation.details["outcomes"][0].tolist())]
        self.explanation = {"score": float(evaluation.details["score"][0]), "outcomes": outcomes}
        self.reasons = "%s; expects %s" % (format_best(self.ranked), ", ".join(
            "%s %.0f%%" % (name, 100 * chance) for name, chance in outcomes))


def read_costs(costs: Dict[str, float], name: str) -> Costs:
    """Returns the numbers of the estimated loss that a card contains.

    costs: dict with the keys of COSTS_WITHOUT_CARD. name: of the weight file.
    Raises ModelMismatchError: a key is missing, or a value is no number.
    """
    if not isinstance(costs, dict) or not COSTS_WITHOUT_CARD.keys() <= costs.keys() or not all(
            isinstance(costs[key], Real) for key in COSTS_WITHOUT_CARD):
        raise ModelMismatchError("expected costs with the numbers %s in the card of %r, got %.200r",
                                 ", ".join(COSTS_WITHOUT_CARD), name, costs)
    by_action = np.zeros(ACTION_COUNT, np.float32)
    for group, start in _GROUP_STARTS:
        by_action[start:] = costs[group]
    return Costs(by_action, float(costs["paying"]), float(costs["gap_power"]))


def _expect_points(answer, outcomes, masks, costs):
    """Returns the expected points by action, float32[M, 235]. outcomes: float32[M, 4], the chances of OUTCOMES."""
    policy = np.where(masks, answer.policy, -np.inf)
    gaps = np.minimum(policy.max(1)[:, None] - policy, _MOST_GAP)
    weight = outcomes[:, :1] + costs.paying * outcomes[:, 1:2]
    return SCORE_UNIT * answer.score[:, None] - costs.by_action * weight ** 2 * gaps ** costs.gap_power


def _softmax(logits):
    """Returns the probabilities of logits [..., N]."""
    powers = np.exp(logits - logits.max(-1)[..., None])
    return powers / powers.sum(-1)[..., None]
