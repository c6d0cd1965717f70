"""A game as all formats know it: the wall, every seat's decisions, the scores."""

from ...mahjong.tile import TILE_INDEX, TILE_NAMES
from ..table.walls import check_wall

# What is known of a game, bits of Game.facts. TOLD_ANSWERS: claims that were overruled are among the moves, so who is
# silent passed. TOLD_WALL: the wall is the real one; else only what was drawn is, the rest fills it. OWN_SUITS: won by
# a fan of OWN_SUITS_FANS, which other suits or ranks would not count. SHARED_WALL: all seats drew from one wall, so a
# drawn game may end while the walls that it is given here have tiles.
TOLD_ANSWERS, TOLD_WALL, OWN_SUITS, SHARED_WALL = 1, 2, 4, 8
# All green, reversible tiles.
OWN_SUITS_FANS = frozenset(("绿一色", "推不倒"))


class Game(object):
    """One game of four seats.

    wall: bytes of 136 tiles 0..33, see walls.py. wind: prevalent wind 0..3. moves: bytes, see moves.py.
    scores: 4 ints, as the source tells them. facts: bits as above.
    flowers: of the winner, each is paid as a fan. players: 4 names, or 4 numbers where the source has no names.
    name: what the source calls it. where: text that names the source. lines: of it, one a byte of moves; () without.
    fan: what the source says the winner's hand counts, flowers not; None where it does not say.
    """

    __slots__ = ("wall", "wind", "moves", "scores", "facts", "flowers", "players", "name", "where", "lines", "fan")

    def __init__(self, wall, wind, moves, scores, facts=TOLD_ANSWERS | TOLD_WALL, flowers=0, players=(0, 1, 2, 3),
                 name="", where="", lines=(), fan=None):
        self.wall = bytes(wall)
        self.wind = wind
        self.moves = bytes(moves)
        self.scores = tuple(scores)
        self.facts = facts
        self.flowers = flowers
        self.players = tuple(players)
        self.name = name
        self.where = where or name
        self.lines = lines
        self.fan = fan

    def __eq__(self, other):
        """Whether it is the same game, whatever the source and the names."""
        return isinstance(other, Game) and self._content() == other._content()

    def __hash__(self):
        return hash(self._content())

    def _content(self):
        return self.wall, self.wind, self.moves, self.scores, self.facts, self.flowers

    def wall_names(self):
        """The wall as a list of 136 tile names."""
        return [TILE_NAMES[tile] for tile in self.wall]


def encode_wall(names, where=""):
    """The wall as Game has it of a list of 136 tile names.

    Raises InvalidTileError, InvalidHandError: as walls.check_wall.
    """
    check_wall(names, where)
    return bytes(TILE_INDEX[name] for name in names)
