"""Plays games of tactics against themselves and each other with the engine, where some moves are made at random.

A game depends only on the seed and on its number, whatever other games are played with it. Game k of seed s has the
wall of the seed (2**30 + s) << 32 | k. Matches of the arena use smaller seeds, so they never play on these walls.
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
from ..engine.decision_rows import count_legal, end_of_game, is_legal, nth_legal
from ..engine.wall_sources import seed_source, shuffle_wall, wind_from_seed
from ..engine.winning import fan_arguments
from ..records.compact import HEAD, Games
from ..records.game_record import ALL_ANSWERS, ANSWER_BASE, MARK, MOST_MOVES, OWN_SUITS, OWN_SUITS_FANS, REAL_WALL
from ..table.choosers import load_chooser
from ..table.walls import WALL_SIZE

_WIDTH = 256  # games that the engine plays at a time
# A game has random numbers for two uses: the players of its seats, and its moves.
_PLAYERS, _MOVES = range(2)


@lru_cache(maxsize=1)
def _open(specs):
    """Returns (method `choose` of each tactic, engine), which the process keeps."""
    return [load_chooser(spec) for spec in specs], Engine(_WIDTH, memo_size=1 << 16)


def play_games(specs: tuple[str, ...], seed: int, random_share: float, first: int, stop: int) -> Games:
    """Returns the games first .. stop - 1 of an endless series of numbered games.

    specs: tactics with a method `choose`, which the process keeps for the next call. Each seat of a game draws one of
        them, so a tactic that is named twice gets twice the seats.
    seed: 0 .. 2**30 - 1.
    random_share: share of the decisions without a legal win whose action is drawn evenly from all legal actions.
    """
    choosers, engine = _open(specs)
    count, first_seed = stop - first, ((1 << 30) + seed << 32) + first
    heads, walls = np.zeros(count, HEAD), np.zeros((count, WALL_SIZE), np.uint8)
    heads["facts"] = ALL_ANSWERS | REAL_WALL
    moves, sizes = np.zeros((count, MOST_MOVES), np.uint8), np.zeros(count, np.int64)
    _set_up(np.uint64(first_seed), len(choosers), heads, walls)
    engine.reset(seed_source(first_seed, count))
    while len(engine.pending):
        game_numbers, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"]
        actions, _ = choose(engine, choosers, heads["players"][game_numbers, seats])
        _note_moves(engine.games, engine.pending, np.uint64(first_seed), float(random_share), actions, moves, sizes)
        for engine_row, seat in engine.pending[["game", "seat"]][actions == WIN_INDEX].tolist():
            game = engine.games[engine_row]
            if OWN_SUITS_FANS.intersection(name for _, _, name in list_fans(*fan_arguments(game, seat))):
                heads["facts"][game["game_id"]] |= OWN_SUITS
        engine.step(actions)
        heads["scores"][engine.finished["game_id"]] = engine.finished["score"]
    is_used = np.arange(MOST_MOVES) < sizes[:, None]
    return Games(heads, walls, moves[is_used], np.concatenate([[0], np.cumsum(sizes)]),
                 np.full(len(sizes), "", object))


@jit_part
def _random(seed, use, index):
    """Returns a random number of a game."""
    return mix(mix(mix(seed) + np.uint64(use)) + np.uint64(index))


@jit
def _set_up(first_seed, spec_count, heads, walls):
    """Writes the wall, the wind and the players of each game."""
    for row in range(len(heads)):
        seed = first_seed + np.uint64(row)
        shuffle_wall(walls[row], seed)
        head = heads[row]
        head.wind = wind_from_seed(seed)
        for seat in range(4):
            head.players[seat] = _random(seed, _PLAYERS, seat) % np.uint64(spec_count)


@jit
def _note_moves(games, pending, first_seed, share, actions, moves, sizes):
    """Makes some actions random, and appends all to their games' moves uint8[N, MOST_MOVES], now `sizes` long."""
    end = 0
    while end < len(pending):
        start, end = end, end_of_game(pending, end)
        game = games[pending[start].game]
        game_number = game.game_id
        seed = first_seed + np.uint64(game_number)
        random_seats = 0
        for row in range(start, end):
            if _goes_random(game, pending[row], seed, share, actions, row):
                random_seats |= 1 << pending[row].seat
        if game.phase == TURN or game.phase == FOLLOW:
            moves[game_number, sizes[game_number]] = actions[start]
            sizes[game_number] += 1
        if random_seats:
            # The action before these answers may have a mark already.
            if moves[game_number, sizes[game_number] - 1] > MARK:
                sizes[game_number] -= 1
                random_seats |= moves[game_number, sizes[game_number]] - MARK
            moves[game_number, sizes[game_number]] = MARK + random_seats
            sizes[game_number] += 1
        if not (game.phase == TURN or game.phase == FOLLOW):
            for row in range(start, end):
                if actions[row] != PASS_INDEX:
                    moves[game_number, sizes[game_number]] = ANSWER_BASE + ((pending[row].seat - game.turn) & 3)
                    moves[game_number, sizes[game_number] + 1] = actions[row]
                    sizes[game_number] += 2


@jit_part
def _goes_random(game, decision, seed, share, actions, row):
    """Checks whether the action in `row` becomes a random one, and if so writes the random action into `actions`."""
    if is_legal(decision.mask, WIN_INDEX):
        return False
    drawn = _random(seed, _MOVES, 4 * np.int64(game.log_count) + decision.seat)
    count = count_legal(decision.mask)
    if (drawn >> np.uint64(11)) * 2.0 ** -53 >= share or count < 2:
        return False
    actions[row] = nth_legal(decision.mask, np.int64(mix(drawn) % np.uint64(count)))
    return True
