"""Alternates playing and learning; a run is named by its folder, and the same command continues from its checkpoint.

An iteration depends only on the settings, the checkpoint before it and its number. So an interrupted run gives the same
network as an uninterrupted one, on the same device and with as many processes.

    FOLDER/run.json     the settings that must be the same to continue
    FOLDER/checkpoint.pt    the state from which the same command continues
    FOLDER/weights      the policy after every run.save_games games; 000000000.npz is the start
    FOLDER/averages     the exponential average of the policy's weights after the same games
    FOLDER/events       figures for TensorBoard
    FOLDER/log.jsonl    the same figures, a line per iteration; `stretch` counts games since the last restart
    FOLDER/broken.pt    a batch whose loss was not finite; broken-K.pt is that of process K

Under torchrun several processes share the games of an iteration. Each plays its share and learns from its own
decisions, and the first process writes the files.
"""

import contextlib
import dataclasses
import math
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch

from ...mahjong.errors import ModelMismatchError
from ...network.weights import MOST_SIZE
from ..engine import seed_source
from ..run.files import format_json, make_folder, parse_json, read_text, write_whole
from ..run.progress import Progress, open_events
from ..run.provenance import read_commit
from ..run.ranks import ALONE, Ranks
from ..run.run_folder import begin_run
from ..train.checkpoint import expect_checkpoint, has_checkpoint, load_checkpoint, pack, save_checkpoint, unpack
from ..train.exported import export_network
from ..train.network import TileNetwork
from .actor import Group, PlayingNetworks, play_groups
from .config import Config, parse_config, share_games
from .league import PAST, GameEnds, describe_games, draw_lineups
from .learner import DivergedError, Learner
from .policy import Device, clone, load_start
from .remote import open_actors

RL_KIND, RL_VERSION = "rl", 1
LOG = "log.jsonl"
WEIGHTS, AVERAGES = "weights", "averages"
_AVERAGE = "average."  # prefix of the average network's tensors in a checkpoint
# Numbers of the streams of random numbers; stream 1 is the learner's.
_GAMES, _LINEUPS = 0, 2
# The walls of a run begin 2**31 after those of a set of games with the same seed (dataset/selfplay.py), so that they
# differ from them. Matches have seeds below 2**30, so they play none of these walls.
_FIRST_WALL = 1 << 31


