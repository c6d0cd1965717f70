"""How a network plays: its answers to observations, on the device and in the precision of a run."""

import copy
import ctypes

import numpy as np
import torch
from torch.nn import functional

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import MahjongError
from ...network.forward import Answer
from ...network.planes import encode_inputs
from ...tactic import read_weight_file
from ..train.exported import import_network
from ..train.recipe import mask_logits
from ..train.stream import move, run_ahead

# Positions that a processor answers together; smaller numbers are multiples of _STEP.
_AT_ONCE, _STEP = 256, 32
_ENCODED = 512  # positions that a thread encodes for a GPU
_BFLOAT16 = "avx512_bf16", "amx_bf16", "bf16"  # a processor's instructions
# M_MMAP_MAX, M_TRIM_THRESHOLD, M_TOP_PAD, M_ARENA_MAX of malloc.h: large blocks are kept as small ones are.
_KEEP_MEMORY = ((-4, 0), (-1, (1 << 31) - 1), (-2, 1 << 26), (-8, 1))


def keep_memory():
    """Tells the C library to keep freed memory: new memory from the system costs a tenth of self-play."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # of glibc
    if set_option:
        for option, value in _KEEP_MEMORY:
            set_option(option, value)


class Device(object):
    """Where and in which precision networks compute.

    name: "cpu" or "cuda", with the number of the GPU where it is given. precision: "float32", "bfloat16", or "auto" for
    the faster of the two.
    Raises MahjongError: torch finds no such device.
    """

    def __init__(self, name="auto", precision="float32", gpu=None):
        has_gpu = torch.cuda.is_available()
        if name == "cuda" and not has_gpu:
            raise MahjongError("expected the device cpu or auto, as torch finds no GPU, got 'cuda'")
        self.name = ("cuda" if has_gpu else "cpu") if name == "auto" else name
        if self.name == "cuda" and gpu is not None:
            self.name = "cuda:%d" % gpu
        if precision == "auto":
            # Without instructions for bfloat16 a processor takes six times as long.
            is_fast = self.name != "cpu" or any(map(torch.cpu.get_capabilities().get, _BFLOAT16))
            precision = "bfloat16" if is_fast else "float32"
        self._precision = precision
        self._dtype = getattr(torch, precision)

    def cast(self):
        """The context in which networks compute; actors and learner share it, so that their numbers agree."""
        return torch.autocast(self.name.partition(":")[0], torch.bfloat16, enabled=self._precision == "bfloat16")

    def freeze(self, network):
        """A copy of a TileNetwork to play with. Its weights are cast once, and its answers are exactly the same."""
        return clone(network).to(self._dtype)

    def encode(self, observations, ahead):
        """Returns the planes of positions on the device, real[B, INPUT_COUNT, 34], of tensors as `ask` has them."""
        if self.name == "cpu":
            return self._encode((observations, ahead))
        # A GPU would wait for one thread.
        parts = zip(observations.cpu().split(_ENCODED), ahead.cpu().split(_ENCODED))
        return torch.cat(list(run_ahead(self._encode, parts)))

    def _encode(self, part):
        return self.move(encode_inputs(*(tensor.numpy() for tensor in part))).to(self._dtype)

    def enter_thread(self):
        """Prepares a thread that plays: its share is one core, and torch wants the GPU set in each thread."""
        if self.name == "cpu":
            torch.set_num_threads(1)
        elif ":" in self.name:
            torch.cuda.set_device(self.name)

    def move(self, array):
        """A numpy array as a tensor on the device."""
        return move(array, device=self.name)

    def generator(self, *numbers):
        """A torch.Generator that is the same for the same numbers."""
        seed = int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> 1)
        return torch.Generator(self.name).manual_seed(seed)


def ask(network, observations, ahead, *, masks, device, temperature):
    """A network's (log probabilities float32[B, 235], network.forward.Answer) at positions.

    observations: uint8[B, OBSERVATION_SIZE or more], tensor. ahead: their rows of look_ahead, uint8[B, ROWS, 34],
    tensor. masks: bool[B, 235], tensor on the device; illegal actions get minus infinity.
    """
    with torch.no_grad():
        planes = device.encode(observations, ahead)
    with device.cast():
        if torch.is_grad_enabled() or device.name != "cpu":
            answer = network(planes, is_value_apart=True)
        else:
            answer = _answer_in_parts(network, planes)
    return torch.log_softmax(mask_logits(answer.policy, masks) / temperature, 1), answer


def _answer_in_parts(network, planes):
    """A network's Answer by parts of few different sizes: for each new one torch prepares its code for milliseconds."""
    parts = []
    for part in planes.split(_AT_ONCE):
        padded = functional.pad(part, (0, 0, 0, 0, 0, -len(part) % _STEP))
        parts.append([column[:len(part)] for column in network(padded)])
    return Answer(*map(torch.cat, zip(*parts)))


def sample(log_probs, generator):
    """An action for each row, int64[B], by the probabilities. Source: Gumbel's trick, argmax of log p + noise."""
    noise = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs - noise.log()).argmax(1)


def compute_entropy(log_probs):
    """Entropy of each row in nats, real[B]; impossible actions add nothing."""
    return -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(1)


def unpack_masks(packed):
    """The tensor bool[B, 235] of the bits of masks, uint8[B, 32], as of engine.game_rows.DECISION."""
    bits = packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (bits & 1).flatten(1)[:, :ACTION_COUNT].bool()


def load_start(path):
    """The TileNetwork of a weight file. Raises ModelMismatchError: none there."""
    return import_network(read_weight_file(path), path)


def clone(network):
    """Another TileNetwork that answers the same and does not learn."""
    return copy.deepcopy(network).eval().requires_grad_(False)
