"""The input of the network, by compiled code. On a processor, torch takes ten times as long to make it."""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...network.ahead import KINDS, SHANTEN_ROW, USEFUL_ROW
from ...network.planes import INPUT_COUNT, INPUTS, encode_planes
from ...observation.layout import (
    AT, CHOW, CONCEALED_KONG, NONE, OBSERVATION_SIZE, OPEN_KONG, PUNG, RIVER_SIZE, WALL_DRAWS)

_FIRST_PLANES = (
    "hand 1+", "unseen 1+", "last tile at turn", "last tile of next", "task turn", "wind seat", "meld own chow around",
    "hidden kongs / 4 next", "discarded own once", "number wall own / 21", "board tile", "after discard nearest",
    "useful", "shanten 0")
(_HAND, _UNSEEN, _LAST_AT, _LAST_OF, _TASK, _WINDS, _MELDS, _HIDDEN_KONGS, _RIVERS, _NUMBERS, _BOARD, _AFTER, _USEFUL,
 _SHANTEN) = map(INPUTS.index, _FIRST_PLANES)
_AHEAD = _BOARD + 9
# The planes that are the same in every position.
_FIXED = encode_planes(np.zeros((1, OBSERVATION_SIZE), np.uint8))[0, _BOARD:_AHEAD].astype(np.float32)
_KINDS = len(KINDS)
_LEVELS = INPUT_COUNT - _SHANTEN


def encode_inputs_batch(observations, ahead):
    """network.planes.encode_inputs in float32 of uint8[B, OBSERVATION_SIZE or more] and uint8[B, ROWS, 34]."""
    planes = np.zeros((len(observations), INPUT_COUNT, TILE_COUNT), np.float32)
    planes[:, _BOARD:_AHEAD] = _FIXED
    _encode(observations, ahead, planes)
    return planes


@jit
def _encode(observations, ahead, planes):
    for row in range(len(observations)):
        _encode_tiles(observations[row], planes[row])
        _encode_numbers(observations[row], planes[row])
        for player in range(4):
            _encode_melds(observations[row], player, planes[row])
            _encode_river(observations[row], player, planes[row])
        _encode_ahead(ahead[row], planes[row])


@jit_part
def _encode_tiles(observation, planes):
    for tile in range(TILE_COUNT):
        for copy in range(observation[AT.hand + tile]):
            planes[_HAND + copy, tile] = 1
        for copy in range(observation[AT.unseen + tile]):
            planes[_UNSEEN + copy, tile] = 1
    task, last, giver = observation[AT.task], observation[AT.last_tile], observation[AT.last_giver]
    if last < NONE and task < 4:
        planes[_LAST_AT + task, last] = 1
    if last < NONE and giver:
        planes[_LAST_OF + giver - 1, last] = 1
    if task < 4:
        planes[_TASK + task, :] = 1
    planes[_WINDS, FIRST_HONOUR + observation[AT.seat_wind]] = 1
    planes[_WINDS + 1, FIRST_HONOUR + observation[AT.prevalent_wind]] = 1


@jit_part
def _encode_numbers(observation, planes):
    total = 0
    for player in range(4):
        walls = np.int64(observation[AT.walls + player])
        total += walls
        planes[_NUMBERS + player, :] = np.float32(walls) / np.float32(WALL_DRAWS)
        planes[_NUMBERS + 5 + player, :] = np.float32(observation[AT.hand_sizes + player]) / np.float32(14)
    planes[_NUMBERS + 4, :] = np.float32(total) / np.float32(4 * WALL_DRAWS)
    planes[_NUMBERS + 9, :] = np.float32(observation[AT.discard_count]) / np.float32(100)
    planes[_NUMBERS + 10, :] = observation[AT.after_kong]


@jit_part
def _encode_melds(observation, player, planes):
    first, hidden = _MELDS + 4 * player, 0
    for at in range(4 * player, 4 * player + 4):
        kind, tile = observation[AT.meld_kind + at], observation[AT.meld_tile + at]
        hidden += kind == CONCEALED_KONG
        if tile == NONE:
            continue
        if kind == CHOW:
            planes[first + 1, tile] = planes[first, tile]
            planes[first, tile] = 1
        elif kind == PUNG:
            planes[first + 2, tile] = 1
        elif kind >= OPEN_KONG:
            planes[first + 3, tile] = 1
    if player and hidden:
        planes[_HIDDEN_KONGS + player - 1, :] = np.float32(hidden) / np.float32(4)


@jit_part
def _encode_river(observation, player, planes):
    first = _RIVERS + 5 * player
    for place in range(RIVER_SIZE):
        at = RIVER_SIZE * player + place
        tile = observation[AT.river_tile + at]
        if tile == NONE:
            continue
        planes[first + 1, tile] = planes[first, tile]
        planes[first, tile] = 1
        age = np.int64(observation[AT.discard_count]) - np.int64(observation[AT.river_time + at])
        if age <= 4:
            planes[first + 2, tile] = 1
        if age <= 12:
            planes[first + 3, tile] = 1
        if place < 6:
            planes[first + 4, tile] = 1


@jit_part
def _encode_ahead(ahead, planes):
    most = np.float32(0)
    for kind in range(_KINDS):
        for tile in range(TILE_COUNT):
            if ahead[kind, tile] == 1:
                most = max(most, np.float32(ahead[_KINDS + kind, tile]))
    for kind in range(_KINDS):
        for tile in range(TILE_COUNT):
            distance, copies = ahead[kind, tile], np.float32(ahead[_KINDS + kind, tile])
            if distance == 1:
                planes[_AFTER + kind, tile] = 1
                if most:
                    planes[_AFTER + 3 * _KINDS + kind, tile] = copies / most
            elif distance == 2:
                planes[_AFTER + _KINDS + kind, tile] = 1
            planes[_AFTER + 2 * _KINDS + kind, tile] = copies / np.float32(40)
            planes[_AFTER + 4 * _KINDS + kind, tile] = ahead[2 * _KINDS + kind, tile] / np.float32(8)
            planes[_AFTER + 5 * _KINDS + kind, tile] = ahead[3 * _KINDS + kind, tile] / np.float32(8)
            planes[_AFTER + 6 * _KINDS + kind, tile] = ahead[4 * _KINDS + kind, tile] / np.float32(32)
    for tile in range(TILE_COUNT):
        planes[_USEFUL, tile] = ahead[USEFUL_ROW, tile]
        level = ahead[SHANTEN_ROW, tile]
        if level:
            planes[_SHANTEN + min(level, _LEVELS) - 1, tile] = 1
