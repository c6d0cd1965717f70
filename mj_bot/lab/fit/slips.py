"""The command `slips`: what wrong actions cost in play, compared with what a tactic says that they cost.

The tactic plays itself, and now and then an action is drawn at random instead. The draw does not depend on what comes
later, so the points of the game are an unbiased measure of the action. They are regressed on the points that the tactic
gives to the action, less the mean over all actions that could have been drawn. A slope of 1 means that the differences
of the tactic's points are true; at 0.5 they are twice what they should be.
"""

import argparse
import os
from functools import partial

import numpy as np

from ...mahjong.action import (
    ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
)
from ...mahjong.errors import UnknownTacticError
from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...observation.layout import field
from ..engine import Engine, seed_source
from ..run.command import format_command, interruptible, parse_count, parse_seed
from ..run.files import check_folder_of, write_json
from ..run.progress import Progress, announce
from ..run.workers import run_in_order
from ..table.choosers import load_chooser
from ..table.players import make_tactic

_NOT_KEPT = "its games are not kept"
_PART_GAMES, _TRIAL_GAMES = 1024, 256
# Of the decisions with a choice: shares with a drawn action. Claims are rarer and of more kinds.
_TURN_SHARE, _CLAIM_SHARE = 1 / 16, 1 / 4
# A drawn action is with equal chance the tactic's own, one of its best three, or any legal one.
_NEAR = 3
# A decision is of the first kind of which an action is legal. Rows by the kind of the drawn action would be biased: the
# mean over the draw is subtracted, so a row needs all actions of a draw.
_STARTS = {"kong": (OPEN_KONG_BASE, PUNG_BASE), "pung": (PUNG_BASE, CHOW_BASE), "chow": (CHOW_BASE, ACTION_COUNT),
           "discard": (DISCARD_BASE, OPEN_KONG_BASE)}
KINDS = tuple(_STARTS)


@interruptible("slips", _NOT_KEPT)
def main(argv):
    """The command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="mj-bot slips",
        description="A tactic plays itself, and some actions are drawn at random. What they cost is compared with "
                    "what the tactic says: a slope of 1 means that its points are true.")
    parser.add_argument("tactic", metavar="TACTIC", help="one whose choose gives points, such as search or cnn")
    parser.add_argument("--games", type=parse_count, default=20_000, metavar="N", help="in all (%(default)s)")
    parser.add_argument("--seed", type=parse_seed, default=0, metavar="N", help="of walls and draws (%(default)s)")
    parser.add_argument("--workers", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the table to this file")
    options = parser.parse_args(argv)
    if options.json:
        check_folder_of(options.json)
    if getattr(make_tactic(options.tactic), "value_unit", "") != "points":
        raise UnknownTacticError("expected a tactic whose choose gives points, got %r" % options.tactic)
    count = -(-options.games // _PART_GAMES)
    play = partial(play_part, options.tactic, options.seed)

    def try_play():
        play(count, games=_TRIAL_GAMES)
        return _TRIAL_GAMES

    rate = announce("slips", count * _PART_GAMES, try_play, workers=options.workers, hint=_NOT_KEPT)
    parts = []
    with Progress(count * _PART_GAMES, rate=rate) as bar:
        for part in run_in_order(play, ((number,) for number in range(count)), options.workers):
            parts.append(part)
            bar.update(_PART_GAMES)
    result = {"command": format_command("slips", options.tactic, "--games", options.games, "--seed", options.seed),
              "rows": compare(*map(np.concatenate, zip(*parts)))}
    print("%-20s %9s  %9s  %s" % ("decision", "drawn", "said, sd", "slope (95%)"))
    for row in result["rows"]:
        print("%-20s %9d  %9.2f  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], row["said"], *row["slope"]))
    if options.json:
        write_json(options.json, result)
    return 0


def play_part(spec, seed, number, games=_PART_GAMES):
    """The drawn actions of some games: (kinds int8[N], is_ready bool[N], said float32[N], brought float32[N]).

    kinds: of the decisions, places in KINDS. is_ready: of the hand before the action. said: the tactic's points of the
    action, less their mean over the draw. brought: the seat's points of the game, less the tactic's points of its own
    action.
    number: of the part, which with the seed decides walls and draws.
    """
    choose, random = load_chooser(spec), np.random.default_rng([seed, number])
    engine = Engine(games, seed_source((seed << 32) + number * _PART_GAMES, games))
    engine.reset()
    columns, places = [], []
    scores = np.zeros((games, SEATS), np.int16)
    while len(engine.pending):
        observations, masks = engine.observations(), engine.mask()
        points = np.full(masks.shape, -np.inf)
        actions = choose(observations, masks, points=points)
        share = np.where(masks[:, PASS_INDEX], _CLAIM_SHARE, _TURN_SHARE)
        rows = np.flatnonzero((masks.sum(1) > 1) & ~masks[:, WIN_INDEX] & (random.random(len(masks)) < share))
        if len(rows):
            points = np.where(masks[rows], points[rows], -np.inf)
            chances = _spread(points, actions[rows])
            drawn = (chances.cumsum(1) < random.random((len(rows), 1))).sum(1).clip(max=masks.shape[1] - 1)
            said = np.where(np.isfinite(points), points, 0)
            mean, own = (chances * said).sum(1), said[np.arange(len(rows)), actions[rows]]
            legal = [masks[rows, start:end].any(1) for start, end in _STARTS.values()]
            columns.append((np.argmax(legal, axis=0), _is_ready(observations[rows]),
                            said[np.arange(len(rows)), drawn] - mean, own))
            places.append((engine.games["game_id"][engine.pending["game"][rows]], engine.pending["seat"][rows]))
            actions[rows] = drawn
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    kinds, is_ready, said, own = map(np.concatenate, zip(*columns))
    return kinds, is_ready, said.astype(np.float32), (scores[tuple(map(np.concatenate, zip(*places)))] - own).astype(
        np.float32)


def _spread(points, own):
    """Chances of each action to be drawn, float[N, 235]. points: -inf where illegal. own: int[N], the tactic's."""
    is_legal = np.isfinite(points)
    near = is_legal & (points >= np.sort(points, 1)[:, -_NEAR, None])
    is_own = np.arange(points.shape[1]) == own[:, None]
    return np.mean([part / part.sum(1, keepdims=True) for part in (is_own, near, is_legal)], axis=0)


def _is_ready(observations):
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    return least_batch(np.ascontiguousarray(field(observations, "hand")), melds)[0] <= 0


def compare(kinds, is_ready, said, brought):
    """Rows of the table, {"name", "drawn", "said", "slope": [slope, low, high]}; arguments as play_part returns them.

    said: standard deviation of the tactic's differences, in points. The intervals are of 95%.
    """
    rows = []
    for name, chosen in [("all", np.ones(len(kinds), bool)), ("ready", is_ready), ("not ready", ~is_ready)] + [
            (kind + suffix, (kinds == number) & of) for number, kind in enumerate(KINDS)
            for suffix, of in ((", ready", is_ready), (", not ready", ~is_ready))]:
        x, y = said[chosen].astype(float), brought[chosen].astype(float)
        if len(x) > 1 and x.any():
            slope = (x * y).sum() / (x * x).sum()
            error = 1.96 * np.sqrt((x * x * (y - slope * x) ** 2).sum()) / (x * x).sum()
            rows.append({"name": name, "drawn": len(x), "said": round(float(x.std()), 3),
                         "slope": [round(float(value), 3) for value in (slope, slope - error, slope + error)]})
    return rows
