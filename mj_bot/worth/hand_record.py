"""Defines the record of one hand, and makes such records.

suits.py, partials.py and value.py each define records of their own. Compiled calls pass records as pointers.
"""

from types import SimpleNamespace
from typing import Any, Sequence, Tuple

import numpy as np

from ..jit import IS_COMPILED, jit_part
from ..mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CHOW, CONCEALED_KONG
from .chance import CLASS_OF, CONCEALED, WANTS
from .patterns import WIND_COUNT
from .rows import MAX_SETS

# A record is one of numpy's in compiled code, and a SimpleNamespace in interpreted code.
Record = Any

# The pattern of all types needs a set or the pair of each of five groups of tiles: three suits, winds, dragons.
TYPES = 5


def make_record_type(*fields: Tuple) -> np.dtype:
    """Returns the dtype of a record. fields: tuples of name, dtype, shape and meaning."""
    return np.dtype([field[:3] for field in fields], align=True)


def make_record(record_type: np.dtype) -> Sequence[Record]:
    """Returns an array whose only entry is a record of zeros.

    Interpreted code gets a list with an object instead, whose attributes are reached faster.
    """
    if IS_COMPILED:
        return np.zeros(1, record_type)
    return [SimpleNamespace(**{name: np.zeros(dtype.shape, dtype.base) if dtype.shape else 0
                               for name, (dtype, _) in record_type.fields.items()})]


HAND = make_record_type(
    ("counts", np.int64, (TILE_COUNT,), "concealed tiles"),
    ("unseen", np.int64, (TILE_COUNT,), "copies that may still come"),
    ("unseen_total", np.int64, (), "how many unseen tiles there are"),
    ("draws", np.int64, (), "tiles left in the own wall, 1 at least"),
    ("valued", np.int64, (), "bit h where a pung of honour h counts two fan"),
    ("changed_suit", np.int64, (), "the suit that an opening changes, 3 the honours, or openings.UNCHANGED"),
    ("meld_count", np.int64, (), "melds laid"),
    ("sets", np.int64, (), "sets that are missing"),
    ("is_concealed", np.int64, (), "whether no meld was claimed"),
    ("may_be_upper", np.int64, (), "whether all melds are of the ranks 6-9"),
    ("may_be_lower", np.int64, (), "whether all melds are of the ranks 1-4"),
    ("honour_melds", np.int64, (), "bit h where honour h is melded"),
    ("type_melds", np.int64, (TYPES,), "how many melds are of each of the five groups of tiles"),
    ("suit_melds", np.int64, (3, 4),
     "for each suit, as bits by rank: chows melded at least once, at least twice, three times; pungs and kongs"),
    ("by_need", float, (TILE_COUNT, WANTS), "chance to get each tile for each of the WANTS of chance.py"),
    ("concealed_by_need", float, (TILE_COUNT, COPIES + 1), "chance to have 1..4 copies in a concealed hand"),
)


@jit_part
def set_need(chances: np.ndarray, hand: Record, tile: int) -> None:
    """Writes the chances to get a tile for each use of it into the record of a hand.

    chances: float64[class, unseen, held, ENTRIES], as chance.tabulate_chances returns it for one share.
    hand: record of type HAND.
    """
    row = chances[CLASS_OF[tile], hand.unseen[tile], hand.counts[tile]]
    for want in range(WANTS):
        hand.by_need[tile, want] = row[want]
    for need in range(1, COPIES + 1):
        hand.concealed_by_need[tile, need] = row[CONCEALED + need]


@jit_part
def read_melds(hand: Record, melds: np.ndarray, meld_count: int) -> None:
    """Writes the fields that describe the melds into the record of a hand.

    hand: record of type HAND. melds: int64[4, 2], for each meld CHOW .. CONCEALED_KONG and its tile (for a chow the
        middle one).
    """
    hand.meld_count = meld_count
    hand.sets = MAX_SETS - meld_count
    hand.is_concealed = hand.may_be_upper = hand.may_be_lower = 1
    hand.honour_melds = 0
    hand.type_melds[:] = 0
    hand.suit_melds[:] = 0
    for meld in range(meld_count):
        meld_kind, tile = melds[meld, 0], melds[meld, 1]
        hand.is_concealed &= meld_kind == CONCEALED_KONG
        if tile >= FIRST_HONOUR:
            hand.honour_melds |= 1 << (tile - FIRST_HONOUR)
            hand.may_be_upper = hand.may_be_lower = 0
            hand.type_melds[3 if tile < FIRST_HONOUR + WIND_COUNT else 4] += 1
            continue
        reach = 1 if meld_kind == CHOW else 0
        hand.may_be_upper &= tile % 9 - reach >= 5
        hand.may_be_lower &= tile % 9 + reach <= 3
        hand.type_melds[tile // 9] += 1
        of_suit = hand.suit_melds[tile // 9]
        bit = 1 << (tile % 9 - reach)
        if meld_kind == CHOW:
            of_suit[2] |= of_suit[1] & bit
            of_suit[1] |= of_suit[0] & bit
            of_suit[0] |= bit
        else:
            of_suit[3] |= bit
