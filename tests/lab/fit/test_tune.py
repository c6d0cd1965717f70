"""The command tune on a few walls."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.fit.tune import check

TUNE = ["fit", "tune", "danger", "--generations", "1", "--population", "4", "--walls", "1", "--rounds", "2",
        "--check-walls", "2", "--seed", "2000001", "--workers", "1",
        "--field", "random", "random:seed=1", "random:seed=2"]


@pytest.mark.slow
def test_a_run_is_written_and_gone_on_with(tmp_path, capsys):
    path = tmp_path / "run.json"
    assert main(TUNE + ["--json", str(path)]) == 0
    run = json.loads(path.read_text(encoding="utf-8"))
    assert [entry["name"] for entry in run["parameters"]] == ["danger"]
    assert "--step 0.15 --check-walls 2 --rotations 4 --seed 2000001" in run["command"]
    assert len(run["generations"]) == 1 and set(run["tuned"]) == {"danger"}
    assert len(run["check"]["field"]) == 3 and run["check"]["first_wall"] >= 1 << 31
    assert "gain over the field" in capsys.readouterr().out
    assert main(TUNE + ["--json", str(path)]) == 0
    again = json.loads(path.read_text(encoding="utf-8"))
    assert again["measured"]["games_played"] == 0 < run["measured"]["games_played"]
    assert dict(again, measured=None) == dict(run, measured=None)


@pytest.mark.parametrize("gain", [0.1, 0.0, -0.1])
def test_values_change_only_if_the_interval_is_above_0(gain):
    rng = np.random.default_rng(2)

    def score(players, first, stop, field):
        noise = rng.normal(size=400)
        return np.stack([noise + gain, noise + 0.1 * rng.normal(size=400)])

    assert check(score, ["a", "b"], ["c", "d", "e"], first=0, stop=400)["is_better"] == (gain > 0)
