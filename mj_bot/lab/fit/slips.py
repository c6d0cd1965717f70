"""Measures what wrong actions cost in play, and compares it with what a tactic says that they cost.

The tactic plays itself, and now and then an action is drawn at random instead. The draw does not depend on what comes
later, so the points of the game are an unbiased measure of the action. They are regressed on the points that the tactic
gives to the action, less the mean over all actions that could have been drawn. A slope of 1 means that the differences
of the tactic's points are true; at 0.5 they are twice what they should be.

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

_PART_GAMES = 1024
# Shares of decisions with a choice that draw an action. Claims are rarer and of more kinds.
_TURN_SHARE, _CLAIM_SHARE = 1 / 16, 1 / 4
# A drawn action is with equal chance the tactic's own, one of its best three, or any legal one.
_NEAR = 3
# The kind of a decision is the first with a legal action. Rows by the kind of the drawn action would be biased: the
# mean over the draw is subtracted, so a row needs all actions of a draw.
_STARTS = {"kong": (OPEN_KONG_BASE, PUNG_BASE), "pung": (PUNG_BASE, CHOW_BASE), "chow": (CHOW_BASE, ACTION_COUNT),
           "discard": (DISCARD_BASE, OPEN_KONG_BASE)}
SLIP_KINDS = tuple(_STARTS)


def measure_slips(tactic: str, against: str | None, games: int, *, seed: int, workers: int, hint: str) -> dict:
    """Plays games, and returns a dict for JSON: the rows of compare(), and with `against` those of fit_errors().

    tactic: spec. against: spec of a second tactic, None for none. games: number of games, rounded up to whole parts.
    seed: of walls and draws. workers: number of processes. hint: what an interrupt does, for the progress bar.
    Raises UnknownTacticError: a tactic without points.
    """
    for spec in filter(None, (tactic, against)):
        load_valuer(spec)  # refuses other tactics before any game
    count = -(-games // _PART_GAMES)
    play = partial(play_part, tactic, against or tactic, seed)
    parts = []
    with Progress(count * _PART_GAMES, name="fit slips", hint=hint) as bar:
        for part in run_in_order(play, ((number, _PART_GAMES) for number in range(count)), workers):
            parts.append(part)
            bar.update(_PART_GAMES)
    *columns, other, variance_ratio = map(np.concatenate, zip(*parts))
    result = {"rows": compare(*columns)}
    if against:
        errors = fit_errors(*columns[2:], other, variance_ratio)
        result.update(value_error=[error[0] for error in errors], intervals=[error[1:] for error in errors])
    return result


def format_slips(result: dict) -> str:
    """Returns the table of measure_slips as text."""
    lines = ["%-20s %9s  %9s  %s" % ("decision", "drawn", "said, sd", "slope (95%)")]
    for row in result["rows"]:
        lines.append("%-20s %9d  %9.2f  %.2f (%.2f .. %.2f)" % (row["name"], row["drawn"], row["said"], *row["slope"]))
    if "value_error" in result:
        lines.append("a difference d has the standard error (a^2 + (b d)^2)^0.5 with " + ", ".join(
            "%s = %.2f (%.2f .. %.2f)" % (name, value, *interval)
            for name, value, interval in zip("ab", result["value_error"], result["intervals"])))
    return "\n".join(lines)


def play_part(spec: str, second: str, seed: int, number: int, games: int) -> tuple[np.ndarray, ...]:
    """Returns the drawn actions of some games: (kinds int8[N], is_ready bool[N], and four arrays float32[N]).

    The four are said: the tactic's points of the action, less their mean over the draw; brought: the seat's points of
    the game, less the tactic's points of its own action; other: the points of the action by the second tactic, less
    their mean over the draw; variance_ratio: Var(x - mean) / Var(x1 - x2) of the distribution of the draw, 1/2 for many
    equal actions.
    kinds: of the decisions, indices of KINDS. is_ready: of the hand before the action.
    number: of the part, which with the seed decides walls and draws.
    """
    (value, ask), random = map(load_valuer, (spec, second)), np.random.default_rng([seed, number])
    engine = Engine(games, seed_source((seed << 32) + number * _PART_GAMES, games))
    engine.reset()
    columns, places = [], []
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
            said, other = (np.where(masks[rows], given, 0) for given in (points, others))
            said, other = (given[np.arange(len(rows)), drawn] - (chances * given).sum(1) for given in (said, other))
            legal = [masks[rows, start:end].any(1) for start, end in _STARTS.values()]
            melds = (field(observations[rows], "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
            shanten, _ = least_batch(np.ascontiguousarray(field(observations[rows], "hand")), melds)
            columns.append((np.argmax(legal, axis=0), shanten <= 0, said, own, other, (1 - (chances ** 2).sum(1)) / 2))
            places.append((engine.games["game_id"][engine.pending["game"][rows]], engine.pending["seat"][rows]))
            actions[rows] = drawn
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    kinds, is_ready, said, own, other, variance_ratio = map(np.concatenate, zip(*columns))
    brought = scores[tuple(map(np.concatenate, zip(*places)))] - own
    return (kinds, is_ready) + tuple(column.astype(np.float32) for column in (said, brought, other, variance_ratio))


def _spread(points, own):
    """Returns the chances of each action to be drawn, float[N, 235].

    points: -inf where illegal. own: int[N], the tactic's.
    """
    is_legal = np.isfinite(points)
    near = is_legal & (points >= np.sort(points, 1)[:, -_NEAR, None])
    is_own = np.arange(points.shape[1]) == own[:, None]
    return np.mean([part / part.sum(1, keepdims=True) for part in (is_own, near, is_legal)], axis=0)


def compare(kinds: np.ndarray, is_ready: np.ndarray, said: np.ndarray, brought: np.ndarray) -> list[dict]:
    """Returns the rows of the table, {"name", "drawn", "said", "slope": [slope, low, high]}.

    kinds, is_ready, said, brought: arrays [N], as play_part returns them. The "said" of a row is the standard deviation
    of the tactic's differences, in points. The intervals are of 95%.
    """
    rows = []
    for name, chosen in [("all", np.ones(len(kinds), bool)), ("ready", is_ready), ("not ready", ~is_ready)] + [
            (kind + suffix, (kinds == number) & of) for number, kind in enumerate(SLIP_KINDS)
            for suffix, of in ((", ready", is_ready), (", not ready", ~is_ready))]:
        x, y = said[chosen].astype(float), brought[chosen].astype(float)
        if len(x) > 1 and x.any():
            slope = (x * y).sum() / (x * x).sum()
            error = 1.96 * np.sqrt((x * x * (y - slope * x) ** 2).sum()) / (x * x).sum()
            rows.append({"name": name, "drawn": len(x), "said": round(float(x.std()), 3),
                         "slope": [round(float(value), 3) for value in (slope, slope - error, slope + error)]})
    return rows


def fit_errors(
        said: np.ndarray, brought: np.ndarray, other: np.ndarray, variance_ratio: np.ndarray) -> list[list[float]]:
    """Returns [[a, low, high], [b, low, high]]: a difference d has the standard error (a^2 + (b d)^2)^0.5.

    said, brought, other, variance_ratio: arrays [N], as play_part returns them. The intervals are of 95%.
    Large differences have large errors, so they count for less.
    """
    said, brought, other = (column.astype(float) for column in (said, brought, other))
    weights = 1 / np.sqrt(1 + said ** 2)
    columns = np.stack([variance_ratio, said ** 2], axis=1) * weights[:, None]
    squares = (said - brought) * (said - other) * weights
    inverse = np.linalg.inv(columns.T @ columns)
    found = inverse @ columns.T @ squares
    errors = 1.96 * np.sqrt(np.diag(inverse @ np.cov(columns * (squares - columns @ found)[:, None], rowvar=False)
                                    @ inverse) * len(said))
    return np.sqrt(np.maximum(0, [found, found - errors, found + errors])).T.round(2).tolist()
