"""What goes with the sums of each suit, and of the honours: the derivatives of a hand's worth.

The worth of the patterns of sets and a pair is the sum over the groups of join(a suit's sum, the group's rest) and a
constant, whichever of the three suits is taken; it is the sum over the honours' polynomials in the same way.
"""

from ....mahjong.tile import FIRST_HONOUR
from ....worth.chance import PAIR, PUNG
from ....worth.rows import CHOWS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, GROUPS, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from ....worth.value import HONOURS, PATTERNS, WINDS
from ...engine.compile import jit_part
from .hand import (
    ALL_WAYS, HONOUR_MELDS, IS_CONCEALED, MAY_BE_LOWER, MAY_BE_UPPER, SETS, SOME_WAYS, TYPES, VALUED, VALUED_WAYS,
    place_of,
)
from .polynomial import add_product, add_scaled, clear, join, set_product

(_TRIPLE_CHOW, _STRAIGHT, _STEPS, _PURE, _PURE_TRIPLE, _HALF_FLUSH, _FULL_FLUSH, _PUNGS, _FOUR, _TYPES) = range(10)
assert PATTERNS[:10] == (
    "mixed triple chow", "mixed straight", "mixed triple chow steps", "pure straight or steps",
    "pure triple chow or shifted pungs", "half flush", "full flush", "all pungs", "upper or lower four", "all types")
_OTHERS, _STEPS_ANY, _STEPS_ALONE = range(3)


@jit_part
def find_suit_rests(tables, settings, hand, suit):
    """Writes hand.rests[suit] and hand.constants[suit] from the other suits' sums and the honours."""
    facts, values, pay = hand.facts, settings.values, settings.pay
    sets = facts[SETS]
    rest = hand.rests[suit]
    for group in range(GROUPS):
        clear(rest[group])
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    one = hand.suits.sums[place_of(hand, next_suit)]
    other = hand.suits.sums[place_of(hand, last_suit)]
    both, with_honours, honours = hand.work[0], hand.work[1], hand.work[2]

    _pair_chows(tables, pay, hand, suit, one, other)
    share = values.short_concealed if facts[IS_CONCEALED] else values.short_open
    _mix_honours(hand, 1.0, share, honours)
    for chow in range(CHOWS):
        add_product(hand.chow_pairs[_OTHERS, chow], hand.honours[ALL_WAYS], 1.0, sets, rest[CHOW + chow])
        add_product(hand.chow_pairs[_STEPS_ANY, chow], honours, 1.0, sets, rest[CHOW + chow])
        if facts[HONOUR_MELDS] == 0:
            add_scaled(hand.chow_pairs[_STEPS_ALONE, chow], 1 - share, rest[CHOW_ALONE + chow])

    set_product(one[ALL], other[ALL], sets, both)
    set_product(both, hand.honours[ALL_WAYS], sets, with_honours)
    add_scaled(with_honours, pay[_PURE], rest[PURE])
    add_scaled(with_honours, pay[_PURE_TRIPLE], rest[PURE_TRIPLE])
    clear(both)
    for group, pattern in ((PURE, _PURE), (PURE_TRIPLE, _PURE_TRIPLE)):
        add_product(one[group], other[ALL], pay[pattern], sets, both)
        add_product(other[group], one[ALL], pay[pattern], sets, both)
    add_product(both, hand.honours[ALL_WAYS], 1.0, sets, rest[ALL])

    _mix_honours(hand, pay[_PUNGS], values.pungs_short, honours)
    set_product(one[NO_CHOW], other[NO_CHOW], sets, both)
    add_product(both, honours, 1.0, sets, rest[NO_CHOW])
    if facts[MAY_BE_UPPER]:
        add_product(one[UPPER], other[UPPER], pay[_FOUR], sets, rest[UPPER])
    if facts[MAY_BE_LOWER]:
        add_product(one[LOWER], other[LOWER], pay[_FOUR], sets, rest[LOWER])

    _set_flush_honours(settings, hand, honours)
    hand.constants[suit] = 0.0
    for own in range(3):
        if hand.type_melds[(own + 1) % 3] or hand.type_melds[(own + 2) % 3]:
            continue
        if own == suit:
            add_scaled(honours, 1.0, rest[ALL])
        else:
            hand.constants[suit] += join(hand.suits.sums[place_of(hand, own), ALL], honours, sets)
    _add_types(pay, hand, suit, rest[ALL])


