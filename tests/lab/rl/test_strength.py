import json
import shutil

import pytest

pytest.importorskip("torch", reason="no torch: learning is not tested; `make train` installs it")

from mj_bot.lab.rl.config import Strength
from mj_bot.lab.rl.rl import main
from mj_bot.lab.rl.strength import measure
from mj_bot.mahjong.errors import MahjongError

CONFIG = """
[run]
start = "%s"
games = 8
games_an_iteration = 8
width = 4
precision = "float32"
[strength]
walls = 2
opponents = ["start", "3 random"]
"""


def test_a_network_against_itself_is_no_better(start):
    found = measure(start, "start", start, settings=Strength(walls=2))
    assert found["points"] == 0 and found["low"] == found["high"] == 0
    assert found["wins"] == found["other_wins"]


@pytest.mark.slow
def test_what_was_measured_is_kept_and_shown(start, tmp_path, capsys):
    config, folder = str(tmp_path / "a.toml"), tmp_path / "run"
    (tmp_path / "a.toml").write_text(CONFIG % start)
    with pytest.raises(MahjongError, match="expected saved networks"):
        main(["strength", config, "--output", str(folder)])
    assert main([config, "--output", str(folder)]) == 0
    assert main(["strength", config, "--output", str(folder)]) == 0
    measured = json.loads((folder / "strength.json").read_text())
    assert [(found["games"], found["opponent"]) for found in measured] == [
        (0, "3 random"), (8, "start"), (8, "3 random")]
    assert all(found["low"] <= found["points"] <= found["high"] for found in measured)
    page = (folder / "report.html").read_text()
    assert "against 3 random" in page and page.count("<svg") == 1
    first = (folder / "strength.json").stat().st_mtime_ns
    capsys.readouterr()
    main(["strength", config, "--output", str(folder)])
    assert (folder / "strength.json").stat().st_mtime_ns == first
    assert "8 games" in capsys.readouterr().out


@pytest.mark.slow
def test_results_of_other_networks_settings_or_code_are_not_passed_on(start, tmp_path, capsys):
    """They stay in the file; a run without a checkpoint yet has its page."""
    config, folder = tmp_path / "a.toml", tmp_path / "run"
    config.write_text(CONFIG % start)
    assert main([str(config), "--output", str(folder)]) == 0
    shutil.rmtree(folder / "checkpoint")
    (folder / "log.jsonl").unlink()
    row = {"games": 0, "opponent": "3 random", "seed": 900000, "walls": 2, "rotations": 4, "points": 99.0}
    (folder / "strength.json").write_text(json.dumps([row, dict(row, walls=3, sources="none")]))
    assert main(["strength", str(config), "--output", str(folder)]) == 0
    assert "99.0" not in capsys.readouterr().out and len(json.loads((folder / "strength.json").read_text())) == 5
    assert "<svg" in (folder / "report.html").read_text()
