"""Represents the melds on the table: chows, pungs and kongs."""

from collections import namedtuple
from typing import List, Optional, Tuple

from .tile import TILE_INDEX, TILE_NAMES


class Meld(namedtuple("Meld", "type cards src_pid src_card is_added")):
    """Keeps the tiles of one meld and says who gave the claimed one.

    type: "CHI", "PENG" or "GANG". All three kinds of kong are "GANG".
    cards: tuple of tile names, lowest first. It is empty for the concealed kong of another player, whose tile is
        unseen.
    src_pid: seat 0..3 that discarded the claimed tile. For a concealed kong it is the owner's own seat.
    src_card: name of the claimed tile, None for a concealed kong.
    is_added: whether the kong was a pung that got its fourth tile later.
    """

    __slots__ = ()

    @property
    def is_concealed(self) -> bool:
        """Tells whether the meld is a concealed kong."""
        return self.src_card is None

    @property
    def tile(self) -> Optional[int]:
        """Returns the index 0..33 of the meld's tile (for a chow the middle one), None where the meld is unseen."""
        return TILE_INDEX[self.cards[1]] if self.cards else None

    @property
    def tiles(self) -> List[int]:
        """Returns the indices 0..33 of all tiles of the meld, [] where the meld is unseen."""
        return [TILE_INDEX[name] for name in self.cards]

    @property
    def from_hand(self) -> List[int]:
        """Returns the indices 0..33 of the tiles that came from the owner's hand: all but the claimed one."""
        tiles = self.tiles
        if not self.is_concealed:
            tiles.remove(TILE_INDEX[self.src_card])
        return tiles

    def as_pack(self, owner: int) -> Tuple[str, str, int]:
        """Returns the (type, tile name, offer) that MahjongGB takes of a visible meld."""
        # The offer of a chow is 1..3, the claimed one of its tiles. Else it is the distance (discarder - owner) mod 4,
        # so 0 is a concealed kong.
        is_chow = self.type == "CHI"
        return self.type, self.cards[1], self.cards.index(self.src_card) + 1 if is_chow else (self.src_pid - owner) % 4


Meld.__new__.__defaults__ = (None, False)


def make_meld(action: Tuple, owner: int, claimed: Optional[int] = None, *, giver: Optional[int] = None) -> Meld:
    """Returns the meld that an action of seat `owner` lays down: CHI, PENG or GANG. A discard after it may be missing.

    claimed: the tile 0..33 that CHI, PENG and ("GANG",) claim. giver: the seat that discarded it.
    """
    if action[0] == "CHI":
        return make_chow(TILE_INDEX[action[1]], claimed, giver)
    if action[0] == "PENG":
        return make_pung(claimed, giver)
    return make_kong(claimed, giver) if len(action) == 1 else make_concealed_kong(owner, TILE_INDEX[action[1]])


def make_chow(middle: int, claimed: int, src_pid: int) -> Meld:
    """Returns the chow around tile `middle` (0..33) that claims tile `claimed` from seat src_pid."""
    return Meld("CHI", TILE_NAMES[middle - 1:middle + 2], src_pid, TILE_NAMES[claimed])


def make_pung(tile: int, src_pid: int) -> Meld:
    """Returns the pung of `tile` claimed from seat src_pid."""
    return Meld("PENG", (TILE_NAMES[tile],) * 3, src_pid, TILE_NAMES[tile])


def make_kong(tile: int, src_pid: int) -> Meld:
    """Returns the open kong of `tile` claimed from seat src_pid."""
    return Meld("GANG", (TILE_NAMES[tile],) * 4, src_pid, TILE_NAMES[tile])


def make_added_kong(pung: Meld) -> Meld:
    """Returns the kong that a pung becomes with its fourth tile."""
    return Meld("GANG", pung.cards + pung.cards[:1], pung.src_pid, pung.src_card, is_added=True)


def make_concealed_kong(owner: int, tile: Optional[int] = None) -> Meld:
    """Returns the concealed kong of seat `owner`. tile: 0..33, None where the tile is unseen."""
    return Meld("GANG", () if tile is None else (TILE_NAMES[tile],) * 4, owner)
