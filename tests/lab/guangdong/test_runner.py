"""Duplicate matches: shares that add up, the same result again, and the comparison on the same walls."""

import json

import numpy as np
import pytest

from mj_bot.lab.commands.guangdong import main
from mj_bot.mahjong.errors import ProtocolError

MATCH = ["arena", "--rotations", "4"]


@pytest.fixture
def play(tmp_path):
    def run(*words, name="match.json"):
        path = tmp_path / name
        assert main([*MATCH, *words, "--workers", "1", "--json", str(path)]) == 0
        return json.loads(path.read_text(encoding="utf-8"))
    return run


def test_a_match_adds_up(play, capsys):
    result = play("shanten", "random", "random", "random", "--walls", "16", "--seed", "5")
    assert result["games"] == 64 and sum(map(sum, result["wall_scores"])) == 0
    won = np.array(result["wall_won"])
    assert won[:, 0].mean() / 4 == pytest.approx(result["wins"]["shanten"]["mean"], abs=1e-4) and won.sum() <= 64
    assert result["wins"]["shanten"]["mean"] > 0.6 > 0.1 > result["wins"]["random"]["mean"]
    assert "shanten wins %.1f%% (" % (100 * result["wins"]["shanten"]["mean"]) in capsys.readouterr().out


def test_equal_players_share_their_walls(play):
    result = play("shanten", "shanten:seen=1", "shanten:seen=1", "shanten:seen=1", "--walls", "8", "--seed", "1")
    wins = result["wins"]["shanten"]
    assert wins["low"] < wins["mean"] == 0.25 < wins["high"]
    assert [sum(scores) for scores in result["wall_scores"]] == [0] * 8


def test_a_match_goes_on_from_its_folder_and_is_set_beside_another(play, tmp_path, capsys):
    others, words = ["shanten"] * 3, ["--walls", "8", "--seed", "2", "--settings", "wild=red"]
    play("random", *others, *words, name="base.json")
    base = str(tmp_path / "base.json")
    first = play("ours", *others, *words, "--compare", base)
    second = play("ours", *others, *words, "--compare", base)
    assert first["wall_won"] == second["wall_won"] and second["measured"]["games_played"] == 0
    assert first["comparison"] == second["comparison"] and first["comparison"]["wins"]["mean"] > 0
    assert first["match"]["settings"] == "wild=red" and first["match"]["rotations"] == 4
    assert "ours less random in the same seat at the same walls: +" in capsys.readouterr().out
    # The command that a result names gives the same again.
    again = play(*first["config"]["command"].split()[3:], name="again.json")
    assert again["wall_scores"] == first["wall_scores"]
    with pytest.raises(ProtocolError, match="expected a result with players = .*seed = 3, got one with players = "):
        play("ours", "random", "--walls", "8", "--seed", "3", "--settings", "wild=red", "--compare", base,
             name="other.json")
