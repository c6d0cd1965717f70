"""The choices of mj_bot/tactic/search.py for many decisions at once."""

from collections import namedtuple

import numpy as np

from ....mahjong.action import ACTION_COUNT, WIN_INDEX
from ....mahjong.fan import count_fan
from ....mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ....observation.layout import CLAIM, PLACES
from ....worth.correction import correct_points
from ....worth.next_draw import add_next_draws, find_near
from ....worth.points import FORCE, POINTS_ROUNDING, expect_points, weigh_risk
from ....worth.value import WINDS
from ...engine.compile import jit, jit_part
from ...engine.games import UNKNOWN
from ...engine.shanten import make_scratch, shanten_least
from ...engine.tables import load_tables as load_suit_tables
from ...engine.winning import make_memo
from ..openings import MOST_ACTIONS, UNCHANGED, list_openings, make_openings
from .danger import set_risks
from .distances import find_distances
from .hand import CHANGED_SUIT, DRAWS, UNSEEN, VALUED, make_hand, read_melds, read_suit_melds
from .suits import CHANGED
from .tables import load_tables, make_settings
from .value import value_discards
from .waits import NOT_COUNTED, keep_answers, make_notes, value_next_draw, read_key, worth_of_waits

_TASK = PLACES["task"][0]
_SEAT_WIND = PLACES["seat_wind"][0]
_PREVALENT_WIND = PLACES["prevalent_wind"][0]
_WALLS = PLACES["walls"][0]

_expect_points = jit_part(expect_points)
_weigh_risk = jit_part(weigh_risk)

_DRAGONS = sum(1 << honour for honour in range(WINDS, TILE_COUNT - FIRST_HONOUR))
_MEMO_SIZE = 1 << 17
_NO_ACTION = -1

# reach: engine.tables.Lacks; scratch: of engine.shanten. actions, totals, points: of one decision,
# MOST_ACTIONS each. risks: float64[34], by discard.
_Desk = namedtuple("_Desk", "openings hand reach scratch memo notes note_count actions totals points risks")


