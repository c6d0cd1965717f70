"""The README's table of results."""

import json

import pytest

from mj_bot.lab.arena.result import FORMAT
from mj_bot.lab.arena.results import format_table, read_results
from mj_bot.mahjong.errors import ProtocolError

PLAYER = {"name": "a", "games": 1200, "score_mean": 1.25, "score_low": 0.5, "score_high": 2.0, "win_rate": 0.25,
          "deal_in_rate": 0.125, "mean_fan": 12.34, "decision_ms_p50": 5.0, "decision_ms_p99": 60.0}
# One that never won and never had to decide.
LOSER = dict(PLAYER, name="b", score_mean=-1.25, mean_fan=None, decision_ms_p50=None, decision_ms_p99=None)


def test_the_table_of_a_match(tmp_path):
    result = {"format": FORMAT, "players": [PLAYER, LOSER],
              "config": {"command": "arena a b b b", "seatings": [[0, 1, 1, 1], [1, 0, 1, 1]]}}
    (tmp_path / "a_b.json").write_text(json.dumps(result))
    (tmp_path / "other.json").write_text("[1, 2]")
    lines = format_table(read_results(str(tmp_path))).splitlines()
    assert lines[2] == "| **1 a** against 3 b | +1.25 (+0.50 .. +2.00) | 25.0% | 12.5% | 12.3 | 5.0 / 60.0 | 1,200 |"
    assert lines[3].endswith("| - | - / - | 1,200 |")
    assert lines[-1] == "    arena a b b b    # a_b.json" and len(lines) == 6


def test_a_broken_result_is_named(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ProtocolError, match="broken.json"):
        read_results(str(tmp_path))
