"""The tactic's parts, pools and patterns as arrays for compiled code."""

import numpy as np

from ....mahjong.tile import COPIES, KNITTED_STRAIGHTS, TILE_COUNT
from ....tactic.pattern.chow import CHOW_TABLE, KNITTED_STRAIGHT, MIXED_STEPS
from ....tactic.pattern.group import ALL_TYPES, HALF_FLUSH, POOLS, THREE_CONCEALED_PUNGS, TYPES
from ....tactic.pattern.holding import ALL_SETS, COPY_COSTS
from ....tactic.pattern.irregular import (
    HONOURS_AND_KNITTED, KNITTED_AND_HONOURS, MELDED_HAND, ORPHANS, SEVEN_PAIRS, THIRTEEN_ORPHANS, UNMELDED_COST,
)
from ....tactic.pattern.value import FREQUENCY

# Tiles and bits of a tile's place in the packed need, see the room.
HALF = TILE_COUNT // 2
TILE_HIGH = np.array([1 << 3 * (HALF - 1 - tile) if tile < HALF else 0 for tile in range(TILE_COUNT)], np.int64)
TILE_LOW = np.array([1 << 3 * (TILE_COUNT - 1 - tile) if tile >= HALF else 0 for tile in range(TILE_COUNT)], np.int64)

# Every set in the order of its tiles, int64[S, 3].
_SETS = sorted(ALL_SETS)
SET_TILES = np.array(_SETS, np.int64)
SET_COUNT = len(_SETS)
SET_HIGH = TILE_HIGH[SET_TILES].sum(axis=1)
SET_LOW = TILE_LOW[SET_TILES].sum(axis=1)
# The set of a melded chow by its middle tile, -1 at the ends of a suit, and of a pung or kong.
CHOW_SET = np.array([_SETS.index((tile - 1, tile, tile + 1)) if (tile - 1, tile, tile + 1) in _SETS else -1
                     for tile in range(TILE_COUNT)], np.int64)
PUNG_SET = np.array([_SETS.index((tile,) * 3) for tile in range(TILE_COUNT)], np.int64)
# The types of a hand of all types: sets and tiles as bits, and the type of each set.
TYPE_SETS = np.array([sum(1 << _SETS.index(part) for part in sets) for sets, _ in TYPES], np.int64)
TYPE_TILES = np.array([sum(1 << tile for tile, _ in pairs) for _, pairs in TYPES], np.int64)
TYPE_COUNT = len(TYPES)
TYPE_OF_SET = np.array([next(number for number, (sets, _) in enumerate(TYPES) if part in sets) for part in _SETS],
                       np.int64)

# COSTS[held, unseen, n]: what copy n + 1 of a tile costs.
COSTS = np.zeros((COPIES + 1, COPIES + 1, len(COPY_COSTS[0][0])), np.int64)
for _held in range(COPIES + 1):
    for _unseen in range(COPIES + 1):
        COSTS[_held, _unseen] = COPY_COSTS[_held][_unseen]

# Patterns by number: those of three chows in the order of CHOW_TABLE, the others after them.
PATTERNS = tuple([pattern for pattern, _ in CHOW_TABLE] + [KNITTED_STRAIGHT]
                 + sorted(set(FREQUENCY) - {KNITTED_STRAIGHT} - {pattern for pattern, _ in CHOW_TABLE}))
PATTERN_COUNT = len(PATTERNS)
KNITTED_STRAIGHT_NUMBER = PATTERNS.index(KNITTED_STRAIGHT)
MIXED_STEPS_NUMBER = PATTERNS.index(MIXED_STEPS)
ALL_TYPES_NUMBER = PATTERNS.index(ALL_TYPES)
HALF_FLUSH_NUMBER = PATTERNS.index(HALF_FLUSH)
THREE_CONCEALED_PUNGS_NUMBER = PATTERNS.index(THREE_CONCEALED_PUNGS)
SEVEN_PAIRS_NUMBER = PATTERNS.index(SEVEN_PAIRS)
THIRTEEN_ORPHANS_NUMBER = PATTERNS.index(THIRTEEN_ORPHANS)
HONOURS_AND_KNITTED_NUMBER = PATTERNS.index(HONOURS_AND_KNITTED)
MELDED_HAND_NUMBER = PATTERNS.index(MELDED_HAND)
FREQUENCIES = np.array([FREQUENCY[pattern] for pattern in PATTERNS], np.int64)

# Middle tiles of the chows of each core, of pattern p from CORE_BEGIN[p] to CORE_BEGIN[p + 1]; the knitted straights,
# which follow, have their nine tiles in KNITTED_TILES.
CORES = np.array([row for _, rows in CHOW_TABLE for row in rows], np.int64)
CORE_BEGIN = np.cumsum([0] + [len(rows) for _, rows in CHOW_TABLE]).astype(np.int64)
KNITTED_TILES = np.array(KNITTED_STRAIGHTS, np.int64)
MOST_CORES = max(max(len(rows) for _, rows in CHOW_TABLE), len(KNITTED_STRAIGHTS))

# The pools by number: pattern, sets and tiles as bits, and whether it counts fewer than 8 fan alone.
POOL_PATTERN = np.array([PATTERNS.index(pool.pattern) for pool in POOLS], np.int64)
POOL_SETS = np.array([sum(1 << _SETS.index(part) for part in pool.sets) for pool in POOLS], np.int64)
POOL_TILES = np.array([sum(1 << tile for tile in pool.tiles) for pool in POOLS], np.int64)
POOL_IS_SHORT = np.array([pool.is_short for pool in POOLS], np.int64)
POOL_COUNT = len(POOLS)

# Tiles of the irregular patterns, and what a melded hand costs beyond its tiles by the sets missing.
ORPHAN_TILES = np.array(ORPHANS, np.int64)
KNITTED_AND_HONOUR_TILES = np.array(KNITTED_AND_HONOURS, np.int64)
UNMELDED_COSTS = np.array(UNMELDED_COST, np.int64)
