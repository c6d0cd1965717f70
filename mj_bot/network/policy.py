"""Where the actions lie on the network's board: a plane for each kind of action, and pass and win beside the board."""

import numpy as np

from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, chow_index,
)
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .planes import PLACES

# A plane each; the chows lie at their middle tile.
TILE_ACTIONS = ("discard", "open kong", "concealed kong", "added kong", "pung",
                "chow of its lowest", "chow of its middle", "chow of its highest")
POLICY_PLANES = len(TILE_ACTIONS)
# Actions of no tile: pass, win.
POLICY_PLAIN = 2


def _make_policy_places():
    """For each action 0..234 its place among pass, win and the POLICY_PLANES x 36 numbers of the board."""
    places = np.arange(ACTION_COUNT)
    for plane, base in enumerate((DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)):
        places[base:base + TILE_COUNT] = POLICY_PLAIN + plane * PLACES + np.arange(TILE_COUNT)
    for middle in range(FIRST_HONOUR):
        if middle % 9 in range(1, 8):
            for side in range(3):
                places[chow_index(middle, middle + side - 1)] = POLICY_PLAIN + (5 + side) * PLACES + middle
    return places


POLICY_PLACES = _make_policy_places()
