"""Our own: planes of what is seen and nothing computed ahead, a network of matrices that fits the one file as int8.

Processors multiply matrices fastest, in bfloat16 above all. The suits share their weights, so that what is learnt of
one holds for the others.
"""

from ....network.planes import encode_planes
from ..network import TileNetwork
from ..recipe import Recipe, policy_loss, value_losses


class Ours(Recipe):
    """3.7 M parameters, 3.6 MB as int8."""

    channels, blocks = 448, 2

    def make_network(self):
        return TileNetwork(self.channels, self.blocks)

    def encode(self, observations, facts, ops):
        return encode_planes(observations, ops)

    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch))

    def policy(self, output, masks):
        return output.policy


class Small(Ours):
    """0.5 M parameters: for a first try, and for learning by play."""

    channels, blocks = 128, 2
