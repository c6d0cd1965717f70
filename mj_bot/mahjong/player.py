"""The public side of one player."""


class Player(object):
    """Keeps what everybody at the table sees of a seat.

    player_id: seat 0..3, also its seat wind (0 east).
    melds: list of Meld, in the order they were laid down.
    n_flowers: flowers set aside.
    history: list of this player's actions in order, the tuples of GameState.history.
    played_tiles: names of all its discards in order, the claimed ones too.
    claimed_by: for each of played_tiles the seat that claimed it, or None.
    hand_size: concealed tiles in hand.
    """

    __slots__ = ("player_id", "melds", "n_flowers", "history", "played_tiles", "claimed_by", "hand_size")

    def __init__(self, player_id):
        self.player_id = player_id
        self.melds = []
        self.n_flowers = 0
        self.history = []
        self.played_tiles = []
        self.claimed_by = []
        self.hand_size = 0

    def copy(self):
        """Returns a copy that shares nothing with this player."""
        player = Player(self.player_id)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(player, name, list(value) if isinstance(value, list) else value)
        return player

    @property
    def river(self):
        """Returns the names of the discards that nobody claimed, in order."""
        return [tile for tile, seat in zip(self.played_tiles, self.claimed_by) if seat is None]

    def __repr__(self):
        return "Player(%d, melds=%r, played_tiles=%r)" % (self.player_id, self.melds, self.played_tiles)
