"""search with a rule of its own, for many decisions at once: it risks less where another player is near a win.

    cp examples/careful.py mj_bot/tactic/
"""

from mj_bot.mahjong.action import format_action
from mj_bot.observation.layout import field
from mj_bot.tactic.search import SearchTactic

# The rule counts from this many melds of another player on. A discard that is certainly won on costs these points.
MELDS = 3
COST = 20


class CarefulTactic(SearchTactic):
    """search, but against a player with three melds or more it rates dangerous discards lower."""

    def evaluate(self, observations, masks):
        own = super(CarefulTactic, self).evaluate(observations, masks)
        melds = (field(observations, "meld_kind")[:, 1:] > 0).sum(2).max(1)
        # The points include what search itself expects to pay.
        costs = COST * own.details["danger"] * (melds >= MELDS)[:, None]
        return own._replace(points=own.points - costs, preference=None, details=dict(own.details, own=own))

    def explain(self, game_state, questions, evaluation):
        super(CarefulTactic, self).explain(game_state, questions, evaluation)
        usual = questions.read_action(evaluation.details["own"].choose(questions.masks))
        if usual != self.best:
            melds = max(len(player.melds) for player in game_state.players if player.player_id != game_state.my_pid)
            self.reasons = "%s instead of %s: a player has %d melds; %s" % (
                format_action(self.best), format_action(usual), melds, self.reasons)
