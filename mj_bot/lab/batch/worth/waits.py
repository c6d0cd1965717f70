"""What ready hands are worth by the tiles that win, see mj_bot/worth/waits.py, from MahjongGB's answers kept.

The answers stand in a memo of mj_bot/lab/engine/winning.py, by the same keys. Compiled code notes the keys that it does
not find there, and Python answers them.
"""

from functools import lru_cache

import numpy as np

from ....mahjong.fan import MIN_FAN
from ....mahjong.tile import TILE_NAMES
from ....worth.chance import CLASS_OF, MAX_SHARE
from ....worth.constants import ARRIVALS
from ....worth.value import BASE_PAY
from ...engine.compile import jit, jit_part
from ...engine.games import UNKNOWN
from ...engine.shanten import shanten_least
from ...engine.tables import POWERS
from ...engine.winning import NO_MELD, find_slot, meld_code

# Bits of the fan flags in a key: self-drawn, fourth tile.
_SELF_DRAWN, _FOURTH_TILE = 1, 2
# Fan of a key that has been noted.
_NOTED = UNKNOWN - 1
MOST_NOTED = 4096
_SUIT_BITS, _HONOUR_BITS = (1 << 21) - 1, (1 << 17) - 1
# By the two highest bits of a meld's code.
_PACK_TYPES = ("CHI", "PENG", "GANG", "GANG")
_ARRIVALS = np.array(ARRIVALS)
_CLASS_OF = np.array(CLASS_OF)
# Instead of a worth, where MahjongGB must be asked first.
NOT_COUNTED = -1.0


def make_notes():
    """Room for keys that MahjongGB must answer, uint64[N, 2]."""
    return np.zeros((MOST_NOTED, 2), np.uint64)


@jit
def keep_answers(memo, keys, fans):
    """Keeps the answers to keys, int16[K] fans to uint64[K, 2]."""
    for at in range(len(fans)):
        answer = memo[find_slot(memo, keys[at, 0], keys[at, 1])]
        answer.key[0] = keys[at, 0]
        answer.key[1] = keys[at, 1]
        answer.fan = fans[at]


def read_key(first, second):
    """Arguments of mahjong.fan.count_fan for a key, two ints."""
    hand = _list_suit(0, first & _SUIT_BITS) + _list_suit(1, first >> 21 & _SUIT_BITS) + _list_suit(2, first >> 42)
    codes = [code for code in (second >> shift & 255 for shift in (31, 39, 47, 55)) if code != NO_MELD]
    # Which tile was claimed, and from whom, counts nothing.
    pack = tuple([(_PACK_TYPES[code >> 6], TILE_NAMES[code & 63], int(code >> 6 < 3)) for code in codes])
    return (pack, hand + _list_suit(3, second & _HONOUR_BITS), TILE_NAMES[second >> 17 & 63], 0,
            bool(second >> 23 & 1), bool(second >> 24 & 1), False, False, second >> 27 & 3, second >> 29 & 3)


@lru_cache(maxsize=1 << 16)
def _list_suit(suit, key):
    """Names of a suit's tiles by its key, see engine/tables.py."""
    return tuple([name for rank, name in enumerate(TILE_NAMES[9 * suit:9 * suit + 9])
                  for _ in range(key // 5 ** rank % 5)])


@jit_part
def worth_of_waits(reach, settings, memo, notes, note_count, scratch, shown, unseen, counts, melds, meld_count, place):
    """Sum over the waits of (chance * points) ** sharpness, 0 for a hand that is not ready, or NOT_COUNTED.

    counts int64[34], 13 less 3 a meld; melds int64[4, 2], kind and tile as in an observation; shown, unseen: int64[34].
    place: seat, prevalent wind and tiles left in the own wall. note_count: int64[1], rows of `notes` in use.
    """
    least, useful = shanten_least(reach, counts, meld_count, scratch)
    if least != 0:
        return 0.0
    seat, wind, walls = place
    values = settings.values
    unseen_total = 0
    for tile in range(len(unseen)):
        unseen_total += unseen[tile]
    base = values.horizon * max(1, walls) / max(1, unseen_total)
    first, second = hand_key(counts, melds, meld_count, seat, wind)
    total = 0.0
    is_counted = True
    for tile in range(len(unseen)):
        if not useful >> tile & 1:
            continue
        flags = _FOURTH_TILE if shown[tile] == 3 else 0
        for self_drawn in range(2):
            key = second | np.uint64(tile << 17 | (flags | self_drawn * _SELF_DRAWN) << 23)
            fan = look_up(memo, notes, note_count, first, key)
            if fan < 0:
                is_counted = False
                break
            if fan >= MIN_FAN:
                arrivals = _ARRIVALS[_CLASS_OF[tile]]
                share = base * arrivals[0]
                if not self_drawn:
                    share += values.win_claims * base * (arrivals[1] + arrivals[2])
                chance = 1 - (1 - min(MAX_SHARE, share)) ** unseen[tile]
                total += (chance * (BASE_PAY + fan)) ** values.sharpness
                break
    return total if is_counted else NOT_COUNTED


@jit_part
def value_next_draw(reach, settings, memo, notes, note_count, scratch, shown, unseen, counts, melds, meld_count,
                     place):
    """reach.ready.Waits.next_draw of a hand one tile short of ready, or NOT_COUNTED; arguments as of worth_of_waits."""
    _, useful = shanten_least(reach, counts, meld_count, scratch)
    values = settings.values
    unseen_total = 0
    for tile in range(len(unseen)):
        unseen_total += unseen[tile]
    base = values.horizon * max(1, place[2]) / max(1, unseen_total)
    total = 0.0
    is_counted = True
    for tile in range(len(unseen)):
        if not useful >> tile & 1 or not unseen[tile]:
            continue
        counts[tile] += 1
        best = 0.0
        for discard in range(len(unseen)):
            if counts[discard]:
                counts[discard] -= 1
                worth = worth_of_waits(reach, settings, memo, notes, note_count, scratch, shown, unseen, counts, melds,
                                       meld_count, place)
                counts[discard] += 1
                is_counted = is_counted and worth != NOT_COUNTED
                best = max(best, worth)
        counts[tile] -= 1
        share = min(MAX_SHARE, base * _ARRIVALS[_CLASS_OF[tile], 0])
        total += (1 - (1 - share) ** unseen[tile]) * best ** (1 / values.sharpness)
    return total if is_counted else NOT_COUNTED


@jit_part
def hand_key(counts, melds, meld_count, seat, wind):
    """What a key has of the hand, without winning tile and flags."""
    first = second = np.int64(0)
    for tile in range(27):
        first += counts[tile] * POWERS[tile] << 21 * (tile // 9)
    for tile in range(27, 34):
        second += counts[tile] * POWERS[tile]
    second |= seat << 27 | wind << 29
    for place in range(4):
        code = NO_MELD
        if place < meld_count:
            code = meld_code(melds[place, 0], melds[place, 1])
        second |= code << (31 + 8 * place)
    return np.uint64(first), np.uint64(second)


@jit_part
def look_up(memo, notes, note_count, first, second):
    """The fan kept for a key; less than 0 where there is none, and the key is noted if there is room."""
    answer = memo[find_slot(memo, first, second)]
    if answer.fan != UNKNOWN:
        return np.int64(answer.fan)
    if note_count[0] < len(notes):
        answer.key[0] = first
        answer.key[1] = second
        answer.fan = _NOTED
        notes[note_count[0], 0] = first
        notes[note_count[0], 1] = second
        note_count[0] += 1
    return UNKNOWN
