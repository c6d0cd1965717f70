"""Fits the weights of mj_bot/worth/correction.py to games of the search against itself.

Each wall is played four times, and the search draws its actions at random: by the softmax of their corrected points.
The target is the action's generalised advantage by a critic that sees all hands. The weights are a ridge regression of
it on the action's features, less their mean over all actions that could have been drawn.

A run (run/run_folder.py) has the sums of each part of the games. The critic is fitted to the first parts.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import OBSERVATION_SIZE
from ...sources import SHIPPED_ROOMS, digest_sources, list_files
from ...tactic.search import SearchTactic
from ...worth import correction
from ...worth.correction import measure_distances
from ..engine import Engine, seed_source
from ..engine.batch import unpack_masks
from ..rl.advantages import compute_advantages, compute_facts, list_latest, pick
from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import WorkerPool
from .sample import ask_search

CORRECTION_KIND, CORRECTION_VERSION = "correction", 1
ROTATIONS_PER_WALL = 4
# Games of a part, and games played at the same time.
_PART_GAMES, _WIDTH = 2048, 512
# Parts that the critic alone is fitted to; they are played first.
_CRITIC_PARTS = 4
# Temperature of the softmax, in points. At 0.3, two seats lose 0.9 points a game to two without it; at 1, 4.4.
_TEMPERATURE = 0.3
_LEAST_WORTH = 0.05
# Decisions with a more probable action are skipped: they hardly compare actions.
_SKIP_ABOVE = 0.97
_DECAY = 0.9
_ROWS_AT_ONCE = 8192
_CRITIC_RIDGE = 1.0
# Standard deviations that the ridge expects of the weights, in points, and of weights of points features.
_PRIOR, _POINTS_PRIOR = 0.3, 1.0
# Least standard errors from 0 of a printed weight.
_SHOWN_FROM = 2.0
# The file of a part, its most bytes, and types and shapes of its Sums.
_PART_NAME, _MOST_PART = "sums-%06d.npz", 1 << 28
_SUMS_FIELDS = {
    "products": ("f8", (None, None)), "by_target": ("f8", (None,)), "squares": ("f8", ()), "rows": ("i8", ())}


class Sums(NamedTuple):
    """Keeps the sums of a regression over its rows; sums of parts add up to those of the whole."""

    products: np.ndarray  # float64[N, N], columns by columns
    by_target: np.ndarray  # float64[N], columns by the target
    squares: float  # of the target
    rows: int


class Drawn(NamedTuple):
    """Keeps decisions with a choice, and the actions that were drawn."""

    observation: np.ndarray  # uint8[M, FULL_SIZE]
    mask: np.ndarray  # uint64[M, 4], of engine.game_rows.DECISION
    level: np.ndarray  # float16[M], logarithm of the hand's worth after the best action
    points: np.ndarray  # float32[M, 235], before correction
    chances: np.ndarray  # float32[M, 235], to be drawn
    action: np.ndarray  # int[M]
    game: np.ndarray  # int[M]
    seat: np.ndarray  # int[M]


def fit_correction(folder: str, games: int, rounds: int, *, seed: int, workers: int) -> dict:
    """Plays games, keeps their sums in the folder of a run, and returns the fitted weights as a dict for JSON.

    games: number of games, rounded up to whole parts, without those of the critic. rounds: how often the weights are
    fitted; each round plays with the weights of the round before. seed: of the first wall. workers: number of
    processes.
    """
    found = run(folder, games, rounds, seed, workers)
    weights, errors = fit_weights(join(found))
    return {"decisions": [int(sums.rows) for sums in found],
            "weights": dict(zip(correction.CORRECTION_FEATURES, weights.round(3).tolist())),
            "standard_errors": dict(zip(correction.CORRECTION_FEATURES, errors.round(3).tolist()))}


def run(folder: str, games: int, rounds: int, seed: int, workers: int) -> list[Sums]:
    """Returns the Sums of each round. Parts that are in the folder are not played again.

    games: number of games, rounded up to whole parts, without those of the critic. rounds: how often the weights are
    fitted; each round plays with the weights of the round before. seed: of the first wall. workers: number of
    processes.
    """
    size = min(_PART_GAMES, -(-games // ROTATIONS_PER_WALL) * ROTATIONS_PER_WALL)
    count = -(-games // size)
    critic_count = min(_CRITIC_PARTS, count)
    sources = list_files(*SHIPPED_ROOMS, "lab/engine", "lab/fit", "lab/rl", "lab/table")
    settings = {"games": games, "rounds": rounds, "seed": seed, "sources": digest_sources(sources)}
    with RunFolder(folder, CORRECTION_KIND, CORRECTION_VERSION, settings=settings) as kept, \
            WorkerPool(_play_part, workers) as pool, \
            Progress((critic_count + count) * size, name="fit correction") as bar:
        def play(numbers: Iterable[int], *arguments: Any) -> Sums:
            pending = [(number, seed + number * (size // ROTATIONS_PER_WALL), size, *arguments)
                       for number in numbers if not kept.has(_PART_NAME % number)]
            bar.skip((len(numbers) - len(pending)) * size)
            for number, sums in pool.run_tasks(pending):
                kept.write_arrays(_PART_NAME % number, sums._asdict())
                bar.update(size)
            return join(_read_sums(kept, number) for number in numbers)

        sums = play(range(critic_count), None, None)
        critic = np.linalg.solve(sums.products + _CRITIC_RIDGE * np.eye(len(sums.by_target)), sums.by_target)
        found, weights = [], None
        for numbers in np.array_split(np.arange(critic_count, critic_count + count), min(rounds, count)):
            found.append(play(numbers.tolist(), critic, weights))
            weights, _ = fit_weights(join(found))
    return found


def _read_sums(kept, number):
    arrays = kept.read_arrays(_PART_NAME % number, _MOST_PART, _SUMS_FIELDS)
    return Sums(*(arrays[name] for name in Sums._fields))


def _play_part(number, first_wall, games, critic, weights):
    """Returns (number, Sums) of a part: without a critic the critic's regression, else the regression of actions."""
    decisions, scores = explore(weights, first_wall, games)
    facts = list_facts(decisions, scores)
    if critic is None:
        return number, add_up(facts, scores[decisions.game, decisions.seat])
    return number, add_up_actions(decisions, facts, scores, critic=critic)


