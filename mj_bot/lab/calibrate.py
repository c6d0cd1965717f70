"""The command `calibrate`: plays the search against itself and fits mj_bot/reach/calibration.py to what happens."""

import argparse
import json
import sys
from collections import namedtuple

import numpy as np
from tqdm import tqdm

from ..mahjong.fan import MIN_FAN, count_fan
from ..mahjong.rules import is_fourth_tile, is_last_tile
from ..mahjong.tile import TILE_NAMES, list_tiles
from ..network.view import (
    ADDED_KONG, CHOW, CONCEALED_KONG, FOLLOW, NONE, OPEN_KONG, PUNG, TURN, VIEW_SIZE, WALL_DRAWS, field,
)
from ..reach.danger import FEATURES, OPPONENTS, list_features
from ..reach.parameters import PARAMETERS
from .engine import Engine, seed_source
from .engine.shanten import least_batch, unpack_tiles
from .reach.choose import Chooser

_WIDTH = 256
_TEST_SHARE = 0.3
_OFFSETS = (0.1, 0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0)
_PACK_TYPES = {CHOW: "CHI", PUNG: "PENG", OPEN_KONG: "GANG", ADDED_KONG: "GANG", CONCEALED_KONG: "GANG"}


# What games showed. features float32[K, F], fans int16[K], games int64[K]: a row for each opponent and tile kind in
# hand at each discard; fans of the opponent's hand on that tile, 0 where it has none. worths, walls_left, scores
# float64[D], decisions int64[D]: a row for each discard: worth of the hand after it, the game's score, its number.
Sample = namedtuple("Sample", "features fans games worths walls_left scores decisions")


def collect(parameters, games, seed, progress=None):
    """The Sample of games of the search against itself, at walls from `seed` on.

    parameters: reach.parameters.Parameters. progress: a tqdm bar or None.
    """
    chooser = Chooser(parameters)
    engine = Engine(min(_WIDTH, games), seed_source(seed, games))
    engine.reset()
    parts, decisions = [], []
    scores = np.zeros((games, 4))
    while len(engine.owed):
        views, masks = engine.views(full=True), engine.mask()
        numbers = engine.games["game_id"][engine.owed["game"]]
        own = np.ascontiguousarray(views[:, :VIEW_SIZE])
        actions = chooser.choose(own, masks)
        rows = np.flatnonzero(np.isin(field(views, "task")[:, 0], (TURN, FOLLOW)) & ~np.isnan(chooser.worths))
        if len(rows):
            parts.append(_label(views[rows], numbers[rows]))
            walls_left = field(views[rows], "walls").sum(axis=1, dtype=float)
            decisions.append((chooser.worths[rows], walls_left, engine.owed["seat"][rows].astype(int), numbers[rows]))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
        if progress is not None:
            progress.update(len(engine.finished))
    features, fans, row_games = (np.concatenate(columns) for columns in zip(*parts))
    worths, walls_left, seats, row_decisions = (np.concatenate(columns) for columns in zip(*decisions))
    return Sample(features, fans, row_games, worths, walls_left, scores[row_decisions, seats], row_decisions)


def _label(views, numbers):
    """(features, fans, games) of some decisions, rows as in Sample; views: full ones."""
    held = field(views, "hand") > 0
    fans = np.zeros((len(views), OPPONENTS, held.shape[1]), np.int16)
    hands, kinds = field(views, "hands"), field(views, "meld_kind")
    for opponent in range(OPPONENTS):
        counts = np.ascontiguousarray(hands[:, opponent])
        shanten, useful = least_batch(counts, (kinds[:, opponent + 1] > 0).sum(axis=1).astype(np.uint8))
        for row, tile in np.argwhere(unpack_tiles(useful) & (shanten == 0)[:, None] & held):
            fans[row, opponent, tile] = _count(views[row], opponent + 1, counts[row], tile)
    chosen = np.broadcast_to(held[:, None], fans.shape)
    games = np.broadcast_to(numbers[:, None, None], fans.shape)
    features = list_features(views[:, :VIEW_SIZE])[chosen].astype(np.float32)
    return features, fans[chosen], games[chosen]


def _count(view, offset, counts, tile):
    """Fans that the seat at `offset` counts if the viewer discards `tile` now."""
    me = int(field(view, "seat_wind")[0])
    seat = (me + offset) % 4
    pack = []
    for place in range(4):
        kind = int(field(view, "meld_kind")[offset, place])
        if not kind:
            continue
        middle = int(field(view, "meld_tile")[offset, place])
        if middle == NONE:
            middle = int(field(view, "kong_tile")[offset - 1, place])
        claimed, giver = (int(field(view, name)[offset, place]) for name in ("meld_claimed", "meld_giver"))
        offer = claimed - middle + 2 if kind == CHOW else (giver - offset) % 4
        pack.append((_PACK_TYPES[kind], TILE_NAMES[middle], offer))
    walls = np.roll(field(view, "walls"), me)
    return count_fan(tuple(pack), tuple(list_tiles(counts)), TILE_NAMES[tile], 0, False,
                     is_fourth_tile(_shown(view), tile), False, is_last_tile(walls, me), seat,
                     int(field(view, "prevalent_wind")[0]))


