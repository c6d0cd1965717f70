"""Values many decisions at once: the points of each action, from the worth of the hands that it leads to.

Decisions are uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235], without a win. Actions are valued one by
one, a claim with each of its discards, in the order of GameState.action_space(): float64[M, MOST_ACTIONS,
VALUE_COLUMNS]. So the discard after a claim needs no valuation of its own where the same call has the claim.

The functions below Valuer are compiled where numba is installed. A function that counts fans works on `rows`: it moves
rows with hands that MahjongGB must count first to the front, for another call, and returns their number.
"""

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.action import ACTION_COUNT, DISCARD_BASE
from ..mahjong.shanten_tables import load_missing, make_scratch, shanten_least
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.fan_memo import FanMemo
from ..observation.layout import AT, CLAIM, FOLLOW, OBSERVATION_SIZE, BYTE_RANGES, field
from ..observation.openings import MOST_ACTIONS, UNCHANGED, Openings, list_openings, make_openings
from .correction import correct_points, measure_distances
from .danger import DANGER_FEATURES, set_dangers
from .hand_record import read_melds
from .next_draw import add_next_draws, list_near
from .patterns import BASE_PAY, PATTERNS, WIND_COUNT
from .points import POINTS_ROUNDING, expect_points, weigh_risk
from .rows import load_rows
from .settings import make_settings, prepare_chances
from .value import Records, make_records, set_sums, sum_patterns, value_changes
from .waits import NOT_COUNTED, Counting, Seat, value_next_draw, value_waits

# Columns of a valued action: its targets to the power of sharpness, the worth of the hand with its waits too, the
# chance that the discard is won on, the points.
TARGETS, WORTH, DANGER, POINTS = range(4)
VALUE_COLUMNS = 4
_DRAGONS = sum(1 << honour for honour in range(WIND_COUNT, TILE_COUNT - FIRST_HONOUR))
_FANS_KEPT = 1 << 16
_NEEDS_SHOWN = 6
# The bytes of an observation that an own claim leaves as they are.
_KEPT_BY_CLAIMS = np.ones(OBSERVATION_SIZE, bool)
for _name in ("task", "hand_sizes", "hand", "meld_kind", "meld_tile", "meld_claimed", "meld_giver", "meld_time",
              "river_claimer"):
    _KEPT_BY_CLAIMS[slice(*BYTE_RANGES[_name][:2])] = False
# Listed tiles add at least this share of what the best tile adds.
_LEAST_SHARE = 0.5

Corrected = namedtuple("Corrected", "points next_draws")
Corrected.__doc__ = """Points by action, float64[M, 235], and what the next draw adds to them, float64[M, 235]."""

Hand = namedtuple("Hand", "counts melds unseen draws valued")
Hand.__doc__ = """A hand by itself.

counts, unseen: sequences of 34 ints. melds: list of (kind, tile) as in an observation. draws: tiles left in the own
wall. valued: set of the honours 0..6 whose pung counts two fan.
"""


class Change(NamedTuple):
    """A hand's facts without its tiles and melds, and some tiles to draw or to discard."""

    draws: int  # tiles left in the own wall
    valued: int  # bit h where a pung of honour h counts two fan
    tiles: int  # bit t for tile t
    change: int  # 1 to draw them, -1 to discard them


class Scratch(NamedTuple):
    """Memory for one decision after another, always with the same Settings."""

    openings: Openings
    records: Records
    counting: Counting
    dangers: np.ndarray  # float64[34], of danger.py
    features: np.ndarray  # float64[F], of danger.py