class Learning(object):
    """Plays and learns in one run.

    folder: folder of the run, the same for all processes. ranks: processes that learn together.
    ray_address: address of the cluster where the processes of config.run.actors play.
    games: number of games learnt from so far. stretch: how many of them since the run was opened.
    iteration: number of the next iteration. minutes: minutes of playing and learning so far.
    average: TileNetwork with the exponential average of the policy's weights.
    Raises ProtocolError: the folder contains a run of other settings, and the message names the differences.
        ModelMismatchError: there is no network to start from. MahjongError: the
        processes cannot share the games equally.
    """

    def __init__(self, config: Config, folder: str | Path, ranks: Ranks = ALONE, *, ray_address: str = "auto"):
        self.config = config
        self.is_first = ranks.is_first
        self._own_config = share_games(config, ranks.count)
        self._ranks = ranks
        self._ray_address = ray_address
        self.games = self.iteration = self.stretch = 0
        self.minutes = 0.0
        self._folder = Path(folder)
        self._device = Device(config.run.device, config.run.precision, ranks.gpu)
        self._fingerprint = _compute_fingerprint(config)
        torch.manual_seed(config.run.seed)
        is_new = not has_checkpoint(folder)
        self._past = []
        if is_new:
            self._set_up(load_start(config.run.start).to(self._device.name))
            self._keep_past()
        if self.is_first:
            make_folder(folder)
            begin_run(folder, RL_KIND, RL_VERSION, settings=self._fingerprint, complete=_complete_settings)
        if not is_new:
            with expect_checkpoint(self._folder):
                self._resume()
        begun = ranks.collect(self.games)
        if len(set(begun)) > 1:
            raise ModelMismatchError("expected one folder for all processes, got checkpoints after %r games in %s",
                                     begun, self._folder)
        if self.is_first:
            # A run that ended before its first checkpoint has left lines, so new runs trim the log too.
            with expect_checkpoint(self._folder):
                trim_log(self._folder / LOG, self.games)
            if is_new:
                self._export()

    def run(self, minutes: float | None = None) -> None:
        """Plays and learns until all games are used.

        minutes: time limit, after which the current iteration is finished; None for no limit.
        """
        start = time.monotonic()
        with contextlib.ExitStack() as stack:
            bar = stack.enter_context(
                Progress(self.config.run.games, name="rl", initial=self.games, disable=not self.is_first))
            play = stack.enter_context(self._open_groups())
            writer = None
            if self.is_first:
                writer = stack.enter_context(contextlib.closing(open_events(self._folder / "events", self.games)))
            while self.games < self.config.run.games:
                self._iterate(play, writer)
                bar.update(self.games - bar.n)
                if minutes is not None and any(self._ranks.collect(time.monotonic() - start > 60 * minutes)):
                    break

    def _open_groups(self):
        """Returns a context with play(networks, lineups, *, make_source, seeds), one iteration of this process."""
        run = self.config.run
        first = self._ranks.rank * run.groups
        if run.actors:
            return open_actors(run, first, self._ray_address)
        groups = [Group(run.width) for _ in range(run.groups)]
        return contextlib.nullcontext(partial(play_groups, groups, first=first))

    def _iterate(self, play, writer):
        """Plays and learns one iteration, and writes the log and the checkpoint."""
        run, begun = self.config.run, time.monotonic()
        decisions, ends = self._play(play)
        played = time.monotonic()
        try:
            figures = self.learner.learn(decisions, ends, self.games, iteration=self.iteration)
        except DivergedError as error:
            if error.is_here:
                name = "broken.pt" if self.is_first else "broken-%d.pt" % self._ranks.rank
                torch.save(dict(error.batch, losses=error.losses), self._folder / name)
            self._ranks.collect(None)  # Wait for the other processes: torchrun ends all of them once one has ended.
            raise
        learnt = time.monotonic()
        before, self.games = self.games, self.games + run.games_per_iteration
        self.stretch += run.games_per_iteration
        self.iteration += 1
        self.minutes += (learnt - begun) / 60
        self._add_to_average()
        if _passes(before, self.games, self.config.league.past_games):
            self._keep_past()
        ends = GameEnds(*map(np.concatenate, zip(*self._ranks.collect(ends))))
        figures.update(describe_games(ends))
        figures.update({"pace/play_seconds": played - begun, "pace/learn_seconds": learnt - played,
                        "pace/games_per_second": len(ends.score) / (learnt - begun),
                        "pace/played_per_second": len(ends.score) / (played - begun)})
        if self.is_first:
            # The log comes before the checkpoint, because a run that is continued drops lines after its checkpoint.
            self._log(writer, figures)
            if _passes(before, self.games, run.save_games) or self.games >= run.games:
                self._export()
            self._save()

    def _play(self, play):
        """Plays the games of one iteration, and returns (LearnerDecisions, GameEnds)."""
        config, count = self.config, self.config.run.games_per_iteration
        share = self._own_config.run.games_per_iteration
        random = np.random.default_rng((config.run.seed, _LINEUPS, self.iteration))
        lineups = draw_lineups(config.league.shares, config.league.seats, len(self._past), game_count=count,
                               random=random)
        networks = PlayingNetworks(self.learner.network, self._past, self._device, config.run.temperature)
        base = ((1 << 30) + config.run.seed << 32) + _FIRST_WALL + self.games
        return play(networks, lineups[self._ranks.rank * share:][:share],
                    make_source=lambda first, rows: seed_source(base + first, rows),
                    seeds=(config.run.seed, _GAMES, self.iteration))

    def _set_up(self, start):
        """Makes the learner and the average from a network."""
        self.average = clone(start)
        self.learner = Learner(clone(start).requires_grad_(True), self._own_config, self._device, ranks=self._ranks)

    def _keep_past(self):
        """Keeps a copy of the present policy as an earlier self, if the league has such players."""
        if PAST in self.config.league.shares:
            self._past = (self._past + [clone(self.learner.network)])[-self.config.league.past_most:]

    def _add_to_average(self):
        """Moves the average of the weights towards the present weights."""
        share = 1 - math.exp(-self.config.run.games_per_iteration / self.config.run.average_games)
        with torch.no_grad():
            for mean, parameter in zip(self.average.parameters(), self.learner.network.parameters()):
                mean.lerp_(parameter, share)

    def _export(self):
        """Writes weight files of the policy and of the average."""
        card = {"name": "cnn", "games": self.games, "iterations": self.iteration,
                "minutes": round(self.minutes, 2), "device": self._device.name, "config": self._fingerprint,
                **read_commit()}
        for name, network, training in ((WEIGHTS, self.learner.network, "self-play"),
                                        (AVERAGES, self.average, "self-play, average of weights")):
            folder = self._folder / name
            folder.mkdir(exist_ok=True)
            export_network(network, str(folder / ("%09d.npz" % self.games)), dict(card, training=training),
                           precision="float16")

    def _save(self):
        """Writes the checkpoint."""
        learner = self.learner
        tensors = pack(self.average, prefix=_AVERAGE)
        for index, network in enumerate(self._past):
            tensors.update(pack(network, prefix="past.%d." % index))
        for network, optimiser, prefix in learner.list_networks():
            tensors.update(pack(network, optimiser, prefix))
        state = {
            "config": self._fingerprint, "games": self.games, "iteration": self.iteration, "minutes": self.minutes,
            "entropy_weight": learner.entropy_weight, "steps": learner.steps, "past": len(self._past),
            "network": learner.network.config, "processes": self._ranks.count, "torch": torch.__version__,
            **read_commit(),
        }
        save_checkpoint(self._folder, state, tensors)

    def _resume(self):
        """Sets this object to the state of the checkpoint."""
        state, tensors = load_checkpoint(self._folder)
        if not all(0 < size <= MOST_SIZE for size in state["network"].values()):
            raise ValueError("expected sizes 1..%d of the network, got %.80r" % (MOST_SIZE, state["network"]))
        network = TileNetwork(**state["network"]).to(self._device.name)
        for index in range(state["past"]):
            unpack(tensors, network, prefix="past.%d." % index)
            self._past.append(clone(network))
        unpack(tensors, network)
        self._set_up(network)
        learner = self.learner
        for network, optimiser, prefix in learner.list_networks():
            unpack(tensors, network, optimiser, prefix=prefix)
        unpack(tensors, self.average, prefix=_AVERAGE)
        learner.entropy_weight, learner.steps = float(state["entropy_weight"]), int(state["steps"])
        self.games, self.iteration, self.minutes = int(state["games"]), int(state["iteration"]), float(state["minutes"])

    def _log(self, writer, figures):
        """Writes figures, {name: number}, to TensorBoard and as a line of the log."""
        for name, value in figures.items():
            writer.add_scalar(name, value, self.games)
        writer.flush()
        line = dict({name: round(float(value), 5) if math.isfinite(value) else None for name, value in figures.items()},
                    games=self.games, stretch=self.stretch, minutes=round(self.minutes, 3))
        with open(self._folder / LOG, "a", encoding="utf-8") as file:
            file.write(format_json(line) + "\n")


def trim_log(path: Path, games: int) -> None:
    """Drops the lines of a run's log that came after `games` games, and a last line that a crash cut off."""
    if path.exists():
        lines = read_text(path).splitlines(keepends=True)
        write_whole(path, "".join(line for line in lines if line.endswith("\n") and parse_json(line)["games"] <= games))


def _compute_fingerprint(config):
    """Returns the settings that decide what a run learns, without its length, place, files and matches."""
    fingerprint = dataclasses.asdict(config)
    for name in ("games", "groups", "width", "device", "actors", "actor_device", "save_games", "average_games"):
        del fingerprint["run"][name]
    return fingerprint


def _complete_settings(settings):
    """Returns the settings of an older run by the names of today, with the defaults of those that came later."""
    settings.get("ppo", {}).pop("validation_share", None)  # games that were measured and not learned from
    return _compute_fingerprint(parse_config(settings, "the settings of the run"))


def _passes(before, after, step):
    """Checks whether a multiple of `step` lies above `before` and not above `after`."""
    return before // step != after // step
