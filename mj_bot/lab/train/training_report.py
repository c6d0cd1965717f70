"""Formats the table that compares several runs: how well their networks predict, and their points in the arena."""

from collections.abc import Iterable
from pathlib import Path

from ...mahjong.errors import MahjongError
from ..arena.columns import format_interval, format_number
from ..arena.results import format_result_rows, read_results
from ..run.files import expect_readable, read_json

RESULT_FILE = "result.json"  # name of the file in the folder of a run that has the measures
MEASURED_OPPONENTS = ("rule_based", "search")
# Groups of decisions in the table, each with the share of right actions.
_SHOWN = ("discard", "chow", "pung", "kong", "all")


def read_rows(path: str | Path) -> list[dict]:
    """Returns rows of the table, a list of dicts.

    path: folder of a run, which has one row, or a JSON file that `train report` wrote.
    Raises MahjongError: the path is neither, or the run was not evaluated.
    """
    path = Path(path)
    with expect_readable("the folder of a run with %s, or rows as JSON, got %r", RESULT_FILE, str(path),
                         error_class=MahjongError):
        rows = read_json(path / RESULT_FILE if path.is_dir() else path)
        if path.is_dir():
            rows = [dict(rows, run=path.name, points=read_points(path))]
        try:
            format_report(rows)
        except (KeyError, TypeError) as error:
            raise ValueError("it has no such rows, %r" % error) from None
    return rows


def read_points(folder: str | Path) -> dict[str, tuple[float, float, float]]:
    """Returns points per game against each opponent, {opponent: (mean, low, high)}, with a 95% interval.

    They come from the arena's results in the folder of a run.
    """
    points = {}
    for _, result in read_results(folder):
        players = result["players"]
        for player, other in zip(players, players[::-1]) if len(players) == 2 else ():
            if player["name"] not in MEASURED_OPPONENTS and other["name"] in MEASURED_OPPONENTS:
                points[other["name"]] = tuple(player[key] for key in ("score_mean", "score_low", "score_high"))
    return points


def format_report(results: Iterable[dict]) -> str:
    """Returns a table in Markdown. results: rows that `read_rows` returned."""
    heads = ["run", "parameters", "samples", *_SHOWN, "cost", "calibration", "score error / spread",
             "samples a second", *("points against %s" % name for name in MEASURED_OPPONENTS)]
    return format_result_rows(heads, map(_format_row, results))


def _format_row(result):
    """Returns the cells of a row of the table, a list of texts. result: a row that `read_rows` returned."""
    row = [result["run"], format(result["parameters"], ","),
           "%s of %s" % (format(result["samples"], ","), format(result["samples_in_all"], ","))]
    row += [format_number(result["accuracy"][group], ".1%") for group in _SHOWN]
    row += [format_number(result.get("cost"), ".3f"), format_number(result["calibration_error"], ".1%")]
    error, rate = result["score_error"], result["samples_per_second"]
    row.append("-" if error is None else "%.1f / %.1f" % (error, result["score_spread"]))
    row.append("-" if rate is None else "%s on %s" % (format(round(rate), ","), result["device"]))
    points = result.get("points", {})
    return row + [format_interval(dict(zip(("mean", "low", "high"), points[name]))) if name in points else "-"
                  for name in MEASURED_OPPONENTS]
