"""Values many decisions at once: the points of each action, from the worth of the hands that it leads to.

Decisions are uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]; wins are not valued. The values are
float64[M, MOST_ACTIONS, VALUE_COLUMNS], with the actions in the order of GameState.action_space(). A claim has an entry
for each of its discards. So the discard after a claim needs no valuation of its own if the claim is in the same call.

The functions below Valuer are compiled where numba is installed. A function that counts fans takes `rows`, the indices
of decisions. Some of them may need fans that MahjongGB has not counted yet. The function moves these to the front of
`rows` and returns their number, so that they can be computed again.
"""

from collections import namedtuple
from typing import List, NamedTuple, Tuple

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.action import ACTION_COUNT, DISCARD_BASE
from ..mahjong.shanten_tables import load_missing, make_scratch, shanten_least
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.fan_memo import FanMemo
from ..observation.layout import AT, BYTE_RANGES, CLAIM, FOLLOW, OBSERVATION_SIZE, field
from ..observation.openings import MOST_ACTIONS, UNCHANGED, Openings, list_openings, make_openings
from .correction import correct_points, measure_distances
from .danger import DANGER_FEATURES, set_dangers
from .hand_record import read_melds
from .next_draw import add_next_draws, list_near
from .parameters import Parameters
from .patterns import BASE_PAY, PATTERNS, WIND_COUNT
from .points import POINTS_ROUNDING, expect_points, weigh_risk
from .rows import load_rows
from .settings import make_settings, prepare_chances
from .value import WorthBuffers, make_buffers, set_sums, sum_patterns, value_changes
from .waits import NOT_COUNTED, Counting, Seat, value_next_draw, value_waits

# The columns of a valued action are the sum of its targets to the power of sharpness, the worth of the hand with its
# waits, the chance that the discard deals in, and the points.
TARGETS, WORTH, DANGER, POINTS = range(4)
VALUE_COLUMNS = 4
_DRAGONS = sum(1 << honour for honour in range(WIND_COUNT, TILE_COUNT - FIRST_HONOUR))
_FANS_KEPT = 1 << 16
_NEEDS_SHOWN = 6
# A tile is listed if it raises the worth by more than this share of what the best tile does.
_LEAST_SHARE = 0.5
# These bytes of an observation do not change when the seat claims a tile.
_KEPT_BY_CLAIMS = np.ones(OBSERVATION_SIZE, bool)
for _name in ("task", "hand_sizes", "hand", "meld_kind", "meld_tile", "meld_claimed", "meld_giver", "meld_time",
              "river_claimer"):
    _KEPT_BY_CLAIMS[slice(*BYTE_RANGES[_name][:2])] = False

Corrected = namedtuple("Corrected", "points next_draws")
Corrected.__doc__ = """Keeps corrected points, float64[M, 235], and what the next draw added to them, float64[M,
235].
"""

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


