"""The training loop that all recipes share.

A run is named by its folder: a checkpoint, events for TensorBoard and, at the end, what came of it. The same command
goes on from the checkpoint, and gives the same network as a run without a break on the same device. Several processes
under torchrun share each batch.
"""

import contextlib
import json
import math
import os
import time
from collections import namedtuple
from pathlib import Path

import torch
from torch import distributed
from tqdm import tqdm

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...network.ops import TorchOps
from ..run.provenance import find_commit
from .checkpoint import (
    has_checkpoint, load_checkpoint, pack_network, pack_optimiser, save_checkpoint, unpack_network, unpack_optimiser,
)
from .stream import Stream, make_rows, run_ahead

CHECKPOINT = "checkpoint"
# Steps between two lines for TensorBoard.
_LOG_STEPS = 50

# samples: to train on in all. seed: of the network's beginning, of the order and of dropout. device: "cpu" or "cuda".
# precision: "float32" or "bfloat16". is_compiled: by torch.compile. minutes: the run breaks off after so many, None for
# no limit; save_minutes: between checkpoints.
Settings = namedtuple("Settings", "samples seed device precision is_compiled minutes save_minutes")

# How fast it went. is_done: whether all samples were trained on. seconds, samples: of this call; waited: the seconds
# without a batch to train on.
Pace = namedtuple("Pace", "is_done seconds samples waited")


class Training(object):
    """One run of a recipe on a dataset.Dataset.

    folder: where the run lives. network: the torch.nn.Module. samples: trained on so far.
    Raises ModelMismatchError: the folder holds another run.
    """

    def __init__(self, recipe, dataset, folder, settings):
        self.recipe = recipe
        self.samples = 0
        self._folder = Path(folder)
        self._rank, self._ranks, device = _join_ranks(settings.device)
        self.settings = settings = settings._replace(device=device)
        schedule = recipe.schedule
        self._stream = Stream(dataset, schedule.batch_size, settings.seed)
        self._stream_place = 0, 0
        self._identity = {
            "recipe": recipe.name, "data": dataset.card.get("hash"), "samples_in_all": settings.samples,
            "seed": settings.seed, "schedule": schedule._asdict(),
        }
        # Else the same run would come to other networks on a GPU.
        torch.backends.cudnn.deterministic = True
        torch.manual_seed(settings.seed)
        self.network = recipe.make_network().to(settings.device)
        self._optimiser = _make_optimiser(self.network, schedule)
        if has_checkpoint(self._folder / CHECKPOINT):
            self._resume()
        self._called = self._wrap()

    @property
    def is_first(self):
        """Whether this process is the one that tells and saves."""
        return self._rank == 0

    def run(self, show=True):
        """Trains to the end or to the limit of time, saves, and returns the Pace."""
        settings, size = self.settings, self.recipe.schedule.batch_size
        first, start, waited = self.samples, time.monotonic(), 0.0
        saved = start
        writer = self._open_writer()
        batches = run_ahead(self._prepare, self._stream)
        self.network.train()
        with tqdm(total=settings.samples, initial=self.samples, unit="pos", unit_scale=True, mininterval=1,
                  disable=not (show and self.is_first)) as bar:
            try:
                while self.samples < settings.samples:
                    asked = time.monotonic()
                    epoch, number, rows = next(batches)
                    now = time.monotonic()
                    waited += now - asked
                    losses = self._step(rows)
                    self.samples += size
                    self._stream_place = epoch, number + 1
                    bar.update(size)
                    if self.samples // size % _LOG_STEPS == 0:
                        self._log(writer, losses, (self.samples - first) / (now - start + 1e-9))
                    if now - saved > 60 * settings.save_minutes:
                        self._save()
                        saved = now
                    if settings.minutes is not None and self._agree(now - start > 60 * settings.minutes):
                        break
            finally:
                batches.close()
                if self.samples > first:
                    self._save()
                writer.close()
        return Pace(self.samples >= settings.samples, time.monotonic() - start, self.samples - first, waited)

    def _prepare(self, item):
        epoch, number, batch = item
        return epoch, number, make_rows(self.recipe, batch, self.settings.device, (self._rank, self._ranks))

    def _step(self, rows):
        # Dropout of a step depends on its number alone, so that no state of random numbers has to be kept.
        torch.manual_seed((self.settings.seed << 32) + self.samples)
        share = self.samples / self.settings.samples
        for group in self._optimiser.param_groups:
            group["lr"] = find_rate(self.recipe.schedule, share)
        ops = TorchOps(self.settings.device, self.settings.precision)
        with torch.no_grad():
            inputs = self.recipe.encode(rows.observations, rows.facts, ops)
        with self._cast():
            losses = self.recipe.losses(self._called(inputs), rows)
            total = sum(losses.values())
        self._optimiser.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.schedule.clip)
        self._optimiser.step()
        return dict(losses, total=total, gradient=norm)

    def _agree(self, is_late):
        """Whether time is up for any of the processes, which then stop at the same step."""
        if self._ranks == 1:
            return is_late
        flag = torch.tensor(float(is_late), device=self.settings.device)
        distributed.all_reduce(flag, op=distributed.ReduceOp.MAX)
        return bool(flag)

    def _cast(self):
        if self.settings.precision == "float32":
            return contextlib.nullcontext()
        return torch.autocast(self.settings.device.partition(":")[0], getattr(torch, self.settings.precision))

    def _wrap(self):
        network = self.network
        if self.settings.is_compiled:
            network = torch.compile(network)
        if self._ranks > 1:
            devices = [self.settings.device] if self.settings.device.startswith("cuda") else None
            network = torch.nn.parallel.DistributedDataParallel(network, device_ids=devices)
        return network

    def _resume(self):
        state, tensors = load_checkpoint(self._folder / CHECKPOINT)
        found = {key: state.get(key) for key in self._identity}
        if found != self._identity:
            raise ModelMismatchError("expected the run of %r in %s, got %r; give it another folder" % (
                self._identity, self._folder, found))
        unpack_network(self.network, tensors)
        unpack_optimiser(self._optimiser, tensors)
        self.samples = state["samples"]
        self._stream.epoch, self._stream.batch = self._stream_place = state["epoch"], state["batch"]

    def _save(self):
        if not self.is_first:
            return
        for name, tensor in self.network.state_dict().items():
            if tensor.is_floating_point() and not torch.isfinite(tensor).all():
                raise MahjongError("expected finite weights, got others in %s after %d samples; the checkpoint before "
                                   "them stays" % (name, self.samples))
        epoch, batch = self._stream_place
        state = dict(self._identity, samples=self.samples, epoch=epoch, batch=batch, torch=torch.__version__,
                     **find_commit())
        save_checkpoint(self._folder / CHECKPOINT, state,
                        dict(pack_network(self.network), **pack_optimiser(self._optimiser)))

    def _open_writer(self):
        if not self.is_first:
            return _NoWriter()
        from torch.utils.tensorboard import SummaryWriter  # takes a second, and says much on import

        return SummaryWriter(str(self._folder / "events"), purge_step=self.samples)

    def _log(self, writer, losses, rate):
        for name, value in losses.items():
            writer.add_scalar("train/" + name, float(value.detach()), self.samples)
        writer.add_scalar("train/rate", self._optimiser.param_groups[0]["lr"], self.samples)
        writer.add_scalar("train/samples_a_second", rate, self.samples)


