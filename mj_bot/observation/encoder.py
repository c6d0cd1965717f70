"""The observation of a GameState, as layout.py lays it out."""

from collections import namedtuple

import numpy as np

from ..mahjong.meld import make_meld
from ..mahjong.tile import TILE_INDEX
from .layout import (
    ADDED_KONG, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, IDLE, NONE, OPEN_KONG, PLACES, PUNG, ROB, TURN, OBSERVATION_SIZE,
)


def encode_observation(game_state, claim=None):
    """The observation of a GameState as it stands, uint8[OBSERVATION_SIZE].

    claim: ("CHI", middle, ...) or ("PENG", ...), a legal claim of this seat on the last discard: the observation is
    then the one of the discard that follows if the claim stands (task FOLLOW).
    """
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    me = game_state.my_pid
    times = _read_times(game_state.history)
    hand = list(game_state.hand_counts)
    put = _Writer(observation)
    put("seat_wind", me)
    put("prevalent_wind", game_state.prevalent_wind)
    put("discard_count", times.discard_count)
    put("walls", _from_me(game_state.walls, me))
    put("unseen", game_state.unseen)
    sizes = [player.hand_size for player in game_state.players]
    for name in ("meld_tile", "meld_claimed", "river_tile"):
        put(name, NONE)
    for seat, player in enumerate(game_state.players):
        offset = (seat - me) % 4
        put("river_sizes", len(player.played_tiles), offset)
        _write_river(put, offset, me, player, times.discards[seat])
        for place, (meld, time) in enumerate(zip(player.melds, times.melds[seat])):
            _write_meld(put, (offset, place), me, meld, time)
    if claim is not None:
        meld = make_meld(claim, me, TILE_INDEX[game_state.last_tile], game_state.last_pid)
        for tile in meld.from_hand:
            hand[tile] -= 1
            sizes[me] -= 1
        _write_meld(put, (0, len(game_state.players[me].melds)), me, meld, times.discard_count)
        giver = game_state.players[game_state.last_pid]
        put("river_claimer", 1, ((game_state.last_pid - me) % 4, len(giver.played_tiles) - 1))
    put("hand", hand)
    put("hand_sizes", _from_me(sizes, me))
    _write_task(put, game_state, claim, times)
    return observation


class _Writer(object):
    def __init__(self, observation):
        self._fields = {name: observation[start:end].reshape(shape) for name, (start, end, shape) in PLACES.items()}

    def __call__(self, name, value, place=Ellipsis):
        self._fields[name][place] = value


def _from_me(values, me):
    return values[me:] + values[:me]


_Times = namedtuple("_Times", "discard_count discards melds after_kong")


def _read_times(history):
    """When each seat's discards and melds were made, and whether the latest draw replaces a kong's tile."""
    discards, melds = [[], [], [], []], [[], [], [], []]
    count = 0
    after_kong = False
    for seat, action in history:
        kind = action[0]
        if kind in ("CHI", "PENG", "GANG"):
            melds[seat].append(count)
        if kind in ("CHI", "PENG", "PLAY"):
            discards[seat].append(count)
            count += 1
        if kind not in ("DRAW", "BUHUA"):
            after_kong = kind in ("GANG", "BUGANG")
    return _Times(count, discards, melds, after_kong)


def _write_task(put, game_state, claim, times):
    me = game_state.my_pid
    last = game_state.last_action
    put("last_tile", NONE)
    if game_state.drawn_tile is not None:
        put("task", TURN)
        put("last_tile", TILE_INDEX[game_state.drawn_tile])
        put("after_kong", times.after_kong)
    elif game_state.last_tile is None or game_state.last_pid == me:
        put("task", IDLE)
    else:
        task = ROB if last[1][0] == "BUGANG" else CLAIM
        put("task", task if claim is None else FOLLOW)
        put("last_tile", TILE_INDEX[game_state.last_tile])
        put("last_giver", (game_state.last_pid - me) % 4)


def _write_river(put, offset, me, player, times):
    for place, (name, claimer) in enumerate(zip(player.played_tiles, player.claimed_by)):
        put("river_tile", TILE_INDEX[name], (offset, place))
        put("river_claimer", 0 if claimer is None else 1 + (claimer - me) % 4, (offset, place))
        put("river_time", times[place], (offset, place))


def _write_meld(put, place, me, meld, time):
    if meld.type == "CHI":
        kind = CHOW
    elif meld.type == "PENG":
        kind = PUNG
    elif meld.is_concealed:
        kind = CONCEALED_KONG
    else:
        kind = ADDED_KONG if meld.is_added else OPEN_KONG
    put("meld_kind", kind, place)
    put("meld_tile", NONE if meld.tile is None else meld.tile, place)
    put("meld_claimed", NONE if meld.is_concealed else TILE_INDEX[meld.src_card], place)
    put("meld_giver", (meld.src_pid - me) % 4, place)
    put("meld_time", time, place)
