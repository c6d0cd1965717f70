"""Run-time adaptation: at the deal, the hidden tiles are sampled, games are played out, and a copy of the policy learns
from them for this hand alone. Source: Li et al. 2020, Suphx, section 3.4; offline, since it takes thousands of games.
"""

import dataclasses

import numpy as np

from ...mahjong.rules import HAND_TILES, SEATS
from ...mahjong.tile import COPIES, TILE_COUNT
from ..arena.verdict import mean_interval
from ..engine.sources import Source, shuffle_wall
from ..walls import SLICE_SIZE, WALL_SIZE
from .actor import Group, Networks, play_groups
from .league import LEARNER, PAST
from .learner import Learner
from .policy import Device, clone

# Of the random numbers of a hand: learning, and the trials by which it is judged.
_LEARN, _JUDGE = range(2)
_FIRST_HAND = (1 << 31) + (1 << 30)


class Adapter(object):
    """Adapts a policy to hands. network: the policy. config: config.Config; its run, signal, ppo and adapt count."""

    def __init__(self, network, config):
        self._device = Device(config.run.device, config.run.precision)
        self._network = clone(network.to(self._device.name))
        adapt = config.adapt
        self._config = dataclasses.replace(
            config, critic=dataclasses.replace(config.critic, kind="own"),
            ppo=dataclasses.replace(config.ppo, rate=adapt.rate, warmup=1, value=0.0, held=0.0))
        self._groups = [Group(config.run.width, False) for _ in range(config.run.groups)]

    def adapt(self, hand, seat, wind, number):
        """A network for one hand; the others are taken to play as the policy does.

        hand: 13 tiles dealt. seat: 0..3. wind: prevalent, 0..3. number: of the hand, which names its random numbers.
        """
        settings = self._config.adapt
        network = clone(self._network).requires_grad_(True)
        learner = Learner(network, self._network, self._config, self._device)
        share = settings.games // settings.iterations
        for iteration in range(settings.iterations):
            numbers = (number, _LEARN, iteration)
            notes, ends = self._play(network, hand, seat, wind, share, numbers)
            learner.learn(notes, ends, 0, numbers)
        return network.requires_grad_(False)

    def judge(self, network, hand, seat, wind, number):
        """Points a game that a network brings with a hand more than the policy, over the same walls."""
        scores = [self._play(player, hand, seat, wind, self._config.adapt.trials, (number, _JUDGE, 0))[1].score[:, seat]
                  for player in (network, self._network)]
        return float(scores[0].mean() - scores[1].mean())

    def _play(self, network, hand, seat, wind, count, numbers):
        rotations, config = self._config.signal.rotations, self._config
        lineups = np.full((count, SEATS), 1 - LEARNER, np.int8)
        lineups[:, seat] = LEARNER
        networks = Networks(network, self._network, [self._network], self._device, config.run.temperature, 0.0)

        def make_source(first, rows):
            random = np.random.default_rng((config.run.seed, first) + numbers)
            walls = deal_walls(hand, seat, rows // rotations, random)
            return Source(walls, np.full(len(walls), wind, np.uint8), np.array([0, rows, rotations, 0], np.int64))

        return play_groups(self._groups, networks, [(PAST, 0)], lineups, make_source, numbers)


def deal_walls(hand, seat, count, random):
    """Walls in which a seat is dealt a hand, all else at random: uint8[count, 136].

    hand: 13 tiles. random: numpy Generator.
    """
    others = np.repeat(np.arange(TILE_COUNT, dtype=np.uint8), COPIES - np.bincount(hand, minlength=TILE_COUNT))
    end = SLICE_SIZE * (seat + 1)
    walls = np.zeros((count, WALL_SIZE), np.uint8)
    walls[:, end - HAND_TILES:end] = hand
    walls[:, np.r_[:end - HAND_TILES, end:WALL_SIZE]] = random.permuted(np.tile(others, (count, 1)), axis=1)
    return walls


def judge_hands(network, config, count):
    """Yields what adaptation brings at each of `count` hands dealt at random, in points a game."""
    adapter = Adapter(network, config)
    wall = np.zeros(WALL_SIZE, np.uint8)
    for number in range(count):
        shuffle_wall(wall, np.uint64(((1 << 30) + config.run.seed << 32) + _FIRST_HAND + number))
        seat, wind = number % SEATS, number // SEATS % SEATS
        hand = wall[SLICE_SIZE * (seat + 1) - HAND_TILES:SLICE_SIZE * (seat + 1)].tolist()
        adapted = adapter.adapt(hand, seat, wind, number)
        yield adapter.judge(adapted, hand, seat, wind, number)


def describe_gains(gains):
    """The mean of what judge_hands yields with its interval, in words."""
    return "%d hands: %+.2f (%+.2f .. %+.2f) points a game" % ((len(gains),) + tuple(mean_interval(gains)))
