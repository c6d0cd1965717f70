"""Measures what wrong actions cost in play, and compares it with what a tactic predicts that they cost.

The tactic plays itself, and now and then an action is drawn at random instead. The draw does not depend on what comes
later, so the points of the game are an unbiased measure of the action. They are regressed on the points that the tactic
gives to the action, less the mean over all actions that could have been drawn. A slope of 1 means that the differences
between the tactic's points are right; at 0.5 they are twice what they should be.

With a second tactic the errors of single differences are estimated too. The games, the tactic and the second tactic are
three measures of one difference. If their errors are independent, the mean of (tactic - games) * (tactic - second) is
the variance of the tactic's error. Errors that both tactics share are not in it.
Source: A. Stoffelen, Toward the true near-surface wind speed: error modeling and calibration using triple collocation,
    Journal of Geophysical Research 103, 1998.
"""

from functools import partial

import numpy as np

from ...mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...observation.layout import field
from ..engine import Engine, seed_source
from ..run.progress import Progress
from ..run.workers import run_in_order
from ..table.choosers import load_valuer

_BLOCK_GAMES = 1024
# Shares of the decisions for which an action is drawn. Claims are rarer and of more kinds, so their share is greater.
_TURN_SHARE, _CLAIM_SHARE = 1 / 16, 1 / 4
# With equal chances, the tactic's own action, one of its _NEAR best ones, or any legal action is drawn.
_NEAR = 3
# {kind: (first action, end)}. The kind of a decision is the first kind of which an action is legal. The drawn action
# must not decide the kind: the mean over all actions of the draw is subtracted, so the rows would be biased.
_STARTS = {"kong": (OPEN_KONG_BASE, PUNG_BASE), "pung": (PUNG_BASE, CHOW_BASE), "chow": (CHOW_BASE, ACTION_COUNT),
           "discard": (DISCARD_BASE, OPEN_KONG_BASE)}
SLIP_KINDS = tuple(_STARTS)


