"""The network of mj_bot/network/forward.py as it is trained. Folding removes its batch normalisation."""

import torch
from torch import nn
from torch.nn import functional

from ...mahjong.tile import TILE_COUNT
from ...network.forward import OUTCOMES, POLICY_PLACES, POLICY_PLAIN, POLICY_PLANES, VALUE_SIZE, Answer
from ...network.planes import COLUMNS, BOARD_SIZE, PLANE_COUNT, ROWS


class TileNetwork(nn.Module):
    """A residual tower over the board of tiles, with a policy and a value head.

    channels, blocks: its size. planes: how many it takes in.
    is_folded: without batch normalisation, as it ships: its convolutions have biases instead. Self-play trains folded
        networks.
    """

    def __init__(self, channels, blocks, planes=PLANE_COUNT, is_folded=False):
        super().__init__()
        self.config = {"channels": channels, "blocks": blocks, "planes": planes}
        self.is_folded = is_folded
        self.stem = _Convolution(planes, channels, is_folded)
        self.blocks = nn.ModuleList([_Block(channels, is_folded) for _ in range(blocks)])
        self.policy = nn.Linear(channels, POLICY_PLANES)
        self.plain = nn.Linear(channels, POLICY_PLAIN)
        self.hidden = nn.Linear(channels, channels)
        self.value = nn.Linear(channels, VALUE_SIZE)
        self.register_buffer("_places", torch.from_numpy(POLICY_PLACES), persistent=False)
        self.to(memory_format=torch.channels_last)

    def forward(self, planes):
        """The Answer to planes, real[B, planes, 34]."""
        board = functional.pad(planes, (0, BOARD_SIZE - TILE_COUNT)).reshape(len(planes), -1, ROWS, COLUMNS)
        board = board.to(memory_format=torch.channels_last)
        board = functional.relu(self.stem(board))
        for block in self.blocks:
            board = block(board)
        mean = board.mean((2, 3))
        tiles = self.policy(board.flatten(2).transpose(1, 2)).transpose(1, 2)
        policy = torch.cat([self.plain(mean), tiles.flatten(1)], 1).index_select(1, self._places)
        value = self.value(functional.relu(self.hidden(mean)))
        return Answer(policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])


class _Convolution(nn.Module):
    def __init__(self, inputs, outputs, is_folded):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=is_folded)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")
        self.norm = nn.Identity() if is_folded else nn.BatchNorm2d(outputs)

    def forward(self, board):
        return self.norm(self.conv(board))


class _Block(nn.Module):
    def __init__(self, channels, is_folded):
        super().__init__()
        self.first = _Convolution(channels, channels, is_folded)
        self.pool = nn.Linear(channels, channels)
        self.second = _Convolution(channels, channels, is_folded)
        nn.init.zeros_(self.pool.weight)
        nn.init.zeros_(self.pool.bias)
        if not is_folded:
            # A block begins as the identity.
            nn.init.zeros_(self.second.norm.weight)

    def forward(self, board):
        inner = self.first(board) + self.pool(board.mean((2, 3)))[:, :, None, None]
        return functional.relu(board + self.second(functional.relu(inner)))


def fold(network):
    """A folded TileNetwork that answers as `network` does in evaluation, on the same device."""
    if network.is_folded:
        return network
    state = {}
    with torch.no_grad():
        for name, module in network.named_modules():
            if isinstance(module, _Convolution):
                norm = module.norm
                scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
                state[name + ".conv.weight"] = module.conv.weight * scale[:, None, None, None]
                state[name + ".conv.bias"] = norm.bias - norm.running_mean * scale
            elif isinstance(module, nn.Linear):
                state.update((name + "." + part, tensor) for part, tensor in module.named_parameters())
    return build_folded(network.config, state).train(network.training)


def build_folded(config, state):
    """The folded TileNetwork of a TileNetwork.config with copies of the tensors of a state, on their device."""
    network = TileNetwork(is_folded=True, **config)
    network.load_state_dict(state)
    return network.to(state["stem.conv.weight"].device).eval()
