"""One hand and the sums that its worth is made of: a record, because compiled calls pass it as a pointer.

A polynomial in the number of sets (0..4) and pairs (0..1) is float64[10], at 2 * sets + pairs.
"""

from types import SimpleNamespace

import numpy as np

from ..jit import IS_COMPILED, jit_part
from ..mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CHOW, CONCEALED_KONG
from .chance import CLASS_OF, CONCEALED, WANTS
from .patterns import ALL_TYPES, PATTERNS, REGULAR_PATTERNS, WINDS
from .rows import CODES, GROUPS, MAX_SETS, NO_PLACE, RANKS, ROW_CODES, SLOTS

# Tile groups of a hand of all types: the suits, winds, dragons.
TYPES = 5
# Places of suits: the three as they are held, and the one that an opening changes.
_SUIT_PLACES = 4
CHANGED = 3
# Kinds of rows, and the numbers that the sums of a suit depend on, see suits.py.
KINDS = 64
SUMMED = 2 * RANKS + 7
# The group after those of rows.py: no rows, for patterns that use nothing of a suit.
NONE = GROUPS
# Mixed steps in hands of chows alone use the place of all types, which are not joined by groups, see partials.py.
STEPS_ALONE = ALL_TYPES

_ROWS = (_SUIT_PLACES, len(ROW_CODES))
HAND = np.dtype([(name, dtype, shape) for name, dtype, shape, _ in (
    # name, dtype, shape, meaning
    ("counts", np.int64, (TILE_COUNT,), "concealed tiles"),
    ("unseen", np.int64, (TILE_COUNT,), "copies that may still come"),
    ("unseen_total", np.int64, (), "their number"),
    ("draws", np.int64, (), "tiles left in the own wall, 1 at least"),
    ("valued", np.int64, (), "bit h where a pung of honour h counts two fan"),
    ("changed_suit", np.int64, (), "the suit whose rows are at CHANGED, 3 the honours, or openings.UNCHANGED"),
    ("meld_count", np.int64, (), "melds laid"),
    ("sets", np.int64, (), "sets that are missing"),
    ("is_concealed", np.int64, (), "whether no meld was claimed"),
    ("may_be_upper", np.int64, (), "whether all melds are of the ranks 6-9"),
    ("may_be_lower", np.int64, (), "whether all melds are of the ranks 1-4"),
    ("honour_melds", np.int64, (), "bit h where honour h is melded"),
    ("type_melds", np.int64, (TYPES,), "melds of each of TYPES"),
    ("suit_melds", np.int64, (3, 4), "bits of the chows melded, melded twice, thrice, and of the pungs"),
    ("by_need", float, (TILE_COUNT, WANTS), "chance to get each tile for each of the WANTS of chance.py"),
    ("most_by_need", float, (TILE_COUNT, WANTS), "the same with all copies unseen that are not held; see suits.py"),
    ("concealed_by_need", float, (TILE_COUNT, COPIES + 1), "the chances to get 0..4 of it in a concealed hand"),
    ("summed", np.int64, (_SUIT_PLACES, SUMMED), "what the rows of each suit were summed for, see suits.py"),
    ("row_count", np.int64, (_SUIT_PLACES,), "likely rows of each suit"),
    ("rows", np.int32, _ROWS, "their numbers"),
    ("kinds", np.int32, _ROWS, "their kinds"),
    ("chances", float, _ROWS, "their chances"),
    ("outer", float, (3, CODES), "products of three ranks' chances by codes, of one suit"),
    ("by_kind", float, (KINDS, SLOTS), "sums of the rows of one suit by kind"),
    ("by_chow", float, (2, NO_PLACE + 1, SLOTS), "without pungs, with them: sums of the rows of one suit by chow"),
    ("kind_partials", float, (KINDS, SLOTS), "partials by the rows of one suit by kind"),
    ("chow_partials", float, (2, NO_PLACE + 1, SLOTS), "without pungs, with them: partials by those rows by chow"),
    ("ranks", np.int64, (RANKS,), "those to be discarded, of one suit"),
    ("by_want", float, (RANKS, WANTS), "what the rows of one suit bring, by what they want a rank for"),
    ("sums", float, (_SUIT_PLACES, GROUPS + 1, SLOTS), "polynomials of each suit by group"),
    ("honours", float, (2, SLOTS), "polynomials of the honours: all ways, those with a set that counts two fan"),
    ("honour_ways", float, (REGULAR_PATTERNS, SLOTS), "what the honours bring to each pattern"),
    ("joined", float, (REGULAR_PATTERNS, GROUPS + 1, SLOTS),
     "of two suits by pattern and group of the third, see partials.py"),
    ("suits", float, (REGULAR_PATTERNS, SLOTS), "polynomials of all three suits by pattern"),
    ("partials", float, (3, GROUPS + 1, SLOTS), "partials by the sums of each suit, see partials.py"),
    ("parts", float, (len(PATTERNS),), "the worth by pattern, to the power of sharpness"),
    ("types", float, (TYPES, SLOTS), "the ways to each of TYPES"),
    ("work", float, (2, SLOTS), "polynomials in the making"),
    ("knitted", float, (4, 3, 6), "see value.py"),
    ("pairs", float, (TILE_COUNT + 1, 2, 8), "see value.py"),
)], align=True)


def make_hand():
    """A HAND at [0]; interpreted, an object with the same attributes, which are reached faster."""
    if IS_COMPILED:
        return np.zeros(1, HAND)
    return [SimpleNamespace(**{
        name: np.zeros(dtype.shape, dtype.base) if dtype.shape else 0 for name, (dtype, _) in HAND.fields.items()})]


@jit_part
def set_need(chances, hand, tile):
    """Writes the chances of a tile, see chance.py; chances: float64[class, unseen, held, ENTRIES]."""
    row = chances[CLASS_OF[tile], hand.unseen[tile], hand.counts[tile]]
    for want in range(WANTS):
        hand.by_need[tile, want] = row[want]
    for need in range(1, COPIES + 1):
        hand.concealed_by_need[tile, need] = row[CONCEALED + need]


@jit_part
def read_melds(hand, melds, meld_count):
    """Fills what a hand says of its melds; melds: int64[4, 2], kind and tile as an observation has them."""
    hand.meld_count = meld_count
    hand.sets = MAX_SETS - meld_count
    hand.is_concealed = hand.may_be_upper = hand.may_be_lower = 1
    hand.honour_melds = 0
    hand.type_melds[:] = 0
    hand.suit_melds[:] = 0
    for place in range(meld_count):
        kind, tile = melds[place, 0], melds[place, 1]
        hand.is_concealed &= kind == CONCEALED_KONG
        if tile >= FIRST_HONOUR:
            hand.honour_melds |= 1 << (tile - FIRST_HONOUR)
            hand.may_be_upper = hand.may_be_lower = 0
            hand.type_melds[3 if tile < FIRST_HONOUR + WINDS else 4] += 1
            continue
        reach = 1 if kind == CHOW else 0
        hand.may_be_upper &= tile % 9 - reach >= 5
        hand.may_be_lower &= tile % 9 + reach <= 3
        hand.type_melds[tile // 9] += 1
        of_suit = hand.suit_melds[tile // 9]
        bit = 1 << (tile % 9 - reach)
        if kind == CHOW:
            of_suit[2] |= of_suit[1] & bit
            of_suit[1] |= of_suit[0] & bit
            of_suit[0] |= bit
        else:
            of_suit[3] |= bit


@jit_part
def place_of(hand, suit):
    """Where the rows of a suit are."""
    return CHANGED if suit == hand.changed_suit else suit
