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
from .joint_value import DECISION_GROUPS, estimate_error, expect_loss, name_group
from .slips import fit_error, fit_slopes

FITTED_JUDGES = ("cnn", "search")
_CURSES = np.arange(0, 3.01, 0.05)
# A greater rise of the sum of squares, over their variance, is beyond the interval of 95%.
_LIKELY = 3.84
# Differences from the best action in errors of the mean, the ends of the groups of the table of costs.
_SIZES = (0.0, 0.5, 1.0, 2.0, np.inf)


def fit_verdict(games: int, *, folder: str, seed: int, workers: int) -> dict:
    """Plays games, and returns the fitted numbers with their intervals, a dict for JSON.

    weights: {group of DECISION_GROUPS: {judge: weight}}. joint: {group: [[slope, low, high] of each judge]} of the
    regression without the rule that the weights sum to 1. common_error: (a, b) of the error that both judges share;
    common_intervals: of a and b. curse: see joint_value.py; curse_interval. apart: rows of the table of slopes, each
    by numbers that the other half of the games gave.
    games: number of games, rounded up to whole blocks. folder: folder of the run. seed: seed of walls and draws.
    workers: number of processes.
    """
    blocks = play_draws(*FITTED_JUDGES, games, folder=folder, seed=seed, workers=workers, name="fit verdict")
    halves = [join_draws(blocks[half::2]) for half in (0, 1) if blocks[half::2]]
    fits = [fit_numbers(draws) for draws in halves]
    result = fit_numbers(join_draws(blocks))
    result["joint"] = {name: fit_slopes(_compare_both(draws), draws.realised.astype(float))
                       for name, draws in _split_groups(join_draws(blocks)).items()}
    result["apart"] = compare_apart(halves, fits[::-1])
    return result


def format_verdict(result: dict) -> str:
    """Returns the tables of what fit_verdict returned, as text."""
    lines = ["%-20s %8s  %s" % ("decision", "cnn", "joint slopes of cnn and search (95%)")]
    for name, slopes in result["joint"].items():
        lines.append("%-20s %8.2f  %s" % (name, result["weights"][name][FITTED_JUDGES[0]], "  ".join(
            "%.2f (%.2f .. %.2f)" % tuple(slope) for slope in slopes)))
    lines.append("shared error: a = %.2f, b = %.2f; curse = %.2f (%.2f .. %.2f)" % (
        *result["common_error"], result["curse"], *result["curse_interval"]))
    lines.append("%-32s %8s  %s" % ("on games apart", "drawn", "slope (95%)"))
    lines += ["%-32s %8d  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], *row["slope"]) for row in result["apart"]]
    return "\n".join(lines)


def fit_numbers(draws: Draws) -> dict:
    """Returns "weights", "common_error", "common_intervals", "curse" and "curse_interval", see fit_verdict."""
    weights = fit_weights(draws)
    mean = _join_points(draws, weights)
    first, second = _compare_both(draws).T
    value = draws.compare_with_mean(mean)
    common = fit_error(first * second - value * draws.realised, value, draws.measure_variance())
    result = {"weights": {name: dict(zip(FITTED_JUDGES, (round(weight, 3), round(1 - weight, 3))))
                          for name, weight in weights.items()},
              "common_error": [error[0] for error in common], "common_intervals": [error[1:] for error in common]}
    difference, error = measure_gaps(draws, weights, result["common_error"])
    losses = [draws.compare_with_mean(-expect_loss(difference, error, curse)) for curse in _CURSES]
    squares = np.array([((draws.realised - loss) ** 2).sum() for loss in losses])
    best = squares.argmin()
    likely = _CURSES[squares - squares[best] < _LIKELY * squares[best] / len(draws.size)]
    curse, *interval = (round(float(value), 2) for value in (_CURSES[best], likely.min(), likely.max()))
    return dict(result, curse=curse, curse_interval=interval)


def fit_weights(draws: Draws) -> dict[str, float]:
    """Returns {group: weight of the first judge, 0 .. 1}.

    A group has the weight of all decisions of ready hands, or of all others, unless its own weight differs from that
    beyond its interval.
    """
    weights = {}
    for is_ready in (True, False):
        of_state = _fit_weight(draws.choose(draws.is_ready == is_ready))[0]
        for is_claim in (False, True):
            part = draws.choose((draws.is_ready == is_ready) & (draws.is_claim == is_claim))
            own, low, high = _fit_weight(part) if len(part.size) > 1 else (of_state,) * 3
            chosen = of_state if low <= of_state <= high else own
            weights[name_group(is_claim, is_ready)] = min(1.0, max(0.0, chosen))
    return weights


def compare_apart(halves: list[Draws], fits: list[dict]) -> list[dict]:
    """Returns the rows {"name", "drawn", "slope"}: of the one value by kind of decision, and of the cost by its size.

    halves: the draws. fits: of fit_numbers, of other games than each half.
    """
    draws, columns = join_draws(halves), []
    for half, fit in zip(halves, fits):
        weights = {name: of[FITTED_JUDGES[0]] for name, of in fit["weights"].items()}
        difference, error = measure_gaps(half, weights, fit["common_error"])
        loss = expect_loss(difference, error, fit["curse"])
        sizes = [half.compare_with_mean(-loss * ((difference >= low * error) & (difference < high * error)))
                 for low, high in zip(_SIZES, _SIZES[1:])]
        columns.append(np.stack([half.compare_with_mean(_join_points(half, weights)),
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


def _split_groups(draws):
    """Returns {group: its Draws} of the groups with draws."""
    groups = {name_group(is_claim, is_ready): (draws.is_claim == is_claim) & (draws.is_ready == is_ready)
              for is_claim in (False, True) for is_ready in (False, True)}
    return {name: draws.choose(groups[name]) for name in DECISION_GROUPS if groups[name].sum() > 2}


def _compare_both(draws):
    """Returns the differences of both judges from their means over the draw, float64[N, 2]."""
    return np.stack([draws.compare_with_mean(values) for values in (draws.points, draws.others)], 1)


def _fit_weight(draws):
    """Returns [weight of the first judge, low, high], where both weights sum to 1."""
    first, second = _compare_both(draws).T
    return fit_slopes((first - second)[:, None], draws.realised - second)[0]


def _list_weights(draws, weights):
    """Returns the weight of the first judge for each legal action, float64[S]."""
    by_group = np.array([[weights[name_group(is_claim, is_ready)] for is_ready in (False, True)]
                         for is_claim in (False, True)])
    return np.repeat(by_group[draws.is_claim.astype(int), draws.is_ready.astype(int)], draws.size)


def _join_points(draws, weights):
    """Returns the one value of each legal action, float64[S]."""
    weight = _list_weights(draws, weights)
    return weight * draws.points + (1 - weight) * draws.others


def measure_gaps(draws: Any, weights: dict[str, float], common: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Returns (difference of each action from the best one of its decision, its standard error), float64[S] each.

    draws: Draws, or a record with its fields is_claim, is_ready, size, points and others. weights: {group: weight of
    the first judge}. common: (a, b) of the shared error.
    """
    weight, mean = _list_weights(draws, weights), _join_points(draws, weights)
    starts = list_starts(draws.size)
    order = np.lexsort((-mean, np.repeat(np.arange(len(starts)), draws.size)))
    best = np.repeat(order[starts], draws.size)
    gaps = [values[best] - values for values in (draws.points, draws.others)]
    errors = [make_tactic(judge, None).value_error for judge in FITTED_JUDGES]
    return mean[best] - mean, estimate_error([weight, 1 - weight], errors, gaps, common)
