"""The table of results, and one rating over several matches."""

import itertools
import json

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.result import RESULT_FORMAT
from mj_bot.lab.arena.results import format_markdown_table, pool_wins, read_results
from mj_bot.mahjong.errors import ProtocolError

PLAYER = {"name": "a", "games": 1200, "score_mean": 1.25, "score_low": 0.5, "score_high": 2.0, "win_rate": 0.25,
          "deal_in_rate": 0.125, "mean_fan": 12.34, "decision_ms_p50": 5.0, "decision_ms_p99": 60.0}
# Without wins or decisions.
LOSER = dict(PLAYER, name="b", score_mean=-1.25, mean_fan=None, decision_ms_p50=None, decision_ms_p99=None)


def test_the_table_of_a_match(tmp_path):
    """The games were once multiplied by a player's seats."""
    result = {"format": RESULT_FORMAT, "players": [PLAYER, LOSER], "games": 1200,
              "config": {"command": "mj-bot arena a b b b", "seatings": [[0, 1, 1, 1], [1, 0, 1, 1]]}}
    (tmp_path / "other.json").write_text("[1, 2]")
    (tmp_path / "a_b.json").write_text(json.dumps(dict(result, players=[PLAYER, dict(LOSER, games=3600)])))
    lines = format_markdown_table(read_results(str(tmp_path))).splitlines()
    assert lines[2] == "| **1 a** against 3 b | +1.25 (+0.50 .. +2.00) | 25.0% | 12.5% | 12.3 | 5.0 / 60.0 | 1,200 |"
    assert lines[3].endswith("| - | - / - | 1,200 |")
    assert lines[-1] == "    mj-bot arena a b b b    # a_b.json" and len(lines) == 6


def test_a_broken_result_is_named(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ProtocolError, match="broken.json"):
        read_results(str(tmp_path))


def make_result(names, walls, wins, seed=0, **match):
    """The parts of a result that pool_wins reads, the same wins at every wall."""
    return {"players": [{"name": name} for name in names], "wall_wins": [wins] * walls,
            "seeds": {"first_wall": seed << 32}, "match": match}


def test_walls_of_several_matches():
    """Other seeds have other walls; matches of the same seed share theirs."""
    names, wins = pool_wins([make_result("ab", 2, [[0, 3], [1, 0]]), make_result("ca", 3, [[0, 4], [0, 0]], seed=1)])
    assert names == ["a", "b", "c"]
    assert wins.tolist() == [[[0, 3, 0], [1, 0, 0], [0, 0, 0]]] * 2 + [[[0, 0, 0], [0, 0, 0], [4, 0, 0]]] * 3
    _, wins = pool_wins([make_result("ab", 2, [[0, 3], [1, 0]]), make_result("bc", 3, [[0, 4], [0, 0]])])
    assert wins.tolist() == [[[0, 3, 0], [1, 0, 4], [0, 0, 0]]] * 2 + [[[0, 0, 0], [0, 0, 4], [0, 0, 0]]]


@pytest.mark.parametrize("results, message", [
    ([make_result("ab", 2, [[0, 3], [1, 0]]), make_result("bc", 2, [[0, 3], [1, 0]], settings="")],
     "by the same rules, got settings None and ''"),
    ([make_result("ab", 1, [[0, 1], [1, 0]]), make_result("cd", 1, [[0, 1], [1, 0]])], "none between a, b and c, d"),
    ([make_result("ab", 1, [[0, 1, 2], [1, 0, 2]])], "expected results with players"),
])
def test_matches_without_a_common_scale(results, message):
    with pytest.raises(ProtocolError, match=message):
        pool_wins(results)


def test_a_chain_of_matches_rates_all_and_a_gap_is_told(tmp_path, capsys):
    paths = []
    for number, (one, other) in enumerate(itertools.pairwise(["random", "random:seed=1", "random:seed=2"])):
        paths.append(str(tmp_path / ("%d.json" % number)))
        assert main(["arena", one, other, "--walls", "4", "--workers", "1", "--json", paths[-1]]) == 0
    capsys.readouterr()
    assert main(["arena", "ratings"] + paths) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 5 and "random:seed=2" in out and "fewer than 8 walls" in out
    # These players are the same, at 2,000 walls.
    assert main(["arena", "ratings", "data/results/guangdong/shanten_shanten.json"]) == 0
    assert "or all walls are equal" in capsys.readouterr().out
