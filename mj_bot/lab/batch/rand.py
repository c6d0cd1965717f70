"""The random player's batch form: the very choices of mj_bot/tactic/rand.py."""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import DISCARD_BASE, WIN_INDEX
from ...mahjong.compiled import mix
from ...mahjong.splitmix import MASK
from ...observation.layout import AT, FOLLOW, PUNG
from ...observation.openings import list_openings, make_openings
from ..engine.decisions import bit_count, nth_bit

_ALL_DRAWS = 84


class RandomBatch(object):
    """RandomTactic for many decisions at once. seed: int."""

    def __init__(self, seed=0):
        self._base = np.uint64((seed << 20) & MASK)
        self._openings = make_openings()
        self._follows = np.zeros((0, 4), np.int16)  # by game and seat, the discard that goes with the claim

    def __call__(self, observations, masks, games, seats):
        most = games.max(initial=-1) + 1
        if most > len(self._follows):
            self._follows = np.concatenate([self._follows, np.zeros((most, 4), np.int16)])
        actions = np.empty(len(observations), np.int16)
        _choose(observations, masks, games, seats, self._base, self._openings, self._follows, actions)
        return actions


@jit
def _choose(observations, masks, games, seats, base, openings, follows, actions):
    for at in range(len(observations)):
        observation, mask = observations[at], masks[at]
        action, follow = np.int64(WIN_INDEX), np.int64(0)
        if not mask[WIN_INDEX]:
            if observation[AT.task] == FOLLOW:
                action = np.int64(follows[games[at], seats[at]])
            else:
                number = mix(base + np.uint64((_count_events(observation) << 2) + seats[at]))
                action, follow = _pick(openings, list_openings(observation, mask, openings), number)
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
def _pick(openings, opening_count, number):
    """(action, discard that follows it or 0) at the place of a number in GameState.action_space(), counted around."""
    count = 0
    for at in range(opening_count):
        count += max(1, bit_count(openings.discards[at]))
    left = np.int64(number % np.uint64(count))
    at = 0
    while left >= max(1, bit_count(openings.discards[at])):
        left -= max(1, bit_count(openings.discards[at]))
        at += 1
    discards = openings.discards[at]
    discard = DISCARD_BASE + nth_bit(np.uint64(discards), left) if discards else 0
    return (discard, 0) if at == 0 and discards else (openings.action[at], discard)
