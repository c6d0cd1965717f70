"""Studies of `ours`, each with one thing changed: what it learns from, what it sees, its shape."""

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.tile import TILE_COUNT
from ....network.ahead import INPUT_COUNT
from ....network.forward import OUTCOMES, POLICY_PLANES, SUITS, Answer
from ....network.planes import BOARD_SIZE, COLUMNS, PLANE_COUNT, encode_planes
from ...dataset.teach import BEHIND_UNIT
from .. import recipe
from ..network import TileNetwork
from ..recipe import mask_logits, policy_loss, value_losses
from .ours import Ours

# Points behind which differences no longer count: nobody chooses there.
_MOST_BEHIND = 6.0


def _choice_loss(logits, batch):
    """Cross entropy of the teacher's first choice alone."""
    return functional.cross_entropy(mask_logits(logits, batch.mask), batch.behind.long().argmin(1))


def _difference_loss(logits, batch):
    """Squared differences of points, clipped: a difference of logits is one of points in units of SOFTNESS."""
    wanted = (batch.behind.float() * BEHIND_UNIT).clamp(max=_MOST_BEHIND)
    best = batch.behind.long().argmin(1, keepdim=True)
    behind = (logits.float().gather(1, best) - logits.float()) * recipe.SOFTNESS
    # What the teacher holds for far behind may be farther.
    wrong = torch.where((wanted >= _MOST_BEHIND) & (behind > wanted), 0, behind - wanted)
    wrong = functional.smooth_l1_loss(wrong, torch.zeros_like(wrong), reduction="none")
    return (wrong * batch.mask).sum(1).div(batch.mask.sum(1).clamp(min=2) - 1).mean()


class Choices(Ours):
    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=_choice_loss(output.policy, batch))


class Differences(Ours):
    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=2 * _difference_loss(output.policy, batch))


class Both(Ours):
    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch),
                    differences=0.5 * _difference_loss(output.policy, batch))


class Mixture(Ours):
    """The teacher's mixture with another softness, in points."""

    softness = recipe.SOFTNESS

    def losses(self, output, batch):
        chances = torch.softmax(mask_logits(batch.behind.float() * (-BEHIND_UNIT / self.softness), batch.mask), 1)
        policy = functional.cross_entropy(torch.where(batch.mask, output.policy.float(), -1e9), chances)
        return dict(value_losses(output, batch), policy=policy)


class Sharp(Mixture):
    softness = 0.25


class Soft(Mixture):
    softness = 1.0


class Seen(Ours):
    """Without the planes of what each action leaves."""

    def make_network(self):
        return TileNetwork(self.channels, self.blocks, PLANE_COUNT)

    def find_facts(self, observations):
        return {}

    def find_facts_of(self, batch):
        return {}

    def encode(self, observations, facts, ops):
        return encode_planes(observations, ops)


class Shaped(TileNetwork):
    """A network whose body is `look`: suits [B, 3, C], honours [B, C] and table [B, C] of the board."""

    def __init__(self, channels):
        super().__init__(channels, 0)
        del self.stem_suits, self.stem_honours

    def forward(self, planes):
        board = functional.pad(planes, (0, BOARD_SIZE - TILE_COUNT)).unflatten(2, (SUITS + 1, COLUMNS))
        suits, honours, table = self.look(board.transpose(1, 2))
        tiles = torch.cat([self.policy_suits(suits).flatten(1), self.policy_honours(honours)], 1)
        tiles = tiles.unflatten(1, (BOARD_SIZE, POLICY_PLANES)).transpose(1, 2).flatten(1)
        policy = torch.cat([self.plain(table), tiles], 1).index_select(1, self._places)
        value = self.value(functional.relu(self.hidden(table)))
        return Answer(policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])


class Join(nn.Module):
    """One block as in `ours`: suits, honours and the table see each other."""

    def __init__(self, channels):
        super().__init__()
        for name in ("suits_table", "honours_table", "suits", "table_suits", "honours", "table_honours"):
            setattr(self, name, nn.Linear(channels, channels))

    def forward(self, suits, honours):
        table = functional.relu(self.suits_table(suits.sum(1)) + self.honours_table(honours))
        suits = functional.relu(suits + self.suits(suits) + self.table_suits(table)[:, None])
        return suits, functional.relu(honours + self.honours(honours) + self.table_honours(table)), table


