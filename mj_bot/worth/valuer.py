"""Values many decisions at once: the points of each action, from the worth of the hands that it leads to.

Decisions are uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]; wins are not valued.

The functions below Valuer are compiled where numba is installed. A function that counts fans takes `is_pending`, which
decisions it is to compute. It clears the entry of a decision unless MahjongGB must count more fans first.
"""

from collections import namedtuple
from typing import List, NamedTuple, Tuple

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.shanten_tables import load_missing, make_scratch, shanten_least
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.fan_memo import FanMemo
from ..observation.layout import AT, field
from ..observation.openings import MOST_ACTIONS, UNCHANGED, Openings, list_openings, make_openings
from .correction import correct_points, measure_distances
from .danger import DANGER_FEATURES, set_dangers
from .hand_record import read_melds
from .parameters import Parameters
from .patterns import BASE_PAY, PATTERNS, WIND_COUNT
from .points import POINTS_ROUNDING, expect_points, weigh_risk
from .rows import load_rows
from .settings import make_settings, prepare_chances
from .value import WorthBuffers, make_buffers, set_sums, sum_patterns, value_changes
from .waits import NOT_COUNTED, Counting, Seat, add_next_draws, list_near, value_next_draw, value_waits

# The columns of a valued action are the sum of its targets to the power of sharpness, and its points.
TARGETS, POINTS = range(2)
VALUE_COLUMNS = 2
_DRAGONS = sum(1 << honour for honour in range(WIND_COUNT, TILE_COUNT - FIRST_HONOUR))
_FANS_KEPT = 1 << 16
_NEEDS_SHOWN = 6
# A tile is listed if it raises the worth by more than this share of what the best tile does.
_LEAST_SHARE = 0.5

Hand = namedtuple("Hand", "counts melds unseen draws valued")
Hand.__doc__ = """Keeps a hand and what its worth depends on.

counts, unseen: sequences of 34 ints, concealed and unseen copies of each tile.
melds: list of (CHOW .. CONCEALED_KONG, tile), for chows the middle tile.
draws: tiles left in the own wall. valued: set of the honours 0..6 whose pung counts two fan.
"""


class ActionValues(NamedTuple):
    """Keeps the values of the actions of M decisions. A claim has those of its best discard."""

    points: np.ndarray  # float64[M, 235], points weighed against the risk, minus infinity for illegal actions
    worths: np.ndarray  # float64[M, 235], worth of the hand after the action
    dangers: np.ndarray  # float64[M, 235], chance that the discard deals in


class Scratch(NamedTuple):
    """Keeps the memory of one thread for one decision after another, always with the same settings."""

    openings: Openings
    records: WorthBuffers
    counting: Counting
    dangers: np.ndarray  # float64[34], chance that each discard deals in
    features: np.ndarray  # float64[F], work space of danger.set_dangers


