"""The command `ready`: how many hands get to a wait that may be declared, in duplicate matches, two seats against two.

A hand is counted as ready once it stands, after a discard, one tile short of a winning shape, and as ready for eight
fan once such a tile counts eight fan or more, by a discard or by self-draw alone; a tile of which no copy is left in
walls and other hands is no wait. What the win's circumstances add (last tile, kongs) is not counted before it comes.
Hands that win were ready for eight fan in any case.
"""

import argparse
import os
import shlex
import sys

import numpy as np
from tqdm import tqdm

from ..mahjong.errors import MahjongError
from ..mahjong.fan import MIN_FAN, count_fan
from ..mahjong.rules import SEATS
from ..mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from ..network.view import CHOW, CLAIM, PUNG
from .arena.provenance import digest_sources, find_commit
from .arena.schedule import make_match
from .arena.workers import run_tasks
from .tune.check import describe_interval
from .tune.command import refuse_unknown
from .tune.run_file import write_run

FORMAT = "mj_bot ready hands"
VERSION = 1
# Stages of a hand, each of which holds the ones after it.
STAGES = ("ready", "ready for eight fan", "ready for eight fan by a discard", "won")
_READY, _BY_SELF_DRAW, _BY_DISCARD, _WON = range(1, len(STAGES) + 1)
_PIECE_WALLS = 32
_ROTATIONS = 4


class Watch(object):
    """How far each hand of some games got; called with the engine after the deal and after every step.

    stages: int8[G, 4], by game and seat, the greatest number of STAGES (from 1) that the hand reached, 0 for none.
    """

    def __init__(self, game_count):
        self.stages = np.zeros((game_count, SEATS), np.int8)
        self._discards = np.zeros((game_count, SEATS), np.uint8)

    def __call__(self, engine):
        from .engine.shanten import least_batch  # numba takes a second to import
        finished = engine.finished[engine.finished["winner"] >= 0]
        self.stages[finished["game_id"], finished["winner"]] = _WON
        playing = np.unique(engine.owed["game"])
        games = engine.games[playing]
        numbers = games["game_id"]
        rows, seats = np.nonzero((games["river_count"] > self._discards[numbers]) &
                                 (self.stages[numbers] < _BY_DISCARD))
        self._discards[numbers] = games["river_count"]
        shanten, _ = least_batch(games["hand"][rows, seats], games["meld_count"][rows, seats])
        for row, seat in zip(rows[shanten == 0].tolist(), seats[shanten == 0].tolist()):
            number = numbers[row]
            self.stages[number, seat] = max(self.stages[number, seat], find_stage(games[row], seat))


def find_stage(game, seat):
    """How far a ready hand that stands is: _READY, _BY_SELF_DRAW or _BY_DISCARD. game: one GAME of games.py."""
    from .engine.shanten import least_batch, unpack_tiles
    from .engine.winning import fan_arguments
    counts = game["hand"][seat]
    _, useful = least_batch(counts[None], game["meld_count"][seat:seat + 1])
    # The hand as it would stand if a discard could be won on, so that no tile of it is the one drawn.
    asked = game.copy()
    asked["phase"] = CLAIM
    pack, hand, _, _, _, _, _, _, _, wind = fan_arguments(asked, seat)
    shown = game["shown"]
    stage = _READY
    for tile in np.flatnonzero(unpack_tiles(useful)[0] & (count_left(game, seat) > 0)).tolist():
        for is_self_drawn in (False, True):
            fan = count_fan(pack, hand, TILE_NAMES[tile], 0, is_self_drawn, bool(shown[tile] == COPIES - 1), False,
                            False, seat, wind)
            if fan >= MIN_FAN:
                stage = max(stage, _BY_SELF_DRAW if is_self_drawn else _BY_DISCARD)
    return stage


def count_left(game, seat):
    """Copies by kind in the walls and in the other hands, int[34]. game: one GAME of games.py."""
    left = COPIES - game["hand"][seat].astype(int)
    lying = game["river_tile"][(game["river_claimer"] == 0) & (game["river_tile"] < TILE_COUNT)]
    np.subtract.at(left, lying, 1)
    for owner in range(SEATS):
        for kind, tile, _, _, _ in game["meld"][owner, :game["meld_count"][owner]].tolist():
            if kind == CHOW:
                left[tile - 1:tile + 2] -= 1
            else:
                left[tile] -= 3 if kind == PUNG else COPIES
    return left


