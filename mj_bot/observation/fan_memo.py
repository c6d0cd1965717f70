"""Keeps the fans that MahjongGB counted, by the hand and everything else that they depend on.

Compiled code cannot call MahjongGB. It looks a hand up here and notes a missing one; Python answers the notes before
that code tries again. Interpreted code asks MahjongGB at once. A hand fits into 126 bits, its key.
"""

from collections import namedtuple
from functools import lru_cache

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part
from ..mahjong.compiled import is_fourth_tile
from ..mahjong.fan import WinFacts, count_fan
from ..mahjong.suit_tables import POWERS
from ..mahjong.tile import TILE_NAMES
from .layout import CHOW, CONCEALED_KONG, PUNG

# Fan of a hand that MahjongGB has not counted, and of a key that is noted.
UNKNOWN = -1
_NOTED = UNKNOWN - 1
FAN_ANSWER = np.dtype([("key", np.uint64, (2,)), ("fan", np.int16)], align=True)
MOST_NOTED = 4096
# Flags of a key, and the places of the winning tile and of the flags in its second half.
SELF_DRAWN, FOURTH_TILE, ABOUT_KONG, LAST_TILE = 1, 2, 4, 8
TILE_SHIFT, FLAG_SHIFT = 17, 23
_SEAT_SHIFT, _WIND_SHIFT, _MELD_SHIFT = 27, 29, 31
_SUIT_BITS, _HONOUR_BITS = (1 << 21) - 1, (1 << 17) - 1
# The byte of a missing meld; meld types by the two highest bits of other bytes.
_NO_MELD = 255
_PACK_TYPES = ("CHI", "PENG", "GANG", "GANG")

Memo = namedtuple("Memo", "answers notes")
Memo.__doc__ = """Arrays for compiled code.

answers: ANSWER[2 ** n], an open hash table; free places have the fan UNKNOWN.
notes: uint64[., 2], in [0, 0] how many keys are noted, then these.
"""


