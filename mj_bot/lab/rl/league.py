"""Decides who sits where: the learner alone, or another player in some of the seats. It also sums up the games."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...mahjong.rules import SEATS

LEARNER = 0  # the learner's number in a lineup; players from 1 on are the others of the iteration
SELF, PAST = "self", "past"


class Ends(NamedTuple):
    """Keeps how G games ended."""

    lineup: np.ndarray  # int8[G, 4], player of each seat: LEARNER, or p for the p-th other player
    score: np.ndarray  # int16[G, 4], final points of each seat
    winner: np.ndarray  # int8[G], winning seat, -1 if nobody won
    giver: np.ndarray  # int8[G], seat that gave the winning tile, the winner itself for a self-draw, -1 if nobody won
    fan: np.ndarray  # int16[G], fan of the win, 0 if nobody won
    claim: np.ndarray  # int8[G, 4], number of chows, pungs and open kongs of each seat


def draw_lineups(
        shares: dict[str, float], other_seats: int, past_count: int, *, game_count: int,
        random: np.random.Generator) -> tuple[list[tuple[str, int | None]], np.ndarray]:
    """Draws who plays in each seat of each game of an iteration, and returns (names, lineups).

    names: players 1, 2 and so on: ("past", k) is the k-th earlier self, (spec, None) a tactic.
    lineups: int8[G, 4], player of each seat; 0 is the learner.

    shares: {"self", "past" or a tactic's spec: share of the games}. other_seats: seats of the four that another player
        takes.
    past_count: number of earlier selves. One of them plays in an iteration. If there is none, the learner plays their
        share alone.
    random: numpy Generator.
    """
    names = [(PAST, index) for index in range(past_count)]
    names += [(name, None) for name in shares if name not in (SELF, PAST)]
    players = {name: player for player, name in enumerate(names, 1)}
    drawn = random.choice(len(shares), size=game_count, p=list(shares.values()))
    # Only one earlier self plays, because networks that answer few positions at once need more time for each.
    past = int(random.integers(past_count)) if past_count else None
    lineups = np.zeros((game_count, SEATS), np.int8)
    for lineup, share_index in zip(lineups, drawn.tolist()):
        name = list(shares)[share_index]
        if name == SELF or (name == PAST and not past_count):
            continue
        other = players[(PAST, past) if name == PAST else (name, None)]
        lineup[random.choice(SEATS, size=other_seats, replace=False)] = other
    return names, lineups


def describe_games(ends: Ends, names: Sequence[tuple[str, int | None]]) -> dict[str, float]:
    """Returns figures of the games of an iteration, {name: number}.

    play/wins, play/deal_ins, play/self_draws: share of the learner's seats that won, that gave the winning tile, and
    that won on their own draw. play/claims: mean number of claims of these seats. play/fan: mean fan of their wins.
    play/score_sd: standard deviation of their points. play/draws: share of the games that nobody won.
    against/NAME: mean points of the learner's seats in games with that player.

    ends: how the games ended.
    names: players 1, 2 and so on of the lineups: ("past", k) is the k-th earlier self, (spec, None) a tactic.
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
    others = ends.lineup.max(1)
    scores = {}
    for player, (name, _) in enumerate(names, 1):
        met = is_learner & (others == player)[:, None]
        if met.any():
            scores.setdefault("against/" + name, []).append(ends.score[met])
    figures.update((name, np.concatenate(blocks).mean()) for name, blocks in scores.items())
    return {name: float(value) for name, value in figures.items()}
