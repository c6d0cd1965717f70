"""A game in the form that all formats share: the wall, every seat's decisions as bytes, the scores.

The bytes of `moves`:

    action                  0..234 of mahjong/action.py, of the seat that drew, or that laid a chow or pung
    MARK + seats            right after an action: bit s of 1..15 is set if seat s moved at random, in that action (its
                            own seat) or in its answer to it (another)
    ANSWER_BASE + offset, action
                            an answer other than pass of the seat at the offset 1..3 from the last one; nearest seat
                            first, overruled claims included
    FAULT, seat             the seat erred (or its program failed), which ends the game

Deals and draws follow from the wall, and the order of claims from the rules; other seats passed. The moves stop early
where the source of the game does.
"""

from dataclasses import dataclass, field

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import ProtocolError
from ...mahjong.tile import TILE_NAMES

ANSWER_BASE = ACTION_COUNT - 1
LAST_ANSWER = ANSWER_BASE + 3
FAULT = LAST_ANSWER + 1
MARK = 240

# At most 84 actions after draws and 16 after claims, each marked, claims by two seats at 16 of them, wins of three at
# the end, and a fault.
MOST_MOVES = 2 * (84 + 16) + 4 * 16 + 6 + 2

# Bits of Game.facts. ALL_ANSWERS: the moves include overruled claims. REAL_WALL: the source has the wall; else only the
# drawn tiles are real. OWN_SUITS: won by a fan of OWN_SUITS_FANS, which other suits or ranks would not count.
# SHARED_WALL: all seats drew from one wall with flowers, laid out as in table/one_wall.py.
ALL_ANSWERS, REAL_WALL, OWN_SUITS, SHARED_WALL = 1, 2, 4, 16
# All green, reversible tiles.
OWN_SUITS_FANS = frozenset(("绿一色", "推不倒"))


class BrokenGameError(ProtocolError):
    """A record that is no game, or that breaks off. record: table.record.Record of the part before it, or None."""

    def __init__(self, message, record=None):
        super().__init__(message)
        self.record = record


@dataclass(unsafe_hash=True)
class Game(object):
    """One game of four seats; games are equal whatever their sources and names."""

    wall: bytes  # 136 tiles 0..33, see walls.py
    wind: int  # prevalent wind 0..3
    moves: bytes
    scores: tuple  # 4 ints, as the source has them, without the penalties of origin
    facts: int = ALL_ANSWERS | REAL_WALL
    flowers: tuple = ()  # (draws of the game before it, 0 for one of the deal; seat; number 1..8) of each, in order
    players: tuple = field(default=(0, 1, 2, 3), compare=False)  # 4 names, or 4 numbers where the source has no names
    name: str = field(default="", compare=False)  # in the source
    where: str = field(default="", compare=False)  # names the source
    lines: tuple = field(default=(), compare=False)  # of the source, one a byte of moves; () without
    unit: str = field(default="line", compare=False)  # a word for the numbers of `lines`
    # {(place in `moves`, where a decision's answers begin; seat): milliseconds that its answer took}, of some sources.
    times: dict = field(default_factory=dict, compare=False)
    fan: int = field(default=None, compare=False)  # in the source, without flowers; None where it does not say
    origin: dict = field(default_factory=dict, compare=False)  # as of table.record.Record

    def __post_init__(self):
        self.wall, self.moves = bytes(self.wall), bytes(self.moves)
        self.scores, self.players = tuple(self.scores), tuple(self.players)
        self.flowers = tuple(map(tuple, self.flowers))
        self.where = self.where or self.name

    @property
    def winner_flowers(self):
        """Flowers that the winner is paid for; 0 where nobody won."""
        return sum(self.scores[seat] > 0 for _, seat, _ in self.flowers)

    def wall_names(self):
        return [TILE_NAMES[tile] for tile in self.wall]
