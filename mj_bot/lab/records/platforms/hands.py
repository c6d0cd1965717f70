"""Replays games on one wall in the tiles of the platform where they were played."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....mahjong.errors import Message
from ....mahjong.fan import MIN_FAN
from ....mahjong.rules import SEATS
from ....mahjong.tile import FLOWER_NAMES
from ..builder import GameBuilder, build_game
from ..follow import check_game
from ..game_record import OWN_SUITS, REAL_WALL, BrokenGameError, Game
from ..shapes import MISFITS, describe_misfit

# SESSION_SEATINGS[hand][seat] is the player at this seat in each of the 16 hands of a session. The dealer is seat 0.
SESSION_SEATINGS = tuple(tuple(map(int, text)) for text in (
    "0123 1230 2301 3012 1032 0321 3210 2103 2310 3102 1023 0231 3201 2013 0132 1320").split())


def make_rules(**values: int) -> dict[str, int]:
    """Returns the rules that a platform's games have in their origin. values: rules that differ from the usual ones."""
    return dict({"walls": 1, "flowers": len(FLOWER_NAMES), "min_fan": MIN_FAN, "base": 8}, **values)


def list_back(count: int) -> list[int]:
    """Returns the indices of a wall in the order of draws from its back: of a stack, the upper tile first."""
    return [index for low in range(count - 2, -2, -2) for index in (low, low + 1) if index >= 0]


def parse_platform_game(value: Any, where: str, read_head: Callable, *, read_hand: Callable) -> Game:
    """Returns the Game in the JSON value of one hand, by read_hand(GameBuilder, *read_head(value)).

    Raises BrokenGameError: the value is no such record, or its replay contradicts a move. The error keeps the game
    before it.
    """
    try:
        head = read_head(value)
    except MISFITS as error:
        raise BrokenGameError("%s, in the file %s", describe_misfit(error), where) from error
    return build_game(read_hand, where, *head)


