"""Writes the observation of a GameState, and reads the hand of an observation in compiled code.

An observation is an array of bytes, whose fields layout.py lists.
"""

from typing import Optional, Tuple

import numpy as np

from ..jit import jit_part
from ..mahjong.meld import Meld, make_meld
from ..mahjong.state import GameState
from ..mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX
from .layout import (
    ADDED_KONG, AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, IDLE, NONE, OBSERVATION_SIZE, OPEN_KONG, BYTE_RANGES, PUNG,
    RIVER_SIZE, ROB, TURN, field)


def encode_observation(game_state: GameState, claim: Optional[Tuple] = None) -> np.ndarray:
    """Returns the observation of a GameState, uint8[OBSERVATION_SIZE].

    claim: None, or ("CHI", middle, ...) or ("PENG", ...), a legal claim of this seat on the last discard. With a claim
        the observation is that of the discard which follows it, and its task is FOLLOW.
    """
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    seen = {name: field(observation, name) for name in BYTE_RANGES}
    me = game_state.my_pid
    discard_times, meld_times = _read_times(game_state.history)
    discard_count = sum(map(len, discard_times))
    seen["seat_wind"][:] = me
    seen["prevalent_wind"][:] = game_state.prevalent_wind
    seen["discard_count"][:] = discard_count
    seen["walls"][:] = game_state.walls[me:] + game_state.walls[:me]
    seen["unseen"][:] = game_state.unseen
    seen["hand"][:] = game_state.hand_counts
    for name in ("last_tile", "meld_tile", "meld_claimed", "river_tile"):
        seen[name][:] = NONE
    for seat, player in enumerate(game_state.players):
        offset = (seat - me) % 4
        seen["hand_sizes"][offset] = player.hand_size
        seen["river_sizes"][offset] = len(player.played_tiles)
        _write_river(seen, offset, me, player=player, times=discard_times[seat])
        for slot, (meld, time) in enumerate(zip(player.melds, meld_times[seat])):
            _write_meld(seen, (offset, slot), me, meld=meld, time=time)
    _write_task(seen, game_state)
    if claim is not None:
        giver = game_state.last_pid
        meld = make_meld(claim, me, TILE_INDEX[game_state.last_tile], giver=giver)
        for tile in meld.from_hand:
            seen["hand"][tile] -= 1
            seen["hand_sizes"][0] -= 1
        _write_meld(seen, (0, len(game_state.players[me].melds)), me, meld=meld, time=discard_count)
        slot = len(game_state.players[giver].played_tiles) - 1
        seen["river_claimer"][(giver - me) % 4, slot:slot + 1] = 1
        seen["task"][:] = FOLLOW
    return observation


def _read_times(history):
    """Returns when each seat made its discards and laid its melds, two lists of four lists."""
    # A time is the number of discards that all seats had made before.
    discards, melds = [[], [], [], []], [[], [], [], []]
    count = 0
    for seat, action in history:
        word = action[0]
        if word in ("CHI", "PENG", "GANG"):
            melds[seat].append(count)
        if word in ("CHI", "PENG", "PLAY"):
            discards[seat].append(count)
            count += 1
    return discards, melds


def _write_task(seen, game_state):
    """Writes what the seat is to decide: the fields task, last_tile, last_giver and after_kong."""
    me = game_state.my_pid
    if game_state.drawn_tile is not None:
        seen["task"][:] = TURN
        seen["last_tile"][:] = TILE_INDEX[game_state.drawn_tile]
        seen["after_kong"][:] = game_state.is_after_kong
    elif game_state.last_tile is None or game_state.last_pid == me:
        seen["task"][:] = IDLE
    else:
        seen["task"][:] = ROB if game_state.may_rob else CLAIM
        seen["last_tile"][:] = TILE_INDEX[game_state.last_tile]
        seen["last_giver"][:] = (game_state.last_pid - me) % 4


def _write_river(seen, offset, me, *, player, times):
    """Writes the discards of a player."""
    # In a game with flowers a seat may draw more tiles than the observation has room for.
    for index, (name, claimer) in enumerate(zip(player.played_tiles[:RIVER_SIZE], player.claimed_by)):
        seen["river_tile"][offset, index] = TILE_INDEX[name]
        seen["river_claimer"][offset, index] = 0 if claimer is None else 1 + (claimer - me) % 4
        seen["river_time"][offset, index] = times[index]


def meld_kind(meld: Meld) -> int:
    """Returns CHOW, PUNG, OPEN_KONG, ADDED_KONG or CONCEALED_KONG: what an observation calls a meld."""
    if meld.type != "GANG":
        return CHOW if meld.type == "CHI" else PUNG
    if meld.is_concealed:
        return CONCEALED_KONG
    return ADDED_KONG if meld.is_added else OPEN_KONG


def _write_meld(seen, slot, me, *, meld, time):
    """Writes a meld."""
    seen["meld_kind"][slot] = meld_kind(meld)
    seen["meld_tile"][slot] = NONE if meld.tile is None else meld.tile
    seen["meld_claimed"][slot] = NONE if meld.is_concealed else TILE_INDEX[meld.src_card]
    seen["meld_giver"][slot] = (meld.src_pid - me) % 4
    seen["meld_time"][slot] = time


@jit_part
def read_observed_hand(observation: np.ndarray, counts: np.ndarray, shown: np.ndarray, melds: np.ndarray) -> int:
    """Reads the hand of an observation into arrays, and returns the number of melds.

    counts: [34], receives the concealed tiles. shown: [34], receives the visible copies of each tile outside the hand.
    melds: [4, 2], receives for each meld CHOW .. CONCEALED_KONG and its tile (for a chow the middle one).
    """
    for tile in range(TILE_COUNT):
        counts[tile] = observation[AT.hand + tile]
        shown[tile] = COPIES - counts[tile] - observation[AT.unseen + tile]
    count = 0
    while count < 4 and observation[AT.meld_kind + count]:
        melds[count, 0], melds[count, 1] = observation[AT.meld_kind + count], observation[AT.meld_tile + count]
        count += 1
    return count
