"""Our own: planes of what is seen and nothing computed ahead, a residual tower that fits the one file as int8.

Without look-ahead the planes cost a GPU next to nothing, and self-play needs them by the million. Each block adds the
mean over the board to every place, so that far suits and the state of the game reach each tile at once.
"""

from ....network.planes import encode_planes
from ..network import TileNetwork
from ..recipe import Recipe, policy_loss, value_losses


class Ours(Recipe):
    """3.2 M parameters, 3.0 MB as int8."""

    channels, blocks = 128, 10

    def make_network(self):
        return TileNetwork(self.channels, self.blocks)

    def encode(self, observations, facts, ops):
        return encode_planes(observations, ops)

    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch))

    def policy(self, output, masks):
        return output.policy


class Small(Ours):
    """0.44 M parameters: for processors, and for learning by play."""

    channels, blocks = 64, 5
    schedule = Ours.schedule._replace(batch_size=512)
