"""Defines the supervised networks of Suphx, for our rules: one each for discard, chow, pung and kong.

Wins are taken by rule. The networks are residual towers of 3 x 1 convolutions along the 34 tiles, without pooling.
Their input has the planes of what is seen, and 100 planes of look-ahead: the shanten of the five winning shapes and the
worth of the hand after each discard, without opponents. The chow network also decides which chow.
"""

import numpy as np
import torch
from torch import nn

from ....mahjong.shanten_tables import SHAPES
from ....network.planes import PLANE_COUNT, PLANES, encode_inputs
from ..recipe import Schedule
from . import look_ahead, parts

_STEPS = 20  # planes that show the worth of a hand in steps, and planes that show it as a share of the best
SUPHX_INPUT_COUNT = PLANE_COUNT + len(SHAPES) * look_ahead.LEVELS + 2 * _STEPS
_CHANNELS, _BLOCKS, _NARROW, _HIDDEN = 256, 10, 32, 256


class Suphx(parts.Separate):
    """Trains four networks with 4.4 million parameters each, of 10 blocks where the original has 50."""

    schedule = Schedule(batch_size=512, rate=5e-4, decay=1e-4)

    def make_network(self) -> nn.Module:
        """Returns four networks, for discard, chow, pung and kong. The networks take what `encode` returns."""
        return parts.DecisionNetworks({name: _Tower(outputs) for name, outputs in (
            ("discard", None), ("chow", 4), ("pung", 2), ("kong", 2))})

    def compute_extras(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Returns the planes of what is seen, and the look-ahead after each discard, {name: array [B, ...]}."""
        return dict(look_ahead.compute_shapes_and_worths(observations),
                    planes=encode_inputs(observations, names=PLANES))

    def encode(
            self, observations: torch.Tensor, extras: dict[str, torch.Tensor],
            dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns real[B, SUPHX_INPUT_COUNT, 34], the planes that the networks take.

        First come the planes of what is seen, then 60 of the shanten by shape. Of the worth there are 20 planes in
        steps, and 20 as a share of the best discard's worth.
        """
        read = parts.Reader(observations, dtype)
        worths = look_ahead.spread(read, extras["worths"])
        planes = [look_ahead.mark_shapes(look_ahead.spread(read, extras["shapes"])),
                  look_ahead.mark_worths(worths, _STEPS), look_ahead.mark_shares(worths, _STEPS)]
        return torch.cat([read.real(group) for group in [extras["planes"]] + planes], 1)


class _Tower(nn.Module):
    """Computes the logits of one decision. outputs: their number; None for one per tile."""

    def __init__(self, outputs: int | None):
        super().__init__()
        self.stem = nn.Sequential(*parts.convolve(SUPHX_INPUT_COUNT, _CHANNELS, (3, 1)))
        self.blocks = nn.Sequential(*(parts.Residual(_CHANNELS, (3, 1)) for _ in range(_BLOCKS)))
        if outputs is None:
            self.head = nn.Sequential(nn.Conv2d(_CHANNELS, 1, 1), nn.Flatten())
        else:
            self.head = nn.Sequential(nn.Conv2d(_CHANNELS, _NARROW, 1), nn.ReLU(), nn.Flatten(),
                                      nn.Linear(_NARROW * 34, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, outputs))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Returns logits real[B, outputs]. planes: real[B, SUPHX_INPUT_COUNT, 34]."""
        return self.head(self.blocks(self.stem(planes[..., None])))