class Chooser(object):
    """The choices of one set of reach.parameters.Parameters; for one thread.

    asked_count: hands that MahjongGB counted so far.
    worths: float64[M], of the last call, what the hands are worth after the chosen actions; NaN for a win.
    """

    def __init__(self, parameters):
        self._tables = load_tables()
        self._settings = make_settings(parameters)
        self._has_correction = bool(parameters.correction)
        self._has_next_draw = bool(parameters.next_draw)
        self._desk = _Desk(make_openings(), make_hand(), load_suit_tables().lacks, make_scratch(),
                           make_memo(_MEMO_SIZE), make_notes(), np.zeros(1, np.int64), np.zeros(MOST_ACTIONS, np.int64),
                           np.zeros(MOST_ACTIONS), np.zeros(MOST_ACTIONS), np.zeros(TILE_COUNT))
        self._kept = 0
        self.asked_count = 0
        self.worths = np.zeros(0)

    def choose(self, observations, masks, points=None):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is chosen by its best discard, and its discard when its turn comes.
        points: if given, float[M, 235] that takes what each legal action is expected to bring, a claim with its best
        discard; rows with a win stay as they are.
        """
        actions = np.empty(len(observations), np.int16)
        found = np.full((len(observations), ACTION_COUNT), -np.inf)
        worths = np.zeros((len(observations), ACTION_COUNT))
        self._value(observations, masks, actions, found, worths)
        rows = np.flatnonzero(~masks[:, WIN_INDEX])
        if self._has_correction and len(rows):
            distances = find_distances(observations[rows], masks[rows])
            corrected = correct_points(found[rows], observations[rows], distances, worths[rows, actions[rows]])
            if self._has_next_draw:
                nears = find_near(corrected, distances) & (observations[rows, _TASK] != CLAIM)[:, None]
                add_next_draws(corrected, self._find_next_draws(observations[rows], masks[rows], nears))
            found[rows] = corrected
            # The first of equals.
            actions[rows] = (found[rows] >= found[rows].max(1)[:, None] - POINTS_ROUNDING).argmax(1)
        self.worths = np.full(len(observations), np.nan)
        self.worths[rows] = worths[rows, actions[rows]]
        if points is not None:
            points[rows] = found[rows]
        return actions

    def _value(self, observations, masks, actions, points, worths):
        """Writes the actions of most points, int16[M], and the points and worths of all, float64[M, 235]."""
        of_targets = np.zeros((len(observations), MOST_ACTIONS))
        _value_rows(self._tables, self._settings, self._desk, observations, masks, of_targets)
        rows = np.arange(len(observations))
        while len(rows):
            self._forget()
            left = _choose_rows(self._settings, self._desk, observations, masks, of_targets, rows,
                                actions, points, worths)
            self._answer_notes()
            rows = rows[:left]

    def _find_next_draws(self, observations, masks, nears):
        """reach.ready.Waits.next_draw after some discards, float64[M, 34]; nears: bool[M, 34]."""
        next_draws = np.zeros(nears.shape)
        rows = np.flatnonzero(nears.any(1))
        while len(rows):
            self._forget()
            rows = rows[:_next_draw_rows(self._settings, self._desk, observations, masks, nears, rows, next_draws)]
            self._answer_notes()
        return next_draws

    def _forget(self):
        """Empties the memo before it is too full."""
        if self._kept + len(self._desk.notes) > _MEMO_SIZE // 2:
            self._desk.memo["fan"] = UNKNOWN
            self._kept = 0

    def _answer_notes(self):
        keys = self._desk.notes[:self._desk.note_count[0]]
        fans = [count_fan(*read_key(first, second)) for first, second in keys.tolist()]
        keep_answers(self._desk.memo, keys, np.array(fans, np.int16))
        self._desk.note_count[0] = 0
        self._kept += len(fans)
        self.asked_count += len(fans)


@jit
def _value_rows(tables, settings, desk, observations, masks, worths):
    """Writes what the targets in reach make each action worth, in the order of action_space()."""
    for at in range(len(observations)):
        if not masks[at, WIN_INDEX]:
            count = _list_openings(settings, observations[at], masks[at], desk.openings)
            _set_position(observations[at], desk)
            place = 0
            for number in range(count):
                place += _value_opening(tables, settings, desk, number, worths[at, place:])


@jit_part
def _list_openings(settings, observation, mask, openings):
    count = list_openings(observation, mask, openings)
    if not settings.values.unseen:
        for tile in range(TILE_COUNT):
            openings.unseen[tile] = COPIES - openings.counts[0, tile]
    return count


@jit_part
def _set_position(observation, desk):
    hand = desk.hand
    facts = hand.facts
    facts[VALUED] = _DRAGONS | 1 << observation[_SEAT_WIND] | 1 << observation[_PREVALENT_WIND]
    facts[DRAWS] = max(1, np.int64(observation[_WALLS]))
    facts[UNSEEN] = 0
    for tile in range(TILE_COUNT):
        hand.unseen[tile] = desk.openings.unseen[tile]
        facts[UNSEEN] += hand.unseen[tile]


@jit_part
def _value_opening(tables, settings, desk, number, worths):
    """Writes the worth of each discard that may end an opening; returns how many."""
    openings, hand = desk.openings, desk.hand
    melds, meld_count = openings.melds[number], openings.meld_count[number]
    for tile in range(TILE_COUNT):
        hand.counts[tile] = openings.counts[number, tile]
    read_melds(hand, melds, meld_count)
    changed = openings.changed[number]
    hand.facts[CHANGED_SUIT] = changed
    if changed == UNCHANGED:
        for suit in range(3):
            read_suit_melds(suit, melds, meld_count, hand.suits.melds[suit])
    else:
        read_suit_melds(changed, melds, meld_count, hand.suits.melds[CHANGED])
    return value_discards(tables, settings, hand, changed == UNCHANGED, openings.discards[number], worths)


@jit
def _choose_rows(settings, desk, observations, masks, of_targets, rows, actions, points, worths):
    """Chooses for the rows whose ready hands are all counted; returns how many are not, the first of `rows` then."""
    left = 0
    for row in rows:
        if masks[row, WIN_INDEX]:
            actions[row] = WIN_INDEX
            continue
        count = _list_openings(settings, observations[row], masks[row], desk.openings)
        set_risks(observations[row], settings.danger_weights, settings.values.danger, desk.risks)
        place = _choose_place(settings, desk, observations[row], count, of_targets[row])
        if place < 0:
            rows[left] = row
            left += 1
        else:
            actions[row] = desk.actions[place]
            _note_points(desk, points[row], worths[row])
    return left


@jit
def _next_draw_rows(settings, desk, observations, masks, nears, rows, next_draws):
    """Writes what the next draw makes of the discards asked for; returns how many rows are not all counted, the first
    of `rows`."""
    left = 0
    openings = desk.openings
    for row in rows:
        _list_openings(settings, observations[row], masks[row], openings)
        counts = openings.counts[0]
        is_counted = True
        for tile in range(TILE_COUNT):
            if nears[row, tile]:
                counts[tile] -= 1
                next_draws[row, tile] = value_next_draw(
                    desk.reach, settings, desk.memo, desk.notes, desk.note_count, desk.scratch, openings.shown,
                    openings.unseen, counts, openings.melds[0], openings.meld_count[0], _read_place(observations[row]))
                counts[tile] += 1
                is_counted = is_counted and next_draws[row, tile] != NOT_COUNTED
        if not is_counted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _read_place(observation):
    """Seat, prevalent wind and tiles left in the own wall."""
    return np.int64(observation[_SEAT_WIND]), np.int64(observation[_PREVALENT_WIND]), np.int64(observation[_WALLS])


@jit_part
def _choose_place(settings, desk, observation, count, worths):
    """Place of the action that brings most points, the first of equals; -1 where ready hands are still to be counted.

    The places of desk.actions, desk.totals (worths of the hands) and desk.points are filled.
    """
    openings = desk.openings
    walls_left = 0
    for seat in range(4):
        walls_left += np.int64(observation[_WALLS + seat])
    place = 0
    best = -np.inf
    is_counted = True
    for number in range(count):
        discards = openings.discards[number]
        for tile in range(TILE_COUNT):
            if discards >> tile & 1 or (discards == 0 and tile == 0):
                ready = _value_waits(settings, desk, observation, number, tile if discards else -1)
                is_counted = is_counted and ready != NOT_COUNTED
                total = worths[place] + settings.values.ready * max(0.0, ready)
                desk.totals[place] = total ** (1 / settings.values.sharpness)
                points = _expect_points(desk.totals[place], walls_left)
                desk.points[place] = _weigh_risk(points, desk.risks[tile] if discards else 0.0)
                if not settings.values.claims_by_value and observation[_TASK] == CLAIM and number:
                    is_nearer = _shanten(desk, number) < _shanten(desk, 0)
                    desk.points[place] += FORCE if is_nearer else -FORCE
                best = max(best, desk.points[place])
                desk.actions[place] = openings.action[number] + (tile if number == 0 else 0)
                place += 1
    if place < MOST_ACTIONS:
        desk.actions[place] = _NO_ACTION
    if not is_counted:
        return -1
    for at in range(place):
        if desk.points[at] >= best - POINTS_ROUNDING:
            return at
    return -1


@jit_part
def _note_points(desk, points, worths):
    """Writes desk.points and desk.totals by action, float64[235] each, of a claim's best discard."""
    points[:] = -np.inf
    for at in range(MOST_ACTIONS):
        action = desk.actions[at]
        if action == _NO_ACTION:
            break
        if desk.points[at] > points[action]:
            points[action] = desk.points[at]
            worths[action] = desk.totals[at]


@jit_part
def _shanten(desk, number):
    """Least shanten after an opening and its best discard."""
    openings = desk.openings
    return shanten_least(desk.reach, openings.counts[number], openings.meld_count[number], desk.scratch)[0]


@jit_part
def _value_waits(settings, desk, observation, number, tile):
    """What the waits are worth after an opening and the discard of `tile`, -1 for none."""
    openings = desk.openings
    counts = openings.counts[number]
    if tile >= 0:
        counts[tile] -= 1
    worth = worth_of_waits(
        desk.reach, settings, desk.memo, desk.notes, desk.note_count, desk.scratch, openings.shown, openings.unseen,
        counts, openings.melds[number], openings.meld_count[number], _read_place(observation))
    if tile >= 0:
        counts[tile] += 1
    return worth
