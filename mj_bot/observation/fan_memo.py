"""Caches the fans that MahjongGB counted, so that compiled code can look them up.

Compiled code cannot call MahjongGB, so it looks the fans of a win up here. Each win has a key. If the key of a win is
not in the cache, the compiled code notes the key. Python then asks MahjongGB for all noted keys and calls the compiled
code again. Interpreted code asks MahjongGB at once.

A key is two uint64 with everything that the fans of a win depend on:

    first    counts of the three suits in base 5, 21 bits each
    second   counts of the honours in base 5 (17 bits), winning tile (6), the four flags below (4), seat wind (2),
             prevalent wind (2), four bytes for the melds
"""

from functools import lru_cache
from typing import NamedTuple, Tuple

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part
from ..mahjong.compiled import is_fourth_tile, mix
from ..mahjong.fan import WinFacts, count_fan
from ..mahjong.splitmix import STEP
from ..mahjong.suit_tables import POWERS
from ..mahjong.tile import TILE_NAMES
from .layout import CHOW, CONCEALED_KONG, PUNG

# The answer to a key has the fan UNKNOWN if the key is new, and _NOTED if the key waits for MahjongGB.
UNKNOWN = -1
_NOTED = UNKNOWN - 1
FAN_ANSWER = np.dtype([("key", np.uint64, (2,)), ("fan", np.int16)], align=True)
MOST_NOTED = 4096
# These are the flags of a key, then the bits of the second half from which on it has the winning tile and the flags.
SELF_DRAWN_FLAG, FOURTH_TILE_FLAG, ABOUT_KONG_FLAG, LAST_TILE_FLAG = 1, 2, 4, 8
TILE_SHIFT, FLAG_SHIFT = 17, 23
_SEAT_SHIFT, _WIND_SHIFT, _MELD_SHIFT = 27, 29, 31
_SUIT_BITS, _HONOUR_BITS = (1 << 21) - 1, (1 << 17) - 1
# A key has four bytes for melds. This byte says that there is no such meld. In any other byte the two highest bits are
# the type (chow, pung, kong, concealed kong), and the lower six bits are the tile.
_NO_MELD = 255
_PACK_TYPES = ("CHI", "PENG", "GANG", "GANG")


class Memo(NamedTuple):
    """Keeps the fans and the noted keys as arrays for compiled code."""

    answers: np.ndarray  # FAN_ANSWER[2 ** n], a hash table with open addressing; free slots have the fan UNKNOWN
    notes: np.ndarray  # uint64[., 2]: [0, 0] is how many keys are noted; the keys follow


