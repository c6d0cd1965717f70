"""What a hand is worth by the targets in its reach, as it is and after each discard; see mj_bot/worth/value.py."""

from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...engine.compile import jit_part
from .hand import CHANGED_SUIT, DRAWS, MELDS, SETS, UNSEEN, place_of, set_need, sum_honours
from .rests import find_honour_rests, find_suit_rests, set_types, worth_of_honours, worth_of_types
from .special import set_knitted, set_pairs, worth_of_knitted, worth_of_pairs
from .suits import sum_discarded, sum_suit, sum_weights, weigh_rows

# The honours' place among those whose discards are valued together.
_HONOURS = 3


@jit_part
def value_discards(tables, settings, hand, is_new, discards, worths):
    """Writes the worth of a hand after each discard into float64[]: the sum over its targets of (chance * points) **
    sharpness; returns how many.

    is_new: whether the suits are to be summed up; else only the changed one is.
    discards: bit t for tile t; 0 for a hand as it is.
    """
    facts = hand.facts
    chances = settings.chances[facts[DRAWS], facts[UNSEEN]]
    for tile in range(TILE_COUNT):
        set_need(chances, tile, hand.counts[tile], hand.unseen[tile], hand.by_need[tile], hand.concealed_by_need[tile])
    for suit in range(3):
        if is_new or suit == facts[CHANGED_SUIT]:
            sum_suit(tables, hand.by_need, suit, place_of(hand, suit), facts[SETS], settings.values.least_chance,
                     hand.suits)
    sum_honours(hand, hand.by_need, hand.honours)
    set_types(settings.values, hand, hand.by_need)
    if facts[MELDS] == 0:
        set_pairs(hand)
    if facts[MELDS] <= 1:
        for suit in range(4):
            set_knitted(chances, hand, suit)
    if discards == 0:
        find_suit_rests(tables, settings, hand, 0)
        place = place_of(hand, 0)
        weigh_rows(tables.rows, hand.rests[0], place, facts[SETS], hand.suits)
        worths[0] = hand.constants[0] + sum_weights(hand.suits, place) + _worth_of_special(tables, settings, hand, 0)
        return 1
    count = 0
    for suit in range(4):
        if not discards >> (9 * suit) & 511:
            continue
        if suit == _HONOURS:
            find_honour_rests(tables, settings, hand)
        else:
            find_suit_rests(tables, settings, hand, suit)
            weigh_rows(tables.rows, hand.rests[suit], place_of(hand, suit), facts[SETS], hand.suits)
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            if discards >> tile & 1:
                hand.counts[tile] -= 1
                _set_tile(chances, hand, tile)
                worths[count] = _worth_of_discard(tables, settings, hand, tile) + _worth_of_special(
                    tables, settings, hand, tile)
                hand.counts[tile] += 1
                _set_tile(chances, hand, tile)
                count += 1
    return count


@jit_part
def _set_tile(chances, hand, tile):
    """Brings all that hangs on the count of a tile up to date, sums of suits and of honours apart."""
    set_need(chances, tile, hand.counts[tile], hand.unseen[tile], hand.by_need[tile], hand.concealed_by_need[tile])
    if hand.facts[MELDS] <= 1:
        set_knitted(chances, hand, tile // 9)


@jit_part
def _worth_of_discard(tables, settings, hand, tile):
    """The patterns of sets and a pair after the discard of `tile`, which the counts tell already."""
    if tile < FIRST_HONOUR:
        place = place_of(hand, tile // 9)
        return hand.constants[tile // 9] + sum_discarded(
            tables.rows, hand.by_need, tile, place, settings.values.least_chance, hand.suits)
    sum_honours(hand, hand.by_need, hand.honours)
    set_types(settings.values, hand, hand.by_need)
    return worth_of_honours(hand, hand.honours) + worth_of_types(settings.pay, hand)


@jit_part
def _worth_of_special(tables, settings, hand, tile):
    """The other patterns; `tile` alone may have changed since set_pairs."""
    worth = 0.0
    if hand.facts[MELDS] == 0:
        worth += worth_of_pairs(settings.pay, hand, tile)
    if hand.facts[MELDS] <= 1:
        worth += worth_of_knitted(tables, settings, hand)
    return worth
