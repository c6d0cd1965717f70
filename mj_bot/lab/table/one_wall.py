"""Games between people: all four seats draw from one wall of 144 tiles, and put flowers aside.

Here the wall is the 136 tiles without flowers, with the deal as in walls.py: seat i is dealt from the end of its
quarter. Draw number k of the game is at place_of_draw(k).
"""

from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import sum_fans
from ...mahjong.rules import SEATS, WALL_DRAWS, win_scores
from ...mahjong.tile import FLOWER_NAMES
from .referee import ANNOUNCED_DEAL, ANNOUNCED_KONG, Referee
from .walls import SLICE_SIZE

DRAWS = SEATS * WALL_DRAWS
FLOWER_FAN = "花牌"


def place_of_draw(number):
    """Index in the wall of a draw, 0..83."""
    return SLICE_SIZE * (number % SEATS) + WALL_DRAWS - 1 - number // SEATS


class OneWallReferee(Referee):
    """As Referee, with one wall.

    flowers: (draws of the game before it, seat, number 1..8) of each flower in order; those before the first draw are
        part of the deal. Seat None: of whoever draws then, where a game goes another way than its record.
    flower_counts: flowers put aside by each seat. They are paid as fans, but do not count for the eight.
    """

    def __init__(self, wall, prevalent_wind, flowers):
        super().__init__(wall, prevalent_wind)
        self._wall = wall
        self._drawn = 0
        self._opening = [flower for flower in flowers if not flower[0]]
        self._flowers = list(flowers[len(self._opening):])
        self.flower_counts = [sum(flower[1] == seat for flower in self._opening) for seat in range(SEATS)]
        self._left = DRAWS + len(FLOWER_NAMES) - len(self._opening)
        self._share()

    def _share(self):
        # As mahjong/state.py counts the wall of a game with flowers.
        self.wall_sizes = [-(-self._left // SEATS)] * SEATS

    def _deal(self):
        counts = " ".join(map(str, self.flower_counts))
        names = [FLOWER_NAMES[flower[2] - 1] for flower in self._opening]
        self.requests = [" ".join(["1", counts] + tiles + names) for tiles in self.dealt]
        self.phase = ANNOUNCED_DEAL

    def _draw(self, seat):
        if not self._left or (self._drawn == DRAWS and not self._flowers):
            self._end("HUANG", None, [0] * SEATS)
            return
        if self._flowers and self._flowers[0][0] == self._drawn:
            self._put_flower(seat)
        else:
            # The base class draws from the end of the seat's slice.
            self.walls[seat].append(self._wall[place_of_draw(self._drawn)])
            self._drawn += 1
            super()._draw(seat)
        self._left -= 1
        self._share()

    def _put_flower(self, seat):
        _, owner, number = self._flowers.pop(0)
        if owner not in (None, seat):
            raise IllegalActionError("expected a flower of seat %d, got one of seat %d" % (seat, owner))
        self.flower_counts[seat] += 1
        self.turn = seat
        self.is_after_kong = False
        self.event = ("BUHUA", FLOWER_NAMES[number - 1])
        self.requests = ["3 %d %s %s" % ((seat,) + self.event)] * SEATS
        # All pass, and the same seat draws again.
        self.phase = ANNOUNCED_KONG

    def _win(self, seat, giver):
        super()._win(seat, giver)
        if self.verdict == "HU":
            self.scores = win_scores(seat, sum_fans(self.fans) + self.flower_counts[seat], giver)

    def display(self):
        """As of Referee; the fans of a win include its flowers."""
        shown = super().display()
        if self.event and self.event[0] == "BUHUA" and not self.is_over:
            shown["tile"] = self.event[1]
        if self.verdict == "HU" and self.flower_counts[self.culprit]:
            shown["fan"].append({"cnt": self.flower_counts[self.culprit], "name": FLOWER_FAN, "value": 1})
            shown["fanCnt"] += self.flower_counts[self.culprit]
        return shown
