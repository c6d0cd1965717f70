"""A player that wins when it can and else takes any legal action: the floor of every comparison."""

import operator

from ..mahjong.splitmix import mix
from .forced import forced_action


class RandomTactic(object):
    """Uniform over action_space(), wins when it can; the same seed and position give the same action.

    seed: int.
    Raises TypeError: another seed.
    """

    def __init__(self, seed=0):
        self.seed = operator.index(seed)
        self.reasons = ""

    def __call__(self, game_state):
        actions = game_state.action_space()
        forced = forced_action(actions)
        if forced:
            action, self.reasons = forced
            return action
        position = (self.seed << 20) + (len(game_state.history) << 2) + game_state.my_pid
        self.reasons = "any of %d" % len(actions)
        return actions[mix(position) % len(actions)]
