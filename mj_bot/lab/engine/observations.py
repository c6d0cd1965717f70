"""Writes observations of pending decisions: the bytes that a seat sees, and hidden tiles for critics.

observation/layout.py describes the bytes; AT.hand is the first byte of the field `hand`, and so on. Tests compare the
result with the encoder in mj_bot/observation.
"""

import numpy as np

from ...jit import jit, jit_part
from ...observation.layout import AT, CLAIM, CONCEALED_KONG, FOLLOW, NONE, RIVER_SIZE, TURN, WALL_DRAWS
from ..table.walls import SLICE_SIZE


@jit_part
def write_observation(game: np.void, viewer: int, observation: np.ndarray) -> None:
    """Writes the observation of a seat `viewer` at its decision, uint8[OBSERVATION_SIZE] or longer."""
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
    for slot in range(16):
        observation[AT.meld_kind + slot] = 0
        observation[AT.meld_tile + slot] = NONE
        observation[AT.meld_claimed + slot] = NONE
        observation[AT.meld_giver + slot] = 0
        observation[AT.meld_time + slot] = 0
    for offset in range(4):
        seat = (viewer + offset) & 3
        observation[AT.walls + offset] = game.walls_left[seat]
        size = 13 + (phase == TURN and seat == turn) + (phase == FOLLOW and seat == turn)
        observation[AT.hand_sizes + offset] = size - 3 * game.meld_count[seat]
        observation[AT.river_sizes + offset] = game.river_count[seat]
        _write_melds(game, viewer, seat, offset, observation)
        _write_river(game, viewer, seat, offset, observation)


@jit_part
def _write_melds(game, viewer, seat, offset, observation):
    """Writes the melds of a seat, with NONE for the tile of another seat's concealed kong."""
    for meld_index in range(game.meld_count[seat]):
        slot = 4 * offset + meld_index
        meld_type = game.meld[seat, meld_index, 0]
        tile = np.int64(game.meld[seat, meld_index, 1])
        observation[AT.meld_kind + slot] = meld_type
        if meld_type != CONCEALED_KONG or seat == viewer:
            observation[AT.meld_tile + slot] = tile
        if meld_type == CONCEALED_KONG and seat == viewer:
            observation[AT.unseen + tile] = 0
        observation[AT.meld_claimed + slot] = game.meld[seat, meld_index, 2]
        observation[AT.meld_giver + slot] = (np.int64(game.meld[seat, meld_index, 3]) - viewer) & 3
        observation[AT.meld_time + slot] = game.meld[seat, meld_index, 4]


@jit_part
def _write_river(game, viewer, seat, offset, observation):
    """Writes the discards of a seat. The game stores 1 + the claimer's seat, an observation 1 + its offset."""
    first_slot = RIVER_SIZE * offset
    shift = np.uint8(3 - viewer)
    for discard_index in range(RIVER_SIZE):
        observation[AT.river_tile + first_slot + discard_index] = game.river_tile[seat, discard_index]
    for discard_index in range(RIVER_SIZE):
        claimer = game.river_claimer[seat, discard_index]
        observation[AT.river_claimer + first_slot + discard_index] = (
            np.uint8(1) + ((claimer + shift) & np.uint8(3)) if claimer else np.uint8(0))
    for discard_index in range(RIVER_SIZE):
        observation[AT.river_time + first_slot + discard_index] = game.river_time[seat, discard_index]


@jit_part
def write_hidden(game: np.void, viewer: int, observation: np.ndarray) -> None:
    """Writes the hidden bytes of a full observation, uint8[FULL_SIZE]: the other seats' tiles, and all four walls."""
    for offset in range(4):
        seat = (viewer + offset) & 3
        left = np.int64(game.walls_left[seat])
        for index in range(WALL_DRAWS):
            tile = NONE
            if index < left:
                tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1 - index])
            observation[AT.wall_tiles + WALL_DRAWS * offset + index] = tile
        if offset == 0:
            continue
        for tile in range(34):
            observation[AT.hands + 34 * (offset - 1) + tile] = game.hand[seat, tile]
        for index in range(4):
            tile = NONE
            if index < game.meld_count[seat] and game.meld[seat, index, 0] == CONCEALED_KONG:
                tile = np.int64(game.meld[seat, index, 1])
            observation[AT.kong_tile + 4 * (offset - 1) + index] = tile


@jit
def write_observations(games: np.ndarray, pending: np.ndarray, full: bool, observations: np.ndarray) -> None:
    """Writes the observations of pending decisions, DECISION[M] of games GAME[N].

    observations: uint8[M, OBSERVATION_SIZE], or uint8[M, FULL_SIZE] if `full`; rows may be longer.
    """
    for row in range(len(pending)):
        game = games[pending[row].game]
        viewer = np.int64(pending[row].seat)
        write_observation(game, viewer, observations[row])
        if full:
            write_hidden(game, viewer, observations[row])
