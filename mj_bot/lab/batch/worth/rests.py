"""What goes with the sums of each suit, and of the honours: the derivatives of a hand's worth.

The worth of the patterns of sets and a pair is the sum over the groups of join(a suit's sum, the group's rest) and a
constant, whichever of the three suits is taken; it is the sum over the honours' polynomials in the same way.

A polynomial in the number of sets (0..4) and pairs (0..1) is float64[10], at 2 * sets + pairs.
"""

from ....jit import jit_part
from ....mahjong.tile import FIRST_HONOUR
from ....worth.chance import PAIR, PUNG
from ....worth.rows import CHOWS, SLOTS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, GROUPS, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from ....worth.value import HONOURS, PATTERNS, WINDS
from .hand import ALL_WAYS, SOME_WAYS, TYPES, VALUED_WAYS, place_of

(_TRIPLE_CHOW, _STRAIGHT, _STEPS, _PURE, _PURE_TRIPLE, _HALF_FLUSH, _FULL_FLUSH, _PUNGS, _FOUR, _TYPES) = range(10)
assert PATTERNS[:10] == (
    "mixed triple chow", "mixed straight", "mixed shifted chows", "pure straight or shifted chows",
    "pure triple chow or shifted pungs", "half flush", "full flush", "all pungs", "upper or lower four", "all types")
_OTHERS, _STEPS_ANY, _STEPS_ALONE = range(3)


@jit_part
def _clear(polynomial):
    """Sets a polynomial to 0."""
    for slot in range(SLOTS):
        polynomial[slot] = 0.0


@jit_part
def _add_scaled(one, scale, total):
    """Adds `scale` times a polynomial to `total`."""
    for slot in range(SLOTS):
        total[slot] += scale * one[slot]


@jit_part
def _add_product(one, other, scale, sets, total):
    """Adds `scale` times the product, as far as `sets` sets and one pair, to `total`, which is neither of the two."""
    for done in range(sets + 1):
        none = scale * one[2 * done]
        pair = scale * one[2 * done + 1]
        if none == 0.0 and pair == 0.0:
            continue
        for more in range(sets + 1 - done):
            total[2 * (done + more)] += none * other[2 * more]
            total[2 * (done + more) + 1] += none * other[2 * more + 1] + pair * other[2 * more]


@jit_part
def _add_chows(one, least, other, other_least, scale, sets, total):
    """The same for factors that have no terms of fewer sets than `least` and `other_least`."""
    for done in range(least, sets - other_least + 1):
        none = scale * one[2 * done]
        pair = scale * one[2 * done + 1]
        for more in range(other_least, sets + 1 - done):
            total[2 * (done + more)] += none * other[2 * more]
            total[2 * (done + more) + 1] += none * other[2 * more + 1] + pair * other[2 * more]


@jit_part
def _set_product(one, other, sets, product):
    """Writes the product, as far as `sets` sets and one pair, into `product`, which is neither of the two."""
    _clear(product)
    _add_product(one, other, 1.0, sets, product)


@jit_part
def _join(one, other, sets):
    """The product's coefficient of `sets` sets and one pair."""
    total = 0.0
    for slot in range(2 * sets + 2):
        total += one[slot] * other[2 * sets + 1 - slot]
    return total