def explore(weights: np.ndarray | None, first_wall: int, games: int) -> tuple[Drawn, np.ndarray]:
    """Returns (Drawn, scores int[games, 4]) of games of the search that draws its actions.

    weights: a weight for each of worth.correction.CORRECTION_FEATURES, None for no correction.
    first_wall: seed of the first wall and of the draws.
    """
    # Without correction, search leaves out the next draw (worth/next_draw.py) too.
    search = SearchTactic(correction=0)
    random = np.random.default_rng(first_wall)
    engine = Engine(min(_WIDTH, games), seed_source(first_wall, games, ROTATIONS_PER_WALL))
    engine.reset()
    scores = np.zeros((games, SEATS), np.int64)
    parts = []
    while len(engine.pending):
        numbers, seats = engine.games["game_id"][engine.pending["game"]].copy(), engine.pending["seat"].astype(np.int64)
        observations, masks = engine.observations(full=True), engine.mask()
        own = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        actions, points, worths = ask_search(search, own, masks)
        rows = np.flatnonzero(~masks[:, WIN_INDEX] & (masks.sum(1) > 1))
        if len(rows):
            worths, corrected = worths[rows], points[rows]
            if weights is not None:
                distances = measure_distances(own[rows], masks[rows])
                corrected = correction.correct_points(corrected, own[rows], distances, worths=worths, weights=weights)
            chances = np.exp((corrected - corrected.max(1)[:, None]) / _TEMPERATURE)
            chances /= chances.sum(1)[:, None]
            drawn = (chances.cumsum(1) < random.random(len(rows))[:, None]).sum(1).clip(0, ACTION_COUNT - 1)
            actions[rows] = drawn = np.where(masks[rows, drawn], drawn, chances.argmax(1))
            parts.append(Drawn(
                observations[rows], engine.pending["mask"][rows],
                np.log(np.maximum(worths, _LEAST_WORTH)).astype(np.float16), points[rows].astype(np.float32),
                chances.astype(np.float32), drawn, numbers[rows], seats[rows]))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    return Drawn(*map(np.concatenate, zip(*parts))), scores


