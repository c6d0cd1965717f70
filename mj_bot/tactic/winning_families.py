"""Measures how far a hand is from each family of winning hands.

The distance is the cost of the tiles that the family's cheapest winning hand still misses. Families are of three sorts:

- A core family has nine fixed tiles, the core, and any other set and pair. The core is three chows or a knitted
straight.
- A group family takes all sets and the pair from a group of tiles, for example from one suit and the honours.
- The others have a function of their own: all types, seven pairs, thirteen orphans, honours and knitted tiles.

A row is a list of costs: row[2 * sets + pairs] is the cost of making so many sets and pairs of some tiles. All costs
are whole thousandths of a tile, so sums have no rounding errors.

The code is compiled in the workshop and interpreted in the bot. Interpreted code gets lists instead of arrays.
"""

from itertools import permutations
from typing import NamedTuple, Sequence

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part, make_table
from ..mahjong.rules import MAX_SETS
from ..mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ..observation.layout import CHOW, CONCEALED_KONG
from ..observation.openings import Openings
from ..worth.patterns import FAMILIES

FAMILY_COUNT = len(FAMILIES)
(MIXED_SHIFTED_FAMILY, MIXED_TRIPLE_FAMILY, MIXED_STRAIGHT_FAMILY, PURE_STRAIGHT_FAMILY, PURE_SHIFTED_FAMILY,
 PURE_TRIPLE_FAMILY, KNITTED_STRAIGHT_FAMILY, HALF_FLUSH_FAMILY, FULL_FLUSH_FAMILY, UPPER_FOUR_FAMILY,
 LOWER_FOUR_FAMILY, ALL_PUNGS_FAMILY, ALL_TYPES_FAMILY, SEVEN_PAIRS_FAMILY, THIRTEEN_ORPHANS_FAMILY,
 HONOURS_AND_KNITTED_FAMILY) = range(FAMILY_COUNT)

# Costs are in thousandths of a tile. The first five are those of a missing tile with 0..4 unseen copies. The last two
# are added if an open hand of a family of six fan is one or two fan short of eight.
COSTS = (10000, 1100, 1000, 900, 800, 500, 1500)
_MOST_COPIES, _ONE_SHORT, _TWO_SHORT = 4, 5, 6
# A family is out of reach if it costs MOST or more, or _MOST_BEYOND more than the nearest core family. Its cost is
# then OUT_OF_REACH.
MOST, _MOST_BEYOND, OUT_OF_REACH = 10000, 2500, 1 << 20

# The share of a suit is what a core takes of it: nothing, chows (here by their first ranks), or three knitted tiles.
_CHOWS = ([()] + [(rank,) for rank in range(7)] + [(0, 3, 6)]
          + [(rank, rank + step, rank + 2 * step) for step in (1, 2) for rank in range(7 - 2 * step)]
          + [(rank,) * 3 for rank in range(7)] + [()] * 3)
_SHARE_COUNT, _FIRST_KNITTED = len(_CHOWS), len(_CHOWS) - 3
# These tables tell how many copies each share has of each rank, and how many chows begin at each rank.
_SHARE_TILES = make_table([
    [sum(first <= rank < first + 3 for first in chows) + (share - _FIRST_KNITTED == rank % 3) for rank in range(9)]
    for share, chows in enumerate(_CHOWS)])
_SHARE_CHOWS = make_table([[chows.count(rank) for rank in range(7)] for chows in _CHOWS])


def _list_cores():
    """Yields [family, share of each suit] of every core."""
    for share, chows in enumerate(_CHOWS):
        if len(chows) == 3:
            family = (PURE_STRAIGHT_FAMILY if chows == (0, 3, 6) else PURE_TRIPLE_FAMILY if chows[0] == chows[2]
                      else PURE_SHIFTED_FAMILY)
            for suit in range(3):
                yield [family] + [share * (suit == other) for other in range(3)]
    for order in permutations(range(3)):
        yield [MIXED_STRAIGHT_FAMILY] + [1 + 3 * step for step in order]
        yield [KNITTED_STRAIGHT_FAMILY] + [_FIRST_KNITTED + step for step in order]
        for rank in range(5):
            yield [MIXED_SHIFTED_FAMILY] + [1 + rank + step for step in order]
    for rank in range(7):
        yield [MIXED_TRIPLE_FAMILY] + [1 + rank] * 3


