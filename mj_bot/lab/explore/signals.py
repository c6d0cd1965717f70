"""The command `rl signals`: how many games each signal needs to tell good actions from bad ones.

In games of the search in which it draws its actions, what an action brought is estimated in several ways. All of them
aim at the same; they differ in how much of the game's luck is left in them. Each is regressed on what `search` holds
of the action: its points less those of the actions that might have been drawn, on average. The better a signal, the
surer the slope for the same games; the slope is how many points a point of the search really brings.

    FOLDER/settings.json   what the run was begun with
    FOLDER/critic-N.npz    sums of the games that the critics are fitted to
    FOLDER/part-N.npz      sums of the others by wall
"""

import argparse
from collections import namedtuple

import numpy as np

from ...mahjong.rules import SEATS
from ...reach.calibration import HABIT_WEIGHTS
from ...reach.parameters import PARAMETERS
from ..options import parse_run, run_command
from ..rl.facts import FACT_COUNT
from ..rl.returns import find_advantages
from .games import ROTATIONS, TEMPERATURE, Sums, add_up_part, explore, fit_critic, join, list_facts
from .parts import Parts

_SURELY = 1.96  # standard errors of a 95% interval

# Columns of games.list_facts: 1, the facts by seat, whether it is the own turn, what the other games brought.
_A_SEAT = (FACT_COUNT - 1) // SEATS
_ALWAYS, _OTHERS = 0, FACT_COUNT + 1
_OWN = (_ALWAYS,) + tuple(range(1, 1 + _A_SEAT)) + (FACT_COUNT,)
_HANDS = tuple(range(FACT_COUNT + 1))
# A signal: columns that its critic sees, and the decay lambda of its advantages; 1 is the game's score less the critic.
Signal = namedtuple("Signal", "name columns decay")
SIGNALS = (
    Signal("score", (_ALWAYS,), 1.0),
    Signal("less the other games of the wall", (_ALWAYS, _OTHERS), 1.0),
    Signal("critic of the own hand", _OWN, 1.0),
    Signal("critic of all hands", _HANDS, 1.0),
    Signal("critic of all hands and other games", _HANDS + (_OTHERS,), 1.0),
) + tuple(Signal("the same, lambda %g" % decay, _HANDS + (_OTHERS,), decay) for decay in (0.95, 0.9, 0.8, 0.6))

# Of the decisions of each wall. told float64[S, W]: what the signals say times what the search holds of the action;
# squares float64[S, W]: of what the signals say; held float64[W]: squares of what the search holds; rows: decisions.
Told = namedtuple("Told", "told squares held rows")


def main(argv):
    """The command line; exit code 0, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    return run_command(
        "rl signals", options, ("games", "seed"),
        lambda: run(options.output, options.games, options.seed, options.workers),
        lambda told: {"decisions": int(told.rows), "signals": judge(told)}, format_result)


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab rl signals",
        description="Measures how many games each signal needs to tell what actions bring.")
    return parse_run(parser, argv, games=40_960, seed=3_000_000)


def run(folder, games, seed, workers):
    """The Told of all games, played as far as they do not stand in the folder."""
    with Parts(folder, games, seed, workers) as parts:
        critics = fit_critics(join([Sums(**part) for part in parts.play_critics(add_up_part)]))
        told = [Told(**part) for part in parts.play(_tell_part, range(parts.count), critics)]
    return Told(*(np.concatenate(column, -1) for column in list(zip(*told))[:3]), sum(part.rows for part in told))


def _tell_part(first_wall, games, critics):
    notes, scores = explore(PARAMETERS, np.asarray(HABIT_WEIGHTS), first_wall, games)
    return tell(notes, list_facts(notes, scores), scores, critics)


def fit_critics(sums):
    """Weights of the critic of each of SIGNALS, float64[S, N], 0 for what it does not see."""
    critics = np.zeros((len(SIGNALS), len(sums.told)))
    for critic, signal in zip(critics, SIGNALS):
        seen = list(signal.columns)
        critic[seen] = fit_critic(Sums(sums.columns[np.ix_(seen, seen)], sums.told[seen], sums.squares, sums.rows))
    return critics


def tell(notes, facts, scores, critics):
    """The Told of notes by explore; facts: of games.list_facts, scores int[G, 4], critics: of fit_critics."""
    chances = notes.chances.astype(np.float64)
    logs = np.log(np.maximum(chances, 1e-30))
    drawn = logs[np.arange(len(chances)), notes.action]
    # Logarithms of the chances are points over the temperature, up to a number for each decision.
    held = TEMPERATURE * (drawn - (chances * logs).sum(1))
    walls = notes.game // ROTATIONS
    count = len(scores) // ROTATIONS
    told, squares = (np.zeros((len(SIGNALS), count)) for _ in range(2))
    for at, (signal, critic) in enumerate(zip(SIGNALS, critics)):
        said, _ = find_advantages(notes.game, notes.seat, facts @ critic, scores.astype(np.float64), signal.decay)
        told[at] = np.bincount(walls, said * held, count)
        squares[at] = np.bincount(walls, said * said, count)
    return Told(told, squares, np.bincount(walls, held * held, count), len(held))


def judge(told):
    """A dict for each of SIGNALS: "name", "spread" in points, "slope" with its "low" and "high", "games".

    The interval is that of the walls; games: how many it needs for a slope as sure as the first signal's, as a share.
    """
    weight = told.held.sum()
    slopes = told.told.sum(1) / weight
    errors = np.sqrt(((told.told - slopes[:, None] * told.held) ** 2).sum(1)) / weight
    spreads = np.sqrt(told.squares.sum(1) / told.rows)
    needed = (errors / slopes) ** 2
    return [{"name": signal.name, "spread": round(float(spread), 2), "slope": round(float(slope), 3),
             "low": round(float(slope - _SURELY * error), 3), "high": round(float(slope + _SURELY * error), 3),
             "games": round(float(share), 3)}
            for signal, spread, slope, error, share in zip(SIGNALS, spreads, slopes, errors, needed / needed[0])]


def format_result(result):
    """The signals as lines of a table."""
    lines = ["%d decisions" % result["decisions"], "",
             "| signal | spread | points a point of search brings | games for the same certainty |",
             "| --- | --- | --- | --- |"]
    for signal in result["signals"]:
        lines.append("| %s | %.1f | %.2f (%.2f .. %.2f) | %.0f%% |" % (
            signal["name"], signal["spread"], signal["slope"], signal["low"], signal["high"], 100 * signal["games"]))
    return "\n".join(lines)
