"""search with a rule of its own: it risks less where another player is near a win.

    cp examples/careful.py mj_bot/tactic/
"""

from mj_bot.mahjong.action import format_action
from mj_bot.tactic.search import SearchTactic

# The rule counts from this many melds of another player on. A discard that is certainly won on costs these points.
MELDS = 3
COST = 20


class CarefulTactic(SearchTactic):
    """search, but against a player with three melds or more it rates dangerous discards lower."""

    def decide(self, game_state, actions):
        chosen = super(CarefulTactic, self).decide(game_state, actions)
        melds = max(len(player.melds) for player in game_state.players if player.player_id != game_state.my_pid)
        if melds < MELDS:
            return chosen
        # The points include what search itself expects to pay.
        points = [(choice.action, choice.points - COST * choice.danger) for choice in self.choices]
        self.ranked = sorted(points, key=lambda pair: -pair[1])
        careful = self.ranked[0][0]
        if careful != chosen:
            self.explanation = None  # it is about the other action
            self.reasons = "%s instead of %s: a player has %d melds; %s" % (
                format_action(careful), format_action(chosen), melds, self.reasons)
        return careful
