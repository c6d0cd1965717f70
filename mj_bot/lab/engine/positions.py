"""Positions in mid-game: a full observation turned into a game, and the hidden part of an observation filled in at
random.

A full observation holds all that matters to what comes: a game made of it plays on as the one that it was taken from,
but for its log, which starts empty.
"""

import numpy as np

from ...mahjong.errors import InvalidHandError
from ...mahjong.rules import HAND_TILES
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from ...observation.layout import (
    CHOW, CLAIM, CONCEALED_KONG, FOLLOW, FULL_SIZE, HIDDEN_PLACES, NONE, PUNG, ROB, TURN, OBSERVATION_SIZE, field,
)
from ..table.walls import SLICE_SIZE
from .compile import jit
from .games import GAME
from .rules import add_tile, forget_wins, note_other_wins, note_win, refresh_shapes
from .tables import POWERS, load_tables


def decode_position(full_observation):
    """The game (GAME, a structured scalar) that a full observation, uint8[FULL_SIZE], shows; Engine.put takes it.

    Raises InvalidHandError: an observation of no decision, tiles that are not four of each kind, or a hand of a wrong
    size.
    """
    read = {name: field(full_observation, name) for name in _FIELDS}
    if read["task"][0] not in (TURN, FOLLOW, CLAIM, ROB):
        raise InvalidHandError("expected an observation at a decision, task 0..3, got task %d" % read["task"][0])
    me = int(read["seat_wind"][0])
    games = np.zeros(1, GAME)
    game = games[0]
    # From the seats' order as the viewer sees it to the absolute one.
    turned = [(seat - me) % 4 for seat in range(4)]
    game["game_id"] = -1
    game["winner"] = game["giver"] = -1
    game["wind"] = read["prevalent_wind"][0]
    game["phase"] = read["task"][0]
    game["turn"] = me if game["phase"] in (TURN, FOLLOW) else (me + read["last_giver"][0]) % 4
    game["last_tile"] = read["last_tile"][0]
    game["after_kong"] = read["after_kong"][0]
    game["discard_count"] = read["discard_count"][0]
    game["wall_left"] = read["walls"][turned]
    game["river_count"] = read["river_sizes"][turned]
    game["river_tile"] = read["river_tile"][turned]
    claimer = read["river_claimer"][turned]
    game["river_claimer"] = np.where(claimer > 0, 1 + (claimer.astype(int) - 1 + me) % 4, 0)
    game["river_time"] = read["river_time"][turned]
    game["hand"] = np.concatenate([read["hand"][None], read["hands"]])[turned]
    _decode_melds(game, read, me, turned)
    game["wall"] = NONE
    for seat in range(4):
        left = int(game["wall_left"][seat])
        game["wall"][SLICE_SIZE * seat:SLICE_SIZE * seat + left] = read["wall_tiles"][turned[seat]][:left][::-1]
    shown = _count_shown(game)
    _check_tiles(game, shown)
    # As rules.is_fourth_tile has it: a discard that may be claimed is not shown yet.
    if game["phase"] == CLAIM:
        shown[game["last_tile"]] -= 1
    game["shown"] = shown
    _set_up(games, load_tables().shapes)
    return game


