"""Our own: planes of what is seen and of what each action leaves, a network of matrices that fits the file as int8.

Processors multiply matrices fastest, in bfloat16 above all. The suits share their weights, so that what is learnt of
one holds for the others.
"""

from ....network.ahead import encode_inputs
from ...engine.ahead import look_ahead_batch
from ..network import TileNetwork
from ..recipe import Recipe, policy_loss, value_losses


class Ours(Recipe):
    """3.7 M parameters, 3.5 MB as int8."""

    channels, blocks = 420, 2
    schedule = Recipe.schedule._replace(rate=4e-3)

    def make_network(self):
        return TileNetwork(self.channels, self.blocks)

    def find_facts(self, observations):
        return {"ahead": look_ahead_batch(observations)}

    def find_facts_of(self, batch):
        return {"ahead": look_ahead_batch(batch.observation, batch.wins if batch.wins.shape[1] else None)}

    def encode(self, observations, facts, ops):
        return encode_inputs(observations, facts["ahead"], ops)

    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch))

    def policy(self, output, masks):
        return output.policy


class Small(Ours):
    """0.6 M parameters: for a first try, and for learning by play."""

    channels, blocks = 128, 2
