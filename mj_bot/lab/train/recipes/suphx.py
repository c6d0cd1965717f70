"""Suphx's supervised part on our rules: networks for discard, chow, pung and kong, and a rule for wins.

Residual towers of 3 x 1 convolutions along the 34 tiles, without pooling, over the planes of what is seen and 100
look-ahead planes: shanten of the five winning shapes and the worth of the hand after each discard, opponents left out.
The chow network also says which chow.
"""

import torch
from torch import nn

from ....mahjong.shanten import SHAPES
from ....network.planes import PLANE_COUNT, PLANES, encode_inputs
from ..recipe import Schedule
from . import look_ahead, parts

_STEPS = 20
SUPHX_INPUT_COUNT = PLANE_COUNT + len(SHAPES) * look_ahead.LEVELS + 2 * _STEPS
_CHANNELS, _BLOCKS, _NARROW, _HIDDEN = 256, 10, 32, 256


class Suphx(parts.Separate):
    """Four networks of 4.4 M parameters; the original's have 50 blocks instead of 10."""

    schedule = Schedule(batch_size=512, optimiser="adamw", rate=5e-4, warmup=0.02, decay=1e-4, clip=1.0)

    def make_network(self):
        return parts.DecisionNetworks({name: _Tower(outputs) for name, outputs in (
            ("discard", None), ("chow", 4), ("pung", 2), ("kong", 2))})

    def compute_facts(self, observations):
        return dict(look_ahead.compute_facts(observations), planes=encode_inputs(observations, names=PLANES))

    def encode(self, observations, facts, dtype=torch.float32):
        """real[B, 180, 34]: network/planes.py, then shanten by shape 60, worth by steps 20, worth as a share 20."""
        read = parts.Reader(observations, dtype)
        worths = look_ahead.spread(read, facts["worths"])
        planes = [look_ahead.mark_shapes(look_ahead.spread(read, facts["shapes"])),
                  look_ahead.mark_worths(worths, _STEPS), look_ahead.mark_shares(worths, _STEPS)]
        return torch.cat([read.real(part) for part in [facts["planes"]] + planes], 1)


class _Tower(nn.Module):
    """outputs: how many numbers; None for one for each tile."""

    def __init__(self, outputs):
        super().__init__()
        self.stem = nn.Sequential(*parts.convolve(SUPHX_INPUT_COUNT, _CHANNELS, (3, 1)))
        self.blocks = nn.Sequential(*(parts.Residual(_CHANNELS, (3, 1)) for _ in range(_BLOCKS)))
        if outputs is None:
            self.head = nn.Sequential(nn.Conv2d(_CHANNELS, 1, 1), nn.Flatten())
        else:
            self.head = nn.Sequential(nn.Conv2d(_CHANNELS, _NARROW, 1), nn.ReLU(), nn.Flatten(),
                                      nn.Linear(_NARROW * 34, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, outputs))

    def forward(self, planes):
        return self.head(self.blocks(self.stem(planes[..., None])))