def _shown(view):
    """Copies by kind as rules.is_fourth_tile takes them."""
    shown = np.zeros(NONE + 1, np.int64)
    tiles, claimers = field(view, "river_tile"), field(view, "river_claimer")
    np.add.at(shown, tiles[(tiles < NONE) & (claimers == 0)], 1)
    for kind, tile in zip(field(view, "meld_kind").ravel(), field(view, "meld_tile").ravel()):
        if kind == CHOW:
            shown[tile - 1:tile + 2] += 1
        elif kind == PUNG:
            shown[tile] += 3
        elif kind in (OPEN_KONG, ADDED_KONG):
            shown[tile] = 4
    return shown


def fit(features, is_won, ridge=1.0, steps=50):
    """Weights float64[F] of the logistic model, by Newton's method with a ridge penalty."""
    features = features.astype(np.float64)
    weights = np.zeros(features.shape[1])
    penalty = ridge * np.eye(len(weights))
    for _ in range(steps):
        chances = predict(features, weights)
        slope = features.T @ (is_won - chances) - ridge * weights
        curve = (features * (chances * (1 - chances))[:, None]).T @ features + penalty
        step = np.clip(np.linalg.solve(curve, slope), -3, 3)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def predict(features, weights):
    """Chances float64[K] of rows of features."""
    return 1 / (1 + np.exp(-(features @ weights)))


def reliability(chances, is_won, bins=10):
    """Reliability curve: list of (mean predicted, observed, rows), from the safest tenth to the most dangerous."""
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, bins)
    return [(float(chances[part].mean()), float(is_won[part].mean()), len(part)) for part in parts]


def log_loss(chances, is_won):
    """Mean negative log likelihood."""
    return float(-np.where(is_won, np.log(chances), np.log1p(-chances)).mean())


def fit_outlook(worths, walls_left, scores, offset):
    """(squared error, weights float64[4]) of outlook.expect_points, by least squares."""
    level, walls = np.log(worths + offset), walls_left / (4 * WALL_DRAWS)
    columns = np.stack([np.ones_like(level), level, walls, level * walls], axis=1)
    weights = np.linalg.lstsq(columns, scores, rcond=None)[0]
    return float(((scores - columns @ weights) ** 2).mean()), weights


def main(argv):
    """The command line; exit code 0."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab calibrate", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="of self-play (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first wall (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the fitted numbers to this file")
    options = parser.parse_args(argv)
    with tqdm(total=options.games, unit="game", file=sys.stderr) as progress:
        # Without danger the play does not depend on what is fitted here, and the same command gives the same numbers.
        sample = collect(PARAMETERS._replace(danger=0.0), options.games, options.seed, progress)
    danger = _calibrate_danger(sample, options.games)
    outlook = _calibrate_outlook(sample)
    if options.json:
        command = "python3 -m mj_bot.lab calibrate --games %d --seed %d" % (options.games, options.seed)
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"command": command, "danger": danger, "outlook": outlook}, file, indent=1)
            file.write("\n")
    return 0


def _calibrate_danger(sample, games):
    """Fits on the first games, prints how well the rest is told, returns what there is to keep."""
    is_won = sample.fans >= MIN_FAN
    is_test = sample.games >= games * (1 - _TEST_SHARE)
    weights = fit(sample.features[~is_test], is_won[~is_test])
    chances = predict(sample.features[is_test].astype(np.float64), weights)
    base = np.full(len(chances), is_won[~is_test].mean())
    curve = reliability(chances, is_won[is_test])
    loss, constant = log_loss(chances, is_won[is_test]), log_loss(base, is_won[is_test])
    print("danger: %d rows of %d games, %.3f%% won on, %.1f fan; tested on games that were not fitted" % (
        len(is_won), games, 100 * is_won.mean(), sample.fans[is_won].mean()))
    print("log loss %.5f, of a constant %.5f" % (loss, constant))
    print("predicted  observed  rows")
    for predicted, observed, rows in curve:
        print("%8.3f%%  %7.3f%%  %d" % (100 * predicted, 100 * observed, rows))
    for name, weight in zip(FEATURES, weights):
        print("%-26s %+.4f" % (name, weight))
    return {"features": FEATURES, "weights": weights.tolist(), "reliability": curve, "log_loss": loss,
            "log_loss_of_a_constant": constant, "mean_fan": float(sample.fans[is_won].mean())}


def _calibrate_outlook(sample):
    fits = [(fit_outlook(sample.worths, sample.walls_left, sample.scores, offset), offset) for offset in _OFFSETS]
    (error, weights), offset = min(fits, key=lambda entry: entry[0][0])
    print("outlook: offset %.1f, weights %s, squared error %.1f of %.1f" % (
        offset, " ".join("%.3f" % weight for weight in weights), error, sample.scores.var()))
    return {"offset": offset, "weights": weights.tolist(), "squared_error": error,
            "variance": float(sample.scores.var())}