class Valuer(object):
    """Values decisions by some parameters.Parameters; for one thread."""

    def __init__(self, parameters):
        self.parameters = parameters
        self._settings = make_settings(parameters)
        self._fans = FanMemo(_FANS_KEPT)
        counting = Counting(load_missing(), make_scratch(), self._fans.memo)
        self._scratch = Scratch(
            make_openings(), make_records(), counting, np.zeros(TILE_COUNT), np.zeros(len(DANGER_FEATURES)))
        self.valued = None  # of the latest value_actions(), also of one that was interrupted

    def value_actions(self, observations, masks):
        """Returns (points weighed against the risk, worths of the hands, dangers of the discards), float64[M, 235].

        A claim has the values of its best discard. Illegal actions have minus infinity points. A row that is the
        discard after a claim takes the values that the claim's own row has for it.
        """
        points = np.full((len(masks), ACTION_COUNT), -np.inf)
        worths, dangers = np.zeros((2, len(masks), ACTION_COUNT))
        self.valued = valued = np.zeros((len(masks), MOST_ACTIONS, VALUE_COLUMNS))
        prepare_chances(self._settings, np.maximum(1, observations[:, AT.walls]),
                        field(observations, "unseen").sum(1, dtype=np.int64))
        claim_rows = _find_claim_rows(observations)
        slots = np.full(len(masks), -1)
        _find_slots(self._scratch, np.flatnonzero(claim_rows >= 0), claim_rows, observations, masks, slots)
        rows = np.flatnonzero(slots < 0)
        _value_rows(load_rows(), self._settings, self._scratch, rows, observations, masks, valued)
        self._run(_weigh_rows, rows, observations, masks, valued, points, worths, dangers)
        for row in np.flatnonzero(slots >= 0):
            actions = DISCARD_BASE + np.flatnonzero(field(observations[row], "hand"))
            taken = valued[claim_rows[row], slots[row]:slots[row] + len(actions)]
            points[row, actions], worths[row, actions] = taken[:, POINTS], taken[:, WORTH]
            dangers[row, actions] = taken[:, DANGER]
        return np.where(masks, points, -np.inf), worths, dangers

    def correct(self, observations, masks, points, *, worths):
        """Returns the Corrected points: correction.py corrects them, next_draw.py compares nearly equal discards.

        points, worths: float64[M, 235], as value_actions returns them.
        """
        if not self.parameters.correction:
            return Corrected(points, np.zeros(points.shape))
        distances = measure_distances(observations, masks)
        points = correct_points(points, observations, distances,
                                worths=worths[np.arange(len(masks)), choose_best(points)])
        if not self.parameters.next_draw:
            return Corrected(points, np.zeros(points.shape))
        nears = list_near(points, distances)
        next_draws = np.zeros(nears.shape)
        self._run(_next_draw_rows, np.flatnonzero(nears.any(1)), observations, masks, nears, next_draws)
        return Corrected(*add_next_draws(points, nears, next_draws))

    def _run(self, stage, rows, *arguments):
        """Runs a compiled function of this file until the fans of all rows are counted."""
        while len(rows):
            rows = rows[:stage(self._settings, self._scratch, rows, *arguments)]
            self._fans.answer_notes()

    def explain(self, hand, worth, waits):
        """Returns what the worth of a hand is made of, and the tiles that the hand needs.

        The first is a list: what each of PATTERNS and then the waits add to worth ** sharpness. The second is a list of
        at most six tiles 0..33 whose draw raises the worth most, the best first.
        hand: Hand of 13 tiles, less 3 for each meld. worth: in points. waits: list, as waits.list_waits returns it.
        """
        tiles = [tile for tile, left in enumerate(hand.unseen) if left]
        parts, draws = self.value_hand(hand, tiles, 1)
        parts, sharpness = parts.tolist(), self.parameters.sharpness
        parts.append(max(0.0, worth ** sharpness - sum(parts)) if waits else 0.0)
        wins = {tile: self.parameters.ready * (BASE_PAY + (fan or drawn)) ** sharpness for tile, fan, drawn in waits}
        gains = {tile: (total + wins.get(tile, 0.0)) ** (1 / sharpness) - worth
                 for tile, total in zip(tiles, draws.tolist())}
        least = max(0.0, _LEAST_SHARE * max(gains.values(), default=0.0))
        # Rounded, so that equal ones are in tile order.
        ranked = sorted(gains, key=lambda tile: (-round(gains[tile], 6), tile))
        return parts, [tile for tile in ranked[:_NEEDS_SHOWN] if gains[tile] > least]

    def value_hand(self, hand, tiles, change):
        """Returns the worth of a Hand, to the power of sharpness, and its worth with one tile more or less.

        The first is float64[13], by pattern. The second is float64[len(tiles)], for each of the tiles.
        tiles: rising. change: 1 to draw the tile, which is then no longer unseen; -1 to discard it.
        """
        openings = self._scratch.openings
        openings.counts[0] = hand.counts
        openings.melds[0, :len(hand.melds)] = np.array(hand.melds, np.int64).reshape(-1, 2)
        openings.meld_count[0], openings.changed[0] = len(hand.melds), UNCHANGED
        openings.unseen[:] = hand.unseen
        changes = Change(max(1, hand.draws), sum(1 << honour for honour in hand.valued),
                         sum(1 << tile for tile in tiles), change)
        prepare_chances(self._settings, np.array([changes.draws]), np.array([sum(hand.unseen)]))
        parts, worths = np.zeros(len(PATTERNS)), np.zeros(len(tiles))
        _value_hand(load_rows(), self._settings, self._scratch, changes, parts, worths)
        return parts, worths


