"""Defines players that play many games at once, and their registry.

    player(table, rows) -> int16[len(rows)], one action index per game of `rows`

table: engine.Table. rows: int64, indices of games with a pending decision. A player reads the hand of the seat that
decides, all melds, and the tiles that lie face up. Every player wins when it can.
"""

import operator
from collections.abc import Callable

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.compiled import mix
from ...mahjong.errors import UnknownTacticError
from ...mahjong.splitmix import MASK
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ...observation.layout import CLAIM, ROB
from ...tactic import load_tactic
from ..engine.decision_rows import is_legal, pick_legal
from .engine import Table
from .guangdong_hand import compute_steps
from .guangdong_rules import FULL_SETS, TOO_MANY_MISSING

GUANGDONG_PLAYERS = {
    "random": "mj_bot.lab.guangdong.guangdong_players:RandomPlayer",
    "shanten": "mj_bot.lab.guangdong.guangdong_players:ShantenPlayer",
    "ours": "mj_bot.lab.guangdong.guangdong_players:OurPlayer",
    "fox": "mj_bot.lab.guangdong.fox:FoxPlayer",
}
# Among equally good discards the first in this order is chosen: honours first, then ranks from both ends.
_ORDER = np.array(sorted(range(TILE_COUNT), key=lambda tile: (tile < FIRST_HONOUR, min(tile % 9, 8 - tile % 9), tile)))


def load_player(spec: str) -> Callable:
    """Returns a new player of a spec such as shanten:seen=0. Raises UnknownTacticError: no such player or setting."""
    return load_tactic(spec, GUANGDONG_PLAYERS)


class RandomPlayer(object):
    """Wins when it can, else plays any legal action, all equally likely.

    The same seed and position always give one action.
    """

    def __init__(self, seed: int = 0):
        self._seed = np.uint64(operator.index(seed) & MASK)

    def __call__(self, table: Table, rows: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(rows), np.int16)
        _choose_any(table.games, rows, self._seed, actions)
        return actions


@jit
def _choose_any(games, rows, seed, actions):
    """Writes the random action of each game. seed: uint64. actions: int16[len(rows)], written to."""
    for index in range(len(rows)):
        game = games[rows[index]]
        random_bits = seed
        for tile in game.wall:
            random_bits = mix(random_bits + np.uint64(tile))
        counters = np.int64(game.first) << 24 | np.int64(game.last) << 16 | np.int64(game.asked) << 8
        random_bits = mix(random_bits + np.uint64(counters + 4 * game.phase + game.seat))
        actions[index] = WIN_INDEX if is_legal(game.mask, WIN_INDEX) else pick_legal(game.mask, random_bits)


class ShantenPlayer(object):
    """Plays for the fewest steps to a complete hand, then for the most useful tiles.

    It lays pungs that save a step, and kongs that cost no step. It discards a wild tile only if all its tiles are wild.
    seen: 1 to leave out the copies of useful tiles that lie face up on the table, 0 to leave out only the copies in its
    own hand.
    """

    def __init__(self, seen: int = 1):
        if seen not in (0, 1):
            raise UnknownTacticError("expected seen=0 or 1, got %r", seen)
        self._seen = seen

    def __call__(self, table: Table, rows: np.ndarray) -> np.ndarray:
        actions, unseen = np.zeros(len(rows), np.int16), np.zeros(TILE_COUNT, np.int64)
        _choose(table.tools, table.games, rows, self._seen, np.zeros(TILE_COUNT, np.uint8), unseen,
                actions)
        return actions


class OurPlayer(ShantenPlayer):
    """Plays as ShantenPlayer does, but sees only what FoxThinker's networks see: its own hand."""

    def __init__(self):
        super().__init__(seen=0)


@jit
def _choose(tools, games, rows, seen, hand, unseen, actions):
    """Writes the action of each game into actions, int16. hand: uint8[34], unseen: int64[34], working memory."""
    for index in range(len(rows)):
        game = games[rows[index]]
        for tile in range(TILE_COUNT):
            hand[tile] = game.hand[game.seat, tile]
            unseen[tile] = max(0, COPIES - np.int64(hand[tile]) - seen * np.int64(game.seen[tile]))
        actions[index] = _choose_one(tools, game, hand, unseen)


@jit_part
def _choose_one(tools, game, hand, unseen):
    """Returns the action of the seat that decides. hand: its tiles, changed. unseen: copies that may be drawn."""
    if is_legal(game.mask, WIN_INDEX):
        return WIN_INDEX
    if game.phase == ROB:
        return PASS_INDEX
    wild, tile, sets = game.wild, np.int64(game.tile), FULL_SETS - np.int64(game.meld_count[game.seat])
    if game.phase == CLAIM:
        steps = _count_steps_without(tools, hand, wild, sets, tile, 0)
        if is_legal(game.mask, OPEN_KONG_BASE + tile):
            if _count_steps_without(tools, hand, wild, sets - 1, tile, 3) <= steps:
                return OPEN_KONG_BASE + tile
        if is_legal(game.mask, PUNG_BASE + tile):
            hand[tile] -= 2
            if _choose_discard(tools, hand, wild, sets - 1, unseen)[0] < steps:
                return PUNG_BASE + tile
        return PASS_INDEX
    steps, best = _choose_discard(tools, hand, wild, sets, unseen)
    for own_tile in range(TILE_COUNT):
        if is_legal(game.mask, CONCEALED_KONG_BASE + own_tile):
            if _count_steps_without(tools, hand, wild, sets - 1, own_tile, 4) <= steps:
                return CONCEALED_KONG_BASE + own_tile
        if is_legal(game.mask, ADDED_KONG_BASE + own_tile) and not wild >> own_tile & 1:
            if _count_steps_without(tools, hand, wild, sets, own_tile, 1) <= steps:
                return ADDED_KONG_BASE + own_tile
    return DISCARD_BASE + best


@jit_part
def _count_steps_without(tools, hand, wild, sets, tile, copies):
    """Returns the steps of a hand without some copies of a tile. sets: 4 less the melds that the seat has then."""
    hand[tile] -= copies
    steps, _ = compute_steps(tools, hand, wild, sets)
    hand[tile] += copies
    return steps


@jit_part
def _choose_discard(tools, hand, wild, sets, unseen):
    """Returns (steps, discard): the discard that leaves the fewest steps, then the most copies of useful tiles."""
    fewest, best, most = TOO_MANY_MISSING, -1, -1
    for discard in _ORDER:
        if not hand[discard]:
            continue
        hand[discard] -= 1
        steps, useful = compute_steps(tools, hand, wild, sets)
        hand[discard] += 1
        # A wild tile is discarded only where all tiles are wild.
        rank = TOO_MANY_MISSING - 1 if wild >> discard & 1 else steps
        count = 0
        for tile in range(TILE_COUNT):
            count += (useful >> tile & 1) * unseen[tile]
        if rank < fewest or rank == fewest and count > most:
            fewest, best, most = rank, discard, count
    return fewest, best
