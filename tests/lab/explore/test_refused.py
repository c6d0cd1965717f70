"""What refused actions would have brought."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.explore import refused
from mj_bot.lab.explore.games import ROTATIONS, WIDEST, explore, list_facts
from mj_bot.lab.explore.refused import BANDS, KINDS, Told, format_result, judge, tell
from mj_bot.lab.rl.returns import find_advantages
from mj_bot.mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE
from mj_bot.reach.calibration import HABIT_WEIGHTS
from mj_bot.reach.parameters import PARAMETERS

_GAMES = 16


@pytest.fixture(scope="module")
def played():
    return explore(PARAMETERS, HABIT_WEIGHTS, first_wall=81, games=_GAMES, temperature=0.1, wide=0.2)


def test_an_even_draw_reaches_all_that_is_not_hopeless(played):
    notes, _ = played
    assert notes.chances.sum(1) == pytest.approx(1, abs=1e-5)
    assert (notes.lost >= 0).all() and notes.lost.max() < WIDEST
    assert (notes.lost[notes.action == notes.best] == 0).all()
    # Without it an action that loses two points has a chance of exp(-20).
    assert 0.05 < (notes.lost > 2).mean() < 0.2
    # Each that may be drawn evenly has its part of the share, or more.
    legal = np.unpackbits(notes.mask, axis=1, bitorder="little", count=ACTION_COUNT).sum(1)
    assert (notes.chances[np.arange(len(notes.action)), notes.action] >= 0.2 / legal - 1e-6).all()
    plain, _ = explore(PARAMETERS, HABIT_WEIGHTS, first_wall=81, games=4, temperature=0.1)
    assert plain.lost.max() < 2


def find_kind(action):
    return ("pass" if action < DISCARD_BASE else "discard" if action < OPEN_KONG_BASE
            else "kong" if action < PUNG_BASE else "pung" if action < CHOW_BASE else "chow")


def test_sums_are_those_of_a_plain_count(played):
    notes, scores = played
    facts = list_facts(notes, scores)
    critic = np.linspace(-1, 1, facts.shape[1])
    told = tell(notes, facts, scores, critic)
    brought, _ = find_advantages(notes.game, notes.seat, facts @ critic, scores.astype(float), 0.9)
    expected = np.zeros((3,) + told.count.shape)
    for row, (best, drawn, lost) in enumerate(zip(notes.best, notes.action, notes.lost)):
        band = 0 if best == drawn else next(
            number for number, (_, high) in enumerate(BANDS) if number and lost <= np.float32(high))
        cell = KINDS.index(find_kind(best)), KINDS.index(find_kind(drawn)), band, notes.game[row] // ROTATIONS
        expected[(slice(None),) + cell] += 1, lost, brought[row]
    assert told.count.sum() == len(notes.action)
    assert np.array_equal(told.count, expected[0])
    assert told.lost == pytest.approx(expected[1], rel=1e-5) and told.brought == pytest.approx(expected[2], abs=1e-6)


def test_a_refused_action_that_brings_more_is_seen():
    random = np.random.default_rng(5)
    walls, shape = 600, (len(KINDS), len(KINDS), len(BANDS), 600)
    count, lost, brought = (np.zeros(shape) for _ in range(3))
    # Best discards bring half a point more than the critic says; of the others one band more, one as much less as said.
    for band, said, truth in ((0, 0.0, 0.5), (3, 1.0, 1.7), (5, 2.5, -2.0)):
        rows = random.integers(1, 4, walls)
        count[1, 1, band], lost[1, 1, band] = rows, said * rows
        brought[1, 1, band] = truth * rows + 3 * random.normal(size=walls) * rows ** 0.5
    rows = judge(Told(count, lost, brought))
    assert [(row["best"], row["drawn"], row["band"], row["said"]) for row in rows] == [
        ("discard", "discard", [0.7, 1.2], -1.0), ("discard", "discard", [2.0, 3.5], -2.5)]
    assert rows[0]["low"] < 1.2 < rows[0]["high"] and rows[0]["low"] > 0
    assert rows[1]["low"] < -2.5 < rows[1]["high"]
    width = 2 * 1.96 * 3 * (1 / count[1, 1, 3].sum() + 1 / count[1, 1, 0].sum()) ** 0.5
    assert rows[0]["high"] - rows[0]["low"] == pytest.approx(width, rel=0.1)
    table = format_result({"decisions": 5, "rows": rows}).splitlines()
    assert {line.count("|") for line in table[2:]} == {9} and len(table) == 5
    cells = table[4].split(" | ")
    assert cells[:3] == ["| discard", "discard", ""] and cells[4].startswith("%.2f ±" % rows[0]["brought"])
    assert cells[6].endswith("(-2.50)")


def test_the_command_goes_on_where_it_was_broken_off(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(refused, "_LEAST", 1)
    folder, path = tmp_path / "run", tmp_path / "refused.json"
    command = ["rl", "refused", "--output", str(folder), "--games", "8", "--seed", "3", "--workers", "1"]
    assert main(command + ["--json", str(path)]) == 0
    whole = path.read_text()
    result = json.loads(whole)
    assert result["decisions"] > 100 and result["rows"]
    assert refused.format_result(result) in capsys.readouterr().out
    (folder / "part-0.npz").unlink()
    kept = (folder / "critic-0.npz").stat().st_mtime_ns
    assert main(command + ["--json", str(path)]) == 0
    assert path.read_text() == whole and (folder / "critic-0.npz").stat().st_mtime_ns == kept
    assert main(["rl", "refused", "--output", str(folder), "--games", "12"]) == 2
    assert "expected a new folder or one of the same settings" in capsys.readouterr().err
