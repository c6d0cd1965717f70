"""Referees games as on tziakcha.net: all four seats draw from one wall of 144 tiles, and put flowers aside.

A false win does not end such a game: its seat pays PENALTY, ten points to each other seat, and the game goes on.

The wall is kept as the 136 tiles without flowers, in four slices of 34. Seat i is dealt from the end of slice i. The
tile of draw number k of the game, k from 0, is at index place_of_draw(k). The flowers are listed apart, with the
number of draws before each.
"""

from collections.abc import Sequence

from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import MIN_FAN, sum_fans
from ...mahjong.rules import HAND_TILES, MIN_PAYMENT, PENALTY, SEATS, WALL_DRAWS, penalty_scores, share_wall
from ...mahjong.splitmix import mix
from ...mahjong.tile import FLOWER_NAMES, TILE_NAMES
from .game_referee import ADDED, ANNOUNCED_DEAL, ANNOUNCED_KONG, DISCARDED, DRAWN, Referee
from .walls import SLICE_SIZE, shuffle_by_seed

DRAWS = SEATS * WALL_DRAWS
FLOWER_FAN = "花牌"
# A list with (draws of the game before it, seat or None, flower 1..8) of each flower in order.
Flowers = list[tuple[int, int | None, int]]
# The value of "rules" in a record's origin, for a game of these rules.
ONE_WALL_RULES = {"walls": 1, "flowers": len(FLOWER_NAMES), "min_fan": MIN_FAN, "base": MIN_PAYMENT,
                  "false_win": -PENALTY}


def place_of_draw(draw: int) -> int:
    """Returns the index in the wall of the tile of a draw. draw: 0..83, the number of the draw in the game."""
    return SLICE_SIZE * (draw % SEATS) + WALL_DRAWS - 1 - draw // SEATS


def deal_flowers(seed: int) -> Flowers:
    """Returns the flowers of the game of a seed: a list of (draws before it, seat, flower 1..8), in order.

    Only the positions of the flowers among the 144 tiles are random here, because the other tiles keep the order of
    their wall. A flower that a seat is dealt is replaced from the wall after all seats are dealt, East first.
    seat: None for a flower that nobody is dealt: it goes to the seat that draws then.
    """
    wall = [0] * (SEATS * HAND_TILES + DRAWS) + list(range(1, len(FLOWER_NAMES) + 1))
    shuffle_by_seed(wall, mix(seed))
    hands, rest = wall[:SEATS * HAND_TILES], wall[SEATS * HAND_TILES:]
    flowers = []
    for seat in range(SEATS):
        due = [flower for flower in hands[HAND_TILES * seat:HAND_TILES * (seat + 1)] if flower]
        for flower in due:  # which grows
            flowers.append((0, seat, flower))
            due += filter(None, [rest.pop(0)])
    draws = 0
    for flower in rest:
        if flower:
            # The first draw is East's, and its flowers are part of the deal.
            flowers.append((draws, None if draws else 0, flower))
        else:
            draws += 1
    return flowers


# Name of the rules: function of a wall's seed that returns the flowers of a game, None if each seat has its own wall.
TABLE_RULES = {"botzone": lambda seed: None, "tziakcha": deal_flowers}


def make_referee(wall: list[str], prevalent_wind: int, flowers: Flowers | None = None) -> Referee:
    """Returns the referee of a game: on one wall with `flowers`, or without them with a wall for each seat."""
    return Referee(wall, prevalent_wind) if flowers is None else OneWallReferee(wall, prevalent_wind, flowers)


