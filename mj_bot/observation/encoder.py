"""Writes the observation of a GameState, as layout.py lays it out; reads its hand in compiled code."""

import numpy as np

from ..jit import jit_part
from ..mahjong.meld import make_meld
from ..mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX
from .layout import (
    ADDED_KONG, AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, IDLE, NONE, OBSERVATION_SIZE, OPEN_KONG, PLACES, PUNG,
    RIVER_SIZE, ROB, TURN, field)


def encode_observation(game_state, claim=None):
    """Returns the observation of a GameState, uint8[OBSERVATION_SIZE].

    claim: ("CHI", middle, ...) or ("PENG", ...), a legal claim of this seat on the last discard. The observation
    is then that of the discard after the claim (task FOLLOW).
    """
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    seen = {name: field(observation, name) for name in PLACES}
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
        for place, (meld, time) in enumerate(zip(player.melds, meld_times[seat])):
            _write_meld(seen, (offset, place), me, meld=meld, time=time)
    _write_task(seen, game_state)
    if claim is not None:
        giver = game_state.last_pid
        meld = make_meld(claim, me, TILE_INDEX[game_state.last_tile], giver=giver)
        for tile in meld.from_hand:
            seen["hand"][tile] -= 1
            seen["hand_sizes"][0] -= 1
        _write_meld(seen, (0, len(game_state.players[me].melds)), me, meld=meld, time=discard_count)
        place = len(game_state.players[giver].played_tiles) - 1
        seen["river_claimer"][(giver - me) % 4, place:place + 1] = 1
        seen["task"][:] = FOLLOW
    return observation


def _read_times(history):
    """Returns when each seat made its discards and laid its melds, two lists of four lists.

    A time is the number of discards that all seats had made before.
    """
    discards, melds = [[], [], [], []], [[], [], [], []]
    count = 0
    for seat, action in history:
        kind = action[0]
        if kind in ("CHI", "PENG", "GANG"):
            melds[seat].append(count)
        if kind in ("CHI", "PENG", "PLAY"):
            discards[seat].append(count)
            count += 1
    return discards, melds


def _write_task(seen, game_state):
    me = game_state.my_pid
    if game_state.drawn_tile is not None:
        seen["task"][:] = TURN
        seen["last_tile"][:] = TILE_INDEX[game_state.drawn_tile]
        seen["after_kong"][:] = game_state.is_after_kong
    elif game_state.last_tile is None or game_state.last_pid == me:
        seen["task"][:] = IDLE
    else:
        seen["task"][:] = ROB if game_state.last_action[1][0] == "BUGANG" else CLAIM
        seen["last_tile"][:] = TILE_INDEX[game_state.last_tile]
        seen["last_giver"][:] = (game_state.last_pid - me) % 4


def _write_river(seen, offset, me, *, player, times):
    # From a shared wall a seat may draw more tiles than there is room for.
    for place, (name, claimer) in enumerate(zip(player.played_tiles[:RIVER_SIZE], player.claimed_by)):
        seen["river_tile"][offset, place] = TILE_INDEX[name]
        seen["river_claimer"][offset, place] = 0 if claimer is None else 1 + (claimer - me) % 4
        seen["river_time"][offset, place] = times[place]


def meld_kind(meld):
    """Returns the kind of a Meld, one of CHOW .. CONCEALED_KONG."""
    if meld.type != "GANG":
        return CHOW if meld.type == "CHI" else PUNG
    if meld.is_concealed:
        return CONCEALED_KONG
    return ADDED_KONG if meld.is_added else OPEN_KONG


def _write_meld(seen, place, me, *, meld, time):
    seen["meld_kind"][place] = meld_kind(meld)
    seen["meld_tile"][place] = NONE if meld.tile is None else meld.tile
    seen["meld_claimed"][place] = NONE if meld.is_concealed else TILE_INDEX[meld.src_card]
    seen["meld_giver"][place] = (meld.src_pid - me) % 4
    seen["meld_time"][place] = time


@jit_part
def read_hand(observation, counts, shown, melds):
    """Writes the hand, the visible tiles outside it, both [34], and the melds [4, 2]; returns the number of melds."""
    for tile in range(TILE_COUNT):
        counts[tile] = observation[AT.hand + tile]
        shown[tile] = COPIES - counts[tile] - observation[AT.unseen + tile]
    count = 0
    while count < 4 and observation[AT.meld_kind + count]:
        melds[count, 0], melds[count, 1] = observation[AT.meld_kind + count], observation[AT.meld_tile + count]
        count += 1
    return count
