"""Fits the one value of `cnn` and `search` to games: the weights of both, the error of the mean, and what it costs.

`cnn` plays itself, and draws.py draws some actions at random. What the games bring is regressed on the differences of
both judges at once.

The error of the mean is that of each judge alone, its value_error, and a part that both share. The games are a third
measure of a difference. If its luck is independent of both errors, the mean of (cnn * search - mean * games) is the
square of the shared part.

The cost of a difference from the best action (fit/joint_value.py) has one number, the curse. It is the one with which
the costs of the drawn actions explain the games best.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..table.players import make_tactic
from .draws import SLIP_KINDS, Draws, join_draws, list_starts, play_draws
from .joint_value import estimate_error, expect_loss, name_group
from .slips import fit_error, fit_slopes

FITTED_JUDGES = ("cnn", "search")
_CURSES = np.arange(0, 3.01, 0.05)
# A greater rise of the sum of squares, over their variance, is beyond the interval of 95%.
_LIKELY = 3.84
# Differences from the best action in errors of the mean, the ends of the groups of the table of costs.
_SIZES = (0.0, 0.5, 1.0, 2.0, np.inf)


def fit_verdict(games: int, *, folder: str, seed: int, workers: int) -> dict:
    """Plays games, and returns the fitted numbers with their intervals, a dict for JSON.

    weights: {group of joint_value.DECISION_GROUPS: {judge: weight}}; weight_intervals: {group: {judge: [low, high]}}.
    common_error: (a, b) of the error that both judges share; common_intervals: of a and b. curse, curse_interval: k of
    joint_value.py. apart: rows of the table of slopes, each by numbers that the other half of the games gave.
    games: number of games, rounded up to whole blocks. folder: folder of the run. seed: seed of walls and draws.
    workers: number of processes.
    """
    blocks = play_draws(*FITTED_JUDGES, games, folder=folder, seed=seed, workers=workers, name="fit verdict")
    halves = [join_draws(blocks[half::2]) for half in (0, 1) if blocks[half::2]]
    fits = [fit_numbers(draws) for draws in halves]
    result = fit_numbers(join_draws(blocks))
    result["apart"] = compare_apart(halves, fits[::-1])
    return result


def format_verdict(result: dict) -> str:
    """Returns the tables of what fit_verdict returned, as text."""
    lines = ["%-20s  %-24s  %s" % ("weights (95%)", *FITTED_JUDGES)]
    for name, weights in result["weights"].items():
        lines.append("%-20s  %-24s  %s" % (name, *("%.2f (%.2f .. %.2f)" % (
            weight, *result["weight_intervals"][name][judge]) for judge, weight in weights.items())))
    lines.append("shared error: a = %.2f, b = %.2f; curse = %.2f (%.2f .. %.2f)" % (
        *result["common_error"], result["curse"], *result["curse_interval"]))
    lines.append("%-32s %8s  %s" % ("on games apart", "drawn", "slope (95%)"))
    lines += ["%-32s %8d  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], *row["slope"]) for row in result["apart"]]
    return "\n".join(lines)


def fit_numbers(draws: Draws) -> dict:
    """Returns the value of fit_verdict without "apart"."""
    slopes = fit_weights(draws)
    weights = {name: {judge: slope[0] for judge, slope in of.items()} for name, of in slopes.items()}
    first, second = _compare_both(draws).T
    mean = (first + second) / 2
    common = fit_error(first * second - mean * draws.realised, mean, draws.measure_variance())
    result = {"weights": weights, "weight_intervals": {name: {judge: slope[1:] for judge, slope in of.items()}
                                                       for name, of in slopes.items()},
              "common_error": [error[0] for error in common], "common_intervals": [error[1:] for error in common]}
    difference, error = measure_gaps(draws, weights, result["common_error"])
    losses = [draws.compare_with_mean(-expect_loss(difference, error, curse)) for curse in _CURSES]
    squares = np.array([((draws.realised - loss) ** 2).sum() for loss in losses])
    best = squares.argmin()
    likely = _CURSES[squares - squares[best] < _LIKELY * squares[best] / len(draws.size)]
    curse, *interval = (round(float(value), 2) for value in (_CURSES[best], likely.min(), likely.max()))
    return dict(result, curse=curse, curse_interval=interval)


def fit_weights(draws: Draws) -> dict[str, dict[str, list[float]]]:
    """Returns {group of DECISION_GROUPS: {judge: [weight, low, high]}}; a group without draws has equal weights."""
    target, both = draws.realised.astype(float), _compare_both(draws)
    weights = {}
    for is_claim in (False, True):
        for is_ready in (True, False):
            chosen = (draws.is_claim == is_claim) & (draws.is_ready == is_ready)
            slopes = fit_slopes(both[chosen], target[chosen]) if chosen.sum() > 2 else [[0.5] * 3] * 2
            weights[name_group(is_claim, is_ready)] = dict(zip(FITTED_JUDGES, slopes))
    return weights


def compare_apart(halves: list[Draws], fits: list[dict]) -> list[dict]:
    """Returns the rows {"name", "drawn", "slope"}: of the one value by kind of decision, and of the cost by its size.

    halves: the draws. fits: of fit_numbers, of other games than each half.
    """
    draws, columns = join_draws(halves), []
    for half, fit in zip(halves, fits):
        difference, error = measure_gaps(half, fit["weights"], fit["common_error"])
        loss = expect_loss(difference, error, fit["curse"])
        sizes = [half.compare_with_mean(-loss * ((difference >= low * error) & (difference < high * error)))
                 for low, high in zip(_SIZES, _SIZES[1:])]
        columns.append(np.stack([half.compare_with_mean(_join_points(half, fit["weights"])),
                                 half.compare_with_mean(-loss), *sizes]))
    value, loss, *sizes = np.concatenate(columns, axis=1)
    target, rows = draws.realised.astype(float), []

    def add(name: str, column: np.ndarray, chosen: np.ndarray) -> None:
        if column[chosen].any():
            rows.append({"name": name, "drawn": int(chosen.sum()),
                         "slope": fit_slopes(column[chosen, None], target[chosen])[0]})

    for what, column in (("value", value), ("cost", loss)):
        add(what, column, np.ones(len(value), bool))
        for name, chosen in (("ready", draws.is_ready), ("not ready", ~draws.is_ready)):
            add("%s, %s" % (what, name), column, chosen)
            for kind, kind_name in enumerate(SLIP_KINDS):
                add("%s, %s, %s" % (what, kind_name, name), column, chosen & (draws.kind == kind))
    known = [index for index, column in enumerate(sizes) if column.any()]
    slopes = fit_slopes(np.stack([sizes[index] for index in known], 1), target) if known else []
    for index, slope in zip(known, slopes):
        rows.append({"name": "cost of %g .. %g errors" % _SIZES[index:index + 2],
                     "drawn": int((sizes[index] != 0).sum()), "slope": slope})
    return rows


def _compare_both(draws):
    """Returns the differences of both judges from their means over the draw, float64[N, 2]."""
    return np.stack([draws.compare_with_mean(values) for values in (draws.points, draws.others)], 1)


def _list_weights(draws, weights):
    """Returns the weight of each judge for each action, float64[2, S]."""
    by_group = np.array([[list(weights[name_group(is_claim, is_ready)].values()) for is_ready in (False, True)]
                         for is_claim in (False, True)])
    return np.repeat(by_group[draws.is_claim.astype(int), draws.is_ready.astype(int)], draws.size, axis=0).T


def _join_points(draws, weights):
    """Returns the weighted sum of the points of each action, float64[S]."""
    return (_list_weights(draws, weights) * np.stack([draws.points, draws.others])).sum(0)


def measure_gaps(
        draws: Any, weights: dict[str, dict], common: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Returns (difference of each action from the best one of its decision, its standard error), float64[S] each.

    draws: Draws, or a record with its fields is_claim, is_ready, size, points and others. weights: {group: {judge:
    weight}}. common: (a, b) of the shared error.
    """
    points, starts = _join_points(draws, weights), list_starts(draws.size)
    order = np.lexsort((-points, np.repeat(np.arange(len(starts)), draws.size)))
    best = np.repeat(order[starts], draws.size)
    gaps = [values[best] - values for values in (draws.points, draws.others)]
    errors = [make_tactic(judge, None).value_error for judge in FITTED_JUDGES]
    return points[best] - points, estimate_error(_list_weights(draws, weights), errors, gaps, common)
