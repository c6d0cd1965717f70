"""A player that asks a trained network, see mj_bot/network. A claim and the discard after it are two questions.
"""

from operator import itemgetter

import numpy as np

from ..mahjong.action import WIN_INDEX, format_action
from ..network.forward import OUTCOMES, SCORE_UNIT, Answer, Network
from ..network.ops import NumpyOps, TorchOps, list_parts
from ..network.weights import load_weights
from . import default_weights, read_weight_file
from .base import Questions, Tactic

_ACTIONS_SHOWN = 3


class CNNTactic(Tactic):
    """Wins when it can, else takes the network's most probable legal action.

    weights: name of a weight file that was handed in with the bot, or the path of one; the project's own if None.
    torch: 1 to compute with torch, for networks that numpy is too slow for; on a GPU in bfloat16, where two nearly
    equal actions may change places.
    Raises ModelMismatchError: no such file, or weights of another version.
    """

    value_unit = "probability"

    def __init__(self, weights=None, torch=0):
        name = weights or default_weights("cnn")
        self._ops = TorchOps.fastest() if torch else NumpyOps
        self._network = Network(load_weights(read_weight_file(name), name), self._ops)

    def decide(self, game_state, actions):
        questions = Questions(game_state, actions)
        answer = self._ask(questions.observations)
        choices = questions.list_actions(_choose_best(answer.policy, questions.masks))
        policy = answer.policy[0, list(choices)]
        self.best = list(choices.values())[policy.argmax()]
        ranked = sorted(zip(policy, softmax(policy).tolist(), choices.values()), key=itemgetter(0), reverse=True)
        self.ranked = [(action, chance) for _, chance, action in ranked]
        self.explanation = {"score": SCORE_UNIT * float(answer.score[0]),
                            "outcomes": [list(pair) for pair in zip(OUTCOMES, softmax(answer.outcome[0]).tolist())]}
        self.reasons = _format_reasons(self.ranked, **self.explanation)
        return self.ranked[0][0]

    def choose(self, observations, masks):
        return np.concatenate([_choose_best(self._ask(observations[part]).policy, masks[part])
                               for part in list_parts(len(observations), self._ops)])

    def _ask(self, observations):
        return Answer(*map(self._ops.to_numpy, self._network(observations)))


def _choose_best(policy, masks):
    """The legal action of the highest logit, of equals the first, or the win of each row, int64[M]."""
    best = np.where(masks, policy, -np.inf).argmax(1)
    return np.where(masks[:, WIN_INDEX], WIN_INDEX, best)


def softmax(logits):
    """Probabilities of logits [N]."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def _format_reasons(ranked, score, outcomes):
    """The best actions with their probabilities, and the outcome that the network expects."""
    actions = ["%s %.0f%%" % (format_action(action), 100 * chance) for action, chance in ranked[:_ACTIONS_SHOWN]]
    return "%s; expects %+.1f points, %s" % (
        ", ".join(actions), score, ", ".join("%s %.0f%%" % (name, 100 * chance) for name, chance in outcomes))
