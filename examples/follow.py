"""rule_based that discards what others have just let pass, which it learns from `loading`.

    cp examples/follow.py mj_bot/tactic/
"""

from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.opening import split_discard
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.tactic.rule_based import RuleBasedTactic

# Gain of a discard for each player who has let its tile pass, in tiles, the unit of rule_based.
GAIN = 0.1


class FollowTactic(RuleBasedTactic):
    """rule_based, but of discards worth about the same it takes a tile on which nobody has just won."""

    def __init__(self):
        super(FollowTactic, self).__init__()
        self._passed = [set() for _ in range(4)]  # by seat: tiles let pass since its own last discard

    def loading(self, game_state, player_id, action):
        if len(game_state.history) == 1:
            self._passed = [set() for _ in range(4)]  # a new game
        if action[0] in ("PLAY", "CHI", "PENG"):
            for passed in self._passed:
                passed.add(action[-1])
            self._passed[player_id] = set()  # with another hand it may win on them

    def decide(self, game_state, actions):
        chosen = super(FollowTactic, self).decide(game_state, actions)
        others = [passed for seat, passed in enumerate(self._passed) if seat != game_state.my_pid]
        rated = []
        for action, value in self.ranked:
            tile = split_discard(action)[1]
            count = sum(tile is not None and TILE_NAMES[tile] in passed for passed in others)
            rated.append((action, value + GAIN * count))
        self.ranked = sorted(rated, key=lambda pair: -pair[1])
        following = self.ranked[0][0]
        if following != chosen:
            self.explanation = None  # it is about the other action
            self.reasons = "%s instead of %s: nobody has just won on it; %s" % (
                format_action(following), format_action(chosen), self.reasons)
        return following
