"""Measures what wrong actions cost in play, and compares it with what a tactic predicts that they cost.

The tactic plays itself, and draws.py draws some actions at random. The points of the game are regressed on the points
that the tactic gives to the action, less the mean over all actions that could have been drawn. A slope of 1 means that
the differences between the tactic's points are right; at 0.5 they are twice what they should be.

With a second tactic the errors of single differences are estimated too. The games, the tactic and the second tactic are
three measures of one difference. If their errors are independent, the mean of (tactic - games) * (tactic - second) is
the variance of the tactic's error. Errors that both tactics share are not in it.
Source: A. Stoffelen, Toward the true near-surface wind speed: error modeling and calibration using triple collocation,
    Journal of Geophysical Research 103, 1998.
"""

import numpy as np

from .draws import SLIP_KINDS, join_draws, play_draws


def measure_slips(tactic: str, against: str | None, games: int, *, folder: str, seed: int, workers: int) -> dict:
    """Plays games, and returns a dict for JSON.

    "rows" has the rows that `compare` returns. With a second tactic, "value_error" and "intervals" have what
    `fit_errors` returns.
    tactic: spec. against: spec of a second tactic, None for none. games: number of games, rounded up to whole blocks.
    folder: folder of the run. seed: seed of walls and draws. workers: number of processes.
    Raises UnknownTacticError: a tactic does not exist or gives no points.
    """
    draws = join_draws(play_draws(tactic, against or tactic, games, folder=folder, seed=seed, workers=workers,
                                  name="fit slips"))
    predicted = draws.compare_with_mean(draws.points)
    result = {"rows": compare(draws.kind, draws.is_ready, predicted, realised=draws.realised)}
    if against:
        errors = fit_errors(predicted, draws.realised, draws.compare_with_mean(draws.others),
                            variance_ratio=draws.measure_variance())
        result.update(value_error=[error[0] for error in errors], intervals=[error[1:] for error in errors])
    return result


def format_slips(result: dict) -> str:
    """Returns the table of what measure_slips returned, as text."""
    lines = ["%-20s %9s  %9s  %s" % ("decision", "drawn", "said, sd", "slope (95%)")]
    for row in result["rows"]:
        lines.append("%-20s %9d  %9.2f  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], row["said"], *row["slope"]))
    if "value_error" in result:
        lines.append("a difference d has the standard error (a^2 + (b d)^2)^0.5 with " + ", ".join(
            "%s = %.2f (%.2f .. %.2f)" % (name, value, *interval)
            for name, value, interval in zip("ab", result["value_error"], result["intervals"])))
    return "\n".join(lines)


def compare(
        kind_indices: np.ndarray, is_ready: np.ndarray, predicted: np.ndarray, *, realised: np.ndarray) -> list[dict]:
    """Returns the rows of the table, {"name", "drawn", "said", "slope": [slope, low, high]}.

    "drawn" is the number of drawn actions, and "said" the standard deviation of the predicted differences, in points.
    The intervals are of 95%.
    kind_indices: int[N], kind of each decision, an index in SLIP_KINDS. is_ready: bool[N], whether the hand was ready.
    predicted: float[N], the tactic's points of the drawn action, less their mean over the draw.
    realised: float[N], the seat's points of the game, less the tactic's points of its own action.
    """
    rows = []
    for name, chosen in [("all", np.ones(len(kind_indices), bool)), ("ready", is_ready), ("not ready", ~is_ready)] + [
            (slip_kind + suffix, (kind_indices == index) & has_state) for index, slip_kind in enumerate(SLIP_KINDS)
            for suffix, has_state in ((", ready", is_ready), (", not ready", ~is_ready))]:
        x, y = predicted[chosen].astype(float), realised[chosen].astype(float)
        if len(x) > 1 and x.any():
            rows.append({"name": name, "drawn": len(x), "said": round(float(x.std()), 3),
                         "slope": fit_slopes(x[:, None], y)[0]})
    return rows


def fit_slopes(columns: np.ndarray, target: np.ndarray) -> list[list[float]]:
    """Returns [slope, low, high] of each column in the regression of a target on them, without a constant.

    The intervals are of 95%, for errors of any variance. columns: float[N, K]. target: float[N].
    """
    inverse = np.linalg.inv(columns.T @ columns)
    slopes = inverse @ (columns.T @ target)
    scaled = columns * (target - columns @ slopes)[:, None]
    errors = 1.96 * np.sqrt(np.diag(inverse @ (scaled.T @ scaled) @ inverse))
    return np.stack([slopes, slopes - errors, slopes + errors], 1).round(3).tolist()


def fit_errors(
        predicted: np.ndarray, realised: np.ndarray, other: np.ndarray, *,
        variance_ratio: np.ndarray) -> list[list[float]]:
    """Returns [[a, low, high], [b, low, high]], where a difference d has the standard error (a^2 + (b d)^2)^0.5.

    The intervals are of 95%. Large differences have large errors, so they count for less.
    predicted: float[N], the tactic's points of the drawn action, less their mean over the draw.
    realised: float[N], the seat's points of the game, less the tactic's points of its own action.
    other: float[N], the second tactic's points of the drawn action, less their mean over the draw.
    variance_ratio: float[N], Var(x - mean) / Var(x1 - x2) of the distribution of the draw.
    """
    predicted, realised, other = (column.astype(float) for column in (predicted, realised, other))
    return fit_error((predicted - realised) * (predicted - other), predicted, variance_ratio)


def fit_error(squares: np.ndarray, differences: np.ndarray, variance_ratio: np.ndarray) -> list[list[float]]:
    """Returns [[a, low, high], [b, low, high]], where a difference d has the standard error (a^2 + (b d)^2)^0.5.

    The intervals are of 95%; a square below 0 counts as 0. Large differences have large errors, so they count for less.
    squares: float[N], whose expectation is the square of the error. differences: float[N], d of each draw.
    variance_ratio: float[N], of Draws.measure_variance.
    """
    weights = 1 / np.sqrt(1 + differences ** 2)
    columns = np.stack([variance_ratio, differences ** 2], axis=1) * weights[:, None]
    return np.sqrt(np.maximum(0, fit_slopes(columns, squares * weights))).round(2).tolist()