@jit_part
def find_suit_rests(tables, settings, hand, suit):
    """Writes hand.rests[suit] and hand.constants[suit] from the other suits' sums and the honours."""
    values, pay, sets = settings.values, settings.pay, hand.sets
    rest = hand.rests[suit]
    for group in range(GROUPS):
        _clear(rest[group])
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    one = hand.sums[place_of(hand, next_suit)]
    other = hand.sums[place_of(hand, last_suit)]
    both, with_honours, honours = hand.work[0], hand.work[1], hand.work[2]

    _pair_chows(tables, pay, hand, suit, one, other)
    share = values.short_concealed if hand.is_concealed else values.short_open
    _mix_honours(hand, 1.0, share, honours)
    for chow in range(CHOWS):
        _add_product(hand.chow_pairs[_OTHERS, chow], hand.honours[ALL_WAYS], 1.0, sets, rest[CHOW + chow])
        _add_product(hand.chow_pairs[_STEPS_ANY, chow], honours, 1.0, sets, rest[CHOW + chow])
        if hand.honour_melds == 0:
            _add_scaled(hand.chow_pairs[_STEPS_ALONE, chow], 1 - share, rest[CHOW_ALONE + chow])

    _set_product(one[ALL], other[ALL], sets, both)
    _set_product(both, hand.honours[ALL_WAYS], sets, with_honours)
    _add_scaled(with_honours, pay[_PURE], rest[PURE])
    _add_scaled(with_honours, pay[_PURE_TRIPLE], rest[PURE_TRIPLE])
    _clear(both)
    for group, pattern in ((PURE, _PURE), (PURE_TRIPLE, _PURE_TRIPLE)):
        _add_product(one[group], other[ALL], pay[pattern], sets, both)
        _add_product(other[group], one[ALL], pay[pattern], sets, both)
    _add_product(both, hand.honours[ALL_WAYS], 1.0, sets, rest[ALL])

    _mix_honours(hand, pay[_PUNGS], values.pungs_short, honours)
    _set_product(one[NO_CHOW], other[NO_CHOW], sets, both)
    _add_product(both, honours, 1.0, sets, rest[NO_CHOW])
    if hand.may_be_upper:
        _add_product(one[UPPER], other[UPPER], pay[_FOUR], sets, rest[UPPER])
    if hand.may_be_lower:
        _add_product(one[LOWER], other[LOWER], pay[_FOUR], sets, rest[LOWER])

    _set_flush_honours(settings, hand, honours)
    hand.constants[suit] = 0.0
    for own in range(3):
        if hand.type_melds[(own + 1) % 3] or hand.type_melds[(own + 2) % 3]:
            continue
        if own == suit:
            _add_scaled(honours, 1.0, rest[ALL])
        else:
            hand.constants[suit] += _join(hand.sums[place_of(hand, own), ALL], honours, sets)
    _add_types(pay, hand, suit, rest[ALL])


@jit_part
def _pair_chows(tables, pay, hand, suit, one, other):
    """Writes hand.chow_pairs: for each chow of `suit`, the products of the other suits' chows that go with it."""
    is_alone = hand.honour_melds == 0
    for kind in range(3):
        for chow in range(CHOWS):
            _clear(hand.chow_pairs[kind, chow])
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    melded = hand.suit_melds[place_of(hand, suit), 0]
    next_melded = hand.suit_melds[place_of(hand, next_suit), 0]
    last_melded = hand.suit_melds[place_of(hand, last_suit), 0]
    for number in range(len(tables.chows)):
        chows = tables.chows[number]
        pattern, chow = chows[0], chows[1 + suit]
        next_chow, last_chow = chows[1 + next_suit], chows[1 + last_suit]
        # A chow takes a set, unless it is melded.
        sets = hand.sets - (1 - (melded >> chow & 1))
        least, other_least = 1 - (next_melded >> next_chow & 1), 1 - (last_melded >> last_chow & 1)
        kind = _STEPS_ANY if pattern == _STEPS else _OTHERS
        _add_chows(one[CHOW + next_chow], least, other[CHOW + last_chow], other_least, pay[pattern], sets,
                   hand.chow_pairs[kind, chow])
        if pattern == _STEPS and is_alone:
            _add_chows(one[CHOW_ALONE + next_chow], least, other[CHOW_ALONE + last_chow], other_least, pay[pattern],
                       sets, hand.chow_pairs[_STEPS_ALONE, chow])


@jit_part
def _mix_honours(hand, pay, share, honours):
    """Writes what the honours bring to a pattern that counts enough with a set of two fan, else in a share of cases."""
    _clear(honours)
    _add_scaled(hand.honours[ALL_WAYS], pay * share, honours)
    _add_scaled(hand.honours[VALUED_WAYS], pay * (1 - share), honours)


@jit_part
def _set_flush_honours(settings, hand, honours):
    """Half and full flush: what the honours bring to a suit."""
    pay, values = settings.pay, settings.values
    share = values.half_concealed if hand.is_concealed else values.half_open
    _clear(honours)
    _add_scaled(hand.honours[SOME_WAYS], pay[_HALF_FLUSH] * share, honours)
    _add_scaled(hand.honours[VALUED_WAYS], pay[_HALF_FLUSH] * (1 - share), honours)
    if hand.honour_melds == 0:
        honours[0] += pay[_FULL_FLUSH]


