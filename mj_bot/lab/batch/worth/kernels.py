"""What Python calls of the compiled code: stages of the search for many decisions, none of them with a win.

A stage that counts fans works on `rows`, and returns how many of these have hands that MahjongGB must count first; they
are then the first of `rows`, to be worked on again.
"""

from typing import NamedTuple

import numpy as np

from ....jit import jit, jit_part
from ....mahjong.shanten_tables import make_scratch as make_shanten_scratch
from ....mahjong.shanten_tables import shanten_least
from ....mahjong.suit_tables import load_tables as load_suit_tables
from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ....observation.layout import AT
from ....observation.openings import UNCHANGED, Openings, list_openings, make_openings
from ....worth.points import expect_points, weigh_risk
from ....worth.value import WINDS
from .danger import set_risks
from .hand import CHANGED, HAND, read_melds, read_suit_melds
from .tables import LikelyRows, make_likely_rows
from .value import value_discards
from .waits import NOT_COUNTED, Counting, value_next_draw, value_waits

_expect_points = jit_part(expect_points)
_weigh_risk = jit_part(weigh_risk)

_DRAGONS = sum(1 << honour for honour in range(WINDS, TILE_COUNT - FIRST_HONOUR))


class Scratch(NamedTuple):
    """The memory that one decision after another is worked out in, always with the same Settings."""

    openings: Openings
    hand: np.ndarray  # HAND[1]
    counting: Counting
    likely: LikelyRows
    risks: np.ndarray  # float64[34], the chance that each discard is won on, as danger.py weighs it


def make_scratch(memo):
    """A Scratch; memo: a Memo."""
    counting = Counting(load_suit_tables().lacks, make_shanten_scratch(), memo)
    return Scratch(make_openings(), np.zeros(1, HAND), counting, make_likely_rows(), np.zeros(TILE_COUNT))


@jit
def value_rows(tables, settings, scratch, observations, masks, of_targets):
    """Writes what the targets make each action worth, float64[M, MOST_ACTIONS], in the order of action_space()."""
    for row in range(len(observations)):
        count = list_openings(observations[row], masks[row], scratch.openings)
        value_openings(tables, settings, scratch, observations[row], count, of_targets[row])


@jit_part
def value_openings(tables, settings, scratch, observation, count, of_targets):
    """The same for one decision, whose `count` openings stand in the scratch: float64[MOST_ACTIONS]."""
    openings, hand = scratch.openings, scratch.hand[0]
    _set_position(observation, openings, hand)
    place = 0
    for number in range(count):
        place += _value_opening(tables, settings, scratch.likely, openings, number, hand, of_targets[place:])


@jit_part
def _set_position(observation, openings, hand):
    hand.valued = _DRAGONS | 1 << observation[AT.seat_wind] | 1 << observation[AT.prevalent_wind]
    hand.draws = max(1, np.int64(observation[AT.walls]))
    hand.unseen_total = 0
    for tile in range(TILE_COUNT):
        hand.unseen[tile] = openings.unseen[tile]
        hand.unseen_total += hand.unseen[tile]


@jit_part
def _value_opening(tables, settings, likely, openings, number, hand, worths):
    """Writes the worth of each discard that may end an opening; returns how many."""
    melds, meld_count, changed = openings.melds[number], openings.meld_count[number], openings.changed[number]
    for tile in range(TILE_COUNT):
        hand.counts[tile] = openings.counts[number, tile]
    read_melds(hand, melds, meld_count)
    hand.changed_suit = changed
    if changed == UNCHANGED:
        for suit in range(3):
            read_suit_melds(suit, melds, meld_count, hand.suit_melds[suit])
    else:
        read_suit_melds(changed, melds, meld_count, hand.suit_melds[CHANGED])
    return value_discards(tables, settings, likely, hand, changed == UNCHANGED, openings.discards[number], worths)


@jit
def weigh_rows(settings, scratch, rows, observations, masks, of_targets, points, worths):
    """Writes what each action comes to, of a claim the best discard.

    of_targets: as value_rows writes them. points, worths: float64[M, 235], and of the hands after the actions.
    """
    left = 0
    for row in rows:
        count = list_openings(observations[row], masks[row], scratch.openings)
        if not weigh_openings(settings, scratch, observations[row], count, of_targets[row], points[row], worths[row]):
            rows[left] = row
            left += 1
    return left


@jit_part
def weigh_openings(settings, scratch, observation, count, of_targets, points, worths):
    """The same for one decision, whose `count` openings stand in the scratch; whether its ready hands are counted."""
    openings = scratch.openings
    points[:] = -np.inf
    tiles = np.int64(0)
    for number in range(count):
        tiles |= openings.discards[number]
    if tiles:
        set_risks(observation, settings.danger_weights, settings.values.danger, tiles, scratch.risks)
    walls_left = 0
    for seat in range(4):
        walls_left += np.int64(observation[AT.walls + seat])
    place = 0
    is_counted = True
    for number in range(count):
        discards = openings.discards[number]
        counts = openings.counts[number]
        may_be_ready = _may_be_ready(scratch, number)
        for tile in range(TILE_COUNT):
            if discards >> tile & 1 or (discards == 0 and tile == 0):
                ready = 0.0
                if may_be_ready:
                    counts[tile] -= discards != 0
                    ready = value_waits(scratch.counting, settings, openings, number, _read_place(observation))
                    counts[tile] += discards != 0
                    is_counted = is_counted and ready != NOT_COUNTED
                total = of_targets[place] + settings.values.ready * max(0.0, ready)
                worth = total ** (1 / settings.values.sharpness)
                found = _weigh_risk(_expect_points(worth, walls_left), scratch.risks[tile] if discards else 0.0)
                action = openings.action[number] + (tile if number == 0 else 0)
                if found > points[action]:
                    points[action] = found
                    worths[action] = worth
                place += 1
    return is_counted


@jit_part
def _may_be_ready(scratch, number):
    """Whether the hand of an opening is ready, or is after one of its discards: one look in the place of eleven."""
    counting, openings = scratch.counting, scratch.openings
    return shanten_least(
        counting.lacks, openings.counts[number], openings.meld_count[number], counting.scratch)[0] <= 0


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
    seat, wind, walls = observation[AT.seat_wind], observation[AT.prevalent_wind], observation[AT.walls]
    return np.int64(seat), np.int64(wind), np.int64(walls)
