"""Positions in mid-game: games made of full observations, and the hidden part of an observation filled in at random.

A full observation holds all that matters to what comes: a game made of it plays on as the one that it was taken from,
but for its log, which starts empty.
"""

import numpy as np

from ...mahjong.errors import InvalidHandError
from ...mahjong.rules import HAND_TILES
from ...mahjong.splitmix import STEP
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from ...observation.layout import (
    AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, FULL_SIZE, NONE, OBSERVATION_SIZE, PUNG, RIVER_SIZE, ROB, TURN, WALL_DRAWS,
)
from ..table.walls import SLICE_SIZE, WALL_SIZE
from .compile import jit, jit_part
from .games import GAME
from .legality import mix
from .rules import add_tile, forget_wins, note_other_wins, note_win, refresh_shapes
from .tables import POWERS, load_tables

_WRONG_TASK, _WRONG_HAND, _WRONG_TILES, _TOO_MANY_KONGS, _WRONG_TOTAL = range(1, 6)


def decode_positions(full_observations):
    """The games, GAME[N], that full observations, uint8[N, FULL_SIZE], show; Engine.put takes them.

    Raises InvalidHandError: an observation of no decision, tiles that are not four of each kind, or a hand of a wrong
    size.
    """
    full_observations = np.ascontiguousarray(full_observations)
    games = np.zeros(len(full_observations), GAME)
    fault = np.zeros(4, np.int64)
    row = _read_games(full_observations, load_tables().shapes, games, fault)
    if row >= 0:
        kind, first, second, third = fault.tolist()
        raise InvalidHandError({
            _WRONG_TASK: "expected an observation at a decision, task 0..3, got task %d" % first,
            _WRONG_HAND: "expected %d tiles in the hand of seat %d, got %d" % (second, first, third),
            _WRONG_TILES: "expected four %s in hands, melds, rivers and walls, got %d" % (
                TILE_NAMES[first % TILE_COUNT], second),
        }[kind])
    return games


def decode_position(full_observation):
    """The game of one full observation, uint8[FULL_SIZE]; see decode_positions."""
    return decode_positions(full_observation[None])[0]


def fill_hidden(observation, seed):
    """A full observation, uint8[FULL_SIZE], of an observation: the unseen tiles dealt to hands, kongs and walls at
    random.

    observation: uint8[OBSERVATION_SIZE]. seed: 0 .. 2**64 - 1. Every arrangement is equally likely, save that
    concealed kongs are settled first, each of them equally likely to be any kind of which no copy is seen.
    Raises InvalidHandError: numbers that do not add up to the unseen tiles.
    """
    full = np.zeros(FULL_SIZE, np.uint8)
    full[:OBSERVATION_SIZE] = observation
    fault = np.zeros(4, np.int64)
    if not _fill_hidden(full, np.uint64(seed), np.zeros(WALL_SIZE, np.uint8), fault):
        kind, first, second, _ = fault.tolist()
        raise InvalidHandError({
            _TOO_MANY_KONGS: "expected %d kinds without a copy seen, for concealed kongs, got %d" % (first, second),
            _WRONG_TOTAL: "expected %d tiles in hands and walls, got %d unseen" % (first, second),
        }[kind])
    return full


# -- a full observation read


@jit
def _read_games(full_observations, shapes, games, fault):
    """Reads every game; returns the row of the first one that cannot be, with its fault, else -1."""
    for row in range(len(full_observations)):
        task = full_observations[row, AT.task]
        if task != TURN and task != FOLLOW and task != CLAIM and task != ROB:
            fault[0], fault[1] = _WRONG_TASK, task
            return row
        read_game(full_observations[row], shapes, games[row])
        if not _check_tiles(games[row], fault):
            return row
    return -1


