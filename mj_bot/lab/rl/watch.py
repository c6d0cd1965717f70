"""How games went, as numbers to watch: a drift into draws is a failure even where the scores look fine."""

import numpy as np

from ...mahjong.rules import SEATS
from .league import LEARNER


def describe_games(ends, names):
    """{name: number} of an iteration's actor.Ends; names of players as league.draw_lineups gives them.

    play/...: of the learner, a seat and game: wins, deal-ins (gave the winning tile), self-draws, claims, mean fan of
    its wins; draws a game. against/NAME: mean points a game and seat of the learner where it met that player.
    """
    is_learner = ends.lineup == LEARNER
    if not is_learner.any():
        return {}
    seats = np.arange(SEATS)
    wins = is_learner & (ends.winner[:, None] == seats)
    gave = is_learner & (ends.giver[:, None] == seats) & (ends.winner != ends.giver)[:, None]
    count = is_learner.sum()
    figures = {
        "play/draws": (ends.winner < 0).mean(),
        "play/wins": wins.sum() / count,
        "play/deal_ins": gave.sum() / count,
        "play/self_draws": (wins & (ends.giver == ends.winner)[:, None]).sum() / count,
        "play/claims": ends.claim[is_learner].mean(),
        "play/fan": ends.fan[wins.any(1)].mean() if wins.any() else 0.0,
        "play/score_sd": ends.score[is_learner].std(),
    }
    others = ends.lineup.max(1)
    for player, (name, _) in enumerate(names, 1):
        met = is_learner & (others == player)[:, None]
        if met.any():
            scores = figures.setdefault("against/" + name, [])
            scores.append(ends.score[met])
    return {name: float(np.concatenate(value).mean() if isinstance(value, list) else value)
            for name, value in figures.items()}
