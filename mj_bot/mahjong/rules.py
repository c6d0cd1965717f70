"""The judge's rules that more than one room needs: claims, tiles shown, payments.

compiled.py compiles these functions, so they take arrays too and return plain numbers.
Source: Botzone's official judge, as recorded in tests/golden.
"""

from .tile import FIRST_HONOUR

SEATS = 4
HAND_TILES = 13
# Sets of a winning hand, besides the pair.
MAX_SETS = 4
WALL_TILES = 34
# Tiles of a seat's wall after the deal.
WALL_DRAWS = WALL_TILES - HAND_TILES
MIN_PAYMENT = 8
PENALTY = 30


def is_chow(middle, tile):
    """Checks whether the tiles around `middle` (any number) are a chow, and `tile` is one of them."""
    return 0 < middle < FIRST_HONOUR and 0 < middle % 9 < 8 and -1 <= tile - middle <= 1


def can_chow(counts, tile, middle):
    """Checks whether counts have the two other tiles of the chow around `middle` (any number) with `tile`."""
    if not is_chow(middle, tile):
        return False
    for part in range(middle - 1, middle + 2):
        if part != tile and counts[part] == 0:
            return False
    return True


def chow_middles(counts, tile):
    """Returns the middle tiles (0..26, ascending) of the chows that `tile` makes with two tiles of counts.

    >>> from .tile import parse_counts, parse_tile
    >>> chow_middles(parse_counts("W1245"), parse_tile("W3"))
    [1, 2, 3]
    """
    return [middle for middle in (tile - 1, tile, tile + 1) if can_chow(counts, tile, middle)]


def can_pung(counts, tile):
    """Checks whether counts have the two other copies of a pung."""
    return counts[tile] >= 2


def can_open_kong(counts, tile):
    """Checks whether counts have the three other copies of a kong."""
    return counts[tile] >= 3


def can_claim(walls, giver):
    """Checks whether a discard of seat `giver` may be claimed for a meld: the next seat must have a tile to draw."""
    return walls[(giver + 1) % SEATS] > 0


def can_declare_kong(walls, seat):
    """Checks whether `seat` may lay a concealed or added kong: neither its wall nor the next seat's may be empty."""
    return walls[seat] > 0 and walls[(seat + 1) % SEATS] > 0


def is_last_tile(walls, turn):
    """Checks whether the tile that seat `turn` drew or discarded counts as the wall's last: the next seat has none."""
    return walls[(turn + 1) % SEATS] == 0


def is_fourth_tile(shown, tile):
    """Checks whether a win on `tile` is one on the fourth tile.

    shown: list[34], by kind the unclaimed discards (not the one just made) and the tiles of chows and pungs; 4 where
        there is an open or added kong. Concealed kongs add nothing.
    """
    return shown[tile] == 3


def win_scores(winner, fan, giver=None):
    """Returns the scores, a list of 4, of a win of `fan`.

    giver: the seat that gave the tile, None for a self-draw.

    >>> win_scores(0, 10), win_scores(0, 10, giver=2)
    ([54, -18, -18, -18], [34, -8, -18, -8])
    """
    giver = winner if giver is None else giver
    return [win_score(seat, winner, fan, giver) for seat in range(SEATS)]


def win_score(seat, winner, fan, giver):
    """Returns the score of a seat at a win of `fan`.

    giver: the seat that gave the tile, the winner's own for a self-draw.
    """
    if seat == winner:
        return 3 * MIN_PAYMENT + (3 if giver == winner else 1) * fan
    return -MIN_PAYMENT - (fan if giver in (winner, seat) else 0)


def penalty_scores(seat):
    """Returns the scores, a list of 4, of a game that an error of `seat` ends.

    >>> penalty_scores(1)
    [10, -30, 10, 10]
    """
    scores = [PENALTY // 3] * SEATS
    scores[seat] = -PENALTY
    return scores
