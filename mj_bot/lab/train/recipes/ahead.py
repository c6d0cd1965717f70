"""Look-ahead planes, made on the device from what lookahead.py found.

Each belongs to a tile: what its discard leaves. Where a claim is asked for, the hand as it is fills the whole plane.
"""

import torch

from ....observation.layout import FOLLOW
from ..lookahead import AS_IS, find_shapes, find_worths

# Shanten of a winning shape: -1 and up to 10, which stands for none.
LEVELS = 12


def find_facts(observations):
    """The facts that these planes are made of."""
    return {"shapes": find_shapes(observations), "worths": find_worths(observations)}


def spread(read, fact):
    """Facts [B, 35] or [B, 35, N] by tile, [B, 34] or [B, 34, N]. read: planes.Reader."""
    to_discard = (read("task") == 0) | (read("task") == FOLLOW)
    if fact.ndim == 3:
        to_discard = to_discard[..., None]
    return torch.where(to_discard, fact[:, :AS_IS], fact[:, AS_IS:])


def mark_shapes(shapes):
    """bool[B, N * LEVELS, 34] of shanten [B, 34, N]: each shape's levels side by side."""
    levels = torch.arange(-1, LEVELS - 1, device=shapes.device)
    return (shapes[..., None] == levels).flatten(2).transpose(1, 2)


def mark_worths(worths, count):
    """bool[B, count, 34] of worths [B, 34]: at least 32 / 2 ** (n / 2) for n = count - 1 .. 0."""
    limits = 32 / 2 ** (torch.arange(count - 1, -1, -1, device=worths.device) / 2)
    return worths.nan_to_num(0)[:, None] >= limits[:, None]


def mark_shares(worths, count):
    """bool[B, count, 34] of worths [B, 34]: at least n / count of the best of the row, n = 1 .. count."""
    worths = worths.nan_to_num(0)
    shares = worths / worths.amax(1, keepdim=True).clamp(min=1e-6)
    limits = torch.arange(1, count + 1, device=worths.device) / count
    return shares[:, None] >= limits[:, None] - 1e-6
