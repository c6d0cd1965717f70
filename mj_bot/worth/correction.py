"""Corrects the points of actions by how much more or less such actions brought in games of the search.

A linear model of an action by the named features below, fitted by `mj-bot fit correction` to the results of actions
that were drawn at random among those of nearly equal points. The points ignore that a hand can step back from ready,
that the first claim opens it, that a kong draws another tile, and that a tile which nobody can wait for is worth
keeping.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE,
    split_chow_index)
from ..mahjong.shanten_tables import discard_batch, least_batch, unpack_tiles
from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CLAIM, NONE, WALL_DRAWS, field
from .fitted import FITTED, list_weights

_FAR, _MIDDLE, _NEAR = "three or more from ready", "two from ready", "one from ready, or ready"
_PHASES = (_FAR, _MIDDLE, _NEAR)
# Features with a weight for each phase, and with one for all.
_IN_PHASES = (
    "honour", "terminal", "beside terminal", "valued honour", "pair", "triplet", "pair of honours", "one between",
    "one neighbour", "two neighbours", "pair with a neighbour", "unseen", "unseen honour", "tiles of its suit",
    "goes back", "useful tiles lost")
_ALWAYS = (
    "unseen early", "goes back by two", "honour early", "terminal early", "discarded by the next", "discarded across",
    "discarded by the one before", "discarded by itself", "discarded lately", "discarded lately, late in the game",
    "discarded, late in the game", "longest suit", "shortest suit", "own melds in its suit",
    "next one's melds in its suit", "unseen, melds of others", "valued honour late")
DISCARD_FEATURES = tuple("%s, %s" % pair for pair in (
    (name, phase) for phase in _PHASES for name in _IN_PHASES)) + _ALWAYS
_DISCARD_PLACES = {name: place for place, name in enumerate(DISCARD_FEATURES)}

COMES_NEARER = "comes nearer"
_CLAIM = ("first meld", "second meld", "later meld", "ready", "one from ready", _MIDDLE, "walls left", "worth",
          "melds of others", "first meld, walls left", "first meld, worth", COMES_NEARER)
_KONG = ("first meld", "later meld", "ready", "walls left")
# Kinds of actions apart from discards: first action, how many, features.
CORRECTED_ACTIONS = (
    ("chow", CHOW_BASE, ACTION_COUNT - CHOW_BASE, _CLAIM),
    ("pung", PUNG_BASE, TILE_COUNT, _CLAIM + ("valued honour", "other wind", "of three held")),
    ("open kong", OPEN_KONG_BASE, TILE_COUNT, _KONG + ("valued honour",)),
    ("concealed kong", CONCEALED_KONG_BASE, TILE_COUNT, _KONG),
    ("added kong", ADDED_KONG_BASE, TILE_COUNT, _KONG),
)
# Features of points less the best action's, at least LEAST.
POINTS_FEATURES = tuple("points, discard, " + phase for phase in _PHASES) + (
    "points, claim", "points lost beyond one", "points lost up to 0.3")
CORRECTION_FEATURES = DISCARD_FEATURES + tuple(
    "%s: %s" % (kind, name) for kind, _, _, names in CORRECTED_ACTIONS for name in names) + POINTS_FEATURES
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
    """Returns float[34, 34], 1 where two tiles of one suit are `distance` ranks apart."""
    apart = np.abs(_TILES[:, None] - _TILES) == distance
    return (apart & (_SUITS[:, None] == _SUITS) & _IS_SUITED & _IS_SUITED[:, None]).astype(np.float32)


_BESIDE, _ACROSS_ONE = _near(1), _near(2)
_IN_SUIT = (np.arange(4)[:, None] == _SUITS).astype(np.float32)
_EYE = np.eye(NONE + 1, dtype=np.float32)[:, :TILE_COUNT]
# The tiles that pungs and chows take from the hand, by action from PUNG_BASE on.
_TAKEN = np.zeros((ACTION_COUNT - PUNG_BASE, TILE_COUNT), np.uint8)
_TAKEN[_TILES, _TILES] = 2
for _index in range(CHOW_BASE, ACTION_COUNT):
    _middle, _claimed = split_chow_index(_index)
    _TAKEN[_index - PUNG_BASE, [tile for tile in range(_middle - 1, _middle + 2) if tile != _claimed]] = 1

Distances = namedtuple("Distances", "now after useful claimed")
Distances.__doc__ = """How far hands are from ready.

