"""The patterns, their parts and their costs: lists, and arrays of the same for compiled code."""

from itertools import permutations

from ...jit import make_table
from ...mahjong.rules import MAX_SETS
from ...mahjong.tile import COPIES, FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT

# Each pattern, and its share of all wins by their main fan, in thousandths, in a large sample of human play.
FREQUENCY = {
    "mixed shifted chows": 236, "mixed triple chow": 106, "mixed straight": 105, "pure straight": 80,
    "pure shifted chows": 41, "pure triple chow": 0, "knitted straight": 17,
    "half flush": 81, "full flush": 16, "upper four": 14, "lower four": 13, "all pungs": 60, "all types": 107,
    "three concealed pungs": 7,
    "seven pairs": 36, "thirteen orphans": 0, "lesser honours and knitted tiles": 14, "melded hand": 11,
}
PATTERNS = tuple(FREQUENCY)
FREQUENCIES = make_table([FREQUENCY[pattern] for pattern in PATTERNS])
PATTERN_COUNT = len(PATTERNS)
(
    MIXED_STEPS, _MIXED_TRIPLE_CHOW, _MIXED_STRAIGHT, _PURE_STRAIGHT, _PURE_STEPS, _PURE_TRIPLE_CHOW, KNITTED_STRAIGHT,
    HALF_FLUSH, FULL_FLUSH, UPPER_FOUR, LOWER_FOUR, ALL_PUNGS, ALL_TYPES, THREE_CONCEALED_PUNGS,
    SEVEN_PAIRS, THIRTEEN_ORPHANS, HONOURS_AND_KNITTED, MELDED_HAND,
) = range(PATTERN_COUNT)

# Cost of a missing tile by its unseen copies; a tile without any rules its target out.
MISSING_COST = (10000, 1100, 1000, 900, 800)
CHEAPEST_TILE = 800
RULED_OUT = 10000
# COSTS[held][unseen][n]: of copy n + 1 of a tile. While a search adds parts, a target may have any number of copies.
COSTS = make_table([
    [[0] * held + [MISSING_COST[max(unseen - copy, 0)] for copy in range(3 * MAX_SETS + 2 - held)]
     for unseen in range(COPIES + 1)] for held in range(COPIES + 1)])
# Extra cost of a melded hand by the sets not melded yet; three or more rule the pattern out.
UNMELDED_COST = make_table((0, 600, 2000))

# A target is packed into two ints of 17 tiles with three bits each, tile 0 highest: it is then ordered as its counts.
HALF = TILE_COUNT // 2
TILE_HIGH = make_table([1 << 3 * (HALF - 1 - tile) if tile < HALF else 0 for tile in range(TILE_COUNT)])
TILE_LOW = make_table([1 << 3 * (TILE_COUNT - 1 - tile) if tile >= HALF else 0 for tile in range(TILE_COUNT)])

_HONOURS = tuple(range(FIRST_HONOUR, TILE_COUNT))
_SUITS = [tuple(range(suit, suit + 9)) for suit in (0, 9, 18)]
_CHOWS = [(tile - 1, tile, tile + 1) for tile in range(FIRST_HONOUR) if 0 < tile % 9 < 8]
# Kinds of parts. Sets are numbered in the order of their tiles, pairs by their tiles.
SET, PAIR = range(2)
PART_SIZE = (3, 2)
_SETS = sorted(_CHOWS + [(tile,) * 3 for tile in range(TILE_COUNT)])
SET_COUNT = len(_SETS)
# The tiles of each part by kind; of a pair the first two.
PART_TILES = make_table([_SETS, [(min(tile, TILE_COUNT - 1),) * 3 for tile in range(SET_COUNT)]])
# The set of a melded chow by its middle tile, -1 at the ends of a suit, and of a pung or kong.
CHOW_SET = make_table([next((place for place, tiles in enumerate(_SETS) if tiles == (tile - 1, tile, tile + 1)), -1)
                       for tile in range(TILE_COUNT)])
PUNG_SET = make_table([_SETS.index((tile,) * 3) for tile in range(TILE_COUNT)])


def _as_bits(numbers):
    return sum(1 << int(number) for number in numbers)


def _parts_within(tiles):
    """The sets and the pairs of some tiles, as bits."""
    return _as_bits(place for place, part in enumerate(_SETS) if set(part) <= set(tiles)), _as_bits(tiles)


# The three chows of each pattern, by their middle tiles, at every suit and rank that they can have: pattern p has the
# rows from CORE_BEGIN[p] to CORE_BEGIN[p + 1].
_ORDERS = list(permutations((0, 9, 18)))
_CORES = [
    [(a + rank, b + rank + 1, c + rank + 2) for a, b, c in _ORDERS for rank in range(1, 6)],
    [(rank, 9 + rank, 18 + rank) for rank in range(1, 8)],
    [(a + 1, b + 4, c + 7) for a, b, c in _ORDERS],
    [(suit + 1, suit + 4, suit + 7) for suit in (0, 9, 18)],
    [(suit + rank, suit + rank + step, suit + rank + 2 * step)
     for suit in (0, 9, 18) for step in (1, 2) for rank in range(1, 8 - 2 * step)],
    [(suit + rank,) * 3 for suit in (0, 9, 18) for rank in range(1, 8)],
]
CORES = make_table([core for cores in _CORES for core in cores])
CORE_BEGIN = make_table([sum(map(len, _CORES[:pattern])) for pattern in range(KNITTED_STRAIGHT + 1)])
MOST_CORES = max(map(len, _CORES))
KNITTED_TILES = make_table(KNITTED_STRAIGHTS)

# The pools from which a pattern takes all its sets and its pair. Pools of one pattern follow each other.
_POOLS = (
    [(HALF_FLUSH, _parts_within(suit + _HONOURS)) for suit in _SUITS]
    + [(FULL_FLUSH, _parts_within(suit)) for suit in _SUITS]
    + [(UPPER_FOUR, _parts_within([tile for suit in _SUITS for tile in suit[5:]])),
       (LOWER_FOUR, _parts_within([tile for suit in _SUITS for tile in suit[:4]])),
       (ALL_PUNGS, (_as_bits(PUNG_SET), _as_bits(range(TILE_COUNT))))]
)
POOL_COUNT = len(_POOLS)
POOL_PATTERN = make_table([pattern for pattern, _ in _POOLS])
POOL_PARTS = make_table([parts for _, parts in _POOLS])

# All types has one part in each of these, one of the five its pair.
_TYPES = _SUITS + [_HONOURS[:4], _HONOURS[4:]]
TYPE_COUNT = len(_TYPES)
TYPE_PARTS = make_table([_parts_within(tiles) for tiles in _TYPES])
TYPE_OF_SET = make_table([next(place for place, tiles in enumerate(_TYPES) if part[0] in tiles) for part in _SETS])

ORPHANS = make_table((0, 8, 9, 17, 18, 26) + _HONOURS)
# Any fourteen of these sixteen tiles are greater or lesser honours and knitted tiles.
KNITTED_AND_HONOURS = make_table([straight + _HONOURS for straight in KNITTED_STRAIGHTS])
