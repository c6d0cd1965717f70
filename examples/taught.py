"""A tactic with weights of its own, which teach.py fits so that it chooses as another player does.

    cp examples/taught.py mj_bot/tactic/
"""

import io

import numpy as np

from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.rules import WALL_DRAWS
from mj_bot.mahjong.shanten import useful_tiles
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.tactic import read_weight_file
from mj_bot.tactic.base import Tactic
from mj_bot.tactic.rule_based import RuleBasedTactic

FIGURES = ("patterns", "shanten", "useful tiles", "chow", "pung", "kong", "shown", "threat")
_KINDS = ("CHI", "PENG", "GANG")


class TaughtTactic(Tactic):
    """Wins when it can, else takes the action whose figures, times the weights, add up to most.

    weights: name of a weight file that was handed in with the bot, or the path of one: an .npz with the array
    "weights", float[8], one for each of FIGURES.
    """

    value_unit = "weight"

    def __init__(self, weights):
        self._weights = np.load(io.BytesIO(read_weight_file(weights)))["weights"]
        self._rules = RuleBasedTactic()

    def decide(self, game_state, actions):
        values = compute_figures(self._rules, game_state, actions).dot(self._weights)
        order = np.argsort(-values, kind="mergesort")
        self.ranked = [(actions[place], float(values[place])) for place in order]
        self.reasons = ", ".join("%s %.2f" % (format_action(action), value) for action, value in self.ranked[:3])
        return self.ranked[0][0]


def compute_figures(rules, game_state, actions):
    """FIGURES of each action, float[A, 8]. rules: RuleBasedTactic."""
    me = game_state.my_pid
    elapsed = 1 - game_state.walls[me] / float(WALL_DRAWS)
    others = [player for player in game_state.players if player.player_id != me]
    figures = []
    for action in actions:
        opening, tile = split_discard(action)
        counts, melds = hand_after(game_state, opening, tile)
        risks = [0, 0]
        if tile is not None:
            # Tiles that many players have shown are safer. Melds tell who is near a win.
            risks = [game_state.shown[tile], sum(len(player.melds) for player in others
                                                 if TILE_NAMES[tile] not in player.played_tiles)]
        shanten, useful = useful_tiles(counts, len(melds))
        missing = np.array([value for _, value in rules.list_families(counts, melds, game_state)])  # in tiles
        figures.append([np.log(np.exp(-2 * missing).sum() + 1e-9), shanten,
                        np.log1p(sum(game_state.unseen[other] for other in useful))]
                       + [opening[0].endswith(kind) for kind in _KINDS]  # added kongs are BUGANG
                       + [risk * elapsed for risk in risks])
    return np.array(figures, float)
