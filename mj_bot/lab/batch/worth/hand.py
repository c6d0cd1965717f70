"""One hand with all that its worth is made of."""

from collections import namedtuple

import numpy as np

from ....mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ....observation.layout import CHOW, CONCEALED_KONG
from ....worth.chance import CLASS_OF, CONCEALED, PAIR, PUNG, WANTS
from ....worth.rows import CHOWS, MAX_SETS
from ....worth.suits import GROUPS
from ....worth.value import HONOURS, WINDS
from ...engine.compile import jit_part
from .suits import CHANGED, make_suits

_CLASS_OF = np.array(CLASS_OF)
_SLOTS = 2 * (MAX_SETS + 1)
# Tile groups of a hand of all types: the suits, winds, dragons.
TYPES = 5
# Columns of Hand.facts.
(SETS, MELDS, IS_CONCEALED, VALUED, HONOUR_MELDS, VALUED_MELDED, MAY_BE_UPPER, MAY_BE_LOWER, CHANGED_SUIT, DRAWS,
 UNSEEN) = range(11)
# Polynomials of the honours: all ways, those with a set that counts two fan, and all but the empty way.
ALL_WAYS, VALUED_WAYS, SOME_WAYS = range(3)
HONOUR_KINDS = 3

# counts, unseen: int64[34]. facts: int64[11], the numbers named above; HONOUR_MELDS and VALUED bits of the honours.
# type_melds: int64[5], melds of each of TYPES. by_need, concealed_by_need: float64[34, 5], chances to hold 0..4 of a
# tile, as open hands and as concealed ones get them. suits: suits.Suits. honours: float64[3, 10].
# rests: float64[3, GROUPS, 10], what goes with the sums of each suit; honour_rests: float64[3, 10], what goes with the
# honours; constants: float64[4], the worth that has nothing to do with a suit's tiles, or with the honours.
# types: float64[5, 10], the ways to each of TYPES. chow_pairs: float64[3, 7, 10], see rests. work: float64[3, 10],
# knitted: float64[4, 3, 6] and pairs: float64[35, 2, 8], see special.
Hand = namedtuple("Hand", "counts unseen facts type_melds by_need concealed_by_need suits honours rests honour_rests "
                          "constants types chow_pairs work knitted pairs")


def make_hand():
    """Room for one hand after another."""
    return Hand(
        np.zeros(TILE_COUNT, np.int64), np.zeros(TILE_COUNT, np.int64), np.zeros(11, np.int64),
        np.zeros(TYPES, np.int64), np.zeros((TILE_COUNT, WANTS)), np.ones((TILE_COUNT, 5)), make_suits(),
        np.zeros((HONOUR_KINDS, _SLOTS)), np.zeros((3, GROUPS, _SLOTS)), np.zeros((HONOUR_KINDS, _SLOTS)),
        np.zeros(4), np.zeros((TYPES, _SLOTS)), np.zeros((3, CHOWS, _SLOTS)), np.zeros((3, _SLOTS)),
        np.zeros((4, 3, 6)), np.zeros((TILE_COUNT + 1, 2, 8)))


@jit_part
def set_need(chances, tile, count, unseen, by_need, concealed_by_need):
    """Writes the chances of a tile, see reach.chance; chances: float64[class, unseen, held, ENTRIES]."""
    row = chances[_CLASS_OF[tile], unseen, count]
    for want in range(WANTS):
        by_need[want] = row[want]
    for need in range(1, COPIES + 1):
        concealed_by_need[need] = row[CONCEALED + need]


@jit_part
def read_melds(hand, melds, meld_count):
    """Fills what a hand's facts say of its melds; melds: int64[4, 2], kind and tile as an observation has them."""
    facts = hand.facts
    facts[MELDS] = meld_count
    facts[SETS] = MAX_SETS - meld_count
    facts[IS_CONCEALED] = facts[MAY_BE_UPPER] = facts[MAY_BE_LOWER] = 1
    facts[HONOUR_MELDS] = 0
    hand.type_melds[:] = 0
    for place in range(meld_count):
        kind, tile = melds[place, 0], melds[place, 1]
        if kind != CONCEALED_KONG:
            facts[IS_CONCEALED] = 0
        if tile >= FIRST_HONOUR:
            facts[HONOUR_MELDS] |= 1 << (tile - FIRST_HONOUR)
            facts[MAY_BE_UPPER] = facts[MAY_BE_LOWER] = 0
            hand.type_melds[3 if tile < FIRST_HONOUR + WINDS else 4] += 1
            continue
        hand.type_melds[tile // 9] += 1
        reach = 1 if kind == CHOW else 0
        if tile % 9 - reach < 5:
            facts[MAY_BE_UPPER] = 0
        if tile % 9 + reach > 3:
            facts[MAY_BE_LOWER] = 0
    facts[VALUED_MELDED] = facts[HONOUR_MELDS] & facts[VALUED] != 0


@jit_part
def read_suit_melds(suit, melds, meld_count, found):
    """Writes a suit's melds into int64[4], see suits.Suits.melds."""
    found[:] = 0
    for place in range(meld_count):
        kind, tile = melds[place, 0], melds[place, 1]
        if tile >= FIRST_HONOUR or tile // 9 != suit:
            continue
        if kind == CHOW:
            bit = 1 << (tile % 9 - 1)
            found[2] |= found[1] & bit
            found[1] |= found[0] & bit
            found[0] |= bit
        else:
            found[3] |= 1 << tile % 9


@jit_part
def place_of(hand, suit):
    """Where the rows of a suit stand."""
    return CHANGED if suit == hand.facts[CHANGED_SUIT] else suit


@jit_part
def sum_honours(hand, by_need, honours):
    """Writes the honours' polynomials, float64[3, 10], see reach.value."""
    facts = hand.facts
    without, valued = honours[ALL_WAYS], honours[VALUED_WAYS]
    without[:] = 0.0
    valued[:] = 0.0
    (valued if facts[VALUED_MELDED] else without)[0] = 1.0
    for honour in range(HONOURS):
        if facts[HONOUR_MELDS] >> honour & 1:
            continue
        pair = by_need[FIRST_HONOUR + honour, PAIR]
        pung = by_need[FIRST_HONOUR + honour, PUNG]
        is_valued = facts[VALUED] >> honour & 1
        for sets in range(MAX_SETS, -1, -1):
            for slot in (2 * sets + 1, 2 * sets):
                more = more_valued = 0.0
                if sets:
                    more_valued = valued[slot - 2] * pung
                    if is_valued:
                        more_valued += without[slot - 2] * pung
                    else:
                        more = without[slot - 2] * pung
                if slot & 1:
                    more += without[slot - 1] * pair
                    more_valued += valued[slot - 1] * pair
                without[slot] += more
                valued[slot] += more_valued
    for slot in range(2 * (MAX_SETS + 1)):
        without[slot] += valued[slot]
        honours[SOME_WAYS, slot] = without[slot]
    if facts[HONOUR_MELDS] == 0:
        honours[SOME_WAYS, 0] = 0.0