class FanMemo(object):
    """Keeps the fans of one thread, at most `most` at a time. Interpreted code uses the cache of look_up_fan instead.

    memo: the Memo.
    """

    def __init__(self, most):
        most = most if IS_COMPILED else 1
        answers = np.zeros(1 << (2 * most - 1).bit_length(), FAN_ANSWER)
        answers["fan"] = UNKNOWN
        self.memo = Memo(answers, np.zeros((1 + max(1, min(MOST_NOTED, most // 2)), 2), np.uint64))
        self._most, self._kept = most, 0

    def answer_notes(self):
        """Asks MahjongGB for all noted keys; forgets the answers before if there is no room for more."""
        answers, notes = self.memo
        keys = notes[1:1 + int(notes[0, 0])]
        fans = np.array([count_fan(*read_key(first, second)) for first, second in keys.tolist()], np.int16)
        if self._kept + len(keys) > self._most:
            answers["fan"] = UNKNOWN
            self._kept = 0
        _keep(answers, keys, fans)
        notes[0, 0] = 0
        self._kept += len(keys)


@jit
def look_up_fan(memo, first, second):
    """Returns the fan of a key, two uint64. A missing key is noted if there is room, and UNKNOWN is returned."""
    answer = memo.answers[_find_place(memo.answers, first, second)]
    if answer.fan > UNKNOWN:
        return np.int64(answer.fan)
    place = np.int64(memo.notes[0, 0]) + 1
    if answer.fan == UNKNOWN and place < len(memo.notes):
        answer.key[0] = memo.notes[place, 0] = first
        answer.key[1] = memo.notes[place, 1] = second
        answer.fan = _NOTED
        memo.notes[0, 0] = place
    return np.int64(UNKNOWN)


if not IS_COMPILED:
    def look_up_fan(memo, first, second):
        """Returns the fan of a key, two uint64. MahjongGB counts it at once, so that every fan is known."""
        return _ask(int(first), int(second))


@jit_part
def look_up_win(memo, first, second, tile, is_drawn, shown):
    """Returns the fan of a win on `tile`, or UNKNOWN as look_up_fan does.

    first, second: the key of the hand without the winning tile. is_drawn: 1 for a win by an own draw, else 0.
    shown: [34], the copies that count for the fourth tile, as rules.is_fourth_tile describes them.
    """
    flags = is_drawn * SELF_DRAWN
    if is_fourth_tile(shown, tile):
        flags |= FOURTH_TILE
    return look_up_fan(memo, first, second | np.uint64(tile << TILE_SHIFT | flags << FLAG_SHIFT))


@lru_cache(maxsize=1 << 14)
def _ask(first, second):
    return count_fan(*read_key(first, second))


@jit
def _keep(answers, keys, fans):
    for at in range(len(fans)):
        answer = answers[_find_place(answers, keys[at, 0], keys[at, 1])]
        answer.key[0] = keys[at, 0]
        answer.key[1] = keys[at, 1]
        answer.fan = fans[at]


@jit
def _find_place(answers, first, second):
    """Returns the index of a key in the table, or the free index where the key belongs."""
    mask = np.uint64(len(answers) - 1)
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    at = (mixed >> np.uint64(29)) & mask
    while answers[at].fan != UNKNOWN and (answers[at].key[0] != first or answers[at].key[1] != second):
        at = (at + np.uint64(1)) & mask
    return at


@jit
def hand_key(counts, melds, meld_count, seat, wind):
    """Returns the key, two uint64, of a hand without its winning tile and flags.

    counts: int64[34], 13 less 3 for each meld.
    melds: int64[4, 2] or nested lists, kind and tile of each meld as an observation has them.
    """
    first = second = np.int64(0)
    for tile in range(27):
        first += counts[tile] * POWERS[tile] << 21 * (tile // 9)
    for tile in range(27, 34):
        second += counts[tile] * POWERS[tile]
    for place in range(meld_count):
        second |= meld_bits(place, melds[place][0], melds[place][1])
    return np.uint64(first), np.uint64(second | place_bits(seat, wind, meld_count))


@jit
def place_bits(seat, wind, meld_count):
    """Returns the bits of a key for the seat, the prevalent wind and the missing melds."""
    bits = np.int64(seat) << _SEAT_SHIFT | np.int64(wind) << _WIND_SHIFT
    for place in range(meld_count, 4):
        bits |= _NO_MELD << _MELD_SHIFT + 8 * place
    return bits


@jit
def meld_bits(place, kind, tile):
    """Returns the bits of a key for the meld number `place` of a hand."""
    if kind != CHOW:
        tile |= 192 if kind == CONCEALED_KONG else 64 if kind == PUNG else 128
    return np.int64(tile) << _MELD_SHIFT + 8 * place


def read_key(first, second):
    """Returns the arguments of mahjong.fan.count_fan for a key, two ints."""
    hand = _list_suit(0, first & _SUIT_BITS) + _list_suit(1, first >> 21 & _SUIT_BITS) + _list_suit(2, first >> 42)
    codes = [second >> _MELD_SHIFT + 8 * place & 255 for place in range(4)]
    # The claimed tile and its giver count nothing.
    pack = tuple([(_PACK_TYPES[code >> 6], TILE_NAMES[code & 63], int(code >> 6 < 3))
                  for code in codes if code != _NO_MELD])
    flags = second >> FLAG_SHIFT
    facts = WinFacts(
        is_self_drawn=bool(flags & SELF_DRAWN), is_fourth_tile=bool(flags & FOURTH_TILE),
        is_about_kong=bool(flags & ABOUT_KONG), is_last_tile=bool(flags & LAST_TILE),
        seat_wind=second >> _SEAT_SHIFT & 3, prevalent_wind=second >> _WIND_SHIFT & 3)
    return pack, hand + _list_suit(3, second & _HONOUR_BITS), TILE_NAMES[second >> TILE_SHIFT & 63], facts


@lru_cache(maxsize=1 << 16)
def _list_suit(suit, key):
    """Returns the names of a suit's tiles, a tuple.

    key: the suit's counts in base 5, as suit_tables.py describes them.
    """
    return tuple([name for rank, name in enumerate(TILE_NAMES[9 * suit:9 * suit + 9])
                  for _ in range(key // 5 ** rank % 5)])
