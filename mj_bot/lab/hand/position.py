"""A hand, and what else is known, as the position that tactics decide in."""

from ...mahjong.errors import InvalidHandError
from ...mahjong.rules import SEATS, WALL_DRAWS
from ...mahjong.state import ACT, DRAW, GameState
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from .notation import name_tile, parse_tiles


class HandState(GameState):
    """The GameState of a hand, without the moves that led to it.

    hand: notation.Hand of 13 tiles, before a draw, or of 14, after one.
    rivers: lists of tiles 0..33, the discards that nobody claimed of up to 4 seats, the hand's owner first.
    unseen: {tile: copies that the owner does not see}, where they are fewer than hand, melds and rivers leave; the
    others count as shown.
    Each seat has drawn as often as the longest river has tiles, or the hand has claims.
    Raises InvalidHandError: a tile of which there are too many copies.
    """

    def __init__(self, hand, rivers=(), unseen=None):
        super().__init__()
        me = self.my_pid = self._turn = hand.seat_wind
        self.prevalent_wind = hand.prevalent_wind
        self.hand_counts = hand.counts
        self.players[me].melds = list(hand.melds)
        self._pack = tuple(meld.as_pack(me) for meld in hand.melds)
        is_drawn = hand.size > 13
        self._awaits, self._after_kong = ACT if is_drawn else DRAW, hand.is_about_kong
        for player in self.players:
            player.hand_size = 13
        self.players[me].hand_size = len(hand.tiles)
        for offset, river in enumerate(rivers):
            player = self.players[(me + offset) % SEATS]
            player.played_tiles = [TILE_NAMES[tile] for tile in river]
            player.claimed_by = [None] * len(river)
        turns = self._write_history()
        self.walls = [max(1, WALL_DRAWS - turns)] * SEATS
        if is_drawn:
            self.drawn_tile = TILE_NAMES[hand.tiles[-1]]
            self.walls[me] = max(1, self.walls[me] - 1)
            self._record(me, ("DRAW", self.drawn_tile))
        if hand.is_last_tile:
            self.walls[(me + 1) % SEATS] = 0
        self._count_seen(rivers, unseen or {})

    def _write_history(self):
        """The claims and discards in turns; returns how many turns there were."""
        claims = []
        for meld in self.players[self.my_pid].melds:
            if meld.type == "GANG" and not meld.is_added:
                self._record(self.my_pid, ("GANG",))
            else:
                claims.append(("PENG",) if meld.type != "CHI" else ("CHI", TILE_NAMES[meld.tile]))
        turns = max([len(claims)] + [len(player.played_tiles) for player in self.players])
        for turn in range(turns):
            for seat, player in enumerate(self.players):
                kind = claims[turn] if seat == self.my_pid and turn < len(claims) else ("PLAY",)
                discard = tuple(player.played_tiles[turn:turn + 1])
                if discard or kind != ("PLAY",):
                    self._record(seat, kind + discard)
        return turns

    def _count_seen(self, rivers, unseen):
        in_rivers = [0] * TILE_COUNT
        for tile in (tile for river in rivers for tile in river):
            in_rivers[tile] += 1
        self.shown = list(in_rivers)
        held = list(self.hand_counts)
        for meld in self.players[self.my_pid].melds:
            for tile in meld.tiles:
                held[tile] += 1
                self.shown[tile] += not meld.is_concealed
        for tile in range(TILE_COUNT):
            left = COPIES - held[tile] - in_rivers[tile]
            if left < 0:
                raise InvalidHandError("expected at most 4 copies of a tile, got %d of %s in hand and melds and %d in "
                                       "rivers" % (held[tile], name_tile(tile), in_rivers[tile]))
            self.unseen[tile] = unseen.get(tile, left)
            if not 0 <= self.unseen[tile] <= left:
                raise InvalidHandError("expected 0 to %d copies of %s unseen, as hand and rivers leave, got %d" % (
                    left, name_tile(tile), self.unseen[tile]))
            self.shown[tile] += left - self.unseen[tile]


def parse_rivers(text):
    """The rivers of HandState from their text, seats divided by "/": "19mE/5p" is the owner's and the next seat's.

    Raises InvalidHandError: more than four, or as notation.parse_tiles.

    >>> parse_rivers("19mE/5p")
    [[0, 8, 27], [22]]
    """
    rivers = [parse_tiles(part) for part in text.split("/")]
    if len(rivers) > SEATS:
        raise InvalidHandError("expected at most 4 rivers, divided by /, got %d" % len(rivers))
    longest = max(map(len, rivers))
    if longest > WALL_DRAWS:
        raise InvalidHandError("expected at most %d tiles in a river, got %d" % (WALL_DRAWS, longest))
    return rivers


def parse_unseen(text):
    """{tile: copies} of a text such as "5p=0 E=1".

    Raises InvalidHandError: with the word that is wrong.

    >>> parse_unseen("5p=0, E=1")
    {22: 0, 27: 1}
    """
    unseen = {}
    for word in text.replace(",", " ").split():
        name, _, copies = word.partition("=")
        tiles = parse_tiles(name)
        if len(tiles) != 1 or copies not in ("0", "1", "2", "3", "4"):
            raise InvalidHandError("expected a tile with its copies unseen, as 5p=0, got %r" % word)
        unseen[tiles[0]] = int(copies)
    return unseen
