"""Speed of the engine beside its references, all measured in one run: python3 -m mj_bot.lab bench [--json FILE]."""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import MahjongGB
import numpy as np

from .. import QUIET
from ..mahjong.action import format_action
from ..mahjong.shanten_tables import discard_batch, least_batch, shanten_batch
from ..mahjong.tile import COPIES, TILE_COUNT, count_tiles, list_tiles
from .arena.referee_runner import is_decision
from .dataset import Dataset
from .dataset.selfplay import SelfPlay
from .engine.batch import Engine
from .engine.decisions import random_actions
from .engine.sources import seed_source
from .run.files import check_folder_of, write_json
from .table.choosers import load_chooser
from .table.match import play_fast
from .table.players import make_player
from .table.referee import Referee
from .table.walls import wall_from_seed, wind_from_seed


class Row(NamedTuple):
    """One line of the table."""

    name: str
    value: float
    unit: str  # of the value and the reference
    reference: float
    ratio: float  # how many times better the value is than the reference
    against: str  # what the reference is


_WIDTH = 512
# Games of a tactic side by side: some hundred end in a measurement.
_TACTIC_WIDTH = 64
_SHANTEN_OF_MAHJONGGB = (
    MahjongGB.RegularShanten, MahjongGB.SevenPairsShanten, MahjongGB.ThirteenOrphansShanten,
    MahjongGB.HonorsAndKnittedTilesShanten, MahjongGB.KnittedStraightShanten,
)
# An interrupt ends it without a word, and bench itself speaks.
_COLD_START = ("import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); "
               "from mj_bot.lab.bench import start_engine; start_engine()")
_MAX_BYTES = 4096
_MAX_COMPILE_SECONDS = 60
# Games of a set, decisions a batch, and games a minute that training must be fed with.
_SET = 8192
_BATCH = 1024
_LEAST_BATCHED = 50_000


def main(argv):
    """Measures, prints the table, writes the JSON; exit code 0."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab bench",
                                     description="Measures the speed of the engine beside its references, in one run.")
    parser.add_argument("--json", metavar="FILE", help="write the table to this file")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each measurement (%(default)s)")
    options = parser.parse_args(argv)
    if options.json:
        check_folder_of(options.json)
    rows = []
    print("%-44s %12s %-12s %12s %9s  %s" % ("name", "value", "unit", "reference", "ratio", "against"))
    for row in measure(options.seconds):
        rows.append(row)
        print("%-44s %12s %-12s %12s %9.2f  %s" % (
            row.name, _format(row.value), row.unit, _format(row.reference), row.ratio, row.against), flush=True)
    if options.json:
        write_json(options.json, [row._asdict() for row in rows])
    return 0


def measure(seconds):
    """Yields the Rows, each after about `seconds` of measuring."""
    yield from _measure_start()
    referee, referee_decisions = _referee_speed(seconds)
    alone = play_random(seconds)
    yield _faster("random play, full masks", alone.games, "games/s", reference=referee, against="plain referee")
    yield _faster("decisions in it", alone.decisions, "decisions/s", reference=referee_decisions,
                  against="plain referee")
    with_observations = play_random(seconds, with_observations=True)
    yield _faster("random play, full masks and observations", with_observations.games, "games/s", reference=referee,
                  against="plain referee, no observations")
    yield _less("memory a game, buffers included", Engine(_WIDTH).nbytes / _WIDTH, "bytes", reference=_MAX_BYTES,
                against="the limit")
    yield from _measure_shanten(seconds)
    for name in ("search", "rule_based"):
        yield _faster("%s, many decisions at once, all seats" % name, _batch_speed(name, seconds), "decisions/s",
                      reference=_tactic_speed(name, seconds), against="the tactic, referee apart")
    yield from _measure_batches(seconds)


def start_engine():
    """Compiles or loads everything that playing and shanten need."""
    play_random(0, with_observations=True)
    counts = np.zeros((1, TILE_COUNT), np.uint8)
    counts[0, :14] = 1
    shanten_batch(counts, [0])
    least_batch(counts, [0])
    discard_batch(counts, [0])


class Play(NamedTuple):
    """How fast games were played."""

    games: float  # a second
    decisions: float  # a second


def play_random(seconds, with_observations=False, seed=0, *, width=_WIDTH):
    """Plays uniformly random legal actions for a time on one thread, a step at least; returns a Play."""
    engine = Engine(width, seed_source(seed << 40))
    engine.reset()
    state = np.array([seed], np.uint64)
    actions = np.zeros(3 * width, np.int16)
    observations = engine.observations() if with_observations else None
    games = decisions = 0
    start = time.perf_counter()
    while True:
        count = len(engine.pending)
        random_actions(engine.pending, state, actions)
        if with_observations:
            observations = engine.observations(out=_grow(observations, count))
        engine.step(actions[:count])
        games += len(engine.finished)
        decisions += count
        spent = time.perf_counter() - start
        if spent >= seconds:
            return Play(games / spent, decisions / spent)


def _grow(observations, count):
    return observations if len(observations) >= count else np.zeros((count, observations.shape[1]), np.uint8)


def _referee_speed(seconds):
    """Games and decisions a second of the plain referee with all legal actions of all seats and random choices."""
    rng = random.Random(0)
    games = decisions = 0
    start = time.perf_counter()
    while not games or time.perf_counter() - start < seconds:
        referee = Referee(wall_from_seed(games), wind_from_seed(games))
        while not referee.is_over:
            legal = [referee.legal_actions(seat) for seat in range(4)]
            decisions += sum(len(actions) > 1 for actions in legal)
            referee.step([format_action(rng.choice(actions)) for actions in legal])
        games += 1
    spent = time.perf_counter() - start
    return games / spent, decisions / spent


def _batch_speed(name, seconds):
    """Decisions a second of a tactic's `choose` in games against itself, the engine's time apart."""
    engine = Engine(_TACTIC_WIDTH)
    engine.reset()
    chooser = load_chooser(name)
    decisions = 0
    spent = 0.0
    is_compiled = False
    while not decisions or spent < seconds:
        observations, masks = engine.observations(), engine.mask()
        start = time.perf_counter()
        actions = chooser(observations, masks)
        if is_compiled:
            spent += time.perf_counter() - start
            decisions += len(actions)
        is_compiled = True
        engine.step(actions)
    return decisions / spent


def _tactic_speed(name, seconds):
    """Decisions a second of a tactic in games against itself, the referee's time apart."""
    milliseconds = []

    def listen(referee, answers):
        milliseconds.extend(answer.milliseconds for seat, answer in enumerate(answers) if is_decision(referee, seat))

    games = 0
    while not milliseconds or sum(milliseconds) < 1000 * seconds:
        play_fast([make_player(name) for _ in range(4)], wall_from_seed(games), wind_from_seed(games), listen=listen)
        games += 1
    return 1000 * len(milliseconds) / sum(milliseconds)