class RanksNetwork(Shaped):
    """Residual convolutions over the ranks of a suit, shared by the suits, below one block."""

    def __init__(self, channels, width, blocks):
        super().__init__(channels)
        self.first = nn.Conv1d(INPUT_COUNT, width, 3, padding=1)
        self.tower = nn.ModuleList([nn.ModuleList([nn.Conv1d(width, width, 3, padding=1) for _ in range(2)])
                                    for _ in range(blocks)])
        self.suit, self.honour = nn.Linear(width * COLUMNS, channels), nn.Linear(INPUT_COUNT * COLUMNS, channels)
        self.join = Join(channels)

    def look(self, board):
        flat = functional.relu(self.first(board[:, :SUITS].flatten(0, 1)))
        for first, second in self.tower:
            flat = functional.relu(flat + second(functional.relu(first(flat))))
        suits = functional.relu(self.suit(flat.flatten(1).unflatten(0, (-1, SUITS))))
        return self.join(suits, functional.relu(self.honour(board[:, SUITS].flatten(1))))


class PatternsNetwork(Shaped):
    """First kernels of one rank (pairs, pungs), three in a row (chows) and three by threes (knitted), then a block."""

    def __init__(self, channels, width, blocks=1):
        super().__init__(channels)
        self.more = nn.ModuleList([Join(channels) for _ in range(blocks - 1)])
        self.kernels = nn.ModuleList([nn.Conv1d(INPUT_COUNT, width, 1), nn.Conv1d(INPUT_COUNT, width, 3),
                                      nn.Conv1d(INPUT_COUNT, width, 3, dilation=3)])
        self.suit, self.honour = nn.Linear(width * (9 + 7 + 3), channels), nn.Linear(INPUT_COUNT * COLUMNS, channels)
        self.join = Join(channels)

    def look(self, board):
        suits = board[:, :SUITS].flatten(0, 1)
        found = torch.cat([kernel(suits).flatten(1) for kernel in self.kernels], 1)
        suits = functional.relu(self.suit(functional.relu(found).unflatten(0, (-1, SUITS))))
        honours = functional.relu(self.honour(board[:, SUITS].flatten(1)))
        for join in self.more:
            suits, honours, _ = join(suits, honours)
        return self.join(suits, honours)


class FlatNetwork(Shaped):
    """Matrices over the whole board at once: nothing is shared."""

    def __init__(self, channels, blocks):
        super().__init__(channels)
        self.first = nn.Linear(INPUT_COUNT * BOARD_SIZE, channels)
        self.tower = nn.ModuleList([nn.Linear(channels, channels) for _ in range(blocks)])
        self.last = nn.Linear(channels, SUITS * channels)

    def look(self, board):
        table = functional.relu(self.first(board.flatten(1)))
        for layer in self.tower:
            table = functional.relu(table + layer(table))
        return functional.relu(self.last(table)).unflatten(1, (SUITS, -1)), table, table


class Wide(Ours):
    channels, blocks = 560, 1


class Deep(Ours):
    channels, blocks = 256, 6


class Ranks(Ours):
    schedule = Ours.schedule._replace(rate=2e-3)

    def make_network(self):
        return RanksNetwork(320, 64, 3)


class Patterns(Ours):
    schedule = Ours.schedule._replace(rate=2e-3)

    def make_network(self):
        return PatternsNetwork(420, 64)


class PatternsFast(Patterns):
    schedule = Ours.schedule


class PatternsMore(Patterns):
    def make_network(self):
        return PatternsNetwork(420, 128)


class PatternsTwo(Patterns):
    def make_network(self):
        return PatternsNetwork(420, 64, 2)


class PatternsSmall(Patterns):
    def make_network(self):
        return PatternsNetwork(256, 64, 2)


class Flat(Ours):
    schedule = Ours.schedule._replace(rate=2e-3)

    def make_network(self):
        return FlatNetwork(512, 3)
