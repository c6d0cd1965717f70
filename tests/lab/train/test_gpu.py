"""What is done on a GPU where there is one: the same planes, answers within bfloat16, a training run."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: nothing was tried on a GPU; 3rdparty/requirements-train.txt")

from mj_bot.lab.train.cnn_batch import NetworkPlayer
from mj_bot.lab.train.network import TileNetwork, fold
from mj_bot.lab.train.recipe import RECIPES, load_recipe
from mj_bot.network.ops import TorchOps
from mj_bot.network.planes import encode_planes
from tests.lab.train.test_recipes import make_rows, tensors

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: nothing was tried on one")


def test_planes():
    observations = make_rows(200)[0]
    planes = encode_planes(torch.from_numpy(observations).cuda(), TorchOps("cuda"))
    assert (planes.cpu().numpy() == encode_planes(observations)).all()


def test_choices():
    observations, rows = make_rows(200)
    torch.manual_seed(0)
    network = fold(TileNetwork(32, 2)).eval()
    masks = rows.masks.numpy()
    on_processor = NetworkPlayer(network, "cpu")(observations, masks)
    assert (NetworkPlayer(network, "cuda")(observations, masks) == on_processor).mean() > 0.9


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipe_steps(name):
    """In bfloat16, from observations on the device to finite losses and gradients."""
    recipe = load_recipe(name)
    observations, rows = make_rows(32)
    rows = rows._replace(facts=tensors(recipe.find_facts(observations)))
    rows = rows._replace(**{key: value.cuda() for key, value in rows._asdict().items() if key != "facts"},
                         facts={key: value.cuda() for key, value in rows.facts.items()})
    network = recipe.make_network().cuda()
    with torch.autocast("cuda", torch.bfloat16):
        losses = recipe.losses(network(recipe.encode(rows.observations, rows.facts, TorchOps("cuda", "bfloat16"))),
                               rows)
    sum(losses.values()).backward()
    assert np.isfinite([loss.item() for loss in losses.values()]).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in network.parameters() if parameter.grad is not None)
