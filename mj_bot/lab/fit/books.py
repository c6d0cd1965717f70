"""Compares what players lose by the one value with what they score: do the books of a review balance?

One seat of a player sits against three `cnn`. Each of its decisions is judged as a review judges it (joint_value.py),
and its losses add up. If the values of actions are those of going on as the judges would, then the expected sum of the
losses is exactly what the player scores less than the judges in its seat.
Source: S. Kakade, J. Langford, Approximately optimal approximate reinforcement learning, ICML 2002: the performance
    difference lemma.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ...mahjong.action import PASS_INDEX, WIN_INDEX
from ...mahjong.rules import SEATS
from ..engine import Engine, seed_source
from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import WorkerPool
from ..table.choosers import load_chooser, load_valuer
from .draws import find_ready, list_starts
from .joint_value import VERDICT, compute_accuracy, expect_loss, name_group
from .verdict_fit import FITTED_JUDGES, measure_gaps

_BLOCK_GAMES = 256
_RUN_TYPE, _RUN_VERSION = "books", 1
_BLOCK_NAME, _MOST_BLOCK_BYTES = "books-%06d.npz", 1 << 24


class Choices(NamedTuple):
    """Keeps N decisions of a player in G games, with S actions: the taken one, and all that may be the best one.

    An action that is worse than another one by both judges is the best one for no weights.
    """

    score: np.ndarray  # float32[G], of the player in each game
    game: np.ndarray  # int32[N], index of the game
    is_claim: np.ndarray  # bool[N], whether the seat may pass
    is_ready: np.ndarray  # bool[N], whether the hand was ready before the action
    size: np.ndarray  # int16[N], number of actions; the taken one is the first
    points: np.ndarray  # float32[S], by the first of FITTED_JUDGES
    others: np.ndarray  # float32[S], by the second one


# {field of Choices: (type, shape)}, of the files of a run.
_FIELDS = {name: (kind, (None,)) for name, kind in (
    ("score", "f4"), ("game", "i4"), ("is_claim", "b1"), ("is_ready", "b1"), ("size", "i2"), ("points", "f4"),
    ("others", "f4"))}


def measure_books(player: str, games: int, *, folder: str, seed: int, workers: int) -> dict:
    """Plays games of one seat of a player, and returns a dict for JSON.

    "games", "decisions" a game; "score" and "loss" a game and "ratio" of the loss to the lost score, each [mean, low,
    high]; "difference": the loss a game without the optimizer's curse taken off; "accuracy" of a review; "groups":
    {group of joint_value.DECISION_GROUPS: loss a game}. The intervals are of 95%.
    player: spec. games: number of games, rounded up to whole blocks. folder: folder of the run. seed: seed of the
    walls. workers: number of processes.
    Raises UnknownTacticError: the engine cannot play the player. ProtocolError: the folder contains a run of other
        settings.
    """
    load_chooser(player)  # This refuses a player before any game is played.
    count, settings = -(-games // _BLOCK_GAMES), {"player": player, "seed": seed}
    with RunFolder(folder, _RUN_TYPE, _RUN_VERSION, settings=settings) as kept, \
            WorkerPool(partial(_play_numbered, player, seed), workers) as pool, \
            Progress(count * _BLOCK_GAMES, name="fit books %s" % player) as bar:
        pending = [(block,) for block in range(count) if not kept.has(_BLOCK_NAME % block)]
        bar.skip((count - len(pending)) * _BLOCK_GAMES)
        for block, choices in pool.run_tasks(pending):
            kept.write_arrays(_BLOCK_NAME % block, choices._asdict())
            bar.update(_BLOCK_GAMES)
        blocks = [Choices(**kept.read_arrays(_BLOCK_NAME % block, _MOST_BLOCK_BYTES, _FIELDS))
                  for block in range(count)]
    return sum_up(join_choices(blocks))


def _play_numbered(player, seed, block):
    return block, play_books(player, block, games=_BLOCK_GAMES, seed=seed)


def play_books(player: str, index: int, *, games: int, seed: int) -> Choices:
    """Plays games, and returns the decisions of the player without those in which it may win.

    player: spec; it sits at seat 0 of the first game, 1 of the second, and so on. index: index of the block.
    games: number of games of the block. seed: seed that together with the index determines the walls.
    """
    choose, value, ask = load_chooser(player), *map(load_valuer, FITTED_JUDGES)
    engine = Engine(games, seed_source((seed << 32) + index * _BLOCK_GAMES, games))
    engine.reset()
    score, parts = np.zeros(games, np.float32), []
    while len(engine.pending):
        observations, masks = engine.observations(), engine.mask()
        game_ids = engine.games["game_id"][engine.pending["game"]]
        actions, points = value(observations, masks)
        own = np.flatnonzero(engine.pending["seat"] == game_ids % SEATS)
        if len(own):
            actions[own] = choose(observations[own], masks[own])
        # Every player wins where it can; there is no loss to judge.
        judged = own[(masks[own].sum(1) > 1) & ~masks[own, WIN_INDEX]]
        if len(judged):
            observations, masks = observations[judged], masks[judged]
            points = np.stack([points[judged], ask(observations, masks)[1]])
            taken = actions[judged]
            size, kept = _keep_best(points, masks, taken)
            parts.append((game_ids[judged], masks[:, PASS_INDEX], find_ready(observations), size, *kept))
        engine.step(actions)
        ended = engine.finished["game_id"]
        score[ended] = engine.finished["score"][np.arange(len(ended)), ended % SEATS]
    columns = map(np.concatenate, zip(*parts))
    return Choices(score, *(column.astype("f4" if column.dtype.kind == "f" else "i4" if column.dtype == "i8" else
                                          column.dtype) for column in columns))


def _keep_best(points, masks, taken):
    """Returns (number of kept actions of each decision, their points by both judges), the taken action first.

    points: float[2, N, 235]. masks: bool[N, 235]. taken: int[N], the actions of the player.
    """
    sizes, kept = [], []
    for row, action in enumerate(taken):
        legal = np.flatnonzero(masks[row])
        of_legal = points[:, row, legal]
        first = points[:, row, [action]]
        # From the highest points of the first judge on, an action must have more of the second than all before.
        ordered = of_legal[:, np.lexsort((-of_legal[1], -of_legal[0]))]
        highest = np.maximum.accumulate(ordered[1])
        is_best = np.concatenate([[True], ordered[1, 1:] > highest[:-1]])
        sizes.append(1 + is_best.sum())
        kept += [first, ordered[:, is_best]]
    return np.array(sizes, np.int16), np.concatenate(kept, axis=1)


def join_choices(blocks: list[Choices]) -> Choices:
    """Returns the decisions of several blocks of games."""
    firsts = np.cumsum([0] + [len(block.score) for block in blocks])
    blocks = [block._replace(game=block.game + first) for block, first in zip(blocks, firsts)]
    return Choices(*map(np.concatenate, zip(*blocks)))


def sum_up(choices: Choices) -> dict:
    """Returns the value of measure_books."""
    gaps, error = measure_gaps(choices, VERDICT["weights"], VERDICT["common_error"])
    taken = list_starts(choices.size)
    losses = expect_loss(gaps, error)[taken]
    score, games = choices.score.astype(float), len(choices.score)
    loss = np.bincount(choices.game, losses, games)
    ratio = -loss.mean() / score.mean()
    # The interval of a ratio of two means by the delta method; both are of the same games.
    spread = 1.96 * np.std(loss + ratio * score) / abs(score.mean()) / games ** 0.5
    return {"games": games, "decisions": round(len(losses) / games, 2), "score": _measure(score),
            "loss": _measure(loss),
            "ratio": [round(float(value), 3) for value in (ratio, ratio - spread, ratio + spread)],
            "difference": round(float(gaps[taken].sum() / games), 3), "accuracy": compute_accuracy(losses.mean()),
            "groups": {name_group(is_claim, is_ready): round(float(losses[
                (choices.is_claim == is_claim) & (choices.is_ready == is_ready)].sum() / games), 3)
                for is_claim in (False, True) for is_ready in (False, True)}}


def _measure(values):
    """Returns [mean, low, high] of some values, with the interval of 95%."""
    mean, error = values.mean(), 1.96 * values.std() / len(values) ** 0.5
    return [round(float(value), 3) for value in (mean, mean - error, mean + error)]


def format_books(books: dict[str, dict]) -> str:
    """Returns the table of some players as text. books: {player: value of measure_books}."""
    lines = ["%-24s %7s  %-24s %-24s %-22s %8s" % (
        "player", "games", "points a game", "sum of losses", "ratio", "accuracy")]
    for player, row in books.items():
        lines.append("%-24s %7d  %-24s %-24s %-22s %7.1f%%" % (
            player, row["games"], *("%.2f (%.2f .. %.2f)" % tuple(row[name]) for name in ("score", "loss", "ratio")),
            100 * row["accuracy"]))
    return "\n".join(lines)