class OneWallReferee(Referee):
    """Referees a game in which all seats draw from one wall with flowers.

    flowers: (draws of the game before it, seat, flower 1..8) of each flower in order. Those before the first draw
        belong to the deal. Seat None means whichever seat draws next: a game may go another way than its record.
    flower_counts: they are paid as fans, but do not count for the minimum of 8.
    false_wins: `scores` contain the penalties for them. tiles_left: number of tiles in the wall, flowers included.
    walls_left: the share of each seat in tiles_left, because the base class counts four walls.
    """

    def __init__(self, wall: list[str], prevalent_wind: int, flowers: Flowers):
        super().__init__(wall, prevalent_wind)
        self._wall = wall
        self._drawn = 0
        self._opening = [flower for flower in flowers if not flower[0]]
        self._flowers = list(flowers[len(self._opening):])
        self.flower_counts = [sum(flower[1] == seat for flower in self._opening) for seat in range(SEATS)]
        self.false_wins = [0] * SEATS
        self.tiles_left = DRAWS + len(FLOWER_NAMES) - len(self._opening)
        self._share()

    def _share(self):
        self.walls_left = [share_wall(self.tiles_left)] * SEATS

    def _deal(self):
        """Sends the deal to each seat, with the flowers of all seats."""
        counts = " ".join(map(str, self.flower_counts))
        names = [FLOWER_NAMES[flower[2] - 1] for flower in self._opening]
        self.requests = [" ".join(["1", counts] + tiles + names) for tiles in self.dealt]
        self.phase = ANNOUNCED_DEAL

    def can_draw(self, seat: int) -> bool:
        """Checks whether a tile other than a flower is left. seat: not needed, because all seats draw from one wall."""
        return self._drawn < DRAWS

    def _draw(self, seat):
        """Lets a seat draw a tile or put its flower aside; the game ends if the wall is empty."""
        if not self.tiles_left or (self._drawn == DRAWS and not self._flowers):
            self._end("HUANG", None, [0] * SEATS)
            return
        if self._flowers and self._flowers[0][0] == self._drawn:
            self._put_flower(seat)
        else:
            # The base class draws from the end of self.walls[seat], so the tile is put there first.
            self.walls[seat].append(self._wall[place_of_draw(self._drawn)])
            self._drawn += 1
            super()._draw(seat)
        self.tiles_left -= 1
        self._share()

    def _put_flower(self, seat):
        """Lets a seat put its next flower aside; the seat draws again afterwards."""
        _, owner, flower = self._flowers.pop(0)
        if owner not in (None, seat):
            raise IllegalActionError("expected a flower of seat %d, got one of seat %d", seat, owner)
        self.flower_counts[seat] += 1
        self.turn = seat
        self.is_after_kong = False
        self.event = ("BUHUA", FLOWER_NAMES[flower - 1])
        self.requests = ["3 %d %s %s" % ((seat,) + self.event)] * SEATS
        # As after a kong, all seats pass, and the seat draws again.
        self.phase = ANNOUNCED_KONG

    def settle_false_wins(self, responses: Sequence[str]) -> list[str]:
        """Counts the false wins, and returns the responses with a harmless answer instead of each false win.

        responses: texts of the four seats. A false win after a draw becomes the discard of the drawn tile, any other a
        pass. Seats are read in the order of turns. A valid win ends the reading, because it ends the game.
        """
        settled = list(responses)
        for offset in range(SEATS if self.phase in (DRAWN, DISCARDED, ADDED) else 0):
            seat = (self.turn + offset) % SEATS
            is_turn = self.phase == DRAWN
            if responses[seat] != "HU" or is_turn != (offset == 0):
                continue
            if sum_fans(self.win_fans(seat)) >= MIN_FAN:
                break
            self.false_wins[seat] += 1
            settled[seat] = "PLAY " + TILE_NAMES[self.last_tile] if is_turn else "PASS"
        return settled

    def list_penalties(self) -> list[int]:
        """Returns the points of each seat for the false wins of all seats."""
        points = [penalty_scores(seat) for seat, count in enumerate(self.false_wins) for _ in range(count)]
        return [sum(scores) for scores in zip(*points)] or [0] * SEATS

    def _end(self, verdict, culprit, scores):
        """Ends the game, and adds the penalties for false wins to its scores."""
        super()._end(verdict, culprit, [score + penalty for score, penalty in zip(scores, self.list_penalties())])

    def display(self) -> dict:
        """Returns the judge's display object of the present step. The fans of a win include its flowers."""
        shown = super().display()
        if self.event and self.event[0] == "BUHUA" and not self.is_over:
            shown["tile"] = self.event[1]
        if self.verdict == "HU" and self.flower_counts[self.culprit]:
            shown["fan"].append({"cnt": self.flower_counts[self.culprit], "name": FLOWER_FAN, "value": 1})
            shown["fanCnt"] += self.flower_counts[self.culprit]
        return shown
