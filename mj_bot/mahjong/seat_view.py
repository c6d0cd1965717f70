"""Keeps what one seat knows of a game, and changes it as events do. It checks nothing; state.py does."""

from typing import List, Optional, Tuple

from .player import Player
from .rules import HAND_TILES, SEATS, WALL_DRAWS, share_wall
from .tile import COPIES, TILE_COUNT, TILE_INDEX, TILE_NAMES, list_tiles

# The game waits for one of these; while a discard may be claimed, the next seat may also draw.
AWAITS_SEAT, AWAITS_DEAL, AWAITS_DRAW, AWAITS_ACT, AWAITS_CLAIM = (
    "the seat", "the deal", "a draw", "an action", "a claim or a draw")

_WALL_WITH_FLOWERS = 144


class SeatView(object):
    """Keeps the game as one seat sees it.

    my_pid: own seat 0..3, which is also the seat wind; None before the first request.
    prevalent_wind: 0..3, east south west north.
    players: list of 4 Player: what everybody sees of each seat.
    hand_counts: list[34], copies of each own concealed tile.
    my_hand: names of the own concealed tiles, in tile order.
    drawn_tile: name of the tile that this seat has just drawn, if it must now answer its own draw, else None.
    last_tile, last_pid: name and giver of the discard or added-kong tile that may be claimed or won on now, else None.
    history: list of (player_id, action) of all events. An action is ("PLAY", tile), ("CHI", middle, discard), ("PENG",
        discard), ("BUGANG", tile), ("GANG",) for any kong of another seat and an own open kong, ("GANG", tile) for an
        own concealed kong, ("DRAW",), ("DRAW", tile) for an own draw, or ("BUHUA", flower).
    unseen: list[34], how many copies of each tile this seat cannot see: they are not in its hand, a visible meld or a
        river.
    shown: list[34], copies of each tile among unclaimed discards and melds, as the judge counts them for the fan of the
        fourth tile. Open and added kongs count 4 copies, concealed kongs none, the discard just made none.
    walls: list[4], tiles left in each seat's wall. In a game with flowers all seats draw from one wall, and each entry
        is a fourth of it, rounded up.
    shared_wall: tiles left in the one wall of a game with flowers; None in a game without flowers.
    requests: how many requests have been applied.
    is_after_kong: whether the draw of this turn replaces a tile of a kong.
    """

    def __init__(self) -> None:
        self.my_pid = None
        self.prevalent_wind = None
        self.players = [Player(seat) for seat in range(SEATS)]
        self.hand_counts = [0] * TILE_COUNT
        self.drawn_tile = None
        self.last_tile = None
        self.last_pid = None
        self.history = []
        self.unseen = [COPIES] * TILE_COUNT
        self.shown = [0] * TILE_COUNT
        self.walls = [WALL_DRAWS] * SEATS
        self.requests = 0
        self.shared_wall = None
        self.is_after_kong = False
        self._awaits = AWAITS_SEAT
        # This is the seat that draws, acts or has just discarded.
        self._turn = None
        # This is the result of action_space(), computed when it is asked for.
        self._actions = None
        # This is the own action on the latest request, None if it is not known.
        self._answer = None

    @classmethod
    def at_turn(cls, my_pid: int, players: List[Player], *, counts: List[int], walls: List[int],
                drawn_tile: Optional[str] = None) -> "SeatView":
        """Returns a state before or after an own draw, without the requests that led to it.

        The histories stay empty, and the prevalent wind and is_after_kong are for the caller to set. No number of tiles
        is checked: `unseen` is negative where there are too many.
        players: 4 Player with their melds, flowers, hand sizes, and discards that nobody may claim any more.
        counts: list[34], the own concealed tiles. walls: list[4], tiles left in the wall of each seat.
        drawn_tile: name of the tile in hand that the seat has just drawn; None if the draw is still to come.
        """
        state = cls()
        state.my_pid = state._turn = my_pid
        state.players, state.hand_counts, state.walls, state.drawn_tile = players, counts, walls, drawn_tile
        state._awaits = AWAITS_DRAW if drawn_tile is None else AWAITS_ACT
        state.unseen = [COPIES - count for count in counts]
        for player in players:
            tiles = [(TILE_INDEX[name], True) for name in player.river]
            tiles += [(tile, not meld.is_concealed) for meld in player.melds for tile in meld.tiles]
            for tile, is_shown in tiles:
                state.unseen[tile] -= 1
                state.shown[tile] += is_shown
        return state

    @property
    def my_hand(self) -> List[str]:
        """Returns the names of the own concealed tiles, in tile order."""
        return list_tiles(self.hand_counts)

    @property
    def last_action(self) -> Optional[Tuple[int, Tuple]]:
        """Returns (player_id, action) of the latest event, None before the first event."""
        return self.history[-1] if self.history else None

    @property
    def is_my_turn(self) -> bool:
        """Tells whether the latest request was an own draw, so that PASS is no answer."""
        return self.drawn_tile is not None

    @property
    def may_rob(self) -> bool:
        """Tells whether `last_tile` is the tile of an added kong, on which this seat can only win."""
        return self.last_tile is not None and self.last_action[1][0] == "BUGANG"

    def __repr__(self):
        shown = [("my_pid", self.my_pid), ("prevalent_wind", self.prevalent_wind), ("requests", self.requests)]
        if self.my_pid is not None:
            shown += [("my_hand", " ".join(self.my_hand)), ("melds", self.players[self.my_pid].melds),
                      ("drawn_tile", self.drawn_tile), ("last_tile", self.last_tile), ("last_pid", self.last_pid)]
        return "%s(%s)" % (type(self).__name__, ", ".join(
            "%s=%r" % item for item in shown if item[1] is not None and item[1] != []))

    def copy(self) -> "SeatView":
        """Returns a copy that shares nothing with this state."""
        state = type(self)()
        for name, value in vars(self).items():
            setattr(state, name, list(value) if isinstance(value, list) else value)
        state.players = [player.copy() for player in self.players]
        return state

    def _begin_turn(self, seat):
        """Starts the turn of a seat with a draw from its wall."""
        self._settle_discard()
        self._take_from_wall(seat)
        self.players[seat].hand_size += 1
        self._turn = seat
        self._awaits = AWAITS_ACT

    def _settle_discard(self):
        """Ends the time for claims of the last tile. A discard that nobody claimed counts as shown from now on."""
        if self._awaits == AWAITS_CLAIM:
            self.shown[TILE_INDEX[self.last_tile]] += 1
            self.is_after_kong = False
        self.last_tile = self.last_pid = None

    def _take_from_wall(self, seat):
        if self.shared_wall is None:
            self.walls[seat] -= 1
        else:
            self._share_wall(self.shared_wall - 1)

    def _begin_shared_wall(self):
        """Puts all tiles left into one wall, from which all seats draw in a game with flowers."""
        drawn = SEATS * WALL_DRAWS - sum(self.walls)
        flowers = sum(player.n_flowers for player in self.players)
        self._share_wall(_WALL_WITH_FLOWERS - SEATS * HAND_TILES - flowers - drawn)

    def _share_wall(self, tiles):
        """Sets the size of the shared wall, of which each seat counts its share."""
        self.shared_wall = tiles
        self.walls = [share_wall(tiles)] * SEATS

    def _record(self, seat, action):
        self.history.append((seat, action))
        self.players[seat].history.append(action)

    def _leave_hand(self, seat, tiles):
        """Takes tiles out of a seat's concealed hand."""
        held = self.hand_counts if seat == self.my_pid else self.unseen
        for tile in tiles:
            held[tile] -= 1
        self.players[seat].hand_size -= len(tiles)
        if seat == self.my_pid:
            self.drawn_tile = None

    def _drop(self, seat, tile):
        """Discards a tile of a seat, which others may claim now."""
        self._leave_hand(seat, (tile,))
        player = self.players[seat]
        player.played_tiles.append(TILE_NAMES[tile])
        player.claimed_by.append(None)
        self.last_tile, self.last_pid = TILE_NAMES[tile], seat
        self._turn = seat
        self._awaits = AWAITS_CLAIM
        self.is_after_kong = False

    def _lay(self, seat, meld, slot=None):
        """Lays a meld down."""
        melds = self.players[seat].melds
        if slot is None:
            melds.append(meld)
            from_hand, laid = meld.from_hand, meld.tiles
        else:
            melds[slot] = meld
            from_hand = laid = [meld.tile]
        self._leave_hand(seat, from_hand)
        if not meld.cards:
            self.players[seat].hand_size -= COPIES
        if not meld.is_concealed:
            for tile in laid:
                self.shown[tile] += 1
        if self._awaits == AWAITS_CLAIM:
            self.players[self.last_pid].claimed_by[-1] = seat

    def _await_replacement(self, seat):
        """Waits for the draw that replaces a tile of the kong just laid."""
        self.last_tile = self.last_pid = None
        self._turn = seat
        self._awaits = AWAITS_DRAW
        self.is_after_kong = True
