import json

import pytest

pytest.importorskip("torch", reason="no torch: learning is not tested; `make train` installs it")

from mj_bot.lab.rl.config import Strength
from mj_bot.lab.commands.rl import main
from mj_bot.lab.rl.strength import make_strength_match, measure_strength
from mj_bot.mahjong.errors import MahjongError
from tests.lab.rl.runs import write_settings


def test_a_network_against_itself_is_no_better(start):
    found = measure_strength(make_strength_match(start, "start", start, settings=Strength()), 2)
    assert found["points"] == 0 and found["low"] == found["high"] == 0


@pytest.mark.slow
def test_what_was_measured_is_kept_and_shown(start, tmp_path, capsys):
    config, folder = str(tmp_path / "a.toml"), tmp_path / "run"
    write_settings(tmp_path / "a.toml", start, run={"games": 8},
                   strength={"walls": 2, "opponents": ["start", "3 random"]})
    with pytest.raises(MahjongError, match="expected saved networks"):
        main(["strength", config, "--output", str(folder)])
    assert main([config, "--output", str(folder)]) == 0
    assert main(["strength", config, "--output", str(folder)]) == 0
    measured = json.loads((folder / "strength.json").read_text())
    assert [(found["games"], found["opponent"]) for found in measured] == [
        (0, "3 random"), (8, "start"), (8, "3 random")]
    assert all(found["low"] <= found["points"] <= found["high"] for found in measured)
    # Results of other settings or code stay in the file, and are not shown.
    others = [dict(measured[0], points=99.0, walls=3), dict(measured[0], points=99.0, sources="none")]
    (folder / "strength.json").write_text(json.dumps(others + measured))
    capsys.readouterr()
    main(["strength", config, "--output", str(folder)])
    printed = capsys.readouterr().out
    assert "8 games" in printed and "99.0" not in printed
    assert json.loads((folder / "strength.json").read_text()) == others + measured
