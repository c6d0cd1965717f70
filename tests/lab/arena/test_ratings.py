"""One rating over several matches."""

import itertools

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.ratings import pool_wins
from mj_bot.mahjong.errors import ProtocolError


def make_result(names, walls, wins, seed=0):
    """What pool_wins reads of a result whose walls all went alike: wins as float[P][P]."""
    return {"players": [{"name": name} for name in names], "wall_wins": [wins] * walls,
            "seeds": {"first_wall": seed << 32}, "match": {"walls": None}}


def test_matches_are_laid_side_by_side():
    names, wins = pool_wins([make_result("ab", 2, [[0, 3], [1, 0]]), make_result("ca", 3, [[0, 4], [0, 0]], seed=1)])
    assert names == ["a", "b", "c"]
    assert wins.tolist() == [[[0, 3, 0], [1, 0, 0], [0, 0, 0]]] * 2 + [[[0, 0, 0], [0, 0, 0], [4, 0, 0]]] * 3


def test_the_same_walls_are_one_cluster():
    _, wins = pool_wins([make_result("ab", 2, [[0, 3], [1, 0]]), make_result("bc", 3, [[0, 4], [0, 0]])])
    assert wins.tolist() == [[[0, 3, 0], [1, 0, 4], [0, 0, 0]]] * 2 + [[[0, 0, 0], [0, 0, 4], [0, 0, 0]]]


def test_a_chain_of_matches_rates_all_and_a_gap_is_told(tmp_path, capsys):
    paths = []
    for number, (one, other) in enumerate(itertools.pairwise(["random", "random:seed=1", "random:seed=2"])):
        paths.append(str(tmp_path / ("%d.json" % number)))
        assert main(["arena", one, other, "--walls", "4", "--workers", "1", "--json", paths[-1]]) == 0
    capsys.readouterr()
    assert main(["ratings"] + paths) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 4 and "random:seed=2" in out


def test_matches_that_nothing_links():
    with pytest.raises(ProtocolError, match="none between a, b and c, d"):
        pool_wins([make_result("ab", 1, [[0, 1], [1, 0]]), make_result("cd", 1, [[0, 1], [1, 0]])])


def test_a_result_that_lacks_something():
    with pytest.raises(ProtocolError, match="expected results with players"):
        pool_wins([make_result("ab", 1, [[0, 1, 2], [1, 0, 2]])])


def test_a_file_that_is_no_result(tmp_path, capsys):
    assert main(["ratings", str(tmp_path / "none.json")]) == 2
    assert "expected a result of the arena" in capsys.readouterr().err
