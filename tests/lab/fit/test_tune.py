"""The command tune on a few walls."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.columns import describe_interval
from mj_bot.lab.fit.tune import check

TUNE = ["tune", "danger", "horizon", "--generations", "2", "--population", "4", "--walls", "1", "--rounds", "2",
        "--check-walls", "2", "--seed", "2000001", "--workers", "1"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


class TestTune:
    def test_a_run_is_written_and_gone_on_with(self, tmp_path, capsys):
        path = tmp_path / "run.json"
        assert main(TUNE + ["--json", str(path)]) == 0
        run = read(path)
        assert [entry["name"] for entry in run["parameters"]] == ["danger", "horizon"]
        assert "--step 0.15 --check-walls 2 --rotations 4 --seed 2000001" in run["command"]
        assert len(run["generations"]) == 2 and set(run["tuned"]) == {"danger", "horizon"}
        assert len(run["check"]["field"]) == 3 and run["check"]["first_wall"] >= 1 << 31
        assert "gain over the field" in capsys.readouterr().out
        assert main(TUNE + ["--json", str(path)]) == 0
        again = read(path)
        assert again["measured"]["games_played"] == 0 < run["measured"]["games_played"]
        assert dict(again, measured=None) == dict(run, measured=None)

    @pytest.mark.parametrize("words, message", [
        (["--field", "search", "rule_based"], "expected a field of 3 different players"),
        (["--field", "search", "rule_based", "pearl"], "expected a tactic with the method choose, got 'pearl'"),
        (["--tactic", "random"], "expected a tactic that can be tuned"),
    ])
    def test_bad_words(self, words, message, tmp_path, capsys):
        assert main(["tune", *words, "--json", str(tmp_path / "run.json")]) == 2
        assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_values_change_only_where_the_interval_lies_above_0():
    rng = np.random.default_rng(2)

    def scores(gain):
        noise = rng.normal(size=400)
        return lambda players, field, first, stop: np.stack([noise + gain, noise + 0.1 * rng.normal(size=400)])

    assert check(scores(0.1), "a", "b", ["c", "d", "e"], 0, 400)["is_better"]
    assert not check(scores(0.0), "a", "b", ["c", "d", "e"], 0, 400)["is_better"]
    assert not check(scores(-0.1), "a", "b", ["c", "d", "e"], 0, 400)["is_better"]


def test_an_interval_of_too_few_walls():
    assert describe_interval(np.array([1.0])) == {"mean": 1.0, "low": None, "high": None}
