"""Fans that the tiles of a target show are never more than MahjongGB counts."""

import random

import numba as nb

from mj_bot.tactic.pattern.scratch import make_scratch
from mj_bot.tactic.pattern.fans import count_certain
from mj_bot.mahjong.fan import list_fans
from mj_bot.mahjong.tile import FIRST_HONOUR, TILE_NAMES, count_tiles
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, OPEN_KONG, PUNG

CHOWS = [(tile - 1, tile, tile + 1) for tile in range(FIRST_HONOUR) if 0 < tile % 9 < 8]
PUNGS = [(tile,) * 3 for tile in range(34)]
TYPES = [range(0, 9), range(9, 18), range(18, 27), range(27, 31), range(31, 34)]


@nb.njit
def count(scratches, win_tile):
    return count_certain(scratches[0], win_tile)


def within(parts, tiles):
    return [part for part in parts if set(part) <= set(tiles)]


def draw_sets(rng):
    """(four sets, the tile of a pair): mixed steps, a half flush, all pungs or all types."""
    kind = rng.randrange(4)
    if kind == 0:
        suits = rng.sample((0, 9, 18), 3)
        rank = rng.randrange(1, 6)
        middles = [suit + rank + step for step, suit in enumerate(suits)]
        return [(tile - 1, tile, tile + 1) for tile in middles] + [rng.choice(CHOWS + PUNGS)], rng.randrange(34)
    if kind == 1:
        suit = rng.choice((0, 9, 18))
        tiles = list(range(suit, suit + 9)) + list(range(27, 34))
        return rng.choices(within(CHOWS + PUNGS, tiles), k=4), rng.choice(tiles)
    if kind == 2:
        return rng.sample(PUNGS, 4), rng.randrange(34)
    *with_sets, with_pair = rng.sample(TYPES, 5)
    return [rng.choice(within(CHOWS + PUNGS, tiles)) for tiles in with_sets], rng.choice(with_pair)


def draw_hand(rng, scratch):
    """Puts a hand with a claimed meld into the scratch; returns (pack, concealed tiles, winning tile)."""
    sets, pair = draw_sets(rng)
    rng.shuffle(sets)
    meld_count = rng.choice((1, 1, 2, 2, 3, 4))
    pack = []
    for place, tiles in enumerate(sets[:meld_count]):
        is_chow = tiles[0] != tiles[1]
        kind = CHOW if is_chow else rng.choice((PUNG, PUNG, OPEN_KONG, CONCEALED_KONG if place else PUNG))
        scratch["melds"][place] = kind, tiles[1]
        word = "CHI" if is_chow else "PENG" if kind == PUNG else "GANG"
        pack.append((word, TILE_NAMES[tiles[1]], int(kind != CONCEALED_KONG)))
    concealed = [tile for tiles in sets[meld_count:] for tile in tiles] + [pair, pair]
    scratch["meld_count"] = meld_count
    scratch["need"] = count_kinds(concealed)
    return tuple(pack), concealed, rng.choice(concealed)


def count_kinds(tiles):
    return [tiles.count(tile) for tile in range(34)]


def is_possible(pack, concealed):
    try:
        names = [TILE_NAMES[tile] for tile in concealed]
        for word, name, _ in pack:
            middle = TILE_NAMES.index(name)
            names += TILE_NAMES[middle - 1:middle + 2] if word == "CHI" else [name] * (4 if word == "GANG" else 3)
        count_tiles(names)
    except ValueError:
        return False
    return True


def test_never_more_than_mahjonggb_counts():
    rng = random.Random(5)
    scratches = make_scratch()
    scratch = scratches[0]
    certain = {0: 0, 1: 0, 2: 0}
    while sum(certain.values()) < 4000:
        pack, concealed, win_tile = draw_hand(rng, scratch)
        if not is_possible(pack, concealed):
            continue
        seat, wind = scratch["seat_wind"], scratch["prevalent_wind"] = rng.randrange(4), rng.randrange(4)
        concealed_rest = list(concealed)
        concealed_rest.remove(win_tile)
        hand = tuple(TILE_NAMES[tile] for tile in sorted(concealed_rest))
        fans = list_fans(pack, hand, TILE_NAMES[win_tile], 0, False, False, False, False, seat, wind)
        seen = count(scratches, win_tile)
        certain[min(seen, 2)] += 1
        if seen >= 2:
            assert sum(points * copies for points, copies, _ in fans) >= 8, (pack, hand, win_tile, seat, wind)
    assert min(certain.values()) > 100, certain
