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
from ..table.choosers import load_chooser, load_valuer
from .blocks import BLOCK_GAMES, play_blocks
from .draws import find_ready, list_starts
from .joint_value import DECISION_GROUPS, VERDICT, compute_accuracy, expect_loss
from .verdict_fit import FITTED_JUDGES, measure_gaps


class Books(NamedTuple):
    """Keeps what a player scores and loses in G games."""

    score: np.ndarray  # float32[G]
    decisions: np.ndarray  # float32[G], number of judged decisions
    loss: np.ndarray  # float64[G, 4], in decisions of each of DECISION_GROUPS
    difference: np.ndarray  # float64[G], the loss without the optimizer's curse taken off


_FIELDS = {"score": ("f4", (None,)), "decisions": ("f4", (None,)), "loss": ("f8", (None, len(DECISION_GROUPS))),
           "difference": ("f8", (None,))}


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
    blocks = play_blocks(partial(play_books, player, seed=seed), "books", _FIELDS, games=games, folder=folder,
                         settings={"player": player, "seed": seed}, workers=workers)
    return sum_up([Books(**arrays) for arrays in blocks])


def play_books(player: str, index: int, *, games: int, seed: int) -> Books:
    """Plays games, and returns the Books of the player without the decisions in which it may win.

    player: spec; it sits at seat 0 of the first game, 1 of the second, and so on. index: index of the block.
    games: number of games of the block. seed: seed that together with the index determines the walls.
    """
    choose, value, ask = load_chooser(player), *map(load_valuer, FITTED_JUDGES)
    engine = Engine(games, seed_source((seed << 32) + index * BLOCK_GAMES, games))
    engine.reset()
    books = Books(*(np.zeros([games, *shape[1:]], kind) for kind, shape in _FIELDS.values()))
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
            legal, others = masks[judged], ask(observations[judged], masks[judged])[1]
            group, size = 2 * legal[:, PASS_INDEX] + ~find_ready(observations[judged]), legal.sum(1)
            both = np.stack([points[judged][legal], others[legal]]).astype(np.float32)
            taken = list_starts(size) + legal.cumsum(1)[np.arange(len(judged)), actions[judged]] - 1
            gaps, errors = (values[taken] for values in measure_gaps(group, size, both, VERDICT))
            np.add.at(books.loss, (game_ids[judged], group), expect_loss(gaps, errors))
            np.add.at(books.difference, game_ids[judged], gaps)
            np.add.at(books.decisions, game_ids[judged], 1)
        engine.step(actions)
        ended = engine.finished["game_id"]
        books.score[ended] = engine.finished["score"][np.arange(len(ended)), ended % SEATS]
    return books


def sum_up(blocks: list[Books]) -> dict:
    """Returns the value of measure_books, of blocks of games."""
    books = Books(*map(np.concatenate, zip(*blocks)))
    score, games, loss = books.score.astype(float), len(books.score), books.loss.sum(1)
    ratio, decisions = -loss.mean() / score.mean(), float(books.decisions.mean())
    # The interval of a ratio of two means by the delta method; both are of the same games.
    spread = 1.96 * np.std(loss + ratio * score) / abs(score.mean()) / games ** 0.5
    return {"games": games, "decisions": round(decisions, 2), "score": _measure(score), "loss": _measure(loss),
            "ratio": [round(float(value), 3) for value in (ratio, ratio - spread, ratio + spread)],
            "difference": round(float(books.difference.mean()), 3),
            "accuracy": compute_accuracy(float(loss.mean()) / decisions),
            "groups": dict(zip(DECISION_GROUPS, books.loss.mean(0).round(3).tolist()))}


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