def choose_best(points):
    """Returns the actions of most points, int[M]. Of equal actions it is the first."""
    return prefer_best(points).argmax(1)


def prefer_best(points):
    """Returns bool[M, 235], True for the actions of most points. Points that differ by rounding alone are equal."""
    return points >= points.max(1)[:, None] - POINTS_ROUNDING


def _find_claim_rows(observations):
    """Returns int[M]: for the discard after a claim the latest row before it that may be about the claim, else -1."""
    tasks = observations[:, AT.task]
    claim_rows = np.maximum.accumulate(np.where(tasks == CLAIM, np.arange(len(tasks)), -1))
    claim_rows[tasks != FOLLOW] = -1
    rows = np.flatnonzero(claim_rows >= 0)
    is_other = observations[rows] != observations[claim_rows[rows]]
    claim_rows[rows[(is_other & _KEPT_BY_CLAIMS).any(1)]] = -1
    return claim_rows


@jit
def _find_slots(scratch, rows, claim_rows, observations, masks, slots):
    """Writes for each of `rows` where its first discard is among the valued actions of the claim's row."""
    openings = scratch.openings
    listed, count = -1, 0
    for row in rows:
        claim_row = claim_rows[row]
        if claim_row != listed:
            listed, count = claim_row, list_openings(observations[claim_row], masks[claim_row], openings)
        slot = 0
        for opening in range(count):
            if _is_hand_of(openings, opening, observations[row]):
                slots[row] = slot
            discards = 0
            for tile in range(TILE_COUNT):
                discards += openings.counts[opening, tile] > 0
            slot += discards if openings.discards[opening] else 1


@jit_part
def _is_hand_of(openings, opening, observation):
    """Checks whether an opening is the claim whose discard an observation asks for."""
    last = openings.meld_count[opening] - 1
    if opening == 0 or openings.discards[opening] == 0 or (
            openings.melds[opening, last, 0] != observation[AT.meld_kind + last]) or (
            openings.melds[opening, last, 1] != observation[AT.meld_tile + last]):
        return False
    for tile in range(TILE_COUNT):
        if openings.counts[opening, tile] != observation[AT.hand + tile]:
            return False
    return True


