"""Trains the network of any recipe on a set of games.

The folder of a run (run/run_folder.py) has a checkpoint, events for TensorBoard and, at the end, the measures that
training_report.py prints. The same command continues from the checkpoint. On the same device the network is then that
of a run without a break. Several processes under torchrun share each batch.
"""

import dataclasses
import math
import re
import time
from pathlib import Path
from typing import NamedTuple

import torch

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...tactic import read_weight_file
from ..dataset.reader import Dataset
from ..run.command import delay_interrupts
from ..run.files import make_folder
from ..run.progress import Progress, open_events
from ..run.provenance import read_commit
from ..run.ranks import join_ranks
from ..run.run_folder import begin_run
from .checkpoint import expect_checkpoint, has_checkpoint, load_checkpoint, pack, save_checkpoint, unpack
from .exported import import_network
from .network import TileNetwork
from .recipe import Recipe, Schedule, load_recipe
from .recipes import RECIPES
from .stream import move_batch, read_batches, run_ahead

TRAIN_KIND, TRAIN_VERSION = "train", 1
_LOG_STEPS = 50  # steps from one entry for TensorBoard to the next
_FIRST_SAVE_SECONDS, _SAVE_SECONDS = 45, 300  # seconds to the first checkpoint, and from one to the next


def choose_device(name: str | None = None) -> str:
    """Returns the name of a device for torch.

    name: "cpu", "cuda" or "cuda:NUMBER". None chooses the GPU where there is one, else the processor.
    Raises MahjongError: torch does not find the device.
    """
    if name is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name != "cpu" and not (re.fullmatch(r"cuda(:\d+)?", name) and torch.cuda.is_available()):
        raise MahjongError("expected the device %s, got %r",
                           "cpu, cuda or cuda:NUMBER" if torch.cuda.is_available() else "cpu, as torch finds no GPU",
                           name)
    return name


class TrainingSettings(NamedTuple):
    """Keeps how long and where a run trains."""

    samples: int  # decisions to train on in all, also those of earlier calls
    seed: int  # seed of the first weights, the order of the batches and dropout
    device: str  # name for torch: "cpu", "cuda" or "cuda:NUMBER"
    precision: str  # "float32" or "bfloat16"
    minutes: float | None = None  # time limit of this call; None for no limit
    start: str | None = None  # weight file of the recipe's size to begin with; None begins with random weights


class Pace(NamedTuple):
    """Keeps how fast one call of Training.run was."""

    is_done: bool  # whether the run has trained on all its samples
    seconds: float  # length of the call
    samples: int  # samples trained on in this call
    waited: float  # seconds in which no batch was ready


