"""Lists the legal answers of a seat.

The order of the actions is fixed, so that a choice with the same seed gives the same action.
"""

from typing import List, Sequence, Tuple

from .meld import Meld, make_chow, make_pung
from .rules import SEATS, can_claim, can_declare_kong, can_open_kong, can_pung, chow_middles
from .tile import COPIES, TILE_INDEX, TILE_NAMES


def turn_actions(counts: Sequence[int], melds: List[Meld], walls: Sequence[int], *, seat: int) -> List[Tuple]:
    """Returns the discards and kongs that are legal after a seat's own draw, a list of action tuples.

    Winning is not among them.
    counts: list[34], the seat's concealed tiles with the drawn one.
    melds: the seat's melds.
    walls: list[4], tiles left in the wall of each seat.
    """
    actions = [("PLAY", name) for name, count in zip(TILE_NAMES, counts) if count]
    if can_declare_kong(walls, seat):
        if COPIES in counts:
            actions += [("GANG", name) for name, count in zip(TILE_NAMES, counts) if count == COPIES]
        for meld in melds:
            if meld.type == "PENG" and counts[meld.tile]:
                actions.append(("BUGANG", meld.cards[0]))
    return actions


def claim_actions(counts: Sequence[int], walls: Sequence[int], seat: int, *, giver: int,
                  tile_name: str) -> List[Tuple]:
    """Returns the melds that a seat may make of another seat's discard, a list of action tuples.

    Passing and winning are not among them. Pungs come first, then the open kong, then chows. Pungs and chows are listed
    once for each discard that may follow them.
    counts: list[34], the concealed tiles of `seat`.
    walls: list[4], tiles left in the wall of each seat.
    giver: the seat that discarded `tile_name`.
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
    """Returns the claim of list[34], completed by each tile that may be discarded after the meld."""
    left = list(counts)
    for tile in meld.from_hand:
        left[tile] -= 1
    return [claim + (name,) for name, count in zip(TILE_NAMES, left) if count]
