"""A player that asks a trained network; see mj_bot/network for what it sees and how it answers.

The network chooses among the legal actions alone, and a win is taken whenever the rules allow it. A claim is chosen
before its discard, which is a second question to the network.
"""

import numpy as np

from ..mahjong.action import DISCARD_BASE, encode_action, format_action
from ..mahjong.opening import group_by_opening
from ..mahjong.tile import TILE_NAMES
from ..network.forward import OUTCOMES, SCORE_UNIT, Answer, Network
from ..network.ops import NumpyOps, TorchOps
from ..network.weights import find_weights, load_weights
from ..observation.encoder import encode_observation
from . import default_weights
from .forced import forced_action

_ACTIONS_SHOWN = 3


class CNNTactic(object):
    """Wins when it can, else takes the network's most probable legal action.

    weights: name of a weight file that was handed in with the bot, or the path of one; the project's own if None.
    torch: 1 to compute with torch, for networks that numpy is too slow for.
    Raises ModelMismatchError: no such file, or weights of another version.
    """

    value_unit = "probability"

    def __init__(self, weights=None, torch=0):
        name = weights or default_weights("cnn")
        self._network = Network(load_weights(find_weights(name), name), TorchOps() if torch else NumpyOps)
        self.reasons = ""
        self.ranked = []

    def __call__(self, game_state):
        self.ranked = []
        actions = game_state.action_space()
        forced = forced_action(actions)
        if forced:
            action, self.reasons = forced
            return action
        answer = self._ask([encode_observation(game_state)])
        choices = self._list_choices(game_state, actions)
        chances = softmax(answer.policy[0, list(choices)])
        # The lowest index of equals, as the batch form chooses.
        ranked = sorted(zip(chances.tolist(), sorted(choices)), key=lambda pair: (-pair[0], pair[1]))
        self.ranked = [(choices[index], chance) for chance, index in ranked]
        self.reasons = _format_reasons(self.ranked, answer)
        return self.ranked[0][0]

    def _list_choices(self, game_state, actions):
        """{index: action} of the actions to choose from, a claim with its best discard only; by rising index."""
        choices = {}
        claims = []
        for opening, discards in group_by_opening(actions):
            if opening == ("PLAY",):
                choices.update((DISCARD_BASE + tile, ("PLAY", TILE_NAMES[tile])) for tile in discards)
            elif discards == [None]:
                choices[encode_action(opening, game_state.last_tile)[0]] = opening
            else:
                claims.append((opening, discards))
        if claims:
            answer = self._ask([encode_observation(game_state, opening) for opening, _ in claims])
            for (opening, discards), policy in zip(claims, answer.policy):
                best = max(discards, key=lambda tile: policy[DISCARD_BASE + tile])
                action = opening + (TILE_NAMES[best],)
                choices[encode_action(action, game_state.last_tile)[0]] = action
        return {index: choices[index] for index in sorted(choices)}

    def _ask(self, observations):
        return Answer(*(np.asarray(part) for part in self._network(np.stack(observations))))


def softmax(logits):
    """Probabilities of logits [N]."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def _format_reasons(ranked, answer):
    """The best actions with their probabilities, and what the network thinks the game comes to."""
    actions = ["%s %.0f%%" % (format_action(action), 100 * chance) for action, chance in ranked[:_ACTIONS_SHOWN]]
    outcomes = ["%s %.0f%%" % pair for pair in zip(OUTCOMES, 100 * softmax(answer.outcome[0]))]
    return "%s; expects %+.1f points, %s" % (
        ", ".join(actions), SCORE_UNIT * answer.score[0], ", ".join(outcomes))
