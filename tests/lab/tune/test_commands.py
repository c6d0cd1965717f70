"""The commands tune, ablate and ready on a few walls."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.ready import STAGES, count_left, find_stage
from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.tune.check import check, describe_interval
from mj_bot.mahjong.tile import parse_counts

TUNE = ["tune", "danger", "horizon", "--generations", "2", "--population", "4", "--walls", "1", "--rounds", "2",
        "--check-walls", "2", "--seed", "4", "--workers", "1"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


class TestTune:
    def test_a_run_is_written_and_gone_on_with(self, tmp_path, capsys):
        path = tmp_path / "run.json"
        assert main(TUNE + ["--json", str(path)]) == 0
        run = read(path)
        assert [entry["name"] for entry in run["parameters"]] == ["danger", "horizon"]
        assert len(run["generations"]) == 2 and set(run["tuned"]) == {"danger", "horizon"}
        assert len(run["check"]["field"]) == 3 and run["check"]["first_wall"] >= 1 << 31
        assert "gain over the field" in capsys.readouterr().out
        assert main(TUNE + ["--json", str(path)]) == 0
        again = read(path)
        assert again["measured"]["games_played"] == 0 < run["measured"]["games_played"]
        assert dict(again, measured=None) == dict(run, measured=None)

    @pytest.mark.parametrize("words, message", [
        (["--field", "search", "rule_based"], "expected a field of 3 different players"),
        (["--field", "search", "rule_based", "pearl"], "expected a tactic with a batch form, got 'pearl'"),
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


def test_ablate(tmp_path, capsys):
    path = tmp_path / "table.json"
    words = ["ablate", "--whole", "rule_based", "--part", "all of it=random", "--against", "random", "--walls", "6",
             "--workers", "1", "--json", str(path)]
    assert main(words) == 0
    table = capsys.readouterr().out
    assert "| all of it | rule_based |" in table
    rows = read(path)["rows"]
    assert [row["left_out"] for row in rows] == [None, "all of it"]
    assert rows[1]["matches"][0]["score"]["mean"] < 0
    assert rows[0]["matches"][0]["score"]["mean"] == -rows[1]["matches"][0]["score"]["mean"]


class TestReady:
    def test_the_command(self, tmp_path, capsys):
        path = tmp_path / "ready.json"
        assert main(["ready", "rule_based", "random", "--walls", "4", "--workers", "1", "--json", str(path)]) == 0
        better, worse = read(path)["players"]
        assert better["hands"] == worse["hands"] == 32
        shares = [better[name]["mean"] for name in STAGES]
        assert shares == sorted(shares, reverse=True) and shares[0] > worse["ready"]["mean"]
        assert "rule_based" in capsys.readouterr().out

    @pytest.mark.parametrize("hand, stage", [
        ("W234 T345 B46888 F11", "ready for eight fan by a discard"),
        ("W234678 T567 B3488", "ready for eight fan"),
        ("W123 W567 B34567 F11", "ready"),
    ])
    def test_stages_of_ready_hands(self, hand, stage):
        engine = Engine(1, seed_source(1, 1))
        engine.reset()
        game = engine.games[0].copy()
        game["hand"][2] = parse_counts(hand)
        for seat in (0, 1, 3):
            game["hand"][seat] = 0
        assert STAGES[find_stage(game, 2) - 1] == stage

    def test_copies_that_are_left(self):
        engine = Engine(1, seed_source(1, 1))
        engine.reset()
        game = engine.games[0]
        everywhere = np.bincount(game["wall"], minlength=34)
        assert (everywhere == 4).all()
        assert (count_left(game, 1) == 4 - game["hand"][1]).all()


def test_an_interval_of_too_few_walls():
    assert describe_interval(np.array([1.0])) == {"mean": 1.0, "low": None, "high": None}
