"""Reward of the tiles that a target leaves over, see tactic/pattern/value.py.

Tiles by count stand in four layers, bits of tiles: layer n has those with n + 1 copies or more.
"""

from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ....tactic.pattern.value import ADJACENT, GAPPED, LONE_BY_RANK, LONE_HONOUR, PAIR, PUNG
from ...engine.decisions import bit_count
from ...engine.compile import jit_part
from .tables import HALF

# Tiles that have one of the next rank, and of the rank after it.
_HAS_NEXT = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 8)
_HAS_SECOND = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 7)
# Punishments of lone tiles, by what they come to: (punishment, tiles).
_LONE = tuple(
    (cost, sum(1 << tile for tile in range(TILE_COUNT)
               if (LONE_BY_RANK[tile % 9] if tile < FIRST_HONOUR else LONE_HONOUR) == cost))
    for cost in sorted(set(LONE_BY_RANK) | {LONE_HONOUR})
)


@jit_part
def set_layers(counts, discard, layers):
    """Writes the layers of some counts without the tile `discard`, -1 for none."""
    layers[:] = 0
    for tile in range(TILE_COUNT):
        for layer in range(counts[tile] - (tile == discard)):
            layers[layer] |= 1 << tile


@jit_part
def set_packed_layers(high, low, layers):
    """Writes the layers of a packed target."""
    layers[:] = 0
    for tile in range(TILE_COUNT):
        count = high >> 3 * (HALF - 1 - tile) & 7 if tile < HALF else low >> 3 * (TILE_COUNT - 1 - tile) & 7
        for layer in range(count):
            layers[layer] |= 1 << tile


@jit_part
def tidiness(held, used):
    """Reward of what a target leaves over, by the layers of the hand and of the target."""
    left = (held[0] & ~used[0]) | (held[1] & ~used[1]) | (held[2] & ~used[2]) | (held[3] & ~used[3])
    twice = (held[1] & ~used[0]) | (held[2] & ~used[1]) | (held[3] & ~used[2])
    thrice = (held[2] & ~used[0]) | (held[3] & ~used[1])
    above = left >> 1 & _HAS_NEXT
    second = left >> 2 & _HAS_SECOND
    total = ADJACENT * bit_count(left & above) + GAPPED * bit_count(left & second)
    total += PAIR * bit_count(twice & ~thrice) + PUNG * bit_count(thrice)
    lone = left & ~(twice | above | second | (left & _HAS_NEXT) << 1 | (left & _HAS_SECOND) << 2)
    for cost, tiles in _LONE:
        total -= cost * bit_count(lone & tiles)
    return total
