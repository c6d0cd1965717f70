"""Defines a match: its players, walls and seatings.

Wall k of a match with seed s has the seed s << 32 | k and the prevalent wind k % 4. So four walls in a row see the four
winds, and no two matches of different seeds share a wall. Every wall is played in several seatings; over all of them
each player has every seat equally often.
"""

from dataclasses import dataclass
from typing import Any

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..table.players import TIME_LIMIT
from ..table.walls import SEATINGS, wall_from_seed

SEAT_ROTATIONS = tuple(tuple((seat + turn) % SEATS for seat in range(SEATS)) for turn in range(SEATS))
MAX_SEED = (1 << 31) - 1
MAX_WALLS = 1 << 32
WALLS_PER_MATCH = 4  # a wall for each prevalent wind
# With fewer walls, intervals are not reliable and stopping rules do not look: "Intervals" in docs/studies/history.md.
MIN_WALLS = 20


@dataclass(frozen=True)
class Match:
    """Describes a match.

    specs: spec of each player. names: name of each player, all different.
    lineup: indices of the players in the four seats of the first seating. seed: 0 .. MAX_SEED, seed of the walls.
    rotations: 24 for all seatings, 4 for those that move all players by the same number of seats, 1 for the first one.
    time_limit: seconds per turn. memory_limit: MB that an outside bot may use, None for no limit.
    """

    specs: tuple[str, ...]
    names: tuple[str, ...]
    lineup: tuple[int, ...]
    seed: int = 0
    rotations: int = 24
    time_limit: float = TIME_LIMIT
    memory_limit: int | None = None

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Returns the different seatings in order, each a tuple of the four seats' player indices."""
        orders = SEATINGS if self.rotations == len(SEATINGS) else SEAT_ROTATIONS[:self.rotations]
        return tuple(dict.fromkeys(tuple(self.lineup[seat] for seat in order) for order in orders))

    @property
    def seats_per_wall(self) -> list[int]:
        """Returns how many seats each player has, over the games of one wall."""
        return [sum(seating.count(player) for seating in self.seatings) for player in range(len(self.names))]

    def wall(self, index: int) -> tuple[list[str], int]:
        """Returns (list of 136 tile names, prevalent wind 0..3) of a wall. index: number of the wall, from 0."""
        return wall_from_seed(self.first_wall_seed + index), index % WALLS_PER_MATCH

    @property
    def first_wall_seed(self) -> int:
        """Returns the seed of wall 0. The seed of wall k is greater by k."""
        return self.seed << 32


def make_match(players: list[str], **options: Any) -> Match:
    """Returns the Match of players as the user names them.

    players: two specs, which get two seats each, or four specs with one seat each. Among four, equal specs are one
        player. Two equal specs are a match of a player against itself, and the second name then ends with "#2".
    options: further fields of Match.
    Raises MahjongError: there are neither two nor four players, or four times the same one, or the seed is out of
        range.
    """
    if not 0 <= options.get("seed", 0) <= MAX_SEED:
        raise MahjongError("expected a seed 0 .. %d, got %r", MAX_SEED, options["seed"])
    if len(players) == 2:
        names = (players[0], players[1] + "#2" * (players[0] == players[1]))
        return Match(tuple(players), names, (0, 0, 1, 1), **options)
    if len(players) != SEATS:
        raise MahjongError("expected two players or four, got %d: %s", len(players), " ".join(players))
    specs = tuple(dict.fromkeys(players))
    if len(specs) == 1:
        raise MahjongError("expected different players, got four times %r; two of the same (%s %s) play each other",
                           players[0], players[0], players[0])
    return Match(specs, specs, tuple(specs.index(spec) for spec in players), **options)
