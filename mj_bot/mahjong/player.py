"""Keeps what everybody at the table sees of one player."""

from typing import List


class Player(object):
    """Keeps what everybody at the table sees of a seat.

    player_id: seat 0..3, which is also the seat wind (0 east, 1 south, 2 west, 3 north).
    melds: list of Meld, in the order in which they were laid down.
    n_flowers: how many flowers the player has set aside.
    history: list of this player's action tuples in order. Other seats' draws are ("DRAW",), an own draw ("DRAW", tile).
    played_tiles: names of all discards of this player in order, including those that others claimed.
    claimed_by: for each of played_tiles the seat that claimed it, None if nobody did.
    hand_size: how many concealed tiles the player has.
    """

    __slots__ = ("player_id", "melds", "n_flowers", "history", "played_tiles", "claimed_by", "hand_size")

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id
        self.melds = []
        self.n_flowers = 0
        self.history = []
        self.played_tiles = []
        self.claimed_by = []
        self.hand_size = 0

    def copy(self) -> "Player":
        """Returns a copy that shares nothing with this player."""
        player = Player(self.player_id)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(player, name, list(value) if isinstance(value, list) else value)
        return player

    @property
    def river(self) -> List[str]:
        """Returns the names of the discards that nobody claimed, in order."""
        return [tile for tile, seat in zip(self.played_tiles, self.claimed_by) if seat is None]

    def __repr__(self):
        return "Player(%d, melds=%r, played_tiles=%r)" % (self.player_id, self.melds, self.played_tiles)
