"""Measures the strength of the saved networks of a run in duplicate matches, on fixed walls that training never sees.

FOLDER/strength.json keeps the results. A match that is there is not played again, as long as the code of its players
has not changed.
"""

from pathlib import Path

import numpy as np

from ...mahjong.errors import MahjongError
from ...network.weights import read_stored
from ...tactic import read_weight_file
from ..arena.columns import list_figures
from ..arena.fingerprint import digest_players
from ..arena.run_match import PlayedWalls
from ..arena.schedule import Match, make_match
from ..arena.tally import sum_tallies
from ..arena.verdict import mean_interval
from ..run.files import format_json, read_json, write_whole
from ..run.progress import Progress
from .config import Strength
from .self_play_loop import WEIGHTS

STRENGTH = "strength.json"
START = "start"  # name of the network from which learning began, as an opponent
# {name of a figure in STRENGTH: name of the arena's column}
_RATES = {"wins": "win_rate", "deal_ins": "deal_in_rate", "draws": "draw_rate", "claims": "claims_per_game",
          "fan": "mean_fan"}


def list_networks(folder: str | Path) -> list[Path]:
    """Returns the paths of the networks that a run saved, those of fewer games first.

    Raises MahjongError: the run saved none.
    """
    files = sorted((Path(folder) / WEIGHTS).glob("*.npz"))
    if not files:
        raise MahjongError("expected saved networks in %s, got none", Path(folder) / WEIGHTS)
    return files


def measure_run(folder: str | Path, settings: Strength, every: int = 1) -> list[dict]:
    """Plays each saved network against each opponent, writes the results to STRENGTH, and returns them.

    every: each N-th of the saved networks is played, counted from the last one.
    Raises MahjongError: the run saved no network, or STRENGTH contains no list of results.
    """
    folder, files = Path(folder), list_networks(folder)
    start = files[0]
    path = folder / STRENGTH
    known, measured = read_json(path) if path.exists() else [], []
    if not isinstance(known, list) or not all(isinstance(result, dict) for result in known):
        raise MahjongError("expected a list of matches in %s, got %.80r", path, known)
    tasks = [(path, opponent) for path in sorted(files[::-1][::every]) for opponent in settings.opponents
             if not (path == start and opponent.endswith(START))]
    bar = Progress(len(tasks), " matches", name="rl strength")
    for weights, opponent in tasks:
        match = make_strength_match(str(weights), opponent, str(start), settings=settings)
        asked = {"games": int(weights.stem), "opponent": opponent, "seed": settings.seed, "walls": settings.walls,
                 "rotations": settings.rotations, "sources": digest_players(match.specs)}
        result = next((result for result in known if asked.items() <= result.items()), None)
        if result is None:
            card, _ = read_stored(read_weight_file(str(weights)), str(weights))
            result = dict(asked, **{name: card[name] for name in ("minutes", "device", "commit")},
                          **measure_strength(match, settings.walls))
            known.append(result)
            write_whole(path, "[\n%s\n]\n" % ",\n".join(map(format_json, known)))
            bar.update()
        else:
            bar.skip(1)
        measured.append(result)
    bar.close()
    return measured


def measure_strength(match: Match, wall_count: int) -> dict:
    """Plays a match and returns the figures of its first player, a dict.

    points, low, high: points per game with a 95% interval. wins, deal_ins, draws, claims: rates per game.
    fan: mean fan of a win. scores: list of points per game, one for each wall.
    wall_count: number of walls to play.
    """
    with PlayedWalls(match) as played:
        list(played.play(0, wall_count))
    walls = [played.done[wall] for wall in range(wall_count)]
    scores = [wall[0].score / match.seats_per_wall[0] for wall in walls]
    mean, low, high = mean_interval(np.array(scores))
    figures = list_figures(sum_tallies(walls)[0])
    # Where all walls are equal there is no interval, and its ends are NaN.
    low, high = np.nan_to_num((low, high), nan=mean).tolist()
    return {"points": mean, "low": low, "high": high, **{name: figures[key] or 0.0 for name, key in _RATES.items()},
            "scores": [round(score, 4) for score in scores]}


def make_strength_match(path: str, opponent: str, start: str, *, settings: Strength) -> Match:
    """Returns the Match of a saved network and an opponent.

    The network has two of the four seats, or one if the opponent has "3 " before its spec.
    path: weight file of the network. opponent: spec of a tactic, or START. start: weight file that START stands for.
    """
    is_alone = opponent.startswith("3 ")
    other = opponent[2:] if is_alone else opponent
    players = ["cnn:weights=%s" % path, "cnn:weights=%s" % start if other == START else other]
    return make_match([players[0]] + 3 * players[1:] if is_alone else players, seed=settings.seed,
                      rotations=settings.rotations)
