"""Views of owed decisions, as network/observation.py lays them out, and full observations for critics."""

import numpy as np

from ...observation.layout import (
    CLAIM, CONCEALED_KONG, FOLLOW, FULL_SIZE, HIDDEN_PLACES, NONE, PLACES, OBSERVATION_SIZE, RIVER_SIZE, TURN,
    WALL_DRAWS,
)
from ..table.walls import SLICE_SIZE
from .compile import jit

_TASK = PLACES["task"][0]
_SEAT_WIND = PLACES["seat_wind"][0]
_PREVALENT_WIND = PLACES["prevalent_wind"][0]
_LAST_TILE = PLACES["last_tile"][0]
_LAST_GIVER = PLACES["last_giver"][0]
_AFTER_KONG = PLACES["after_kong"][0]
_DISCARD_COUNT = PLACES["discard_count"][0]
_WALLS = PLACES["walls"][0]
_HAND_SIZES = PLACES["hand_sizes"][0]
_RIVER_SIZES = PLACES["river_sizes"][0]
_HAND = PLACES["hand"][0]
_UNSEEN = PLACES["unseen"][0]
_MELD_KIND = PLACES["meld_kind"][0]
_MELD_TILE = PLACES["meld_tile"][0]
_MELD_CLAIMED = PLACES["meld_claimed"][0]
_MELD_GIVER = PLACES["meld_giver"][0]
_MELD_TIME = PLACES["meld_time"][0]
_RIVER_TILE = PLACES["river_tile"][0]
_RIVER_CLAIMER = PLACES["river_claimer"][0]
_RIVER_TIME = PLACES["river_time"][0]
_HANDS = HIDDEN_PLACES["hands"][0]
_KONG_TILE = HIDDEN_PLACES["kong_tile"][0]
_WALL_TILES = HIDDEN_PLACES["wall_tiles"][0]


@jit
def write_observation(game, viewer, observation):
    """Writes what `viewer` sees of a game at its decision into uint8[OBSERVATION_SIZE or more]."""
    phase = game.phase
    turn = np.int64(game.turn)
    observation[_TASK] = phase
    observation[_SEAT_WIND] = viewer
    observation[_PREVALENT_WIND] = game.wind
    observation[_LAST_TILE] = game.last_tile
    giver = turn
    if phase == FOLLOW:
        giver = np.int64(game.meld[viewer, game.meld_count[viewer] - 1, 3])
    observation[_LAST_GIVER] = (giver - viewer) & 3
    observation[_AFTER_KONG] = game.after_kong if phase == TURN else 0
    observation[_DISCARD_COUNT] = game.discard_count
    for tile in range(34):
        observation[_HAND + tile] = game.hand[viewer, tile]
    for tile in range(34):
        observation[_UNSEEN + tile] = 4 - game.hand[viewer, tile] - game.shown[tile]
    if phase == CLAIM:
        # Lies on the table, and counts as shown once nobody claims it.
        observation[_UNSEEN + np.int64(game.last_tile)] -= 1
    for at in range(16):
        observation[_MELD_KIND + at] = 0
        observation[_MELD_TILE + at] = NONE
        observation[_MELD_CLAIMED + at] = NONE
        observation[_MELD_GIVER + at] = 0
        observation[_MELD_TIME + at] = 0
    for offset in range(4):
        seat = (viewer + offset) & 3
        observation[_WALLS + offset] = game.wall_left[seat]
        size = 13 + (phase == TURN and seat == turn) + (phase == FOLLOW and seat == turn)
        observation[_HAND_SIZES + offset] = size - 3 * game.meld_count[seat]
        observation[_RIVER_SIZES + offset] = game.river_count[seat]
        _write_melds(game, viewer, seat, offset, observation)
        _write_river(game, viewer, seat, offset, observation)


@jit
def _write_melds(game, viewer, seat, offset, observation):
    for place in range(game.meld_count[seat]):
        at = 4 * offset + place
        kind = game.meld[seat, place, 0]
        tile = np.int64(game.meld[seat, place, 1])
        observation[_MELD_KIND + at] = kind
        if kind != CONCEALED_KONG or seat == viewer:
            observation[_MELD_TILE + at] = tile
        if kind == CONCEALED_KONG and seat == viewer:
            observation[_UNSEEN + tile] = 0
        observation[_MELD_CLAIMED + at] = game.meld[seat, place, 2]
        observation[_MELD_GIVER + at] = (np.int64(game.meld[seat, place, 3]) - viewer) & 3
        observation[_MELD_TIME + at] = game.meld[seat, place, 4]


@jit
def _write_river(game, viewer, seat, offset, observation):
    at = RIVER_SIZE * offset
    shift = np.uint8(3 - viewer)
    for place in range(RIVER_SIZE):
        observation[_RIVER_TILE + at + place] = game.river_tile[seat, place]
    for place in range(RIVER_SIZE):
        claimer = game.river_claimer[seat, place]
        observation[_RIVER_CLAIMER + at + place] = (
            np.uint8(1) + ((claimer + shift) & np.uint8(3)) if claimer else np.uint8(0))
    for place in range(RIVER_SIZE):
        observation[_RIVER_TIME + at + place] = game.river_time[seat, place]


@jit
def write_hidden(game, viewer, observation):
    """Writes the hidden part of a full observation into uint8[FULL_SIZE]."""
    for offset in range(4):
        seat = (viewer + offset) & 3
        left = np.int64(game.wall_left[seat])
        for place in range(WALL_DRAWS):
            tile = NONE
            if place < left:
                tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1 - place])
            observation[_WALL_TILES + WALL_DRAWS * offset + place] = tile
        if offset == 0:
            continue
        for tile in range(34):
            observation[_HANDS + 34 * (offset - 1) + tile] = game.hand[seat, tile]
        for place in range(4):
            tile = NONE
            if place < game.meld_count[seat] and game.meld[seat, place, 0] == CONCEALED_KONG:
                tile = np.int64(game.meld[seat, place, 1])
            observation[_KONG_TILE + 4 * (offset - 1) + place] = tile


@jit
def write_observations(games, owed, full, observations):
    """Writes the observation of every row of owed, the full one where `full` is true."""
    for row in range(len(owed)):
        game = games[owed[row].game]
        viewer = np.int64(owed[row].seat)
        write_observation(game, viewer, observations[row])
        if full:
            write_hidden(game, viewer, observations[row])


def make_observations(count, full=False):
    """Room for observations: uint8[count, OBSERVATION_SIZE], or FULL_SIZE."""
    return np.zeros((count, FULL_SIZE if full else OBSERVATION_SIZE), np.uint8)