class FanMemo(object):
    """Keeps the cached fans of one thread.

    most: how many fans are kept at most. Interpreted code keeps none here; its look_up_fan has a cache of its own.
    memo: the Memo that compiled code reads.
    """

    def __init__(self, most: int) -> None:
        most = most if IS_COMPILED else 1
        answers = np.zeros(1 << (2 * most - 1).bit_length(), FAN_ANSWER)
        answers["fan"] = UNKNOWN
        self.memo = Memo(answers, np.zeros((1 + max(1, min(MOST_NOTED, most // 2)), 2), np.uint64))
        self._most, self._kept = most, 0

    def answer_notes(self) -> None:
        """Asks MahjongGB for all noted keys. If there is no room for their fans, all earlier ones are forgotten first.
        """
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
def _look_up_or_note(memo, first, second):
    """Returns the fan of a win, UNKNOWN if it is not in the cache. A missing key is noted if there is room."""
    answer = memo.answers[_find_slot(memo.answers, first, second)]
    if answer.fan > UNKNOWN:
        return np.int64(answer.fan)
    slot = np.int64(memo.notes[0, 0]) + 1
    if answer.fan == UNKNOWN and slot < len(memo.notes):
        answer.key[0] = memo.notes[slot, 0] = first
        answer.key[1] = memo.notes[slot, 1] = second
        answer.fan = _NOTED
        memo.notes[0, 0] = slot
    return np.int64(UNKNOWN)


def _look_up_or_count(memo, first, second):
    """Returns the fan of a win with the key (first, second). MahjongGB counts it at once."""
    return _count_fan(int(first), int(second))


@lru_cache(maxsize=1 << 14)
def _count_fan(first, second):
    return count_fan(*read_key(first, second))


look_up_fan = _look_up_or_note if IS_COMPILED else _look_up_or_count


@jit_part
def look_up_win(memo: Memo, first: int, second: int, tile: int, is_drawn: int, shown: np.ndarray) -> int:
    """Returns the fan of a win on `tile`, UNKNOWN if it is not in the cache. shown: int[34], see GameState.shown.

    first, second: the key of the hand without winning tile and flags. is_drawn: 1 for a win by an own draw, else 0.
    """
    flags = is_drawn * SELF_DRAWN_FLAG
    if is_fourth_tile(shown, tile):
        flags |= FOURTH_TILE_FLAG
    return look_up_fan(memo, first, second | np.uint64(tile << TILE_SHIFT | flags << FLAG_SHIFT))


@jit
def _keep(answers, keys, fans):
    """Writes the fans of some keys into the hash table."""
    for row in range(len(fans)):
        answer = answers[_find_slot(answers, keys[row, 0], keys[row, 1])]
        answer.key[0] = keys[row, 0]
        answer.key[1] = keys[row, 1]
        answer.fan = fans[row]


@jit
def _find_slot(answers, first, second):
    """Returns the index of a key in the hash table, or the free index where the key belongs."""
    mask = np.uint64(len(answers) - 1)
    slot = hash_key(first, second) & mask
    while answers[slot].fan != UNKNOWN and (answers[slot].key[0] != first or answers[slot].key[1] != second):
        slot = (slot + np.uint64(1)) & mask
    return slot


@jit
def hand_key(counts: np.ndarray, melds: np.ndarray, meld_count: int, seat: int, wind: int) -> Tuple[int, int]:
    """Returns the key of a hand, two uint64, without its winning tile and flags.

    counts: int64[34], concealed tiles, 13 less 3 for each meld.
    melds: int64[4, 2] or nested lists, for each meld CHOW .. CONCEALED_KONG and its tile (for a chow the middle one).
    seat, wind: seat wind and prevalent wind 0..3.
    """
    first = second = np.int64(0)
    for tile in range(27):
        first += counts[tile] * POWERS[tile] << 21 * (tile // 9)
    for tile in range(27, 34):
        second += counts[tile] * POWERS[tile]
    for slot in range(meld_count):
        second |= meld_bits(slot, melds[slot][0], melds[slot][1])
    return np.uint64(first), np.uint64(second | table_bits(seat, wind, meld_count))


@jit
def table_bits(seat: int, wind: int, meld_count: int) -> int:
    """Returns the bits of a key for the seat wind, the prevalent wind and the melds that a hand does not have."""
    bits = np.int64(seat) << _SEAT_SHIFT | np.int64(wind) << _WIND_SHIFT
    for slot in range(meld_count, 4):
        bits |= _NO_MELD << _MELD_SHIFT + 8 * slot
    return bits


@jit
def meld_bits(slot: int, meld_type: int, tile: int) -> int:
    """Returns the bits of a key for one meld of a hand. slot: 0..3. tile: the middle one of a chow."""
    if meld_type != CHOW:
        tile |= 192 if meld_type == CONCEALED_KONG else 64 if meld_type == PUNG else 128
    return np.int64(tile) << _MELD_SHIFT + 8 * slot


@jit_part
def hash_key(first: int, second: int) -> int:
    """Returns a number, uint64, that depends on every bit of a key. Only compiled code calls this function."""
    return mix(first ^ second * np.uint64(STEP))


def read_key(first: int, second: int) -> Tuple[Tuple, Tuple, str, WinFacts]:
    """Returns what fan.count_fan takes for a key of two ints: (pack, hand, name of the winning tile, WinFacts).
    """
    hand = (_list_suit(0, first & _SUIT_BITS) + _list_suit(1, first >> 21 & _SUIT_BITS) + _list_suit(2, first >> 42)
            + _list_suit(3, second & _HONOUR_BITS))
    # The flags have the order of the fields of WinFacts.
    flags = [bool(second >> FLAG_SHIFT + bit & 1) for bit in range(4)]
    facts = WinFacts(0, *flags, second >> _SEAT_SHIFT & 3, second >> _WIND_SHIFT & 3)
    return _list_melds(second >> _MELD_SHIFT), hand, TILE_NAMES[second >> TILE_SHIFT & 63], facts


@lru_cache(maxsize=1 << 14)
def _list_melds(codes):
    # The fans depend neither on the claimed tile nor on its giver, so any offer above 0 stands for an open meld.
    return tuple([(_PACK_TYPES[code >> 6], TILE_NAMES[code & 63], int(code >> 6 < 3))
                  for code in (codes >> 8 * slot & 255 for slot in range(4)) if code != _NO_MELD])


@lru_cache(maxsize=1 << 16)
def _list_suit(suit, key):
    """Returns the names of a suit's tiles, a tuple. suit: 0..3, 3 for honours. key: its counts in base 5."""
    return tuple([name for rank, name in enumerate(TILE_NAMES[9 * suit:9 * suit + 9])
                  for _ in range(key // 5 ** rank % 5)])
