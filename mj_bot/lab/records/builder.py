"""Builds a game from the events of a text."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX, chow_index)
from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.rules import SEATS, is_chow
from ...mahjong.tile import TILE_INDEX, TILE_NAMES, parse_tile
from ..table.record import Record, lay_wall
from ..table.walls import SLICE_SIZE
from .follow import record_from_game
from .game_record import ANSWER_BASE, SHARED_WALL, BrokenGameError, Game
from .shapes import MISFITS, describe_misfit

# What may come next: the deal, a draw of `turn`, an action of `turn` after a draw or a claim, a draw or a claim of the
# tile that `turn` discarded, the same of a tile that it added to a pung, nothing.
_DEALING, _DRAWING, _ACTING, _FOLLOWING, _DISCARDED, _ADDED, _OVER = range(7)


def build_game(read: Callable, where: str, *source: Any) -> Game:
    """The Game that read(builder, *source) returns. Raises BrokenGameError: any error, with the game before it."""
    builder = GameBuilder(where)
    try:
        return read(builder, *source)
    except MahjongError as error:
        raise BrokenGameError(str(error), builder.record_so_far()) from error


class GameBuilder(object):
    """The game so far. An event raises ProtocolError where it cannot be next; follow.check_game checks the hands.

    where: name of the source. The reader sets wind: the prevalent one; line: number of the current line, and unit: a
    word for these numbers; is_shared: whether all seats draw from one wall; players and origin, as of Game.
    """

    def __init__(self, where: str):
        self.line = self.wind = 0
        self.unit = "line"
        self.is_shared = False
        self.players, self.origin = (0, 1, 2, 3), {}
        self.flowers = []  # as of Game
        self._where = where
        self._drawn = [[] for _ in range(SEATS)]
        self._draws = []  # of all seats
        self._moves = []
        self._times = {}  # as Game.times
        self._claimed_at = 0  # where the answers of the last claim begin in the moves
        self._lines = []
        self._state = _DEALING
        self._turn = 0
        self._tile = None  # last drawn, discarded or added

    def fail(self, expected: str, came: Any) -> NoReturn:
        """Raises the ProtocolError of a line that does not fit."""
        raise ProtocolError("expected %s, got %.80r in %s %d of %s" % (
            expected, came, self.unit, self.line, self._where)) from None

    @contextmanager
    def expect(self, expected: str, came: Any = None) -> Iterator[None]:
        """As fail, where the code inside meets a value of another shape. came: None for the message of its error."""
        try:
            yield
        except MahjongError:
            raise
        except MISFITS as error:
            self.fail(expected, describe_misfit(error) if came is None else came)

    def tile(self, name: str) -> int:
        return parse_tile(name, " in %s %d of %s" % (self.unit, self.line, self._where))

    def deal(self, seat: int, names: list[str]) -> None:
        """The 13 tiles of a seat, in the order that they were dealt."""
        if self._state != _DEALING or self._drawn[seat] or len(names) != 13:
            self.fail("one deal of 13 tiles for each seat", "seat %d %s" % (seat, " ".join(names)))
        for name in names:
            self.tile(name)
        self._drawn[seat] = list(names)
        if all(self._drawn):
            self._state = _DRAWING

    def draw(self, seat: int, name: str) -> None:
        """A draw from the wall."""
        if self._state == _DISCARDED:
            self._turn, self._state = (self._turn + 1) % SEATS, _DRAWING
        elif self._state == _ADDED:
            self._state = _DRAWING
        if self._state != _DRAWING or seat != self._turn:
            self.fail(self._next(), "a draw of seat %d" % seat)
        self._tile = self.tile(name)
        self._drawn[seat].append(name)
        self._draws.append(name)
        self._state = _ACTING

    def flower(self, seat: int, flower: int) -> None:
        """A flower 1..8 that is put aside: one of the deal before the first draw, later in place of a draw."""
        self.flowers.append((len(self._draws), seat, flower))

    def discard(self, seat: int, name: str) -> None:
        """A discard after a draw or a claim."""
        tile = self.tile(name)
        if self._state not in (_ACTING, _FOLLOWING) or seat != self._turn:
            self.fail(self._next(), "a discard of seat %d" % seat)
        self._write(DISCARD_BASE + tile)
        self._tile, self._state = tile, _DISCARDED

    def own_kong(self, seat: int, name: str, is_added: bool) -> None:
        """A concealed or added kong."""
        tile = self.tile(name)
        if self._state != _ACTING or seat != self._turn:
            self.fail(self._next(), "a kong of seat %d" % seat)
        self._write((ADDED_KONG_BASE if is_added else CONCEALED_KONG_BASE) + tile)
        self._tile, self._state = tile, _ADDED if is_added else _DRAWING

    def win(self, seat: int, name: str, overruled: Sequence[tuple] = ()) -> None:
        """A win on the tile just drawn, discarded or added; overruled: as of claim."""
        if self._state == _ACTING and seat == self._turn:
            self._check_tile(name)
            self._write(WIN_INDEX)
        else:
            self._answer([(seat, "HU", name)] + list(overruled))
        self._state = _OVER

    def claim(self, seat: int, word: str, name: str, *, overruled: Sequence[tuple] = ()) -> None:
        """A claim on the last discard.

        kind: "CHI", "PENG" or "GANG", of overruled "HU" too. name: of the tile, of a chow its middle one.
        overruled: (seat, kind, name) of the other seats' claims.
        """
        self._answer([(seat, word, name)] + list(overruled))
        self._turn, self._state = seat, _DRAWING if word == "GANG" else _FOLLOWING

    def take_time(self, seat: int, milliseconds: int) -> None:
        """Notes how long the next answer of a seat takes; the discard after a claim belongs to the claim's answer."""
        is_follow = self._state == _FOLLOWING
        slot = self._claimed_at if is_follow else len(self._moves), seat
        self._times[slot] = milliseconds + (self._times.get(slot, 0) if is_follow and seat == self._turn else 0)

    def drawn_out(self) -> None:
        """The end of a game that nobody wins."""
        if self._state not in (_DISCARDED, _DRAWING, _ADDED):
            self.fail(self._next(), "the end of the walls")
        self._state = _OVER

    @property
    def is_over(self) -> bool:
        return self._state == _OVER

    def finish(self, scores: Sequence[int], facts: int, name: str, *, rest: Sequence[str] = (), **more: Any) -> Game:
        """The Game.

        rest: names of the tiles left in a shared wall, in order, if known. more: further fields of Game.
        Raises InvalidHandError: tiles that no wall gives.
        """
        names = lay_wall(self._drawn, self._where, self._draws + list(rest) if self.is_shared else None)
        facts |= SHARED_WALL * self.is_shared
        flowers = sorted(self.flowers, key=lambda flower: flower[:2])
        return Game([TILE_INDEX[tile] for tile in names], self.wind, self._moves, scores, facts, flowers, self.players,
                    name, self._where, self._lines, self.unit, origin=self.origin, times=self._times, **more)

    def record_so_far(self) -> Record | None:
        """The Record of the game before a line that does not fit, None where no game has begun."""
        if not self.is_shared:
            # Draws beyond a seat's part of the wall are left out.
            self._drawn = [tiles[:SLICE_SIZE] for tiles in self._drawn]
        try:
            record = record_from_game(self.finish([0] * SEATS, 0, ""))
        except BrokenGameError as error:
            record = error.record
        except MahjongError:
            return None
        record.scores = None
        return record

    def _next(self):
        return ("the deal", "a draw of seat %d" % self._turn, "an action of seat %d" % self._turn,
                "a discard of seat %d" % self._turn, "a claim or a draw after the discard of seat %d" % self._turn,
                "a draw of seat %d or a win on its kong" % self._turn, "nothing after the end of the game")[self._state]

    def _write(self, *moves):
        self._moves.extend(moves)
        self._lines.extend([self.line] * len(moves))

    def _check_tile(self, name):
        if self.tile(name) != self._tile:
            self.fail("the tile %s" % TILE_NAMES[self._tile], name)

    def _answer(self, answers):
        moves = []
        for seat, word, name in answers:
            offset = (seat - self._turn) % SEATS
            is_open = self._state == _DISCARDED or (self._state == _ADDED and word == "HU")
            if not is_open or not offset:
                self.fail(self._next(), "%s of seat %d" % (word, seat))
            moves.append((ANSWER_BASE + offset, self._encode(word, name)))
        self._claimed_at = len(self._moves)
        self._write(*(byte for answer in sorted(moves) for byte in answer))

    def _encode(self, word, name):
        if word == "CHI":
            middle = self.tile(name)
            if not is_chow(middle, self._tile):
                self.fail("the middle of a chow with %s" % TILE_NAMES[self._tile], name)
            return chow_index(middle, self._tile)
        self._check_tile(name)
        return {"HU": WIN_INDEX, "PENG": PUNG_BASE + self._tile, "GANG": OPEN_KONG_BASE + self._tile}[word]