@jit_part
def read_game(full, shapes, game):
    """Sets a game up as a full observation shows it."""
    me = np.int64(full[AT.seat_wind])
    game.game_id = -1
    game.winner = game.giver = -1
    game.log_count = 0
    game.wind = full[AT.prevalent_wind]
    game.phase = full[AT.task]
    game.turn = me
    if game.phase == CLAIM or game.phase == ROB:
        game.turn = (me + full[AT.last_giver]) & 3
    game.last_tile = full[AT.last_tile]
    game.after_kong = full[AT.after_kong]
    game.discard_count = full[AT.discard_count]
    for offset in range(4):
        seat = (me + offset) & 3
        game.score[seat] = 0
        _read_river(full, me, offset, seat, game)
        _read_melds(full, me, offset, seat, game)
        left = np.int64(full[AT.walls + offset])
        game.wall_left[seat] = left
        for place in range(SLICE_SIZE):
            game.wall[SLICE_SIZE * seat + place] = NONE
        for place in range(min(left, WALL_DRAWS)):
            game.wall[SLICE_SIZE * seat + left - 1 - place] = full[AT.wall_tiles + WALL_DRAWS * offset + place]
    _count_shown(game)
    _set_up(full, me, shapes, game)


@jit_part
def _read_river(full, me, offset, seat, game):
    game.river_count[seat] = full[AT.river_sizes + offset]
    for place in range(RIVER_SIZE):
        at = RIVER_SIZE * offset + place
        game.river_tile[seat, place] = full[AT.river_tile + at]
        game.river_time[seat, place] = full[AT.river_time + at]
        claimer = np.int64(full[AT.river_claimer + at])
        game.river_claimer[seat, place] = 1 + (claimer - 1 + me & 3) if claimer else 0


@jit_part
def _read_melds(full, me, offset, seat, game):
    count = 0
    for place in range(4):
        at = 4 * offset + place
        tile = full[AT.meld_tile + at]
        if offset and full[AT.kong_tile + at - 4] != NONE:
            tile = full[AT.kong_tile + at - 4]
        game.meld[seat, place, 0] = full[AT.meld_kind + at]
        game.meld[seat, place, 1] = tile
        game.meld[seat, place, 2] = full[AT.meld_claimed + at]
        game.meld[seat, place, 3] = (full[AT.meld_giver + at] + me) & 3
        game.meld[seat, place, 4] = full[AT.meld_time + at]
        count += full[AT.meld_kind + at] > 0
    game.meld_count[seat] = count


@jit_part
def _count_shown(game):
    """Writes the tiles by kind in rivers and in melds, concealed kongs apart, as the rules count the fourth tile."""
    game.shown[:] = 0
    for seat in range(4):
        for place in range(game.meld_count[seat]):
            kind, tile = game.meld[seat, place, 0], np.int64(game.meld[seat, place, 1])
            if kind == CHOW:
                for part in range(tile - 1, tile + 2):
                    game.shown[part] += 1
            elif kind != CONCEALED_KONG:
                game.shown[tile] += 3 if kind == PUNG else COPIES
        for place in range(game.river_count[seat]):
            if game.river_claimer[seat, place] == 0 and game.river_tile[seat, place] < NONE:
                game.shown[np.int64(game.river_tile[seat, place])] += 1
    # A discard that may be claimed is not shown yet, see rules.is_fourth_tile.
    if game.phase == CLAIM:
        game.shown[np.int64(game.last_tile)] -= 1


