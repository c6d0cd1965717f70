"""The random player's batch form: the very choices of mj_bot/tactic/rand.py."""

import numpy as np

from ...mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE,
    WIN_INDEX,
)
from ...mahjong.tile import FIRST_HONOUR
from ...observation.layout import FOLLOW, PLACES, PUNG, TURN
from ..engine.compile import jit

_TASK = PLACES["task"][0]
_LAST_TILE = PLACES["last_tile"][0]
_DISCARD_COUNT = PLACES["discard_count"][0]
_WALLS = PLACES["walls"][0]
_HAND = PLACES["hand"][0]
_MELD_KIND = PLACES["meld_kind"][0]
_MELD_TILE = PLACES["meld_tile"][0]

_ALL_DRAWS = 84
_MASK = (1 << 64) - 1


class RandomBatch(object):
    """RandomTactic for many decisions at once. seed: int."""

    def __init__(self, seed=0):
        self._base = np.uint64((seed << 20) & _MASK)
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
        elif observation[_TASK] == FOLLOW:
            action = np.int64(follows[games[at], seats[at]])
        else:
            number = _mix(base + np.uint64((_count_events(observation) << 2) + seats[at]))
            if observation[_TASK] == TURN:
                action = _choose_turn(observation, mask, number)
            else:
                action, follow = _choose_claim(observation, mask, number)
        follows[games[at], seats[at]] = follow
        actions[at] = action


@jit
def _mix(number):
    number += np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@jit
def _count_events(observation):
    """Length of GameState.history: draws, discards (a claim's is the claim's event), and kongs."""
    count = _ALL_DRAWS + np.int64(observation[_DISCARD_COUNT])
    for offset in range(4):
        count -= observation[_WALLS + offset]
    for place in range(16):
        count += observation[_MELD_KIND + place] > PUNG
    return count


@jit
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
        tile = np.int64(observation[_MELD_TILE + place])
        if observation[_MELD_KIND + place] == PUNG and mask[ADDED_KONG_BASE + tile]:
            if left == 0:
                return ADDED_KONG_BASE + tile
            left -= 1
    return -1


@jit
def _choose_claim(observation, mask, number):
    """(action, discard that follows it or 0): pass, pung with each discard, kong, chows with each discard."""
    tile = np.int64(observation[_LAST_TILE])
    # Of pung and chows (the claimed tile highest, inside, lowest): index, and the two tiles taken from the hand.
    suit_base = CHOW_BASE + tile // 9 * 21 + tile % 9 * 3
    claims = ((PUNG_BASE + tile, 0, 0), (suit_base - 4, -2, -1), (suit_base - 2, -1, 1), (suit_base, 1, 2))
    count = 1 + mask[OPEN_KONG_BASE + tile]
    for action, first, second in claims:
        if _is_open(mask, action, first, tile):
            count += _count_left(observation, tile + first, tile + second)
    left = np.int64(number % np.uint64(count)) - 1
    if left < 0:
        return PASS_INDEX, 0
    for action, first, second in claims:
        if _is_open(mask, action, first, tile):
            kinds = _count_left(observation, tile + first, tile + second)
            if left < kinds:
                return action, DISCARD_BASE + _nth_left(observation, tile + first, tile + second, left)
            left -= kinds
        if first == 0 and mask[OPEN_KONG_BASE + tile]:
            if left == 0:
                return OPEN_KONG_BASE + tile, 0
            left -= 1
    return -1, 0


@jit
def _is_open(mask, action, first, tile):
    # At the ends of a suit the indices of the missing chows are those of other tiles, or none.
    return mask[action] if first == 0 else tile < FIRST_HONOUR and action < ACTION_COUNT and mask[action]


@jit
def _count_left(observation, first, second):
    """Kinds of tiles in the hand without one `first` and one `second`."""
    count = 0
    for tile in range(34):
        count += np.int64(observation[_HAND + tile]) - (tile == first) - (tile == second) > 0
    return count


@jit
def _nth_left(observation, first, second, n):
    """The kind number n of these."""
    for tile in range(34):
        if np.int64(observation[_HAND + tile]) - (tile == first) - (tile == second) > 0:
            if n == 0:
                return tile
            n -= 1
    return -1
