"""What a hand is worth by the targets that it may become, as it is, after each discard and after each draw."""

from collections import namedtuple
from itertools import permutations

import numpy as np

from ..mahjong.tile import FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT
from .chance import CLASS_OF, CONCEALED, ONE, PAIR, PUNG, WANTS, base_share, tabulate_chances
from .rows import CHOWS, MAX_SETS
from .suits import (
    ALL, CHOW, CHOW_ALONE, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER, SuitMelds, join, multiply, sum_suit,
)

CHOW_MELD, PUNG_MELD = 0, 1
Hand = namedtuple("Hand", "counts melds unseen draws valued is_concealed")
Hand.__doc__ = """counts, unseen: sequences of 34 ints.

melds: list of (CHOW_MELD, middle tile) or (PUNG_MELD, tile), kongs as pungs. draws: tiles left in the own wall.
valued: set of the honours 0..6 whose pung counts two fan. is_concealed: bool.
"""

# The patterns and the fans that a hand of each counts, small fans that come along included.
PATTERN_FANS = (
    ("mixed triple chow", 8), ("mixed straight", 8), ("mixed shifted chows", 8), ("pure straight or shifted chows", 17),
    ("pure triple chow or shifted pungs", 25), ("half flush", 9), ("full flush", 26), ("all pungs", 10),
    ("upper or lower four", 13), ("all types", 9), ("seven pairs", 25), ("honours and knitted", 12),
    ("knitted straight", 13),
)
PATTERNS = tuple(name for name, _ in PATTERN_FANS)
BASE_PAY = 24
HONOURS = 7
WINDS = 4
_CLASSES = np.array(CLASS_OF)
_ORDERS = tuple(permutations(range(3)))
# Three suits and the chow that each gives, by the chow's lowest rank: for the straight, and for the steps.
STRAIGHTS = tuple((order, (0, 3, 6)) for order in _ORDERS)
STEPS = tuple((order, (k, k + 1, k + 2)) for order in _ORDERS for k in range(CHOWS - 2))
SAME_CHOWS = tuple(((0, 1, 2), (k, k, k)) for k in range(CHOWS))
_NEEDS_SHOWN = 6
# Of what the best tile adds, the share that a tile must add to be listed.
_LEAST_SHARE = 0.5


def weigh_patterns(parameters):
    """float64[13]: what the chances of a pattern's targets are multiplied with."""
    fans = np.array([fans for _, fans in PATTERN_FANS], dtype=float)
    return (BASE_PAY + fans) ** parameters.sharpness * np.asarray(parameters.pattern_weights)


def value_discards(hand, discards, parameters):
    """The worth of a hand after each discard, by pattern.

    hand: Hand of 14 tiles less 3 a meld, or of 13 where discards is [None].
    discards: list of tiles 0..33, or [None].
    parameters: parameters.Parameters.
    Returns float64[V, 13]: for each of PATTERNS the sum over its targets of (chance * points) ** sharpness.
    """
    return _Sums(hand, discards, -1, parameters).worth()


def value_draws(hand, draws, parameters):
    """The worth of a hand with each of some tiles more, before it discards again, by pattern.

    hand: Hand of 13 tiles less 3 a meld. draws: list of tiles 0..33 of which a copy is unseen.
    Returns as value_discards; rows too unlikely without the tile are left out.
    """
    return _Sums(hand, draws, 1, parameters).worth()


