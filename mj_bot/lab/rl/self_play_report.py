"""Writes a page about a run: its strength by games and by minutes, and its settings.

TensorBoard shows how the run learned.
"""

import html
import io
from collections.abc import Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from ..arena.picture import COLOURS, GREY, STYLE
from ..run.files import format_json, write_whole

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>%(title)s</title>
<style>body{font:15px/1.5 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}table{border-collapse:collapse}
td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}svg{max-width:100%%;height:auto}
pre{background:#f5f5f5;padding:1em;overflow:auto}</style>
<h1>%(title)s</h1>
<p>Points a game in duplicate matches on walls that training never saw, with the 95%% interval over the walls.</p>
%(strength)s%(table)s<h2>Settings</h2><pre>%(settings)s</pre></html>
"""


def write_report(folder: str | Path, measured: Sequence[dict], *, settings: dict) -> None:
    """Writes the page of a run, self_play_report.html in its folder.

    measured: what strength.measure_run returned. settings: dict that the page shows.
    """
    measured = sorted(measured, key=lambda result: (result["opponent"], result["games"]))
    write_whole(Path(folder) / "self_play_report.html", _PAGE % {
        "title": "Self-play run %s" % html.escape(Path(folder).name), "strength": _draw_strength(measured),
        "table": _format_table(measured), "settings": html.escape(format_json(settings, indent=1))})


def _draw_strength(measured):
    """Returns an <svg> element with points per game against each opponent, by games and by minutes of learning."""
    with rc_context(dict(STYLE, **{"svg.hashsalt": "mj_bot"})):
        figure = Figure(figsize=(10, 3.6))
        panels = figure.subplots(1, 2, sharey=True)
        for axes, name in zip(panels, ("games", "minutes")):
            for colour, opponent in zip(COLOURS, dict.fromkeys(result["opponent"] for result in measured)):
                rows = [result for result in measured if result["opponent"] == opponent]
                points = [row["points"] for row in rows]
                axes.errorbar([row[name] for row in rows], points, yerr=[
                    [row["points"] - row["low"] for row in rows], [row["high"] - row["points"] for row in rows]],
                    fmt="o-", capsize=3, color=colour, label="against " + opponent)
            axes.axhline(0, color=GREY, linewidth=1)
            devices = ", ".join(sorted({row["device"] for row in measured}))
            axes.set_xlabel(name if name == "games" else "minutes of learning on %s" % devices)
        panels[0].set_ylabel("points a game")
        if measured:
            panels[0].legend()
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()[buffer.getvalue().index("<svg"):]


def _format_table(measured):
    """Returns a <table> element with a row per network and opponent."""
    names = ("opponent", "games", "minutes", "points", "wins", "deal_ins", "draws", "claims", "fan")
    rows = ["".join("<th>%s</th>" % name.replace("_", "-") for name in names)]
    for result in measured:
        cells = [result["opponent"], "%d" % result["games"], "%.1f" % result["minutes"],
                 "%+.2f (%+.2f .. %+.2f)" % (result["points"], result["low"], result["high"])]
        cells += ["%.1f%%" % (100 * result[name]) for name in ("wins", "deal_ins", "draws")]
        cells += ["%.2f" % result["claims"], "%.1f" % result["fan"]]
        rows.append("".join("<td>%s</td>" % html.escape(cell) for cell in cells))
    return "<table>%s</table>" % "".join("<tr>%s</tr>\n" % row for row in rows)
