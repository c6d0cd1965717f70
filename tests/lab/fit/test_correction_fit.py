"""Fitting the correction."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.engine.batch import unpack_masks
from mj_bot.lab.rl.advantages import pick
from mj_bot.lab.fit.correction_fit import add_up, centre, explore, fit_weights, join
from mj_bot.observation.layout import OBSERVATION_SIZE
from mj_bot.worth import correction


@pytest.fixture(scope="module")
def played():
    return explore(None, first_wall=31, games=16)


def test_games_are_played_four_times_with_draws_of_their_own(played):
    drawn, scores = played
    assert (scores.sum(1) == 0).all() and len(scores) == 16
    assert set(drawn.game.tolist()) == set(range(16))
    assert drawn.chances.sum(1) == pytest.approx(1, abs=1e-5)
    assert (drawn.chances[np.arange(len(drawn.action)), drawn.action] > 0).all()
    openings = [drawn.action[drawn.game == game][:20].tolist() for game in range(4)]
    assert len(set(map(tuple, openings))) > 1
    again, scores_again = explore(None, first_wall=31, games=16)
    assert (again.action == drawn.action).all() and (scores_again == scores).all()


def test_columns_are_the_derivatives_of_the_correction(played):
    """What a weight adds to the drawn action, less what it adds on average."""
    drawn = pick(played[0], slice(400))
    columns = centre(drawn)
    observations = np.ascontiguousarray(drawn.observation[:, :OBSERVATION_SIZE])
    masks = unpack_masks(drawn.mask)
    points, worths = drawn.points.astype(np.float64), np.exp(drawn.level.astype(np.float64))
    distances = correction.measure_distances(observations, masks)
    rows = np.arange(len(observations))

    def drawn_less_mean(weights):
        found = correction.correct_points(points, observations, distances, worths=worths, weights=weights)
        # Hopeless actions are lowered by the same for any weights.
        lost = np.where(masks, points - points.max(1)[:, None], 0)
        found = np.where(masks, found, 0) - np.minimum(lost - correction.LEAST, 0)
        return found[rows, drawn.action] - (drawn.chances * found).sum(1)

    for name in ("goes back, two from ready", "unseen early", "chow: first meld", "pung: comes nearer",
                 "chow: comes nearer", "added kong: walls left", "points, claim", "points lost up to 0.3"):
        weights = np.zeros(len(correction.CORRECTION_FEATURES))
        weights[correction.CORRECTION_FEATURES.index(name)] = 1.0
        expected = columns[:, correction.CORRECTION_FEATURES.index(name)]
        assert drawn_less_mean(weights) == pytest.approx(expected, abs=2e-3)
        assert np.abs(expected).max() > 0 or "kong" in name


def test_known_weights_are_found_again():
    random = np.random.default_rng(5)
    truth = random.normal(scale=0.02, size=len(correction.CORRECTION_FEATURES))
    columns = random.normal(size=(60000, len(truth)))
    parts = [add_up(part, part @ truth + random.normal(size=len(part))) for part in np.array_split(columns, 3)]
    weights, errors = fit_weights(join(parts))
    assert weights == pytest.approx(truth, abs=0.03)
    assert ((weights - truth) / errors).std() == pytest.approx(1, abs=0.3)


def test_an_interrupted_command_goes_on(tmp_path, capsys):
    folder, path = tmp_path / "run", tmp_path / "correction_fit.json"
    command = ["fit", "correction", "--output", str(folder) + "/", "--games", "4", "--seed", "3", "--workers", "1"]
    assert main(command + ["--json", str(path)]) == 0
    whole = path.read_text()
    result = json.loads(whole)["correction"]
    assert list(result["weights"]) == list(result["standard_errors"]) == list(correction.CORRECTION_FEATURES)
    assert result["seed"] == 3 and "commit" in result
    assert "--output run " in result["command"]  # of a path that ends with a slash nothing was left
    assert "weights in points" in capsys.readouterr().out
    parts = {part.name: part.read_bytes() for part in folder.glob("correction-*.npz")}
    assert len(parts) == 2  # the critic's and that of the actions
    (folder / max(parts)).unlink()
    assert main(command + ["--json", str(path)]) == 0
    assert path.read_text() == whole and {name: (folder / name).read_bytes() for name in parts} == parts
    assert main(command[:-3] + ["5", "--workers", "1"]) == 2
    assert "(there -> now): seed 3 -> 5;" in capsys.readouterr().err
    # Parts by other code were added to those of today.
    run = (folder / "run.json").read_text()
    (folder / "run.json").write_text(run.replace(json.loads(run)["settings"]["sources"], "0123456789abcdef"))
    assert main(command) == 2
    assert '(there -> now): sources "0123456789abcdef" -> ' in capsys.readouterr().err
    (folder / "run.json").write_text(run)
    np.savez(folder / max(parts), squares=3.0)
    assert main(command) == 2
    assert "expected a part of a run in" in capsys.readouterr().err
