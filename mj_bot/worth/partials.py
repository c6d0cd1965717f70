"""Partial derivatives of the worth with respect to each suit's sums, and to the honours' polynomials.

The worth of the patterns of sets and a pair is linear in the sums of each suit: a constant and, over the groups of
rows, join(a suit's sum, the group's partial), whichever of the three suits is taken. It is linear in the honours'
polynomials in the same way. So a tile more or less in one suit, or of an honour, costs little once these are known.

join is the product's coefficient of all missing sets and the pair; polynomials are those of hand.py.
"""

from ..jit import jit_part
from ..mahjong.tile import FIRST_HONOUR
from .chance import PAIR, PUNG
from .hand import ALL_WAYS, SOME_WAYS, TYPES, VALUED_WAYS, place_of
from .patterns import (
    ALL_PUNGS, ALL_TYPES, FULL_FLUSH, HALF_FLUSH, HONOURS, MIXED_STEPS, MIXED_STRAIGHT, MIXED_TRIPLE,
    PURE_CHOWS_OF_SUIT, PURE_TRIPLES, UPPER_OR_LOWER, WINDS,
)
from .rows import ALL, CHOW, CHOW_ALONE, CHOWS, GROUPS, LOWER, NO_CHOW, PURE, PURE_TRIPLE, SLOTS, UPPER

# The rows of hand.chow_pairs: one a pattern of three suits, and steps without a pung.
_STEPS_ALONE = 3
assert (MIXED_TRIPLE, MIXED_STRAIGHT, MIXED_STEPS) == (0, 1, 2)


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
def set_suit_partials(tables, settings, hand, suit):
    """Writes hand.partials[suit] and hand.constants[suit] from the other suits' sums and the honours."""
    for group in range(GROUPS):
        _clear(hand.partials[suit, group])
    hand.constants[suit] = 0.0
    one, other = hand.sums[place_of(hand, (suit + 1) % 3)], hand.sums[place_of(hand, (suit + 2) % 3)]
    _add_mixed_chows(tables, settings, hand, suit, one, other)
    _add_pure_sets(settings.pay, hand, suit, one, other)
    _add_groups(settings, hand, suit, one, other)
    _add_flushes(settings, hand, suit)
    _add_types(settings.pay, hand, suit, hand.partials[suit, ALL])


@jit_part
def _add_mixed_chows(tables, settings, hand, suit, one, other):
    """Mixed triple chow, mixed straight and mixed steps."""
    partials, honours, sets = hand.partials[suit], hand.work[2], hand.sets
    _pair_chows(tables, settings.pay, hand, suit, one, other)
    share = _share_of_short(settings.values, hand)
    _mix_honours(hand, 1.0, share, honours)
    for chow in range(CHOWS):
        _add_product(hand.chow_pairs[MIXED_TRIPLE, chow], hand.honours[ALL_WAYS], 1.0, sets, partials[CHOW + chow])
        if chow % 3 == 0:
            _add_product(hand.chow_pairs[MIXED_STRAIGHT, chow], hand.honours[ALL_WAYS], 1.0, sets,
                         partials[CHOW + chow])
        _add_product(hand.chow_pairs[MIXED_STEPS, chow], honours, 1.0, sets, partials[CHOW + chow])
        if hand.honour_melds == 0:
            _add_scaled(hand.chow_pairs[_STEPS_ALONE, chow], 1 - share, partials[CHOW_ALONE + chow])


@jit_part
def _add_pure_sets(pay, hand, suit, one, other):
    """Pure straight or shifted chows, and pure triple chow or shifted pungs, in this suit or in another."""
    both, with_honours, sets = hand.work[0], hand.work[1], hand.sets
    partials = hand.partials[suit]
    _set_product(one[ALL], other[ALL], sets, both)
    _set_product(both, hand.honours[ALL_WAYS], sets, with_honours)
    _add_scaled(with_honours, pay[PURE_CHOWS_OF_SUIT], partials[PURE])
    _add_scaled(with_honours, pay[PURE_TRIPLES], partials[PURE_TRIPLE])
    _clear(both)
    for group, pattern in ((PURE, PURE_CHOWS_OF_SUIT), (PURE_TRIPLE, PURE_TRIPLES)):
        _add_product(one[group], other[ALL], pay[pattern], sets, both)
        _add_product(other[group], one[ALL], pay[pattern], sets, both)
    _add_product(both, hand.honours[ALL_WAYS], 1.0, sets, partials[ALL])


