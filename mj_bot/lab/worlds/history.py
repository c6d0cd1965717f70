"""Lists what a seat knows of the four walls: its own tiles in order, and tiles that others showed at some time.

A seat takes tiles one after another: slots 0..12 are its deal, slot 13 is its first draw, and so on. Slot j of seat s
is wall[34 * (s + 1) - 1 - j]. A seat shows a tile from one of the slots that it has taken until then.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...mahjong.errors import ProtocolError
from ...mahjong.meld import make_meld
from ...mahjong.rules import HAND_TILES, SEATS
from ...mahjong.state import GameState
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX, TILE_NAMES
from ...observation.layout import NONE
from ..engine.game_rows import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, OPEN_KONG_MADE, PLAYED, PUNG_MADE, TILE_DRAWN)
from ..table.walls import SLICE_SIZE, WALL_SIZE


class History(NamedTuple):
    """Keeps what a state tells about the walls, and the events of its game for the engine.

    seat: the seat that sees the state. wind: prevalent wind 0..3.
    own: uint8[136], the wall with the tiles that the seat itself took; NONE elsewhere.
    shown: int64[K, 3], (seat, tile, slots that this seat had taken) of each tile that another seat showed, in order.
        The tile of hidden kong number k, a concealed kong of another seat, is 34 + k.
    pool: uint8[M], the tiles that the seat does not see.
    events: int64[E, 3], (event, seat, tile) as the engine logs them. The tile is NONE where it is unknown.
    moves: list of (seat, text of its answer) in order. The text is None for a hidden kong.
    draws: number of draws of all seats after the deal.
    """

    seat: int
    wind: int
    own: np.ndarray
    shown: np.ndarray
    pool: np.ndarray
    events: np.ndarray
    moves: list
    draws: int


def read_history(state: GameState) -> History:
    """Returns the History of a state.

    Raises ProtocolError: the state was not made by requests, or the tiles are not dealt yet, or the game has flowers.
    """
    if state.requests < 2 or state.my_pid is None:
        raise ProtocolError("expected a state that requests have made, dealt already, got %.200r", state)
    if state.shared_wall is not None:
        raise ProtocolError("expected a game without flowers, in which each seat has a wall, got %.200r", state)
    reader = _Reader(state)
    for seat, action in state.history:
        reader.read(seat, action)
    return reader.finish()


class _Reader(object):
    """Follows the events of a state and collects the arrays of its History."""

    def __init__(self, state):
        self._state, self._me = state, state.my_pid
        self._taken = [HAND_TILES] * SEATS
        self._draws, self._own_shown = [], [0] * TILE_COUNT
        self._shown, self._events, self._moves = [], [], []
        self._hidden_kongs = 0
        self._discard = self._giver = None  # tile that may be claimed, and seat that discarded it

    def read(self, seat: int, action: tuple) -> None:
        """Takes the next action of a seat; ("DRAW", tile name) is a draw."""
        if action[0] == "DRAW":
            self._taken[seat] += 1
            if seat == self._me:
                self._draws.append(TILE_INDEX[action[1]])
            self._note(TILE_DRAWN, seat, self._draws[-1] if seat == self._me else NONE)
            self._discard = None
            return
        self._moves.append((seat, " ".join(action)))
        if action[0] == "PLAY":
            self._play(seat, TILE_INDEX[action[1]])
        elif action[0] == "BUGANG":
            self._show(seat, [TILE_INDEX[action[1]]])
            self._note(ADDED_KONG_MADE, seat, TILE_INDEX[action[1]])
        elif action[0] == "GANG" and self._discard is None:
            self._lay_concealed_kong(seat, action)
        else:
            meld = make_meld(action, seat, self._discard, giver=self._giver)
            self._show(seat, meld.from_hand)
            event = {"CHI": CHOW_MADE, "PENG": PUNG_MADE, "GANG": OPEN_KONG_MADE}[action[0]]
            self._note(event, seat, meld.tile)
            self._discard = None
            if action[0] != "GANG":
                self._play(seat, TILE_INDEX[action[-1]])

    def finish(self) -> History:
        """Returns the History of all actions that were read."""
        state, me = self._state, self._me
        dealt = [held + shown - self._draws.count(tile)
                 for tile, (held, shown) in enumerate(zip(state.hand_counts, self._own_shown))]
        own = np.full(WALL_SIZE, NONE, np.uint8)
        taken = [tile for tile, count in enumerate(dealt) for _ in range(count)] + self._draws
        top = SLICE_SIZE * (me + 1) - 1
        own[top - np.arange(len(taken))] = taken
        pool = np.repeat(np.arange(TILE_COUNT), state.unseen).astype(np.uint8)
        kongs = COPIES * self._hidden_kongs
        assert len(taken) == self._taken[me] and len(taken) + len(self._shown) - kongs + len(pool) == WALL_SIZE
        shown, events = (np.array(rows, np.int64).reshape(-1, 3) for rows in (self._shown, self._events))
        return History(me, state.prevalent_wind, own, shown, pool, events, self._moves,
                       sum(self._taken) - SEATS * HAND_TILES)

    def _note(self, event, seat, tile):
        self._events.append((event, seat, tile))

    def _play(self, seat, tile):
        """Notes a discard, which may be claimed next."""
        self._show(seat, [tile])
        self._note(PLAYED, seat, tile)
        self._discard, self._giver = tile, seat

    def _show(self, seat, tiles):
        """Notes that a seat showed tiles from its hand."""
        if seat == self._me:
            for tile in tiles:
                self._own_shown[tile] += 1
        else:
            self._shown += [(seat, tile, self._taken[seat]) for tile in tiles]

    def _lay_concealed_kong(self, seat, action):
        """Takes a concealed kong of a seat. The kong of another seat gets the number of the next hidden kong."""
        if seat == self._me:
            tile = TILE_INDEX[action[1]]
        else:
            tile = TILE_COUNT + self._hidden_kongs
            self._hidden_kongs += 1
            self._moves[-1] = (seat, None)
        self._show(seat, [tile] * COPIES)
        self._note(CONCEALED_KONG_MADE, seat, tile)


def name_moves(history: History, kong_tiles: Sequence[int]) -> list[tuple[int, str]]:
    """Returns the moves of a history as (seat, text of its answer). kong_tiles: tile 0..33 of each hidden kong."""
    kongs = iter(kong_tiles)
    return [(seat, "GANG " + TILE_NAMES[next(kongs)] if text is None else text) for seat, text in history.moves]