class HandReplay(object):
    """Replays the hands of four seats on one wall, in a platform's own tiles, and tells a GameBuilder each event.

    The builder gets a flower when it is drawn, together with the tile that replaces it. A player may keep a flower and
    put it aside later, but no hand of the Game has a flower. Where nobody replaces one, a tile that nobody draws
    stands for it.

    A platform's class tells how its tiles are called, and plays its own actions.
    name_tile: function(tile) that returns its name in TILE_NAMES or FLOWER_NAMES. is_flower: function(tile).
    replaced: {flower: tile that replaces it, None if a player discards the flower}.
    hands: concealed tiles of each seat. drawn: tile that the acting seat drew last; None after a claim.
    is_opening: whether play has not begun yet; the reader sets it to False at the first action that is no flower.
    last: (seat, tile) that was last discarded or added to a pung; None before.
    end: position of the first draw that the Game leaves out, as no tile is left to replace a flower; None for none.
    """

    name_tile = is_flower = None

    def __init__(self, builder: GameBuilder, moves: Iterable[tuple]):
        """Reads moves: (position, tile, flower that it replaces or None, is it a discard) of each, in order."""
        builder.is_shared = True
        self.builder = builder
        self.replaced, self.last, self.is_opening = {}, None, True
        self._flower_counts = [0] * SEATS  # flowers that each seat put aside
        self._borrowed = {}  # {flower: tile that the Game has in its place}
        # (position of the draw that brought the tile or the flower before it, None for a flower of the deal; tile)
        self.takes = []
        begun = {}
        for position, tile, flower, is_discard in moves:
            if is_discard:
                if self.is_flower(tile):
                    self.replaced[tile] = None
                continue
            if flower is not None:
                self.replaced[flower] = tile
            begun[tile] = position if flower is None else begun.get(flower)
            self.takes.append((begun[tile], tile))

    def deal(self, hands: list[list[int]], wall: list[int], *, back_count: int, is_won: bool) -> None:
        """Deals the hands.

        hands: the deal of each seat; the dealer, seat 0, has 14 tiles, and the last one is its first draw.
        wall: tiles after the deal, the front of the wall first. back_count: number of takes from its back.
        """
        self.hands, self._wall, self.drawn = hands, wall, hands[0][-1]
        # These are the indices of tiles left in the wall, from the front and from the back; the next one is last in
        # each list.
        self._ends = list(range(len(wall)))[::-1], list_back(len(wall))[::-1]
        self._borrow(back_count, is_won)
        for seat, hand in enumerate(hands):
            self.builder.deal(seat, [self._settle(seat, tile) for tile in hand[:13]])
        # If the dealer's fourteenth tile is a flower, this flower belongs to the deal too.
        self.builder.take("DRAW", 0, self._settle(0, self.drawn))

    def _borrow(self, back_count, is_won):
        """Lays tiles aside for the flowers that nobody replaces: tiles that nobody draws, or else the last draws."""
        taken = set(list_back(len(self._wall))[:back_count])
        left = [tile for index, tile in enumerate(self._wall) if index not in taken][len(self.takes) - back_count:]
        drawn = [tile for _, tile in self.takes]
        seen = [tile for hand in self.hands for tile in hand] + (drawn if left else drawn[:-1])
        count = sum(self.is_flower(tile) and self.replaced.get(tile) is None for tile in seen)
        spare = [tile for tile in left if not self.is_flower(tile)]
        # A won hand must not be cut.
        lent = [take for take in self.takes if not (is_won or take[0] is None or self.is_flower(take[1]))]
        last = lent[:len(spare) - count - 1:-1] if len(spare) < count else []
        self._spare = spare + [tile for _, tile in last]
        self.end = min((position for position, _ in last), default=None)

    def _settle(self, seat, tile):
        """Returns the name of a tile, or of the tile that replaces it if it is a flower, which the builder gets."""
        while self.is_flower(tile):
            replacement = self.replaced.pop(tile, tile)
            if replacement is not None:
                self.builder.flower(seat, FLOWER_NAMES.index(self.name_tile(tile)) + 1)
            if replacement in (None, tile):
                if not self._spare:
                    self.builder.fail("every flower put aside and replaced",
                                      Message("one that seat %d discards or keeps to the end", seat))
                replacement = self._borrowed[tile] = self._spare.pop()
            tile = replacement
        return self.name_tile(tile)

    def _list_left(self):
        """Returns the tiles left in the wall, the front first."""
        return [self._wall[index] for index in reversed(self._ends[0])]

    def end_drawn(self) -> None:
        """Ends a hand that nobody wins. Its wall must be empty, if the Game is whole."""
        left = self._list_left()
        if left and self.end is None:
            self.builder.fail("an empty wall at the end of a drawn hand", Message("%d tiles", len(left)))
        self.builder.drawn_out()

    def check_flowers(self, seat: int, counted: int) -> None:
        """Checks the number of flowers that a seat put aside. counted: fan that the record counts for them."""
        if counted != self._flower_counts[seat]:
            self.builder.fail(Message("%d flowers of seat %d", self._flower_counts[seat], seat), counted)

    def finish(self, scores: Sequence[int], name: str, *, fan: int | None = None, has_own_suits: bool = False) -> Game:
        """Returns the Game after checking it by the rules.

        scores: scores of the four seats. name: name of the game in its source.
        fan: fan of the win without flowers; None for a drawn game. has_own_suits: whether it has one of OWN_SUITS_FANS.
        Raises MahjongError: the game is not legal, or its fan or scores are not those of the rules.
        """
        left = self._list_left()
        for tile in self._borrowed.values():
            if tile in left:
                left.remove(tile)
        rest = [self.name_tile(tile) for tile in left if not self.is_flower(tile)]
        facts = OWN_SUITS * has_own_suits | REAL_WALL * (self.end is None)
        game = self.builder.finish(scores, facts, name, rest=rest, fan=fan)
        check_game(game)
        return game

    def _next_tile(self, is_back):
        """Returns the next tile at the back or the front of the wall; None if the wall is empty."""
        indices = self._ends[is_back]
        return self._wall[indices[-1]] if indices else None

    def _take(self, seat, tile, is_back):
        """Takes the next tile from one end of the wall into a hand, and checks that it is `tile`."""
        expected = self._next_tile(is_back)
        if tile != expected:
            end = "back" if is_back else "front"
            self.builder.fail(Message("the tile %s, next at the %s of the wall", expected, end), tile)
        self._ends[not is_back].remove(self._ends[is_back].pop())
        self.hands[seat].append(tile)
        self.drawn = tile

    def draw(self, seat: int, tile: int, *, is_back: bool, shown: int | None = None) -> None:
        """Lets a seat draw a tile. is_back: whether the tile comes from the back of the wall.

        shown: tile that the Game has in its place; None for the same one.
        """
        self._take(seat, tile, is_back)
        # Nothing replaces a flower that is the last tile of the wall.
        if not self.is_flower(tile) or self._next_tile(True) is not None:
            self.builder.take("DRAW", seat, self._settle(seat, tile if shown is None else shown))

    def put_flower(self, seat: int, flower: int, tile: int, *, is_back: bool) -> None:
        """Puts a flower of a seat's hand aside.

        tile: tile of the wall that replaces it. is_back: whether it is from the back.
        """
        drawn = self.drawn
        self.remove(seat, [flower])
        self._flower_counts[seat] += 1
        self._take(seat, tile, is_back)
        if self.is_opening and flower != drawn:
            self.drawn = drawn

    def remove(self, seat: int, tiles: Iterable[int]) -> None:
        """Removes tiles from the hand of a seat, and checks that they are in it."""
        for tile in tiles:
            if tile not in self.hands[seat]:
                self.builder.fail(Message("a tile in the hand of seat %d, %s", seat, sorted(self.hands[seat])), tile)
            self.hands[seat].remove(tile)

    def discard(self, seat: int, tile: int, is_drawn: bool) -> None:
        """Lets a seat discard a tile. is_drawn: whether the platform says that the seat has just drawn it."""
        if is_drawn and tile != self.drawn:
            self.builder.fail(Message("the tile just drawn, %s", self.drawn), tile)
        self.remove(seat, [tile])
        self.builder.take("PLAY", seat, self.name_tile(self._borrowed.get(tile, tile)))
        self.drawn, self.last = None, (seat, tile)

    def own_kong(self, seat: int, tiles: list[int], is_added: bool) -> None:
        """Lets a seat declare a kong after its draw. tiles: those of its hand. is_added: whether it adds to a pung."""
        self.remove(seat, tiles)
        self.builder.take("BUGANG" if is_added else "ANGANG", seat, self.name_tile(tiles[0]))
        self.last = seat, tiles[0]

    def claim(self, seat: int, word: str, tiles: list[int], middle: int) -> None:
        """Lets a seat claim the last discard. tiles: those of its hand. middle: a tile, of a chow the middle one."""
        self.remove(seat, tiles)
        self.drawn = None
        self.builder.take(word, seat, self.name_tile(middle))
