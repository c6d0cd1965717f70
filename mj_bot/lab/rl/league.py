"""Decides who sits where: the learner alone, or an earlier self in some of the seats. It also sums up the games."""

from typing import NamedTuple

import numpy as np

from ...mahjong.rules import SEATS

LEARNER = 0  # the learner's number in a lineup; numbers from 1 on are its earlier selves, the oldest first
SELF, PAST = "self", "past"


class GameEnds(NamedTuple):
    """Keeps how G games ended."""

    lineup: np.ndarray  # int8[G, 4], player of each seat: LEARNER, or p for the p-th earlier self
    score: np.ndarray  # int16[G, 4], final points of each seat
    winner: np.ndarray  # int8[G], winning seat, -1 if nobody won
    giver: np.ndarray  # int8[G], seat that gave the winning tile, the winner itself for a self-draw, -1 if nobody won
    fan: np.ndarray  # int16[G], fan of the win, 0 if nobody won
    claim: np.ndarray  # int8[G, 4], number of chows, pungs and open kongs of each seat


def draw_lineups(shares: dict[str, float], past_seats: int, past_count: int, *, game_count: int,
                 random: np.random.Generator) -> np.ndarray:
    """Draws who plays in each seat of each game of an iteration, int8[G, 4]: LEARNER, or p for the p-th earlier self.

    shares: {SELF or PAST: share of the games}. past_seats: seats of the four that an earlier self takes.
    past_count: number of earlier selves. One of them plays in an iteration. If there is none, the learner plays their
        share alone.
    random: numpy Generator.
    """
    drawn = random.choice(len(shares), size=game_count, p=list(shares.values()))
    lineups = np.zeros((game_count, SEATS), np.int8)
    if past_count:
        # Only one earlier self plays, because networks that answer few positions at once need more time for each.
        past = 1 + int(random.integers(past_count))
        for game in np.flatnonzero(np.array(list(shares))[drawn] == PAST):
            lineups[game, random.choice(SEATS, size=past_seats, replace=False)] = past
    return lineups


def describe_games(ends: GameEnds) -> dict[str, float]:
    """Returns figures of the games of an iteration, {name: number}.

    play/wins, play/deal_ins, play/self_draws: share of the learner's seats that won, that gave the winning tile, and
    that won on their own draw. play/claims: mean number of claims of these seats. play/fan: mean fan of their wins.
    play/score_sd: standard deviation of their points. play/draws: share of the games that nobody won.
    against/past: mean points of the learner's seats in games with an earlier self.
    """
    is_learner = ends.lineup == LEARNER
    if not is_learner.any():
        return {}
    seats = np.arange(SEATS)
    wins = is_learner & (ends.winner[:, None] == seats)
    gave = is_learner & (ends.giver[:, None] == seats) & (ends.winner != ends.giver)[:, None]
    count = is_learner.sum()
    figures = {
        # If the policy drifts into draws, it has failed even where its scores look fine.
        "play/draws": (ends.winner < 0).mean(),
        "play/wins": wins.sum() / count,
        "play/deal_ins": gave.sum() / count,
        "play/self_draws": (wins & (ends.giver == ends.winner)[:, None]).sum() / count,
        "play/claims": ends.claim[is_learner].mean(),
        "play/fan": ends.fan[wins.any(1)].mean() if wins.any() else 0.0,
        "play/score_sd": ends.score[is_learner].std(),
    }
    met = is_learner & (ends.lineup.max(1) != LEARNER)[:, None]
    if met.any():
        figures["against/past"] = ends.score[met].mean()
    return {name: float(value) for name, value in figures.items()}
