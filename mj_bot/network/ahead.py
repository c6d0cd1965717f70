"""Looks ahead: describes as bytes the hand that each action leaves.

The rows of a decision are uint8[32, 34]. Five looks have six rows each, one for each action of AHEAD_ACTIONS; the
column is the tile of the action (for a chow its middle tile). The action "nothing" is at every tile; it is illegal
where a discard is needed. The looks are:

    distance   1 if no other action leaves the hand nearer to ready, 2 if one leaves it a step nearer, and so on; 0 if
               the action is illegal
    copies     unseen copies of the tiles that are useful after the action
    wins       for a ready hand: unseen copies of the tiles that win with eight fan from any seat. For a hand one step
               from ready: unseen copies of the tiles that make it ready for such a tile
    draws      for a ready hand: unseen copies of the tiles that have eight fan only if the seat draws them
    fan        for a ready hand: its highest fan. A tile that has eight fan from any seat counts as claimed

After a claim, each number is the highest over the discards that leave the hand nearest. Two more rows describe the best
actions: of those that leave the hand nearest, the ones with the most copies. The first of these rows marks the tiles
that are useful after them. The second has at every tile 1 + the shanten after them.

Source: the look-ahead features of Suphx (Li et al. 2020). They count the steps to a ready hand and its fan, and leave
    out what more distant hands are worth.
"""

import threading
from typing import NamedTuple, Optional

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part
from ..mahjong.compiled import can_chow, can_pung
from ..mahjong.fan import MIN_FAN
from ..mahjong.shanten_tables import load_missing, make_scratch, ready_tiles, shanten_least
from ..mahjong.suit_tables import POWERS, SuitTables
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ..observation.encoder import read_observed_hand
from ..observation.fan_memo import FanMemo, Memo, hand_key, hash_key, look_up_win
from ..observation.layout import AT, CHOW, CLAIM, FOLLOW, PUNG, TURN

