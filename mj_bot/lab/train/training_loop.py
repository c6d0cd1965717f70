"""The training loop that all recipes share.

The folder of a run (run/run_folder.py) has a checkpoint, events for TensorBoard and, at the end, the measures of
training_report.py. The same command continues from the checkpoint. On the same device the network is that of a run
without a break. Several processes under torchrun share each batch.
"""

import math
import re
import time
from pathlib import Path
from typing import NamedTuple

import torch

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...tactic import read_weight_file
from ..run.command import delay_interrupts
from ..run.files import make_folder
from ..run.progress import Progress, open_events
from ..run.provenance import read_commit
from ..run.ranks import join_ranks
from ..run.run_folder import begin_run
from .checkpoint import expect_checkpoint, has_checkpoint, load_checkpoint, pack, save_checkpoint, unpack
from .exported import import_network
from .network import TileNetwork
from .recipe import load_recipe
from .recipes import RECIPES
from .stream import move_batch, read_batches, run_ahead

TRAIN_KIND, TRAIN_VERSION = "train", 1
# Steps between two lines for TensorBoard.
_LOG_STEPS = 50
_FIRST_SAVE_SECONDS, _SAVE_SECONDS = 45, 300  # to the first checkpoint, and between others


def choose_device(name=None):
    """The device of this name, None for the best. Raises MahjongError: torch finds no such device."""
    if name is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name != "cpu" and not (re.fullmatch(r"cuda(:\d+)?", name) and torch.cuda.is_available()):
        raise MahjongError("expected the device %s, got %r" % (
            "cpu, cuda or cuda:NUMBER" if torch.cuda.is_available() else "cpu, as torch finds no GPU", name))
    return name


class TrainingSettings(NamedTuple):
    """How long and where a run trains."""

    samples: int  # to train on in all
    seed: int  # of the first weights, the order of the batches and dropout
    device: str  # "cpu" or "cuda"
    precision: str  # "float32" or "bfloat16"
    is_compiled: bool  # by torch.compile
    minutes: float = None  # time limit of this call
    start: str = None  # a weight file to begin with, of the same size; random weights without one


class Pace(NamedTuple):
    """The speed of a call of Training.run."""

    is_done: bool  # all samples are trained on
    seconds: float
    samples: int
    waited: float  # seconds without a batch to train on


