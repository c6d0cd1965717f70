"""A player that wins when it can and else takes any legal action: the floor of every comparison."""

from ..mahjong.splitmix import mix


class RandomTactic(object):
    """Uniform over action_space(), wins when it can; the same seed and position give the same action.

    seed: int.
    """

    def __init__(self, seed=0):
        self.seed = seed
        self.reasons = ""

    def __call__(self, game_state):
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "can win"
                return action
        position = (self.seed << 20) + (len(game_state.history) << 2) + game_state.my_pid
        self.reasons = "any of %d" % len(actions)
        return actions[mix(position) % len(actions)]
