"""What the signals of a game tell of its actions."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.explore import signals
from mj_bot.lab.explore.games import ROTATIONS, TEMPERATURE, add_up, explore, list_facts
from mj_bot.lab.explore.signals import SIGNALS, Told, fit_critics, judge, tell
from mj_bot.reach.parameters import PARAMETERS

_GAMES = 16


@pytest.fixture(scope="module")
def played():
    notes, scores = explore(PARAMETERS, None, first_wall=71, games=_GAMES)
    return notes, scores, list_facts(notes, scores)


def test_each_critic_sees_what_its_name_says(played):
    notes, scores, facts = played
    critics = fit_critics(add_up(facts, scores[notes.game, notes.seat]))
    sees = {signal.name: set(np.flatnonzero(critic)) for signal, critic in zip(SIGNALS, critics)}
    assert sees["score"] == {0}
    others = facts.shape[1] - 1
    assert sees["less the other games of the wall"] == {0, others}
    assert sees["critic of the own hand"] < sees["critic of all hands"] < sees["the same, lambda 0.9"]
    assert others not in sees["critic of all hands"] and others in sees["critic of all hands and other games"]
    # Its least squares leave no more than those of a critic that sees less.
    left = [np.square(scores[notes.game, notes.seat] - facts @ critic).sum() for critic in critics[:5]]
    assert left[0] > left[2] > left[3] > left[4] and left[0] > left[1]


def test_sums_are_those_of_a_plain_count(played):
    notes, scores, facts = played
    critics = np.zeros((len(SIGNALS), facts.shape[1]))
    critics[:, 0] = 2.0
    told = tell(notes, facts, scores, critics)
    assert told.rows == len(notes.action) and len(told.held) == _GAMES // ROTATIONS
    expected = np.zeros((3, _GAMES // ROTATIONS))
    for game, seat, action, chances in zip(notes.game, notes.seat, notes.action, notes.chances.astype(float)):
        likely = chances > 0
        mean = (chances[likely] * np.log(chances[likely])).sum()
        held = TEMPERATURE * (np.log(chances[action]) - mean)
        said = scores[game, seat] - 2.0
        expected[:, game // ROTATIONS] += said * held, said * said, held * held
    assert told.told[0] == pytest.approx(expected[0], rel=1e-5, abs=1e-3)
    assert told.squares[0] == pytest.approx(expected[1]) and told.held == pytest.approx(expected[2], rel=1e-5)
    # With lambda below 1 the way counts, by which the critic's 2 comes off but once.
    last = tell(notes, facts, scores, critics).told[-1]
    assert not np.allclose(last, told.told[0])


def test_a_signal_with_half_the_noise_needs_a_quarter_of_the_games():
    random = np.random.default_rng(3)
    walls = 40_000
    held = random.normal(size=walls)
    noise = random.normal(size=(len(SIGNALS), walls))
    said = 1.5 * held + 10 * noise
    said[1] = 1.5 * held + 5 * noise[1]
    found = judge(Told(said * held, said ** 2, held ** 2, walls))
    assert found[0]["games"] == 1 and found[1]["games"] == pytest.approx(0.25, rel=0.15)
    assert found[0]["spread"] == pytest.approx(10.1, rel=0.02)
    inside = sum(signal["low"] <= 1.5 <= signal["high"] for signal in found)
    assert inside >= len(SIGNALS) - 2
    assert found[0]["high"] - found[0]["low"] == pytest.approx(2 * 1.96 * 10 / walls ** 0.5, rel=0.05)


def test_the_command_goes_on_where_it_was_broken_off(tmp_path, capsys):
    folder, path = tmp_path / "run", tmp_path / "signals.json"
    command = ["rl", "signals", "--output", str(folder), "--games", "8", "--seed", "3", "--workers", "1"]
    assert main(command + ["--json", str(path)]) == 0
    whole = path.read_text()
    result = json.loads(whole)
    assert [signal["name"] for signal in result["signals"]] == [signal.name for signal in SIGNALS]
    printed = capsys.readouterr().out
    assert all("| %s |" % signal.name in printed for signal in SIGNALS)
    assert signals.format_result(result) in printed
    (folder / "part-0.npz").unlink()
    kept = (folder / "critic-0.npz").stat().st_mtime_ns
    assert main(command + ["--json", str(path)]) == 0
    assert path.read_text() == whole and (folder / "critic-0.npz").stat().st_mtime_ns == kept
    assert main(["rl", "signals", "--output", str(folder), "--games", "12"]) == 2
    assert "expected a new folder or one of the same settings" in capsys.readouterr().err
