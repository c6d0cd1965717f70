"""Views of owed decisions, as network/view.py lays them out, and full views for critics."""

import numpy as np

from ...observation.layout import (
    CLAIM, CONCEALED_KONG, FOLLOW, FULL_VIEW_SIZE, HIDDEN_PLACES, NONE, PLACES, RIVER_SIZE, TURN, VIEW_SIZE, WALL_DRAWS,
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
def write_view(game, viewer, view):
    """Writes what `viewer` sees of a game at its decision into uint8[VIEW_SIZE or more]."""
    phase = game.phase
    turn = np.int64(game.turn)
    view[_TASK] = phase
    view[_SEAT_WIND] = viewer
    view[_PREVALENT_WIND] = game.wind
    view[_LAST_TILE] = game.last_tile
    giver = turn
    if phase == FOLLOW:
        giver = np.int64(game.meld[viewer, game.meld_count[viewer] - 1, 3])
    view[_LAST_GIVER] = (giver - viewer) & 3
    view[_AFTER_KONG] = game.after_kong if phase == TURN else 0
    view[_DISCARD_COUNT] = game.discard_count
    for tile in range(34):
        view[_HAND + tile] = game.hand[viewer, tile]
    for tile in range(34):
        view[_UNSEEN + tile] = 4 - game.hand[viewer, tile] - game.shown[tile]
    if phase == CLAIM:
        # Lies on the table, and counts as shown once nobody claims it.
        view[_UNSEEN + np.int64(game.last_tile)] -= 1
    for at in range(16):
        view[_MELD_KIND + at] = 0
        view[_MELD_TILE + at] = NONE
        view[_MELD_CLAIMED + at] = NONE
        view[_MELD_GIVER + at] = 0
        view[_MELD_TIME + at] = 0
    for offset in range(4):
        seat = (viewer + offset) & 3
        view[_WALLS + offset] = game.wall_left[seat]
        size = 13 + (phase == TURN and seat == turn) + (phase == FOLLOW and seat == turn)
        view[_HAND_SIZES + offset] = size - 3 * game.meld_count[seat]
        view[_RIVER_SIZES + offset] = game.river_count[seat]
        _write_melds(game, viewer, seat, offset, view)
        _write_river(game, viewer, seat, offset, view)


@jit
def _write_melds(game, viewer, seat, offset, view):
    for place in range(game.meld_count[seat]):
        at = 4 * offset + place
        kind = game.meld[seat, place, 0]
        tile = np.int64(game.meld[seat, place, 1])
        view[_MELD_KIND + at] = kind
        if kind != CONCEALED_KONG or seat == viewer:
            view[_MELD_TILE + at] = tile
        if kind == CONCEALED_KONG and seat == viewer:
            view[_UNSEEN + tile] = 0
        view[_MELD_CLAIMED + at] = game.meld[seat, place, 2]
        view[_MELD_GIVER + at] = (np.int64(game.meld[seat, place, 3]) - viewer) & 3
        view[_MELD_TIME + at] = game.meld[seat, place, 4]


@jit
def _write_river(game, viewer, seat, offset, view):
    at = RIVER_SIZE * offset
    shift = np.uint8(3 - viewer)
    for place in range(RIVER_SIZE):
        view[_RIVER_TILE + at + place] = game.river_tile[seat, place]
    for place in range(RIVER_SIZE):
        claimer = game.river_claimer[seat, place]
        view[_RIVER_CLAIMER + at + place] = np.uint8(1) + ((claimer + shift) & np.uint8(3)) if claimer else np.uint8(0)
    for place in range(RIVER_SIZE):
        view[_RIVER_TIME + at + place] = game.river_time[seat, place]


@jit
def write_hidden(game, viewer, view):
    """Writes the hidden part of a full view into uint8[FULL_VIEW_SIZE]."""
    for offset in range(4):
        seat = (viewer + offset) & 3
        left = np.int64(game.wall_left[seat])
        for place in range(WALL_DRAWS):
            tile = NONE
            if place < left:
                tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1 - place])
            view[_WALL_TILES + WALL_DRAWS * offset + place] = tile
        if offset == 0:
            continue
        for tile in range(34):
            view[_HANDS + 34 * (offset - 1) + tile] = game.hand[seat, tile]
        for place in range(4):
            tile = NONE
            if place < game.meld_count[seat] and game.meld[seat, place, 0] == CONCEALED_KONG:
                tile = np.int64(game.meld[seat, place, 1])
            view[_KONG_TILE + 4 * (offset - 1) + place] = tile


@jit
def write_views(games, owed, full, views):
    """Writes the view of every row of owed, the full one where `full` is true."""
    for row in range(len(owed)):
        game = games[owed[row].game]
        viewer = np.int64(owed[row].seat)
        write_view(game, viewer, views[row])
        if full:
            write_hidden(game, viewer, views[row])


def make_views(count, full=False):
    """Room for views: uint8[count, VIEW_SIZE], or FULL_VIEW_SIZE."""
    return np.zeros((count, FULL_VIEW_SIZE if full else VIEW_SIZE), np.uint8)