_CORES = make_table(list(_list_cores()))
_KNITTED_CORES = make_table([core for core in _list_cores() if core[0] == KNITTED_STRAIGHT_FAMILY])
# A group of tiles has bit t for tile t, and bit 34 if its tiles may make chows.
_CHOW_BIT = 1 << TILE_COUNT
_SUITS = [511 << suit for suit in (0, 9, 18)]
_WINDS, _DRAGONS, _HONOURS = 15 << FIRST_HONOUR, 7 << FIRST_HONOUR + 4, 127 << FIRST_HONOUR
_TYPES = make_table(_SUITS + [_WINDS, _DRAGONS])
_GROUPS = make_table(
    [(HALF_FLUSH_FAMILY, suit | _HONOURS | _CHOW_BIT) for suit in _SUITS]
    + [(FULL_FLUSH_FAMILY, suit | _CHOW_BIT) for suit in _SUITS]
    + [(UPPER_FOUR_FAMILY, sum(480 << suit for suit in (0, 9, 18)) | _CHOW_BIT),
       (LOWER_FOUR_FAMILY, sum(15 << suit for suit in (0, 9, 18)) | _CHOW_BIT),
       (ALL_PUNGS_FAMILY, sum(_SUITS) | _HONOURS)])
_ROW = 2 * MAX_SETS + 2


class CostedHand(NamedTuple):
    """Keeps a hand and the costs of its parts, in int64."""

    costs: np.ndarray  # [7], in the order of COSTS
    counts: np.ndarray  # [34], concealed tiles
    unseen: np.ndarray  # [34], copies that the seat does not see
    prices: np.ndarray  # [34, 8], cost of 0..7 copies of each tile
    needs: np.ndarray  # [3, S, 10], by suit and share: copies of each rank that no meld has, then its melded chows
    shares: np.ndarray  # [3, S, 4], by suit and share: the row of the share with 0..1 other sets
    layers: np.ndarray  # [2, 9, _ROW], memory of _count_group


class Melds(NamedTuple):
    """Keeps the facts of the melds that the families depend on."""

    count: int  # how many melds there are
    tiles: int  # their tiles, bit t for tile t, and bit 34 if there are chows
    is_open: bool  # whether a meld was claimed


def make_hand(costs: Sequence[int] = COSTS) -> CostedHand:
    """Returns the memory for a hand, which set_hand fills. costs: seven ints in the order of COSTS."""
    shapes = [(TILE_COUNT,)] * 2 + [(TILE_COUNT, 8), (3, _SHARE_COUNT, 10), (3, _SHARE_COUNT, 4), (2, 9, _ROW)]
    rooms = [np.zeros(shape, np.int64) for shape in shapes]
    return CostedHand(make_table(costs), *(rooms if IS_COMPILED else [room.tolist() for room in rooms]))


@jit
def set_hand(hand: CostedHand, openings: Openings, opening: int) -> Melds:
    """Writes the hand that an opening leaves, with its costs, and returns the facts of its melds.

    opening: index in `openings`.
    """
    for tile in range(TILE_COUNT):
        hand.counts[tile] = int(openings.counts[opening, tile])
        hand.unseen[tile] = int(openings.unseen[tile])
        _set_price(hand, tile)
    count, melds = int(openings.meld_count[opening]), openings.melds[opening]
    tiles, is_open = 0, False
    for slot in range(count):
        meld_type, tile = int(melds[slot, 0]), int(melds[slot, 1])
        tiles |= 7 << tile - 1 | _CHOW_BIT if meld_type == CHOW else 1 << tile
        is_open |= meld_type != CONCEALED_KONG
    for suit in range(3):
        for share in range(_SHARE_COUNT):
            _set_share_need(hand.needs[suit][share], suit, share, melds, count)
        _set_shares(hand, suit)
    return Melds(count, tiles, is_open)


@jit_part
def _set_price(hand, tile):
    """Writes the cost of 0..7 copies of a tile."""
    cost = 0
    for copies in range(1, 8):
        missing = copies - hand.counts[tile]
        if missing > 0:
            cost += hand.costs[max(0, hand.unseen[tile] + 1 - missing)]
        hand.prices[tile][copies] = cost


@jit_part
def _set_share_need(need, suit, share, melds, count):
    """Writes the copies of each rank that a share needs besides its melded chows, then the number of these chows."""
    for rank in range(9):
        need[rank] = _SHARE_TILES[share][rank]
    need[9] = 0
    for first in range(7):
        melded = 0
        for slot in range(count):
            melded += melds[slot, 0] == CHOW and melds[slot, 1] == 9 * suit + first + 1
        melded = min(melded, _SHARE_CHOWS[share][first])
        for rank in (first, first + 1, first + 2):
            need[rank] -= melded
        need[9] += melded