@jit_part
def _add_groups(settings, hand, suit, one, other):
    """All pungs, and upper or lower four."""
    both, honours, sets = hand.work[0], hand.work[2], hand.sets
    partials, pay = hand.partials[suit], settings.pay
    _mix_honours(hand, pay[ALL_PUNGS], settings.values.pungs_short, honours)
    _set_product(one[NO_CHOW], other[NO_CHOW], sets, both)
    _add_product(both, honours, 1.0, sets, partials[NO_CHOW])
    if hand.may_be_upper:
        _add_product(one[UPPER], other[UPPER], pay[UPPER_OR_LOWER], sets, partials[UPPER])
    if hand.may_be_lower:
        _add_product(one[LOWER], other[LOWER], pay[UPPER_OR_LOWER], sets, partials[LOWER])


@jit_part
def _add_flushes(settings, hand, suit):
    """Half and full flush, of this suit or of another."""
    honours = hand.work[2]
    _set_flush_honours(settings, hand, honours)
    for own in range(3):
        if _may_be_flush(hand, own):
            if own == suit:
                _add_scaled(honours, 1.0, hand.partials[suit, ALL])
            else:
                hand.constants[suit] += _join(hand.sums[place_of(hand, own), ALL], honours, hand.sets)


@jit_part
def _may_be_flush(hand, suit):
    """Whether neither of the other two suits is melded."""
    return hand.type_melds[(suit + 1) % 3] == 0 and hand.type_melds[(suit + 2) % 3] == 0


@jit_part
def _share_of_short(values, hand):
    return values.short_concealed if hand.is_concealed else values.short_open


@jit_part
def _pair_chows(tables, pay, hand, suit, one, other):
    """Writes hand.chow_pairs: for each chow of `suit`, the products of the other suits' chows that go with it."""
    for kind in range(_STEPS_ALONE + 1):
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
        _add_chows(one[CHOW + next_chow], least, other[CHOW + last_chow], other_least, pay[pattern], sets,
                   hand.chow_pairs[pattern, chow])
        if pattern == MIXED_STEPS and hand.honour_melds == 0:
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
    _add_scaled(hand.honours[SOME_WAYS], pay[HALF_FLUSH] * share, honours)
    _add_scaled(hand.honours[VALUED_WAYS], pay[HALF_FLUSH] * (1 - share), honours)
    if hand.honour_melds == 0:
        honours[0] += pay[FULL_FLUSH]


@jit_part
def set_honour_partials(tables, settings, hand):
    """Writes hand.honour_partials and hand.honour_constants, by pattern, from the sums of all suits; all types apart.

    hand.chow_pairs are then of suit 0.
    """
    for pattern in range(len(hand.honour_constants)):
        hand.honour_constants[pattern] = 0.0
        for kind in range(3):
            _clear(hand.honour_partials[pattern, kind])
    first, one, other = hand.sums[place_of(hand, 0)], hand.sums[place_of(hand, 1)], hand.sums[place_of(hand, 2)]
    _set_mixed_chows(tables, settings, hand, first, one, other)
    _set_pure_sets(settings.pay, hand)
    _set_groups(settings, hand, first, one, other)
    _set_flushes(settings, hand)


@jit_part
def _set_mixed_chows(tables, settings, hand, first, one, other):
    """Mixed triple chow, mixed straight and mixed steps."""
    three, sets, partials = hand.work[1], hand.sets, hand.honour_partials
    _pair_chows(tables, settings.pay, hand, 0, one, other)
    share = _share_of_short(settings.values, hand)
    _clear(three)
    for chow in range(CHOWS):
        own = first[CHOW + chow]
        _add_product(own, hand.chow_pairs[MIXED_TRIPLE, chow], 1.0, sets, partials[MIXED_TRIPLE, ALL_WAYS])
        _add_product(own, hand.chow_pairs[MIXED_STRAIGHT, chow], 1.0, sets, partials[MIXED_STRAIGHT, ALL_WAYS])
        _add_product(own, hand.chow_pairs[MIXED_STEPS, chow], 1.0, sets, three)
        if hand.honour_melds == 0:
            hand.honour_constants[MIXED_STEPS] += (1 - share) * _join(
                first[CHOW_ALONE + chow], hand.chow_pairs[_STEPS_ALONE, chow], sets)
    _share_out(hand, MIXED_STEPS, three, 1.0, share)


