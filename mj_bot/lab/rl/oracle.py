"""Oracle guiding: the policy sees hidden tiles at first, and learns to do without them.

The hidden planes enter with weights of 0. The probability that the policy sees a hidden plane falls from 1 to 0. After
that learning goes on at a part of the rate, without decisions of large importance weights. Source: Li et al. 2020,
Suphx.
"""

import torch

from ...mahjong.tile import TILE_COUNT
from ...network.planes import PLANE_COUNT, Reader
from ...observation.layout import WALL_DRAWS
from ..train.network import build_folded

_COPIES = 4
# Planes mark the tiles among the next so many draws of each wall.
_DRAWS = (1, 3, 8, WALL_DRAWS)
# Hands of the three others; then of each of four walls the marks of _DRAWS and the count of all copies.
HIDDEN_PLANES = 3 * _COPIES + 4 * (len(_DRAWS) + 1)
SEEN_SIZE = -(-HIDDEN_PLANES // 8)


def encode_hidden(observations, ops):
    """Planes of the hidden part of full observations, real[B, HIDDEN_PLANES, 34]."""
    read = Reader(observations, ops)
    hands = read("hands")[:, :, None] > ops.arange(_COPIES)[:, None]
    marks = ops.real(read.mark(read("wall_tiles")))
    counts = [marks[:, :, :draws].sum(2) for draws in _DRAWS]
    walls = ops.stack([ops.real(count > 0) for count in counts] + [counts[-1] / _COPIES], 2)
    return ops.concatenate([ops.real(hands).reshape(len(observations), -1, TILE_COUNT),
                            walls.reshape(len(observations), -1, TILE_COUNT)], 1)


def draw_seen(count, share, device, generator):
    """Which hidden planes each of `count` decisions sees, as bits: uint8[count, SEEN_SIZE] on the device."""
    seen = torch.rand(count, 8 * SEEN_SIZE, generator=generator, device=device.name) < share
    weights = 2 ** torch.arange(8, device=device.name)
    return (seen.unflatten(1, (SEEN_SIZE, 8)) * weights).sum(2).to(torch.uint8)


def encode_seen(observations, seen, ops):
    """The hidden planes that are seen, the others 0. seen: uint8[B, SEEN_SIZE], tensor of draw_seen."""
    return encode_hidden(observations, ops) * ops.real(unpack_bits(seen, HIDDEN_PLANES)[..., None])


def unpack_bits(packed, count):
    """The first `count` bits of each row, lowest first: uint8[B, count] of 0 and 1 from a tensor uint8[B, bytes]."""
    bits = packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (bits & 1).flatten(1)[:, :count]


def extend(network):
    """A folded TileNetwork that takes the hidden planes too; before it learns it answers as `network` does."""
    return _resize(network, PLANE_COUNT + HIDDEN_PLANES)


def strip(network):
    """A folded TileNetwork without the hidden planes; it answers as `network` does where no hidden plane is seen."""
    return _resize(network, PLANE_COUNT)


def has_hidden_planes(network):
    """Whether a TileNetwork takes the hidden planes."""
    return network.config["planes"] > PLANE_COUNT


def _resize(network, planes):
    state = dict(network.state_dict())
    stem = state["stem.conv.weight"]
    resized = stem.new_zeros(stem.shape[0], planes, *stem.shape[2:])
    kept = min(planes, stem.shape[1])
    resized[:, :kept] = stem[:, :kept]
    return build_folded(dict(network.config, planes=planes), dict(state, **{"stem.conv.weight": resized}))
