"""Corrects the points of actions by what such actions really brought in games of the search.

The points leave some things out: a ready hand can step back, the first claim opens a hand, a kong draws another tile,
and a tile that nobody can wait for is worth keeping. The correction is a linear model of the named features below.
`mj-bot fit correction` fits its weights to the results of actions that were drawn at random among those of nearly equal
points.
"""

from collections import namedtuple
from typing import List, Sequence

import numpy as np

from ..blas import check_room
from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE,
    split_chow_index)
from ..mahjong.shanten_tables import discard_batch, least_batch, unpack_tiles
from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CLAIM, NONE, WALL_DRAWS, field
from .parameters import FITTED, list_weights

_FAR, _MIDDLE, _NEAR = "three or more from ready", "two from ready", "one from ready, or ready"
_PHASES = (_FAR, _MIDDLE, _NEAR)
# These features of discards have a weight for each phase of the hand.
_IN_PHASES = (
    "honour", "terminal", "beside terminal", "valued honour", "pair", "triplet", "pair of honours", "one between",
    "one neighbour", "two neighbours", "pair with a neighbour", "unseen", "unseen honour", "tiles of its suit",
    "goes back", "useful tiles lost")
# These features of discards have one weight.
_ALWAYS = (
    "unseen early", "goes back by two", "honour early", "terminal early", "discarded by the next", "discarded across",
    "discarded by the one before", "discarded by itself", "discarded lately", "discarded lately, late in the game",
    "discarded, late in the game", "longest suit", "shortest suit", "own melds in its suit",
    "next one's melds in its suit", "unseen, melds of others", "valued honour late")
DISCARD_FEATURES = tuple("%s, %s" % pair for pair in (
    (name, phase) for phase in _PHASES for name in _IN_PHASES)) + _ALWAYS

COMES_NEARER = "comes nearer"
_CLAIM = ("first meld", "second meld", "later meld", "ready", "one from ready", _MIDDLE, "walls left", "worth",
          "melds of others", "first meld, walls left", "first meld, worth", COMES_NEARER)
_KONG = ("first meld", "later meld", "ready", "walls left")
# These are the groups of actions other than discards: name, first action, how many actions, features.
CORRECTED_ACTIONS = (
    ("chow", CHOW_BASE, ACTION_COUNT - CHOW_BASE, _CLAIM),
    ("pung", PUNG_BASE, TILE_COUNT, _CLAIM + ("valued honour", "other wind", "of three held")),
    ("open kong", OPEN_KONG_BASE, TILE_COUNT, _KONG + ("valued honour",)),
    ("concealed kong", CONCEALED_KONG_BASE, TILE_COUNT, _KONG),
    ("added kong", ADDED_KONG_BASE, TILE_COUNT, _KONG),
)
# These features are made of the points of an action minus those of the best action, but never of less than LEAST.
POINTS_FEATURES = tuple("points, discard, " + phase for phase in _PHASES) + (
    "points, claim", "points lost beyond one", "points lost up to 0.3")
CORRECTION_FEATURES = DISCARD_FEATURES + tuple(
    "%s: %s" % (group, name) for group, _, _, names in CORRECTED_ACTIONS for name in names) + POINTS_FEATURES
# Here the weights of discards end, then those of each group of CORRECTED_ACTIONS.
_ENDS = np.cumsum([len(DISCARD_FEATURES)] + [len(names) for _, _, _, names in CORRECTED_ACTIONS])
CORRECTION_WEIGHTS = list_weights(FITTED["correction"], CORRECTION_FEATURES)

LEAST = -8.0
_SMALL, _BIG = -0.3, -1.0
_LATELY = 4
_WORTH_OFFSET, _USUAL_LEVEL = 2.0, 2.0
_LEAST_WORTH = 0.05

