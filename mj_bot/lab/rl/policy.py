"""Asks networks for actions and their probabilities, on the device and in the precision of a run."""

import copy
import ctypes

import numpy as np
import torch
from torch.nn import functional

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import MahjongError
from ...network.forward import Prediction
from ...network.planes import encode_inputs
from ...tactic import read_weight_file
from ..train.exported import import_network
from ..train.network import TileNetwork
from ..train.recipe import mask_logits
from ..train.stream import move, run_ahead

# A processor answers at most _AT_ONCE positions together. Fewer are filled up to a multiple of _STEP.
_AT_ONCE, _STEP = 256, 32
_ENCODED = 512  # positions that a thread encodes for a GPU at a time
_BFLOAT16 = "avx512_bf16", "amx_bf16", "bf16"  # names of processors' instructions for bfloat16
# (option, value) of M_MMAP_MAX, M_TRIM_THRESHOLD, M_TOP_PAD and M_ARENA_MAX in malloc.h. They make the C library keep
# large freed blocks as it keeps small ones.
_KEEP_MEMORY = ((-4, 0), (-1, (1 << 31) - 1), (-2, 1 << 26), (-8, 1))


def keep_memory() -> None:
    """Makes the C library keep freed memory, because asking the system for new memory slows self-play."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # Only glibc has this function.
    if set_option:
        for option, value in _KEEP_MEMORY:
            set_option(option, value)


class Device(object):
    """Keeps where and in which precision networks compute.

    name: "cpu", "cuda", or "auto" for the GPU where there is one. The attribute is "cpu", "cuda" or "cuda:NUMBER".
    precision: "float32", "bfloat16", or "auto" for the faster of the two.
    gpu: number of the GPU, None for the one that torch prefers.
    Raises MahjongError: torch does not find the device.
    """

    def __init__(self, name: str = "auto", precision: str = "float32", gpu: int | None = None):
        has_gpu = torch.cuda.is_available()
        if name == "cuda" and not has_gpu:
            raise MahjongError("expected the device cpu or auto, as torch finds no GPU, got 'cuda'")
        self.name = ("cuda" if has_gpu else "cpu") if name == "auto" else name
        if self.name == "cuda" and gpu is not None:
            self.name = "cuda:%d" % gpu
        if precision == "auto":
            # A processor without instructions for bfloat16 computes it much more slowly than float32.
            is_fast = self.name != "cpu" or any(map(torch.cpu.get_capabilities().get, _BFLOAT16))
            precision = "bfloat16" if is_fast else "float32"
        self._precision = precision
        self._dtype = getattr(torch, precision)

    def cast(self) -> torch.autocast:
        """Returns the context in which networks compute. Actors and learner share it, so their probabilities agree."""
        return torch.autocast(self.name.partition(":")[0], torch.bfloat16, enabled=self._precision == "bfloat16")

    def freeze(self, network: TileNetwork) -> TileNetwork:
        """Returns a copy of a TileNetwork to play with. Its weights are cast once, which changes no answer."""
        return clone(network).to(self._dtype)

    def encode(self, observations: torch.Tensor, ahead: torch.Tensor) -> torch.Tensor:
        """Returns the planes of positions, real[B, INPUT_COUNT, 34], on this device.

        observations: tensor uint8[B, OBSERVATION_SIZE or more]. ahead: tensor uint8[B, AHEAD_ROWS, 34], what
            network.ahead.look_ahead returns for them.
        """
        if self.name == "cpu":
            return self._encode((observations, ahead))
        # Several threads encode, because a GPU would wait for a single one.
        pieces = zip(observations.cpu().split(_ENCODED), ahead.cpu().split(_ENCODED))
        return torch.cat(list(run_ahead(self._encode, pieces)))

    def _encode(self, position_tensors):
        """Returns the planes of positions on this device. position_tensors: (observations, ahead) on the processor."""
        return self.move(encode_inputs(*(tensor.numpy() for tensor in position_tensors))).to(self._dtype)

    def enter_thread(self) -> None:
        """Prepares a thread that plays: it computes on one core, or on the GPU, which torch must know per thread."""
        if self.name == "cpu":
            torch.set_num_threads(1)
        elif ":" in self.name:
            torch.cuda.set_device(self.name)

    def move(self, array: np.ndarray) -> torch.Tensor:
        """Returns a numpy array as a tensor on this device."""
        return move(array, device=self.name)

    def generator(self, *seeds: int) -> torch.Generator:
        """Returns a random generator. The seeds, whole numbers from 0 on, determine the numbers that it gives."""
        seed = int(np.random.SeedSequence(seeds).generate_state(1, np.uint64)[0] >> 1)
        return torch.Generator(self.name).manual_seed(seed)


def query_policy(
        network: TileNetwork, observations: torch.Tensor, ahead: torch.Tensor, *, masks: torch.Tensor, device: Device,
        temperature: float) -> tuple[torch.Tensor, Prediction]:
    """Returns (logarithms of the actions' probabilities float32[B, 235], the network's Prediction) at B positions.

    observations: tensor uint8[B, OBSERVATION_SIZE or more].
    ahead: tensor uint8[B, AHEAD_ROWS, 34], what network.ahead.look_ahead returns for them.
    masks: tensor bool[B, 235] on the device, the legal actions; others get minus infinity.
    temperature: the logits are divided by it.
    """
    with torch.no_grad():
        planes = device.encode(observations, ahead)
    with device.cast():
        if torch.is_grad_enabled() or device.name != "cpu":
            answer = network(planes, is_value_apart=True)
        else:
            answer = _answer_in_pieces(network, planes)
    return torch.log_softmax(mask_logits(answer.policy, masks) / temperature, 1), answer


def _answer_in_pieces(network, planes):
    """Returns a network's Prediction for planes, computed in pieces that have few different sizes."""
    # torch needs some milliseconds to prepare its code for each new size.
    answers = []
    for piece in planes.split(_AT_ONCE):
        padded = functional.pad(piece, (0, 0, 0, 0, 0, -len(piece) % _STEP))
        answers.append([column[:len(piece)] for column in network(padded)])
    return Prediction(*map(torch.cat, zip(*answers)))


def sample(log_probs: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Returns an action for each row, int64[B], drawn by the probabilities (Gumbel's trick: argmax of log p + noise).
    """
    noise = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs - noise.log()).argmax(1)


def compute_entropy(log_probs: torch.Tensor) -> torch.Tensor:
    """Returns the entropy of each row in nats, real[B]. log_probs: real[B, 235], minus infinity for illegal actions."""
    return -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(1)


def unpack_mask_tensor(packed: torch.Tensor) -> torch.Tensor:
    """Returns masks as bool[B, 235]. packed: tensor uint8[B, 32], bit a of a row is set where action a is legal."""
    bits = packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (bits & 1).flatten(1)[:, :ACTION_COUNT].bool()


def load_start(path: str) -> TileNetwork:
    """Returns the TileNetwork of a weight file. Raises ModelMismatchError: it is no weight file of this version."""
    return import_network(read_weight_file(path), path)


def clone(network: torch.nn.Module) -> torch.nn.Module:
    """Returns a copy of a network. The copy does not learn."""
    return copy.deepcopy(network).eval().requires_grad_(False)
