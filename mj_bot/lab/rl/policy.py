"""How a network plays: what it makes of observations, on the device and in the precision of a run."""

import contextlib

import numpy as np
import torch

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import ModelMismatchError
from ...network.advice import ADVICE_PLANE_COUNT
from ...network.ops import TorchOps
from ...network.planes import encode_planes
from ...network.weights import find_weights
from ...observation.layout import OBSERVATION_SIZE
from ..train.exported import import_network
from ..train.loop import load_trained
from ..train.network import TileNetwork, fold
from ..train.recipe import load_recipe, mask_logits
from .oracle import HIDDEN_PLANES, encode_seen, has_hidden_planes

# Recipes whose network takes the planes that ship.
_RECIPES = ("small", "ours")


class Device(object):
    """Where and in which precision networks compute.

    name: "cpu" or "cuda", with the number of the GPU where it is given. precision: "float32" or "bfloat16".
    """

    def __init__(self, name="auto", precision="float32", gpu=None):
        self.name = ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name
        if self.name == "cuda" and gpu is not None:
            self.name = "cuda:%d" % gpu
        self._precision = precision
        self.ops = TorchOps(self.name, precision)

    def cast(self):
        """The context in which networks compute; actors and learner share it, so that their numbers agree."""
        if self._precision == "float32":
            return contextlib.nullcontext()
        return torch.autocast(self.name.partition(":")[0], getattr(torch, self._precision))

    def enter_thread(self):
        """What a thread that plays does first: one core is its share, and a GPU is set for each thread apart."""
        if self.name == "cpu":
            torch.set_num_threads(1)
        elif ":" in self.name:
            torch.cuda.set_device(self.name)

    def move(self, array):
        """A numpy array as a tensor on the device."""
        tensor = torch.from_numpy(np.ascontiguousarray(array))
        return tensor if self.name == "cpu" else tensor.pin_memory().to(self.name, non_blocking=True)

    def generator(self, *numbers):
        """A torch.Generator that is the same for the same numbers."""
        seed = int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> 1)
        return torch.Generator(self.name).manual_seed(seed)


def ask(network, observations, masks, device, temperature, seen=None, advice=None):
    """What a network makes of positions: (log probabilities float32[B, 235], network.forward.Answer).

    observations: uint8[B, OBSERVATION_SIZE or more], tensor on the device. masks: bool[B, 235]; what is illegal is at
    minus infinity.
    seen: uint8[B, SEEN_SIZE], what of the full observations an oracle.extend network sees; nothing if None.
    advice: real[B, ADVICE_SIZE], for an advised network.
    """
    with torch.no_grad():
        planes = encode_planes(observations[:, :OBSERVATION_SIZE], device.ops)
        if has_hidden_planes(network):
            hidden = planes.new_zeros(len(planes), HIDDEN_PLANES, planes.shape[2])
            if seen is not None:
                hidden = encode_seen(observations, seen, device.ops)
            planes = torch.cat([planes, hidden], 1)
    with device.cast():
        answer = network(planes, advice)
    return torch.log_softmax(mask_logits(answer.policy, masks) / temperature, 1), answer


def sample(log_probs, generator):
    """An action for each row, int64[B], by the probabilities. Source: Gumbel's trick, argmax of log p + noise."""
    noise = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs - noise.log()).argmax(1)


def find_entropy(log_probs):
    """Entropy of each row in nats, real[B]; what cannot happen adds nothing."""
    return -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(1)


def pack_masks(masks):
    """bool[B, 235] as bits, uint8[B, 30]."""
    return np.packbits(masks, axis=1, bitorder="little")


def unpack_masks(packed):
    """The tensor bool[B, 235] of pack_masks' tensor."""
    bits = packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (bits & 1).flatten(1)[:, :ACTION_COUNT].bool()


def load_start(path):
    """The folded TileNetwork of a weight file, or of the folder of a run of `train`; it is not advised.

    Raises ModelMismatchError: none there, or a recipe of other planes.
    """
    if str(path).endswith(".npz"):
        return import_network(find_weights(path), path)
    for name in _RECIPES:
        recipe = load_recipe(name)
        try:
            network, _ = load_trained(recipe, path)
        except ModelMismatchError as error:
            last = error
        else:
            return fold(network).eval()
    raise ModelMismatchError("expected a weight file, or a run of %s: %s" % (" or ".join(_RECIPES), last))


def advise(network, weight):
    """An advised TileNetwork that adds advice, times `weight`, to what a folded `network` says."""
    stem = network.state_dict()["stem.conv.weight"]
    advised = TileNetwork(is_folded=True, **dict(network.config, is_advised=True))
    state = dict(network.state_dict(), **{"advice.weight": stem.new_full((1, 1), weight)})
    state["stem.conv.weight"] = torch.cat([stem.new_zeros(len(stem), ADVICE_PLANE_COUNT, *stem.shape[2:]), stem], 1)
    advised.load_state_dict(state)
    return advised.to(stem.device).eval()


def clone(network):
    """Another folded TileNetwork that answers the same and does not learn."""
    copy = TileNetwork(is_folded=True, **network.config)
    copy.load_state_dict(network.state_dict())
    return copy.to(next(network.parameters()).device).eval().requires_grad_(False)
