"""What is done on a GPU where there is one: the same planes, answers within bfloat16, a training run."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: nothing was tried on a GPU; 3rdparty/requirements-train.txt")

from mj_bot.lab.train.cnn_batch import NetworkPlayer  # noqa: E402
from mj_bot.lab.train.network import TileNetwork, fold  # noqa: E402
from mj_bot.lab.train.recipe import RECIPES, load_recipe  # noqa: E402
from mj_bot.network.ops import TorchOps  # noqa: E402
from mj_bot.network.planes import encode_planes  # noqa: E402
from tests.lab.train.test_recipes import make_rows, tensors  # noqa: E402

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: nothing was tried on one")


def test_planes():
    views = make_rows(200)[0]
    planes = encode_planes(torch.from_numpy(views).cuda(), TorchOps("cuda"))
    assert (planes.cpu().numpy() == encode_planes(views)).all()


def test_choices():
    views, rows = make_rows(200)
    torch.manual_seed(0)
    network = fold(TileNetwork(32, 2)).eval()
    masks = rows.masks.numpy()
    on_processor = NetworkPlayer(network, "cpu")(views, masks)
    assert (NetworkPlayer(network, "cuda")(views, masks) == on_processor).mean() > 0.9


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipe_steps(name):
    """In bfloat16, from views on the device to finite losses and gradients."""
    recipe = load_recipe(name)
    views, rows = make_rows(32)
    rows = rows._replace(facts=tensors(recipe.find_facts(views)))
    rows = rows._replace(**{key: value.cuda() for key, value in rows._asdict().items() if key != "facts"},
                         facts={key: value.cuda() for key, value in rows.facts.items()})
    network = recipe.make_network().cuda()
    with torch.autocast("cuda", torch.bfloat16):
        losses = recipe.losses(network(recipe.encode(rows.views, rows.facts, TorchOps("cuda", "bfloat16"))), rows)
    sum(losses.values()).backward()
    assert np.isfinite([loss.item() for loss in losses.values()]).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in network.parameters() if parameter.grad is not None)
