"""Contains the judge's rules that more than one room needs: claims, the fourth tile, payments.

Most of these functions are also called from compiled code, so they take arrays as well as lists and return plain ints
and bools. Tiles are indices 0..33: three suits of nine, then the honours from 27 on.
Source: Botzone's official judge, whose games are recorded in tests/golden.
"""

from typing import List, Optional, Sequence

from .tile import FIRST_HONOUR

SEATS = 4
HAND_TILES = 13
# A winning hand of the regular shape has four sets and a pair.
MAX_SETS = 4
WALL_TILES = 34
# Each seat has a wall of its own, in which this many tiles are left after the deal.
WALL_DRAWS = WALL_TILES - HAND_TILES
# Each other player pays the winner at least this.
MIN_PAYMENT = 8
# A player who makes an error pays this, a third to each other player.
PENALTY = 30


def is_chow(middle: int, tile: int) -> bool:
    """Checks whether the tiles around `middle` (any int) are a chow, and `tile` is one of them."""
    return 0 < middle < FIRST_HONOUR and 0 < middle % 9 < 8 and -1 <= tile - middle <= 1


def can_chow(counts: Sequence[int], tile: int, middle: int) -> bool:
    """Checks whether a hand has the two tiles that make the chow around `middle` with `tile`.

    counts: list[34] without `tile`. middle: any int; False where there is no such chow.
    """
    if not is_chow(middle, tile):
        return False
    for member in range(middle - 1, middle + 2):
        if member != tile and counts[member] == 0:
            return False
    return True


def chow_middles(counts: Sequence[int], tile: int) -> List[int]:
    """Returns the middle tiles (0..26, ascending) of the chows that `tile` makes with two tiles of a hand."""
    return [middle for middle in (tile - 1, tile, tile + 1) if can_chow(counts, tile, middle)]


def can_pung(counts: Sequence[int], tile: int) -> bool:
    """Checks whether a hand, list[34], has the two other copies that a pung of `tile` needs."""
    return counts[tile] >= 2


def can_open_kong(counts: Sequence[int], tile: int) -> bool:
    """Checks whether a hand, list[34], has the three other copies that a kong of `tile` needs."""
    return counts[tile] >= 3


def can_claim(walls: Sequence[int], giver: int) -> bool:
    """Checks whether a discard of seat `giver` may be claimed for a meld: the next seat's wall must have a tile."""
    return walls[(giver + 1) % SEATS] > 0


def can_declare_kong(walls: Sequence[int], seat: int) -> bool:
    """Checks whether `seat` may lay a concealed or added kong: neither its wall nor the next seat's may be empty."""
    return walls[seat] > 0 and walls[(seat + 1) % SEATS] > 0


def share_wall(tiles_left: int) -> int:
    """Returns what the wall of each seat counts where all draw from one wall with flowers: a fourth, rounded up."""
    return (tiles_left + SEATS - 1) // SEATS


def is_last_tile(walls: Sequence[int], turn: int) -> bool:
    """Checks whether the tile that seat `turn` drew or discarded counts as the last one: the next wall is empty."""
    return walls[(turn + 1) % SEATS] == 0


def is_fourth_tile(shown: Sequence[int], tile: int) -> bool:
    """Checks whether everybody sees the three other copies of `tile`, which is a fan. shown: see GameState.shown."""
    return shown[tile] == 3


def win_scores(winner: int, fan: int, giver: Optional[int] = None) -> List[int]:
    """Returns the points that a win gives to each seat. giver: the seat that gave the tile, None for a self-draw."""
    giver = winner if giver is None else giver
    return [win_score(seat, winner, fan, giver) for seat in range(SEATS)]


def win_score(seat: int, winner: int, fan: int, giver: int) -> int:
    """Returns the points that a win gives to a seat. giver: who gave the tile, the winner itself for a self-draw."""
    if seat == winner:
        return 3 * MIN_PAYMENT + (3 if giver == winner else 1) * fan
    return -MIN_PAYMENT - (fan if giver in (winner, seat) else 0)


def penalty_scores(seat: int) -> List[int]:
    """Returns the points of the four seats where an error of `seat` ends the game: it loses 30."""
    scores = [PENALTY // 3] * SEATS
    scores[seat] = -PENALTY
    return scores
