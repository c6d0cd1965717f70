"""A meld on the table: a chow, pung or kong, and who gave the claimed tile."""

from collections import namedtuple

from .tile import TILE_INDEX, TILE_NAMES


class Meld(namedtuple("Meld", "type cards src_pid src_card is_added")):
    """One meld.

    type: "CHI", "PENG" or "GANG" (any of the three kongs).
    cards: tuple of tile names, lowest first; empty for another player's concealed kong, which nobody sees.
    src_pid: seat 0..3 that discarded the claimed tile; the owner's own seat for a concealed kong.
    src_card: name of the claimed tile; None for a concealed kong.
    is_added: whether the kong was a pung that got its fourth tile later.
    """

    __slots__ = ()

    @property
    def is_concealed(self):
        """Tells whether the meld is a concealed kong."""
        return self.src_card is None

    @property
    def tile(self):
        """Returns the index 0..33 of the tile, of a chow the middle one; None where the meld is unseen."""
        return TILE_INDEX[self.cards[1]] if self.cards else None

    @property
    def tiles(self):
        """Returns the indices of all tiles of the meld; [] where it is unseen."""
        return [TILE_INDEX[name] for name in self.cards]

    @property
    def from_hand(self):
        """Returns the indices of the tiles from the owner's hand: all but the claimed one."""
        tiles = self.tiles
        if not self.is_concealed:
            tiles.remove(TILE_INDEX[self.src_card])
        return tiles

    def as_pack(self, owner):
        """Returns the (type, tile name, offer) triple that MahjongGB takes, as the judge builds it.

        The meld must be visible.

        owner: the seat whose meld it is. The tile is the middle one of a chow.
        offer: for a chow 1..3, which of its tiles was claimed; else (discarder - owner) mod 4, 0 = concealed.
        """
        is_chow = self.type == "CHI"
        return self.type, self.cards[1], self.cards.index(self.src_card) + 1 if is_chow else (self.src_pid - owner) % 4


Meld.__new__.__defaults__ = (None, False)


def make_meld(action, owner, claimed=None, *, giver=None):
    """Returns the Meld that an action of seat `owner` lays down: CHI, PENG or GANG, with a discard after it or without.

    claimed: the tile 0..33 that CHI, PENG and ("GANG",) take. giver: the seat that discarded it.

    >>> make_meld(("CHI", "W2", "J3"), 1, 2, giver=0).from_hand, make_meld(("GANG", "T1"), 1).is_concealed
    ([0, 1], True)
    """
    if action[0] == "CHI":
        return make_chow(TILE_INDEX[action[1]], claimed, giver)
    if action[0] == "PENG":
        return make_pung(claimed, giver)
    return make_kong(claimed, giver) if len(action) == 1 else make_concealed_kong(owner, TILE_INDEX[action[1]])


def make_chow(middle, claimed, src_pid):
    """Returns the chow around tile `middle` (0..33) that claims tile `claimed` from seat src_pid."""
    return Meld("CHI", TILE_NAMES[middle - 1:middle + 2], src_pid, TILE_NAMES[claimed])


def make_pung(tile, src_pid):
    """Returns the pung of `tile` claimed from seat src_pid."""
    return Meld("PENG", (TILE_NAMES[tile],) * 3, src_pid, TILE_NAMES[tile])


def make_kong(tile, src_pid):
    """Returns the open kong of `tile` claimed from seat src_pid."""
    return Meld("GANG", (TILE_NAMES[tile],) * 4, src_pid, TILE_NAMES[tile])


def make_added_kong(pung):
    """Returns the kong that a pung becomes with its fourth tile."""
    return Meld("GANG", pung.cards + pung.cards[:1], pung.src_pid, pung.src_card, is_added=True)


def make_concealed_kong(owner, tile=None):
    """Returns the concealed kong of seat `owner`. tile: None where the kong is unseen."""
    return Meld("GANG", () if tile is None else (TILE_NAMES[tile],) * 4, owner)
