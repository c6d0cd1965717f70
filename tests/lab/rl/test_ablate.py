import json
import shutil

import numpy as np
import pytest
from scipy import stats

torch = pytest.importorskip("torch")

from handin import REPOSITORY
from mj_bot.lab.__main__ import main
from mj_bot.lab.rl import strength
from mj_bot.lab.rl.ablate import describe_rows, format_table, read_ablation
from mj_bot.lab.train.exported import export_network
from mj_bot.lab.train.network import TileNetwork

BASE = """
[run]
start = "%s"
games_an_iteration = 8
width = 8
groups = 1
device = "cpu"
precision = "float32"
[ppo]
rate = 1e-2
warmup = 1
[strength]
walls = 3
opponents = ["random"]
"""
PARTS = """
base = "%s"
games = 8
[[part]]
name = "another seed"
run = {seed = 1}
[[part]]
name = "value head"
is_in_base = true
ppo = {value = 0.0}
"""


@pytest.fixture
def ablation(tmp_path):
    """A file of parts, over a very small network."""
    torch.manual_seed(0)
    start = str(tmp_path / "start.npz")
    export_network(TileNetwork(4, 1).eval(), start, {"name": "cnn"}, "float32")
    (tmp_path / "base.toml").write_text(BASE % start)
    (tmp_path / "parts.toml").write_text(PARTS % (tmp_path / "base.toml"))
    return tmp_path / "parts.toml"


def test_an_ablation_that_was_broken_off_goes_on_and_repeats_nothing(ablation, tmp_path, monkeypatch, capsys):
    words = ["rl", "ablate", str(ablation), "--output", str(tmp_path / "runs")]
    assert main(words + ["--minutes", "0"]) == 0
    assert json.loads((tmp_path / "runs" / "ablation.json").read_text())["rows"] == []
    played, left, measure = [], [4], strength.measure

    def count(path, *others):
        if len(played) == left[0]:
            raise KeyboardInterrupt
        played.append(path)
        return measure(path, *others)

    monkeypatch.setattr(strength, "measure", count)
    assert main(words) == 130
    assert not (tmp_path / "runs" / "value_head" / "strength.json").exists()
    left[0] = None
    assert main(words) == 0
    # The start meets random alone; each of three networks the start and random.
    assert len(played) == 7
    log = [(tmp_path / "runs" / name / "log.jsonl").read_text() for name in ("base", "another_seed", "value_head")]
    assert [len(text.splitlines()) for text in log] == [1, 1, 1]
    capsys.readouterr()
    shutil.rmtree(tmp_path / "runs" / "base" / "checkpoint")
    assert main(words) == 0
    assert len(played) == 7 and log[0] == (tmp_path / "runs" / "base" / "log.jsonl").read_text()
    table = capsys.readouterr().out.splitlines()
    result = json.loads((tmp_path / "runs" / "ablation.json").read_text())
    assert result["is_done"] and [row["run"] for row in result["rows"]] == [
        "start", "+ learning", "with another seed", "without value head"]
    assert len(table) == 2 + 4 and {line.count("|") for line in table} == {13}
    ablation.write_text(ablation.read_text().replace("seed = 1", "seed = 2"))
    assert main(words) == 2
    assert "another folder" in capsys.readouterr().err