@jit_part
def _set_up(full, me, shapes, game):
    """The hands, and everything that follows from them."""
    turn = np.int64(game.turn)
    last = np.int64(game.last_tile)
    for offset in range(4):
        seat = (me + offset) & 3
        at = AT.hand if offset == 0 else AT.hands + TILE_COUNT * (offset - 1)
        game.held[seat] = game.quads[seat] = 0
        game.key[seat, :] = 0
        for tile in range(TILE_COUNT):
            game.hand[seat, tile] = 0
            for _ in range(full[at + tile]):
                add_tile(game, seat, tile)
        drawn = POWERS[last] if game.phase == TURN and seat == turn else 0
        # The shapes are those without the tile just drawn.
        if drawn:
            game.key[seat, last // 9] -= drawn
        refresh_shapes(game, shapes, seat, 0, 9)
        refresh_shapes(game, shapes, seat, 18, 27)
        if drawn:
            game.key[seat, last // 9] += drawn
    forget_wins(game)
    if game.phase == TURN:
        note_win(game, shapes, turn, last, 0)
    elif game.phase == CLAIM or game.phase == ROB:
        note_other_wins(game, shapes, turn, last)


@jit_part
def _check_tiles(game, fault):
    """Whether there are four of each tile, and hands of the right sizes; else writes the fault."""
    for seat in range(4):
        size = HAND_TILES - 3 * np.int64(game.meld_count[seat])
        if (game.phase == TURN or game.phase == FOLLOW) and game.turn == seat:
            size += 1
        held = 0
        for tile in range(TILE_COUNT):
            held += game.hand[seat, tile]
        if held != size:
            fault[0], fault[1], fault[2], fault[3] = _WRONG_HAND, seat, size, held
            return False
    for tile in range(TILE_COUNT):
        count = np.int64(game.shown[tile]) + (game.phase == CLAIM and game.last_tile == tile)
        for seat in range(4):
            count += game.hand[seat, tile]
            for place in range(game.meld_count[seat]):
                if game.meld[seat, place, 0] == CONCEALED_KONG and game.meld[seat, place, 1] == tile:
                    count += COPIES
            for place in range(game.wall_left[seat]):
                count += game.wall[SLICE_SIZE * seat + place] == tile
        if count != COPIES:
            fault[0], fault[1], fault[2] = _WRONG_TILES, tile, count
            return False
    return True


# -- what is hidden filled in


@jit
def _fill_hidden(full, seed, tiles, fault):
    """Fills in a full observation; false where it cannot be, with the fault.

    tiles: uint8[136] to work in.
    """
    seed, is_possible = _settle_kongs(full, seed, tiles, fault)
    if not is_possible:
        return False
    count = 0
    for tile in range(TILE_COUNT):
        copies = np.int64(full[AT.unseen + tile])
        for at in range(AT.kong_tile, AT.kong_tile + 12):
            if full[at] == tile:
                copies = 0
        for _ in range(copies):
            tiles[count] = tile
            count += 1
    expected = 0
    for offset in range(4):
        expected += np.int64(full[AT.walls + offset])
        if offset:
            expected += np.int64(full[AT.hand_sizes + offset])
    if count != expected:
        fault[0], fault[1], fault[2] = _WRONG_TOTAL, expected, count
        return False
    for place in range(count - 1, 0, -1):
        other = _draw(seed, place + 1)
        seed += np.uint64(STEP)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    _deal(full, tiles)
    return True


@jit_part
def _draw(seed, count):
    """A number 0 .. count - 1."""
    return np.int64(((mix(seed) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@jit_part
def _settle_kongs(full, seed, kinds, fault):
    """Gives the others' concealed kongs kinds of which no copy is seen; (seed to go on with, whether there are enough).

    kinds: uint8[136] to work in.
    """
    count = 0
    for tile in range(TILE_COUNT):
        if full[AT.unseen + tile] == COPIES:
            kinds[count] = tile
            count += 1
    kongs = 0
    for at in range(12):
        full[AT.kong_tile + at] = NONE
        if full[AT.meld_kind + 4 + at] != CONCEALED_KONG:
            continue
        kongs += 1
        if count:
            chosen = _draw(seed, count)
            seed += np.uint64(STEP)
            full[AT.kong_tile + at] = kinds[chosen]
            count -= 1
            kinds[chosen] = kinds[count]
        else:
            fault[0], fault[1], fault[2] = _TOO_MANY_KONGS, kongs, kongs - 1
    return seed, fault[0] == 0


@jit_part
def _deal(full, tiles):
    """Deals tiles to the other hands, then to the walls."""
    at = 0
    for offset in range(1, 4):
        hand = AT.hands + TILE_COUNT * (offset - 1)
        for tile in range(TILE_COUNT):
            full[hand + tile] = 0
        for _ in range(full[AT.hand_sizes + offset]):
            full[hand + tiles[at]] += 1
            at += 1
    for offset in range(4):
        wall = AT.wall_tiles + WALL_DRAWS * offset
        left = np.int64(full[AT.walls + offset])
        for place in range(WALL_DRAWS):
            full[wall + place] = NONE
        for place in range(left):
            full[wall + place] = tiles[at]
            at += 1
