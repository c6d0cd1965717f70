"""The stages that value decisions without a win: many rows at a time, compiled where numba is installed.

A stage that counts fans works on `rows`. It moves rows with hands that MahjongGB must count first to the front, for
another call, and returns their number.

Decisions are uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]. Actions are valued one by one, a claim
with each of its discards, in the order of GameState.action_space(): float64[M, MOST_ACTIONS, COLUMNS].
"""

from typing import NamedTuple

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.shanten_tables import load_missing, shanten_least
from ..mahjong.shanten_tables import make_scratch as make_shanten_scratch
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.layout import AT
from ..observation.openings import UNCHANGED, Openings, list_openings, make_openings
from .danger import FEATURES, set_dangers
from .hand import make_hand, read_melds
from .patterns import WINDS
from .points import expect_points, weigh_risk
from .tables import LikelyRows, make_likely_rows
from .value import set_parts, set_sums, value_changes
from .waits import NOT_COUNTED, Counting, value_next_draw, value_waits

# Columns of a valued action: its targets to the power of sharpness, the worth of the hand with its waits too, the
# chance that the discard is won on, the points.
TARGETS, WORTH, DANGER, POINTS = range(4)
COLUMNS = 4
_DRAGONS = sum(1 << honour for honour in range(WINDS, TILE_COUNT - FIRST_HONOUR))


class Scratch(NamedTuple):
    """Memory for one decision after another, always with the same Settings."""

    openings: Openings
    hand: np.ndarray  # of hand.make_hand
    counting: Counting
    likely: LikelyRows
    dangers: np.ndarray  # float64[34], of danger.py
    features: np.ndarray  # float64[F], of danger.py


def make_scratch(memo):
    """A Scratch; memo: a fan_memo.Memo."""
    counting = Counting(load_missing(), make_shanten_scratch(), memo)
    return Scratch(make_openings(), make_hand(), counting, make_likely_rows(), np.zeros(TILE_COUNT),
                   np.zeros(len(FEATURES)))


@jit
def value_rows(tables, settings, scratch, observations, masks, valued):
    """Writes the worth of each action by its targets."""
    for row in range(len(observations)):
        count = list_openings(observations[row], masks[row], scratch.openings)
        hand = scratch.hand[0]
        hand.valued = (
            _DRAGONS | 1 << int(observations[row, AT.seat_wind]) | 1 << int(observations[row, AT.prevalent_wind]))
        hand.draws = max(1, int(observations[row, AT.walls]))
        place = 0
        for number in range(count):
            place += _value_opening(tables, settings, scratch, number, valued[row, place:])


@jit_part
def _value_opening(tables, settings, scratch, number, valued):
    """Writes the worth by targets of each discard that may end an opening, float64[., COLUMNS]; returns how many."""
    openings, hand = scratch.openings, scratch.hand[0]
    discards = int(openings.discards[number])
    _set_opening(openings, number, hand)
    set_sums(tables, settings, scratch.likely, hand, hand.changed_suit == UNCHANGED)
    if discards == 0:
        valued[0, TARGETS] = set_parts(tables, settings, hand)
        return 1
    return value_changes(tables, settings, hand, discards, -1, valued[:, TARGETS])


@jit_part
def _set_opening(openings, number, hand):
    """Gives a HAND the tiles and melds of an opening."""
    hand.changed_suit = openings.changed[number]
    hand.unseen_total = 0
    for tile in range(TILE_COUNT):
        hand.counts[tile], hand.unseen[tile] = openings.counts[number, tile], openings.unseen[tile]
        hand.unseen_total += int(openings.unseen[tile])
    read_melds(hand, openings.melds[number], openings.meld_count[number])


@jit
def weigh_rows(settings, scratch, rows, observations, masks, valued, points, worths):
    """Writes the value of actions: one by one in `valued`, with the best discard in points and worths, float64[M, 235].
    """
    left = 0
    for row in rows:
        count = list_openings(observations[row], masks[row], scratch.openings)
        if not _weigh_openings(settings, scratch, observations[row], count, valued[row], points[row], worths[row]):
            rows[left] = row
            left += 1
    return left


