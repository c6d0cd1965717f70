"""Defines players for many games at once, and their registry.

    player(table, rows) -> int16[len(rows)], an action for the pending decision of each of these games

A player reads the hand of the seat that decides, all melds, and `seen`. Every player wins when it can.
"""

import operator
from collections.abc import Callable

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE,
    CONCEALED_KONG_BASE,
    DISCARD_BASE,
    OPEN_KONG_BASE,
    PASS_INDEX,
    PUNG_BASE,
    WIN_INDEX,
)
from ...mahjong.compiled import mix
from ...mahjong.errors import UnknownTacticError
from ...mahjong.splitmix import MASK
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ...tactic import load_tactic
from ..engine.decision_rows import is_legal, pick_legal
from .guangdong_hand import compute_steps, make_tools
from ...observation.layout import CLAIM, ROB
from .guangdong_rules import TOO_MANY_MISSING, FULL_SETS

GUANGDONG_PLAYERS = {
    "random": "mj_bot.lab.guangdong.guangdong_players:RandomPlayer",
    "shanten": "mj_bot.lab.guangdong.guangdong_players:ShantenPlayer",
    "ours": "mj_bot.lab.guangdong.guangdong_players:OurPlayer",
    "fox": "mj_bot.lab.guangdong.fox:FoxPlayer",
}
# The first of equally good discards in this order is chosen: honours, then ranks from the ends.
_ORDER = np.array(sorted(range(TILE_COUNT), key=lambda tile: (tile < FIRST_HONOUR, min(tile % 9, 8 - tile % 9), tile)))


def load_player(spec: str) -> Callable:
    """Returns a new player from its spec, such as shanten:seen=0. Raises what tactic.load_tactic raises."""
    return load_tactic(spec, GUANGDONG_PLAYERS)


class RandomPlayer(object):
    """Wins when it can, else plays any legal action, all equally likely.

    The same seed and position give the same action.
    """

    def __init__(self, seed=0):
        self._seed = np.uint64(operator.index(seed) & MASK)

    def __call__(self, table, rows):
        actions = np.zeros(len(rows), np.int16)
        _choose_any(table.games, rows, self._seed, actions)
        return actions


@jit
def _choose_any(games, rows, seed, actions):
    for place in range(len(rows)):
        game = games[rows[place]]
        number = seed
        for tile in game.wall:
            number = mix(number + np.uint64(tile))
        place_of_game = np.int64(game.first) << 24 | np.int64(game.last) << 16 | np.int64(game.asked) << 8
        number = mix(number + np.uint64(place_of_game + 4 * game.phase + game.seat))
        actions[place] = WIN_INDEX if is_legal(game.mask, WIN_INDEX) else pick_legal(game.mask, number)


class ShantenPlayer(object):
    """Plays for the fewest steps, then for the most useful tiles.

    It lays pungs that save a step and kongs that cost none, and keeps wild tiles.
    seen: 1 counts the useful tiles that are neither in its hand nor on the table, 0 those that are not in its hand.
    """

    def __init__(self, seen=1):
        if seen not in (0, 1):
            raise UnknownTacticError("expected seen=0 or 1, got %r" % (seen,))
        self._seen = seen

    def __call__(self, table, rows):
        actions, unseen = np.zeros(len(rows), np.int16), np.zeros(TILE_COUNT, np.int64)
        _choose(make_tools(table.settings), table.games, rows, self._seen, np.zeros(TILE_COUNT, np.uint8), unseen,
                actions)
        return actions


class OurPlayer(ShantenPlayer):
    """Plays as ShantenPlayer does, but sees only what FoxThinker's networks see: its own hand."""

    def __init__(self):
        super().__init__(seen=0)


@jit
def _choose(tools, games, rows, seen, hand, unseen, actions):
    for place in range(len(rows)):
        game = games[rows[place]]
        for kind in range(TILE_COUNT):
            hand[kind] = game.hand[game.seat, kind]
            unseen[kind] = max(0, COPIES - np.int64(hand[kind]) - seen * np.int64(game.seen[kind]))
        actions[place] = _choose_one(tools, game, hand, unseen)


@jit_part
def _choose_one(tools, game, hand, unseen):
    """Returns the action of the seat that decides.

    hand: of the seat, uint8[34]; it may be changed. unseen: copies that may be drawn, int64[34].
    """
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
    for kind in range(TILE_COUNT):
        if is_legal(game.mask, CONCEALED_KONG_BASE + kind):
            if _count_steps_without(tools, hand, wild, sets - 1, kind, 4) <= steps:
                return CONCEALED_KONG_BASE + kind
        if is_legal(game.mask, ADDED_KONG_BASE + kind) and not wild >> kind & 1:
            if _count_steps_without(tools, hand, wild, sets, kind, 1) <= steps:
                return ADDED_KONG_BASE + kind
    return DISCARD_BASE + best


@jit_part
def _count_steps_without(tools, hand, wild, sets, kind, copies):
    hand[kind] -= copies
    steps, _ = compute_steps(tools, hand, wild, sets)
    hand[kind] += copies
    return steps


@jit_part
def _choose_discard(tools, hand, wild, sets, unseen):
    """Returns (steps, discard) for the fewest steps after the discard, then the most copies of useful tiles."""
    fewest, best, most = TOO_MANY_MISSING, -1, -1
    for kind in _ORDER:
        if not hand[kind]:
            continue
        hand[kind] -= 1
        steps, useful = compute_steps(tools, hand, wild, sets)
        hand[kind] += 1
        # A wild tile is discarded only where all tiles are wild.
        rank = TOO_MANY_MISSING - 1 if wild >> kind & 1 else steps
        count = 0
        for tile in range(TILE_COUNT):
            count += (useful >> tile & 1) * unseen[tile]
        if rank < fewest or rank == fewest and count > most:
            fewest, best, most = rank, kind, count
    return fewest, best