@jit_part
def find_honour_rests(tables, settings, hand):
    """Writes hand.honour_rests and hand.constants[3] from the sums of all suits; hand.rests is of suit 0."""
    values, pay, sets = settings.values, settings.pay, hand.sets
    rests = hand.honour_rests
    for kind in range(3):
        _clear(rests[kind])
    first = hand.sums[place_of(hand, 0)]
    one = hand.sums[place_of(hand, 1)]
    other = hand.sums[place_of(hand, 2)]
    both, three = hand.work[0], hand.work[1]

    _pair_chows(tables, pay, hand, 0, one, other)
    hand.constants[3] = 0.0
    _clear(three)
    share = values.short_concealed if hand.is_concealed else values.short_open
    for chow in range(CHOWS):
        _add_product(first[CHOW + chow], hand.chow_pairs[_OTHERS, chow], 1.0, sets, rests[ALL_WAYS])
        _add_product(first[CHOW + chow], hand.chow_pairs[_STEPS_ANY, chow], 1.0, sets, three)
        if hand.honour_melds == 0:
            hand.constants[3] += (1 - share) * _join(
                first[CHOW_ALONE + chow], hand.chow_pairs[_STEPS_ALONE, chow], sets)
    _add_scaled(three, share, rests[ALL_WAYS])
    _add_scaled(three, 1 - share, rests[VALUED_WAYS])

    for suit in range(3):
        own = hand.sums[place_of(hand, suit)]
        _set_product(hand.sums[place_of(hand, (suit + 1) % 3), ALL],
                    hand.sums[place_of(hand, (suit + 2) % 3), ALL], sets, both)
        _add_product(both, own[PURE], pay[_PURE], sets, rests[ALL_WAYS])
        _add_product(both, own[PURE_TRIPLE], pay[_PURE_TRIPLE], sets, rests[ALL_WAYS])

    _set_product(first[NO_CHOW], one[NO_CHOW], sets, both)
    _set_product(both, other[NO_CHOW], sets, three)
    _add_scaled(three, pay[_PUNGS] * values.pungs_short, rests[ALL_WAYS])
    _add_scaled(three, pay[_PUNGS] * (1 - values.pungs_short), rests[VALUED_WAYS])
    for group, may_be in ((UPPER, hand.may_be_upper), (LOWER, hand.may_be_lower)):
        if may_be:
            _set_product(first[group], one[group], sets, both)
            hand.constants[3] += pay[_FOUR] * _join(both, other[group], sets)

    share = values.half_concealed if hand.is_concealed else values.half_open
    for suit in range(3):
        if hand.type_melds[(suit + 1) % 3] or hand.type_melds[(suit + 2) % 3]:
            continue
        own = hand.sums[place_of(hand, suit), ALL]
        _add_scaled(own, pay[_HALF_FLUSH] * share, rests[SOME_WAYS])
        _add_scaled(own, pay[_HALF_FLUSH] * (1 - share), rests[VALUED_WAYS])
        if hand.honour_melds == 0:
            hand.constants[3] += pay[_FULL_FLUSH] * own[2 * sets + 1]


@jit_part
def _may_be_all_types(hand):
    """Whether no group of tiles is melded twice."""
    for group in range(TYPES):
        if hand.type_melds[group] > 1:
            return False
    return True


@jit_part
def set_types(values, hand):
    """Writes hand.types: the ways to the one set or pair of each group of tiles."""
    for group in range(TYPES):
        part = hand.types[group]
        _clear(part)
        if hand.type_melds[group]:
            part[0] = 1.0
        elif group < 3:
            own = hand.sums[place_of(hand, group), ALL]
            part[2], part[1] = own[2], own[1]
        else:
            for honour in range(0 if group == 3 else WINDS, WINDS if group == 3 else HONOURS):
                is_enough = hand.is_concealed or hand.valued >> honour & 1
                part[2] += hand.by_need[FIRST_HONOUR + honour, PUNG] * (1.0 if is_enough else values.types_guest_wind)
                part[1] += hand.by_need[FIRST_HONOUR + honour, PAIR] * values.types_honour_pair


@jit_part
def _add_types(pay, hand, suit, rest):
    """Adds the part of all types to the rest of a suit's rows, or to its constant where it is melded."""
    if not _may_be_all_types(hand):
        return
    sets = hand.sets
    ways, more = hand.work[0], hand.work[1]
    _clear(ways)
    ways[0] = pay[_TYPES]
    for group in range(TYPES):
        if group != suit:
            _set_product(hand.types[group], ways, sets, more)
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
    if not _may_be_all_types(hand):
        return 0.0
    ways, more = hand.work[0], hand.work[1]
    _clear(ways)
    ways[0] = pay[_TYPES]
    for group in range(TYPES):
        _set_product(hand.types[group], ways, hand.sets, more)
        ways, more = more, ways
    return ways[2 * hand.sets + 1]


@jit_part
def worth_of_honours(hand):
    """The worth of the patterns of sets and a pair by the honours' polynomials, all types apart."""
    total = hand.constants[3]
    for kind in range(3):
        total += _join(hand.honour_rests[kind], hand.honours[kind], hand.sets)
    return total
