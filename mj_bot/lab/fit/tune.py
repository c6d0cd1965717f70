"""Fits parameters of a tactic by duplicate matches, and checks the tuned values at new walls."""


import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...mahjong.errors import MahjongError
from ..arena.columns import format_interval
from ..arena.fingerprint import digest_players
from ..arena.run_match import PlayedWalls
from ..arena.schedule import make_match
from ..arena.verdict import describe_interval
from ..run.files import write_dict
from ..run.progress import Progress
from ..run.provenance import read_commit
from ..table.choosers import load_chooser
from .evolve import Halving, Space, count_played, evolve

TUNING_FORMAT = "mj_bot tuning"
TUNING_VERSION = 1
_LEAST_FIELD, _LEAST_POPULATION = 3, 4
# The checks begin at this wall. Generations play walls before it only.
_CHECKS_FROM = 1 << 31


class Tuning(NamedTuple):
    """Keeps the options of a tuning."""

    tactic: str  # spec of the tactic whose parameters are tuned
    parameters: list  # names of the parameters, empty for all
    field: tuple  # specs of the opponents, each once
    generations: int  # number of generations
    population: int  # candidates per generation
    walls: int  # walls that every candidate plays against each opponent in the first round
    rounds: int  # rounds of halving per generation
    check_walls: int  # walls of the check at the end
    workers: int  # number of processes
    step: float  # first standard deviation, as a share of a parameter's range
    rotations: int  # seatings per wall
    seed: int  # seed of the walls and of the candidates
    json: str  # file to which the run is written


def tune(options: Tuning, command: str) -> dict:
    """Tunes parameters, writes the run to options.json after each generation, and returns it as a dict.

    command: command that repeats the run.
    Raises MahjongError: the options do not fit the tactic or each other. UnknownTacticError: there is no such tactic.
    """
    space, field = Space(options.tactic, options.parameters), options.field
    if len(field) < _LEAST_FIELD:
        raise MahjongError("expected a field of %d different players or more, got %s", _LEAST_FIELD, " ".join(field))
    if options.population < _LEAST_POPULATION:
        raise MahjongError("expected %d candidates a generation or more, got %d", _LEAST_POPULATION, options.population)
    if not 0 < options.step <= 1:
        raise MahjongError("expected a step above 0 and at most 1, got %g", options.step)
    for spec in field:
        load_chooser(spec)
    match = make_match([options.tactic, field[0]], seed=options.seed, rotations=options.rotations)
    fingerprint = {"seed": options.seed, "rotations": options.rotations,
                   "sources": digest_players([options.tactic, *field])}
    run = {
        "format": TUNING_FORMAT, "version": TUNING_VERSION, "command": command, "commits": read_commit(),
        **fingerprint, "tactic": options.tactic, "field": field,
        "parameters": [dict(bounds._asdict(), name=name, present=space.present[name])
                       for name, bounds in zip(space.names, space.ranges)],
        "generations": [], "tuned": None, "check": None,
    }
    start = time.monotonic()
    walls = options.generations * count_played(options.population, Halving(options.walls, options.rounds))
    # In the check two players meet the field, the tuned one and the present one.
    games = (walls + 2 * options.check_walls) * len(field) * len(match.seatings)
    # With smoothing=0 the bar shows the rate of all games so far, because matches take different times.
    with Progress(games, name="fit tune", smoothing=0) as bar, \
            PlayedWalls(match, fingerprint, options.json + ".run", workers=options.workers) as played:
        _tune(options, space, field, played=played, bar=bar, run=run)
    run["measured"] = {"seconds": round(time.monotonic() - start, 1), "games_played": played.games_played,
                       "workers": options.workers}
    write_dict(options.json, run)
    return run


def _tune(options, space, field, *, played, bar, run):
    """Fills in the generations, the tuned values and their check, and writes the run after each generation.

    space: Space of the parameters. field: specs of the opponents. played: PlayedWalls that plays the matches.
    bar: Progress. run: dict of the run.
    """
    def score(players: Sequence[str], first: int, stop: int, *, field: Sequence[str] = field) -> np.ndarray:
        """Returns the score per game of each player at each wall, float[P, W], the mean over the opponents.

        players: specs. first, stop: the walls are first .. stop - 1. field: specs of the opponents.
        """
        lineups = [(player, opponent) for player in players for opponent in field]
        known = len(set(lineups)) * (stop - first) * len(played.match.seatings)
        for count in played.play(lineups, first, stop):
            bar.update(count)
            known -= count
        bar.skip(known)
        scores = np.array([[played.done[specs][wall][0].score for wall in range(first, stop)] for specs in lineups])
        return scores.reshape(len(players), len(field), -1).mean(axis=1) / played.match.seats_per_wall[0]

    bar.set_postfix_str("generation 1", refresh=False)
    for generation in evolve(space, score, options.generations, population=options.population,
                             halving=Halving(options.walls, options.rounds), step=options.step, seed=options.seed):
        run["generations"].append(generation)
        run["tuned"] = generation["centre"]
        write_dict(options.json, run)
        bar.set_postfix_str("generation %d, best of the last %+.2f" % (
            len(run["generations"]) + 1, generation["candidates"][0]["score"]), refresh=False)
    bar.set_postfix_str("check", refresh=False)
    # Runs with another number of generations check at other walls.
    first = _CHECKS_FROM + len(run["generations"]) * options.check_walls
    run["check"] = check(score, [space.spec(run["tuned"]), options.tactic], field, first=first,
                         stop=first + options.check_walls)


def check(score: Callable, players: list[str], field: tuple, *, first: int, stop: int) -> dict:
    """Compares the tuned player with the present one against a field, at new walls, and returns a dict for JSON.

    The gain is the tuned player's score per game less the present one's at the same walls. The values should change if
    its 95% interval is above 0.
    score: function(specs, first wall, stop, field=specs of opponents) that returns the score per game of each spec at
        each wall, float[P, W].
    players: specs of the tuned player and of the present one. field: specs of the opponents.
    first, stop: the walls are first .. stop - 1.
    """
    by_opponent = [score(players, first, stop, field=[opponent]) for opponent in field]
    total = sum(by_opponent) / len(field)
    gain = describe_interval(total[0] - total[1])
    return {
        "first_wall": first, "walls": stop - first, "gain": gain,
        "is_better": gain["low"] is not None and gain["low"] > 0,
        "field": [{"opponent": opponent, "tuned": describe_interval(new), "present": describe_interval(present),
                   "gain": describe_interval(new - present)} for opponent, (new, present) in zip(field, by_opponent)],
    }


def format_run(run: dict) -> str:
    """Returns the tuned values and their check as text. run: dict that `tune` returned."""
    lines = ["%-20s %10s %10s" % ("parameter", "present", "tuned")]
    lines += ["%-20s %10.4g %10.4g" % (entry["name"], entry["present"], run["tuned"][entry["name"]])
              for entry in run["parameters"]]
    checked = run["check"]
    lines += ["", "checked at %d walls, points a game:" % checked["walls"]]
    for entry in checked["field"]:
        lines.append("against %-24s tuned %s, present %s, gain %s" % (
            entry["opponent"], *(format_interval(entry[key]) for key in ("tuned", "present", "gain"))))
    lines += ["gain over the field: %s" % format_interval(checked["gain"]), ""]
    lines.append("The tuned values are better: make them the defaults of %s." % run["tactic"] if checked["is_better"]
                 else "The present values stay: the interval is not above 0.")
    return "\n".join(lines)