_TILES = np.arange(TILE_COUNT)
_IS_SUITED = _TILES < FIRST_HONOUR
_SUITS = np.minimum(_TILES // 9, 3)
_RANKS = np.where(_IS_SUITED, _TILES % 9, -1)
_IS_TERMINAL = (_RANKS == 0) | (_RANKS == 8)
_IS_BESIDE = (_RANKS == 1) | (_RANKS == 7)


def _near(distance):
    """Returns float[34, 34]: 1 where two tiles of one suit are `distance` ranks apart, else 0."""
    apart = np.abs(_TILES[:, None] - _TILES) == distance
    return (apart & (_SUITS[:, None] == _SUITS) & _IS_SUITED & _IS_SUITED[:, None]).astype(np.float32)


_BESIDE, _ACROSS_ONE = _near(1), _near(2)
_IN_SUIT = (np.arange(4)[:, None] == _SUITS).astype(np.float32)
_EYE = np.eye(NONE + 1, dtype=np.float32)[:, :TILE_COUNT]
# This is uint8[97, 34]: the tiles that each pung and chow takes from the hand. Row 0 is action PUNG_BASE.
_TAKEN = np.zeros((ACTION_COUNT - PUNG_BASE, TILE_COUNT), np.uint8)
_TAKEN[_TILES, _TILES] = 2
for _index in range(CHOW_BASE, ACTION_COUNT):
    _middle, _claimed = split_chow_index(_index)
    _TAKEN[_index - PUNG_BASE, [tile for tile in range(_middle - 1, _middle + 2) if tile != _claimed]] = 1

Distances = namedtuple("Distances", "now after useful claimed")
Distances.__doc__ = """Keeps how far hands are from ready.

now: int[B], shanten. For a hand that is to discard it is the shanten after the best discard, or -1 if it is complete.
after: int[B, 34], shanten after each discard, 0 where no discard is to be chosen.
useful: bool[B, 34, 34], the tiles that lower the shanten after each discard.
claimed: int[B, 235], shanten after each legal chow or pung and its best discard; 0 for other actions.
"""


def measure_distances(observations: np.ndarray, masks: np.ndarray) -> Distances:
    """Returns how far the hands of some observations are from ready.

    observations: uint8[B, OBSERVATION_SIZE]. masks: bool[B, 235], the legal actions.
    """
    hands = np.ascontiguousarray(field(observations, "hand"))
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    now, _ = least_batch(hands, melds)
    after = np.zeros((len(observations), TILE_COUNT), np.int64)
    useful = np.zeros((len(observations), TILE_COUNT, TILE_COUNT), bool)
    discards = np.flatnonzero(hands.sum(1) + 3 * melds == 14)
    if len(discards):
        after[discards], tiles = discard_batch(hands[discards], melds[discards])
        useful[discards] = unpack_tiles(tiles)
    claimed = np.zeros((len(hands), ACTION_COUNT), np.int64)
    rows, claims = np.nonzero(masks[:, PUNG_BASE:])
    if len(rows):
        claimed[rows, PUNG_BASE + claims] = least_batch(hands[rows] - _TAKEN[claims], melds[rows] + 1)[0]
    return Distances(now.astype(np.int64), after, useful, claimed)


class Position(object):
    """Keeps what several features need, for B observations. Each array has a row for each observation.

    observations: uint8[B, OBSERVATION_SIZE]. distances: how far the hands are from ready.
    hand, unseen: [B, 34], copies of each tile in hand, and unseen. melds: [B], number of own melds.
    others: [B], the most melds that any other seat has, / 2. walls: [B], share of all walls that is left.
    is_claim: [B], whether a claim is to be decided. level: [B], logarithm of the worth of the hand, shifted.
    now: [B], shanten, at least 0. phases: bool[3, B], which of the _PHASES the hand is in.
    is_valued: bool[B, 34], whether a pung of the tile counts two fan.
    """

    def __init__(self, observations: np.ndarray, distances: Distances, worths: np.ndarray) -> None:
        """Reads the observations. worths: float[B], worth of each hand after the action of most points."""
        self.distances = distances
        self.count = len(observations)
        self.observations = observations
        self.hand = field(observations, "hand").astype(np.int64)
        self.unseen = field(observations, "unseen").astype(np.float32)
        meld_types = field(observations, "meld_kind")
        self.melds = (meld_types[:, 0] > 0).sum(1)
        self.others = (meld_types[:, 1:] > 0).sum(2).max(1) / 2
        self.walls = field(observations, "walls").sum(1) / float(4 * WALL_DRAWS)
        self.is_claim = field(observations, "task")[:, 0] == CLAIM
        self.level = np.log(np.maximum(worths, _LEAST_WORTH) + _WORTH_OFFSET) - _USUAL_LEVEL
        self.now = np.maximum(distances.now, 0)
        self.phases = np.stack([self.now >= 3, self.now == 2, self.now <= 1])
        self.is_valued = np.zeros((self.count, TILE_COUNT), bool)
        self.is_valued[:, FIRST_DRAGON:] = True
        for name in ("seat_wind", "prevalent_wind"):
            winds = FIRST_HONOUR + field(observations, name)[:, 0].astype(np.int64)
            self.is_valued[np.arange(self.count), winds] = True


def list_discard_features(position: Position) -> np.ndarray:
    """Returns the features of each discard, float32[len(DISCARD_FEATURES), B, 34]."""
    values = dict(_describe_tiles(position), **_describe_distances(position), **_describe_table(position))
    features = np.zeros((len(DISCARD_FEATURES), position.count, TILE_COUNT), np.float32)
    in_phases = [(name, is_now) for is_now in position.phases for name in _IN_PHASES]
    for row, (name, is_now) in enumerate(in_phases):
        features[row] = np.asarray(values[name], np.float32) * is_now[:, None]
    for row, name in enumerate(_ALWAYS, len(in_phases)):
        features[row] = values[name]
    return features


def _describe_tiles(position):
    """Returns the features that tell what the tile is in the hand, {name: values by tile}."""
    hand, unseen, walls = position.hand, position.unseen, position.walls[:, None]
    held = (hand > 0).astype(np.float32)
    beside, across_one = held @ _BESIDE, held @ _ACROSS_ONE
    is_single = (hand == 1) & _IS_SUITED
    in_suits = hand @ _IN_SUIT[:3].T
    length = (in_suits @ _IN_SUIT[:3]).astype(np.float32)
    return {
        "honour": ~_IS_SUITED,
        "terminal": _IS_TERMINAL,
        "beside terminal": _IS_BESIDE,
        "valued honour": position.is_valued,
        "pair": hand == 2,
        "triplet": hand >= 3,
        "pair of honours": (hand == 2) & ~_IS_SUITED,
        "one between": is_single & (beside == 0) & (across_one > 0),
        "one neighbour": is_single & (beside == 1),
        "two neighbours": is_single & (beside == 2),
        "pair with a neighbour": (hand == 2) & (beside > 0),
        "unseen": unseen / 4,
        "unseen honour": unseen / 4 * ~_IS_SUITED,
        "tiles of its suit": length / 5,
        "unseen early": unseen / 4 * walls,
        "honour early": ~_IS_SUITED * walls,
        "terminal early": _IS_TERMINAL * walls,
        "longest suit": (length == in_suits.max(1)[:, None]) & _IS_SUITED,
        "shortest suit": (length == in_suits.min(1)[:, None]) & _IS_SUITED,
        "valued honour late": position.is_valued * (1 - walls),
    }


def _describe_distances(position):
    """Returns the features that compare the shanten and the useful tiles after the discard with the best ones."""
    after = position.distances.after
    best = after.min(1)[:, None]
    useful = (position.distances.useful @ position.unseen[..., None])[..., 0]
    # Useful copies are compared with those of the discards to the lowest shanten only.
    nearest_useful = np.where(after == best, useful, 0)
    return {
        "goes back": after > best,
        "useful tiles lost": np.where(after == best, useful - nearest_useful.max(1)[:, None], 0) / 10,
        "goes back by two": after > best + 1,
    }


def _describe_table(position):
    """Returns the features that tell what the other seats did."""
    walls = position.walls[:, None]
    tiles = field(position.observations, "river_tile")
    times = field(position.observations, "river_time").astype(np.int64)
    clock = field(position.observations, "discard_count").astype(np.int64)[:, :, None]
    rivers = _count(tiles, tiles < NONE) > 0
    is_late = _count(tiles, (tiles < NONE) & (clock - times <= _LATELY)).any(1)
    melds = _meld_suits(position.observations)
    return {
        "discarded by the next": rivers[:, 1],
        "discarded across": rivers[:, 2],
        "discarded by the one before": rivers[:, 3],
        "discarded by itself": rivers[:, 0],
        "discarded lately": is_late,
        "discarded lately, late in the game": is_late * (1 - walls),
        "discarded, late in the game": rivers[:, 1:].any(1) * (1 - walls),
        "own melds in its suit": melds[:, 0] / 2,
        "next one's melds in its suit": melds[:, 1] / 2,
        "unseen, melds of others": position.unseen / 4 * position.others[:, None],
    }


def _count(tiles, is_counted):
    """Returns how many copies of each tile are counted, int64[B, 4, 34]. tiles, is_counted: [B, 4, N]."""
    rows = np.arange(tiles.shape[0] * 4).reshape(-1, 4, 1) * (NONE + 1) + tiles
    counts = np.bincount(rows[is_counted], minlength=tiles.shape[0] * 4 * (NONE + 1))
    return counts.reshape(-1, 4, NONE + 1)[..., :TILE_COUNT]


def _meld_suits(observations):
    """Returns how many melds each seat has in the suit of each tile, float32[B, 4, 34]; 0 for honours."""
    laid = _EYE[field(observations, "meld_tile")] * (field(observations, "meld_kind") > 0)[..., None]
    return (laid.sum(2) @ _IN_SUIT[:3].T) @ _IN_SUIT[:3]


def list_claim_features(position: Position) -> List[np.ndarray]:
    """Returns the features of each group of CORRECTED_ACTIONS, a list of float32[F, B].

    COMES_NEARER depends on the action, so it is left at 0.
    """
    melds, now, walls = position.melds, np.minimum(position.now, 3), position.walls
    is_first = melds == 0
    claimed = np.minimum(field(position.observations, "last_tile")[:, 0], TILE_COUNT - 1).astype(np.int64)
    rows = np.arange(position.count)
    is_valued = position.is_valued[rows, claimed]
    of_claims = {
        "first meld": is_first, "second meld": melds == 1, "later meld": melds > 1, "ready": now == 0,
        "one from ready": now == 1, _MIDDLE: now == 2, "walls left": walls, "worth": position.level,
        "melds of others": position.others, "first meld, walls left": is_first * walls,
        "first meld, worth": is_first * position.level, COMES_NEARER: np.zeros(position.count),
        "valued honour": is_valued, "other wind": (claimed >= FIRST_HONOUR) & ~is_valued,
        "of three held": position.hand[rows, claimed] == 3,
    }
    of_kongs = dict(of_claims, **{"later meld": ~is_first, "walls left": walls - 0.5})
    return [np.stack([np.asarray((of_kongs if names[:len(_KONG)] == _KONG else of_claims)[name], np.float32)
                      for name in names]) for _, _, _, names in CORRECTED_ACTIONS]


def list_points_features(position: Position, lost: np.ndarray) -> np.ndarray:
    """Returns the features of the points, float32[len(POINTS_FEATURES), B, 235].

    lost: float[B, 235], points of each action less those of the best action, as compute_lost returns them.
    """
    is_discard = ~position.is_claim
    return np.stack([lost * (phase & is_discard)[:, None] for phase in position.phases] + [
        lost * position.is_claim[:, None], np.minimum(lost - _BIG, 0), np.maximum(lost, _SMALL)]).astype(np.float32)


def compute_lost(points: np.ndarray) -> np.ndarray:
    """Returns float[B, 235]: points of each action less those of the best one, at least LEAST; 0 for illegal actions.
    """
    lost = points - points.max(1)[:, None]
    return np.where(np.isfinite(points), np.maximum(lost, LEAST), 0)


def compute_nearer(position: Position, masks: np.ndarray) -> np.ndarray:
    """Returns float32[B, 235]: 1 where a legal chow or pung lowers the shanten, -1 where it raises the shanten, else 0.
    """
    nearer = np.clip(position.distances.now[:, None] - position.distances.claimed, -1, 1)
    return np.where(masks & position.is_claim[:, None], nearer, 0).astype(np.float32)


def correct_points(
        points: np.ndarray, observations: np.ndarray, distances: Distances, *, worths: np.ndarray,
        weights: Sequence[float] = CORRECTION_WEIGHTS) -> np.ndarray:
    """Returns the corrected points of actions, float64[B, 235]. The highest points of a row do not change.

    points: float[B, 235], minus infinity for illegal actions. observations: uint8[B, OBSERVATION_SIZE].
    distances: how far the hands are from ready, as measure_distances returns it.
    worths: float[B], worth of each hand after the action of most points.
    weights: a weight for each of CORRECTION_FEATURES.
    Raises MemoryError: numpy would not have enough memory.
    """
    check_room()
    of_discards, *of_groups, of_points = np.split(np.asarray(weights), _ENDS)
    best = points.max(1)[:, None]
    masks = np.isfinite(points)
    position = Position(observations, distances, worths)
    corrected = np.tensordot(of_points, list_points_features(position, compute_lost(points)), 1)
    corrected[:, DISCARD_BASE:DISCARD_BASE + TILE_COUNT] += np.tensordot(
        of_discards, list_discard_features(position), 1)
    nearer = compute_nearer(position, masks)
    for (_, first, count, names), of_group, features in zip(
            CORRECTED_ACTIONS, of_groups, list_claim_features(position)):
        added = (of_group @ features)[:, None]
        if COMES_NEARER in names:
            added = added + of_group[names.index(COMES_NEARER)] * nearer[:, first:first + count]
        corrected[:, first:first + count] += added
    # The features see losses down to LEAST only. What an action loses beyond is subtracted as it is.
    corrected += np.minimum(points - best - LEAST, 0)
    corrected = np.where(masks, corrected, -np.inf)
    return corrected - corrected.max(1)[:, None] + best