@jit_part
def _set_shares(hand, suit):
    """Writes the rows of all shares of a suit: the cost of each alone, with a pair, with another set, with both."""
    # `begun` is the cost if the other set is a chow that begins at this rank, `going` if it began at the rank before.
    # begun_pair and going_pair are these costs with the pair.
    for share in range(_SHARE_COUNT):
        need, row = hand.needs[suit][share], hand.shares[suit][share]
        alone, pair, one_set, both = 0, OUT_OF_REACH, OUT_OF_REACH, OUT_OF_REACH
        begun = begun_pair = going = going_pair = OUT_OF_REACH
        for rank in range(9):
            price, used = hand.prices[9 * suit + rank], need[rank]
            zero, one, two, three = price[used], price[used + 1], price[used + 2], price[used + 3]
            both = min(both + zero, pair + three, one_set + two, going_pair + one, going + three)
            one_set = min(one_set + zero, alone + three, going + one)
            going_pair, going = min(begun_pair + one, begun + three), begun + one
            begun_pair, begun = min(pair + one, alone + three), alone + one
            pair = min(pair + zero, alone + two)
            alone += zero
        row[0], row[1], row[2], row[3] = alone, pair, one_set, both


@jit
def change_tile(hand: CostedHand, tile: int, change: int) -> None:
    """Adds a tile to the hand (change 1) or takes it away (-1), and updates the costs."""
    hand.counts[tile] += change
    _set_price(hand, tile)
    if tile < FIRST_HONOUR:
        _set_shares(hand, tile // 9)


@jit
def cost_families(hand: CostedHand, melds: Melds, costs: np.ndarray, most: int) -> None:
    """Writes the distance to each family, OUT_OF_REACH if the family is out of reach.

    costs: float64[FAMILY_COUNT], receives the distances. most: a family is out of reach from this distance on, MOST or
        less. It has no default: numba would look for the compiled function at every such call, for 0.1 ms.
    """
    for family in range(FAMILY_COUNT):
        costs[family] = OUT_OF_REACH
    limit = min(most, _cost_cores(hand, melds, costs, most) + _MOST_BEYOND)
    _cost_groups(hand, melds, limit, costs)
    _cost_all_types(hand, melds, costs)
    if melds.count == 0:
        _cost_concealed(hand, costs)
    for family in range(FAMILY_COUNT):
        if costs[family] >= limit:
            costs[family] = OUT_OF_REACH


@jit
def mark_improving(hand: CostedHand, melds: Melds, costs: np.ndarray, limit: int, after: np.ndarray,
                   improving: np.ndarray) -> None:
    """Marks the tiles that bring one of the nearest families nearer.

    costs: float64[FAMILY_COUNT], those of the hand. limit: the nearest families cost less. after: as costs, a place to
        write to. improving: bool[34], receives True for the tiles.
    """
    for tile in range(len(improving)):
        if hand.unseen[tile]:
            hand.unseen[tile] -= 1
            change_tile(hand, tile, 1)
            cost_families(hand, melds, after, limit)
            for family in range(FAMILY_COUNT):
                if after[family] < costs[family] < limit:
                    improving[tile] = True
            hand.unseen[tile] += 1
            change_tile(hand, tile, -1)


@jit_part
def _cost_cores(hand, melds, costs, most):
    """Writes the costs of the core families that are below `most`, and returns the lowest."""
    honours = hand.layers[_count_group(hand, _HONOURS, most)][0]
    row = (honours[0], honours[1], honours[2], honours[3])
    # Mixed shifted chows count eight fan if all sets are chows and the pair is of a suit.
    with_pair = (row[0], row[1] + hand.costs[_TWO_SHORT] * melds.is_open, row[2], row[3])
    least = OUT_OF_REACH
    for core in range(len(_CORES)):
        family, first, second, third = _CORES[core][0], _CORES[core][1], _CORES[core][2], _CORES[core][3]
        others = melds.count - hand.needs[0][first][9] - hand.needs[1][second][9] - hand.needs[2][third][9]
        one, two, three = hand.shares[0][first], hand.shares[1][second], hand.shares[2][third]
        if others <= 1 and one[0] + two[0] + three[0] < min(most, least + _MOST_BEYOND):
            rest = _join_rows(three, with_pair if family == MIXED_SHIFTED_FAMILY else row)
            total = _join_rows(_join_rows(one, two), rest)
            cost = total[1] if others else total[3]
            costs[family] = min(costs[family], cost)
            least = min(least, cost)
    return least


@jit_part
def _join_rows(one, other):
    """Returns the row of two groups of tiles together from the row of each, for 0..1 sets."""
    return (one[0] + other[0], min(one[0] + other[1], one[1] + other[0]), min(one[0] + other[2], one[2] + other[0]),
            min(one[0] + other[3], one[3] + other[0], one[1] + other[2], one[2] + other[1]))


@jit_part
def _cost_groups(hand, melds, limit, costs):
    """Writes the costs of the group families that may be below a limit."""
    sets = MAX_SETS - melds.count
    for group in range(len(_GROUPS)):
        family, tiles, missing = _GROUPS[group][0], _GROUPS[group][1], 3 * sets + 2
        for tile in range(TILE_COUNT):
            missing -= hand.counts[tile] * (tiles >> tile & 1)
        if missing * hand.costs[_MOST_COPIES] < limit and not melds.tiles & ~tiles:
            row = hand.layers[_count_group(hand, tiles, limit)][0]
            costs[family] = min(costs[family], row[2 * sets + 1])


@jit_part
def _count_group(hand, tiles, limit):
    """Computes the row of a group of tiles, without costs above a limit. Returns the layer whose first row it is."""
    # One tile is added after another. Row 3 * a + b of a layer has the costs if `a` chows begin at the last tile and
    # `b` at the tile before. Two equal chows are enough, because three are also three pungs.
    states, now = 9 if tiles & _CHOW_BIT else 1, 0
    for state in range(states):
        for slot in range(_ROW):
            hand.layers[0][state][slot] = OUT_OF_REACH
    hand.layers[0][0][0] = 0
    for tile in range(TILE_COUNT):
        if not tiles >> tile & 1:
            continue
        price, before, now = hand.prices[tile], hand.layers[now], 1 - now
        for state in range(states):
            for slot in range(_ROW):
                hand.layers[now][state][slot] = OUT_OF_REACH
        most_begun = 2 if tiles & _CHOW_BIT and tile < FIRST_HONOUR and tile % 9 < 7 and tiles >> tile + 2 & 1 else 0
        for state in range(states):
            for slot in range(_ROW):
                cost = before[state][slot]
                if cost >= limit:
                    continue
                for begun in range(min(most_begun, (_ROW - 1 - slot) // 2) + 1):
                    used, grown = state // 3 + state % 3 + begun, slot + 2 * begun
                    after = hand.layers[now][3 * begun + state // 3]
                    if used > COPIES:
                        break
                    after[grown] = min(after[grown], cost + price[used])
                    if slot % 2 == 0:
                        after[grown + 1] = min(after[grown + 1], cost + price[used + 2])
                    if grown + 2 < _ROW:
                        after[grown + 2] = min(after[grown + 2], cost + price[used + 3])
    return now


@jit_part
def _cost_all_types(hand, melds, costs):
    """Writes the cost of all types: a set of each suit, of winds and of dragons, of which one is a pair."""
    total, gain, melded = 0, OUT_OF_REACH, 0
    for group in range(len(_TYPES)):
        if melds.tiles & _TYPES[group]:
            melded += 1
            continue
        pair = one_set = OUT_OF_REACH
        if group < 3:
            pair, one_set = hand.shares[group][0][1], hand.shares[group][0][2]
        for tile in range(FIRST_HONOUR, TILE_COUNT):
            if _TYPES[group] >> tile & 1:
                pair, one_set = min(pair, hand.prices[tile][2]), min(one_set, hand.prices[tile][3])
        if _TYPES[group] == _DRAGONS:
            # A pung of dragons has two fan, a pung of winds perhaps one: without a pung of dragons an open hand is
            # short of fan.
            pair += hand.costs[_ONE_SHORT] * melds.is_open
        total += one_set
        gain = min(gain, pair - one_set)
    if melded == melds.count:
        costs[ALL_TYPES_FAMILY] = total + gain


@jit_part
def _cost_concealed(hand, costs):
    """Writes the costs of the families without melds."""
    prices, pairs = hand.prices, hand.layers[0][0]
    orphans, pair = 0, OUT_OF_REACH
    for count in range(8):
        pairs[count] = OUT_OF_REACH if count else 0
    for tile in range(TILE_COUNT):
        # Four copies of a tile are two pairs.
        for copies in (2, 4):
            for count in range(7, 0, -1):
                pairs[count] = min(pairs[count], pairs[count - 1] + prices[tile][copies] - prices[tile][copies - 2])
        if tile >= FIRST_HONOUR or tile % 9 == 0 or tile % 9 == 8:
            orphans += prices[tile][1]
            pair = min(pair, prices[tile][2] - prices[tile][1])
    costs[SEVEN_PAIRS_FAMILY], costs[THIRTEEN_ORPHANS_FAMILY] = pairs[7], orphans + pair
    for core in range(len(_KNITTED_CORES)):
        # The hand needs all but two of sixteen tiles, so the two dearest are left out.
        total = most = second = 0
        for tile in range(TILE_COUNT):
            if tile >= FIRST_HONOUR or _SHARE_TILES[_KNITTED_CORES[core][1 + tile // 9]][tile % 9]:
                cost = prices[tile][1]
                total, most, second = total + cost, max(most, cost), max(second, min(most, cost))
        costs[HONOURS_AND_KNITTED_FAMILY] = min(costs[HONOURS_AND_KNITTED_FAMILY], total - most - second)
