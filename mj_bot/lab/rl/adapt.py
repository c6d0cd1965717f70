"""Run-time adaptation: at the deal, the hidden tiles are sampled, games are played out, and a copy of the policy learns
from them for this hand alone. Source: Li et al. 2020, Suphx, section 3.4; offline, since it takes thousands of games.

The command `rl adapt` measures what that brings, hand by hand:

    FOLDER/settings.json   what the run was begun with
    FOLDER/hands.jsonl     a line a hand
"""

import argparse
import dataclasses
import hashlib
import json
import os
import shlex
import sys

import numpy as np
from tqdm import tqdm

from ...mahjong.errors import MahjongError
from ...mahjong.rules import HAND_TILES, SEATS
from ...mahjong.tile import COPIES, TILE_COUNT
from ..arena.verdict import mean_interval
from ..engine.sources import Source, shuffle_wall
from ..run.files import begin_folder, write_whole
from ..table.walls import SLICE_SIZE, WALL_SIZE
from .actor import Group, Networks, play_groups
from .config import read_config
from .league import LEARNER, PAST
from .learner import Learner
from .policy import Device, clone, load_start

_HANDS = "hands.jsonl"
_INTERRUPTED = 130
# At which networks are judged: they play their best action, as in matches. Sampled, a policy that learning has only
# made surer of itself would look better.
_IN_EARNEST = 1e-3
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
            notes, ends = self._play(network, hand, seat, wind, share, numbers, self._config.run.temperature)
            learner.learn(notes, ends, 0, numbers)
        return network.requires_grad_(False)

    def judge(self, network, hand, seat, wind, number):
        """Points a game that a network brings with a hand more than the policy, over the same walls."""
        count, numbers = self._config.adapt.trials, (number, _JUDGE, 0)
        scores = [self._play(player, hand, seat, wind, count, numbers, _IN_EARNEST)[1].score[:, seat]
                  for player in (network, self._network)]
        return float(scores[0].mean() - scores[1].mean())

    def _play(self, network, hand, seat, wind, count, numbers, temperature):
        rotations, config = self._config.signal.rotations, self._config
        lineups = np.full((count, SEATS), 1 - LEARNER, np.int8)
        lineups[:, seat] = LEARNER
        networks = Networks(network, self._network, [self._network], self._device, temperature, 0.0)

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


def judge_hands(network, config, first, count):
    """Yields what adaptation brings at each of the hands first .. count - 1, dealt at random, in points a game."""
    adapter = Adapter(network, config)
    wall = np.zeros(WALL_SIZE, np.uint8)
    for number in range(first, count):
        shuffle_wall(wall, np.uint64(((1 << 30) + config.run.seed << 32) + _FIRST_HAND + number))
        seat, wind = number % SEATS, number // SEATS % SEATS
        hand = wall[SLICE_SIZE * (seat + 1) - HAND_TILES:SLICE_SIZE * (seat + 1)].tolist()
        adapted = adapter.adapt(hand, seat, wind, number)
        yield adapter.judge(adapted, hand, seat, wind, number)


def main(argv):
    """The command `rl adapt`; exit code 0, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    config, network = read_config(options.config), load_start(options.weights)
    begin_folder(options.output, {"config": config.as_dict(), "weights": _find_digest(network)})
    try:
        gains = run(network, config, options.output, options.hands)
    except KeyboardInterrupt:
        print("rl adapt: interrupted; the same command goes on from there", file=sys.stderr)
        return _INTERRUPTED
    mean, low, high = mean_interval(gains)
    print("%d hands: %+.2f (%+.2f .. %+.2f) points a game" % (len(gains), mean, low, high))
    if options.json:
        command = ["python3", "-m", "mj_bot.lab", "rl", "adapt", options.config, "--weights", options.weights,
                   "--output", options.output, "--hands", str(options.hands)]
        write_whole(options.json, json.dumps({
            "command": shlex.join(command), "adapt": dataclasses.asdict(config.adapt), "hands": len(gains),
            "points": round(mean, 3), "low": round(low, 3), "high": round(high, 3)}, indent=1) + "\n")
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab rl adapt",
        description="Measures run-time adaptation: at each of many deals a copy of the policy learns for that hand "
                    "alone.",
        epilog="The same command goes on where it was broken off, also after a kill, and with more hands too.")
    parser.add_argument("config", metavar="CONFIG", help="its [adapt], [run], [signal] and [ppo] count")
    parser.add_argument("--weights", required=True, metavar="FILE", help="the policy, .npz")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    parser.add_argument("--hands", type=int, default=300, metavar="N", help="(%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write what was found to this file")
    options = parser.parse_args(argv)
    if options.hands < 2:
        parser.error("expected --hands 2 or more, got %d" % options.hands)
    return options


def _find_digest(network):
    digest = hashlib.sha256()
    for tensor in network.state_dict().values():
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()


def run(network, config, folder, hands):
    """What adaptation brings at each hand, list of points; played as far as it does not stand in the folder.

    Raises MahjongError: the folder's list of hands is not one of this command.
    """
    path = os.path.join(folder, _HANDS)
    gains = _read_gains(path)[:hands]
    with open(path, "a", encoding="utf-8") as file, tqdm(
            total=hands, initial=len(gains), unit="hand", file=sys.stderr) as bar:
        for gain in judge_hands(network, config, len(gains), hands):
            file.write(json.dumps({"hand": len(gains), "gain": gain}) + "\n")
            file.flush()
            gains.append(gain)
            bar.update()
    return gains


def _read_gains(path):
    """Those of the whole lines; what a kill left of the last one is cut off."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text[:text.rfind("\n") + 1]
    if lines != text:
        write_whole(path, lines)
    try:
        found = [json.loads(line) for line in lines.splitlines()]
        if [line["hand"] for line in found] == list(range(len(found))):
            return [float(line["gain"]) for line in found]
    except (ValueError, KeyError, TypeError):
        pass
    raise MahjongError("expected the gain of hand 0, 1 and so on in lines, got something else in %s" % path)
