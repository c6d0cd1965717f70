"""Fitting danger and outlook."""

import json

import numpy as np
import pytest

from mj_bot.lab import calibrate
from mj_bot.lab.__main__ import main
from mj_bot.mahjong.fan import MIN_FAN
from mj_bot.reach.parameters import PARAMETERS


def test_known_weights_are_found_again():
    rng = np.random.default_rng(1)
    features = np.concatenate([np.ones((40000, 1)), rng.normal(size=(40000, 2))], axis=1)
    truth = np.array([-3.0, 1.0, -0.5])
    is_won = rng.random(40000) < calibrate.predict(features, truth)
    assert calibrate.fit(features, is_won) == pytest.approx(truth, abs=0.1)


def test_the_outlook_of_known_numbers_is_found_again():
    rng = np.random.default_rng(2)
    worths, walls = rng.exponential(8, 20000), rng.integers(0, 84, 20000)
    level = np.log(worths + 0.6)
    scores = -10 + 5 * level + 3 * walls / 84 + 2 * level * walls / 84 + rng.normal(size=20000)
    error, weights = calibrate.fit_outlook(worths, walls, scores, 0.6)
    assert weights == pytest.approx([-10, 5, 3, 2], abs=0.3) and error == pytest.approx(1, abs=0.1)


def test_reliability_of_honest_chances():
    rng = np.random.default_rng(3)
    chances = rng.random(50000) * 0.3
    for predicted, observed, rows in calibrate.reliability(chances, rng.random(50000) < chances):
        assert rows == 5000 and observed == pytest.approx(predicted, abs=0.02)


def test_labels_are_the_wins_that_happen():
    """Each deal-in of the sampled games is among the rows that the labels call won on, by its fans."""
    sample = calibrate.collect(PARAMETERS, games=24, seed=5)
    is_won = sample.fans >= MIN_FAN
    assert 0.001 < is_won.mean() < 0.02
    assert len(sample.features) == len(sample.fans) == len(sample.games)
    assert len(sample.worths) == len(sample.scores) and np.isfinite(sample.worths).all()
    # A game that somebody dealt in to has a giver who lost the most; its hand held a tile that was won on.
    for game in range(24):
        scores = np.unique(sample.scores[sample.decisions == game])
        paid = [-score - 8 for score in scores if score < -8]
        if len(paid) == 1 and len(scores) <= 3 and -8 in scores:
            assert paid[0] in sample.fans[(sample.games == game) & is_won]


def test_the_command_writes_what_it_fitted(tmp_path, capsys):
    path = tmp_path / "fit.json"
    assert main(["calibrate", "--games", "12", "--seed", "9", "--json", str(path)]) == 0
    fitted = json.loads(path.read_text())
    assert len(fitted["danger"]["weights"]) == len(fitted["danger"]["features"])
    assert "outlook: offset" in capsys.readouterr().out
