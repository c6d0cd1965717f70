"""Exports trained networks as weight files, and imports weight files as networks.

It can also fit the value head of a network before the export.
"""

import os

import numpy as np
import torch
from scipy.special import softmax

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...network.ahead import compute_ahead_rows
from ...network.forward import KERNELS, Network, Prediction, list_layers
from ...network.planes import INPUTS, encode_inputs
from ...network.weights import STEPS, load_weights, pack_weights, quantise
from ..dataset.reader import Dataset
from ..run.files import write_whole
from ..run.progress import Progress
from .network import TileNetwork
from .recipe import load_recipe, value_losses
from .stream import move_batch, read_batches

PRECISIONS = (*STEPS, "float16", "float32")
_HONOURS = TILE_COUNT - FIRST_HONOUR
FIT_SAMPLES = 1 << 20  # number of decisions that fit_values learns from
_VALUE_BATCH, _VALUE_RATE = 1024, 1e-3  # batch size and first learning rate of fit_values
# The last matrices of the policy. They stay in float16, as rounding them to steps would change most choices.
LAST_LAYERS = ("policy_suits", "policy_honours", "plain")


def export_network(network: TileNetwork, path: str, card: dict, *, precision: str = "int16") -> None:
    """Writes a TileNetwork as a weight file NAME.npz, and its card with further facts next to it. See round_network."""
    write_weights(path, *round_network(network, card, precision))


def round_network(network: TileNetwork, card: dict, precision: str) -> tuple[dict, dict[str, np.ndarray]]:
    """Returns the whole card of a TileNetwork and its matrices as a weight file stores them, {name: array}.

    card: dict of further facts for the card.
    precision: how the matrices are stored, one of PRECISIONS. "int8" and "int16" store them in steps, except
        LAST_LAYERS, which are float16 then.
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
            # The last two columns of the honours have no tile, so training never changes their random weights. Zeros
            # take less room in the file.
            array[:, _HONOURS:] = 0
        if precision in STEPS and layer not in LAST_LAYERS:
            stored[name], stored[layer + ".scale"] = quantise(array, precision)
        else:
            stored[name] = array.astype("float16" if precision in STEPS else precision)
    return dict(card, precision=precision, plane_names=list(INPUTS), **network.config), stored


def write_weights(path: str, card: dict, stored: dict[str, np.ndarray]) -> None:
    """Writes the card, and then the weight file, NAME.npz. Raises MahjongError: a file cannot be written."""
    data, text = pack_weights(card, stored)
    write_whole(os.path.splitext(path)[0] + ".json", text)
    write_whole(path, data)


def import_network(data: bytes, name: str = "") -> TileNetwork:
    """Returns the TileNetwork of a weight file, in evaluation mode.

    Planes that the file does not name get weights of 0, so the network answers as the one that was exported.
    data: bytes of the file. name: the file's name, for messages.
    Raises ModelMismatchError: the bytes are no weight file of this version, or name an unknown plane.
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
def ask_network(network: TileNetwork, observations: np.ndarray) -> Prediction:
    """Returns the Prediction of a TileNetwork for uint8[B, OBSERVATION_SIZE], in tensors on the processor."""
    return network(torch.from_numpy(encode_inputs(observations, compute_ahead_rows(observations))))


def measure_agreement(network: TileNetwork, data: bytes, dataset: Dataset, *, most: int = 10000) -> dict:
    """Measures how often an exported weight file chooses the same action as the network from which it was made.

    Returns {"decisions": their number, "same_best": share with the same best action, "farthest_chance": greatest
    difference between the probabilities that both give to the best action}.
    network: the TileNetwork. data: bytes of the weight file. dataset: set whose validation decisions are answered.
    most: number of decisions after which the measuring ends.
    """
    shipped, network = Network(load_weights(data)), network.cpu().eval()
    same, farthest, count = 0, 0.0, 0
    for batch in dataset.batches("valid", 500, seed=0, augment=False):
        observations, masks = batch.observation[:most - count], batch.mask[:most - count]
        trained, exported = (softmax(np.where(masks, logits, -np.inf), axis=1) for logits in (
            ask_network(network, observations).policy.numpy(), shipped(observations).policy))
        best = trained.argmax(1)
        same += int((best == exported.argmax(1)).sum())
        farthest = max(farthest, float(abs(trained - exported)[np.arange(len(best)), best].max()))
        count += len(best)
        if count >= most:
            break
    return {"decisions": count, "same_best": same / max(1, count), "farthest_chance": round(farthest, 4)}


def fit_values(network: TileNetwork, dataset: Dataset, samples: int = FIT_SAMPLES) -> None:
    """Fits the value head of a TileNetwork to the final results of the games of a set, on the processor.

    This is for networks that learnt by self-play, where a separate critic predicts the scores. The policy does not
    change, as it shares no layer with the head.
    network: changed in place. samples: number of decisions to learn from, rounded down to whole batches.
    Raises MahjongError: the set has less than one batch of training decisions.
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
            losses = value_losses(network(recipe.encode(batch.observation, batch.extras)), batch)
            optimiser.zero_grad()
            sum(losses.values()).backward()
            optimiser.step()
            decay.step()
            bar.update(len(batch.score))
    batches.close()
    network.requires_grad_(False)