@jit_part
def _pair_chows(tables, pay, hand, suit, one, other):
    """Writes hand.chow_pairs: for each chow of `suit`, the products of the other suits' chows that go with it."""
    sets = hand.facts[SETS]
    is_alone = hand.facts[HONOUR_MELDS] == 0
    for kind in range(3):
        for chow in range(CHOWS):
            clear(hand.chow_pairs[kind, chow])
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    for number in range(len(tables.chows)):
        chows = tables.chows[number]
        pattern, chow = chows[0], chows[1 + suit]
        next_chow, last_chow = chows[1 + next_suit], chows[1 + last_suit]
        kind = _STEPS_ANY if pattern == _STEPS else _OTHERS
        add_product(one[CHOW + next_chow], other[CHOW + last_chow], pay[pattern], sets, hand.chow_pairs[kind, chow])
        if pattern == _STEPS and is_alone:
            add_product(one[CHOW_ALONE + next_chow], other[CHOW_ALONE + last_chow], pay[pattern], sets,
                        hand.chow_pairs[_STEPS_ALONE, chow])


@jit_part
def _mix_honours(hand, pay, share, honours):
    """Writes what the honours bring to a pattern that counts enough with a set of two fan, else in a share of cases."""
    clear(honours)
    add_scaled(hand.honours[ALL_WAYS], pay * share, honours)
    add_scaled(hand.honours[VALUED_WAYS], pay * (1 - share), honours)


@jit_part
def _set_flush_honours(settings, hand, honours):
    """Half and full flush: what the honours bring to a suit."""
    pay, values = settings.pay, settings.values
    share = values.half_concealed if hand.facts[IS_CONCEALED] else values.half_open
    clear(honours)
    add_scaled(hand.honours[SOME_WAYS], pay[_HALF_FLUSH] * share, honours)
    add_scaled(hand.honours[VALUED_WAYS], pay[_HALF_FLUSH] * (1 - share), honours)
    if hand.facts[HONOUR_MELDS] == 0:
        honours[0] += pay[_FULL_FLUSH]


@jit_part
def find_honour_rests(tables, settings, hand):
    """Writes hand.honour_rests and hand.constants[3] from the sums of all suits; hand.rests is of suit 0."""
    facts, values, pay = hand.facts, settings.values, settings.pay
    sets = facts[SETS]
    rests = hand.honour_rests
    for kind in range(3):
        clear(rests[kind])
    first = hand.suits.sums[place_of(hand, 0)]
    one = hand.suits.sums[place_of(hand, 1)]
    other = hand.suits.sums[place_of(hand, 2)]
    both, three = hand.work[0], hand.work[1]

    _pair_chows(tables, pay, hand, 0, one, other)
    hand.constants[3] = 0.0
    clear(three)
    share = values.short_concealed if facts[IS_CONCEALED] else values.short_open
    for chow in range(CHOWS):
        add_product(first[CHOW + chow], hand.chow_pairs[_OTHERS, chow], 1.0, sets, rests[ALL_WAYS])
        add_product(first[CHOW + chow], hand.chow_pairs[_STEPS_ANY, chow], 1.0, sets, three)
        if facts[HONOUR_MELDS] == 0:
            hand.constants[3] += (1 - share) * join(
                first[CHOW_ALONE + chow], hand.chow_pairs[_STEPS_ALONE, chow], sets)
    add_scaled(three, share, rests[ALL_WAYS])
    add_scaled(three, 1 - share, rests[VALUED_WAYS])

    for suit in range(3):
        own = hand.suits.sums[place_of(hand, suit)]
        set_product(hand.suits.sums[place_of(hand, (suit + 1) % 3), ALL],
                    hand.suits.sums[place_of(hand, (suit + 2) % 3), ALL], sets, both)
        add_product(both, own[PURE], pay[_PURE], sets, rests[ALL_WAYS])
        add_product(both, own[PURE_TRIPLE], pay[_PURE_TRIPLE], sets, rests[ALL_WAYS])

    set_product(first[NO_CHOW], one[NO_CHOW], sets, both)
    set_product(both, other[NO_CHOW], sets, three)
    add_scaled(three, pay[_PUNGS] * values.pungs_short, rests[ALL_WAYS])
    add_scaled(three, pay[_PUNGS] * (1 - values.pungs_short), rests[VALUED_WAYS])
    for group, may_be in ((UPPER, facts[MAY_BE_UPPER]), (LOWER, facts[MAY_BE_LOWER])):
        if may_be:
            set_product(first[group], one[group], sets, both)
            hand.constants[3] += pay[_FOUR] * join(both, other[group], sets)

    share = values.half_concealed if facts[IS_CONCEALED] else values.half_open
    for suit in range(3):
        if hand.type_melds[(suit + 1) % 3] or hand.type_melds[(suit + 2) % 3]:
            continue
        own = hand.suits.sums[place_of(hand, suit), ALL]
        add_scaled(own, pay[_HALF_FLUSH] * share, rests[SOME_WAYS])
        add_scaled(own, pay[_HALF_FLUSH] * (1 - share), rests[VALUED_WAYS])
        if facts[HONOUR_MELDS] == 0:
            hand.constants[3] += pay[_FULL_FLUSH] * own[2 * sets + 1]


