"""Trained networks to weight files, their value heads fitted anew on the way, and weight files back to networks."""

import os

import numpy as np
import torch
from scipy.special import softmax

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...network.ahead import look_ahead
from ...network.forward import KERNELS, Network, list_layers
from ...network.planes import INPUTS, encode_inputs
from ...network.weights import STEPS, load_weights, pack_weights, quantise
from ..run.files import write_whole
from ..run.progress import Progress
from .network import TileNetwork
from .recipe import load_recipe, value_losses
from .stream import move_batch, read_batches

PRECISIONS = (*STEPS, "float16", "float32")
_HONOURS = TILE_COUNT - FIRST_HONOUR
FIT_SAMPLES = 1 << 20  # of fit_values
_VALUE_BATCH, _VALUE_RATE = 1024, 1e-3
LAST_LAYERS = ("policy_suits", "policy_honours", "plain")


def export_network(network, path, card, *, precision="int16"):
    """Writes a TileNetwork as a weight file with its card, path ending in .npz.

    card: dict of further facts for it. precision: of the matrices, one of PRECISIONS. With steps the last matrices of
        the policy are in float16: rounding them would change most choices.
    """
    stored = {}
    config = network.config
    shapes = list_layers(config["planes"], config["channels"], config["blocks"])
    for name, tensor in network.state_dict().items():
        array = tensor.detach().float().cpu().numpy()
        if name.endswith(".bias"):
            stored[name] = array
            continue
        layer = name[:-len(".weight")]
        array = np.ascontiguousarray(array.T).reshape(shapes[layer])
        if layer == "stem_honours":
            # There is no tile: the weights are the random first ones, and zeros are smaller in the file.
            array[:, _HONOURS:] = 0
        if precision in STEPS and layer not in LAST_LAYERS:
            stored[name], stored[layer + ".scale"] = quantise(array, precision)
        else:
            stored[name] = array.astype("float16" if precision in STEPS else precision)
    card = dict(card, precision=precision, plane_names=list(INPUTS), **network.config)
    write_weights(path, card, stored)


def write_weights(path, card, stored):
    """Writes the card, and then the weight file, path ending in .npz. Raises MahjongError: they cannot be written."""
    data, text = pack_weights(card, stored)
    write_whole(os.path.splitext(path)[0] + ".json", text)
    write_whole(path, data)


def import_network(data, name=""):
    """The TileNetwork of the bytes of a weight file; planes that the file does not name get weights of 0.

    Raises ModelMismatchError: as network.weights.load_weights.
    """
    weights = load_weights(data, name)
    network = TileNetwork(weights.card["channels"], weights.card["blocks"])
    arrays = dict(weights.arrays)
    for key in [layer + ".weight" for layer in (*KERNELS, "stem_honours")]:
        array = arrays[key].reshape(len(weights.planes), -1, arrays[key].shape[-1])
        arrays[key] = np.zeros((len(INPUTS),) + array.shape[1:], array.dtype)
        arrays[key][[INPUTS.index(plane) for plane in weights.planes]] = array
        arrays[key] = arrays[key].reshape(-1, array.shape[-1])
    network.load_state_dict({key: torch.from_numpy(np.ascontiguousarray(array.T)) for key, array in arrays.items()})
    return network.eval()


@torch.inference_mode()
def ask_network(network, observations):
    """The Answer of a TileNetwork on the processor to numpy observations, as tensors."""
    return network(torch.from_numpy(encode_inputs(observations, look_ahead(observations))))


def measure_agreement(network, data, dataset, *, most=10000):
    """How often the numpy network in the bytes of a weight file chooses as the trained network that was exported.

    dataset: dataset.Dataset; both networks answer up to `most` of its validation decisions.
    Returns {"decisions": count, "same_best": share, "farthest_chance": greatest difference of the best probability}.
    """
    shipped, network = Network(load_weights(data)), network.cpu().eval()
    same, farthest, count = 0, 0.0, 0
    for batch in dataset.batches("valid", 500, seed=0, augment=False):
        observations, masks = batch.observation[:most - count], batch.mask[:most - count]
        ones, others = (softmax(np.where(masks, logits, -np.inf), axis=1) for logits in (
            ask_network(network, observations).policy.numpy(), shipped(observations).policy))
        best = ones.argmax(1)
        same += int((best == others.argmax(1)).sum())
        farthest = max(farthest, float(abs(ones - others)[np.arange(len(best)), best].max()))
        count += len(best)
        if count >= most:
            break
    return {"decisions": count, "same_best": same / max(1, count), "farthest_chance": round(farthest, 4)}


def fit_values(network, dataset, samples=FIT_SAMPLES):
    """Fits the value head of a TileNetwork, on the processor, to the ends of the games of a set.

    For networks that learnt by play with another network as the critic. The policy does not change: it shares no layer
    with the head. samples: decisions, in whole batches of 1024.
    """
    recipe = load_recipe("ours")
    network.requires_grad_(False)
    heads = [*network.hidden.requires_grad_().parameters(), *network.value.requires_grad_().parameters()]
    optimiser = torch.optim.Adam(heads, _VALUE_RATE)
    steps = samples // _VALUE_BATCH
    decay = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0, steps)
    batches = read_batches(dataset, _VALUE_BATCH, seed=0)
    with Progress(samples, unit=" samples") as bar:
        for _ in range(steps):
            batch = move_batch(recipe, next(batches)[2], "cpu")
            losses = value_losses(network(recipe.encode(batch.observation, batch.facts)), batch)
            optimiser.zero_grad()
            sum(losses.values()).backward()
            optimiser.step()
            decay.step()
            bar.update(len(batch.score))
    batches.close()
    network.requires_grad_(False)