now: int[B], shanten; where a discard is pending, after the best one. after: int[B, 34], shanten after each discard;
useful: bool[B, 34, 34], the tiles that lower it then; both count where a discard is pending. claimed: int[B, 235],
shanten after a chow or pung and its best discard; counts where it is legal.
"""


def measure_distances(observations, masks):
    """Returns the Distances of hands.

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
    """Keeps the inputs that features share; each array has a row for each observation.

    observations: uint8[B, OBSERVATION_SIZE]. distances: Distances of their hands.
    worths: float[B], worth of each hand after its best action by the points.
    """

    def __init__(self, observations, distances, worths):
        self.distances = distances
        self.count = len(observations)
        self.observations = observations
        self.hand = field(observations, "hand").astype(np.int64)
        self.unseen = field(observations, "unseen").astype(np.float32)
        kinds = field(observations, "meld_kind")
        self.melds = (kinds[:, 0] > 0).sum(1)
        self.others = (kinds[:, 1:] > 0).sum(2).max(1) / 2
        self.walls = field(observations, "walls").sum(1) / float(4 * WALL_DRAWS)
        self.is_claim = field(observations, "task")[:, 0] == CLAIM
        self.level = np.log(np.maximum(worths, _LEAST_WORTH) + _WORTH_OFFSET) - _USUAL_LEVEL
        self.now = np.maximum(distances.now, 0)
        # By _PHASES.
        self.phases = np.stack([self.now >= 3, self.now == 2, self.now <= 1])
        self.is_valued = np.zeros((self.count, TILE_COUNT), bool)
        self.is_valued[:, FIRST_DRAGON:] = True
        for name in ("seat_wind", "prevalent_wind"):
            winds = FIRST_HONOUR + field(observations, name)[:, 0].astype(np.int64)
            self.is_valued[np.arange(self.count), winds] = True


def list_discard_features(position):
    """Returns the features of discards, float32[len(DISCARD_FEATURES), B, 34]."""
    features = np.zeros((len(DISCARD_FEATURES), position.count, TILE_COUNT), np.float32)

    def put(name, values):
        features[_DISCARD_PLACES[name]] = values

    def put_in_phases(name, values):
        column = np.asarray(values, np.float32)
        for phase, is_now in zip(_PHASES, position.phases):
            put("%s, %s" % (name, phase), column * is_now[:, None].astype(np.float32))

    hand, unseen, walls = position.hand, position.unseen, position.walls[:, None]
    held = (hand > 0).astype(np.float32)
    beside, across_one = held @ _BESIDE, held @ _ACROSS_ONE
    is_single = (hand == 1) & _IS_SUITED
    in_suits = hand @ _IN_SUIT[:3].T
    length = (in_suits @ _IN_SUIT[:3]).astype(np.float32)
    after = position.distances.after
    best = after.min(1)[:, None]
    useful = (position.distances.useful @ unseen[..., None])[..., 0]
    # Useful copies, only for discards to the lowest shanten.
    lost = np.where(after == best, useful, 0)
    put_in_phases("honour", ~_IS_SUITED)
    put_in_phases("terminal", _IS_TERMINAL)
    put_in_phases("beside terminal", _IS_BESIDE)
    put_in_phases("valued honour", position.is_valued)
    put_in_phases("pair", hand == 2)
    put_in_phases("triplet", hand >= 3)
    put_in_phases("pair of honours", (hand == 2) & ~_IS_SUITED)
    put_in_phases("one between", is_single & (beside == 0) & (across_one > 0))
    put_in_phases("one neighbour", is_single & (beside == 1))
    put_in_phases("two neighbours", is_single & (beside == 2))
    put_in_phases("pair with a neighbour", (hand == 2) & (beside > 0))
    put_in_phases("unseen", unseen / 4)
    put_in_phases("unseen honour", unseen / 4 * ~_IS_SUITED)
    put_in_phases("tiles of its suit", length / 5)
    put_in_phases("goes back", after > best)
    put_in_phases("useful tiles lost", np.where(after == best, useful - lost.max(1)[:, None], 0) / 10)

    tiles = field(position.observations, "river_tile")
    times = field(position.observations, "river_time").astype(np.int64)
    clock = field(position.observations, "discard_count").astype(np.int64)[:, :, None]
    rivers = _count(tiles, tiles < NONE) > 0
    is_late = _count(tiles, (tiles < NONE) & (clock - times <= _LATELY)).any(1)
    melds = _meld_suits(position.observations)
    put("unseen early", unseen / 4 * walls)
    put("goes back by two", after > best + 1)
    put("honour early", ~_IS_SUITED * walls)
    put("terminal early", _IS_TERMINAL * walls)
    put("discarded by the next", rivers[:, 1])
    put("discarded across", rivers[:, 2])
    put("discarded by the one before", rivers[:, 3])
    put("discarded by itself", rivers[:, 0])
    put("discarded lately", is_late)
    put("discarded lately, late in the game", is_late * (1 - walls))
    put("discarded, late in the game", rivers[:, 1:].any(1) * (1 - walls))
    put("longest suit", (length == in_suits.max(1)[:, None]) & _IS_SUITED)
    put("shortest suit", (length == in_suits.min(1)[:, None]) & _IS_SUITED)
    put("own melds in its suit", melds[:, 0] / 2)
    put("next one's melds in its suit", melds[:, 1] / 2)
    put("unseen, melds of others", unseen / 4 * position.others[:, None])
    put("valued honour late", position.is_valued * (1 - walls))
    return features


