"""Games of tactics against themselves and each other, on the engine, with some of the moves made at random.

A game depends on the seed and its number alone, whatever other games are played with it. Game k of seed s has the wall
of seed (2**30 + s) << 32 | k: no match of a seed below 2**30 plays on a wall of the sets (arena/schedule.py).
"""

from functools import lru_cache

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import PASS_INDEX, WIN_INDEX
from ...mahjong.compiled import mix
from ...mahjong.fan import list_fans
from ...observation.layout import FOLLOW, TURN
from ..arena.engine_runner import choose
from ..engine.batch import Engine
from ..engine.decisions import count_legal, end_of_game, is_legal, nth_legal
from ..engine.sources import seed_source, shuffle_wall, wind_from_seed
from ..engine.winning import fan_arguments
from ..records.compact import HEAD, Games
from ..records.game_record import ALL_ANSWERS, ANSWER_BASE, MARK, MOST_MOVES, OWN_SUITS, OWN_SUITS_FANS, REAL_WALL
from ..table.choosers import load_chooser
from ..table.walls import WALL_SIZE

_WIDTH = 256
# Uses of a game's random numbers: its players, by seat, and its moves.
_PLAYERS, _MOVES = range(2)


@lru_cache(maxsize=1)
def _open(specs):
    return [load_chooser(spec) for spec in specs], Engine(_WIDTH, memo_size=1 << 16)


def play_games(specs, seed, random_share, first, stop):
    """Games first .. stop - 1 of an endless series of numbered games, as Games.

    specs: tuple of tactics with `choose`, which the process keeps for the next call; each seat of a game draws one of
    them, so a name twice has twice the seats. seed: 0 .. 2**30 - 1. random_share: of the decisions without a legal win,
    the share drawn evenly from all legal actions.
    """
    choosers, engine = _open(specs)
    count, first_seed = stop - first, ((1 << 30) + seed << 32) + first
    heads, walls = np.zeros(count, HEAD), np.zeros((count, WALL_SIZE), np.uint8)
    heads["facts"] = ALL_ANSWERS | REAL_WALL
    moves, sizes = np.zeros((count, MOST_MOVES), np.uint8), np.zeros(count, np.int64)
    _set_up(np.uint64(first_seed), len(choosers), heads, walls)
    engine.reset(seed_source(first_seed, count))
    while len(engine.pending):
        numbers, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"]
        actions, _ = choose(engine, choosers, heads["players"][numbers, seats])
        _note_moves(engine.games, engine.pending, np.uint64(first_seed), float(random_share), actions, moves, sizes)
        for place, seat in engine.pending[["game", "seat"]][actions == WIN_INDEX].tolist():
            game = engine.games[place]
            if OWN_SUITS_FANS.intersection(name for _, _, name in list_fans(*fan_arguments(game, seat))):
                heads["facts"][game["game_id"]] |= OWN_SUITS
        engine.step(actions)
        heads["scores"][engine.finished["game_id"]] = engine.finished["score"]
    is_used = np.arange(MOST_MOVES) < sizes[:, None]
    return Games(heads, walls, moves[is_used], np.concatenate([[0], np.cumsum(sizes)]),
                 np.full(len(sizes), "", object))


@jit_part
def _random(seed, use, number):
    """A random number of a game, for one use and place."""
    return mix(mix(mix(seed) + np.uint64(use)) + np.uint64(number))


@jit
def _set_up(first_seed, spec_count, heads, walls):
    for place in range(len(heads)):
        seed = first_seed + np.uint64(place)
        shuffle_wall(walls[place], seed)
        head = heads[place]
        head.wind = wind_from_seed(seed)
        for seat in range(4):
            head.players[seat] = _random(seed, _PLAYERS, seat) % np.uint64(spec_count)


@jit
def _note_moves(games, pending, first_seed, share, actions, moves, sizes):
    """Makes some of the actions random, and writes all of them into the moves of their games."""
    end = 0
    while end < len(pending):
        start, end = end, end_of_game(pending, end)
        game = games[pending[start].game]
        number = game.game_id
        seed = first_seed + np.uint64(number)
        random_seats = 0
        for row in range(start, end):
            if _goes_random(game, pending[row], seed, share, actions, row):
                random_seats |= 1 << pending[row].seat
        if game.phase == TURN or game.phase == FOLLOW:
            moves[number, sizes[number]] = actions[start]
            sizes[number] += 1
        if random_seats:
            # The action before these answers may have a mark already.
            if moves[number, sizes[number] - 1] > MARK:
                sizes[number] -= 1
                random_seats |= moves[number, sizes[number]] - MARK
            moves[number, sizes[number]] = MARK + random_seats
            sizes[number] += 1
        if not (game.phase == TURN or game.phase == FOLLOW):
            for row in range(start, end):
                if actions[row] != PASS_INDEX:
                    moves[number, sizes[number]] = ANSWER_BASE + ((pending[row].seat - game.turn) & 3)
                    moves[number, sizes[number] + 1] = actions[row]
                    sizes[number] += 2


@jit_part
def _goes_random(game, decision, seed, share, actions, row):
    """Whether the action is made random; it then is."""
    if is_legal(decision.mask, WIN_INDEX):
        return False
    number = _random(seed, _MOVES, 4 * np.int64(game.log_count) + decision.seat)
    count = count_legal(decision.mask)
    if (number >> np.uint64(11)) * 2.0 ** -53 >= share or count < 2:
        return False
    actions[row] = nth_legal(decision.mask, np.int64(mix(number) % np.uint64(count)))
    return True