def play_piece(specs, seed, first, stop):
    """Hands by wall, player and stage reached, int[W, 2, 5]: stage 0 for none, then STAGES."""
    from .arena.engine_runner import play_walls
    match = make_match(list(specs), seed=seed, rotations=_ROTATIONS)
    seatings = np.array(match.seatings)
    watch = Watch((stop - first) * len(seatings))
    play_walls(match, first, stop, watch)
    stages = watch.stages.reshape(stop - first, len(seatings), SEATS)
    return [[[int((stages[wall][seatings == player] == stage).sum()) for stage in range(len(STAGES) + 1)]
             for player in range(2)] for wall in range(stop - first)]


def main(argv):
    """The command `ready`; returns its exit code."""
    options = _parse_arguments(argv)
    specs = [options.player, options.other]
    refuse_unknown(specs)
    pieces = [(specs, options.seed, first, min(first + _PIECE_WALLS, options.walls))
              for first in range(0, options.walls, _PIECE_WALLS)]
    found = {}
    with tqdm(total=options.walls, unit="wall", file=sys.stderr) as progress:
        for first, hands in run_tasks(_play_task, ((piece,) for piece in pieces), options.workers):
            found[first] = hands
            progress.update(len(hands))
    hands = np.array([wall for first in sorted(found) for wall in found[first]])
    rows = [describe(spec, hands[:, player]) for player, spec in enumerate(specs)]
    print(format_table(rows), end="")
    if options.json:
        command = ["python3", "-m", "mj_bot.lab", "ready", *specs, "--walls", str(options.walls), "--seed",
                   str(options.seed)]
        write_run(options.json, {
            "format": FORMAT, "version": VERSION, "command": shlex.join(command), "commits": find_commit(),
            "sources": digest_sources(specs), "walls": options.walls, "seed": options.seed, "players": rows})
        print("The table is saved as %s" % options.json, file=sys.stderr)
    return 0


def _play_task(piece):
    """(first wall, its hands)."""
    return piece[2], play_piece(*piece)


def describe(spec, hands):
    """A player's row as a dict for JSON: of all its hands the share that reached each stage, with its interval.

    hands: int[W, 5], by wall and the last stage reached. A hand that reached a stage reached those before it.
    """
    reached = hands[:, ::-1].cumsum(axis=1)[:, ::-1]
    shares = reached[:, 1:] / reached[:, :1]
    row = {"player": spec, "hands": int(hands.sum())}
    for stage, name in enumerate(STAGES):
        row[name] = describe_interval(shares[:, stage])
    ready = reached[:, _READY].sum()
    row["of the ready ones for eight fan"] = round(float(reached[:, _BY_SELF_DRAW].sum() / max(1, ready)), 4)
    return row


def format_table(rows):
    """The rows as a Markdown table."""
    lines = ["| player | %s | of the ready ones for eight fan |" % " | ".join(STAGES),
             "|%s" % ("---|" * (len(STAGES) + 2))]
    for row in rows:
        shares = ["%.1f%% (%.1f .. %.1f)" % tuple(100 * (row[name][key] or 0.0) for key in ("mean", "low", "high"))
                  for name in STAGES]
        lines.append("| %s | %s | %.1f%% |" % (
            row["player"], " | ".join(shares), 100 * row["of the ready ones for eight fan"]))
    return "\n".join(lines) + "\n"


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab ready", description=__doc__)
    parser.add_argument("player")
    parser.add_argument("other", help="the player in the two other seats")
    parser.add_argument("--walls", type=int, default=200, metavar="N", help="in four seatings each (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first wall (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the table")
    options = parser.parse_args(argv)
    if options.walls < 1 or options.workers < 1:
        parser.error("expected one wall and one worker or more, got %d and %d" % (options.walls, options.workers))
    if options.json and not os.path.isdir(os.path.dirname(options.json) or "."):
        raise MahjongError("expected a file in a folder that is there, got %r" % options.json)
    return options