def list_needs(hand, worth, waits, parameters):
    """Tiles 0..33 whose draw raises the worth of a hand most, the best first; at most six.

    hand: Hand of 13 tiles less 3 a meld. worth: its worth in points.
    waits: its waits as waits.Waits.list_waits lists them. parameters: parameters.Parameters.
    """
    draws = [tile for tile, left in enumerate(hand.unseen) if left]
    if not draws:
        return []
    sharpness = parameters.sharpness
    wins = {tile: parameters.ready * (BASE_PAY + fan) ** sharpness for tile, fan, _ in waits}
    totals = value_draws(hand, draws, parameters).sum(axis=1)
    gains = [(total + wins.get(tile, 0.0)) ** (1 / sharpness) - worth for tile, total in zip(draws, totals)]
    least = max(0.0, _LEAST_SHARE * max(gains))
    # Rounded, so that equal ones stand in tile order.
    ranked = sorted(zip(gains, draws), key=lambda entry: -round(entry[0], 6))
    return [tile for gain, tile in ranked[:_NEEDS_SHOWN] if gain > least]


class _Sums(object):
    """The sums that patterns are made of, for each variant of the hand: `change` copies more of one of `tiles`."""

    def __init__(self, hand, tiles, change, parameters):
        self._hand = hand
        self._parameters = parameters
        self._tiles = tiles
        self._sets = MAX_SETS - len(hand.melds)
        counts = np.tile(np.asarray(hand.counts, dtype=np.intp), (len(tiles), 1))
        unseen = np.tile(np.asarray(hand.unseen, dtype=np.intp), (len(tiles), 1))
        for variant, tile in enumerate(tiles):
            if tile is not None:
                counts[variant, tile] += change
                unseen[variant, tile] -= max(0, change)
        self._counts = counts
        self._unseen = unseen
        base = base_share(hand.draws, int(np.sum(hand.unseen)), parameters.horizon)
        self._chances = tabulate_chances(base, parameters)
        self._by_want = self._chances[_CLASSES, unseen, counts]
        self._melds = [SuitMelds() for _ in range(3)]
        self._honour_melds = set()
        self._group_melds = [0] * 5  # in each suit, of winds, of dragons
        for kind, tile in hand.melds:
            self._add_meld(kind, tile)
        self._suits = [self._sum_suit(suit) for suit in range(3)]
        self._honours, self._valued_honours = self._sum_honours()

    def _add_meld(self, kind, tile):
        if tile >= FIRST_HONOUR:
            self._honour_melds.add(tile - FIRST_HONOUR)
            self._group_melds[3 if tile < FIRST_HONOUR + WINDS else 4] += 1
            return
        self._group_melds[tile // 9] += 1
        if kind == CHOW_MELD:
            self._melds[tile // 9].add_chow(tile % 9 - 1)
        else:
            self._melds[tile // 9].add_pung(tile % 9)

    def _sum_suit(self, suit):
        """float64[V, GROUPS, 5, 2]: the suit's sums, worked out once for the hand and once for each change in it."""
        first = 9 * suit
        kinds = sorted({tile for tile in self._tiles if tile is not None and tile // 9 == suit})
        ranks = slice(first, first + 9)
        whole = self._chances[_CLASSES[ranks], self._hand.unseen[ranks], self._hand.counts[ranks]]
        stack = np.stack([whole] + [self._by_want[self._tiles.index(tile), ranks] for tile in kinds])
        sums = sum_suit(stack[..., :WANTS], self._melds[suit], self._sets, self._parameters.least_chance)
        return sums[[kinds.index(tile) + 1 if tile in kinds else 0 for tile in self._tiles]]

    def _sum_honours(self):
        """Polynomials float64[V, 5, 2] of the honours: all ways, and those with a set that counts two fan."""
        variants = len(self._tiles)
        sums = np.zeros((2, variants, MAX_SETS + 1, 2))  # without, with a valued set
        sums[1 if self._honour_melds & self._hand.valued else 0, :, 0, 0] = 1.0
        for honour in range(HONOURS):
            if honour in self._honour_melds:
                continue
            chances = self._by_want[:, FIRST_HONOUR + honour]
            with_set = np.zeros_like(sums)
            with_set[:, :, 1:] = sums[:, :, :-1] * chances[:, PUNG, None, None]
            if honour in self._hand.valued:
                with_set = np.stack([np.zeros_like(with_set[0]), with_set.sum(axis=0)])
            with_pair = np.zeros_like(sums)
            with_pair[..., 1] = sums[..., 0] * chances[:, PAIR, None]
            sums = sums + with_set + with_pair
        return sums.sum(axis=0), sums[1]

    def worth(self):
        """float64[V, 13], see value_discards."""
        mass = np.zeros((len(self._tiles), len(PATTERNS)))
        columns = {name: mass[:, place] for place, name in enumerate(PATTERNS)}
        self._add_three_suits(columns)
        self._add_one_suit(columns)
        self._add_groups(columns)
        if not self._hand.melds:
            columns["seven pairs"][:] = self._seven_pairs()
            columns["honours and knitted"][:] = self._honours_and_knitted()
        if len(self._hand.melds) <= 1:
            columns["knitted straight"][:] = self._knitted_straight()
        return mass * weigh_patterns(self._parameters)

    def _three_chows(self, group, places):
        """Polynomial of three chows in three suits, summed over `places`, (suits, chows) pairs."""
        parts = [
            np.stack([self._suits[suits[at]][:, group + chows[at]] for suits, chows in places], axis=1)
            for at in range(3)
        ]
        return multiply(multiply(parts[0], parts[1], self._sets), parts[2], self._sets).sum(axis=1)

    def _add_three_suits(self, columns):
        parameters, sets = self._parameters, self._sets
        columns["mixed triple chow"][:] = join(self._three_chows(CHOW, SAME_CHOWS), self._honours, sets)
        columns["mixed straight"][:] = join(self._three_chows(CHOW, STRAIGHTS), self._honours, sets)
        # Steps count six fan: all chows, or a set of two fan, make eight; so does a concealed hand.
        steps = self._three_chows(CHOW, STEPS)
        enough = join(steps, self._valued_honours, sets)
        if not self._honour_melds:
            enough = enough + self._three_chows(CHOW_ALONE, STEPS)[:, sets, 1]
        short = np.maximum(0.0, join(steps, self._honours, sets) - enough)
        share = parameters.short_concealed if self._hand.is_concealed else parameters.short_open
        columns["mixed shifted chows"][:] = enough + share * short

    def _add_one_suit(self, columns):
        sets = self._sets
        for suit in range(3):
            one, other = (suit + 1) % 3, (suit + 2) % 3
            rest = multiply(self._suits[one][:, ALL], self._suits[other][:, ALL], sets)
            rest = multiply(rest, self._honours, sets)
            columns["pure straight or shifted chows"][:] += join(rest, self._suits[suit][:, PURE], sets)
            columns["pure triple chow or shifted pungs"][:] += join(rest, self._suits[suit][:, PURE_TRIPLE], sets)
            if self._group_melds[one] or self._group_melds[other]:
                continue
            own = self._suits[suit][:, ALL]
            full = own[:, sets, 1] if not self._honour_melds else np.zeros(len(own))
            valued = join(own, self._valued_honours, sets)
            short = np.maximum(0.0, join(own, self._honours, sets) - full - valued)
            share = self._parameters.half_concealed if self._hand.is_concealed else self._parameters.half_open
            columns["half flush"][:] += valued + share * short
            columns["full flush"][:] += full

    def _add_groups(self, columns):
        sets, suits = self._sets, self._suits
        pungs = multiply(multiply(suits[0][:, NO_CHOW], suits[1][:, NO_CHOW], sets), suits[2][:, NO_CHOW], sets)
        valued = join(pungs, self._valued_honours, sets)
        columns["all pungs"][:] = valued + self._parameters.pungs_short * (join(pungs, self._honours, sets) - valued)
        for group, is_inside in ((UPPER, lambda low, high: low >= 5), (LOWER, lambda low, high: high <= 3)):
            if all(self._is_suited_within(meld, is_inside) for meld in self._hand.melds):
                ways = multiply(multiply(suits[0][:, group], suits[1][:, group], sets), suits[2][:, group], sets)
                columns["upper or lower four"][:] += ways[:, sets, 1]
        if max(self._group_melds) <= 1:
            columns["all types"][:] = self._all_types()

    @staticmethod
    def _is_suited_within(meld, is_inside):
        kind, tile = meld
        beside = 1 if kind == CHOW_MELD else 0
        return tile < FIRST_HONOUR and is_inside(tile % 9 - beside, tile % 9 + beside)

    def _all_types(self):
        """float64[V]: a set or the pair of each suit, of winds and of dragons."""
        ways = np.zeros((len(self._tiles), MAX_SETS + 1, 2))
        ways[:, 0, 0] = 1.0
        for group, melds in enumerate(self._group_melds):
            part = np.zeros_like(ways)
            if melds:
                part[:, 0, 0] = 1.0
            elif group < 3:
                part[:, 1, 0] = self._suits[group][:, ALL, 1, 0]
                part[:, 0, 1] = self._suits[group][:, ALL, 0, 1]
            else:
                kinds = range(WINDS) if group == 3 else range(WINDS, HONOURS)
                for honour in kinds:
                    chances = self._by_want[:, FIRST_HONOUR + honour]
                    is_enough = self._hand.is_concealed or honour in self._hand.valued
                    part[:, 1, 0] += chances[:, PUNG] * (1.0 if is_enough else self._parameters.types_guest_wind)
                    part[:, 0, 1] += chances[:, PAIR] * self._parameters.types_honour_pair
            ways = multiply(ways, part, self._sets)
        return ways[:, self._sets, 1]

    def _seven_pairs(self):
        """float64[V]: seven pairs, four of a kind being two of them."""
        by_want = self._by_want
        ways = np.zeros((len(self._tiles), 8))
        ways[:, 0] = 1.0
        for tile in range(TILE_COUNT):
            grown = ways.copy()
            grown[:, 1:] += ways[:, :-1] * by_want[:, tile, CONCEALED + 2, None]
            two_pairs = np.where(self._counts[:, tile] > 2, by_want[:, tile, CONCEALED + 4], 0.0)
            grown[:, 2:] += ways[:, :-2] * two_pairs[:, None]
            ways = grown
        return ways[:, 7]

    def _honours_and_knitted(self):
        """float64[V]: fourteen different tiles of the honours and a knitted straight."""
        once = self._by_want[:, :, CONCEALED + 1]
        honours = list(range(FIRST_HONOUR, TILE_COUNT))
        kinds = once[:, np.array([list(straight) + honours for straight in KNITTED_STRAIGHTS])]
        ways = np.zeros(kinds.shape[:2] + (15,))
        ways[..., 0] = 1.0
        for place in range(kinds.shape[2]):
            ways[..., 1:] += ways[..., :-1] * kinds[..., place, None]
        return ways[..., 14].sum(axis=1)

    def _knitted_straight(self):
        """float64[V]: a knitted straight with a pair and, where none is melded, a set."""
        straights = np.array(KNITTED_STRAIGHTS)
        straight = self._by_want[:, straights, CONCEALED + 1].prod(axis=2)
        left = np.repeat(self._counts[:, None, :], len(straights), axis=1)
        of_straight = np.arange(len(straights))[:, None]
        left[:, of_straight, straights] -= left[:, of_straight, straights] > 0
        by_want = self._chances[_CLASSES, self._unseen[:, None], left]
        rest = by_want[..., PAIR].sum(axis=2)
        if not self._hand.melds:
            once = by_want[..., :FIRST_HONOUR, ONE].reshape(left.shape[:2] + (3, 9))
            chows = (once[..., :-2] * once[..., 1:-1] * once[..., 2:]).sum(axis=(2, 3))
            rest = rest * (by_want[..., PUNG].sum(axis=2) + chows) * self._parameters.knitted_rest
        return np.where(straight >= self._parameters.least_chance, straight * rest, 0.0).sum(axis=1)
