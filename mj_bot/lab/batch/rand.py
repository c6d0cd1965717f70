"""The random player's batch form: the very choices of mj_bot/tactic/rand.py."""

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
)
from ...mahjong.splitmix import MASK
from ...observation.layout import AT, FOLLOW, PUNG, TURN
from ..engine.compile import jit, jit_part
from ..engine.legality import chow_index, is_chow, mix


_ALL_DRAWS = 84


class RandomBatch(object):
    """RandomTactic for many decisions at once. seed: int."""

    def __init__(self, seed=0):
        self._base = np.uint64((seed << 20) & MASK)
        self._follows = np.zeros((0, 4), np.int16)  # by game and seat, the discard that goes with the claim

    def __call__(self, observations, masks, games, seats):
        most = games.max(initial=-1) + 1
        if most > len(self._follows):
            self._follows = np.concatenate([self._follows, np.zeros((most, 4), np.int16)])
        actions = np.empty(len(observations), np.int16)
        _choose(observations, masks, games, seats, self._base, self._follows, actions)
        return actions


@jit
def _choose(observations, masks, games, seats, base, follows, actions):
    for at in range(len(observations)):
        observation, mask = observations[at], masks[at]
        follow = 0
        if mask[WIN_INDEX]:
            action = WIN_INDEX
        elif observation[AT.task] == FOLLOW:
            action = np.int64(follows[games[at], seats[at]])
        else:
            number = mix(base + np.uint64((_count_events(observation) << 2) + seats[at]))
            if observation[AT.task] == TURN:
                action = _choose_turn(observation, mask, number)
            else:
                action, follow = _choose_claim(observation, mask, number)
        follows[games[at], seats[at]] = follow
        actions[at] = action


@jit_part
def _count_events(observation):
    """Length of GameState.history: draws, discards (a claim's is the claim's event), and kongs."""
    count = _ALL_DRAWS + np.int64(observation[AT.discard_count])
    for offset in range(4):
        count -= observation[AT.walls + offset]
    for place in range(16):
        count += observation[AT.meld_kind + place] > PUNG
    return count


@jit_part
def _choose_turn(observation, mask, number):
    count = 0
    for tile in range(34):
        count += mask[DISCARD_BASE + tile] + mask[CONCEALED_KONG_BASE + tile] + mask[ADDED_KONG_BASE + tile]
    left = np.int64(number % np.uint64(count))
    for base in (DISCARD_BASE, CONCEALED_KONG_BASE):
        for tile in range(34):
            if mask[base + tile]:
                if left == 0:
                    return base + tile
                left -= 1
    # Added kongs come in the order of the pungs.
    for place in range(4):
        tile = np.int64(observation[AT.meld_tile + place])
        if observation[AT.meld_kind + place] == PUNG and mask[ADDED_KONG_BASE + tile]:
            if left == 0:
                return ADDED_KONG_BASE + tile
            left -= 1
    return -1


@jit_part
def _choose_claim(observation, mask, number):
    """(action, discard that follows it or 0): pass, pung with each discard, kong, chows with each discard."""
    tile = np.int64(observation[AT.last_tile])
    count = 1 + mask[OPEN_KONG_BASE + tile]
    for claim in range(4):
        action, first, second = _find_claim(tile, claim)
        if action >= 0 and mask[action]:
            count += _count_left(observation, first, second)
    left = np.int64(number % np.uint64(count)) - 1
    if left < 0:
        return PASS_INDEX, 0
    for claim in range(4):
        action, first, second = _find_claim(tile, claim)
        if action >= 0 and mask[action]:
            kinds = _count_left(observation, first, second)
            if left < kinds:
                return action, DISCARD_BASE + _nth_left(observation, first, second, left)
            left -= kinds
        if claim == 0 and mask[OPEN_KONG_BASE + tile]:
            if left == 0:
                return OPEN_KONG_BASE + tile, 0
            left -= 1
    return -1, 0


@jit_part
def _find_claim(tile, claim):
    """(action, the two tiles that it takes from the hand) of a claim; the action is -1 where there is no such chow.

    claim: 0 the pung, 1..3 the chows around tile - 1, tile, tile + 1.
    """
    if claim == 0:
        return PUNG_BASE + tile, tile, tile
    middle = tile - 2 + claim
    if not is_chow(middle, tile):
        return -1, tile, tile
    return chow_index(middle, tile), middle - (claim < 3), middle + (claim > 1)


@jit_part
def _count_left(observation, first, second):
    """Kinds of tiles in the hand without one `first` and one `second`."""
    count = 0
    for tile in range(34):
        count += np.int64(observation[AT.hand + tile]) - (tile == first) - (tile == second) > 0
    return count


@jit_part
def _nth_left(observation, first, second, n):
    """The kind number n of these."""
    for tile in range(34):
        if np.int64(observation[AT.hand + tile]) - (tile == first) - (tile == second) > 0:
            if n == 0:
                return tile
            n -= 1
    return -1
