"""The legal answers of a seat, listed from the rules.

The order of the actions is fixed, so that a seeded choice among them repeats.
"""

from .meld import make_chow, make_pung
from .rules import SEATS, can_claim, can_declare_kong, can_open_kong, can_pung, chow_middles
from .tile import COPIES, TILE_INDEX, TILE_NAMES


def turn_actions(counts, melds, walls, *, seat):
    """Returns the answers of `seat` to its own draw except winning, a list of action tuples: discards and kongs.

    counts: list[34] with the drawn tile. melds: list of the seat's Melds. walls: list[4], tiles left in each wall.
    """
    actions = [("PLAY", name) for name, count in zip(TILE_NAMES, counts) if count]
    if can_declare_kong(walls, seat):
        if COPIES in counts:
            actions += [("GANG", name) for name, count in zip(TILE_NAMES, counts) if count == COPIES]
        for meld in melds:
            if meld.type == "PENG" and counts[meld.tile]:
                actions.append(("BUGANG", meld.cards[0]))
    return actions


def claim_actions(counts, walls, seat, *, giver, tile_name):
    """Returns the claims of `seat` on the discard `tile_name` of seat `giver`, without passing and winning.

    The list has pungs and the kong, then chows; each claim stands there with every discard that may follow.
    """
    claimed = TILE_INDEX[tile_name]
    actions = []
    if not can_claim(walls, giver):
        return actions
    if can_pung(counts, claimed):
        actions += _with_discards(("PENG",), counts, make_pung(claimed, giver))
        if can_open_kong(counts, claimed):
            actions.append(("GANG",))
    if seat == (giver + 1) % SEATS:
        for middle in chow_middles(counts, claimed):
            actions += _with_discards(("CHI", TILE_NAMES[middle]), counts, make_chow(middle, claimed, giver))
    return actions


def _with_discards(claim, counts, meld):
    left = list(counts)
    for tile in meld.from_hand:
        left[tile] -= 1
    return [claim + (name,) for name, count in zip(TILE_NAMES, left) if count]