@jit_part
def _share_out(hand, pattern, ways, pay, share):
    """Sets the partials of a pattern that counts enough with a set of two fan, else in a share of cases."""
    _add_scaled(ways, pay * share, hand.honour_partials[pattern, ALL_WAYS])
    _add_scaled(ways, pay * (1 - share), hand.honour_partials[pattern, VALUED_WAYS])


@jit_part
def _set_pure_sets(pay, hand):
    """Pure straight or shifted chows, and pure triple chow or shifted pungs."""
    both, sets, partials = hand.work[0], hand.sets, hand.honour_partials
    for suit in range(3):
        own = hand.sums[place_of(hand, suit)]
        _set_product(hand.sums[place_of(hand, (suit + 1) % 3), ALL], hand.sums[place_of(hand, (suit + 2) % 3), ALL],
                     sets, both)
        _add_product(both, own[PURE], pay[PURE_CHOWS_OF_SUIT], sets, partials[PURE_CHOWS_OF_SUIT, ALL_WAYS])
        _add_product(both, own[PURE_TRIPLE], pay[PURE_TRIPLES], sets, partials[PURE_TRIPLES, ALL_WAYS])


@jit_part
def _set_groups(settings, hand, first, one, other):
    """All pungs, and upper or lower four."""
    both, three, sets, pay = hand.work[0], hand.work[1], hand.sets, settings.pay
    _set_product(first[NO_CHOW], one[NO_CHOW], sets, both)
    _set_product(both, other[NO_CHOW], sets, three)
    _share_out(hand, ALL_PUNGS, three, pay[ALL_PUNGS], settings.values.pungs_short)
    for group, may_be in ((UPPER, hand.may_be_upper), (LOWER, hand.may_be_lower)):
        if may_be:
            _set_product(first[group], one[group], sets, both)
            hand.honour_constants[UPPER_OR_LOWER] += pay[UPPER_OR_LOWER] * _join(both, other[group], sets)


@jit_part
def _set_flushes(settings, hand):
    """Half and full flush."""
    pay, values, partials = settings.pay, settings.values, hand.honour_partials
    share = values.half_concealed if hand.is_concealed else values.half_open
    for suit in range(3):
        if _may_be_flush(hand, suit):
            own = hand.sums[place_of(hand, suit), ALL]
            _add_scaled(own, pay[HALF_FLUSH] * share, partials[HALF_FLUSH, SOME_WAYS])
            _add_scaled(own, pay[HALF_FLUSH] * (1 - share), partials[HALF_FLUSH, VALUED_WAYS])
            if hand.honour_melds == 0:
                hand.honour_constants[FULL_FLUSH] += pay[FULL_FLUSH] * own[2 * hand.sets + 1]


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
def _add_types(pay, hand, suit, partial):
    """Adds all types to the partial of a suit's rows, or to its constant where the suit is melded."""
    if not _may_be_all_types(hand):
        return
    sets = hand.sets
    ways, more = hand.work[0], hand.work[1]
    _clear(ways)
    ways[0] = pay[ALL_TYPES]
    for group in range(TYPES):
        if group != suit:
            _set_product(hand.types[group], ways, sets, more)
            ways, more = more, ways
    if hand.type_melds[suit]:
        hand.constants[suit] += ways[2 * sets + 1]
        return
    partial[2 * sets] += ways[2 * sets]
    if sets:
        partial[2 * sets - 1] += ways[2 * sets - 1]


@jit_part
def worth_of_types(pay, hand):
    """The worth of all types, of hand.types."""
    if not _may_be_all_types(hand):
        return 0.0
    ways, more = hand.work[0], hand.work[1]
    _clear(ways)
    ways[0] = pay[ALL_TYPES]
    for group in range(TYPES):
        _set_product(hand.types[group], ways, hand.sets, more)
        ways, more = more, ways
    return ways[2 * hand.sets + 1]


@jit_part
def add_honour_partials(hand, total):
    """Adds up the partials of all patterns in the place of one that has none."""
    for pattern in range(len(hand.honour_constants)):
        if pattern != total:
            hand.honour_constants[total] += hand.honour_constants[pattern]
            for kind in range(3):
                _add_scaled(hand.honour_partials[pattern, kind], 1.0, hand.honour_partials[total, kind])


@jit_part
def worth_by_honours(hand, pattern):
    """The worth of a pattern of sets and a pair by its partials, all types apart."""
    total = hand.honour_constants[pattern]
    for kind in range(3):
        total += _join(hand.honour_partials[pattern, kind], hand.honours[kind], hand.sets)
    return total
