"""The wall and the hands of a game on one wall, in the platform's own tiles; each event goes to the builder."""

from collections.abc import Callable, Iterable, Sequence

from ....mahjong.fan import MIN_FAN
from ....mahjong.rules import SEATS
from ....mahjong.tile import FLOWER_NAMES
from ..builder import GameBuilder, build_game
from ..follow import check_game
from ..game_record import BrokenGameError, Game
from ..shapes import MISFITS, describe_misfit, parse_json

# The player who sits at each seat of each of the 16 hands of a session; the dealer is seat 0.
SESSION_SEATINGS = tuple(tuple(map(int, text)) for text in (
    "0123 1230 2301 3012 1032 0321 3210 2103 2310 3102 1023 0231 3201 2013 0132 1320").split())


def make_rules(**values: int) -> dict[str, int]:
    """The rules in a game's origin; values: those that differ."""
    return dict({"walls": 1, "flowers": len(FLOWER_NAMES), "min_fan": MIN_FAN, "base": 8}, **values)


def parse_hand(text: str, where: str, read_head: Callable, *, read_hand: Callable) -> Game:
    """The Game of the JSON text of one hand.

    read_head: function(value) that returns what read_hand needs. read_hand: function(builder, *that) for build_game.
    Raises BrokenGameError: text that is no such record, or a move that its replay contradicts; with the game before it.
    """
    try:
        head = read_head(parse_json(text))
    except MISFITS as error:
        raise BrokenGameError("%s, in the file %s" % (describe_misfit(error), where)) from error
    return build_game(read_hand, where, *head)


class Hands(object):
    """The hands as the platform has them.

    hands: of each seat, its concealed tiles, numbers of the platform. drawn: the tile that the seat of the turn drew
    last, None after a claim. flower_counts: flowers put aside by each seat. is_opening: set by the reader, whether play
    has not begun. borrowed: undrawn tiles that replace flowers which stayed in a hand to the end.

    The builder gets a flower when it is drawn, and the tile that replaces it, although a player may keep the flower and
    put it aside later: no hand of the Game has a flower.
    """

    def __init__(
            self, builder: GameBuilder, hands: list[list[int]], wall: list[int], *, name_tile: Callable,
            replaced: dict[int, int], spare: Sequence[int] = ()):
        """Begins with the deal, the dealer's fourteenth tile at the end of its hand.

        builder: builder.GameBuilder. wall: the tiles after the deal, the front first. name_tile: function(tile): name.
        replaced: {flower: the tile that replaces it}. spare: tiles that nobody draws, used from the last one.
        """
        builder.is_shared = True
        self.builder = builder
        self.hands = hands
        self.drawn = hands[0][-1]
        self.flower_counts = [0] * SEATS
        self.borrowed = []
        self.is_opening = True
        self.name_tile = name_tile
        self._replaced, self._spare = replaced, list(spare)
        self._wall = wall
        # Places left from either end, the next one last. At the back two tiles are a stack, the upper one first.
        back = [index for low in range(len(wall) - 2, -2, -2) for index in (low, low + 1) if index >= 0]
        self._ends = list(range(len(wall)))[::-1], back[::-1]
        for seat, hand in enumerate(hands):
            builder.deal(seat, [self._settle(seat, tile) for tile in hand[:13]])
        # Flowers that replace the fourteenth tile are part of the deal too.
        builder.draw(0, self._settle(0, self.drawn))

    def _settle(self, seat, tile):
        """The name of a tile, or of the tile that replaces it in the end; the builder gets the flowers."""
        for _ in FLOWER_NAMES:
            if self.name_tile(tile) not in FLOWER_NAMES:
                break
            self.builder.flower(seat, FLOWER_NAMES.index(self.name_tile(tile)) + 1)
            if tile not in self._replaced:
                if not self._spare:
                    self.builder.fail("every flower put aside and replaced",
                                      "one that seat %d discards or keeps to the end" % seat)
                self.borrowed.append(self._spare.pop())
                return self.name_tile(self.borrowed[-1])
            tile = self._replaced[tile]
        return self.name_tile(tile)

    def list_left(self) -> list[int]:
        """The tiles left in the wall, the front first."""
        return [self._wall[index] for index in reversed(self._ends[0])]

    def end_drawn(self) -> None:
        """The end of a hand that nobody wins."""
        left = self.list_left()
        if left:
            self.builder.fail("an empty wall at the end of a drawn hand", "%d tiles" % len(left))
        self.builder.drawn_out()

    def check_flowers(self, seat: int, counted: int) -> None:
        """Compares the flowers that a seat put aside with the fan that the record counts for them."""
        if counted != self.flower_counts[seat]:
            self.builder.fail("%d flowers of seat %d" % (self.flower_counts[seat], seat), counted)

    def finish(self, scores: Sequence[int], facts: int, name: str, *, fan: int | None) -> Game:
        """The Game, checked."""
        left = [self.name_tile(tile) for tile in self.list_left() if tile not in self.borrowed]
        rest = [tile for tile in left if tile not in FLOWER_NAMES]
        game = self.builder.finish(scores, facts, name, rest=rest, fan=fan)
        check_game(game)
        return game

    def next_tile(self, is_back: bool) -> int | None:
        """The next tile of the wall; None where it is empty."""
        indices = self._ends[is_back]
        return self._wall[indices[-1]] if indices else None

    def _take(self, seat, tile, is_back):
        expected = self.next_tile(is_back)
        if tile != expected:
            end = "back" if is_back else "front"
            self.builder.fail("the tile %s, next at the %s of the wall" % (expected, end), tile)
        self._ends[not is_back].remove(self._ends[is_back].pop())
        self.hands[seat].append(tile)
        self.drawn = tile

    def draw(self, seat: int, tile: int, is_back: bool) -> None:
        """A draw in play."""
        self._take(seat, tile, is_back)
        # Nothing replaces a flower that is the last tile of the wall.
        if self.name_tile(tile) not in FLOWER_NAMES or self.next_tile(True) is not None:
            self.builder.draw(seat, self._settle(seat, tile))

    def put_flower(self, seat: int, flower: int, tile: int, is_back: bool) -> None:
        """A flower of a hand is put aside, and `tile` of the wall replaces it."""
        drawn = self.drawn
        self.remove(seat, [flower])
        self.flower_counts[seat] += 1
        self._take(seat, tile, is_back)
        if self.is_opening and flower != drawn:
            self.drawn = drawn

    def remove(self, seat: int, tiles: Iterable[int]) -> None:
        for tile in tiles:
            if tile not in self.hands[seat]:
                self.builder.fail("a tile in the hand of seat %d, %s" % (seat, sorted(self.hands[seat])), tile)
            self.hands[seat].remove(tile)

    def discard(self, seat: int, tile: int, is_drawn: bool) -> None:
        """A discard; is_drawn: the platform says that the tile had just been drawn."""
        if is_drawn and tile != self.drawn:
            self.builder.fail("the tile just drawn, %s" % self.drawn, tile)
        self.remove(seat, [tile])
        if self.name_tile(tile) in FLOWER_NAMES:
            self.builder.fail("a discard that is no flower", self.name_tile(tile))
        self.builder.discard(seat, self.name_tile(tile))
        self.drawn = None
