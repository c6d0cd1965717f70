"""A meld on the table: chow, pung or kong, and where it came from."""

from .tile import TILE_INDEX, TILE_NAMES


class Meld(object):
    """One meld.

    type: "CHI", "PENG" or "GANG" (any of the three kongs).
    cards: tuple of tile names, lowest first; empty for another player's concealed kong, which nobody sees.
    src_pid: seat 0..3 that discarded the claimed tile; the owner's own seat for a concealed kong.
    src_card: name of the claimed tile; None for a concealed kong.
    is_added: whether the kong was a pung that got its fourth tile later.
    """

    __slots__ = ("type", "cards", "src_pid", "src_card", "is_added")

    def __init__(self, type, cards, src_pid, src_card=None, is_added=False):
        self.type = type
        self.cards = cards
        self.src_pid = src_pid
        self.src_card = src_card
        self.is_added = is_added

    @property
    def is_concealed(self):
        """Whether it is a concealed kong."""
        return self.src_card is None

    @property
    def tile(self):
        """Index 0..33 of the tile, the middle one of a chow; None where unseen."""
        return TILE_INDEX[self.cards[1]] if self.cards else None

    @property
    def tiles(self):
        """Indices of all its tiles; empty where unseen."""
        return [TILE_INDEX[name] for name in self.cards]

    def as_pack(self, owner):
        """The (type, tile name, offer) triple that MahjongGB takes, as the judge builds it.

        offer: for a chow 1..3, which of its tiles was claimed; else (discarder - owner) mod 4, 0 = concealed.
        """
        if self.type == "CHI":
            return ("CHI", self.cards[1], TILE_INDEX[self.src_card] - TILE_INDEX[self.cards[0]] + 1)
        return (self.type, self.cards[0], (self.src_pid - owner) % 4)

    def _key(self):
        return (self.type, self.cards, self.src_pid, self.src_card, self.is_added)

    def __eq__(self, other):
        return isinstance(other, Meld) and self._key() == other._key()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return "Meld(%r, %r, src_pid=%r, src_card=%r, is_added=%r)" % self._key()


def make_chow(middle, claimed, src_pid):
    """The chow around tile `middle` (0..33) that claims tile `claimed` from seat src_pid."""
    return Meld("CHI", TILE_NAMES[middle - 1:middle + 2], src_pid, TILE_NAMES[claimed])


def make_pung(tile, src_pid):
    """The pung of `tile` claimed from seat src_pid."""
    return Meld("PENG", (TILE_NAMES[tile],) * 3, src_pid, TILE_NAMES[tile])


def make_kong(tile, src_pid):
    """The open kong of `tile` claimed from seat src_pid."""
    return Meld("GANG", (TILE_NAMES[tile],) * 4, src_pid, TILE_NAMES[tile])


def make_added_kong(pung):
    """The kong that a pung becomes with its fourth tile."""
    return Meld("GANG", pung.cards + pung.cards[:1], pung.src_pid, pung.src_card, is_added=True)


def make_concealed_kong(owner, tile=None):
    """The concealed kong of seat `owner`; tile None where it is unseen."""
    return Meld("GANG", () if tile is None else (TILE_NAMES[tile],) * 4, owner)
