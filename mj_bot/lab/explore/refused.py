"""The command `rl refused`: what actions that the search refuses would have brought.

In a few of its decisions the search draws an action evenly from all that it does not hold for hopeless. What such
actions brought, less what the best ones did, stands beside what the search said that they lose. Where they brought
more, there is something to learn.

    FOLDER/settings.json   what the run was begun with
    FOLDER/critic-N.npz    sums of the games that the critic is fitted to
    FOLDER/part-N.npz      sums of the others by wall
"""

import argparse
from collections import namedtuple

import numpy as np

from ...mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE
from ...reach.calibration import HABIT_WEIGHTS
from ...reach.parameters import PARAMETERS
from ..options import parse_run, run_command
from ..rl.returns import find_advantages
from .games import ROTATIONS, WIDEST, Sums, add_up_part, explore, fit_critic, join, list_facts
from .parts import Parts

_SURELY = 1.96  # standard errors of a 95% interval
# Low, so that between two drawn actions the search plays nearly as it does in earnest.
_TEMPERATURE, _WIDE = 0.1, 0.06
_DECAY = 0.9
# Of cells with fewer decisions nothing is told.
_LEAST = 300

KINDS = ("pass", "discard", "kong", "pung", "chow")
_PASS, _DISCARD, _KONG, _PUNG, _CHOW = range(len(KINDS))
_FIRST = (0, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, CHOW_BASE)
# Points lost; the first is the best action itself.
BANDS = ((0.0, 0.0), (0.0, 0.3), (0.3, 0.7), (0.7, 1.2), (1.2, 2.0), (2.0, 3.5), (3.5, WIDEST))

# By kind of the best action, kind of the drawn one, band of what it loses, and wall, float64[5, 5, 7, W] each.
# count: decisions. lost: points that the search says it loses. brought: what it brought, beyond the critic.
Told = namedtuple("Told", "count lost brought")


def main(argv):
    """The command line; exit code 0, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    return run_command(
        "rl refused", options, ("games", "seed"),
        lambda: run(options.output, options.games, options.seed, options.workers),
        lambda told: {"decisions": int(told.count.sum()), "rows": judge(told)}, format_result)


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab rl refused",
        description="Plays the search against itself with a few actions that it refuses, and prints what they brought "
                    "beside what it said.")
    return parse_run(parser, argv, games=61_440, seed=4_000_000)


def run(folder, games, seed, workers):
    """The Told of all games, played as far as they do not stand in the folder."""
    with Parts(folder, games, seed, workers) as parts:
        critic = fit_critic(join([Sums(**part) for part in parts.play_critics(add_up_part)]))
        told = [Told(**part) for part in parts.play(_tell_part, range(parts.count), critic)]
    return Told(*(np.concatenate(column, -1) for column in zip(*told)))


def _tell_part(first_wall, games, critic):
    notes, scores = explore(PARAMETERS, HABIT_WEIGHTS, first_wall, games, _TEMPERATURE, _WIDE)
    return tell(notes, list_facts(notes, scores), scores, critic)


def tell(notes, facts, scores, critic):
    """The Told of notes by explore; facts: of games.list_facts, scores: int[G, 4], critic: of games.fit_critic."""
    brought, _ = find_advantages(notes.game, notes.seat, facts @ critic, scores.astype(np.float64), _DECAY)
    best, drawn = (np.searchsorted(_FIRST, actions, "right") - 1 for actions in (notes.best, notes.action))
    lost = notes.lost.astype(np.float64)
    band = np.where(notes.action == notes.best, 0, np.searchsorted([high for _, high in BANDS[1:-1]], lost) + 1)
    shape = (len(KINDS), len(KINDS), len(BANDS), len(scores) // ROTATIONS)
    cells = np.ravel_multi_index((best, drawn, band, notes.game // ROTATIONS), shape)
    return Told(*(np.bincount(cells, weights, np.prod(shape)).reshape(shape) for weights in (None, lost, brought)))


def judge(told):
    """A dict for each cell with decisions enough: "best" and "drawn" of KINDS, "band", "count", "said" and "brought" in
    points with its "low" and "high".

    brought: less what the best actions of the kind brought. The interval is that of the walls.
    """
    rows = []
    for best, drawn, band in np.ndindex(told.count.shape[:3]):
        cell, level = (best, drawn, band), (best, best, 0)
        count = told.count[cell].sum()
        if band == 0 or count < _LEAST:
            continue
        means, deviations = zip(*(_find_mean(told.count[at], told.brought[at]) for at in (cell, level)))
        brought = means[0] - means[1]
        error = np.sqrt(np.square(deviations[0] - deviations[1]).sum())
        rows.append({
            "best": KINDS[best], "drawn": KINDS[drawn], "band": list(BANDS[band]), "count": int(count),
            "said": round(float(-told.lost[cell].sum() / count), 2), "brought": round(float(brought), 2),
            "low": round(float(brought - _SURELY * error), 2), "high": round(float(brought + _SURELY * error), 2)})
    return rows


def _find_mean(counts, totals):
    """The mean of what has a count and a total at each wall, and what each wall moves it by."""
    mean = totals.sum() / counts.sum()
    return mean, (totals - mean * counts) / counts.sum()


def format_result(result):
    """A table with a line for a kind of best and of drawn action, a column for a band; what it brought (what was said).
    """
    lines = ["%s decisions" % format(result["decisions"], ","), "",
             "| best | drawn | %s |" % " | ".join("loses %.1f .. %.1f" % band for band in BANDS[1:]),
             "|" + (1 + len(BANDS)) * " --- |"]
    cells = {(row["best"], row["drawn"], tuple(row["band"])): "%.2f ± %.2f (%.2f)" % (
        row["brought"], (row["high"] - row["low"]) / 2, row["said"]) for row in result["rows"]}
    for best, drawn in dict.fromkeys(cell[:2] for cell in cells):
        lines.append("| %s | %s | %s |" % (
            best, drawn, " | ".join(cells.get((best, drawn, band), "") for band in BANDS[1:])))
    return "\n".join(lines)
