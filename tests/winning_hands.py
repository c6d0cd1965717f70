"""Winning hands written out one by one, and random hands: truths that share no code with shanten and patterns.

Many hands at once are int8[n, 34].
"""

import itertools

import numpy as np

KNITTED_STRAIGHTS = [
    [rank - 1 + 9 * suit for suit, ranks in enumerate(order) for rank in ranks]
    for order in itertools.permutations([(1, 4, 7), (2, 5, 8), (3, 6, 9)])
]
HONOURS = list(range(27, 34))
ORPHANS = [0, 8, 9, 17, 18, 26] + HONOURS
PUNGS = [[tile] * 3 for tile in range(34)]
CHOWS = [[tile, tile + 1, tile + 2] for tile in range(27) if tile % 9 < 7]
PAIRS = [[tile] * 2 for tile in range(34)]


def stack(tile_lists):
    """The hands of these tiles."""
    hands = np.zeros((len(tile_lists), 34), np.int8)
    for hand, tiles in zip(hands, tile_lists):
        np.add.at(hand, list(tiles), 1)
    return hands


def combine(hands, others):
    """Every sum of one of each."""
    return (hands[:, None] + others[None]).reshape(-1, 34)


def limit_copies(hands):
    """Those with at most 4 copies of each tile."""
    return hands[hands.max(axis=1) <= 4]


def list_sets_and_pair(set_count, kinds=range(34)):
    """Every choice of sets and a pair among the kinds, fifth copies and more included."""
    kinds = set(kinds)
    sets = stack([tiles for tiles in PUNGS + CHOWS if kinds.issuperset(tiles)])
    choices = list(itertools.combinations_with_replacement(range(len(sets)), set_count))
    chosen = np.zeros((len(choices), 34), np.int8)
    for column in np.array(choices, int).reshape(len(choices), set_count).T:
        chosen += sets[column]
    return combine(chosen, stack([tiles for tiles in PAIRS if kinds.issuperset(tiles)]))


def list_knitted_straights(set_count):
    return limit_copies(combine(stack(KNITTED_STRAIGHTS), list_sets_and_pair(set_count)))


def list_seven_pairs(kinds):
    hands = stack([[tile for pair in pairs for tile in PAIRS[pair]]
                   for pairs in itertools.combinations_with_replacement(kinds, 7)])
    return limit_copies(hands)


def list_thirteen_orphans():
    return stack([ORPHANS + [tile] for tile in ORPHANS])


def list_honours_and_knitted():
    return stack([tiles for straight in KNITTED_STRAIGHTS for tiles in itertools.combinations(straight + HONOURS, 14)])


def find_nearest(winning_hands, counts):
    """(shanten, useful tiles) of counts, over these winning hands alone."""
    missing_tiles = np.maximum(winning_hands - np.array(counts, np.int8), 0)
    missing = missing_tiles.sum(axis=1)
    least = missing.min()
    return int(least) - 1, [int(tile) for tile in np.flatnonzero(missing_tiles[missing == least].any(axis=0))]


def draw_hand(rng, size, kinds=None):
    """Counts of a random hand, mostly of few kinds, with many pairs and fours, or near one of the shapes."""
    style = rng.randrange(6)
    if kinds is None:
        first = 9 * rng.randrange(3)
        kinds = [
            range(34),
            list(range(first, first + 9)) + rng.sample(HONOURS, 2),
            rng.sample(range(34), rng.randrange(5, 9)),
            list(range(first + 2, first + 6)) + rng.sample(HONOURS, 1),
            rng.choice(KNITTED_STRAIGHTS) + rng.sample(HONOURS, 5),
            ORPHANS + rng.sample(range(1, 8), 2),
        ][style]
    kinds = list(kinds)
    stickiness = rng.choice((0, 0.4, 0.8))
    counts = [0] * 34
    for _ in range(size):
        free = [tile for tile in kinds if counts[tile] < 4]
        held = [tile for tile in free if counts[tile]]
        fresh = [tile for tile in free if not counts[tile]]
        if held and rng.random() < stickiness:
            free = held
        elif fresh and style >= 4:
            free = fresh
        counts[rng.choice(free)] += 1
    return counts


def cores_of(pattern):
    """The nine tiles that make a chow pattern, by its definition."""
    starts = {
        "mixed triple chow": [(a, b, c) for a, b, c in itertools.product(range(7), repeat=3) if a == b == c],
        "mixed straight": list(itertools.permutations((0, 3, 6))),
        "mixed shifted chows": [s for s in itertools.product(range(7), repeat=3)
                                if sorted(s) == list(range(min(s), min(s) + 3))],
    }
    if pattern in starts:
        return [[9 * suit + start + i for suit, start in enumerate(choice) for i in range(3)]
                for choice in starts[pattern]]
    in_a_suit = {
        "pure straight": [(0, 3, 6)], "pure triple chow": [(start,) * 3 for start in range(7)],
        "pure shifted chows": [(a, b, c) for a, b, c in itertools.combinations(range(7), 3)
                               if b - a == c - b and b - a in (1, 2)],
    }
    if pattern == "pure shifted pungs":
        return [[tile + step for step in range(3) for _ in range(3)] for tile in range(27) if tile % 9 < 7]
    if pattern in in_a_suit:
        return [[9 * suit + start + i for start in choice for i in range(3)]
                for suit in range(3) for choice in in_a_suit[pattern]]
    return KNITTED_STRAIGHTS


SUITS = [list(range(suit, suit + 9)) for suit in (0, 9, 18)]
TYPES = SUITS + [HONOURS[:4], HONOURS[4:]]
POOLS = {
    "full flush": SUITS, "half flush": [suit + HONOURS for suit in SUITS],
    "upper four": [[tile for suit in SUITS for tile in suit[5:]]],
    "lower four": [[tile for suit in SUITS for tile in suit[:4]]],
}


def draw_parts(rng, pattern):
    """(list of 4 sets, pair) of a random winning hand of a pattern; a knitted straight counts as three sets."""
    if pattern == "all types":
        types = rng.sample(TYPES, 5)
        return [draw_set(rng, tiles) for tiles in types[1:]], [rng.choice(types[0])] * 2
    pool = rng.choice(POOLS.get(pattern, [range(34)]))
    sets = []
    if "chow" in pattern or "straight" in pattern or "shifted" in pattern:
        core = rng.choice(cores_of(pattern))
        sets = [core[:3], core[3:6], core[6:]]
    elif "pungs" in pattern:
        sets = [rng.choice(PUNGS) for _ in range(4 if pattern == "all pungs" else 3)]
    sets += [draw_set(rng, pool) for _ in range(4 - len(sets))]
    return sets, [rng.choice(pool)] * 2


def draw_set(rng, pool):
    return rng.choice([tiles for tiles in PUNGS + 3 * CHOWS if set(tiles) <= set(pool)])