def _count(tiles, is_counted):
    """Returns the copies of each tile among those counted, int64[B, 4, 34].

    tiles: [B, 4, N]. is_counted: bool[B, 4, N].
    """
    rows = np.arange(tiles.shape[0] * 4).reshape(-1, 4, 1) * (NONE + 1) + tiles
    counts = np.bincount(rows[is_counted], minlength=tiles.shape[0] * 4 * (NONE + 1))
    return counts.reshape(-1, 4, NONE + 1)[..., :TILE_COUNT]


def _meld_suits(observations):
    """Returns how many melds each seat has in the suit of each tile, float32[B, 4, 34]. Honours count nothing."""
    laid = _EYE[field(observations, "meld_tile")] * (field(observations, "meld_kind") > 0)[..., None]
    return (laid.sum(2) @ _IN_SUIT[:3].T) @ _IN_SUIT[:3]


def list_kind_features(position):
    """Returns the features of CORRECTED_ACTIONS, one after another, float32[N, B]. COMES_NEARER is left at 0."""
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
    return np.stack([np.asarray((of_kongs if names[:len(_KONG)] == _KONG else of_claims)[name], np.float32)
                     for _, _, _, names in CORRECTED_ACTIONS for name in names])


def list_points_features(position, lost):
    """Returns float32[len(POINTS_FEATURES), B, 235]. lost: float[B, 235], as compute_lost returns it."""
    is_discard = ~position.is_claim
    return np.stack([lost * (phase & is_discard)[:, None] for phase in position.phases] + [
        lost * position.is_claim[:, None], np.minimum(lost - _BIG, 0), np.maximum(lost, _SMALL)]).astype(np.float32)


def compute_lost(points):
    """Returns points less those of the best action, LEAST at least, and 0 for illegal actions.

    points: float[B, 235].
    """
    lost = points - points.max(1)[:, None]
    return np.where(np.isfinite(points), np.maximum(lost, LEAST), 0)


def compute_nearer(position, masks):
    """Returns float32[B, 235]: 1 where a legal claim lowers the shanten, -1 where it raises the shanten, else 0."""
    nearer = np.clip(position.distances.now[:, None] - position.distances.claimed, -1, 1)
    return np.where(masks & position.is_claim[:, None], nearer, 0).astype(np.float32)


def correct_points(points, observations, distances, *, worths, weights=CORRECTION_WEIGHTS):
    """Returns the corrected points of actions, float64[B, 235]; the highest points of a row do not change.

    points: float[B, 235], minus infinity for illegal actions. observations: uint8[B, OBSERVATION_SIZE].
    distances: Distances of the hands. worths: float[B], worth of each hand after its best action by the points.
    weights: a weight for each of FEATURES.
    """
    weights = np.asarray(weights)
    best = points.max(1)[:, None]
    masks = np.isfinite(points)
    position = Position(observations, distances, worths)
    kinds, scales = len(DISCARD_FEATURES), len(CORRECTION_FEATURES) - len(POINTS_FEATURES)
    found = np.tensordot(weights[scales:], list_points_features(position, compute_lost(points)), 1)
    found[:, DISCARD_BASE:DISCARD_BASE + TILE_COUNT] += np.tensordot(
        weights[:kinds], list_discard_features(position), 1)
    found += _weigh_kinds(weights[kinds:scales], position, masks)
    # Losses beyond LEAST count in full.
    found += np.minimum(points - best - LEAST, 0)
    found = np.where(masks, found, -np.inf)
    return found - found.max(1)[:, None] + best


def _weigh_kinds(weights, position, masks):
    features, nearer = list_kind_features(position), compute_nearer(position, masks)
    found = np.zeros(masks.shape)
    at = 0
    for _, first, count, names in CORRECTED_ACTIONS:
        rows = slice(at, at + len(names))
        actions = slice(first, first + count)
        found[:, actions] += (weights[rows] @ features[rows])[:, None]
        if COMES_NEARER in names:
            found[:, actions] += weights[at + names.index(COMES_NEARER)] * nearer[:, actions]
        at += len(names)
    return found