@jit_part
def may_be_all_types(hand):
    """Whether no group of tiles is melded twice."""
    for group in range(TYPES):
        if hand.type_melds[group] > 1:
            return False
    return True


@jit_part
def set_types(values, hand, by_need):
    """Writes hand.types: the ways to the one set or pair of each group of tiles."""
    for group in range(TYPES):
        part = hand.types[group]
        clear(part)
        if hand.type_melds[group]:
            part[0] = 1.0
        elif group < 3:
            own = hand.suits.sums[place_of(hand, group), ALL]
            part[2], part[1] = own[2], own[1]
        else:
            for honour in range(0 if group == 3 else WINDS, WINDS if group == 3 else HONOURS):
                is_enough = hand.facts[IS_CONCEALED] or hand.facts[VALUED] >> honour & 1
                part[2] += by_need[FIRST_HONOUR + honour, PUNG] * (1.0 if is_enough else values.types_guest_wind)
                part[1] += by_need[FIRST_HONOUR + honour, PAIR] * values.types_honour_pair


@jit_part
def _add_types(pay, hand, suit, rest):
    """Adds the part of all types to the rest of a suit's rows, or to its constant where it is melded."""
    if not may_be_all_types(hand):
        return
    sets = hand.facts[SETS]
    ways, more = hand.work[0], hand.work[1]
    clear(ways)
    ways[0] = pay[_TYPES]
    for group in range(TYPES):
        if group != suit:
            set_product(hand.types[group], ways, sets, more)
            ways, more = more, ways
    if hand.type_melds[suit]:
        hand.constants[suit] += ways[2 * sets + 1]
        return
    rest[2 * sets] += ways[2 * sets]
    if sets:
        rest[2 * sets - 1] += ways[2 * sets - 1]


@jit_part
def worth_of_types(pay, hand):
    """The worth of all types, of hand.types."""
    if not may_be_all_types(hand):
        return 0.0
    ways, more = hand.work[0], hand.work[1]
    clear(ways)
    ways[0] = pay[_TYPES]
    for group in range(TYPES):
        set_product(hand.types[group], ways, hand.facts[SETS], more)
        ways, more = more, ways
    return ways[2 * hand.facts[SETS] + 1]


@jit_part
def worth_of_honours(hand, honours):
    """The worth of the patterns of sets and a pair with these honours' polynomials, all types apart."""
    total = hand.constants[3]
    for kind in range(3):
        total += join(hand.honour_rests[kind], honours[kind], hand.facts[SETS])
    return total
