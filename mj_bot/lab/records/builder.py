"""Builds a Game from the events that a record tells: deals, draws, discards, kongs, claims and wins."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX, chow_index)
from ...mahjong.errors import MahjongError, Message, ProtocolError
from ...mahjong.rules import SEATS, is_chow
from ...mahjong.tile import COPIES, TILE_INDEX, TILE_NAMES, parse_tile
from ..table.record import Record, lay_wall
from ..table.walls import SLICE_SIZE
from .follow import record_from_game
from .game_record import ANSWER_BASE, FAULT, REAL_WALL, SHARED_WALL, BrokenGameError, Game
from .shapes import MISFITS, describe_misfit, name_place

# The state tells what may come next. _DEALING: the deal. _DRAWING: a draw of `turn`. _ACTING: an action of `turn` after
# its draw. _FOLLOWING: the discard of `turn` after its chow or pung. _DISCARDED: a draw of the next seat, or a claim of
# the tile that `turn` discarded. _ADDED: a draw of `turn`, or a win on the tile that it added to a pung. After _OVER
# nothing may come.
_DEALING, _DRAWING, _ACTING, _FOLLOWING, _DISCARDED, _ADDED, _OVER = range(7)
# {word of a move: (first of its actions, what it is, state after it)}; {word of a claim: state after it}
_OWN_MOVES = {"PLAY": (DISCARD_BASE, "a discard of seat %d", _DISCARDED),
              "ANGANG": (CONCEALED_KONG_BASE, "a kong of seat %d", _DRAWING),
              "BUGANG": (ADDED_KONG_BASE, "a kong of seat %d", _ADDED)}
_CLAIMS = {"CHI": _FOLLOWING, "PENG": _FOLLOWING, "GANG": _DRAWING, "HU": _OVER}


def build_game(read: Callable, where: str, *source: Any) -> Game:
    """Returns the Game of read(GameBuilder, *source). where: name of the source, for messages of errors.

    Raises BrokenGameError: `read` raised an error. The new error keeps a record of the moves before it.
    """
    builder = GameBuilder(where)
    try:
        return read(builder, *source)
    except MahjongError as error:
        raise BrokenGameError("%s", error, record=builder.record_so_far()) from error


class GameBuilder(object):
    """Collects the events of one game and checks that each of them can be next.

    An event that cannot be next raises ProtocolError. The builder does not check the hands; follow.check_game does.

    The reader of a format sets these attributes while it reads:
    wind: prevalent wind 0..3.
    line: number of the current line, for messages. unit: word for such a number, "line", "tick" or "action".
    is_shared: whether all seats draw from one wall.
    players: names of the four players, or numbers 0..3. origin: dict with the platform's facts on the game.
    flowers: list of (number of draws before the flower, seat, number 1..8).

    where: name of the source, for messages of errors.
    """

    def __init__(self, where: str):
        self.line = self.wind = 0
        self.unit = "line"
        self.is_shared = False
        self.players, self.origin = (0, 1, 2, 3), {}
        self.flowers = []
        self._where = where
        self._drawn = [[] for _ in range(SEATS)]  # names of the tiles dealt to and drawn by each seat
        self._draws = []  # names of the tiles drawn by all seats, in order
        self._moves = []  # bytes of Game.moves
        self._times = {}  # {(index in the moves at which the answers to a request begin, seat): milliseconds}
        self._claimed_at = 0  # index in the moves at which the answers to the last claimed discard begin
        self._lines = []  # number of the line of each byte of the moves
        self._state = _DEALING
        self._turn = 0
        self._tile = None  # tile last drawn, discarded or added to a pung

    def fail(self, expected: str | Message, came: Any) -> NoReturn:
        """Raises the ProtocolError for a line that does not fit. came: a value of the record, or a Message of ours."""
        raise ProtocolError("expected %s, got %s %s" if isinstance(came, Message) else "expected %s, got %.80r %s",
                            expected, came, self.place()) from None

    def place(self) -> Message:
        """Returns the words for the present line, for the end of an error's text."""
        return name_place(self.unit, self.line, self._where)

    @contextmanager
    def expect(self, expected: str | Message, came: Any = None) -> Iterator[None]:
        """Turns errors of the code inside into the error of a line that does not fit.

        The code inside raises such errors where it meets a value of an unexpected shape.
        expected: what may stand there. came: what stands there; None takes the message of the error instead.
        """
        try:
            yield
        except MahjongError:
            raise
        except MISFITS as error:
            self.fail(expected, describe_misfit(error) if came is None else came)

    def tile(self, name: str) -> int:
        """Returns the tile 0..33 of a name. Raises InvalidTileError: no tile has this name."""
        return parse_tile(name, Message(" %s", self.place()))

    def deal(self, seat: int, names: list[str]) -> None:
        """Deals 13 tiles to a seat. names: names of the tiles, in the order in which they were dealt."""
        if self._state != _DEALING or self._drawn[seat] or len(names) != 13:
            self.fail("one deal of 13 tiles for each seat", Message("seat %d %.80r", seat, " ".join(names)))
        for name in names:
            self.tile(name)
        self._drawn[seat] = list(names)
        if all(self._drawn):
            self._state = _DRAWING

    def take(self, word: str, seat: int, name: str | None = None, overruled: Sequence[tuple] = ()) -> None:
        """Plays one event of a seat.

        word: "DRAW", "PLAY" for a discard, "ANGANG" or "BUGANG" for a concealed or added kong, "CHI", "PENG" or "GANG"
            for a claim of the last discard, "HU" for a win on the tile that was just drawn, discarded or added.
            "GANG" after a draw is "ANGANG".
        name: name of the tile, such as "W1"; of a chow its middle tile. None for the tile that was last drawn,
            discarded or added, and for the only tile of which the seat can have a concealed kong.
        overruled: (seat, word, tile name) of each claim of another seat that this one overrules.
        Raises ValueError: another word.
        """
        is_turn = self._state == _ACTING and seat == self._turn
        if word == "GANG" and is_turn:
            word = "ANGANG"
        if name is None and word == "ANGANG":
            name, = (tile for tile in set(self._drawn[seat]) if self._drawn[seat].count(tile) == COPIES)
        if name is None and self._tile is not None:
            name = TILE_NAMES[self._tile]
        if word == "DRAW":
            self._draw(seat, name)
        elif word in _OWN_MOVES:
            tile, (base, text, state) = self.tile(name), _OWN_MOVES[word]
            if seat != self._turn or self._state not in (_ACTING, _FOLLOWING)[:1 + (word == "PLAY")]:
                self.fail(self._next(), Message(text, seat))
            self._write(base + tile)
            self._tile, self._state = tile, state
        elif word == "HU" and is_turn:
            self._check_tile(name)
            self._write(WIN_INDEX)
            self._state = _OVER
        elif word in _CLAIMS:
            self._answer([(seat, word, name), *overruled])
            self._turn, self._state = seat, _CLAIMS[word]
        else:
            raise ValueError(word)

    def _draw(self, seat, name):
        if self._state == _DISCARDED:
            self._turn, self._state = (self._turn + 1) % SEATS, _DRAWING
        elif self._state == _ADDED:
            self._state = _DRAWING
        if self._state != _DRAWING or seat != self._turn:
            self.fail(self._next(), Message("a draw of seat %d", seat))
        self._tile = self.tile(name)
        self._drawn[seat].append(name)
        self._draws.append(name)
        self._state = _ACTING

    def flower(self, seat: int, flower: int) -> None:
        """Puts a flower 1..8 of a seat aside: one of the deal, or one that the seat's next draw replaces."""
        self.flowers.append((len(self._draws), seat, flower))

    def take_time(self, seat: int, milliseconds: int) -> None:
        """Notes the time that the next answer of a seat takes. The discard after a chow or pung adds to its claim."""
        is_follow = self._state == _FOLLOWING
        slot = self._claimed_at if is_follow else len(self._moves), seat
        self._times[slot] = milliseconds + (self._times.get(slot, 0) if is_follow and seat == self._turn else 0)

    def drawn_out(self) -> None:
        """Ends the game without a winner."""
        if self._state not in (_DISCARDED, _DRAWING, _ADDED):
            self.fail(self._next(), Message("the end of the walls"))
        self._state = _OVER

    def fault(self, seat: int) -> None:
        """Ends the game by a fault of a seat: an answer that the rules do not allow, or none."""
        self._write(FAULT, seat)
        self._state = _OVER

    @property
    def is_over(self) -> bool:
        """Tells whether the game has ended."""
        return self._state == _OVER

    def finish(
            self, scores: Sequence[int], facts: int, name: str, *, rest: Sequence[str] = (),
            wall: list[str] | None = None, **more: Any) -> Game:
        """Returns the Game of all events so far.

        scores: scores of the four seats. facts: sum of the bits ALL_ANSWERS, REAL_WALL and OWN_SUITS.
        name: name of the game in its source.
        rest: names of the tiles left in a wall that all seats share, in order, if they are known.
        wall: names of the 136 tiles, if they are known; it is taken where it gives the tiles that were drawn.
        more: further fields of Game.
        Raises InvalidHandError: no wall gives these tiles.
        """
        names = lay_wall(self._drawn, self._where, self._draws + list(rest) if self.is_shared else None)
        if wall and sorted(wall) == sorted(names) and all(
                wall[SLICE_SIZE * seat:SLICE_SIZE * (seat + 1)][::-1][:len(tiles)] == tiles
                for seat, tiles in enumerate(self._drawn)):
            names, facts = wall, facts | REAL_WALL
        facts |= SHARED_WALL * self.is_shared
        flowers = sorted(self.flowers, key=lambda flower: flower[:2])
        return Game([TILE_INDEX[tile] for tile in names], self.wind, self._moves, scores, facts, flowers, self.players,
                    name, self._where, self._lines, self.unit, origin=self.origin, times=self._times, **more)

    def record_so_far(self) -> Record | None:
        """Returns the record of the game before a line that does not fit, or None where it has not dealt all hands."""
        if self._state == _DEALING:
            return None
        if not self.is_shared:
            # Draws beyond a seat's part of the wall are left out.
            self._drawn = [tiles[:SLICE_SIZE] for tiles in self._drawn]
        try:
            record = record_from_game(self.finish([0] * SEATS, 0, ""))
        except MahjongError as error:
            record = getattr(error, "record", None)
        if record:
            record.scores = None
        return record

    def _next(self):
        """Returns the words for what may come next, for messages of errors."""
        template = ("the deal", "a draw of seat %d", "an action of seat %d", "a discard of seat %d",
                    "a claim or a draw after the discard of seat %d", "a draw of seat %d or a win on its kong",
                    "nothing after the end of the game")[self._state]
        return Message(template, *[self._turn] * ("%d" in template))

    def _write(self, *moves):
        """Adds bytes to the moves, and the number of the current line for each byte."""
        self._moves.extend(moves)
        self._lines.extend([self.line] * len(moves))

    def _check_tile(self, name):
        if self.tile(name) != self._tile:
            self.fail(Message("the tile %s", TILE_NAMES[self._tile]), name)

    def _answer(self, answers):
        """Writes answers to the last discard or added kong. answers: list of (seat, word, tile name)."""
        moves = []
        for seat, word, name in answers:
            offset = (seat - self._turn) % SEATS
            is_open = self._state == _DISCARDED or (self._state == _ADDED and word == "HU")
            if not is_open or not offset:
                self.fail(self._next(), Message("%s of seat %d", word, seat))
            moves.append((ANSWER_BASE + offset, self._encode(word, name)))
        self._claimed_at = len(self._moves)
        self._write(*(byte for answer in sorted(moves) for byte in answer))

    def _encode(self, word, name):
        """Returns the action 0..234 of an answer. name: of a chow, its middle tile."""
        if word != "CHI":
            self._check_tile(name)
            return {"HU": WIN_INDEX, "PENG": PUNG_BASE + self._tile, "GANG": OPEN_KONG_BASE + self._tile}[word]
        middle = self.tile(name)
        if not is_chow(middle, self._tile):
            self.fail(Message("the middle of a chow with %s", TILE_NAMES[self._tile]), name)
        return chow_index(middle, self._tile)
