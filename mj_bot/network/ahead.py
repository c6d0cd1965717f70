"""Looks ahead: describes the hand after each action, as bytes by tile.

Source: the look-ahead features of Li et al. 2020, Suphx: steps to a ready hand and its fan, without the worth of more
distant hands. An action is one of AHEAD_ACTIONS at a tile; the tile of a chow is its middle one. "nothing" is at every
tile if no discard is needed. LOOKS has a row of bytes for each kind:

    distance   1 if no other action leaves the hand nearer to ready, 2 if the hand is a step farther, and so on; 0 if
               the action is illegal
    copies     unseen copies of the useful tiles after it
    wins       of a ready hand unseen copies of the tiles that win with eight fan from any seat; of a hand one step from
               ready those of the tiles that make it ready for such a tile
    draws      of a ready hand the copies of the tiles that have eight fan only by a draw
    fan        of a ready hand its highest fan; a tile that has eight fan from any seat counts as claimed

After a claim, each number is the highest over the discards that leave the hand nearest. Two more rows have the useful
tiles of the nearest actions with the most copies, and at every tile the shanten of these actions + 1.
"""

import threading
from collections import namedtuple

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part
from ..mahjong.compiled import can_chow, can_pung
from ..mahjong.fan import MIN_FAN
from ..mahjong.shanten_tables import load_missing, make_scratch, ready_tiles, shanten_least
from ..mahjong.suit_tables import POWERS
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.encoder import read_hand
from ..observation.fan_memo import FanMemo, hand_key, look_up_win
from ..observation.layout import AT, CHOW, CLAIM, FOLLOW, PUNG, TURN