def test_differences_are_paired_over_the_walls_and_decide(ablation, tmp_path):
    (tmp_path / "base.toml").write_text((tmp_path / "base.toml").read_text().replace("walls = 3", "walls = 50"))
    ablation.write_text(PARTS.replace("%s", str(tmp_path / "base.toml")) + """
        [[part]]
        name = "wide clip"
        ppo = {clip = 0.4}
        [[part]]
        name = "low gradient"
        ppo = {gradient = 0.5}
        """)
    base, parts = read_ablation(ablation)
    random = np.random.default_rng(0)
    luck = {opponent: random.normal(0, 20, 50) for opponent in ("start", "random")}
    scores = {}
    for folder, games, gain in (("base", 0, -1), ("base", 8, 0), ("another_seed", 8, 3), ("value_head", 8, -5),
                                ("wide_clip", 8, 5), ("low_gradient", 8, 3)):
        (tmp_path / "runs" / folder).mkdir(parents=True, exist_ok=True)
        scores[folder, games] = {opponent: luck[opponent] + gain + random.normal(0, 1, 50) for opponent in luck}
        matches = [dict(
            games=match_games, opponent=opponent, seed=base.strength.seed, walls=50, rotations=4, minutes=1.0,
            scores=own.tolist(), **dict.fromkeys(("wins", "deal_ins", "draws", "claims", "fan"), 0.25))
            for (name, match_games), by_opponent in scores.items() if name == folder
            for opponent, own in by_opponent.items()]
        (tmp_path / "runs" / folder / "strength.json").write_text(json.dumps(matches))
    start, learning, seed, value, clip, gradient = describe_rows(base, parts, tmp_path / "runs")
    for opponent, match in zip(("start", "random"), seed["matches"]):
        own, other = scores["another_seed", 8][opponent], scores["base", 8][opponent]
        interval = stats.ttest_rel(own, other).confidence_interval()
        assert match["difference"] == {"mean": round((own - other).mean(), 4), "low": round(interval.low, 4),
                                       "high": round(interval.high, 4)}
    own, other = (np.mean(list(scores[key].values()), axis=0) for key in (("another_seed", 8), ("base", 8)))
    assert seed["difference"]["high"] == round(stats.ttest_rel(own, other).confidence_interval().high, 4)
    # A loss speaks for a part that is left out; a gain for one that is added, if another seed does not bring as much.
    assert [row["is_earned"] for row in (value, clip, gradient)] == [True, True, False]
    assert gradient["difference"]["low"] > 2
    assert start["is_earned"] is learning["is_earned"] is learning["difference"] is seed["is_earned"] is None
    # The start does not meet itself, and would have 0 there.
    assert [match["opponent"] for match in start["matches"]] == ["random"]
    less = (scores["base", 0]["random"] - scores["base", 8]["random"] - scores["base", 8]["start"]) / 2
    assert start["difference"]["mean"] == round(less.mean(), 4)
    head, _, *lines = format_table([start, seed, clip, gradient]).splitlines()
    assert "| against random | against start | less the base |" in head
    assert all(line.count("|") == head.count("|") for line in lines)
    assert [line.rpartition("| ")[2] for line in lines] == [" |", " |", "on |", "off |"]


@pytest.mark.parametrize("old, new, words", [
    ("games = 8", "", "expected base"),
    ("games = 8", "games = 12", "whole iterations of 8"),
    ("games = 8", "game = 8", "expected base"),
    ("parts.toml", "none.toml", "expected a file of parts"),
    ("base.toml", "none.toml", "expected a file of settings"),
    ("value head", "another-seed", "no other run has"),
    ("value head", "base", "no other run has"),
    ("is_in_base = true", "is_in_base = 1", "is_in_base = true or false"),
    ("value = 0.0", "vlaue = 0.0", "did you mean 'value'"),
    ("value = 0.0", "value = 0.5", "that differ"),
    ("seed = 1", "games = 16", "begin and are measured"),
    ("ppo = {value = 0.0}", "strength = {walls = 9}", "begin and are measured"),
    ("ppo = {value = 0.0}", "ppo = 3", "tables of settings"),
    ("ppo = {value = 0.0}", "run = {games_an_iteration = 6}", "whole iterations of 6"),
    ('name = "another seed"', "", "part with a name"),
])
def test_bad_files_are_refused(ablation, tmp_path, capsys, old, new, words):
    text = ablation.read_text()
    ablation.write_text(text.replace(old, new))
    path = str(ablation).replace(old, new)
    assert main(["rl", "ablate", path, "--output", str(tmp_path / "runs")]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "runs").exists()


def test_an_opponent_that_is_none_is_refused_before_anything_is_learnt(ablation, tmp_path, capsys):
    (tmp_path / "base.toml").write_text((tmp_path / "base.toml").read_text().replace('"random"', '"3 serach"'))
    assert main(["rl", "ablate", str(ablation), "--output", str(tmp_path / "runs")]) == 2
    assert "did you mean 'search'" in capsys.readouterr().err and not (tmp_path / "runs").exists()


@pytest.mark.parametrize("name", ["ablation_cpu.toml", "ablation_gpu.toml"])
def test_the_prepared_ablations_hold(name, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    base, parts = read_ablation("data/runs/" + name)
    assert base.run.games == parts[0].config.run.games and len(parts) > 9