class _NoWriter(object):
    def add_scalar(self, *args):
        pass

    def close(self):
        pass


def find_rate(schedule, share):
    """The learning rate after a share 0..1 of the samples."""
    if share < schedule.warmup:
        return schedule.rate * (share / schedule.warmup + 1e-3)
    return schedule.rate * 0.5 * (1 + math.cos(math.pi * (share - schedule.warmup) / (1 - schedule.warmup)))


def _make_optimiser(network, schedule):
    """An optimiser that lets biases and normalisation be."""
    matrices = [parameter for parameter in network.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in network.parameters() if parameter.ndim < 2]
    groups = [{"params": matrices, "weight_decay": schedule.decay}, {"params": others, "weight_decay": 0.0}]
    if schedule.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=schedule.rate, momentum=0.9)
    return torch.optim.AdamW(groups, lr=schedule.rate)


def _join_ranks(device):
    """(rank, how many, device of this one) under torchrun; (0, 1, device) elsewhere."""
    count = int(os.environ.get("WORLD_SIZE", 1))
    if count > 1:
        if device.startswith("cuda"):
            device = "cuda:%s" % os.environ["LOCAL_RANK"]
            torch.cuda.set_device(device)
        if not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    return int(os.environ.get("RANK", 0)), count, device


def load_trained(recipe, folder):
    """(network in evaluation mode on the processor, state) of a run's checkpoint."""
    state, tensors = load_checkpoint(Path(folder) / CHECKPOINT)
    if state["recipe"] != recipe.name:
        raise ModelMismatchError("expected a run of %r in %s, got %r" % (recipe.name, folder, state["recipe"]))
    network = recipe.make_network()
    unpack_network(network, tensors)
    return network.eval(), state


def write_json(path, data):
    """Writes JSON and moves it into place."""
    path = Path(path)
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(unfinished, path)
