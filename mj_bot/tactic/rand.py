"""A player that wins when it can and else takes any legal action: the floor of every comparison."""

_MASK = (1 << 64) - 1


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
        return actions[_mix(position) % len(actions)]


def _mix(number):
    """A well-mixed 64-bit number (splitmix64): no generator state to keep between turns of a process."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)
