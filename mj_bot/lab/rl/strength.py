"""How strong the saved networks of a run are: duplicate matches on fixed walls that training never sees.

FOLDER/strength.json holds what was measured; what is there for the same walls is not played again.
"""

import json
import os
from pathlib import Path

import numpy as np
from tqdm import tqdm

from ...mahjong.errors import MahjongError
from ...network.weights import find_weights, read_stored
from ..arena.engine_runner import play_walls
from ..arena.schedule import make_match
from ..arena.tally import Tally
from ..arena.verdict import mean_interval
from ..train.loop import write_json
from .loop import WEIGHTS

STRENGTH = "strength.json"
START = "start"
_STEP = 32  # walls at a time


def measure_run(folder, settings, every=1, show=True):
    """Plays each saved network against each opponent, and writes and returns the list of dicts in STRENGTH.

    settings: config.Strength. every: of the saved networks, each so-many-th, counted from the last.
    """
    folder = Path(folder)
    files = sorted((folder / WEIGHTS).glob("*.npz"))
    if not files:
        raise MahjongError("expected saved networks in %s, got none" % (folder / WEIGHTS))
    measured = read_strength(folder)
    chosen = sorted(files[::-1][::every])
    tasks = [(path, opponent) for path in chosen for opponent in settings.opponents
             if not (path == files[0] and opponent.endswith(START))]
    for path, opponent in tqdm(tasks, unit="match", disable=not show):
        asked = {"games": int(path.stem), "opponent": opponent, "seed": settings.seed, "walls": settings.walls,
                 "rotations": settings.rotations}
        if not any(asked.items() <= found.items() for found in measured):
            measured.append(dict(asked, **_read_card(path), **measure(str(path), opponent, str(files[0]), settings)))
            write_json(folder / STRENGTH, measured)
    return measured


def measure(path, opponent, start, settings):
    """One match as a dict: points a game with the interval, rates of wins, deal-ins, draws, claims, mean fan.

    path, start: weight files. opponent: a tactic's spec or START, two of it against two; with "3 " before it three of
    it against one.
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
    return dict({"points": mean, "low": low, "high": high}, **_rates("", tallies[0]), **_rates("other_", tallies[1]))


def spec_of(path):
    """The player of a weight file that a run saved."""
    card, _ = read_stored(find_weights(path), path)
    return "%s:weights=%s" % (card["name"], path)


def read_strength(folder):
    """What STRENGTH in a run's folder holds, [] where there is none."""
    path = Path(folder) / STRENGTH
    return json.loads(path.read_text(encoding="utf-8")) if os.path.exists(path) else []


def _read_card(path):
    card, _ = read_stored(find_weights(str(path)), str(path))
    return {"minutes": card["minutes"], "device": card["device"], "commit": card["commit"]}


def _rates(prefix, tally):
    return {prefix + name: round(value, 4) for name, value in (
        ("wins", tally.wins / tally.games), ("deal_ins", tally.deal_ins / tally.games),
        ("draws", tally.draws / tally.games), ("claims", tally.claims / tally.games),
        ("fan", tally.fan / max(1, tally.wins)))}