class Change(NamedTuple):
    """Keeps the facts of a hand without its tiles and melds, and some tiles to draw or to discard."""

    draws: int  # tiles left in the own wall
    valued: int  # bit h is set if a pung of honour h counts two fan
    tiles: int  # the tiles to draw or to discard, bit t for tile t
    change: int  # 1 to draw the tiles, -1 to discard them


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
        leaves what it had done.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._settings = make_settings(parameters)
        self._fans = FanMemo(_FANS_KEPT)
        counting = Counting(load_missing(), make_scratch(), self._fans.memo)
        self._scratch = Scratch(
            make_openings(), make_buffers(), counting, np.zeros(TILE_COUNT), np.zeros(len(DANGER_FEATURES)))
        self.valued = None

    def value_batch(self, observations: np.ndarray, masks: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns (points weighed against the risk, worths, dangers of the discards), each float64[M, 235].

        A claim has the values of its best discard. Illegal actions have minus infinity points. A row for the discard
        after a claim takes its values from the row of the claim, if the observations contain it.
        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        values = ActionValues(np.full((len(masks), ACTION_COUNT), -np.inf), *np.zeros((2, len(masks), ACTION_COUNT)))
        self.valued = valued = np.zeros((len(masks), MOST_ACTIONS, VALUE_COLUMNS))
        prepare_chances(self._settings, np.maximum(1, observations[:, AT.walls]),
                        field(observations, "unseen").sum(1, dtype=np.int64))
        claim_rows = _find_claim_rows(observations)
        slots = np.full(len(masks), -1)
        _find_slots(self._scratch, np.flatnonzero(claim_rows >= 0), claim_rows, observations, masks, slots)
        rows = np.flatnonzero(slots < 0)
        _value_rows(load_rows(), self._settings, self._scratch, rows, observations, masks, valued)
        self._run(_weigh_rows, rows, observations, masks, valued, values)
        for row in np.flatnonzero(slots >= 0):
            actions = DISCARD_BASE + np.flatnonzero(field(observations[row], "hand"))
            taken = valued[claim_rows[row], slots[row]:slots[row] + len(actions)]
            values.points[row, actions], values.worths[row, actions] = taken[:, POINTS], taken[:, WORTH]
            values.dangers[row, actions] = taken[:, DANGER]
        return np.where(masks, values.points, -np.inf), values.worths, values.dangers

    def correct(
            self, observations: np.ndarray, masks: np.ndarray, points: np.ndarray, *, worths: np.ndarray) -> Corrected:
        """Returns the corrected points: correction.py corrects them, then next_draw.py compares nearly equal discards.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        points, worths: float64[M, 235], as value_batch returns them.
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
        """Calls a compiled function of this file until the fans of all rows are counted."""
        while len(rows):
            rows = rows[:stage(self._settings, self._scratch, rows, *arguments)]
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
        changes = Change(max(1, hand.draws), sum(1 << honour for honour in hand.valued),
                         sum(1 << tile for tile in tiles), change)
        prepare_chances(self._settings, np.array([changes.draws]), np.array([sum(hand.unseen)]))
        pattern_worths, worths = np.zeros(len(PATTERNS)), np.zeros(len(tiles))
        _value_hand(load_rows(), self._settings, self._scratch, changes, pattern_worths, worths)
        return pattern_worths, worths


def choose_best(points: np.ndarray) -> np.ndarray:
    """Returns the actions of most points, int[M]. Of equal actions it is the first. points: float[M, 235]."""
    return prefer_best(points).argmax(1)


def prefer_best(points: np.ndarray) -> np.ndarray:
    """Returns bool[M, 235]: True for the actions of most points, except for differences by rounding."""
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
    """Writes for each of `rows` the slot of its first discard among the valued actions of the claim's row.

    slots: int[M], receives the slots. The slot of a row stays as it is if the claim's row is about another claim.
    """
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
    """Writes the sum of the targets of each action of `rows` into column TARGETS."""
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
    """Writes the sum of the targets after each discard of an opening, and returns how many rows that are.

    valued: float64[., VALUE_COLUMNS], the rows to write. suit_rows: all rows of a suit, from rows.load_rows.
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
    """Writes the tiles and melds of an opening into the record of a hand."""
    hand.changed_suit = openings.changed[opening]
    hand.unseen_total = 0
    for tile in range(TILE_COUNT):
        hand.counts[tile], hand.unseen[tile] = openings.counts[opening, tile], openings.unseen[tile]
        hand.unseen_total += int(openings.unseen[tile])
    read_melds(hand, openings.melds[opening], openings.meld_count[opening])


@jit
def _weigh_rows(settings, scratch, rows, observations, masks, valued, action_values):
    """Writes the value of each action with each discard into `valued`, that of its best discard into action_values.

    Returns the number of rows that must be computed again, once MahjongGB has counted their hands.
    """
    postponed = 0
    for row in rows:
        action_values.points[row] = -np.inf
        count = list_openings(observations[row], masks[row], scratch.openings)
        if not _weigh_openings(settings, scratch, observations[row], count, valued[row], action_values, row):
            rows[postponed] = row
            postponed += 1
    return postponed


@jit_part
def _weigh_openings(settings, scratch, observation, count, valued, action_values, row):
    """Writes the values of the actions of one decision. Returns whether the fans of all its ready hands are known.

    count: number of openings. valued: float64[MOST_ACTIONS, VALUE_COLUMNS]. row: index of the decision.
    """
    openings, counting, values = scratch.openings, scratch.counting, settings.values
    points, worths, dangers = action_values.points[row], action_values.worths[row], action_values.dangers[row]
    tiles = 0
    for opening in range(count):
        tiles |= int(openings.discards[opening])
    if tiles:
        set_dangers(observation, settings.danger_weights, tiles, scratch.dangers, scratch.features)
    seat, walls_left = _read_seat(observation), _count_walls(observation)
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
                valued[index, WORTH], valued[index, DANGER] = worth, danger
                valued[index, POINTS] = weigh_risk(expect_points(worth, walls_left), min(1.0, values.danger * danger))
                action = openings.action[opening] + (tile if opening == 0 else 0)
                if valued[index, POINTS] > points[action]:
                    points[action], worths[action], dangers[action] = valued[index, POINTS], worth, danger
                index += 1
    return is_counted


@jit
def _next_draw_rows(settings, scratch, rows, observations, masks, nears, next_draws):
    """Writes the value of the next draw after some discards into next_draws, float64[M, 34].

    Returns the number of rows that must be computed again, once MahjongGB has counted their hands.
    nears: bool[M, 34], these discards.
    """
    postponed = 0
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
            rows[postponed] = row
            postponed += 1
    return postponed


@jit_part
def _read_seat(observation):
    """Returns the winds of the observer and the tiles left in its wall."""
    return Seat(int(observation[AT.seat_wind]), int(observation[AT.prevalent_wind]), int(observation[AT.walls]))


@jit_part
def _count_walls(observation):
    """Returns how many tiles are left in all four walls."""
    walls_left = 0
    for offset in range(4):
        walls_left += int(observation[AT.walls + offset])
    return walls_left


@jit
def _value_hand(suit_rows, settings, scratch, changes, pattern_worths, worths):
    """Writes the worth of the hand of the first opening, to the power of sharpness.

    suit_rows: as rows.load_rows returns it. pattern_worths: float64[13], receives the worth by pattern.
    worths: float64[.], receives the worth after each of the changes.
    """
    records = scratch.records
    hand = records.hand[0]
    hand.draws, hand.valued = changes.draws, changes.valued
    _set_opening(scratch.openings, 0, hand)
    set_sums(suit_rows, settings, records)
    sum_patterns(settings, records)
    for pattern in range(len(pattern_worths)):
        pattern_worths[pattern] = records.special[0].pattern_worths[pattern]
    value_changes(suit_rows, settings, records, changes.tiles, changes.change, worths)
