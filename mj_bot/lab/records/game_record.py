"""Keeps one game in the form that all formats share: the walls, every seat's decisions as bytes, and the scores.

The bytes of `Game.moves` are read from left to right:

    action                  An action 0..234; mahjong/action.py numbers them. It belongs to the seat that has just
                            drawn, or that has just laid a chow or a pung and now discards.
    MARK + seats            A mark may follow an action. Bit s of `seats`, 1..15, is set if seat s chose at random: the
                            action itself if s is the acting seat, its answer to the action if s is another seat.
    ANSWER_BASE + offset, action
                            Two bytes: an answer other than pass to the last discard or added kong. `offset`, 1..3,
                            counts the seats from the one that acted last. The nearest seat comes first. Answers that
                            another answer overruled are included.
    FAULT, seat             Two bytes: the seat made an illegal move or its program failed, which ends the game.

The bytes contain no deals and draws, because these follow from the wall. They do not say which answer is carried out,
because the rules say that. A seat without an answer passed. The moves stop early where the source of the game does.
"""

from dataclasses import dataclass, field

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import ProtocolError
from ...mahjong.tile import TILE_NAMES
from ..table.record import Record

ANSWER_BASE = ACTION_COUNT - 1
LAST_ANSWER = ANSWER_BASE + 3
FAULT = LAST_ANSWER + 1
MARK = 240

# A game has at most 84 actions after draws and 16 after claims, and each may have a mark. At most 16 discards are
# claimed by two seats, three seats may win at the end, and a fault may follow.
MOST_MOVES = 2 * (84 + 16) + 4 * 16 + 6 + 2

# These are the bits of Game.facts. ALL_ANSWERS: the moves include answers that were overruled. REAL_WALL: the source
# tells the whole wall; without this bit only the drawn tiles are real. OWN_SUITS: the win has a fan of OWN_SUITS_FANS,
# which would not count if suits or ranks were exchanged. SHARED_WALL: all seats drew from one wall with flowers, laid
# out as table/one_wall.py does it.
ALL_ANSWERS, REAL_WALL, OWN_SUITS, SHARED_WALL = 1, 2, 4, 16
# The judge's names of the fans "all green" and "reversible tiles".
OWN_SUITS_FANS = frozenset(("绿一色", "推不倒"))


class BrokenGameError(ProtocolError):
    """Tells that a text is no record of a game, or that the record breaks off.

    record: Record of the moves before the error. It is None where no move could be read.
    """

    def __init__(self, template: str, *values: object, record: Record | None = None):
        super().__init__(template, *values)
        self.record = record


@dataclass(unsafe_hash=True)
class Game(object):
    """Keeps one game of four seats.

    Two games are equal if their walls, winds, moves, scores, facts and flowers are equal. Names and sources do not
    count.
    """

    wall: bytes  # 136 tiles 0..33; tiles 34 * s to 34 * s + 33 are the wall of seat s, whose last tile is drawn first
    wind: int  # prevalent wind 0..3
    moves: bytes  # decisions, described at the top of this file
    scores: tuple  # scores of the four seats as the source has them, without the penalties of `origin`
    facts: int = ALL_ANSWERS | REAL_WALL  # sum of the bits above
    # Each flower is (number of draws before it, 0 for a flower of the deal; seat 0..3; number 1..8).
    flowers: tuple = ()
    players: tuple = field(default=(0, 1, 2, 3), compare=False)  # 4 names, or 4 numbers where the source has no names
    name: str = field(default="", compare=False)  # name of the game in its source
    where: str = field(default="", compare=False)  # name of the source, for messages of errors
    lines: tuple = field(default=(), compare=False)  # source line of each byte of `moves`; empty if unknown
    unit: str = field(default="line", compare=False)  # word for a number in `lines`: "line", "tick" or "action"
    # {(index in `moves` at which the answers to a request begin, seat): milliseconds of this seat's answer}. It is
    # empty where the source has no times.
    times: dict = field(default_factory=dict, compare=False)
    fan: int = field(default=None, compare=False)  # fan of the win in the source, without flowers; None if unknown
    # What the source says of the platform, of its rules and of penalties; table.record.Record.origin lists the keys.
    origin: dict = field(default_factory=dict, compare=False)

    def __post_init__(self):
        self.wall, self.moves = bytes(self.wall), bytes(self.moves)
        self.scores, self.players = tuple(self.scores), tuple(self.players)
        self.flowers = tuple(map(tuple, self.flowers))
        self.where = self.where or self.name

    @property
    def winner_flowers(self) -> int:
        """Returns the number of flowers that the winner is paid for; 0 where nobody won."""
        return sum(self.scores[seat] > 0 for _, seat, _ in self.flowers)

    def wall_names(self) -> list[str]:
        """Returns the names of the 136 tiles of `wall`, such as "W1"."""
        return [TILE_NAMES[tile] for tile in self.wall]
