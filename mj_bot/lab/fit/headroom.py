"""The command `headroom`: what a search would gain by playing its nearly equal actions out.

At decisions of the search against itself, the candidates within a width are played out in worlds: the position with its
hidden tiles filled in by a belief, every candidate in the same worlds. A judge says what each candidate is really
worth: playouts with the true hands, whose walls alone are dealt anew, to the end of the game.

    true difference = a * difference of the points + b * difference of the playouts

is fitted by least squares to the judge's differences. Beside it b is fitted apart for candidates that the playouts call
better than the player's own choice, and worse: only the former can gain. A fit serves the decisions that it was not
made of (five parts), and a player that followed it would gain what the judge says of the candidates it chooses.

    FOLDER/settings.json   what the run was begun with
    FOLDER/critic.npz      what closes a playout that is cut off
    FOLDER/part-N.npz      decisions, with what the playouts and the judge say
"""

import argparse
import io
import os
import time
from typing import NamedTuple

import numpy as np

from ...mahjong.rules import SEATS
from ...observation.layout import AT, CLAIM, FULL_SIZE, WALL_DRAWS, field
from ..arena.verdict import mean_interval
from ..batch import load_batch
from ..engine import decode_positions
from ..playouts.critic import fit_critic, load_critic
from ..playouts.decisions import sample_decisions
from ..playouts.play import Playouts, read_player
from ..playouts.worlds import BELIEFS
from ..run.command import format_command, interruptible, parse_count, parse_seed
from ..run.files import begin_folder, check_folder_of, write_dict, write_whole
from ..run.progress import Progress
from ..run.workers import run_tasks

_CRITIC = "critic.npz"
# A part: games of self-play, the chance that one of their decisions is taken, and about how many these are.
_PART_GAMES, _SHARE, _PART_DECISIONS = 48, 1 / 32, 64
# Decisions are played out together, so that the engine is full.
_TOGETHER = 6
# The critic's games come from walls far from those of the decisions.
_CRITIC_SEED = 1 << 40
_CRITIC_GAMES = 60_000
# The table's first number of worlds, and the fewest decisions of a row.
_LEAST_WORLDS, _LEAST_DECISIONS = 16, 30
_FOLDS = 5
# Differences are weighed by what the judge's noise and the hands leave open: this is the latter, in points squared.
_OPEN = 12.0
# The table's parts: name, whether claims and discards are in it, tiles left in the walls. Each has a fit of its own.
_MOST_WALLS = 4 * WALL_DRAWS + 1
_PHASES = (("all", (False, True), 0, _MOST_WALLS), ("claims", (True,), 0, _MOST_WALLS),
           ("discards, 60 tiles or more", (False,), 60, _MOST_WALLS), ("discards, 40 to 59", (False,), 40, 60),
           ("discards, 39 or fewer", (False,), 0, 40))


class Job(NamedTuple):
    """What a part is played by."""

    folder: str
    playouts: str  # spec of the player in the playouts
    belief: str
    cut: int  # 0 for none
    worlds: int
    judge: int
    width: float
    candidates: int
    seed: int


class Measured(NamedTuple):
    """Decisions, a row each; NaN where there are fewer candidates."""

    points: np.ndarray  # float32[D, C], of the search
    walls: np.ndarray  # int16[D], tiles left in all walls
    is_claim: np.ndarray  # bool[D]
    played: np.ndarray  # float32[D, W, C], by the playouts
    judged: np.ndarray  # float32[D, J, C], by the judge
    near: np.ndarray  # int64[2]: near decisions and games of the part
    spent: np.ndarray  # float64[2]: playouts in the worlds, and their seconds


