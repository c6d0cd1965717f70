"""How strong the saved networks of a run are: duplicate matches on fixed walls that training never sees.

The results stand in FOLDER/strength.json, and matches that stand there are not played again.
"""

import json
from pathlib import Path

import numpy as np
from tqdm import tqdm

from ...mahjong.errors import MahjongError
from ...network.weights import find_weights, read_stored
from ..arena.engine_runner import play_walls
from ..arena.schedule import make_match
from ..arena.tally import Tally
from ..arena.verdict import mean_interval
from ..run.files import write_whole
from .loop import WEIGHTS

STRENGTH = "strength.json"
START = "start"
_STEP = 32  # walls at once


def measure_run(folder, settings, every=1, show=True):
    """Plays each saved network against each opponent, and writes and returns the list of dicts in STRENGTH.

    settings: config.Strength. every: of the saved networks each N-th, counted from the last.
    Raises MahjongError: the run saved none.
    """
    folder = Path(folder)
    files = sorted((folder / WEIGHTS).glob("*.npz"))
    if not files:
        raise MahjongError("expected saved networks in %s, got none" % (folder / WEIGHTS))
    start = files[0]
    measured = read_strength(folder)
    tasks = [(path, opponent) for path in sorted(files[::-1][::every]) for opponent in settings.opponents
             if not (path == start and opponent.endswith(START))]
    for path, opponent in tqdm(tasks, unit="match", disable=not show):
        asked = {"games": int(path.stem), "opponent": opponent, "seed": settings.seed, "walls": settings.walls,
                 "rotations": settings.rotations}
        if not any(asked.items() <= found.items() for found in measured):
            card, _ = read_stored(find_weights(str(path)), str(path))
            measured.append(dict(asked, **{name: card[name] for name in ("minutes", "device", "commit")},
                                 **measure(str(path), opponent, str(start), settings)))
            write_whole(folder / STRENGTH, "[\n%s\n]\n" % ",\n".join(map(json.dumps, measured)))
    return measured


def measure(path, opponent, start, settings):
    """One match as a dict: points a game with the interval, rates of wins, deal-ins, draws and claims, mean fan, and
    `scores`, points a game at each wall.

    path, start: weight files. opponent: a tactic's spec or START. Two seats of the network meet two of it; with "3 "
    before the spec one seat meets three.
    """
    is_alone = opponent.startswith("3 ")
    other = opponent[2:] if is_alone else opponent
    players = [spec_of(path), spec_of(start) if other == START else other]
    match = make_match([players[0]] + 3 * players[1:] if is_alone else players, seed=settings.seed,
                       rotations=settings.rotations)
    seats = match.seats_a_wall
    scores, tallies = [], [Tally(), Tally()]
    for first in range(0, settings.walls, _STEP):
        for wall in play_walls(match, first, min(first + _STEP, settings.walls)):
            scores.append(wall[0].score / seats[0])
            for tally, part in zip(tallies, wall):
                tally.add(part)
    mean, low, high = mean_interval(np.array(scores))
    return dict({"points": mean, "low": low, "high": high}, **_rates("", tallies[0]), **_rates("other_", tallies[1]),
                scores=[round(score, 4) for score in scores])


def spec_of(path):
    """The player of a weight file that a run saved."""
    card, _ = read_stored(find_weights(path), path)
    return "%s:weights=%s" % (card["name"], path)


def read_strength(folder):
    """The list in a run's STRENGTH, [] where there is no such file."""
    path = Path(folder) / STRENGTH
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def _rates(prefix, tally):
    return {prefix + name: round(value, 4) for name, value in (
        ("wins", tally.wins / tally.games), ("deal_ins", tally.deal_ins / tally.games),
        ("draws", tally.draws / tally.games), ("claims", tally.claims / tally.games),
        ("fan", tally.fan / max(1, tally.wins)))}
