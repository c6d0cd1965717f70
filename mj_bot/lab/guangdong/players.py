"""Players for many games at once, and their registry.

A player is made from the options of its spec and has

    __call__(table, rows) -> int16[len(rows)], a legal action of the seat whose decision each of these games owes

It reads that seat's hand, all melds, and `seen`. Every player wins when it can: only who draws a tile can win on it.
"""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE,
    WIN_INDEX)
from ...mahjong.errors import UnknownTacticError
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ...tactic import load_tactic
from ..engine.compile import jit, jit_part
from ..engine.decisions import count_legal, is_legal, nth_legal
from ..engine.legality import mix
from .hand import count_pairs, lack_pairs, lack_with, read_keys, read_rests, read_steps
from .rules import CLAIM, FULL_SETS, ROB

PLAYERS = {
    "random": "mj_bot.lab.guangdong.players:RandomPlayer",
    "shanten": "mj_bot.lab.guangdong.players:ShantenPlayer",
    "ours": "mj_bot.lab.guangdong.players:OurPlayer",
    "fox": "mj_bot.lab.guangdong.fox:FoxPlayer",
}
_FAR = 99
# Of equally good discards the one with the fewest neighbours goes first: honours, then ranks from the ends.
_ORDER = np.array(sorted(range(TILE_COUNT), key=lambda tile: (tile < FIRST_HONOUR, min(tile % 9, 8 - tile % 9), tile)))


def load_player(spec):
    """A new player from its spec, such as ours:depth=1.

    Raises UnknownTacticError: no such player or option.
    """
    return load_tactic(spec, PLAYERS)


class RandomPlayer(object):
    """Any legal action, all equally likely; wins when it can. The same seed and position give the same action."""

    def __init__(self, seed=0):
        self._seed = seed

    def __call__(self, table, rows):
        actions = np.zeros(len(rows), np.int16)
        _choose_any(table.games, rows, np.uint64(self._seed), actions)
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
        count = np.uint64(count_legal(game.mask))
        actions[place] = nth_legal(game.mask, np.int64((number >> np.uint64(32)) * count >> np.uint64(32)))
        if is_legal(game.mask, WIN_INDEX):
            actions[place] = WIN_INDEX


class ShantenPlayer(object):
    """Fewest steps, then most useful tiles. Lays pungs that save a step and kongs that cost none; keeps wild tiles.

    depth: 1, or 2 to count for each useful tile the useful tiles that follow it. seen: whether it counts only copies
    that it has not seen on the table, 0 for those outside its own hand.
    """

    def __init__(self, depth=1, seen=1):
        if depth not in (1, 2) or seen not in (0, 1):
            raise UnknownTacticError("expected depth=1 or 2 and seen=0 or 1, got %r and %r" % (depth, seen))
        self._depth, self._seen = depth, seen
        self._scratch = make_scratch()

    def __call__(self, table, rows):
        actions = np.zeros(len(rows), np.int16)
        _choose(table.suits, table.settings, self._scratch, table.games, rows, self._depth, self._seen, actions)
        return actions


class OurPlayer(ShantenPlayer):
    """As ShantenPlayer, one step further, from what FoxThinker's networks see: the own hand."""

    def __init__(self, depth=2, seen=0):
        super().__init__(depth, seen)


class Scratch(NamedTuple):
    """Working memory of one thread."""

    keys: np.ndarray  # int32[4]
    rests: np.ndarray  # uint64[4]
    hand: np.ndarray  # uint8[34], a hand that is tried out
    unseen: np.ndarray  # int64[34], copies that may be drawn
    after: np.ndarray  # int8[2, 34], by depth: steps with one more tile
    steps: np.ndarray  # int8[2, 34], by depth: steps after a discard


def make_scratch():
    """A new Scratch."""
    by_depth = (2, TILE_COUNT)
    return Scratch(np.zeros(4, np.int32), np.zeros(4, np.uint64), np.zeros(TILE_COUNT, np.uint8),
                   np.zeros(TILE_COUNT, np.int64), np.zeros(by_depth, np.int8), np.zeros(by_depth, np.int8))


@jit
def _choose(suits, settings, scratch, games, rows, depth, seen, actions):
    for place in range(len(rows)):
        actions[place] = _choose_one(suits, settings, scratch, games[rows[place]], depth, seen)


