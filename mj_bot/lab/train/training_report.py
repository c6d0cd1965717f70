"""The table of several runs: how well their networks predict, and their points in the arena."""

from pathlib import Path

from ...mahjong.errors import MahjongError
from ..arena.columns import format_interval, format_number
from ..arena.results import format_rows, read_results
from ..run.files import expect_readable, read_json

# Written into the folder of a run by its evaluation.
RESULT_FILE = "result.json"
MEASURED_OPPONENTS = ("rule_based", "search")
# Kinds of decisions, as evaluation.py names them.
_SHOWN = ("discard", "chow", "pung", "kong", "all")


def read_rows(path):
    """Rows (dicts) of a run's folder or of a file by `train report`. Raises MahjongError: neither, or not evaluated."""
    path = Path(path)
    expected = "the folder of a run with %s, or rows as JSON, got %r" % (RESULT_FILE, str(path))
    with expect_readable(expected, MahjongError):
        rows = read_json(path / RESULT_FILE if path.is_dir() else path)
        if path.is_dir():
            rows = [dict(rows, run=path.name, points=read_points(path))]
        try:
            format_report(rows)
        except (KeyError, TypeError) as error:
            raise ValueError("it has no such rows, %r" % error) from None
    return rows


def read_points(folder):
    """{opponent: (mean, low, high)}: points a game, from the arena's results in the folder of a run."""
    points = {}
    for _, result in read_results(folder):
        players = result["players"]
        for player, other in zip(players, players[::-1]) if len(players) == 2 else ():
            if player["name"] not in MEASURED_OPPONENTS and other["name"] in MEASURED_OPPONENTS:
                points[other["name"]] = tuple(player[key] for key in ("score_mean", "score_low", "score_high"))
    return points


def format_report(results):
    """Markdown table of rows as read_rows gives them."""
    heads = ["run", "parameters", "samples", *_SHOWN, "cost", "calibration", "score error / spread",
             "samples a second", *("points against %s" % name for name in MEASURED_OPPONENTS)]
    return format_rows(heads, map(_format_row, results))


def _format_row(result):
    row = [result["run"], format(result["parameters"], ","),
           "%s of %s" % (format(result["samples"], ","), format(result["samples_in_all"], ","))]
    row += [format_number(result["accuracy"][kind], ".1%") for kind in _SHOWN]
    row += [format_number(result.get("cost"), ".3f"), format_number(result["calibration_error"], ".1%")]
    error, rate = result["score_error"], result["samples_a_second"]
    row.append("-" if error is None else "%.1f / %.1f" % (error, result["score_spread"]))
    row.append("-" if rate is None else "%s on %s" % (format(round(rate), ","), result["device"]))
    points = result.get("points", {})
    return row + [format_interval(dict(zip(("mean", "low", "high"), points[name]))) if name in points else "-"
                  for name in MEASURED_OPPONENTS]
