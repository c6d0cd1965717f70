"""Fits the weights of mj_bot/worth/correction.py to games of the search against itself.

Each wall is played four times, and the search draws its actions at random: by the softmax of their corrected points.
The target of the fit is the generalised advantage of the drawn action, by a critic that sees all hands. The weights are
a ridge regression of this target on the features of the action, less the mean of the features over all actions that
could have been drawn.

The folder of a run (run/run_folder.py) has the sums of each block of games. The critic is fitted to the first blocks.
"""


from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import OBSERVATION_SIZE
from ...sources import SHIPPED_ROOMS, digest_sources, list_room_files
from ...tactic.search import SearchTactic
from ...worth import correction
from ...worth.correction import measure_distances
from ..engine import Engine, seed_source
from ..engine.batch import unpack_masks
from ..rl.advantages import compute_advantages, compute_critic_features, list_latest, pick
from ..run.progress import Progress
from .blocks import open_blocks
from .sample import ask_search

ROTATIONS_PER_WALL = 4
_BLOCK_GAMES, _WIDTH = 2048, 512  # games of a block, and games that are played at the same time
_CRITIC_BLOCKS = 4  # blocks that only the critic is fitted to; they are played first
# Temperature of the softmax, in points. A higher one compares more actions, but the search plays worse.
_TEMPERATURE = 0.3
_LEAST_WORTH = 0.05  # a smaller worth counts as this, so that its logarithm is finite
# Decisions whose most probable action is more probable than this are skipped, because they hardly compare actions.
_SKIP_ABOVE = 0.97
_DECAY = 0.9  # lambda of the generalised advantages
_ROWS_AT_ONCE = 8192  # rows whose features are computed together
_CRITIC_RIDGE = 1.0  # number added to the diagonal of the critic's regression
# Standard deviations, in points, that the ridge expects of the weights, and of the weights of POINTS_FEATURES.
_PRIOR, _POINTS_PRIOR = 0.3, 1.0
_SHOWN_FROM = 2.0  # a weight is printed if it is more standard errors than this away from 0
# {field of Sums: (type, shape)}, of the files of a run.
_SUMS_FIELDS = {
    "products": ("f8", (None, None)), "by_target": ("f8", (None,)), "squares": ("f8", ()), "rows": ("i8", ())}


class Sums(NamedTuple):
    """Keeps the sums of a regression over its rows. The sums of several blocks of rows add up to those of all rows."""

    products: np.ndarray  # float64[N, N], sums of the products of each two columns
    by_target: np.ndarray  # float64[N], sums of the products of each column and the target
    squares: float  # sum of the squares of the target
    rows: int  # number of rows


class Drawn(NamedTuple):
    """Keeps M decisions with more than one legal action, and the actions that were drawn for them."""

    observation: np.ndarray  # uint8[M, FULL_SIZE]
    mask: np.ndarray  # uint64[M, 4], bit a of the 256 bits of a row is set where action a is legal
    level: np.ndarray  # float16[M], logarithm of the hand's worth after the best action
    points: np.ndarray  # float32[M, 235], points of the search before correction
    chances: np.ndarray  # float32[M, 235], probability of each action to be drawn
    action: np.ndarray  # int[M], action that was drawn
    game: np.ndarray  # int[M], index of the game
    seat: np.ndarray  # int[M], deciding seat 0..3


