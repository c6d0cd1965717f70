"""Fits the one value of two judges to games: their weights, the errors of both and of the one value, and what it costs.

The first judge plays itself, and draws.py draws some actions at random. What the games bring is regressed on the
differences of both judges at once.

The games, the first judge and the second one are three measures of one difference. If their errors are independent, the
mean of (first - games) * (first - second) is the variance of the error of the first judge. The mean of
(first * second - mean * games) is the variance of the error that both share, where mean is that of the judges.
Source: A. Stoffelen, Toward the true near-surface wind speed: error modeling and calibration using triple collocation,
    Journal of Geophysical Research 103, 1998.

The cost of a difference from the best action (fit/joint_value.py) has one number, the curse. It is the one with which
the costs of the drawn actions explain the games best.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from ...mahjong.errors import MahjongError
from ..table.players import make_tactic
from .draws import SLIP_KINDS, Draws, join_draws, list_starts, play_draws
from .joint_value import DECISION_GROUPS, estimate_error, expect_loss

FITTED_JUDGES = ("cnn", "search")
_CURSES = np.arange(0, 3.01, 0.05)
_LEAST_DRAWS = 200  # of a group whose weights are fitted
# A greater rise of the sum of squares, over their variance, is beyond the interval of 95%.
_LIKELY = 3.84
# Differences from the best action in errors of the mean, the ends of the groups of the table of costs.
_SIZES = (0.0, 0.5, 1.0, 2.0, np.inf)


def fit_verdict(judges: Sequence[str], games: int, *, folder: str, seed: int, workers: int) -> dict:
    """Plays games, and returns the fitted numbers with their intervals, a dict for JSON.

    weights: {group of joint_value.DECISION_GROUPS: {judge: weight}}; weight_intervals: {group: {judge: [low, high]}}.
    value_error: [a, b], a difference d of the points of the first judge has the standard error (a^2 + (b d)^2)^0.5;
    intervals: of a and b. common_error, common_intervals: of the error that both judges share. curse, curse_interval: k
    of joint_value.py. slopes: rows of the table of slopes; those of the value and of its cost are by numbers that the
    other half of the games gave.
    judges: specs of two tactics with points and different names. games: number of games, rounded up to whole blocks.
    folder: folder of the run. seed: seed of walls and draws. workers: number of processes.
    """
    names = name_judges(judges)
    if names[0] == names[1]:
        raise MahjongError("expected two judges of different names, got %s", " ".join(judges))
    blocks = play_draws(judges, games, folder=folder, seed=seed, workers=workers)
    halves = [join_draws(blocks[half::2]) for half in (0, 1) if blocks[half::2]]
    result = fit_numbers(join_draws(blocks), judges)
    result["slopes"] = compare_apart(halves, [fit_numbers(draws, judges) for draws in halves][::-1], judges)
    return result


def name_judges(judges: Sequence[str]) -> list[str]:
    """Returns the names of the tactics of some specs."""
    return [judge.partition(":")[0] for judge in judges]


def format_verdict(result: dict) -> str:
    """Returns the tables of what fit_verdict returned, as text."""
    judges = list(next(iter(result["weights"].values())))
    lines = ["%-20s  %-24s  %s" % ("weights (95%)", *judges)]
    for name, weights in result["weights"].items():
        lines.append("%-20s  %-24s  %s" % (name, *("%.2f (%.2f .. %.2f)" % (
            weight, *result["weight_intervals"][name][judge]) for judge, weight in weights.items())))
    lines.append("a difference d has the standard error (a^2 + (b d)^2)^0.5:")
    for name, error, intervals in ((judges[0], "value_error", "intervals"),
                                   ("both share", "common_error", "common_intervals")):
        lines.append("%-20s  %s" % (name, ", ".join("%s = %.2f (%.2f .. %.2f)" % (letter, value, *interval) for
                                                    letter, value, interval in zip("ab", result[error],
                                                                                   result[intervals]))))
    lines.append("curse = %.2f (%.2f .. %.2f)" % (result["curse"], *result["curse_interval"]))
    lines.append("%-32s %8s  %s" % ("", "drawn", "slope (95%)"))
    lines += ["%-32s %8d  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], *row["slope"]) for row in result["slopes"]]
    return "\n".join(lines)


def fit_numbers(draws: Draws, judges: Sequence[str] = FITTED_JUDGES) -> dict:
    """Returns the value of fit_verdict without "slopes"."""
    slopes = {group: dict(zip(name_judges(judges), fitted)) for group, fitted in zip(
        DECISION_GROUPS, fit_judges(draws))}
    first, second = map(draws.compare_with_mean, draws.both)
    games, mean = draws.realised.astype(float), (first + second) / 2
    own = fit_error((first - games) * (first - second), first, draws.measure_variance())
    common = fit_error(first * second - mean * games, mean, draws.measure_variance())
    result = {
        "weights": {group: {name: slope[0] for name, slope in of.items()} for group, of in slopes.items()},
        "weight_intervals": {group: {name: slope[1:] for name, slope in of.items()} for group, of in slopes.items()},
        "value_error": [value for value, *_ in own], "intervals": [interval for _, *interval in own],
        "common_error": [value for value, *_ in common], "common_intervals": [interval for _, *interval in common]}
    difference, error = measure_gaps(draws.group, draws.size, draws.both, result, judges)
    losses = [draws.compare_with_mean(-expect_loss(difference, error, curse)) for curse in _CURSES]
    squares = np.array([((games - loss) ** 2).sum() for loss in losses])
    best = squares.argmin()
    likely = _CURSES[squares - squares[best] < _LIKELY * squares[best] / len(games)]
    curse, *interval = (round(float(value), 2) for value in (_CURSES[best], likely.min(), likely.max()))
    return dict(result, curse=curse, curse_interval=interval)


def fit_judges(draws: Draws) -> list[list[list[float]]]:
    """Returns [weight, low, high] of both judges for each of DECISION_GROUPS; of few draws the weights are equal."""
    both, target = np.stack(list(map(draws.compare_with_mean, draws.both)), 1), draws.realised.astype(float)
    return [fit_slopes(both[chosen], target[chosen]) if chosen.sum() >= _LEAST_DRAWS else [[0.5] * 3] * 2
            for chosen in (draws.group == group for group in range(len(DECISION_GROUPS)))]


def fit_slopes(columns: np.ndarray, target: np.ndarray) -> list[list[float]]:
    """Returns [slope, low, high] of each column in the regression of a target on them, without a constant.

    The intervals are of 95%, for errors of any variance. columns: float[N, K]. target: float[N].
    """
    inverse = np.linalg.inv(columns.T @ columns)
    slopes = inverse @ (columns.T @ target)
    scaled = columns * (target - columns @ slopes)[:, None]
    errors = 1.96 * np.sqrt(np.diag(inverse @ (scaled.T @ scaled) @ inverse))
    return np.stack([slopes, slopes - errors, slopes + errors], 1).round(3).tolist()


def fit_error(squares: np.ndarray, differences: np.ndarray, variance_ratio: np.ndarray) -> list[list[float]]:
    """Returns [[a, low, high], [b, low, high]], where a difference d has the standard error (a^2 + (b d)^2)^0.5.

    The intervals are of 95%; a square below 0 counts as 0. Large differences have large errors, so they count for less.
    squares: float[N], whose expectation is the square of the error. differences: float[N], d of each draw.
    variance_ratio: float[N], of Draws.measure_variance.
    """
    weights = 1 / np.sqrt(1 + differences ** 2)
    columns = np.stack([variance_ratio, differences ** 2], axis=1) * weights[:, None]
    return np.sqrt(np.maximum(0, fit_slopes(columns, squares * weights))).round(2).tolist()


def compare_apart(halves: list[Draws], fits: list[dict], judges: Sequence[str] = FITTED_JUDGES) -> list[dict]:
    """Returns the rows {"name", "drawn", "slope"} of each judge, the one value and its cost by kind of decision.

    Further rows are of the cost by its size. halves: the draws. fits: of fit_numbers, of other games than each half.
    """
    columns = []
    for half, fit in zip(halves, fits):
        difference, error = measure_gaps(half.group, half.size, half.both, fit, judges)
        loss = expect_loss(difference, error, fit["curse"])
        sizes = [loss * ((difference >= low * error) & (difference < high * error))
                 for low, high in zip(_SIZES, _SIZES[1:])]
        columns.append(np.stack([half.compare_with_mean(-values)
                                 for values in (-half.points, -half.others, difference, loss, *sizes)]))
    columns = np.concatenate(columns, axis=1)
    draws, count = join_draws(halves), len(columns) - len(_SIZES) + 1
    target, names = draws.realised.astype(float), [*name_judges(judges), "value", "cost"]
    rows = [{"name": ", ".join(filter(None, (name, kind))), "drawn": int(chosen.sum()),
             "slope": fit_slopes(column[chosen, None], target[chosen])[0]}
            for name, column in zip(names, columns[:count]) for kind, chosen in _list_kinds(draws)
            if column[chosen].any()]
    known = [index for index in range(count, len(columns)) if columns[index].any()]
    slopes = fit_slopes(columns[known].T, target) if known else []
    return rows + [{"name": "cost of %g .. %g errors" % _SIZES[index - count:index - count + 2],
                    "drawn": int((columns[index] != 0).sum()), "slope": slope} for index, slope in zip(known, slopes)]


def _list_kinds(draws: Draws) -> Iterator[tuple[str, np.ndarray]]:
    """Yields ("" for all or a kind of decisions, bool[N] which draws are of it)."""
    yield "", np.ones(len(draws.size), bool)
    for state, chosen in (("ready", draws.is_ready), ("not ready", ~draws.is_ready)):
        yield state, chosen
        yield from (("%s, %s" % (name, state), chosen & (draws.kind == kind)) for kind, name in enumerate(SLIP_KINDS))


def measure_gaps(
        group: np.ndarray, size: np.ndarray, both: np.ndarray, numbers: dict,
        judges: Sequence[str] = FITTED_JUDGES) -> tuple[np.ndarray, np.ndarray]:
    """Returns (difference of each action from the best one of its decision, its standard error), float64[S] each.

    group, size, both: of N decisions with S actions, as those of Draws. numbers: of fit_numbers, whose error counts for
    judges without value_error.
    """
    weights = np.array([list(numbers["weights"][name].values()) for name in DECISION_GROUPS])
    weights = np.repeat(weights[group], size, axis=0).T
    points, starts = (weights * both).sum(0), list_starts(size)
    order = np.lexsort((-points, np.repeat(np.arange(len(starts)), size)))
    best = np.repeat(order[starts], size)
    gaps = [values[best] - values for values in both]
    errors = [_read_error(judge) or numbers["value_error"] for judge in judges]
    return points[best] - points, estimate_error(weights, errors, gaps, numbers["common_error"])


@cache
def _read_error(judge):
    """Returns value_error of a tactic. judge: spec."""
    return make_tactic(judge, None).value_error
