"""Who sits where, the learner alone or with others in some of the seats, and how their games went."""

import numpy as np

from ...mahjong.rules import SEATS

# Players of a lineup: the learner; from 1 on the others of the iteration.
LEARNER = 0
SELF, PAST = "self", "past"


def draw_lineups(shares, other_seats, past_count, *, game_count, random):
    """Who plays in the seats of each game.

    shares: {name: share} of config.League. other_seats: of the four that the other player takes. past_count: number of
        earlier selves. One of them plays. If there is none, the learner plays their share alone. random: numpy
        Generator.
    Returns (names, lineups). names: players from number 1 on, the earlier selves as ("past", k), others as
        (spec, None). lineups: int8[G, 4], player of each seat.
    """
    names = [(PAST, place) for place in range(past_count)] + [(name, None) for name in shares
                                                              if name not in (SELF, PAST)]
    number = {name: place for place, name in enumerate(names, 1)}
    kinds = random.choice(len(shares), size=game_count, p=list(shares.values()))
    # One of them at a time: a network that is asked about few positions at once takes several times as long for each.
    past = int(random.integers(past_count)) if past_count else None
    lineups = np.zeros((game_count, SEATS), np.int8)
    for lineup, kind in zip(lineups, kinds.tolist()):
        name = list(shares)[kind]
        if name == SELF or (name == PAST and not past_count):
            continue
        other = number[(PAST, past) if name == PAST else (name, None)]
        lineup[random.choice(SEATS, size=other_seats, replace=False)] = other
    return names, lineups


def describe_games(ends, names):
    """{name: number} of an iteration's actor.Ends; names: of draw_lineups.

    play/...: of the learner, a seat and game: wins, deal-ins (it gave the winning tile), self-draws, claims, mean fan
    of its wins; draws a game. against/NAME: mean points a game and seat of the learner where it met that player.
    """
    is_learner = ends.lineup == LEARNER
    if not is_learner.any():
        return {}
    seats = np.arange(SEATS)
    wins = is_learner & (ends.winner[:, None] == seats)
    gave = is_learner & (ends.giver[:, None] == seats) & (ends.winner != ends.giver)[:, None]
    count = is_learner.sum()
    figures = {
        # A drift into draws is a failure even where the scores look fine.
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
    figures.update((name, np.concatenate(parts).mean()) for name, parts in scores.items())
    return {name: float(value) for name, value in figures.items()}
