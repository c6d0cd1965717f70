"""What a critic looks at: the seat's own view, or all hands and walls too; see network/view.py for full views."""

import torch

from ...mahjong.tile import TILE_COUNT
from ...network.planes import PLANE_COUNT, Reader, encode_planes
from ...network.view import VIEW_SIZE, WALL_DRAWS
from ..train.network import TileNetwork

_COPIES = 4
# Of each seat's wall: copies of a tile among its next draws, so many; all of them last.
_DRAWS = (1, 3, 8, WALL_DRAWS)
# Hands of the three others; then for each of four walls the marks of _DRAWS and the count of all.
HIDDEN_PLANES = 3 * _COPIES + 4 * (len(_DRAWS) + 1)


def encode_hidden(views, ops):
    """Planes of the hidden part of full views, real[B, HIDDEN_PLANES, 34]."""
    read = Reader(views, ops)
    hands = read("hands")[:, :, None] > ops.arange(_COPIES)[:, None]
    marks = ops.real(read.mark(read("wall_tiles")))
    counts = [marks[:, :, :draws].sum(2) for draws in _DRAWS]
    walls = ops.stack([ops.real(count > 0) for count in counts] + [counts[-1] / _COPIES], 2)
    return ops.concatenate([ops.real(hands).reshape(len(views), -1, TILE_COUNT),
                            walls.reshape(len(views), -1, TILE_COUNT)], 1)


def encode_full(views, ops):
    """Planes of full views, real[B, PLANE_COUNT + HIDDEN_PLANES, 34]."""
    return ops.concatenate([encode_planes(views[:, :VIEW_SIZE], ops), encode_hidden(views, ops)], 1)


def make_critic(settings, device):
    """The network of a critic that sees all; its Answer's score is what it says. settings: config.Critic."""
    return TileNetwork(settings.channels, settings.blocks, PLANE_COUNT + HIDDEN_PLANES).to(device.name)


def value_positions(critic, views, device, size):
    """What a critic says of full views, numpy uint8[M, FULL_VIEW_SIZE], `size` at a time: float32[M]."""
    critic.eval()
    parts = []
    with torch.inference_mode():
        for start in range(0, len(views), size):
            planes = encode_full(device.move(views[start:start + size]), device.ops)
            with device.cast():
                parts.append(critic(planes).score.float())
    return torch.cat(parts).cpu().numpy()