class Training(object):
    """Trains one run of a recipe on a set of games.

    folder: folder of the run. It is made if it does not exist, and a checkpoint in it is continued.
    network: the network that learns. samples: number of samples trained on so far, also in earlier calls.
    is_first: whether this process, of several, writes the logs and the checkpoints.
    Raises ProtocolError: the folder contains a run of other settings, and the message names the differences.
        ModelMismatchError: the weights to start from have another size.
    """

    def __init__(self, recipe: Recipe, dataset: Dataset, folder: str | Path, *, settings: TrainingSettings):
        self.recipe = recipe
        self.samples = 0
        self._folder = Path(folder)
        self._ranks = join_ranks()
        self.is_first = self._ranks.is_first
        if settings.device.startswith("cuda") and self._ranks.gpu is not None:
            settings = settings._replace(device="cuda:%d" % self._ranks.gpu)
        self.settings = settings
        self._dataset = dataset
        self._position = 0, 0  # epoch and index in it of the next batch
        self._fingerprint = {
            "recipe": recipe.name, "data": dataset.card.get("hash"), "teacher": dataset.card.get("teacher"),
            "samples_in_all": settings.samples, "seed": settings.seed,
            "schedule": dataclasses.asdict(recipe.schedule), "start": settings.start}
        # Two equal runs on a GPU would differ without this.
        torch.backends.cudnn.deterministic = True
        torch.manual_seed(settings.seed)
        goes_on = has_checkpoint(self._folder)
        self.network = _make_network(recipe, None if goes_on else settings.start).to(settings.device)
        self._optimiser = _make_optimiser(self.network, recipe.schedule)
        if self.is_first:
            make_folder(folder)
            begin_run(folder, TRAIN_KIND, TRAIN_VERSION, settings=self._fingerprint)
        if goes_on:
            self._resume()
        self._called = self._wrap()  # the network as a step calls it

    def run(self) -> Pace:
        """Trains until all samples are used or the time limit is over, and saves a checkpoint. Returns the Pace."""
        settings, size = self.settings, self.recipe.schedule.batch_size
        first, start, waited = self.samples, time.monotonic(), 0.0
        next_save = start + _FIRST_SAVE_SECONDS
        writer = open_events(self._folder / "events", self.samples) if self.is_first else None
        epoch, batch = self._position
        batches = run_ahead(self._prepare, read_batches(self._dataset, size, settings.seed, epoch=epoch, first=batch))
        self.network.train()
        is_whole = True  # False while a step is half done, so that an error in it saves nothing
        with delay_interrupts() as stop_if_asked, Progress(
                settings.samples, " samples", name="train", initial=self.samples, unit_scale=True,
                disable=not self.is_first) as bar:
            try:
                while self.samples < settings.samples:
                    asked = time.monotonic()
                    epoch, index, batch = next(batches)
                    now = time.monotonic()
                    waited += now - asked
                    is_whole = False
                    losses = self._step(batch)
                    self.samples += size
                    self._position = epoch, index + 1
                    is_whole = True
                    bar.update(size)
                    if writer and self.samples // size % _LOG_STEPS == 0:
                        self._log(writer, losses, (self.samples - first) / (now - start + 1e-9))
                    if now > next_save:
                        self._save()
                        next_save = now + _SAVE_SECONDS
                    stop_if_asked()
                    if settings.minutes is not None and any(self._ranks.collect(now - start > 60 * settings.minutes)):
                        break
            finally:
                batches.close()
                if is_whole and self.samples > first:
                    self._save()
                if writer:
                    writer.close()
        return Pace(self.samples >= settings.samples, time.monotonic() - start, self.samples - first, waited)

    def _prepare(self, item):
        """Returns an item of `read_batches` with this process's share of its batch on the device."""
        epoch, index, batch = item
        return epoch, index, move_batch(
            self.recipe, batch, self.settings.device, rank=self._ranks.rank, count=self._ranks.count)

    def _step(self, batch):
        """Changes the network by one batch. Returns {name: loss}, with the total and the norm of the gradient."""
        # Dropout depends on the seed and the samples so far only, so checkpoints need no state of random numbers.
        torch.manual_seed((self.settings.seed << 32) + self.samples)
        share = self.samples / self.settings.samples
        for group in self._optimiser.param_groups:
            group["lr"] = compute_rate(self.recipe.schedule, share)
        with torch.no_grad():
            inputs = self.recipe.encode(batch.observation, batch.extras, getattr(torch, self.settings.precision))
        with torch.autocast(self.settings.device.partition(":")[0], torch.bfloat16,
                            enabled=self.settings.precision == "bfloat16"):
            losses = self.recipe.losses(self._called(inputs), batch)
            total = sum(losses.values())
        self._optimiser.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.schedule.clip)
        self._optimiser.step()
        return dict(losses, total=total, gradient=norm)

    def _wrap(self):
        """Returns the network as it is called in a step, which several processes share."""
        if self._ranks.count == 1:
            return self.network
        devices = [self.settings.device] if self.settings.device.startswith("cuda") else None
        return torch.nn.parallel.DistributedDataParallel(self.network, device_ids=devices)

    def _resume(self):
        """Sets the network, the optimiser and the position in the set to those of the checkpoint."""
        state, tensors = load_checkpoint(self._folder)
        with expect_checkpoint(self._folder):
            unpack(tensors, self.network, self._optimiser)
            self.samples, *self._position = (int(state[key]) for key in ("samples", "epoch", "batch"))

    def _save(self):
        """Writes the checkpoint, in the first process only."""
        if not self.is_first:
            return
        for name, tensor in self.network.state_dict().items():
            if tensor.is_floating_point() and not torch.isfinite(tensor).all():
                raise MahjongError("expected finite weights, got others in %s after %d samples; the checkpoint is "
                                   "not replaced", name, self.samples)
        epoch, batch = self._position
        state = dict(self._fingerprint, samples=self.samples, epoch=epoch, batch=batch, torch=torch.__version__,
                     **read_commit())
        save_checkpoint(self._folder, state, pack(self.network, self._optimiser))

    def _log(self, writer, losses, rate):
        """Writes losses, {name: tensor}, and the speed for TensorBoard. rate: samples per second."""
        for name, value in losses.items():
            writer.add_scalar("train/" + name, float(value.detach()), self.samples)
        writer.add_scalar("train/rate", self._optimiser.param_groups[0]["lr"], self.samples)
        writer.add_scalar("train/samples_per_second", rate, self.samples)


def compute_rate(schedule: Schedule, share: float) -> float:
    """Returns the learning rate after a share 0..1 of the samples."""
    if share < schedule.warmup:
        return schedule.rate * (share / schedule.warmup + 1e-3)
    return schedule.rate * 0.5 * (1 + math.cos(math.pi * (share - schedule.warmup) / (1 - schedule.warmup)))


def _make_network(recipe, start):
    """Returns a new network of the recipe. start: weight file from which it takes its weights; None for random ones."""
    network = recipe.make_network()
    if start:
        former = import_network(read_weight_file(start), start)
        if not isinstance(network, TileNetwork) or former.config != network.config:
            raise ModelMismatchError("expected weights of the recipe %s, got a network of %r in %s", recipe.name,
                                     former.config, start)
        network.load_state_dict(former.state_dict())
    return network


def _make_optimiser(network, schedule):
    """Returns an optimiser that applies weight decay to matrices only, not to biases and normalisation."""
    matrices = [parameter for parameter in network.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    groups = [{"params": matrices, "weight_decay": schedule.decay}, {"params": others, "weight_decay": 0.0}]
    if schedule.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=schedule.rate, momentum=0.9)
    return torch.optim.AdamW(groups, lr=schedule.rate)


def load_trained(folder: str | Path, recipes: dict[str, str] = RECIPES) -> tuple[Recipe, torch.nn.Module, dict]:
    """Returns (recipe, network, state) of the checkpoint of a run; the network is on the processor, in evaluation mode.

    recipes: {name: "MODULE:CLASS"}, registry that has the run's recipe.
    Raises ModelMismatchError: there is no checkpoint, or it is of another version.
    """
    state, tensors = load_checkpoint(folder)
    with expect_checkpoint(folder):
        recipe = load_recipe(state["recipe"], recipes)
        network = recipe.make_network()
        unpack(tensors, network)
    return recipe, network.eval(), state
