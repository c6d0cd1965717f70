"""Fans that the tiles of a target show are never more than MahjongGB counts."""

import itertools
import random

from mj_bot.jit import jit
from mj_bot.mahjong.fan import list_fans
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, OPEN_KONG, PUNG
from mj_bot.tactic.pattern.fans import count_certain
from mj_bot.tactic.pattern.scratch import make_scratch
from tests.tactic.pattern.test_value import count_all, draw_parts

# Patterns of 6 fan.
CHARGED = ("mixed shifted chows", "half flush", "all pungs", "all types")


@jit
def count(scratches, win_tile):
    return count_certain(scratches[0], win_tile)


def draw_hand(rng, scratch):
    """Puts a hand with a claimed meld into the scratch; returns (pack, concealed tiles, winning tile, all tiles)."""
    sets, pair = draw_parts(rng, rng.choice(CHARGED))
    rng.shuffle(sets)
    meld_count = rng.choice((1, 1, 2, 2, 3, 4))
    pack, tiles = [], list(itertools.chain(pair, *sets))
    for place, (first, middle, _) in enumerate(sets[:meld_count]):
        kind = CHOW if first != middle else rng.choice((PUNG, PUNG, OPEN_KONG, CONCEALED_KONG if place else PUNG))
        scratch["melds"][place] = kind, middle
        pack.append(({CHOW: "CHI", PUNG: "PENG"}.get(kind, "GANG"), TILE_NAMES[middle], int(kind != CONCEALED_KONG)))
        tiles += [middle] * (kind in (OPEN_KONG, CONCEALED_KONG))
    concealed = list(itertools.chain(pair, *sets[meld_count:]))
    scratch["meld_count"] = meld_count
    scratch["need"] = count_all([concealed])
    return tuple(pack), concealed, rng.choice(concealed), tiles


def test_never_more_than_mahjonggb_counts():
    rng = random.Random(5)
    scratches = make_scratch()
    scratch = scratches[0]
    certain = {0: 0, 1: 0, 2: 0}
    while sum(certain.values()) < 4000:
        pack, concealed, win_tile, tiles = draw_hand(rng, scratch)
        if max(count_all([tiles])) > 4:
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
