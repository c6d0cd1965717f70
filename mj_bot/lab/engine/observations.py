"""Observations of pending decisions, as observation/layout.py lays them out, and full ones for critics."""

import numpy as np

from ...jit import jit, jit_part
from ...observation.layout import AT, CLAIM, CONCEALED_KONG, FOLLOW, NONE, RIVER_SIZE, TURN, WALL_DRAWS
from ..table.walls import SLICE_SIZE


@jit_part
def write_observation(game, viewer, observation):
    """Writes the observation of seat `viewer` at its decision into uint8[OBSERVATION_SIZE or more]."""
    phase = game.phase
    turn = np.int64(game.turn)
    observation[AT.task] = phase
    observation[AT.seat_wind] = viewer
    observation[AT.prevalent_wind] = game.wind
    observation[AT.last_tile] = game.last_tile
    giver = turn
    if phase == FOLLOW:
        giver = np.int64(game.meld[viewer, game.meld_count[viewer] - 1, 3])
    observation[AT.last_giver] = (giver - viewer) & 3
    observation[AT.after_kong] = game.after_kong if phase == TURN else 0
    observation[AT.discard_count] = game.discard_count
    for tile in range(34):
        observation[AT.hand + tile] = game.hand[viewer, tile]
    for tile in range(34):
        observation[AT.unseen + tile] = 4 - game.hand[viewer, tile] - game.shown[tile]
    if phase == CLAIM:
        # The tile counts as shown only when nobody has claimed it.
        observation[AT.unseen + np.int64(game.last_tile)] -= 1
    for at in range(16):
        observation[AT.meld_kind + at] = 0
        observation[AT.meld_tile + at] = NONE
        observation[AT.meld_claimed + at] = NONE
        observation[AT.meld_giver + at] = 0
        observation[AT.meld_time + at] = 0
    for offset in range(4):
        seat = (viewer + offset) & 3
        observation[AT.walls + offset] = game.wall_left[seat]
        size = 13 + (phase == TURN and seat == turn) + (phase == FOLLOW and seat == turn)
        observation[AT.hand_sizes + offset] = size - 3 * game.meld_count[seat]
        observation[AT.river_sizes + offset] = game.river_count[seat]
        _write_melds(game, viewer, seat, offset, observation)
        _write_river(game, viewer, seat, offset, observation)


@jit_part
def _write_melds(game, viewer, seat, offset, observation):
    for place in range(game.meld_count[seat]):
        at = 4 * offset + place
        kind = game.meld[seat, place, 0]
        tile = np.int64(game.meld[seat, place, 1])
        observation[AT.meld_kind + at] = kind
        if kind != CONCEALED_KONG or seat == viewer:
            observation[AT.meld_tile + at] = tile
        if kind == CONCEALED_KONG and seat == viewer:
            observation[AT.unseen + tile] = 0
        observation[AT.meld_claimed + at] = game.meld[seat, place, 2]
        observation[AT.meld_giver + at] = (np.int64(game.meld[seat, place, 3]) - viewer) & 3
        observation[AT.meld_time + at] = game.meld[seat, place, 4]


@jit_part
def _write_river(game, viewer, seat, offset, observation):
    at = RIVER_SIZE * offset
    shift = np.uint8(3 - viewer)
    for place in range(RIVER_SIZE):
        observation[AT.river_tile + at + place] = game.river_tile[seat, place]
    for place in range(RIVER_SIZE):
        claimer = game.river_claimer[seat, place]
        observation[AT.river_claimer + at + place] = (
            np.uint8(1) + ((claimer + shift) & np.uint8(3)) if claimer else np.uint8(0))
    for place in range(RIVER_SIZE):
        observation[AT.river_time + at + place] = game.river_time[seat, place]


@jit_part
def write_hidden(game, viewer, observation):
    """Writes the hidden part of a full observation, uint8[FULL_SIZE]."""
    for offset in range(4):
        seat = (viewer + offset) & 3
        left = np.int64(game.wall_left[seat])
        for place in range(WALL_DRAWS):
            tile = NONE
            if place < left:
                tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1 - place])
            observation[AT.wall_tiles + WALL_DRAWS * offset + place] = tile
        if offset == 0:
            continue
        for tile in range(34):
            observation[AT.hands + 34 * (offset - 1) + tile] = game.hand[seat, tile]
        for place in range(4):
            tile = NONE
            if place < game.meld_count[seat] and game.meld[seat, place, 0] == CONCEALED_KONG:
                tile = np.int64(game.meld[seat, place, 1])
            observation[AT.kong_tile + 4 * (offset - 1) + place] = tile


@jit
def write_observations(games, pending, full, observations):
    """Writes the observation of every row of pending, the full one where `full` is true."""
    for row in range(len(pending)):
        game = games[pending[row].game]
        viewer = np.int64(pending[row].seat)
        write_observation(game, viewer, observations[row])
        if full:
            write_hidden(game, viewer, observations[row])