def list_facts(decisions: Drawn, scores: np.ndarray) -> np.ndarray:
    """Returns the inputs of the critic, float64[M, .]: facts, and the mean score of the seat's other games here.
    """
    by_wall = scores.reshape(-1, ROTATIONS_PER_WALL, SEATS)
    others = ((by_wall.sum(1, keepdims=True) - by_wall) / (ROTATIONS_PER_WALL - 1)).reshape(-1, SEATS)
    levels = list_latest(decisions.level.astype(np.float32), decisions.game, decisions.seat)
    facts = compute_facts(decisions.observation, levels).astype(np.float64)
    return np.column_stack([np.ones(len(facts)), facts, others[decisions.game, decisions.seat]])


def add_up(columns: np.ndarray, target: np.ndarray) -> Sums:
    """Returns the Sums of a regression. columns: float[M, N]. target: float[M]."""
    columns, target = columns.astype(np.float64), target.astype(np.float64)
    return Sums(columns.T @ columns, columns.T @ target, target @ target, len(target))


def join(sums: Iterable[Sums]) -> Sums:
    """Returns the Sums of several parts together."""
    return Sums(*(sum(parts) for parts in zip(*sums)))


def add_up_actions(decisions: Drawn, facts: np.ndarray, scores: np.ndarray, *, critic: np.ndarray) -> Sums:
    """Returns the Sums of the regression of the actions' advantages on their features."""
    advantages = compute_advantages(decisions.game, decisions.seat, facts @ critic,
                                    rewards=scores.astype(np.float64), decay=_DECAY)
    rows = np.flatnonzero(decisions.chances.max(1) < _SKIP_ABOVE)
    return join([add_up(centre(pick(decisions, part)), advantages[part])
                 for part in np.array_split(rows, max(1, len(rows) // _ROWS_AT_ONCE))])


def centre(decisions: Drawn) -> np.ndarray:
    """Returns the features of the drawn actions, less their mean by the chances.

    The array is float32[M, len(worth.correction.CORRECTION_FEATURES)].
    """
    observations = np.ascontiguousarray(decisions.observation[:, :OBSERVATION_SIZE])
    masks = unpack_masks(decisions.mask)
    worths = np.exp(decisions.level.astype(np.float64))
    position = correction.Position(observations, measure_distances(observations, masks), worths)
    drawn = -decisions.chances
    drawn[np.arange(len(drawn)), decisions.action] += 1
    lost = correction.compute_lost(decisions.points)
    discards = np.ascontiguousarray(drawn[:, DISCARD_BASE:DISCARD_BASE + TILE_COUNT])
    columns = [np.einsum("fbt,bt->bf", correction.list_discard_features(position), discards)]
    features, nearer = correction.list_kind_features(position), correction.compute_nearer(position, masks)
    at = 0
    for _, first, count, names in correction.CORRECTED_ACTIONS:
        actions = slice(first, first + count)
        of_kind = features[at:at + len(names)].T * drawn[:, actions].sum(1)[:, None]
        if correction.COMES_NEARER in names:
            of_kind[:, names.index(correction.COMES_NEARER)] = (nearer[:, actions] * drawn[:, actions]).sum(1)
        columns.append(of_kind)
        at += len(names)
    columns.append(np.einsum("fba,ba->bf", correction.list_points_features(position, lost), drawn))
    return np.concatenate(columns, 1)


def fit_weights(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Returns (weights, standard errors) by ridge regression.

    Both are float64[len(worth.correction.CORRECTION_FEATURES)].
    """
    variance = sums.squares / sums.rows
    prior = np.full(len(correction.CORRECTION_FEATURES), _PRIOR)
    prior[-len(correction.POINTS_FEATURES):] = _POINTS_PRIOR
    inverse = np.linalg.inv(sums.products + np.diag(variance / prior ** 2))
    return inverse @ sums.by_target, np.sqrt(variance * np.diag(inverse))


def format_result(result: dict) -> str:
    """Returns the significant weights, a line each."""
    lines = ["%d decisions; weights in points, those beyond %g standard errors:" % (
        sum(result["decisions"]), _SHOWN_FROM)]
    for name, weight in result["weights"].items():
        error = result["standard_errors"][name]
        if abs(weight) > _SHOWN_FROM * error:
            lines.append("%-56s %+.3f +- %.3f" % (name, weight, error))
    return "\n".join(lines)