def fit_correction(folder: str, games: int, rounds: int, *, seed: int, workers: int) -> dict:
    """Plays games, keeps their sums in the folder of a run, and returns the fitted weights as a dict for JSON.

    Blocks whose sums are in the folder are not played again.
    folder: folder of the run. games: number of games, rounded up to whole blocks, without those of the critic.
    rounds: how often the weights are fitted; each round plays with the weights of the round before.
    seed: seed of the first wall. workers: number of processes.
    Raises ProtocolError: the folder contains a run of other settings.
    """
    size = min(_BLOCK_GAMES, -(-games // ROTATIONS_PER_WALL) * ROTATIONS_PER_WALL)
    count = -(-games // size)
    critic_count = min(_CRITIC_BLOCKS, count)
    sources = list_room_files(*SHIPPED_ROOMS, "lab/engine", "lab/fit", "lab/rl", "lab/table")
    settings = {"games": games, "rounds": rounds, "seed": seed, "sources": digest_sources(sources)}
    with Progress((critic_count + count) * size, name="fit correction") as bar, \
            open_blocks(_play_block, "correction", folder=folder, settings=settings, workers=workers, bar=bar) as load:
        def play(blocks: Sequence[int], critic: np.ndarray | None, weights: np.ndarray | None) -> Sums:
            """Returns the Sums of some blocks together."""
            tasks = [(block, seed + block * (size // ROTATIONS_PER_WALL), size, critic, weights) for block in blocks]
            return join(Sums(**arrays) for arrays in load(tasks, size, _SUMS_FIELDS))

        sums = play(range(critic_count), None, None)
        critic = np.linalg.solve(sums.products + _CRITIC_RIDGE * np.eye(len(sums.by_target)), sums.by_target)
        round_sums, weights = [], None
        for blocks in np.array_split(np.arange(critic_count, critic_count + count), min(rounds, count)):
            round_sums.append(play(blocks.tolist(), critic, weights))
            weights, errors = fit_weights(join(round_sums))
    return {"decisions": [int(sums.rows) for sums in round_sums],
            "weights": dict(zip(correction.CORRECTION_FEATURES, weights.round(3).tolist())),
            "standard_errors": dict(zip(correction.CORRECTION_FEATURES, errors.round(3).tolist()))}


def _play_block(_block, first_wall, games, critic, weights):
    """Returns the Sums of a block of games: of the actions, or without a critic those for its regression."""
    decisions, scores = explore(weights, first_wall, games)
    facts = list_facts(decisions, scores)
    if critic is None:
        return add_up(facts, scores[decisions.game, decisions.seat])
    return add_up_actions(decisions, facts, scores, critic=critic)


def explore(weights: np.ndarray | None, first_wall: int, games: int) -> tuple[Drawn, np.ndarray]:
    """Plays games of the search that draws its actions at random, and returns (Drawn, scores int[games, 4]).

    weights: a weight for each of worth.correction.CORRECTION_FEATURES; None for no correction.
    first_wall: seed of the first wall and of the draws. games: number of games.
    """
    # With correction=0 the search also leaves out the value of the next draw (worth/waits.py).
    search = SearchTactic(correction=0)
    random = np.random.default_rng(first_wall)
    engine = Engine(min(_WIDTH, games), seed_source(first_wall, games, ROTATIONS_PER_WALL))
    engine.reset()
    scores = np.zeros((games, SEATS), np.int64)
    blocks = []
    while len(engine.pending):
        game_ids = engine.games["game_id"][engine.pending["game"]].copy()
        seats = engine.pending["seat"].astype(np.int64)
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
            blocks.append(Drawn(
                observations[rows], engine.pending["mask"][rows],
                np.log(np.maximum(worths, _LEAST_WORTH)).astype(np.float16), points[rows].astype(np.float32),
                chances.astype(np.float32), drawn, game_ids[rows], seats[rows]))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    return Drawn(*map(np.concatenate, zip(*blocks))), scores


def list_facts(decisions: Drawn, scores: np.ndarray) -> np.ndarray:
    """Returns the inputs of the critic, float64[M, F].

    The columns are 1, the features that rl.advantages describes, and the mean score of the seat in the other
    games on the wall.
    scores: int[G, 4], final scores. The games of a wall follow one another.
    """
    by_wall = scores.reshape(-1, ROTATIONS_PER_WALL, SEATS)
    others = ((by_wall.sum(1, keepdims=True) - by_wall) / (ROTATIONS_PER_WALL - 1)).reshape(-1, SEATS)
    levels = list_latest(decisions.level.astype(np.float32), decisions.game, decisions.seat)
    facts = compute_critic_features(decisions.observation, levels).astype(np.float64)
    return np.column_stack([np.ones(len(facts)), facts, others[decisions.game, decisions.seat]])


def add_up(columns: np.ndarray, target: np.ndarray) -> Sums:
    """Returns the Sums of a regression. columns: float[M, N]. target: float[M]."""
    columns, target = columns.astype(np.float64), target.astype(np.float64)
    return Sums(columns.T @ columns, columns.T @ target, target @ target, len(target))


def join(sums: Iterable[Sums]) -> Sums:
    """Returns the Sums of several blocks of rows together."""
    return Sums(*(sum(values) for values in zip(*sums)))


def add_up_actions(decisions: Drawn, facts: np.ndarray, scores: np.ndarray, *, critic: np.ndarray) -> Sums:
    """Returns the Sums of the regression of the actions' advantages on their features.

    facts: float64[M, F], inputs of the critic. scores: int[G, 4], final scores. critic: float64[F], weights of the
        facts.
    """
    advantages = compute_advantages(decisions.game, decisions.seat, facts @ critic,
                                    rewards=scores.astype(np.float64), decay=_DECAY)
    rows = np.flatnonzero(decisions.chances.max(1) < _SKIP_ABOVE)
    return join([add_up(centre(pick(decisions, chosen)), advantages[chosen])
                 for chosen in np.array_split(rows, max(1, len(rows) // _ROWS_AT_ONCE))])


def centre(decisions: Drawn) -> np.ndarray:
    """Returns the features of the drawn actions, less the mean of the features over all actions.

    The mean weights each action by its probability to be drawn.
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
    nearer = correction.compute_nearer(position, masks)
    for (_, first, count, names), features in zip(
            correction.CORRECTED_ACTIONS, correction.list_claim_features(position)):
        of_group = drawn[:, first:first + count]
        columns.append(features.T * of_group.sum(1)[:, None])
        if correction.COMES_NEARER in names:
            columns[-1][:, names.index(correction.COMES_NEARER)] = (nearer[:, first:first + count] * of_group).sum(1)
    columns.append(np.einsum("fba,ba->bf", correction.list_points_features(position, lost), drawn))
    return np.concatenate(columns, 1)


def fit_weights(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Returns (weights, standard errors) of a ridge regression, each float64[len(CORRECTION_FEATURES)]."""
    variance = sums.squares / sums.rows
    prior = np.full(len(correction.CORRECTION_FEATURES), _PRIOR)
    prior[-len(correction.POINTS_FEATURES):] = _POINTS_PRIOR
    inverse = np.linalg.inv(sums.products + np.diag(variance / prior ** 2))
    return inverse @ sums.by_target, np.sqrt(variance * np.diag(inverse))


def format_result(result: dict) -> str:
    """Returns the significant weights of what fit_correction returned, one per line."""
    lines = ["%d decisions; weights in points, those beyond %g standard errors:" % (
        sum(result["decisions"]), _SHOWN_FROM)]
    for name, weight in result["weights"].items():
        error = result["standard_errors"][name]
        if abs(weight) > _SHOWN_FROM * error:
            lines.append("%-56s %+.3f +- %.3f" % (name, weight, error))
    return "\n".join(lines)