@jit_part
def _weigh_openings(settings, scratch, observation, count, valued, points, worths):
    """weigh_rows for a decision; returns whether all ready hands are counted."""
    openings, values = scratch.openings, settings.values
    points[:] = -np.inf
    tiles = 0
    for number in range(count):
        tiles |= int(openings.discards[number])
    if tiles:
        set_dangers(observation, settings.danger_weights, tiles, scratch.dangers, scratch.features)
    walls_left = 0
    for seat in range(4):
        walls_left += int(observation[AT.walls + seat])
    place = 0
    is_counted = True
    for number in range(count):
        discards, counts = int(openings.discards[number]), openings.counts[number]
        may_be_ready = _may_be_ready(scratch, number)
        for tile in range(TILE_COUNT):
            if discards >> tile & 1 or (discards == 0 and tile == 0):
                ready = 0.0
                if may_be_ready:
                    counts[tile] -= discards != 0
                    ready = value_waits(scratch.counting, settings, openings, number, _read_place(observation))
                    counts[tile] += discards != 0
                    is_counted = is_counted and ready != NOT_COUNTED
                total = valued[place, TARGETS] + values.ready * max(0.0, ready)
                worth = total ** (1 / values.sharpness)
                danger = scratch.dangers[tile] if discards else 0.0
                valued[place, WORTH], valued[place, DANGER] = worth, danger
                valued[place, POINTS] = weigh_risk(
                    expect_points(worth, walls_left), min(1.0, values.danger * danger))
                action = openings.action[number] + (tile if number == 0 else 0)
                if valued[place, POINTS] > points[action]:
                    points[action], worths[action] = valued[place, POINTS], worth
                place += 1
    return is_counted


@jit_part
def _may_be_ready(scratch, number):
    """Whether the hand of an opening is ready or becomes so by a discard: one look instead of eleven."""
    counting, openings = scratch.counting, scratch.openings
    return shanten_least(
        counting.missing, openings.counts[number], openings.meld_count[number], counting.scratch)[0] <= 0


@jit
def next_draw_rows(settings, scratch, rows, observations, masks, nears, next_draws):
    """Writes what the next draw makes of some discards into float64[M, 34]; nears: bool[M, 34]."""
    left = 0
    openings = scratch.openings
    counts = openings.counts[0]
    for row in rows:
        list_openings(observations[row], masks[row], openings)
        is_counted = True
        for tile in range(TILE_COUNT):
            if nears[row, tile]:
                counts[tile] -= 1
                next_draws[row, tile] = value_next_draw(
                    scratch.counting, settings, openings, 0, _read_place(observations[row]))
                counts[tile] += 1
                is_counted = is_counted and next_draws[row, tile] != NOT_COUNTED
        if not is_counted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _read_place(observation):
    """Seat, prevalent wind and tiles left in the own wall."""
    return int(observation[AT.seat_wind]), int(observation[AT.prevalent_wind]), int(observation[AT.walls])


@jit
def value_hand(tables, settings, scratch, position, parts, worths):
    """Writes the worth of the hand of the first opening, to the power of sharpness: by pattern, float64[13], and for
    each of some tiles more or less, float64[.].

    position: int64[4], tiles left in the own wall, valued honours as bits, the tiles as bits, 1 to draw them or -1 to
    discard them.
    """
    hand = scratch.hand[0]
    hand.draws, hand.valued = int(position[0]), int(position[1])
    _set_opening(scratch.openings, 0, hand)
    set_sums(tables, settings, scratch.likely, hand, True)
    set_parts(tables, settings, hand)
    for pattern in range(len(parts)):
        parts[pattern] = hand.parts[pattern]
    value_changes(tables, settings, hand, int(position[2]), int(position[3]), worths)