def fill_hidden(observation, rng):
    """A full observation, uint8[FULL_SIZE], of an observation: the unseen tiles dealt to hands, kongs and walls at
    random.

    observation: uint8[OBSERVATION_SIZE]. rng: numpy.random.Generator. Every arrangement is equally likely, save that
    concealed kongs are settled first, each of them equally likely to be any kind of which no copy is seen.
    Raises InvalidHandError: numbers that do not add up to the unseen tiles.
    """
    full = np.zeros(FULL_SIZE, np.uint8)
    full[:OBSERVATION_SIZE] = observation
    unseen = field(observation, "unseen").astype(int)
    kongs = field(full, "kong_tile")
    kongs[:] = NONE
    hidden = np.argwhere(field(observation, "meld_kind")[1:] == CONCEALED_KONG)
    kinds = np.flatnonzero(unseen == COPIES)
    if len(kinds) < len(hidden):
        raise InvalidHandError("expected %d kinds without a copy seen, for concealed kongs, got %d"
                               % (len(hidden), len(kinds)))
    for (owner, place), tile in zip(hidden, rng.permutation(kinds)):
        kongs[owner, place] = tile
        unseen[tile] = 0
    tiles = rng.permutation(np.repeat(np.arange(TILE_COUNT), unseen))
    sizes, walls = field(observation, "hand_sizes")[1:].astype(int), field(observation, "walls").astype(int)
    if len(tiles) != sizes.sum() + walls.sum():
        raise InvalidHandError("expected %d tiles in hands and walls, got %d unseen"
                               % (sizes.sum() + walls.sum(), len(tiles)))
    parts = np.split(tiles, np.cumsum(np.concatenate([sizes, walls]))[:-1])
    field(full, "hands")[:] = [np.bincount(part, minlength=TILE_COUNT) for part in parts[:3]]
    field(full, "wall_tiles")[:] = NONE
    for offset, part in enumerate(parts[3:]):
        field(full, "wall_tiles")[offset, :len(part)] = part
    return full


_FIELDS = ("task", "seat_wind", "prevalent_wind", "last_tile", "last_giver", "after_kong", "discard_count", "walls",
           "river_sizes", "hand", "meld_kind", "meld_tile", "meld_claimed", "meld_giver", "meld_time", "river_tile",
           "river_claimer", "river_time") + tuple(HIDDEN_PLACES)


def _decode_melds(game, read, me, turned):
    tiles = read["meld_tile"].copy()
    hidden = read["kong_tile"] != NONE
    tiles[1:][hidden] = read["kong_tile"][hidden]
    giver = (read["meld_giver"].astype(int) + me) % 4
    melds = np.stack([read["meld_kind"], tiles, read["meld_claimed"], giver, read["meld_time"]], axis=-1)[turned]
    game["meld"] = melds
    game["meld_count"] = (melds[:, :, 0] > 0).sum(axis=1)


def _check_tiles(game, shown):
    """Refuses a game whose tiles are not four of each kind, or whose hands are of a wrong size."""
    counts = shown + game["hand"].sum(axis=0, dtype=int)
    for seat in range(4):
        melds = game["meld"][seat, :game["meld_count"][seat]]
        size = HAND_TILES - 3 * len(melds) + (game["phase"] in (TURN, FOLLOW) and game["turn"] == seat)
        held = game["hand"][seat].sum()
        if held != size:
            raise InvalidHandError("expected %d tiles in the hand of seat %d, got %d" % (size, seat, held))
        np.add.at(counts, melds[melds[:, 0] == CONCEALED_KONG, 1], COPIES)
        wall = game["wall"][SLICE_SIZE * seat:SLICE_SIZE * seat + game["wall_left"][seat]]
        counts += np.bincount(np.minimum(wall, TILE_COUNT - 1), minlength=TILE_COUNT)
    wrong = np.flatnonzero(counts != COPIES)
    if len(wrong):
        raise InvalidHandError("expected four %s in hands, melds, rivers and walls, got %d" % (
            TILE_NAMES[wrong[0]], counts[wrong[0]]))


def _count_shown(game):
    """Tiles by kind in rivers and in melds, concealed kongs apart."""
    shown = np.zeros(TILE_COUNT, int)
    for seat in range(4):
        for kind, tile, *_ in game["meld"][seat, :game["meld_count"][seat]].tolist():
            if kind == CHOW:
                shown[tile - 1:tile + 2] += 1
            elif kind != CONCEALED_KONG:
                shown[tile] += 3 if kind == PUNG else COPIES
        river = game["river_tile"][seat][:game["river_count"][seat]]
        unclaimed = river[game["river_claimer"][seat][:len(river)] == 0]
        np.add.at(shown, np.minimum(unclaimed, TILE_COUNT - 1), 1)
    return shown


@jit
def _set_up(games, shapes):
    """Everything that follows from the hands."""
    game = games[0]
    turn = np.int64(game.turn)
    last = np.int64(game.last_tile)
    for seat in range(4):
        for tile in range(TILE_COUNT):
            copies = game.hand[seat, tile]
            game.hand[seat, tile] = 0
            for _ in range(copies):
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
