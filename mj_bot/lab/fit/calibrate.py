"""Fits the section "calibrate" of worth/fitted.json to games of the search against itself."""

from collections.abc import Iterator

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from ...mahjong.errors import MahjongError
from ...mahjong.fan import MIN_FAN
from ...observation.layout import WALL_DRAWS
from ...worth.chance import CLASS_NAMES, CLASS_OF, CLASSES
from ...worth.danger import DANGER_FEATURES
from ...worth.parameters import PARAMETERS
from ..run.progress import Progress
from .sample import collect

_TEST_SHARE = 0.3  # share of the games that the danger is not fitted to but tested on
# Offsets of the worth that are tried; the one whose points fit best is kept.
_OFFSETS = (0.1, 0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0)


def calibrate(games: int, seed: int) -> dict:
    """Plays games, and returns the numbers that are fitted to them, a dict for JSON.

    games: number of games. seed: seed of the first wall.
    Raises MahjongError: the games are too few for a fit.
    """
    # Without danger and correction the games do not depend on the fitted numbers.
    with Progress(2 * games, name="fit calibrate", hint="its games are not kept") as bar:
        sample = collect(PARAMETERS._replace(danger=0.0, correction=0), games, seed, progress=bar)
        as_it_plays = collect(PARAMETERS, games, seed, progress=bar)
    arrivals = fit_arrivals(sample.unseen, sample.coming).round(2).tolist()
    return {"danger": _calibrate_danger(sample, games), "points": _calibrate_points(sample),
            "arrivals": dict(zip(CLASS_NAMES, arrivals)), "endings": _calibrate_endings(as_it_plays)}


def format_numbers(numbers: dict) -> str:
    """Returns the numbers of `calibrate` as text, with a line for each."""
    return "\n".join(_list_lines(numbers, ""))


def _list_lines(numbers: dict, indent: str) -> Iterator[str]:
    for name, value in numbers.items():
        if isinstance(value, dict):
            yield indent + name
            yield from _list_lines(value, indent + "  ")
        else:
            yield "%-32s %s" % (indent + name, value)


def _calibrate_danger(sample, games):
    """Fits the danger on the first games, and tests it on the others."""
    is_won = sample.fans >= MIN_FAN
    is_test = sample.games >= games * (1 - _TEST_SHARE)
    if min(len(np.unique(is_won[rows])) for rows in (is_test, ~is_test)) < 2:
        raise MahjongError("expected winning tiles in the games to fit and in the last %d%%, which test the fit, got "
                           "too few games: %d", 100 * _TEST_SHARE, games)
    features = sample.features.astype(np.float64)
    # The first feature is 1 everywhere and serves as the intercept.
    model = LogisticRegression(fit_intercept=False, solver="newton-cholesky", tol=1e-10)
    model.fit(features[~is_test], is_won[~is_test])
    weights, chances = model.coef_[0], model.predict_proba(features[is_test])[:, 1]
    base = np.full(len(chances), is_won[~is_test].mean())
    # A pair for each tenth, from the safest to the most dangerous: the predicted chance and the observed share.
    observed, predicted = calibration_curve(is_won[is_test], chances, n_bins=10, strategy="quantile")
    return {"weights": dict(zip(DANGER_FEATURES, weights.round(4).tolist())),
            "reliability": np.round(np.stack([predicted, observed], axis=1), 5).tolist(),
            "log_loss": round(float(log_loss(is_won[is_test], chances)), 5),
            "log_loss_of_a_constant": round(float(log_loss(is_won[is_test], base)), 5),
            "mean_fan": round(float(sample.fans[is_won].mean()), 2)}


def _calibrate_points(sample):
    """Fits the points that a worth brings."""
    fits = [(fit_points(sample.worths, sample.walls_left, sample.scores, offset=offset), offset) for offset in _OFFSETS]
    (error, weights), offset = min(fits, key=lambda entry: entry[0][0])
    return {"offset": offset, "weights": weights.round(3).tolist(), "squared_error": round(error, 1),
            "variance": round(float(sample.scores.var()), 1)}


def _calibrate_endings(sample):
    """Fits how games end that the deciding seat does not win. review/causes.py reads these numbers."""
    is_lost = sample.scores <= 0
    walls, scores = sample.walls_left[is_lost] / (4 * WALL_DRAWS), sample.scores[is_lost]
    if not (scores == 0).any():
        raise MahjongError("expected a game that nobody wins, got too few games")
    # Nobody wins by the logistic of nobody[0] + nobody[1] w, and the win of another seat costs `cost` points.
    model = LogisticRegression(C=1e6).fit(walls[:, None], scores == 0)
    return {"nobody": np.round([model.intercept_[0], model.coef_[0, 0]], 3).tolist(),
            "cost": round(float(-scores[scores < 0].mean()), 2), "self_drawn": round(sample.self_drawn, 2)}


def fit_points(
        worths: np.ndarray, walls_left: np.ndarray, scores: np.ndarray, *, offset: float) -> tuple[float, np.ndarray]:
    """Fits points = w0 + w1 level + w2 walls + w3 level walls, and returns (squared error, weights float64[4]).

    The fit is by least squares. level is the logarithm of worth + offset, and walls is the share of all drawable tiles
    that are left.
    worths: float64[D], worth of a hand. walls_left: float64[D], tiles left in the four walls.
    scores: float64[D], final score of the hand's seat. offset: number added to the worth.
    """
    level, walls = np.log(worths + offset), walls_left / (4 * WALL_DRAWS)
    columns = np.stack([np.ones_like(level), level, walls, level * walls], axis=1)
    weights = np.linalg.lstsq(columns, scores, rcond=None)[0]
    return float(((scores - columns @ weights) ** 2).mean()), weights


def fit_arrivals(unseen: np.ndarray, coming: np.ndarray) -> np.ndarray:
    """Returns the rates at which an unseen copy of each class is drawn, discarded by the seat before, and by others.

    The array is float64[CLASSES, 3]. The rates are relative to the rate at which the seat draws an unseen copy of any
    tile.
    unseen: uint8[D, 34], copies that a seat could not see. coming: uint8[D, 3, 34], copies later drawn by the seat,
        discarded by the seat before it, and discarded by the others.
    """
    usual = coming[:, 0].sum(axis=1) / np.maximum(1, unseen.sum(axis=1))
    rates = np.zeros((CLASSES, 3))
    for tile_class in range(CLASSES):
        tiles = CLASS_OF == tile_class
        copies = unseen[:, tiles]
        came = (coming[:, :, tiles] * (copies > 0)[:, None]).sum(axis=(0, 2))
        rates[tile_class] = came / max(1.0, (usual * copies.sum(axis=1)).sum())
    return rates