class Training(object):
    """One run of a recipe on a dataset.Dataset.

    folder: of the run. network: the torch.nn.Module. samples: trained on so far. is_first: this process logs and saves.
    Raises ProtocolError: the folder contains another run, whose settings are named. ModelMismatchError: a run of
    version 1.0, or a start of another size.
    """

    def __init__(self, recipe, dataset, folder, *, settings):
        self.recipe = recipe
        self.samples = 0
        self._folder = Path(folder)
        self._ranks = join_ranks()
        self.is_first = self._ranks.is_first
        if settings.device.startswith("cuda") and self._ranks.gpu is not None:
            settings = settings._replace(device="cuda:%d" % self._ranks.gpu)
        self.settings = settings
        self._dataset = dataset
        self._place = 0, 0  # epoch, batch
        self._fingerprint = {
            "recipe": recipe.name, "data": dataset.card.get("hash"), "teacher": dataset.card.get("teacher"),
            "samples_in_all": settings.samples, "seed": settings.seed, "schedule": recipe.schedule._asdict(),
            "start": settings.start}
        # Makes a run on a GPU repeatable.
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
        self._called = self._wrap()

    def run(self):
        """Trains to the end or to the limit of time, saves, and returns the Pace."""
        settings, size = self.settings, self.recipe.schedule.batch_size
        first, start, waited = self.samples, time.monotonic(), 0.0
        next_save = start + _FIRST_SAVE_SECONDS
        writer = open_events(self._folder / "events", self.samples) if self.is_first else None
        epoch, batch = self._place
        batches = run_ahead(self._prepare, read_batches(self._dataset, size, settings.seed, epoch=epoch, first=batch))
        self.network.train()
        is_whole = True  # false while a step is half done
        with delay_interrupts() as stop_if_asked, Progress(
                settings.samples, " samples", name="train", initial=self.samples, unit_scale=True,
                disable=not self.is_first) as bar:
            try:
                while self.samples < settings.samples:
                    asked = time.monotonic()
                    epoch, number, batch = next(batches)
                    now = time.monotonic()
                    waited += now - asked
                    is_whole = False
                    losses = self._step(batch)
                    self.samples += size
                    self._place = epoch, number + 1
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
        epoch, number, batch = item
        return epoch, number, move_batch(
            self.recipe, batch, self.settings.device, rank=self._ranks.number, count=self._ranks.count)

    def _step(self, batch):
        # Dropout of a step depends on its number only: checkpoints need no state of random numbers.
        torch.manual_seed((self.settings.seed << 32) + self.samples)
        share = self.samples / self.settings.samples
        for group in self._optimiser.param_groups:
            group["lr"] = compute_rate(self.recipe.schedule, share)
        with torch.no_grad():
            inputs = self.recipe.encode(batch.observation, batch.facts, getattr(torch, self.settings.precision))
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
        network = self.network
        if self.settings.is_compiled:
            network = torch.compile(network)
        if self._ranks.count > 1:
            devices = [self.settings.device] if self.settings.device.startswith("cuda") else None
            network = torch.nn.parallel.DistributedDataParallel(network, device_ids=devices)
        return network

    def _resume(self):
        state, tensors = load_checkpoint(self._folder)
        with expect_checkpoint(self._folder):
            unpack(tensors, self.network, self._optimiser)
            self.samples, *self._place = (int(state[key]) for key in ("samples", "epoch", "batch"))

    def _save(self):
        if not self.is_first:
            return
        for name, tensor in self.network.state_dict().items():
            if tensor.is_floating_point() and not torch.isfinite(tensor).all():
                raise MahjongError("expected finite weights, got others in %s after %d samples; the checkpoint is "
                                   "not replaced" % (name, self.samples))
        epoch, batch = self._place
        state = dict(self._fingerprint, samples=self.samples, epoch=epoch, batch=batch, torch=torch.__version__,
                     **read_commit())
        save_checkpoint(self._folder, state, pack(self.network, self._optimiser))

    def _log(self, writer, losses, rate):
        for name, value in losses.items():
            writer.add_scalar("train/" + name, float(value.detach()), self.samples)
        writer.add_scalar("train/rate", self._optimiser.param_groups[0]["lr"], self.samples)
        writer.add_scalar("train/samples_a_second", rate, self.samples)


def compute_rate(schedule, share):
    """The learning rate after a share 0..1 of the samples."""
    if share < schedule.warmup:
        return schedule.rate * (share / schedule.warmup + 1e-3)
    return schedule.rate * 0.5 * (1 + math.cos(math.pi * (share - schedule.warmup) / (1 - schedule.warmup)))


def _make_network(recipe, start):
    """The recipe's new network, with the weights of a file if there is a start."""
    network = recipe.make_network()
    if start:
        former = import_network(read_weight_file(start), start)
        if not isinstance(network, TileNetwork) or former.config != network.config:
            raise ModelMismatchError("expected weights of the recipe %s, got a network of %r in %s" % (
                recipe.name, former.config, start))
        network.load_state_dict(former.state_dict())
    return network


def _make_optimiser(network, schedule):
    """An optimiser without weight decay for biases and normalisation."""
    matrices = [parameter for parameter in network.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    groups = [{"params": matrices, "weight_decay": schedule.decay}, {"params": others, "weight_decay": 0.0}]
    if schedule.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=schedule.rate, momentum=0.9)
    return torch.optim.AdamW(groups, lr=schedule.rate)


def load_trained(folder, recipes=RECIPES):
    """(recipe, network in evaluation mode on the processor, state) of the checkpoint of a run.

    recipes: the registry of the recipe.
    Raises ModelMismatchError: no checkpoint, or one of another version.
    """
    state, tensors = load_checkpoint(folder)
    with expect_checkpoint(folder):
        recipe = load_recipe(state["recipe"], recipes)
        network = recipe.make_network()
        unpack(tensors, network)
    return recipe, network.eval(), state
