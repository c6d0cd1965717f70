"""Games between people, as on tziakcha.net: all four seats draw from one wall of 144 tiles, and put flowers aside.

A false win does not end such a game: its seat pays PENALTY, ten points to each other seat, and the game goes on.

Here the wall is the 136 tiles without flowers, with the deal as in walls.py: seat i is dealt from the end of its
quarter. Draw number k of the game is at place_of_draw(k).
"""

from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import MIN_FAN, sum_fans
from ...mahjong.rules import HAND_TILES, MIN_PAYMENT, PENALTY, SEATS, WALL_DRAWS, penalty_scores, win_scores
from ...mahjong.splitmix import mix
from ...mahjong.tile import FLOWER_NAMES, TILE_NAMES
from .referee import ADDED, ANNOUNCED_DEAL, ANNOUNCED_KONG, DISCARDED, DRAWN, Referee
from .walls import SLICE_SIZE, shuffle_by_seed

DRAWS = SEATS * WALL_DRAWS
FLOWER_FAN = "花牌"
# The rules in the origin of a record, see record.Record.
ONE_WALL_RULES = {"walls": 1, "flowers": len(FLOWER_NAMES), "min_fan": MIN_FAN, "base": MIN_PAYMENT,
                  "false_win": -PENALTY}


def place_of_draw(number):
    """Index in the wall of a draw, 0..83."""
    return SLICE_SIZE * (number % SEATS) + WALL_DRAWS - 1 - number // SEATS


def deal_flowers(seed):
    """Returns where the eight flowers come from the wall of a seed, as OneWallReferee takes them.

    The positions of the flowers among the 144 tiles are drawn alone, since the other tiles keep their order. A flower
    of the deal is replaced from the wall after all seats are dealt, from East on.
    """
    wall = [0] * (SEATS * HAND_TILES + DRAWS) + list(range(1, len(FLOWER_NAMES) + 1))
    shuffle_by_seed(wall, mix(seed))
    hands, rest = wall[:SEATS * HAND_TILES], wall[SEATS * HAND_TILES:]
    flowers = []
    for seat in range(SEATS):
        due = [number for number in hands[HAND_TILES * seat:HAND_TILES * (seat + 1)] if number]
        while due:
            flowers.append((0, seat, due.pop(0)))
            replacement = rest.pop(0)
            if replacement:
                due.append(replacement)
    draws = 0
    for number in rest:
        if number:
            # The first draw is East's, and its flowers are part of the deal.
            flowers.append((draws, None if draws else 0, number))
        else:
            draws += 1
    return flowers


# By the name of the rules: function of a wall's seed that returns the flowers of a game, None where each seat has a
# wall of its own.
TABLE_RULES = {"botzone": lambda seed: None, "tziakcha": deal_flowers}


def make_referee(wall, prevalent_wind, flowers=None):
    """Returns the referee of a game. flowers: as OneWallReferee takes them, None where each seat has a wall."""
    return Referee(wall, prevalent_wind) if flowers is None else OneWallReferee(wall, prevalent_wind, flowers)


class OneWallReferee(Referee):
    """As Referee, with one wall.

    flowers: (draws of the game before it, seat, number 1..8) of each flower in order; those before the first draw are
        part of the deal. Seat None: of whoever draws then, where a game goes another way than its record.
    flower_counts: flowers put aside by each seat. They are paid as fans, but do not count for the eight.
    tiles_left: in the wall, flowers too.
    false_wins: number of the false wins of each seat; `scores` have their penalties.
    """

    def __init__(self, wall, prevalent_wind, flowers):
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
        # As mahjong/state.py counts the wall of a game with flowers.
        self.wall_sizes = [-(-self.tiles_left // SEATS)] * SEATS

    def _deal(self):
        counts = " ".join(map(str, self.flower_counts))
        names = [FLOWER_NAMES[flower[2] - 1] for flower in self._opening]
        self.requests = [" ".join(["1", counts] + tiles + names) for tiles in self.dealt]
        self.phase = ANNOUNCED_DEAL

    def can_draw(self, seat):
        """Checks whether a tile other than a flower is left."""
        return self._drawn < DRAWS

    def _draw(self, seat):
        if not self.tiles_left or (self._drawn == DRAWS and not self._flowers):
            self._end("HUANG", None, [0] * SEATS)
            return
        if self._flowers and self._flowers[0][0] == self._drawn:
            self._put_flower(seat)
        else:
            # The base class draws from the end of the seat's slice.
            self.walls[seat].append(self._wall[place_of_draw(self._drawn)])
            self._drawn += 1
            super()._draw(seat)
        self.tiles_left -= 1
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

    def settle_false_wins(self, responses):
        """Counts the false wins; returns the responses with a pass, or the discard of the drawn tile, instead of each.

        Seats are read in the order of turns. A win ends the reading, since it ends the game.
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

    def list_penalties(self):
        """Returns the points of each seat for the false wins of all seats."""
        points = [penalty_scores(seat) for seat, count in enumerate(self.false_wins) for _ in range(count)]
        return [sum(scores) for scores in zip(*points)] or [0] * SEATS

    def _win(self, seat, giver):
        super()._win(seat, giver)
        if self.verdict == "HU":
            scores = win_scores(seat, sum_fans(self.fans) + self.flower_counts[seat], giver)
            self.scores = [score + penalty for score, penalty in zip(scores, self.list_penalties())]

    def _end(self, verdict, culprit, scores):
        super()._end(verdict, culprit, [score + penalty for score, penalty in zip(scores, self.list_penalties())])

    def display(self):
        """As of Referee; the fans of a win include its flowers."""
        shown = super().display()
        if self.event and self.event[0] == "BUHUA" and not self.is_over:
            shown["tile"] = self.event[1]
        if self.verdict == "HU" and self.flower_counts[self.culprit]:
            shown["fan"].append({"cnt": self.flower_counts[self.culprit], "name": FLOWER_FAN, "value": 1})
            shown["fanCnt"] += self.flower_counts[self.culprit]
        return shown
