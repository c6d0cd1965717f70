"""Defines a match: its players, walls and seatings.

Wall number k of a match with seed s is walls.wall_from_seed(s << 32 | k) under prevalent wind k % 4, so that four walls
in a row see the four winds and no two matches of different seeds share a wall. Every wall is played in several
seatings; over all of them each player has every seat equally often.
"""

from dataclasses import dataclass
from typing import Any

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..table.players import TIME_LIMIT
from ..table.walls import SEATINGS, wall_from_seed

SEAT_ROTATIONS = tuple(tuple((place + turn) % SEATS for place in range(SEATS)) for turn in range(SEATS))
MAX_SEED = (1 << 31) - 1
MAX_WALLS = 1 << 32
WALLS_A_MATCH = 4  # one a prevalent wind
# With fewer walls, intervals are not reliable and stopping rules do not look: "Intervals" in docs/studies/history.md.
MIN_WALLS = 20


@dataclass(frozen=True)
class Match:
    """Describes a match.

    specs: of each player, as players.make_player takes them. names: of each player, all different.
    lineup: 4 indices of players, the first seating. seed: 0 .. MAX_SEED. rotations: 24 for all seatings, 4 for the
    cyclic ones. time_limit: seconds a turn. memory_limit: MB of an outside bot, None for no limit.
    """

    specs: tuple
    names: tuple
    lineup: tuple
    seed: int = 0
    rotations: int = 24
    time_limit: float = TIME_LIMIT
    memory_limit: int = None

    @property
    def seatings(self):
        """Returns the different seatings in order, tuples of the four seats' player indices."""
        orders = SEATINGS if self.rotations == len(SEATINGS) else SEAT_ROTATIONS
        return tuple(dict.fromkeys(tuple(self.lineup[place] for place in order) for order in orders))

    @property
    def seats_a_wall(self):
        """Seats of each player over the games of one wall."""
        return [sum(seating.count(player) for seating in self.seatings) for player in range(len(self.names))]

    def wall(self, number: int) -> tuple[list[str], int]:
        """Returns (list of 136 tile names, prevalent wind 0..3) of wall `number`."""
        return wall_from_seed(self.first_wall_seed + number), number % WALLS_A_MATCH

    @property
    def first_wall_seed(self):
        """Returns the seed of wall 0. Wall k has this seed + k."""
        return self.seed << 32


def make_match(players: list[str], **options: Any) -> Match:
    """Returns the Match of players as the user names them.

    players: two specs (two seats each) or four (one seat each). Among four, equal specs are one player. Two equal specs
    are a match of a player against itself; the second one's name ends with "#2".
    options: further fields of Match.
    Raises MahjongError: neither two nor four players, four times the same player, or a seed out of range.
    """
    if not 0 <= options.get("seed", 0) <= MAX_SEED:
        raise MahjongError("expected a seed 0 .. %d, got %r" % (MAX_SEED, options["seed"]))
    if len(players) == 2:
        names = (players[0], players[1] + "#2" * (players[0] == players[1]))
        return Match(tuple(players), names, (0, 0, 1, 1), **options)
    if len(players) != SEATS:
        raise MahjongError("expected two players or four, got %d: %s" % (len(players), " ".join(players)))
    specs = tuple(dict.fromkeys(players))
    if len(specs) == 1:
        raise MahjongError("expected different players, got four times %r; two of the same (%s %s) play each other"
                           % (players[0], players[0], players[0]))
    return Match(specs, specs, tuple(specs.index(spec) for spec in players), **options)
