"""Plays games in which some actions are drawn at random, and keeps these draws with the points of two tactics.

The first tactic plays itself, and now and then an action is drawn at random instead. The draw does not depend on what
comes later, so the points of the game are an unbiased measure of the drawn action.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...observation.layout import field
from ..engine import Engine, seed_source
from ..table.choosers import load_valuer
from .blocks import BLOCK_GAMES, play_blocks

# Shares of the decisions for which an action is drawn. Claims are rarer and of more kinds, so their share is greater.
_TURN_SHARE, _CLAIM_SHARE = 1 / 16, 1 / 4
# With equal chances, the tactic's own action, one of its _NEAR best ones, or any legal action is drawn.
_NEAR = 3
# {kind: (first action, end)}. The kind of a decision is the first kind of which an action is legal. The drawn action
# must not decide the kind: the mean over all actions of the draw is subtracted, so the rows would be biased.
_STARTS = {"kong": (OPEN_KONG_BASE, PUNG_BASE), "pung": (PUNG_BASE, CHOW_BASE), "chow": (CHOW_BASE, ACTION_COUNT),
           "discard": (DISCARD_BASE, OPEN_KONG_BASE)}
SLIP_KINDS = tuple(_STARTS)
# {field of Draws: (type, shape)}, of the files of a run.
_FIELDS = {name: (kind, (None,)) for name, kind in (
    ("kind", "i1"), ("is_claim", "b1"), ("is_ready", "b1"), ("realised", "f4"), ("size", "i2"), ("drawn", "i2"),
    ("chances", "f4"), ("points", "f4"), ("others", "f4"))}


class Draws(NamedTuple):
    """Keeps N decisions with a drawn action, and their S legal actions, those of the first decision first."""

    kind: np.ndarray  # int8[N], index in SLIP_KINDS
    is_claim: np.ndarray  # bool[N], whether the seat may pass
    is_ready: np.ndarray  # bool[N], whether the hand was ready before the action
    realised: np.ndarray  # float32[N], the seat's points of the game, less the first tactic's points of its own action
    size: np.ndarray  # int16[N], number of legal actions
    drawn: np.ndarray  # int16[N], which of them was drawn
    chances: np.ndarray  # float32[S], probability of each action to be drawn
    points: np.ndarray  # float32[S], points of the first tactic
    others: np.ndarray  # float32[S], points of the second tactic

    @property
    def group(self) -> np.ndarray:
        """The group of each decision, int[N], an index in joint_value.DECISION_GROUPS."""
        return 2 * self.is_claim + ~self.is_ready

    @property
    def both(self) -> np.ndarray:
        """The points of both tactics, float32[2, S]."""
        return np.stack([self.points, self.others])

    def compare_with_mean(self, values: np.ndarray) -> np.ndarray:
        """Returns the value of each drawn action less the mean over the draw, float64[N]. values: float[S]."""
        starts = list_starts(self.size)
        return values[starts + self.drawn] - np.add.reduceat(self.chances * values.astype(float), starts)

    def measure_variance(self) -> np.ndarray:
        """Returns Var(x - mean) / Var(x1 - x2) of each draw, float64[N]; 1/2 for many equal actions."""
        return (1 - np.add.reduceat(self.chances.astype(float) ** 2, list_starts(self.size))) / 2


def list_starts(size: np.ndarray) -> np.ndarray:
    """Returns the index of the first action of each decision, int64[N]. size: int[N], number of their actions."""
    return np.cumsum(size, dtype=np.int64) - size


def join_draws(parts: list[Draws]) -> Draws:
    """Returns the decisions of several Draws."""
    return Draws(*map(np.concatenate, zip(*parts)))


def play_draws(judges: Sequence[str], games: int, *, folder: str, seed: int, workers: int) -> list[Draws]:
    """Returns the Draws of each block of games. Blocks that are in the folder are not played again.

    judges: specs of two tactics; the first one plays. games: number of games, rounded up to whole blocks.
    folder: folder of the run. seed: seed of walls and draws. workers: number of processes.
    Raises UnknownTacticError: a tactic does not exist or gives no points. ProtocolError: the folder contains a run of
        other settings.
    """
    for spec in judges:
        load_valuer(spec)  # This refuses tactics without points before any game is played.
    blocks = play_blocks(partial(play_block, judges, seed=seed), "draws", _FIELDS, games=games, folder=folder,
                         settings={"tactic": judges[0], "second": judges[1], "seed": seed}, workers=workers)
    return [Draws(**arrays) for arrays in blocks]


def play_block(judges: Sequence[str], index: int, *, games: int, seed: int) -> Draws:
    """Plays games, and returns their Draws.

    judges: specs of two tactics; the first one plays. index: index of the block. games: number of games of the block.
    seed: seed that together with the index determines walls and draws.
    """
    (value, ask), random = map(load_valuer, judges), np.random.default_rng([seed, index])
    engine = Engine(games, seed_source((seed << 32) + index * BLOCK_GAMES, games))
    engine.reset()
    parts, game_seats = [], []
    scores = np.zeros((games, SEATS), np.int16)
    while len(engine.pending):
        observations, masks = engine.observations(), engine.mask()
        actions, points = value(observations, masks)
        share = np.where(masks[:, PASS_INDEX], _CLAIM_SHARE, _TURN_SHARE)
        rows = np.flatnonzero((masks.sum(1) > 1) & ~masks[:, WIN_INDEX] & (random.random(len(masks)) < share))
        if len(rows):
            game_seats.append((engine.games["game_id"][engine.pending["game"][rows]], engine.pending["seat"][rows]))
            drawn, draws = _draw(random, observations[rows], masks[rows], points[rows], own=actions[rows], ask=ask)
            actions[rows] = drawn
            parts.append(draws)
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    draws = join_draws(parts)
    realised = scores[tuple(map(np.concatenate, zip(*game_seats)))] + draws.realised
    return draws._replace(realised=realised.astype(np.float32))


def _draw(random, observations, masks, points, *, own, ask):
    """Returns (drawn actions, Draws). The points of the game are not in `realised` yet."""
    rows = np.arange(len(masks))
    chances = _spread(np.where(masks, points, -np.inf), own)
    drawn = (chances.cumsum(1) < random.random((len(rows), 1))).sum(1).clip(max=masks.shape[1] - 1)
    legal = [masks[:, start:end].any(1) for start, end in _STARTS.values()]
    order = masks.cumsum(1)[rows, drawn] - 1
    return drawn, Draws(
        np.argmax(legal, axis=0).astype(np.int8), masks[:, PASS_INDEX], find_ready(observations),
        -points[rows, own], masks.sum(1).astype(np.int16), order.astype(np.int16),
        *(values[masks].astype(np.float32) for values in (chances, points, ask(observations, masks)[1])))


def find_ready(observations: np.ndarray) -> np.ndarray:
    """Returns whether each hand is ready, or complete, bool[N]. observations: uint8[N, OBSERVATION_SIZE]."""
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    return least_batch(np.ascontiguousarray(field(observations, "hand")), melds)[0] <= 0


def _spread(points, own):
    """Returns the probability of each action to be drawn, float[N, 235]. own: int[N], the tactic's own actions."""
    is_legal = np.isfinite(points)
    near = is_legal & (points >= np.sort(points, 1)[:, -_NEAR, None])
    is_own = np.arange(points.shape[1]) == own[:, None]
    return np.mean([group / group.sum(1, keepdims=True) for group in (is_own, near, is_legal)], axis=0)
