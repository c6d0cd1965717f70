"""A tactic that plays its near actions out: it draws worlds that fit what it sees, and plays each action in all.

    mj-bot referee examples/playouts.py rule_based rule_based rule_based --seed 1

It needs the workshop's numba, so it is no tactic for Botzone. docs/api.md describes the functions that it calls.
"""

import time

import numpy as np

from mj_bot.api import ProtocolError, Tactic, format_action, load_tactic, sample_worlds, state_from_requests

_MOST_ACTIONS = 4
_DEALT = ("0 0 0", "1 0 0 0 0 W1 W2 W3 W4 W5 W6 W7 W8 W9 T1 T2 T3 T5", "2 B1")


class PlayoutsTactic(Tactic):
    """Asks `judge` first, and plays the actions near its best one out until `seconds` have passed.

    near: points that an action may be behind the judge's best one. worlds: of a round, in which all near actions are
    played. player: spec of the tactic that goes on in all seats.
    """

    value_unit = "points"
    is_repeatable = False  # the clock decides how many rounds there are

    def __init__(self, seconds=2.0, near=1.0, worlds=32, judge="cnn", player="rule_based"):
        self._seconds, self._near, self._count, self._player = float(seconds), float(near), int(worlds), player
        self._judge = load_tactic(judge)
        self._round = 0.0  # seconds that the longest round of the latest decision has taken
        self.worlds_played = 0
        sample_worlds(state_from_requests(_DEALT), 1).play(player)  # compiles, which takes longer than a turn

    def decide(self, game_state, actions):
        end = time.monotonic() + self._seconds
        self._judge(game_state)
        points = dict(self._judge.ranked)
        self.best = max(points, key=points.get)
        near = [action for action, value in self._judge.ranked if value >= points[self.best] - self._near]
        means = self._play_out(game_state, near[:_MOST_ACTIONS], end) if len(near) > 1 else {}
        self.best = max(means, key=means.get, default=self.best)
        # Played actions first; the others are never better than the worst of them.
        least = min(means.values(), default=points[self.best])
        rest = {action: min(value, least) for action, value in points.items() if action not in means}
        self.ranked = sorted({**(means or {self.best: least}), **rest}.items(),
                             key=lambda item: (item[0] != self.best, -item[1]))
        self.reasons = "%s by %d worlds" % (format_action(self.best), self.worlds_played if means else 0)
        return self.best

    def _play_out(self, game_state, actions, end):
        """Returns {action: mean score of this seat} after one round or more, {} where no worlds can be drawn."""
        rounds, self.worlds_played = [], 0
        while time.monotonic() + self._round < end or not rounds:
            start = time.monotonic()
            try:
                worlds = sample_worlds(game_state, self._count, seed=len(rounds))
            except ProtocolError:  # a game with flowers
                break
            rounds.append([worlds.play(self._player, action)[:, game_state.my_pid].mean() for action in actions])
            self.worlds_played += self._count
            self._round = max(self._round if len(rounds) > 1 else 0.0, time.monotonic() - start)
        return dict(zip(actions, np.mean(rounds, axis=0).tolist())) if rounds else {}