def measure_slips(tactic: str, against: str | None, games: int, *, seed: int, workers: int, hint: str) -> dict:
    """Plays games, and returns a dict for JSON.

    "rows" has the rows that `compare` returns. With a second tactic, "value_error" and "intervals" have what
    `fit_errors` returns.
    tactic: spec. against: spec of a second tactic, None for none. games: number of games, rounded up to whole blocks.
    seed: seed of walls and draws. workers: number of processes. hint: what an interrupt does, for the progress bar.
    Raises UnknownTacticError: a tactic does not exist or gives no points.
    """
    for spec in filter(None, (tactic, against)):
        load_valuer(spec)  # This refuses tactics without points before any game is played.
    count = -(-games // _BLOCK_GAMES)
    play = partial(play_block, tactic, against or tactic, games=_BLOCK_GAMES, seed=seed)
    blocks = []
    with Progress(count * _BLOCK_GAMES, name="fit slips", hint=hint) as bar:
        for block in run_in_order(play, ((index,) for index in range(count)), workers):
            blocks.append(block)
            bar.update(_BLOCK_GAMES)
    *columns, other, variance_ratio = map(np.concatenate, zip(*blocks))
    result = {"rows": compare(*columns[:3], realised=columns[3])}
    if against:
        errors = fit_errors(*columns[2:], other, variance_ratio=variance_ratio)
        result.update(value_error=[error[0] for error in errors], intervals=[error[1:] for error in errors])
    return result


def format_slips(result: dict) -> str:
    """Returns the table of what measure_slips returned, as text."""
    lines = ["%-20s %9s  %9s  %s" % ("decision", "drawn", "said, sd", "slope (95%)")]
    for row in result["rows"]:
        lines.append("%-20s %9d  %9.2f  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], row["said"], *row["slope"]))
    if "value_error" in result:
        lines.append("a difference d has the standard error (a^2 + (b d)^2)^0.5 with " + ", ".join(
            "%s = %.2f (%.2f .. %.2f)" % (name, value, *interval)
            for name, value, interval in zip("ab", result["value_error"], result["intervals"])))
    return "\n".join(lines)


def play_block(spec: str, second: str, index: int, *, games: int, seed: int) -> tuple[np.ndarray, ...]:
    """Plays games, and returns six arrays [N] of the N drawn actions.

    kinds: int8, kind of the decision, an index in SLIP_KINDS. is_ready: bool, whether the hand was ready before the
        action.
    predicted: float32, the tactic's points of the action, less their mean over the draw.
    realised: float32, the seat's points of the game, less the tactic's points of its own action.
    other: float32, the second tactic's points of the action, less their mean over the draw.
    variance_ratio: float32, Var(x - mean) / Var(x1 - x2) of the distribution of the draw; 1/2 for many equal actions.
    spec: the tactic that plays. second: spec of the second tactic. index: index of the block.
    games: number of games of the block. seed: seed that together with the index determines walls and draws.
    """
    (value, ask), random = map(load_valuer, (spec, second)), np.random.default_rng([seed, index])
    engine = Engine(games, seed_source((seed << 32) + index * _BLOCK_GAMES, games))
    engine.reset()
    columns, game_seats = [], []
    scores = np.zeros((games, SEATS), np.int16)
    while len(engine.pending):
        observations, masks = engine.observations(), engine.mask()
        actions, points = value(observations, masks)
        share = np.where(masks[:, PASS_INDEX], _CLAIM_SHARE, _TURN_SHARE)
        rows = np.flatnonzero((masks.sum(1) > 1) & ~masks[:, WIN_INDEX] & (random.random(len(masks)) < share))
        if len(rows):
            points, (_, others) = points[rows], ask(observations[rows], masks[rows])
            own = points[np.arange(len(rows)), actions[rows]]
            chances = _spread(np.where(masks[rows], points, -np.inf), actions[rows])
            drawn = (chances.cumsum(1) < random.random((len(rows), 1))).sum(1).clip(max=masks.shape[1] - 1)
            predicted, other = (_compare_with_mean(np.where(masks[rows], given, 0), chances, drawn)
                                for given in (points, others))
            legal = [masks[rows, start:end].any(1) for start, end in _STARTS.values()]
            columns.append((np.argmax(legal, axis=0), _find_ready(observations[rows]), predicted, own, other,
                            (1 - (chances ** 2).sum(1)) / 2))
            game_seats.append((engine.games["game_id"][engine.pending["game"][rows]], engine.pending["seat"][rows]))
            actions[rows] = drawn
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    kind_indices, is_ready, predicted, own, other, variance_ratio = map(np.concatenate, zip(*columns))
    realised = scores[tuple(map(np.concatenate, zip(*game_seats)))] - own
    return (kind_indices, is_ready) + tuple(
        column.astype(np.float32) for column in (predicted, realised, other, variance_ratio))


def _compare_with_mean(points, chances, drawn):
    """Returns the points of the drawn actions less the mean of the points, float[N].

    points: float[N, 235]. chances: float[N, 235], probability of each action to be drawn, which is its weight in the
        mean.
    drawn: int[N], the drawn actions.
    """
    return points[np.arange(len(points)), drawn] - (chances * points).sum(1)


def _find_ready(observations):
    """Returns whether each hand is ready, or complete, bool[N]."""
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    return least_batch(np.ascontiguousarray(field(observations, "hand")), melds)[0] <= 0


def _spread(points, own):
    """Returns the probability of each action to be drawn, float[N, 235].

    points: float[N, 235], minus infinity for illegal actions. own: int[N], the tactic's own actions.
    """
    is_legal = np.isfinite(points)
    near = is_legal & (points >= np.sort(points, 1)[:, -_NEAR, None])
    is_own = np.arange(points.shape[1]) == own[:, None]
    return np.mean([group / group.sum(1, keepdims=True) for group in (is_own, near, is_legal)], axis=0)


def compare(
        kind_indices: np.ndarray, is_ready: np.ndarray, predicted: np.ndarray, *, realised: np.ndarray) -> list[dict]:
    """Returns the rows of the table, {"name", "drawn", "said", "slope": [slope, low, high]}.

    "drawn" is the number of drawn actions, and "said" the standard deviation of the predicted differences, in points.
    The intervals are of 95%.
    kind_indices: int[N], kind of each decision, an index in SLIP_KINDS. is_ready: bool[N], whether the hand was ready.
    predicted: float[N], the tactic's points of the drawn action, less their mean over the draw.
    realised: float[N], the seat's points of the game, less the tactic's points of its own action.
    """
    rows = []
    for name, chosen in [("all", np.ones(len(kind_indices), bool)), ("ready", is_ready), ("not ready", ~is_ready)] + [
            (slip_kind + suffix, (kind_indices == index) & has_state) for index, slip_kind in enumerate(SLIP_KINDS)
            for suffix, has_state in ((", ready", is_ready), (", not ready", ~is_ready))]:
        x, y = predicted[chosen].astype(float), realised[chosen].astype(float)
        if len(x) > 1 and x.any():
            slope = (x * y).sum() / (x * x).sum()
            error = 1.96 * np.sqrt((x * x * (y - slope * x) ** 2).sum()) / (x * x).sum()
            rows.append({"name": name, "drawn": len(x), "said": round(float(x.std()), 3),
                         "slope": [round(float(value), 3) for value in (slope, slope - error, slope + error)]})
    return rows


def fit_errors(
        predicted: np.ndarray, realised: np.ndarray, other: np.ndarray, *,
        variance_ratio: np.ndarray) -> list[list[float]]:
    """Returns [[a, low, high], [b, low, high]], where a difference d has the standard error (a^2 + (b d)^2)^0.5.

    The intervals are of 95%. Large differences have large errors, so they count for less.
    predicted: float[N], the tactic's points of the drawn action, less their mean over the draw.
    realised: float[N], the seat's points of the game, less the tactic's points of its own action.
    other: float[N], the second tactic's points of the drawn action, less their mean over the draw.
    variance_ratio: float[N], Var(x - mean) / Var(x1 - x2) of the distribution of the draw.
    """
    predicted, realised, other = (column.astype(float) for column in (predicted, realised, other))
    weights = 1 / np.sqrt(1 + predicted ** 2)
    columns = np.stack([variance_ratio, predicted ** 2], axis=1) * weights[:, None]
    squares = (predicted - realised) * (predicted - other) * weights
    inverse = np.linalg.inv(columns.T @ columns)
    factors = inverse @ columns.T @ squares
    spread = np.cov(columns * (squares - columns @ factors)[:, None], rowvar=False)
    errors = 1.96 * np.sqrt(np.diag(inverse @ spread @ inverse) * len(predicted))
    return np.sqrt(np.maximum(0, [factors, factors - errors, factors + errors])).T.round(2).tolist()
