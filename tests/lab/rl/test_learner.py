import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; `make train` installs it")

from mj_bot.lab.rl.config import parse_config
from mj_bot.lab.rl.learner import LearnBatch, Learner
from mj_bot.lab.run.ranks import ALONE


def test_no_epoch_follows_one_that_moved_the_policy_too_far(monkeypatch):
    """It is the last epoch's divergence that counts, not the mean over all."""
    moved = iter([0.005, 0.02, 0.045, 0.07])
    learner = object.__new__(Learner)
    learner.network, learner.steps, learner.entropy_weight = torch.nn.Linear(1, 1), 0, 0.0
    learner._config, learner._ranks = parse_config({"ppo": {"epochs": 4, "kl_stop": 0.03}}), ALONE
    learner.optimiser = None
    monkeypatch.setattr(learner, "_shuffle", lambda *arguments: [slice(None)])
    monkeypatch.setattr(learner, "_compute_losses", lambda part: {"kl": torch.tensor(next(moved))})
    for name in ("_set_rate", "_step"):
        monkeypatch.setattr(learner, name, lambda *arguments: None)

    batch = LearnBatch(*[np.zeros(1)] * len(LearnBatch._fields))
    assert learner._teach_policy(batch, None)["learn/steps"] == 3
