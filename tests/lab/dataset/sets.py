"""Games of self-play and their decisions, for the tests of sets and of networks."""

from functools import lru_cache

from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import unpack_masks


@lru_cache(maxsize=None)
def random_games(count=96):
    """Games of two random players with random moves."""
    return play_games(("random", "random:seed=7"), 5, 0.2, 0, count)


def play_observations(count, games=64, seed=0, player=None):
    """(observations, masks, actions) of `count` decisions, from the first to the last of the games.

    player: spec of the tactic that plays; None for random play.
    """
    decisions = Replayer().replay(play_games((player or "random",), seed, float(player is None), 0, games))
    return decisions.observations[:count], unpack_masks(decisions.masks[:count]), decisions.actions[:count]
