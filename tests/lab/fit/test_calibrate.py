"""Fitting danger, points and arrivals."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.engine.game_rows import TILE_DRAWN, PLAYED
from mj_bot.lab.fit import calibrate as fits
from mj_bot.lab.fit import sample as samples
from mj_bot.mahjong.fan import MIN_FAN
from mj_bot.worth.chance import CLASS_OF
from mj_bot.worth.parameters import FITTED, PARAMETERS


def test_the_outlook_of_known_numbers_is_found_again():
    rng = np.random.default_rng(2)
    worths, walls = rng.exponential(8, 20000), rng.integers(0, 84, 20000)
    level = np.log(worths + 0.6)
    scores = -10 + 5 * level + 3 * walls / 84 + 2 * level * walls / 84 + rng.normal(size=20000)
    error, weights = fits.fit_points(worths, walls, scores, offset=0.6)
    assert weights == pytest.approx([-10, 5, 3, 2], abs=0.3) and error == pytest.approx(1, abs=0.1)


def test_labels_are_the_wins_of_the_games():
    """Each deal-in of the games is among the rows labelled as wins, with its fans."""
    sample = samples.collect(PARAMETERS, games=24, seed=105)
    is_won = sample.fans >= MIN_FAN
    assert 0.001 < is_won.mean() < 0.02
    assert len(sample.features) == len(sample.fans) == len(sample.games)
    assert len(sample.worths) == len(sample.scores) and np.isfinite(sample.worths).all()
    checked = 0
    # No kong is robbed in these. After a deal-in the giver lost the most, and had the winning tile in hand.
    for game in range(24):
        scores = np.unique(sample.scores[sample.decision_games == game])
        paid = [-score - 8 for score in scores if score < -8]
        if len(paid) == 1 and len(scores) <= 3 and -8 in scores:
            assert paid[0] in sample.fans[(sample.games == game) & is_won]
            checked += 1
    assert checked > 5


def list_keys(value):
    return {key: list_keys(entry) for key, entry in value.items()} if isinstance(value, dict) else len(np.shape(value))


def test_the_command_writes_what_the_bot_reads(tmp_path, capsys):
    path = tmp_path / "fit.json"
    path.write_text('{"other": 1}')
    assert main(["fit", "calibrate", "--games", "64", "--seed", "1400", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    assert "points\n  offset " in out and "\n  terminals " in out
    written, read = json.loads(path.read_text()), FITTED
    assert written["other"] == 1, "other fits of the file were lost"
    assert list_keys(written["calibrate"]) == list_keys(read["calibrate"])
    assert written["calibrate"]["command"] == "mj-bot fit calibrate --games 64 --seed 1400"


def test_too_few_games_are_a_line(capsys):
    """scikit-learn's traceback told of an array of shape (0, 24)."""
    assert main(["fit", "calibrate", "--games", "2"]) == 2
    assert "got too few games: 2" in capsys.readouterr().err


def test_events_that_are_to_come():
    """East draws W1, discards it; South draws W1, discards W2; West claims nothing, draws W2."""
    log = np.array([[4 * TILE_DRAWN, 0], [4 * PLAYED, 0], [4 * TILE_DRAWN + 1, 0],
                    [4 * PLAYED + 1, 1], [4 * TILE_DRAWN + 2, 1]])
    events = samples.count_events(log)
    coming = samples.count_coming(events, 0, 2)
    assert not coming[0].any() and not coming[1].any()
    assert coming[2, :2].tolist() == [0, 1]
    assert samples.count_coming(events, 2, 1)[1, :2].tolist() == [0, 1], "South sits before West"
    assert samples.count_coming(events, 2, 1)[2, :2].tolist() == [1, 0]
    assert samples.count_coming(events, 2, 1)[0, :2].tolist() == [0, 1]


def test_arrivals_of_known_numbers_are_found_again():
    rng = np.random.default_rng(4)
    unseen = rng.integers(0, 5, (20000, 34)).astype(np.uint8)
    truth = np.array([(0.5, 1.0, 2.0), (1.0, 1.5, 2.5), (1.1, 0.8, 1.7), (1.2, 1.4, 3.0)])
    coming = np.stack([rng.binomial(unseen, 0.05 * truth[CLASS_OF, way]) for way in range(3)], axis=1).astype(np.uint8)
    usual = (unseen * truth[CLASS_OF, 0]).sum() / unseen.sum()
    assert fits.fit_arrivals(unseen, coming) == pytest.approx(truth / usual, rel=0.05)
