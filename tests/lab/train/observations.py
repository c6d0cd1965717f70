"""Positions for the tests of networks."""

from mj_bot.lab.dataset.replay import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import unpack_masks


def play_observations(count, games=64, seed=0, player=None):
    """(observations, masks, actions) of `count` decisions, from the first to the last of the games.

    player: spec of the tactic that plays; None for random play.
    """
    decisions = Replayer().replay(play_games((player or "random",), seed, float(player is None), 0, games))
    return decisions.observations[:count], unpack_masks(decisions.masks[:count]), decisions.actions[:count]