@interruptible("headroom")
def main(argv):
    """The command line; its exit code."""
    options = _parse_arguments(argv)
    read_player(options.playouts)
    if options.json:
        check_folder_of(options.json)
    settings = {name: getattr(options, name) for name in Job._fields[1:]}
    with begin_folder(options.output, settings):
        measured = run(Job(options.output, **settings), options.positions, options.workers)
    words = [word for name, value in dict(settings, positions=options.positions).items()
             for word in ("--" + name, value)]
    result = {"command": format_command("headroom", "--output", os.path.basename(options.output), *words),
              **describe(measured)}
    print(format_result(result))
    if options.json:
        write_dict(options.json, result)
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab headroom",
        description="Says what the search would gain by playing out the actions that it holds for nearly equal.",
        epilog="The same command goes on where it was broken off, also after a kill; with more --positions it goes on "
               "after the last one.")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    parser.add_argument("--positions", type=parse_count, default=2000, metavar="N",
                        help="about how many decisions, in whole parts (%(default)s)")
    parser.add_argument("--worlds", type=parse_count, default=128, metavar="N", help="of each decision (%(default)s)")
    parser.add_argument("--belief", choices=sorted(BELIEFS), default="even",
                        help="what the worlds know of the other hands (%(default)s)")
    parser.add_argument("--cut", type=int, default=0, metavar="N",
                        help="discards after which a critic that sees all hands closes a playout; 0 plays to the end "
                             "(%(default)s)")
    parser.add_argument("--playouts", default="search:correction=0,next_draw=0,least_chance=0.0001", metavar="PLAYER",
                        help="who plays in the playouts and for the judge (%(default)s)")
    parser.add_argument("--judge", type=parse_count, default=48, metavar="N",
                        help="the judge's playouts of each candidate (%(default)s)")
    parser.add_argument("--width", type=float, default=2.0, metavar="POINTS",
                        help="how far a candidate may be behind the best (%(default)s)")
    parser.add_argument("--candidates", type=parse_count, default=3, metavar="N",
                        help="candidates of a decision at most (%(default)s)")
    parser.add_argument("--seed", type=parse_seed, default=0, metavar="N",
                        help="of the walls and the worlds (%(default)s)")
    parser.add_argument("--workers", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the result to this file")
    options = parser.parse_args(argv)
    if options.candidates < 2:
        parser.error("expected two candidates or more, got %d" % options.candidates)
    if not options.width >= 0:
        parser.error("expected a width of 0 points or more, got %g" % options.width)
    if options.cut < 0:
        parser.error("expected 0 discards or more, got %d" % options.cut)
    return options


def run(job, positions, workers):
    """The Measured of all parts; those that stand in the folder are not played again."""
    with Progress(positions, unit=" decisions") as bar:
        path = os.path.join(job.folder, _CRITIC)
        if job.cut and not os.path.exists(path):
            bar.set_postfix_str("fitting the critic")
            critic, explained = fit_critic(load_batch(job.playouts), _CRITIC_SEED + job.seed, _CRITIC_GAMES)
            bar.write("The critic explains %.1f%% of the scores' variance" % (100 * explained))
            critic.save(path)
            bar.set_postfix_str("")
        found = _play_parts(job, range(-(-positions // _PART_DECISIONS)), workers, bar)
    return join(found)


def join(parts):
    """The Measured of several."""
    return Measured(*(np.sum(columns, 0) if name in ("near", "spent") else np.concatenate(columns)
                      for name, columns in zip(Measured._fields, zip(*parts))))


def _play_parts(job, numbers, workers, bar):
    paths = [os.path.join(job.folder, "part-%d.npz" % number) for number in numbers]
    owed = [(job, number, path) for number, path in zip(numbers, paths) if not os.path.exists(path)]
    bar.skip((len(paths) - len(owed)) * _PART_DECISIONS)
    if owed:
        for _ in run_tasks(_play_part, owed, min(workers, len(owed))):
            bar.update(_PART_DECISIONS)
    return [_read_part(path) for path in paths]


def _read_part(path):
    with np.load(path) as arrays:
        return Measured(**arrays)


def _play_part(job, number, path):
    """Plays a part and writes it."""
    first_seed = job.seed + number * _PART_GAMES
    playouts = Playouts(read_player(job.playouts))
    critic = load_critic(os.path.join(job.folder, _CRITIC)) if job.cut else None
    sample = sample_decisions(load_batch("search"), first_seed, _PART_GAMES, _SHARE, job.width, job.candidates)
    rng = np.random.default_rng([first_seed, number])
    measured = measure(job, sample, playouts, critic, rng)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **measured._asdict())
    write_whole(path, buffer.getvalue())


def measure(job, sample, playouts, critic, rng):
    """The Measured of a sample's decisions."""
    decisions = sample.decisions
    shape = (len(decisions), job.candidates)
    points = np.full(shape, np.nan, np.float32)
    played = np.full((len(decisions), job.worlds, job.candidates), np.nan, np.float32)
    judged = np.full((len(decisions), job.judge, job.candidates), np.nan, np.float32)
    count, seconds = 0, 0.0
    for first in range(0, len(decisions), _TOGETHER):
        together = decisions[first:first + _TOGETHER]
        start = time.perf_counter()
        parts = _play_worlds(together, BELIEFS[job.belief], job.worlds, playouts, rng, job.cut or None, critic)
        seconds += time.perf_counter() - start
        judges = _play_worlds(together, BELIEFS["true"], job.judge, playouts, rng)
        for row, (decision, part, judge) in enumerate(zip(together, parts, judges), first):
            points[row, :len(decision.points)] = decision.points
            played[row, :, :part.shape[1]] = part
            judged[row, :, :judge.shape[1]] = judge
            count += part.size
    full = np.array([decision.full for decision in decisions]).reshape(len(decisions), FULL_SIZE)
    walls = [field(row, "walls").sum(dtype=int) for row in full]
    is_claim = [row[AT.task] == CLAIM for row in full]
    return Measured(points, np.array(walls, np.int16), np.array(is_claim, bool), played, judged,
                    np.array([sample.near_count, sample.games]), np.array([count, seconds]))


def _play_worlds(decisions, deal, worlds, playouts, rng, cut=None, critic=None):
    """What the playouts of each decision bring: list of float[worlds, C]."""
    games, seats, actions = [], [], []
    for decision in decisions:
        dealt = decode_positions(np.stack([deal(decision.full, rng) for _ in range(worlds)]))
        games.append(np.repeat(dealt, len(decision.actions)))
        seats += [int(decision.full[AT.seat_wind])] * (worlds * len(decision.actions))
        actions += worlds * decision.actions.tolist()
    brought = playouts(np.concatenate(games), seats, actions, cut, critic)
    ends = np.cumsum([worlds * len(decision.actions) for decision in decisions])
    return [part.reshape(worlds, -1) for part in np.split(brought, ends[:-1])]


class Differences(NamedTuple):
    """Each decision's other candidates, less its first one; a row a candidate."""

    decision: np.ndarray  # int64[N]
    points: np.ndarray  # float64[N]
    played: np.ndarray  # float64[N], mean over the worlds
    noise: np.ndarray  # float64[N], variance of that mean
    judged: np.ndarray  # float64[N]
    weight: np.ndarray  # float64[N], of a row in the fit


def find_differences(measured, worlds):
    """The Differences of a Measured by its first worlds."""
    decision, other = np.nonzero(~np.isnan(measured.points[:, 1:]))
    played = measured.played[decision, :worlds, other + 1] - measured.played[decision, :worlds, 0]
    judged = measured.judged[decision, :, other + 1] - measured.judged[decision, :, 0]
    judge_noise = judged.var(1) / judged.shape[1]
    return Differences(decision, (measured.points[decision, other + 1] - measured.points[decision, 0]).astype(float),
                       played.mean(1, dtype=float), played.var(1) / worlds, judged.mean(1, dtype=float),
                       1 / (judge_noise + _OPEN))


class Fit(NamedTuple):
    """How far points and playouts say what the judge says."""

    a: float  # of the points
    b: float  # of the playouts
    a_error: float  # standard errors
    b_error: float
    sides: np.ndarray  # float64[2, 2]: b where the playouts call a candidate better than the first, worse; errors
    predicted: np.ndarray  # float64[D], of the candidates chosen, less the first ones
    gained: np.ndarray  # float64[D], the same by the judge
    changed: float  # share of the decisions


def fit_differences(differences, count):
    """The Fit of Differences of `count` decisions."""
    columns = np.stack([differences.points, differences.played], 1)
    fold = differences.decision % _FOLDS
    expected = np.zeros(len(columns))
    for number in range(_FOLDS):
        rows = fold != number
        expected[~rows] = columns[~rows] @ _solve(columns[rows], differences.judged[rows], differences.weight[rows],
                                                  differences.decision[rows])[0]
    (a, b), errors = _solve(columns, differences.judged, differences.weight, differences.decision)
    better, worse = np.maximum(differences.played, 0), np.minimum(differences.played, 0)
    sides = _solve(np.stack([differences.points, better, worse], 1), differences.judged, differences.weight,
                   differences.decision)
    best = np.full(count, -1)
    for row, decision in enumerate(differences.decision):
        if expected[row] > (expected[best[decision]] if best[decision] >= 0 else 0.0):
            best[decision] = row
    is_changed = best >= 0
    return Fit(a, b, *errors, np.stack(sides)[:, 1:], np.where(is_changed, expected[best], 0.0),
               np.where(is_changed, differences.judged[best], 0.0), float(is_changed.mean()))


def _solve(columns, targets, weights, decisions):
    """(coefficients, standard errors), float64[C] each. The errors hold whatever the spread of the rows is, and however
    those of one decision hang together (Liang and Zeger 1986).
    """
    inverse = np.linalg.inv((columns * weights[:, None]).T @ columns)
    found = inverse @ (columns * weights[:, None]).T @ targets
    moved = np.zeros((decisions.max(initial=0) + 1, columns.shape[1]))
    np.add.at(moved, decisions, columns * (weights * (targets - columns @ found))[:, None])
    return found, np.sqrt(np.diag(inverse @ (moved.T @ moved) @ inverse))


def describe(measured):
    """What came out, for JSON: a row for each phase and for 16, 32, ... worlds."""
    near = measured.near[0] / (SEATS * measured.near[1])
    rows, worlds = [], min(_LEAST_WORLDS, measured.played.shape[1])
    while worlds <= measured.played.shape[1]:
        rows += _describe_phases(measured, worlds, near)
        worlds *= 2
    return {"decisions": len(measured.points), "near_decisions_a_game": round(float(near), 2),
            "playouts_a_second": round(float(measured.spent[0] / measured.spent[1]), 1), "rows": rows}


def _describe_phases(measured, worlds, near):
    for name, kinds, least, most in _PHASES:
        rows = np.flatnonzero(np.isin(measured.is_claim, kinds) & (measured.walls >= least) & (measured.walls < most))
        if len(rows) < _LEAST_DECISIONS:
            continue
        part = Measured(*(column if field_name in ("near", "spent") else column[rows]
                          for field_name, column in zip(Measured._fields, measured)))
        differences = find_differences(part, worlds)
        found = fit_differences(differences, len(rows))
        # A decision stands for so many of a seat in a game.
        scale = near * len(rows) / len(measured.points)
        gain = mean_interval(found.gained)
        yield {"phase": name, "worlds": worlds, "decisions": len(rows),
               "spread_a_world": round(float(np.sqrt(differences.noise.mean() * worlds)), 2),
               "a": round(found.a, 3), "a_error": round(found.a_error, 3), "b": round(found.b, 3),
               "b_error": round(found.b_error, 3), "b_better": found.sides[:, 0].round(3).tolist(),
               "b_worse": found.sides[:, 1].round(3).tolist(), "changed": round(found.changed, 3),
               "predicted_a_game": round(scale * float(found.predicted.mean()), 3),
               "gained_a_game": [round(scale * float(value), 3) for value in gain]}


def format_result(result):
    """The table as text."""
    lines = ["%d decisions, %.1f of a seat in a game; %.0f playouts a second" % (
        result["decisions"], result["near_decisions_a_game"], result["playouts_a_second"]), "",
        "%-26s %6s %9s %7s %14s %14s %14s %14s %8s %10s %s" % (
            "phase", "worlds", "decisions", "spread", "a", "b", "b if better", "b if worse", "changed", "predicted",
            "gained a game, 95%")]
    for row in result["rows"]:
        fitted = [row["a"], row["a_error"], row["b"], row["b_error"], *row["b_better"], *row["b_worse"]]
        lines.append("%-26s %6d %9d %7.1f%s %7.0f%% %+10.2f %+.2f (%+.2f .. %+.2f)" % (
            row["phase"], row["worlds"], row["decisions"], row["spread_a_world"],
            " %6.2f +- %4.2f" * 4 % tuple(fitted), 100 * row["changed"], row["predicted_a_game"],
            *row["gained_a_game"]))
    return "\n".join(lines)