@jit_part
def _choose_one(suits, settings, scratch, game, depth, seen):
    if is_legal(game.mask, WIN_INDEX):
        return WIN_INDEX
    if game.phase == ROB:
        return PASS_INDEX
    seat, tile = np.int64(game.seat), np.int64(game.tile)
    sets = FULL_SETS - np.int64(game.meld_count[seat])
    has_pairs = settings.seven_pairs != 0
    hand = scratch.hand
    for kind in range(TILE_COUNT):
        hand[kind] = game.hand[seat, kind]
        scratch.unseen[kind] = max(0, COPIES - np.int64(hand[kind]) - seen * np.int64(game.seen[kind]))
    if game.phase == CLAIM:
        steps = _count_steps(suits, has_pairs, scratch, game.wild, sets)
        if is_legal(game.mask, OPEN_KONG_BASE + tile):
            if _count_steps_without(suits, has_pairs, scratch, game.wild, sets, tile, 3) <= steps:
                return OPEN_KONG_BASE + tile
        if is_legal(game.mask, PUNG_BASE + tile):
            hand[tile] -= 2
            if _list_discards(suits, has_pairs, scratch, game.wild, sets - 1, 0) < steps:
                return PUNG_BASE + tile
        return PASS_INDEX
    steps = _list_discards(suits, has_pairs, scratch, game.wild, sets, 0)
    for kind in range(TILE_COUNT):
        if is_legal(game.mask, CONCEALED_KONG_BASE + kind):
            if _count_steps_without(suits, has_pairs, scratch, game.wild, sets, kind, 4) <= steps:
                return CONCEALED_KONG_BASE + kind
        if is_legal(game.mask, ADDED_KONG_BASE + kind) and scratch.steps[0, kind] == steps:
            return ADDED_KONG_BASE + kind
    best, most = -1, -1
    for kind in _ORDER:
        if hand[kind] and scratch.steps[0, kind] == steps:
            hand[kind] -= 1
            value = _value(suits, has_pairs, scratch, game.wild, sets) if depth == 2 else _count_useful(
                suits, has_pairs, scratch, game.wild, sets, 0)
            hand[kind] += 1
            if value > most:
                best, most = kind, value
    return DISCARD_BASE + best


@jit_part
def _count_steps_without(suits, has_pairs, scratch, wild, sets, kind, copies):
    """Steps of scratch.hand when some copies of a kind are laid out as a kong."""
    scratch.hand[kind] -= copies
    steps = _count_steps(suits, has_pairs, scratch, wild, sets - 1)
    scratch.hand[kind] += copies
    return steps


@jit_part
def _count_steps(suits, has_pairs, scratch, wild, sets):
    return read_steps(suits, has_pairs, scratch.hand, wild, sets, scratch.keys, scratch.rests, scratch.after[0])


@jit_part
def _list_discards(suits, has_pairs, scratch, wild, sets, level):
    """Writes the steps after each discard of the tried hand into scratch.steps[level]; returns the fewest."""
    hand, steps = scratch.hand, scratch.steps[level]
    wilds = read_keys(hand, wild, scratch.keys)
    read_rests(suits, scratch.keys, scratch.rests)
    pairs, odd = count_pairs(hand, wild)
    fewest = _FAR
    for tile in range(TILE_COUNT):
        steps[tile] = _FAR
        if not hand[tile]:
            continue
        if wild >> tile & 1:
            # A wild tile goes where nothing else is left to discard.
            steps[tile] = _FAR - 1
        else:
            lack = lack_with(suits, scratch.keys, scratch.rests, tile, -1, sets)
            if has_pairs and sets == FULL_SETS:
                is_odd = np.int64(hand[tile] & 1)
                lack = min(lack, lack_pairs(pairs - 1 + is_odd, odd + 1 - 2 * is_odd))
            steps[tile] = lack - wilds - 1
        fewest = min(fewest, np.int64(steps[tile]))
    return fewest


@jit_part
def _count_useful(suits, has_pairs, scratch, wild, sets, level):
    """Copies left of the tiles that bring the tried hand a step nearer."""
    after = scratch.after[level]
    steps = read_steps(suits, has_pairs, scratch.hand, wild, sets, scratch.keys, scratch.rests, after)
    count = 0
    for tile in range(TILE_COUNT):
        if after[tile] < steps:
            count += scratch.unseen[tile]
    return count


@jit_part
def _value(suits, has_pairs, scratch, wild, sets):
    """In how many ways two useful tiles in a row can come; one where it takes no more."""
    hand, unseen = scratch.hand, scratch.unseen
    after = scratch.after[0]
    steps = _count_steps(suits, has_pairs, scratch, wild, sets)
    total = 0
    for tile in range(TILE_COUNT):
        if after[tile] < steps and steps == 0:
            total += unseen[tile]
        elif after[tile] < steps and unseen[tile]:
            hand[tile] += 1
            unseen[tile] -= 1
            fewest = _list_discards(suits, has_pairs, scratch, wild, sets, 1)
            most = 0
            for kind in range(TILE_COUNT):
                if hand[kind] and scratch.steps[1, kind] == fewest:
                    hand[kind] -= 1
                    most = max(most, _count_useful(suits, has_pairs, scratch, wild, sets, 1))
                    hand[kind] += 1
            unseen[tile] += 1
            hand[tile] -= 1
            total += unseen[tile] * most
    return total