@jit
def _value_rows(suit_rows, settings, scratch, rows, observations, masks, valued):
    """Writes the worth of each action of `rows` by its targets. suit_rows: rows.RowIndex."""
    for row in rows:
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
    """Writes the worth by targets of each discard that may end an opening; returns how many.

    The rows written to are float64[., VALUE_COLUMNS].
    """
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
    """Gives a HAND the tiles and melds of an opening."""
    hand.changed_suit = openings.changed[opening]
    hand.unseen_total = 0
    for tile in range(TILE_COUNT):
        hand.counts[tile], hand.unseen[tile] = openings.counts[opening, tile], openings.unseen[tile]
        hand.unseen_total += int(openings.unseen[tile])
    read_melds(hand, openings.melds[opening], openings.meld_count[opening])


@jit
def _weigh_rows(settings, scratch, rows, observations, masks, valued, points, worths, dangers):
    """Writes the value of each action into `valued`, and that of its best discard into points, worths, dangers[M, 235].

    Returns the number of rows that must be called again, once MahjongGB has counted their hands.
    """
    left = 0
    for row in rows:
        count = list_openings(observations[row], masks[row], scratch.openings)
        if not _weigh_openings(settings, scratch, observations[row], count, valued[row], points[row], worths[row],
                               dangers[row]):
            rows[left] = row
            left += 1
    return left


@jit_part
def _weigh_openings(settings, scratch, observation, count, valued, points, worths, dangers):
    """Writes the value of the actions of one decision. Returns whether all its ready hands are counted."""
    openings, counting, values = scratch.openings, scratch.counting, settings.values
    points[:] = -np.inf
    tiles = 0
    for opening in range(count):
        tiles |= int(openings.discards[opening])
    if tiles:
        set_dangers(observation, settings.danger_weights, tiles, scratch.dangers, scratch.features)
    seat = _read_seat(observation)
    walls_left = 0
    for offset in range(4):
        walls_left += int(observation[AT.walls + offset])
    index = 0
    is_counted = True
    for opening in range(count):
        discards, counts = int(openings.discards[opening]), openings.counts[opening]
        # Ready, or ready after a discard: one look instead of eleven.
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
                valued[index, WORTH], valued[index, DANGER] = worth, danger
                valued[index, POINTS] = weigh_risk(expect_points(worth, walls_left), min(1.0, values.danger * danger))
                action = openings.action[opening] + (tile if opening == 0 else 0)
                if valued[index, POINTS] > points[action]:
                    points[action], worths[action], dangers[action] = valued[index, POINTS], worth, danger
                index += 1
    return is_counted


@jit
def _next_draw_rows(settings, scratch, rows, observations, masks, nears, next_draws):
    """Writes what the next draw makes of some discards into float64[M, 34].

    Returns the number of rows that must be called again, once MahjongGB has counted their hands. nears: bool[M, 34].
    """
    left = 0
    openings = scratch.openings
    counts = openings.counts[0]
    for row in rows:
        list_openings(observations[row], masks[row], openings)
        seat = _read_seat(observations[row])
        is_counted = True
        for tile in range(TILE_COUNT):
            if nears[row, tile]:
                counts[tile] -= 1
                next_draws[row, tile] = value_next_draw(
                    scratch.counting, settings, openings, 0, seat)
                counts[tile] += 1
                is_counted = is_counted and next_draws[row, tile] != NOT_COUNTED
        if not is_counted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _read_seat(observation):
    """Returns the Seat of the observer."""
    return Seat(int(observation[AT.seat_wind]), int(observation[AT.prevalent_wind]), int(observation[AT.walls]))


@jit
def _value_hand(suit_rows, settings, scratch, changes, parts, worths):
    """Writes the worth of the hand of the first opening, to the power of sharpness.

    parts: float64[13], by pattern. worths: float64[.], with each of some tiles more or less. changes: Change.
    """
    records = scratch.records
    hand = records.hand[0]
    hand.draws, hand.valued = changes.draws, changes.valued
    _set_opening(scratch.openings, 0, hand)
    set_sums(suit_rows, settings, records)
    sum_patterns(settings, records)
    for pattern in range(len(parts)):
        parts[pattern] = records.special[0].parts[pattern]
    value_changes(suit_rows, settings, records, changes.tiles, changes.change, worths)