class Valuer(object):
    """Values decisions by some parameters. A Valuer serves one thread.

    valued: float64[M, MOST_ACTIONS, VALUE_COLUMNS], what the latest value_batch() computed; an interrupted call
        leaves what it had done. The actions are in the order of GameState.action_space(), a claim with each discard.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._settings = make_settings(parameters)
        self._fans = FanMemo(_FANS_KEPT)
        counting = Counting(load_missing(), make_scratch(), self._fans.memo)
        self._scratch = Scratch(
            make_openings(), make_buffers(), counting, np.zeros(TILE_COUNT), np.zeros(len(DANGER_FEATURES)))
        self.valued = None

    def value_batch(self, observations: np.ndarray, masks: np.ndarray) -> ActionValues:
        """Returns the values of all legal actions.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        values = ActionValues(np.full(masks.shape, -np.inf), *np.zeros((2,) + masks.shape))
        self.valued = np.zeros((len(masks), MOST_ACTIONS, VALUE_COLUMNS))
        prepare_chances(self._settings, np.maximum(1, observations[:, AT.walls]),
                        field(observations, "unseen").sum(1, dtype=np.int64))
        _value_rows(load_rows(), self._settings, self._scratch, observations, masks, self.valued)
        self._run(_weigh_rows, np.ones(len(masks), bool), observations, masks, self.valued, values)
        return values

    def correct(self, observations: np.ndarray, masks: np.ndarray, points: np.ndarray, *,
                worths: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Returns (corrected points, what the next draw added to them), both float64[M, 235].

        correction.py corrects the points, then waits.py compares nearly equal discards.
        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        points, worths: float64[M, 235], as value_batch returns them.
        """
        added = np.zeros(points.shape)
        if self.parameters.correction:
            distances = measure_distances(observations, masks)
            points = correct_points(points, observations, distances,
                                    worths=worths[np.arange(len(masks)), choose_best(points)])
            if self.parameters.next_draw:
                nears = list_near(points, distances)
                next_draws = np.zeros(nears.shape)
                self._run(_next_draw_rows, nears.any(1), observations, masks, nears, next_draws)
                points, added = add_next_draws(points, nears, next_draws)
        return points, added

    def _run(self, stage, is_pending, *arguments):
        """Calls a compiled function of this file until the fans of all rows are counted. is_pending: bool[M]."""
        while is_pending.any():
            stage(self._settings, self._scratch, is_pending, *arguments)
            self._fans.answer_notes()

    def explain(self, hand: Hand, worth: float, waits: List[Tuple]) -> Tuple[List[float], List[int]]:
        """Returns (shares of the worth, tiles that the hand needs).

        The shares are a list: what each of PATTERNS and then the waits add to worth ** sharpness. The tiles are at most
        six of 0..33 whose draw raises the worth most, the best first.
        hand: Hand of 13 tiles, less 3 for each meld. worth: its worth in points. waits: its waits, as waits.list_waits
            returns them.
        """
        tiles = [tile for tile, count in enumerate(hand.unseen) if count]
        shares, draws = self.value_hand(hand, tiles, 1)
        shares, sharpness = shares.tolist(), self.parameters.sharpness
        shares.append(max(0.0, worth ** sharpness - sum(shares)) if waits else 0.0)
        wins = {tile: self.parameters.ready * (BASE_PAY + (fan or drawn)) ** sharpness for tile, fan, drawn in waits}
        gains = {tile: (total + wins.get(tile, 0.0)) ** (1 / sharpness) - worth
                 for tile, total in zip(tiles, draws.tolist())}
        least = max(0.0, _LEAST_SHARE * max(gains.values(), default=0.0))
        # Gains are rounded, so that tiles with equal gains are in tile order.
        ranked = sorted(gains, key=lambda tile: (-round(gains[tile], 6), tile))
        return shares, [tile for tile in ranked[:_NEEDS_SHOWN] if gains[tile] > least]

    def value_hand(self, hand: Hand, tiles: List[int], change: int) -> Tuple[np.ndarray, np.ndarray]:
        """Returns the worth of a hand, and its worth after each of some tiles has come or gone.

        The first is float64[13], by pattern. The second is float64[len(tiles)]. Both are to the power of sharpness.
        tiles: tiles 0..33 in rising order. change: 1 to draw each tile, which is then no longer unseen; -1 to discard
            it.
        """
        openings = self._scratch.openings
        openings.counts[0] = hand.counts
        openings.melds[0, :len(hand.melds)] = np.array(hand.melds, np.int64).reshape(-1, 2)
        openings.meld_count[0], openings.changed[0] = len(hand.melds), UNCHANGED
        openings.unseen[:] = hand.unseen
        draws, valued = max(1, hand.draws), sum(1 << honour for honour in hand.valued)
        prepare_chances(self._settings, np.array([draws]), np.array([sum(hand.unseen)]))
        pattern_worths, worths = np.zeros(len(PATTERNS)), np.zeros(len(tiles))
        numbers = draws, valued, sum(1 << tile for tile in tiles), change
        _value_hand(load_rows(), self._settings, self._scratch, numbers, pattern_worths, worths)
        return pattern_worths, worths


def choose_best(points: np.ndarray) -> np.ndarray:
    """Returns the actions of most points, int[M]. Of equal actions it is the first. points: float[M, 235]."""
    return prefer_best(points).argmax(1)


def prefer_best(points: np.ndarray) -> np.ndarray:
    """Returns bool[M, 235]: True for the actions of most points, except for differences by rounding."""
    return points >= points.max(1)[:, None] - POINTS_ROUNDING


@jit
def _value_rows(suit_rows, settings, scratch, observations, masks, valued):
    """Writes the sum of the targets of each action into column TARGETS."""
    for row in range(len(masks)):
        count = list_openings(observations[row], masks[row], scratch.openings)
        hand = scratch.records.hand[0]
        hand.valued = (
            _DRAGONS | 1 << int(observations[row, AT.seat_wind]) | 1 << int(observations[row, AT.prevalent_wind]))
        hand.draws = max(1, int(observations[row, AT.walls]))
        listed = 0
        for opening in range(count):
            listed += _value_opening(suit_rows, settings, scratch, opening, valued[row, listed:])


@jit_part
def _value_opening(suit_rows, settings, scratch, opening, valued):
    """Writes the sum of the targets after each discard of an opening into `valued`, and returns how many there are."""
    openings, records = scratch.openings, scratch.records
    discards = int(openings.discards[opening])
    _set_opening(openings, opening, records.hand[0])
    set_sums(suit_rows, settings, records)
    if discards == 0:
        valued[0, TARGETS] = sum_patterns(settings, records)
        return 1
    return value_changes(suit_rows, settings, records, discards, -1, valued[:, TARGETS])


@jit_part
def _set_opening(openings, opening, hand):
    """Writes the tiles and melds of an opening into the record of a hand."""
    hand.changed_suit = openings.changed[opening]
    hand.unseen_total = 0
    for tile in range(TILE_COUNT):
        hand.counts[tile], hand.unseen[tile] = openings.counts[opening, tile], openings.unseen[tile]
        hand.unseen_total += int(openings.unseen[tile])
    read_melds(hand, openings.melds[opening], openings.meld_count[opening])


@jit
def _weigh_rows(settings, scratch, is_pending, observations, masks, valued, action_values):
    """Writes the value of each action with each discard into `valued`, that of its best discard into action_values."""
    for row in range(len(masks)):
        if is_pending[row]:
            action_values.points[row] = -np.inf
            count = list_openings(observations[row], masks[row], scratch.openings)
            is_pending[row] = not _weigh_openings(
                settings, scratch, observations[row], count, valued[row], action_values, row)


@jit_part
def _weigh_openings(settings, scratch, observation, count, valued, action_values, row):
    """Writes the values of the actions of one decision. Returns whether the fans of all its ready hands are known."""
    openings, counting, values = scratch.openings, scratch.counting, settings.values
    points, worths, dangers = action_values.points[row], action_values.worths[row], action_values.dangers[row]
    tiles = 0
    for opening in range(count):
        tiles |= int(openings.discards[opening])
    if tiles:
        set_dangers(observation, settings.danger_weights, tiles, scratch.dangers, scratch.features)
    seat, walls_left = _read_seat(observation), int(observation[AT.walls:AT.walls + 4].sum())
    index = 0
    is_counted = True
    for opening in range(count):
        discards, counts = int(openings.discards[opening]), openings.counts[opening]
        # One look at the hand before the discard tells whether any discard can leave it ready.
        may_be_ready = shanten_least(counting.missing, counts, openings.meld_count[opening], counting.scratch)[0] <= 0
        for tile in range(TILE_COUNT):
            if discards >> tile & 1 or (discards == 0 and tile == 0):
                ready = 0.0
                if may_be_ready:
                    counts[tile] -= discards != 0
                    ready = value_waits(counting, settings, openings, opening, seat)
                    counts[tile] += discards != 0
                    is_counted = is_counted and ready != NOT_COUNTED
                total = valued[index, TARGETS] + values.ready * max(0.0, ready)
                worth = total ** (1 / values.sharpness)
                danger = scratch.dangers[tile] if discards else 0.0
                valued[index, POINTS] = weigh_risk(expect_points(worth, walls_left), min(1.0, values.danger * danger))
                action = openings.action[opening] + (tile if opening == 0 else 0)
                if valued[index, POINTS] > points[action]:
                    points[action], worths[action], dangers[action] = valued[index, POINTS], worth, danger
                index += 1
    return is_counted


@jit
def _next_draw_rows(settings, scratch, is_pending, observations, masks, nears, next_draws):
    """Writes the value of the next draw after the discards `nears`, bool[M, 34], into next_draws, float64[M, 34]."""
    openings = scratch.openings
    counts = openings.counts[0]
    for row in range(len(masks)):
        if not is_pending[row]:
            continue
        list_openings(observations[row], masks[row], openings)
        seat = _read_seat(observations[row])
        is_pending[row] = False
        for tile in range(TILE_COUNT):
            if nears[row, tile]:
                counts[tile] -= 1
                next_draws[row, tile] = value_next_draw(scratch.counting, settings, openings, 0, seat)
                counts[tile] += 1
                is_pending[row] |= next_draws[row, tile] == NOT_COUNTED


@jit_part
def _read_seat(observation):
    """Returns the winds of the observer and the tiles left in its wall."""
    return Seat(int(observation[AT.seat_wind]), int(observation[AT.prevalent_wind]), int(observation[AT.walls]))


@jit
def _value_hand(suit_rows, settings, scratch, numbers, pattern_worths, worths):
    """Writes the worth by pattern of the hand of the first opening, and its worth after some tiles come or go."""
    records = scratch.records
    hand = records.hand[0]
    hand.draws, hand.valued, tiles, change = numbers
    _set_opening(scratch.openings, 0, hand)
    set_sums(suit_rows, settings, records)
    sum_patterns(settings, records)
    for pattern in range(len(pattern_worths)):
        pattern_worths[pattern] = records.special[0].pattern_worths[pattern]
    value_changes(suit_rows, settings, records, tiles, change, worths)
