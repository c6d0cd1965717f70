"""Draws the result of a match: ratings if there are three players or more, scores by wall, and patterns of the wins."""

import os
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from scipy import stats

from ..run.files import open_whole
from ..table.players import shorten
from .columns import format_number

_PATTERNS = 14  # greatest number of patterns that are shown
# The colours of Okabe and Ito, which colour-blind readers can tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
GREY = "#666666"
STYLE = {
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left", "axes.titleweight": "bold",
    "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True, "font.size": 10, "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def draw_result(result: dict, path: str, **options: Any) -> None:
    """Draws a result into a file. The ending of the path names the format; options: of matplotlib's savefig.

    Raises MahjongError: the file cannot be written.
    """
    with rc_context(STYLE), open_whole(path, "wb") as file:
        figure = Figure(figsize=(12, 8.5))
        # With two players the scores show all: there is only one difference.
        is_rated = len(result["players"]) > 2
        grid = figure.add_gridspec(1 + is_rated, 2, width_ratios=(1, 1.25), height_ratios=(1, 1.35)[:1 + is_rated])
        if is_rated:
            _draw_ratings(figure.add_subplot(grid[0, 0]), result)
        _draw_scores(figure.add_subplot(grid[-1, 0]), result)
        _draw_patterns(figure.add_subplot(grid[:, 1]), result)
        figure.suptitle("%d walls in %d seatings, %d games, seed %d" % (
            result["walls"], len(result["config"]["seatings"]), result["games"], result["seeds"]["match"]),
            x=0.01, ha="left", color=GREY)
        figure.savefig(file, dpi=110, **dict({"format": os.path.splitext(path)[1][1:] or "png"}, **options))


def _draw_ratings(axes, result):
    """Draws the rating of each player with its interval."""
    players = result["players"]
    for row, (player, colour) in enumerate(zip(players, COLOURS)):
        mean, low, high = (player["elo_" + end] for end in ("mean", "low", "high"))
        ends = None if low is None else [[mean - low], [high - mean]]
        axes.errorbar(mean, -row, xerr=ends, fmt="o", color=colour, capsize=4)
        axes.annotate("%+.1f   score %+.2f a game" % (mean, player["score_mean"]), (mean, -row), (0, 8),
                      textcoords="offset points", ha="center", color=colour)
    axes.set_yticks([-row for row in range(len(players))], [shorten(player["name"], 24) for player in players])
    axes.set_ylim(0.5 - len(players), 0.6)
    axes.margins(x=0.6)
    axes.grid(axis="y", visible=False)
    axes.set_title("Rating")
    axes.set_xlabel("Elo by games outscored" + ("" if result["rule"] else ", 95% interval"))


def _draw_scores(axes, result):
    """Draws the mean score of each player after each number of walls."""
    scores = np.array(result["wall_scores"]) / result["seats_per_wall"]
    walls = np.arange(1, len(scores) + 1)
    means = np.cumsum(scores, axis=0) / walls[:, None]
    squares = np.cumsum(scores ** 2, axis=0) / walls[:, None]
    for player, colour in enumerate(COLOURS[:scores.shape[1]]):
        axes.plot(walls, means[:, player], color=colour, label="%s %+.2f" % (
            shorten(result["players"][player]["name"], 24), means[-1, player]))
        if len(scores) > 1 and not result["rule"]:
            variance = np.maximum(squares[1:, player] - means[1:, player] ** 2, 0)
            half = stats.t.ppf(0.975, walls[1:] - 1) * np.sqrt(variance / (walls[1:] - 1))
            axes.fill_between(walls[1:], means[1:, player] - half, means[1:, player] + half, color=colour, alpha=0.15,
                              lw=0)
    # The first means swing too far, so later ones decide the height of the picture.
    late = slice(min(len(scores) - 1, max(4, len(scores) // 20)), None)
    y_limit = 1.6 * np.abs(means[late]).max() + 2 * scores.std() / np.sqrt(len(scores)) + 0.1
    axes.set_ylim(-y_limit, y_limit)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set_title("Score by wall")
    axes.set_xlabel("walls played")
    axes.set_ylabel("mean points a game so far" + ("" if result["rule"] else ", 95% band"))
    axes.legend(loc="upper right", ncols=2)


def _draw_patterns(axes, result):
    """Draws which fan patterns each player won with, as shares of its games."""
    players = result["players"]
    shares = [{name: 100 * count / player["games"] for name, count in player["patterns"].items()} for player in players]
    total = {name: sum(share.get(name, 0) for share in shares) for share in shares for name in share}
    names = sorted(total, key=total.get, reverse=True)[:_PATTERNS]
    height = 0.8 / len(players)
    for index, (player, share, colour) in enumerate(zip(players, shares, COLOURS)):
        axes.barh([row + index * height - 0.4 + height / 2 for row in range(len(names))],
                  [share.get(name, 0) for name in names], height, color=colour,
                  label="%s wins %s, mean fan %s" % (
                      shorten(player["name"], 24), format_number(player["win_rate"], ".1%"),
                      format_number(player["mean_fan"], ".1f")))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_title("Fan patterns won")
    axes.set_xlabel("games won with it as the most valuable fan, percent")
    axes.legend(loc="lower right")
    if not names:
        axes.text(0.5, 0.5, "no wins", transform=axes.transAxes, ha="center", color=GREY)
