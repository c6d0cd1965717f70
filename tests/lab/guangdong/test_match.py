"""Duplicate matches: shares that add up, the same result again, and the comparison on the same walls."""

import json

import numpy as np
import pytest

from mj_bot.lab.arena.result import format_tables
from mj_bot.lab.guangdong.guangdong import main
from mj_bot.lab.guangdong.match import play
from mj_bot.lab.guangdong.rules import DEFAULTS, parse_settings
from mj_bot.mahjong.errors import ProtocolError


def test_a_match_adds_up():
    result = play(["shanten", "random", "random", "random"], 16, 5, DEFAULTS)
    assert result["games"] == 64 and sum(map(sum, result["wall_scores"])) == 0
    won = np.array(result["wall_won"])
    assert won[:, 0].mean() / 4 == pytest.approx(result["wins"]["shanten"]["mean"], abs=1e-4) and won.sum() <= 64
    assert result["wins"]["shanten"]["mean"] > 0.6 > 0.1 > result["wins"]["random"]["mean"]
    assert "shanten wins 7" in format_tables(result)


def test_equal_players_share_their_walls():
    result = play(["shanten", "shanten:depth=1", "shanten:depth=1", "shanten:depth=1"], 8, 1, DEFAULTS)
    assert result["wins"]["shanten"] == {"mean": 0.25, "low": 0.25, "high": 0.25}
    assert [sum(scores) for scores in result["wall_scores"]] == [0] * 8


def test_a_match_goes_on_from_its_journal_and_is_set_beside_another(tmp_path, capsys):
    base, path = str(tmp_path / "base.json"), str(tmp_path / "match.json")
    words = ["--walls", "8", "--seed", "2", "--settings", "wild=red"]
    assert main(["match", "random", "shanten", "shanten", "shanten", *words, "--json", base]) == 0
    assert main(["match", "ours", "shanten", "shanten", "shanten", *words, "--json", path, "--beside", base]) == 0
    first = json.loads(open(path, encoding="utf-8").read())
    assert main(["match", "ours", "shanten", "shanten", "shanten", *words, "--json", path, "--beside", base]) == 0
    second = json.loads(open(path, encoding="utf-8").read())
    assert first["wall_won"] == second["wall_won"] and second["measured"]["games_played"] == 0
    assert first["beside"] == second["beside"] and first["beside"]["wins"]["mean"] > 0
    assert "ours less random in the same seat at the same walls: +" in capsys.readouterr().out
    with pytest.raises(ProtocolError, match="expected a result of 8 walls with"):
        play(["ours", "random"], 8, 3, parse_settings("wild=red"), beside=base)
