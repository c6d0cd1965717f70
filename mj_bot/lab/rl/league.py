"""Who sits where: the learner alone, or with others in some of the seats."""

import numpy as np

from ...mahjong.rules import SEATS

# Players of a lineup: the learner; from 1 on the others of the iteration.
LEARNER = 0
SELF, PAST = "self", "past"


def draw_lineups(shares, other_seats, past_count, game_count, rotations, random):
    """Who holds the seats of each game.

    shares: {name: share} of config.League. other_seats: of the four that the other player holds. past_count: earlier
        selves there are; without one, their share is the learner's own. random: numpy Generator.
    Returns (names, lineups). names: players from number 1 on, the earlier selves as ("past", k), others as
        (spec, None). lineups: int8[G, 4], player of each seat; the games of a wall lie side by side, the players one
        seat further in each.
    """
    names = [(PAST, place) for place in range(past_count)] + [(name, None) for name in shares
                                                              if name not in (SELF, PAST)]
    number = {name: place for place, name in enumerate(names, 1)}
    wall_count = game_count // rotations
    kinds = random.choice(len(shares), size=wall_count, p=list(shares.values()))
    lineups = np.zeros((wall_count, rotations, SEATS), np.int8)
    for wall, kind in enumerate(kinds.tolist()):
        name = list(shares)[kind]
        if name == SELF or (name == PAST and not past_count):
            continue
        other = number[(PAST, int(random.integers(past_count))) if name == PAST else (name, None)]
        lineup = np.zeros(SEATS, np.int8)
        lineup[random.choice(SEATS, size=other_seats, replace=False)] = other
        for turn in range(rotations):
            lineups[wall, turn] = np.roll(lineup, turn)
    return names, lineups.reshape(-1, SEATS)
