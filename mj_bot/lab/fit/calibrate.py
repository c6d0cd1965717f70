"""The command `calibrate`: plays the search against itself and fits mj_bot/worth/constants.py to what happens."""

import argparse

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from ...mahjong.fan import MIN_FAN
from ...worth.danger import FEATURES
from ...worth.parameters import PARAMETERS
from ..run.command import format_command, interruptible, parse_count, parse_seed
from ..run.files import check_folder_of, write_json
from ..run.progress import Progress
from .regression import fit_arrivals, fit_points, reliability
from .sample import collect

_TEST_SHARE = 0.3
_OFFSETS = (0.1, 0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0)
_KINDS = ("terminals", "beside terminals", "middle tiles", "honours")


@interruptible("calibrate", "its games are not kept")
def main(argv):
    """The command line; its exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab calibrate",
                                     description="Plays the search against itself and fits the numbers of "
                                                 "mj_bot/worth/constants.py to what happens.")
    parser.add_argument("--games", type=parse_count, default=2000, metavar="N", help="games of self-play (%(default)s)")
    parser.add_argument("--seed", type=parse_seed, default=0, metavar="N", help="seed of the first wall (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the fitted numbers to this file")
    options = parser.parse_args(argv)
    if options.json:
        check_folder_of(options.json)
    with Progress(options.games) as bar:
        # So the play does not depend on what is fitted here, and the same command gives the same numbers.
        sample = collect(PARAMETERS._replace(danger=0.0, correction=0), options.games, options.seed, progress=bar)
    result = {
        "command": format_command("calibrate", "--games", options.games, "--seed", options.seed),
        "danger": _calibrate_danger(sample, options.games), "outlook": _calibrate_points(sample),
        "arrivals": _calibrate_arrivals(sample),
    }
    if options.json:
        write_json(options.json, result)
    return 0


def _calibrate_danger(sample, games):
    """Fits on the first games, prints how well they predict the rest, returns what is to be kept."""
    is_won = sample.fans >= MIN_FAN
    is_test = sample.games >= games * (1 - _TEST_SHARE)
    features = sample.features.astype(np.float64)
    # The first feature is 1 everywhere and serves as the intercept.
    model = LogisticRegression(fit_intercept=False, solver="newton-cholesky", tol=1e-10)
    model.fit(features[~is_test], is_won[~is_test])
    weights, chances = model.coef_[0], model.predict_proba(features[is_test])[:, 1]
    base = np.full(len(chances), is_won[~is_test].mean())
    curve = reliability(chances, is_won[is_test])
    loss, constant = log_loss(is_won[is_test], chances), log_loss(is_won[is_test], base)
    print("danger: %d rows of %d games, %.3f%% won on, %.1f fan; tested on games that were not fitted" % (
        len(is_won), games, 100 * is_won.mean(), sample.fans[is_won].mean()))
    print("log loss %.5f, of a constant %.5f" % (loss, constant))
    print("predicted  observed  rows")
    for predicted, observed, rows in curve:
        print("%8.3f%%  %7.3f%%  %d" % (100 * predicted, 100 * observed, rows))
    for name, weight in zip(FEATURES, weights):
        print("%-26s %+.4f" % (name, weight))
    return {"features": FEATURES, "weights": weights.tolist(), "reliability": curve, "log_loss": loss,
            "log_loss_of_a_constant": constant, "mean_fan": float(sample.fans[is_won].mean())}


def _calibrate_points(sample):
    fits = [(fit_points(sample.worths, sample.walls_left, sample.scores, offset=offset), offset) for offset in _OFFSETS]
    (error, weights), offset = min(fits, key=lambda entry: entry[0][0])
    print("outlook: offset %.1f, weights %s, squared error %.1f of %.1f" % (
        offset, " ".join("%.3f" % weight for weight in weights), error, sample.scores.var()))
    return {"offset": offset, "weights": weights.tolist(), "squared_error": error,
            "variance": float(sample.scores.var())}


def _calibrate_arrivals(sample):
    rates = fit_arrivals(sample.unseen, sample.coming)
    for kind, row in zip(_KINDS, rates):
        print("%-16s drawn %.3f, discarded by the seat before %.3f, by the others %.3f" % (kind, *row))
    return rates.tolist()