def _measure_start():
    """Compile time in an empty cache, and the start from a full one."""
    with tempfile.TemporaryDirectory() as folder:
        spent = []
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", _COLD_START], check=True,
                           env=dict(os.environ, XDG_CACHE_HOME=folder, **{QUIET: "1"}))
            spent.append(time.perf_counter() - start)
    cold, warm = spent
    yield _less("start with an empty cache", cold, "s", reference=_MAX_COMPILE_SECONDS, against="the limit")
    yield _less("start with compiled code on disk", warm, "s", reference=cold, against="empty cache")


def _measure_shanten(seconds):
    rng = random.Random(0)
    wall = list_tiles([COPIES] * TILE_COUNT)
    hands = [rng.sample(wall, 14) for _ in range(20000)]
    full = np.array([count_tiles(hand) for hand in hands], np.uint8)
    counts = np.array([count_tiles(hand[:13]) for hand in hands], np.uint8)
    melds = np.zeros(len(hands), np.uint8)
    few = [tuple(hand[:13]) for hand in hands[:1000]]
    regular = _rate(lambda: [MahjongGB.RegularShanten(hand) for hand in few], len(few), seconds)
    five = _rate(lambda: [function(hand) for hand in few for function in _SHANTEN_OF_MAHJONGGB], len(few), seconds)
    least = _rate(lambda: least_batch(counts, melds), len(hands), seconds)
    yield _faster("shanten and useful tiles, least of all shapes", least, "hands/s", reference=regular,
                  against="RegularShanten")
    by_shape = _rate(lambda: shanten_batch(counts, melds), len(hands), seconds)
    yield _faster("shanten and useful tiles, each of five shapes", by_shape, "hands/s", reference=five,
                  against="MahjongGB's five")
    discards = _rate(lambda: discard_batch(full, melds), int((full > 0).sum()), seconds)
    yield _faster("shanten and useful tiles after every discard", discards, "hands/s", reference=regular,
                  against="RegularShanten")


def _measure_batches(seconds):
    """Games a minute from the compact form to training batches, on two threads and by processor time."""
    dataset = Dataset({}, SelfPlay(("random",), 0, 0.03).play(0, _SET))
    games = dataset.count_games("train")
    for _ in dataset.batches("train", _BATCH, 0, workers=2):
        pass  # compiles
    rounds, start, processor_start = 0, time.perf_counter(), time.process_time()
    while not rounds or time.perf_counter() - start < seconds:
        rounds += 1
        for _ in dataset.batches("train", _BATCH, rounds, workers=2):
            pass
    wall, processor = time.perf_counter() - start, time.process_time() - processor_start
    yield _faster("games to shuffled batches, two threads", 60 * rounds * games / wall, "games/min",
                  reference=_LEAST_BATCHED,
                  against="the limit")
    yield _faster("the same, a minute of processor time each", 2 * 60 * rounds * games / processor, "games/min",
                  reference=_LEAST_BATCHED, against="the limit")


def _rate(call, count, seconds):
    call()
    rounds = 0
    start = time.perf_counter()
    while not rounds or time.perf_counter() - start < seconds:
        call()
        rounds += 1
    return rounds * count / (time.perf_counter() - start)


def _faster(name, value, unit, *, reference, against):
    return Row(name, value, unit, reference, value / reference, against)


def _less(name, value, unit, *, reference, against):
    return Row(name, value, unit, reference, reference / value, against)


def _format(value):
    return "%.0f" % value if value >= 100 else "%.3g" % value
