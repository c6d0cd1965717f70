"""What is done on a GPU where there is one: answers within bfloat16, a step of training."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: nothing was tried on a GPU; `make train` installs it")

from mj_bot.lab.train.recipe import load_recipe
from mj_bot.lab.train.recipes import RECIPES
from mj_bot.tactic.cnn import CNNTactic
from tests.lab.train.batches import make_batch, tensors

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: nothing was tried on one")


def test_choices():
    observations, batch = make_batch(200)
    masks = batch.mask.numpy()
    on_processor, on_gpu = (CNNTactic(torch=number).choose(observations, masks) for number in range(2))
    assert (on_gpu == on_processor).mean() > 0.9


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipe_steps(name):
    """In bfloat16, from observations on the device to finite losses and gradients."""
    recipe = load_recipe(name)
    observations, batch = make_batch(32)
    batch = batch._replace(extras=tensors(recipe.compute_extras(observations)))
    batch = batch._replace(**{key: value.cuda() for key, value in batch._asdict().items() if key != "extras"},
                         extras={key: value.cuda() for key, value in batch.extras.items()})
    network = recipe.make_network().cuda()
    with torch.autocast("cuda", torch.bfloat16):
        losses = recipe.losses(network(recipe.encode(batch.observation, batch.extras, torch.bfloat16)), batch)
    sum(losses.values()).backward()
    assert np.isfinite([loss.item() for loss in losses.values()]).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in network.parameters() if parameter.grad is not None)
