"""How strong the saved networks of a run are: duplicate matches on fixed walls that training never sees.

FOLDER/strength.json keeps the results. A match of the same players and code is not played again.
"""

from pathlib import Path

import numpy as np
from ...mahjong.errors import MahjongError
from ...network.weights import read_stored
from ...tactic import read_weight_file
from ..arena.columns import describe_player
from ..arena.run_match import PlayedWalls
from ..arena.fingerprint import digest_players
from ..arena.schedule import make_match
from ..arena.tally import add_up
from ..arena.verdict import mean_interval
from ..run.files import format_json, read_json, write_whole
from ..run.progress import Progress
from .self_play_loop import WEIGHTS

STRENGTH = "strength.json"
START = "start"
# Columns of the arena, by the names that STRENGTH has for them.
_RATES = {"wins": "win_rate", "deal_ins": "deal_in_rate", "draws": "draw_rate", "claims": "claims_a_game",
          "fan": "mean_fan"}


def list_networks(folder):
    """Paths of the networks that a run saved, the first one first. Raises MahjongError: there are none."""
    files = sorted((Path(folder) / WEIGHTS).glob("*.npz"))
    if not files:
        raise MahjongError("expected saved networks in %s, got none" % (Path(folder) / WEIGHTS))
    return files


def measure_run(folder, settings, every=1):
    """Plays each saved network against each opponent, writes the dicts to STRENGTH and returns a list of them.

    settings: config.Strength. every: of the saved networks each N-th, counted from the last.
    Raises MahjongError: the run saved none.
    """
    folder, files = Path(folder), list_networks(folder)
    start = files[0]
    path = folder / STRENGTH
    known, measured = read_json(path) if path.exists() else [], []
    if not isinstance(known, list) or not all(isinstance(found, dict) for found in known):
        raise MahjongError("expected a list of matches in %s, got %.80r" % (path, known))
    tasks = [(path, opponent) for path in sorted(files[::-1][::every]) for opponent in settings.opponents
             if not (path == start and opponent.endswith(START))]
    bar = Progress(len(tasks), " matches", name="rl strength")
    for weights, opponent in tasks:
        match = make_strength_match(str(weights), opponent, str(start), settings=settings)
        asked = {"games": int(weights.stem), "opponent": opponent, "seed": settings.seed, "walls": settings.walls,
                 "rotations": settings.rotations, "sources": digest_players(match.specs)}
        found = next((found for found in known if asked.items() <= found.items()), None)
        if found is None:
            card, _ = read_stored(read_weight_file(str(weights)), str(weights))
            found = dict(asked, **{name: card[name] for name in ("minutes", "device", "commit")},
                         **measure(match, settings.walls))
            known.append(found)
            write_whole(path, "[\n%s\n]\n" % ",\n".join(map(format_json, known)))
            bar.update()
        else:
            bar.skip(1)
        measured.append(found)
    bar.close()
    return measured


def measure(match, wall_count):
    """The first player's match as a dict: points a game with the interval, rates of wins, deal-ins, draws and claims,
    mean fan, and `scores`, points a game at each wall."""
    with PlayedWalls(match) as played:
        list(played.play([match.specs], 0, wall_count))
    walls = [played.done[match.specs][wall] for wall in range(wall_count)]
    scores = [wall[0].score / match.seats_a_wall[0] for wall in walls]
    mean, low, high = mean_interval(np.array(scores))
    figures = describe_player(add_up(walls)[0])
    low, high = np.nan_to_num((low, high), nan=mean).tolist()  # no interval where all walls are equal
    return {"points": mean, "low": low, "high": high, **{name: figures[key] or 0.0 for name, key in _RATES.items()},
            "scores": [round(score, 4) for score in scores]}


def make_strength_match(path, opponent, start, *, settings):
    """The Match of a network. path, start: weight files. opponent: a tactic's spec or START; settings: config.Strength.

    The network has two of the four seats; with "3 " before the spec it has one.
    """
    is_alone = opponent.startswith("3 ")
    other = opponent[2:] if is_alone else opponent
    players = ["cnn:weights=%s" % path, "cnn:weights=%s" % start if other == START else other]
    return make_match([players[0]] + 3 * players[1:] if is_alone else players, seed=settings.seed,
                      rotations=settings.rotations)