AHEAD_ACTIONS = ("discard", "pung", "chow of its lowest", "chow of its middle", "chow of its highest", "nothing")
DISCARD, PUNG_CLAIM, CHOW_CLAIM, NOTHING = 0, 1, 2, 5
LOOKS = ("distance", "copies", "wins", "draws", "fan")
USEFUL_ROW, SHANTEN_ROW = range(len(LOOKS) * len(AHEAD_ACTIONS), len(LOOKS) * len(AHEAD_ACTIONS) + 2)
AHEAD_ROWS = SHANTEN_ROW + 1
COPIES_ROW, WINS_ROW, DRAWS_ROW, FAN_ROW = (look * len(AHEAD_ACTIONS) for look in range(1, len(LOOKS)))
# The only seat from which a chow may be claimed.
_BEFORE = 3
_MOST_FAN = 255
# Farther than any hand.
_FAR = 99
_FANS_KEPT = 1 << 18
# Decisions that MahjongGB is asked about together; those with hands that it had to count are computed again.
_AT_ONCE = 256
_READY_BITS = 16
# A copy of each tile adds these to the two keys of a hand.
_KEYS = np.array([(int(POWERS[tile]) << 21 * (tile // 9), 0) if tile < FIRST_HONOUR else (0, int(POWERS[tile]))
                  for tile in range(TILE_COUNT)], np.uint64)

_own = threading.local()

_Work = namedtuple("_Work", "missing scratch memo hand melds shown distance useful ready")
_Work.__doc__ = """The memory of one thread for a decision at a time.

missing, scratch: as shanten_least takes them. memo: Memo. hand, shown: int64[34]. melds: int64[4, 2], kind and tile.
distance: int64[AHEAD_ACTIONS, 34], shanten after each action, _FAR if it is not legal.
useful: uint64[AHEAD_ACTIONS, 34], the useful tiles after each action, bit t for tile t.
ready: uint64[2 ** _READY_BITS, 3], of hands met before their two keys and the tiles that complete them.
"""


def look_ahead(observations, is_deep=True):
    """Returns the rows of look-ahead for observations, uint8[B, ROWS, 34].

    observations: uint8[B, OBSERVATION_SIZE or more].
    is_deep: whether hands that are one step from ready have their wins, which takes most of the time.
    """
    if not hasattr(_own, "work"):
        fans = FanMemo(_FANS_KEPT)
        by_tile = [np.zeros(shape, np.int64) for shape in (
            (TILE_COUNT,), (4, 2), (TILE_COUNT,), (len(AHEAD_ACTIONS), TILE_COUNT), (len(AHEAD_ACTIONS), TILE_COUNT))]
        work = _Work(load_missing(), make_scratch(), fans.memo, *by_tile, np.zeros((1 << _READY_BITS, 3), np.uint64))
        _own.fans = fans
        _own.work = work  # last: an answer out of time may stop anywhere, and the next one begins anew
    rows = np.zeros((len(observations), AHEAD_ROWS, TILE_COUNT), np.uint8)
    for first in range(0, len(observations), _AT_ONCE):
        left = np.arange(first, min(first + _AT_ONCE, len(observations)))
        while len(left):
            left = left[:_look_at_rows(_own.work, observations, left, is_deep, rows)]
            _own.fans.answer_notes()
    return rows


@jit
def _look_at_rows(work, observations, places, is_deep, rows):
    """Writes the rows at places, and moves those to the front that have hands for MahjongGB; returns their number."""
    left = 0
    for place in places:
        rows[place] = 0
        if not _look(work, observations[place], is_deep, rows[place]):
            places[left] = place
            left += 1
    return left


@jit_part
def _look(work, observation, is_deep, rows):
    """Writes the rows of one decision. Returns whether MahjongGB has counted all its ready hands."""
    hand = work.hand
    work.distance[:] = _FAR
    count = read_hand(observation, hand, work.shown, work.melds)
    is_counted = True
    if observation[AT.task] == TURN or observation[AT.task] == FOLLOW:
        for tile in range(TILE_COUNT):
            if hand[tile]:
                hand[tile] -= 1
                is_counted = _look_at_hand(work, observation, count, is_deep, DISCARD, tile, rows) and is_counted
                hand[tile] += 1
    else:
        is_counted = _look_at_hand(work, observation, count, is_deep, NOTHING, 0, rows)
        if observation[AT.task] == CLAIM and count < 4:
            is_counted = _look_at_claims(work, observation, count, is_deep, rows) and is_counted
    _compare(work, rows)
    return is_counted


@jit_part
def _look_at_claims(work, observation, count, is_deep, rows):
    hand, melds = work.hand, work.melds
    tile = np.int64(observation[AT.last_tile])
    is_counted = True
    if can_pung(hand, tile):
        melds[count, 0], melds[count, 1] = PUNG, tile
        hand[tile] -= 2
        is_counted = _look_at_discards(work, observation, count + 1, is_deep, PUNG_CLAIM, tile, rows)
        hand[tile] += 2
    if observation[AT.last_giver] != _BEFORE:
        return is_counted
    for kind in range(3):
        middle = tile + 1 - kind
        if can_chow(hand, tile, middle):
            melds[count, 0], melds[count, 1] = CHOW, middle
            for part in range(middle - 1, middle + 2):
                hand[part] -= part != tile
            is_counted = _look_at_discards(
                work, observation, count + 1, is_deep, CHOW_CLAIM + kind, middle, rows) and is_counted
            for part in range(middle - 1, middle + 2):
                hand[part] += part != tile
    return is_counted


@jit_part
def _look_at_discards(work, observation, meld_count, is_deep, kind, place, rows):
    """Writes the hands after a claim and any discard. Returns whether all their ready hands are counted."""
    is_counted = True
    for tile in range(TILE_COUNT):
        if work.hand[tile]:
            work.hand[tile] -= 1
            is_counted = _look_at_hand(work, observation, meld_count, is_deep, kind, place, rows) and is_counted
            work.hand[tile] += 1
    return is_counted


@jit_part
def _look_at_hand(work, observation, meld_count, is_deep, kind, place, rows):
    """Writes the hand after an action, unless the action leaves a nearer one.

    Returns whether the hand is counted, if it is ready.
    """
    shanten, useful = shanten_least(work.missing, work.hand, meld_count, work.scratch)
    if shanten > work.distance[kind, place]:
        return True
    if shanten < work.distance[kind, place]:
        work.distance[kind, place] = shanten
        for look in range(1, len(LOOKS)):
            rows[look * len(AHEAD_ACTIONS) + kind, place] = 0
        work.useful[kind, place] = useful
    copies = np.int64(0)
    for tile in range(TILE_COUNT):
        copies += (useful >> tile & 1) * observation[AT.unseen + tile]
    if copies > rows[COPIES_ROW + kind, place]:
        rows[COPIES_ROW + kind, place] = copies
        work.useful[kind, place] = useful
    if shanten == 1 and is_deep:
        return _look_at_next(work, observation, meld_count, useful, kind, place, rows)
    if shanten:
        return True
    wins = draws = most = np.int64(0)
    first, second = hand_key(work.hand, work.melds, meld_count, observation[AT.seat_wind],
                             observation[AT.prevalent_wind])
    for tile in range(TILE_COUNT):
        if not (useful >> tile & 1 and observation[AT.unseen + tile]):
            continue
        for is_drawn in range(2):
            fan = look_up_win(work.memo, first, second, tile, is_drawn, work.shown)
            if fan < 0:
                return False
            if fan >= MIN_FAN:
                wins += (1 - is_drawn) * observation[AT.unseen + tile]
                draws += is_drawn * observation[AT.unseen + tile]
                most = max(most, min(fan, _MOST_FAN))
                break
    rows[WINS_ROW + kind, place] = max(wins, rows[WINS_ROW + kind, place])
    rows[DRAWS_ROW + kind, place] = max(draws, rows[DRAWS_ROW + kind, place])
    rows[FAN_ROW + kind, place] = max(most, rows[FAN_ROW + kind, place])
    return True


@jit_part
def _look_at_next(work, observation, meld_count, useful, kind, place, rows):
    """Writes the wins of a hand that is one step from ready.

    Returns whether all hands after the next draw are counted.
    """
    wins = np.int64(0)
    is_counted = True
    first, second = hand_key(work.hand, work.melds, meld_count, observation[AT.seat_wind],
                             observation[AT.prevalent_wind])
    for drawn in range(TILE_COUNT):
        if not (useful >> drawn & 1 and observation[AT.unseen + drawn]):
            continue
        work.hand[drawn] += 1
        found = np.int64(0)
        for tile in range(TILE_COUNT):
            if tile != drawn and work.hand[tile]:
                work.hand[tile] -= 1
                found = _may_win(work, observation, meld_count, first + _KEYS[drawn, 0] - _KEYS[tile, 0],
                                 second + _KEYS[drawn, 1] - _KEYS[tile, 1])
                work.hand[tile] += 1
                is_counted = is_counted and found >= 0
                if found > 0:
                    break
        work.hand[drawn] -= 1
        wins += max(0, found) * observation[AT.unseen + drawn]
    rows[WINS_ROW + kind, place] = max(wins, rows[WINS_ROW + kind, place])
    return is_counted


@jit_part
def _may_win(work, observation, meld_count, first, second):
    """Returns 1 if the hand of this key wins with eight fan from any seat, 0 if not, -1 if MahjongGB must count."""
    useful = _recall_ready(work, meld_count, first, second)
    if useful == 0:
        return 0
    found = 0
    for tile in range(TILE_COUNT):
        if useful >> tile & 1 and observation[AT.unseen + tile]:
            fan = look_up_win(work.memo, first, second, tile, 0, work.shown)
            if fan >= MIN_FAN:
                return 1
            if fan < 0:
                found = -1
    return found


@jit_part
def _recall_ready(work, meld_count, first, second):
    """Returns the tiles that complete the hand of this key, bit t for tile t, from a cache.

    Other draws, other discards and later turns ask for the same hand again.
    """
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    kept = work.ready[mixed >> np.uint64(64 - _READY_BITS)]
    if kept[0] != first or kept[1] != second:
        kept[0], kept[1] = first, second
        kept[2] = ready_tiles(work.missing, work.hand, meld_count, work.scratch)
    return np.int64(kept[2])


if not IS_COMPILED:
    def _recall_ready(work, meld_count, first, second):
        """Returns the tiles that complete the hand, bit t for tile t. shanten_least has a cache of its own here."""
        return ready_tiles(work.missing, work.hand, meld_count, work.scratch)


@jit_part
def _compare(work, rows):
    """Writes the rows that depend on all actions, and copies "nothing" to all tiles."""
    nearest, most, best = np.int64(_FAR), np.int64(-1), np.int64(0)
    for kind in range(len(AHEAD_ACTIONS)):
        for tile in range(TILE_COUNT):
            distance, copies = work.distance[kind, tile], np.int64(rows[COPIES_ROW + kind, tile])
            if distance == _FAR or distance > nearest or distance == nearest and copies < most:
                continue
            if distance < nearest or copies > most:
                nearest, most, best = distance, copies, np.int64(0)
            best |= work.useful[kind, tile]
    for tile in range(TILE_COUNT):
        rows[SHANTEN_ROW, tile] = nearest + 1
        rows[USEFUL_ROW, tile] = best >> tile & 1
        for kind in range(len(AHEAD_ACTIONS)):
            if work.distance[kind, tile] != _FAR:
                rows[kind, tile] = 1 + work.distance[kind, tile] - nearest
    for look in range(len(LOOKS)):
        rows[look * len(AHEAD_ACTIONS) + NOTHING, :] = rows[look * len(AHEAD_ACTIONS) + NOTHING, 0]