AHEAD_ACTIONS = ("discard", "pung", "chow of its lowest", "chow of its middle", "chow of its highest", "nothing")
DISCARD, PUNG_CLAIM, CHOW_CLAIM, NOTHING = 0, 1, 2, 5
LOOKS = ("distance", "copies", "wins", "draws", "fan")
USEFUL_ROW, SHANTEN_ROW = range(len(LOOKS) * len(AHEAD_ACTIONS), len(LOOKS) * len(AHEAD_ACTIONS) + 2)
AHEAD_ROWS = SHANTEN_ROW + 1
COPIES_ROW, WINS_ROW, DRAWS_ROW, FAN_ROW = (look * len(AHEAD_ACTIONS) for look in range(1, len(LOOKS)))
# A chow may be claimed only from the seat with this offset.
_BEFORE = 3
_MOST_FAN = 255
# This distance marks illegal actions. No hand has so high a shanten.
_FAR = 99
_FANS_KEPT = 1 << 18
# This many decisions are computed before MahjongGB is asked for all fans that were not known. Then the decisions that
# need these fans are computed again.
_AT_ONCE = 256
_READY_BITS = 16
# One copy of each tile adds this to the two halves of a hand's key.
_KEYS = np.array([(int(POWERS[tile]) << 21 * (tile // 9), 0) if tile < FIRST_HONOUR else (0, int(POWERS[tile]))
                  for tile in range(TILE_COUNT)], np.uint64)

_own = threading.local()


class _Work(NamedTuple):
    """Keeps the memory of one thread, which serves one decision after another."""

    missing: Optional[SuitTables]  # as mahjong.shanten_tables.load_missing returns it
    scratch: np.ndarray  # as mahjong.shanten_tables.make_scratch returns it
    memo: Memo  # the cached fans
    hand: np.ndarray  # int64[34], concealed tiles
    melds: np.ndarray  # int64[4, 2], CHOW .. CONCEALED_KONG and the tile of each meld
    shown: np.ndarray  # int64[34], visible copies of each tile outside the hand
    distance: np.ndarray  # int64[6, 34], shanten after each action, _FAR if the action is illegal
    useful: np.ndarray  # int64[6, 34], the useful tiles after each action, bit t for tile t
    # uint64[2 ** _READY_BITS, 3], a cache of ready hands: the two halves of the key, and the tiles that complete it
    ready: np.ndarray


def compute_ahead_rows(observations: np.ndarray, is_deep: bool = True) -> np.ndarray:
    """Returns the rows of look-ahead for observations, uint8[B, 32, 34].

    observations: uint8[B, OBSERVATION_SIZE or more].
    is_deep: whether hands that are one step from ready get their wins, which takes most of the time.
    """
    if not hasattr(_own, "tools"):
        fans, by_action = FanMemo(_FANS_KEPT), (len(AHEAD_ACTIONS), TILE_COUNT)
        arrays = [np.zeros(shape, np.int64) for shape in (TILE_COUNT, (4, 2), TILE_COUNT, by_action, by_action)]
        _own.tools = fans, _Work(
            load_missing(), make_scratch(), fans.memo, *arrays, np.zeros((1 << _READY_BITS, 3), np.uint64))
    fans, work = _own.tools
    rows = np.zeros((len(observations), AHEAD_ROWS, TILE_COUNT), np.uint8)
    for first in range(0, len(observations), _AT_ONCE):
        pending = np.arange(first, min(first + _AT_ONCE, len(observations)))
        while len(pending):
            pending = pending[:_look_at_rows(work, observations, pending, is_deep, rows)]
            fans.answer_notes()
    return rows


@jit
def _look_at_rows(work, observations, pending, is_deep, rows):
    """Writes rows of decisions; those whose fans MahjongGB must count first move to the front. Returns their number."""
    postponed = 0
    for index in pending:
        rows[index] = 0
        if not _look(work, observations[index], is_deep, rows[index]):
            pending[postponed] = index
            postponed += 1
    return postponed


@jit_part
def _look(work, observation, is_deep, rows):
    """Writes the rows of one decision. Returns whether the fans of all its ready hands are known."""
    work.distance[:] = _FAR
    meld_count = read_observed_hand(observation, work.hand, work.shown, work.melds)
    if observation[AT.task] == TURN or observation[AT.task] == FOLLOW:
        is_counted = _look_at_discards(work, observation, meld_count, is_deep, DISCARD, 0, rows)
    else:
        is_counted = _look_at_hand(work, observation, meld_count, is_deep, NOTHING, 0, rows)
        if observation[AT.task] == CLAIM and meld_count < 4:
            is_counted = _look_at_claims(work, observation, meld_count, is_deep, rows) and is_counted
    _compare(work, rows)
    return is_counted


@jit_part
def _look_at_claims(work, observation, meld_count, is_deep, rows):
    """Writes the hands after a pung or chow. Returns whether the fans of its ready hands are known."""
    hand, melds = work.hand, work.melds
    tile = np.int64(observation[AT.last_tile])
    is_counted = True
    if can_pung(hand, tile):
        melds[meld_count, 0], melds[meld_count, 1] = PUNG, tile
        hand[tile] -= 2
        is_counted = _look_at_discards(work, observation, meld_count + 1, is_deep, PUNG_CLAIM, tile, rows)
        hand[tile] += 2
    if observation[AT.last_giver] != _BEFORE:
        return is_counted
    for position in range(3):
        middle = tile + 1 - position
        if can_chow(hand, tile, middle):
            melds[meld_count, 0], melds[meld_count, 1] = CHOW, middle
            for member in range(middle - 1, middle + 2):
                hand[member] -= member != tile
            is_counted = _look_at_discards(
                work, observation, meld_count + 1, is_deep, CHOW_CLAIM + position, middle, rows) and is_counted
            for member in range(middle - 1, middle + 2):
                hand[member] += member != tile
    return is_counted


@jit_part
def _look_at_discards(work, observation, meld_count, is_deep, action, action_tile, rows):
    """Writes the hand after each discard, or the best one after a claim. Returns whether all needed fans are known."""
    is_counted = True
    for tile in range(TILE_COUNT):
        if work.hand[tile]:
            work.hand[tile] -= 1
            column = tile if action == DISCARD else action_tile
            is_counted = _look_at_hand(work, observation, meld_count, is_deep, action, column, rows) and is_counted
            work.hand[tile] += 1
    return is_counted


@jit_part
def _look_at_hand(work, observation, meld_count, is_deep, action, action_tile, rows):
    """Writes the hand after an action, unless one nearer is there. Returns False if it is ready with unknown fans."""
    shanten, useful = shanten_least(work.missing, work.hand, meld_count, work.scratch)
    if shanten > work.distance[action, action_tile]:
        return True
    if shanten < work.distance[action, action_tile]:
        work.distance[action, action_tile] = shanten
        for look in range(1, len(LOOKS)):
            rows[look * len(AHEAD_ACTIONS) + action, action_tile] = 0
        work.useful[action, action_tile] = useful
    copies = np.int64(0)
    for tile in range(TILE_COUNT):
        copies += (useful >> tile & 1) * observation[AT.unseen + tile]
    if copies > rows[COPIES_ROW + action, action_tile]:
        rows[COPIES_ROW + action, action_tile] = copies
        work.useful[action, action_tile] = useful
    if shanten > (1 if is_deep else 0):
        return True
    first, second = hand_key(work.hand, work.melds, meld_count, observation[AT.seat_wind],
                             observation[AT.prevalent_wind])
    if shanten == 0:
        wins, draws, fan = _count_wins(work, observation, useful, first, second)
    else:
        wins, draws, fan = _count_steps(work, observation, meld_count, useful, first, second), 0, 0
    rows[WINS_ROW + action, action_tile] = max(wins, rows[WINS_ROW + action, action_tile])
    rows[DRAWS_ROW + action, action_tile] = max(draws, rows[DRAWS_ROW + action, action_tile])
    rows[FAN_ROW + action, action_tile] = max(fan, rows[FAN_ROW + action, action_tile])
    return wins >= 0


@jit_part
def _count_wins(work, observation, useful, first, second):
    """Returns (wins, draws, fan) of a ready hand, (-1, 0, 0) if MahjongGB must count first."""
    wins = draws = most = 0
    for tile in range(TILE_COUNT):
        if not (useful >> tile & 1 and observation[AT.unseen + tile]):
            continue
        for is_drawn in range(2):
            fan = look_up_win(work.memo, first, second, tile, is_drawn, work.shown)
            if fan < 0:
                return -1, 0, 0
            if fan >= MIN_FAN:
                wins += (1 - is_drawn) * observation[AT.unseen + tile]
                draws += is_drawn * observation[AT.unseen + tile]
                most = max(most, min(fan, _MOST_FAN))
                break
    return wins, draws, most


@jit_part
def _count_steps(work, observation, meld_count, useful, first, second):
    """Returns the wins of a hand that is one step from ready, -1 if MahjongGB must count first."""
    wins = 0
    is_counted = True
    for drawn in range(TILE_COUNT):
        if not (useful >> drawn & 1 and observation[AT.unseen + drawn]):
            continue
        work.hand[drawn] += 1
        wins_then = 0
        for tile in range(TILE_COUNT):
            if tile != drawn and work.hand[tile]:
                work.hand[tile] -= 1
                wins_then = _may_win(work, observation, meld_count, first + _KEYS[drawn, 0] - _KEYS[tile, 0],
                                     second + _KEYS[drawn, 1] - _KEYS[tile, 1])
                work.hand[tile] += 1
                is_counted = is_counted and wins_then >= 0
                if wins_then > 0:
                    break
        work.hand[drawn] -= 1
        wins += max(0, wins_then) * observation[AT.unseen + drawn]
    return wins if is_counted else -1


@jit_part
def _may_win(work, observation, meld_count, first, second):
    """Returns 1 if a hand can win with eight fan from any seat, 0 if not, -1 if MahjongGB must count first."""
    useful = _recall_ready(work, meld_count, first, second)
    if useful == 0:
        return 0
    result = 0
    for tile in range(TILE_COUNT):
        if useful >> tile & 1 and observation[AT.unseen + tile]:
            fan = look_up_win(work.memo, first, second, tile, 0, work.shown)
            if fan >= MIN_FAN:
                return 1
            if fan < 0:
                result = -1
    return result


@jit_part
def _recall_kept(work, meld_count, first, second):
    """Returns the tiles that complete a hand, bit t for tile t, from a cache."""
    # Other draws and other discards lead to the same hand again.
    kept = work.ready[hash_key(first, second) >> np.uint64(64 - _READY_BITS)]
    if kept[0] != first or kept[1] != second:
        kept[0], kept[1] = first, second
        kept[2] = ready_tiles(work.missing, work.hand, meld_count, work.scratch)
    return np.int64(kept[2])


def _find_ready(work, meld_count, first, second):
    """Returns the tiles that complete a hand, bit t for tile t. shanten_least has a cache in interpreted code."""
    return ready_tiles(work.missing, work.hand, meld_count, work.scratch)


_recall_ready = _recall_kept if IS_COMPILED else _find_ready


@jit_part
def _compare(work, rows):
    """Writes the rows that depend on all actions, and copies the action "nothing" to all tiles."""
    nearest, most, best = np.int64(_FAR), np.int64(-1), np.int64(0)
    for action in range(len(AHEAD_ACTIONS)):
        for tile in range(TILE_COUNT):
            distance, copies = work.distance[action, tile], np.int64(rows[COPIES_ROW + action, tile])
            if distance == _FAR or distance > nearest or distance == nearest and copies < most:
                continue
            if distance < nearest or copies > most:
                nearest, most, best = distance, copies, np.int64(0)
            best |= work.useful[action, tile]
    for tile in range(TILE_COUNT):
        rows[SHANTEN_ROW, tile] = nearest + 1
        rows[USEFUL_ROW, tile] = best >> tile & 1
        for action in range(len(AHEAD_ACTIONS)):
            if work.distance[action, tile] != _FAR:
                rows[action, tile] = 1 + work.distance[action, tile] - nearest
    for look in range(len(LOOKS)):
        rows[look * len(AHEAD_ACTIONS) + NOTHING, :] = rows[look * len(AHEAD_ACTIONS) + NOTHING, 0]
