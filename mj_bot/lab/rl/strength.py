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
from ..arena.columns import describe_player
from ..arena.conduct import PlayedWalls
from ..arena.schedule import make_match
from ..arena.tally import add_up
from ..arena.verdict import mean_interval
from ..run.files import write_whole
from .loop import WEIGHTS

STRENGTH = "strength.json"
START = "start"
# Columns of the arena, by the names that STRENGTH has for them.
_RATES = {"wins": "win_rate", "deal_ins": "deal_in_rate", "draws": "draw_rate", "claims": "claims_a_game",
          "fan": "mean_fan"}


def measure_run(folder, settings, every=1, show=True):
    """Plays each saved network against each opponent, and writes and returns the list of dicts in STRENGTH.

    settings: config.Strength. every: of the saved networks, each so-many-th, counted from the last.
    Raises MahjongError: the run saved none.
    """
    return measure_networks(folder, sorted(list_networks(folder)[::-1][::every]), settings, show)


def measure_networks(folder, paths, settings, show=True):
    """As measure_run, of the networks of these paths out of list_networks."""
    folder = Path(folder)
    start = list_networks(folder)[0]
    measured = read_strength(folder)
    tasks = [(path, opponent) for path in paths for opponent in settings.opponents
             if not (path == start and opponent.endswith(START))]
    for path, opponent in tqdm(tasks, unit="match", disable=not show):
        if find_match(measured, path, opponent, settings) is None:
            measured.append(dict(_name_match(path, opponent, settings), **_read_card(path),
                                 **measure(str(path), opponent, str(start), settings)))
            write_whole(folder / STRENGTH, "[\n%s\n]\n" % ",\n".join(map(json.dumps, measured)))
    return measured


def list_networks(folder):
    """Paths of the networks that a run saved, the start first.

    Raises MahjongError: there is none.
    """
    files = sorted((Path(folder) / WEIGHTS).glob("*.npz"))
    if not files:
        raise MahjongError("expected saved networks in %s, got none" % (Path(folder) / WEIGHTS))
    return files


def find_match(measured, path, opponent, settings):
    """What read_strength has of a network's match, None where it was not played."""
    asked = _name_match(path, opponent, settings)
    return next((found for found in measured if asked.items() <= found.items()), None)


def measure(path, opponent, start, settings):
    """One match as a dict: points a game with the interval, rates of wins, deal-ins, draws, claims, mean fan; `scores`,
    points a game at each wall.

    path, start: weight files. opponent: a tactic's spec or START, two of it against two; with "3 " before it three of
    it against one.
    """
    is_alone = opponent.startswith("3 ")
    other = opponent[2:] if is_alone else opponent
    players = [spec_of(path), spec_of(start) if other == START else other]
    match = make_match([players[0]] + 3 * players[1:] if is_alone else players, seed=settings.seed,
                       rotations=settings.rotations)
    with PlayedWalls(match) as played:
        list(played.play([match.specs], 0, settings.walls))
    walls = [played.done[match.specs][wall] for wall in range(settings.walls)]
    scores = [wall[0].score / match.seats_a_wall[0] for wall in walls]
    mean, low, high = mean_interval(np.array(scores))
    own, others = add_up(walls)
    return dict({"points": mean, "low": low, "high": high}, **_rates("", own), **_rates("other_", others),
                scores=[round(score, 4) for score in scores])


def spec_of(path):
    """The player of a weight file that a run saved."""
    card, _ = read_stored(find_weights(path), path)
    return "%s:weights=%s" % (card["name"], path)


def read_strength(folder):
    """What STRENGTH in a run's folder holds, [] where there is none."""
    path = Path(folder) / STRENGTH
    return json.loads(path.read_text(encoding="utf-8")) if os.path.exists(path) else []


def _name_match(path, opponent, settings):
    return {"games": int(path.stem), "opponent": opponent, "seed": settings.seed, "walls": settings.walls,
            "rotations": settings.rotations}


def _read_card(path):
    card, _ = read_stored(find_weights(str(path)), str(path))
    return {"minutes": card["minutes"], "device": card["device"], "commit": card["commit"]}


def _rates(prefix, tally):
    figures = describe_player(tally)
    return {prefix + name: figures[key] or 0.0 for name, key in _RATES.items()}
