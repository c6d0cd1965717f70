"""Defines the layout of an observation: what one seat sees at one decision, as bytes.

An observation is a uint8 array of OBSERVATION_SIZE bytes, which contains the FIELDS below one after another. Their
content follows these rules:

    seats   offsets from the viewer: 0 itself, 1 next to play, 2 across, 3 before
    tiles   0..33, or NONE (34) where there is no tile or the viewer does not see it
    times   how many discards all seats had made before

The engine of many games (mj_bot/lab/engine) writes equal bytes for an equal position. A full observation, for critics,
is an observation with the HIDDEN_FIELDS after it.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.rules import WALL_DRAWS

OBSERVATION_VERSION = 1

NONE = 34
# A seat discards after at most 21 draws and 4 claims.
RIVER_SIZE = WALL_DRAWS + 4

# The tasks are an own turn after a draw, a discard after an own claim, a claim on a discard, robbing a kong, and none.
TURN, FOLLOW, CLAIM, ROB, IDLE = range(5)
# An observation says by these numbers what a meld is; 0 stands for no meld.
CHOW, PUNG, OPEN_KONG, ADDED_KONG, CONCEALED_KONG = range(1, 6)

# These are the fields of an observation in order. A table in the documentation is made from these.
FIELDS = (
    # name, shape, content
    ("task", (1,), "TURN, FOLLOW, CLAIM, ROB or IDLE"),
    ("seat_wind", (1,), "0..3, also the own seat"),
    ("prevalent_wind", (1,), "0..3"),
    ("last_tile", (1,), "the tile drawn, just claimed, or up for a claim"),
    ("last_giver", (1,), "who gave it; 0 for a draw"),
    ("after_kong", (1,), "1 if the draw replaces a tile of an own kong"),
    ("discard_count", (1,), "discards made so far, the clock of the times below"),
    ("walls", (4,), "tiles left in each seat's wall"),
    ("hand_sizes", (4,), "concealed tiles of each seat"),
    ("river_sizes", (4,), "discards of each seat, the claimed ones too"),
    ("hand", (34,), "own concealed tiles by kind"),
    ("unseen", (34,), "copies by kind in no place that the viewer sees"),
    ("meld_kind", (4, 4), "0, CHOW .. CONCEALED_KONG, in the order laid"),
    ("meld_tile", (4, 4), "the tile, the middle one of a chow; NONE for another's concealed kong"),
    ("meld_claimed", (4, 4), "the claimed tile; NONE for a concealed kong"),
    ("meld_giver", (4, 4), "who discarded it; the owner for a concealed kong"),
    ("meld_time", (4, 4), "when it was laid; the pung's time for an added kong"),
    ("river_tile", (4, RIVER_SIZE), "discards in order"),
    ("river_claimer", (4, RIVER_SIZE), "1 + the seat that claimed it, 0 for none"),
    ("river_time", (4, RIVER_SIZE), "when it was made"),
)

# The viewer does not see these fields. Critics that learn do.
HIDDEN_FIELDS = (
    ("hands", (3, 34), "concealed tiles of the seats 1..3 by kind"),
    ("kong_tile", (3, 4), "tiles of their concealed kongs at the places of meld_kind, else NONE"),
    ("wall_tiles", (4, WALL_DRAWS), "each seat's wall, the next draw first"),
)


def _lay_out(fields, start=0):
    """Returns ({name: (first byte, byte after the last, shape)}, byte after the last field) of some fields."""
    ranges = {}
    for name, shape, _ in fields:
        size = int(np.prod(shape))
        ranges[name] = (start, start + size, shape)
        start += size
    return ranges, start


# These have the form {name of a field: (first byte, byte after the last, shape)}.
BYTE_RANGES, OBSERVATION_SIZE = _lay_out(FIELDS)
HIDDEN_BYTE_RANGES, FULL_SIZE = _lay_out(HIDDEN_FIELDS, OBSERVATION_SIZE)

FirstBytes = namedtuple("FirstBytes", list(BYTE_RANGES) + list(HIDDEN_BYTE_RANGES))
FirstBytes.__doc__ = """Keeps the index of the first byte of each field, as in observation[AT.hand + tile].

numba takes these indices as constants.
"""
AT = FirstBytes(*(start for ranges in (BYTE_RANGES, HIDDEN_BYTE_RANGES) for start, _, _ in ranges.values()))


def field(observations: np.ndarray, name: str) -> np.ndarray:
    """Returns one field of observations, uint8[..., OBSERVATION_SIZE or FULL_SIZE], as uint8[..., *shape]."""
    start, end, shape = BYTE_RANGES.get(name) or HIDDEN_BYTE_RANGES[name]
    return observations[..., start:end].reshape(observations.shape[:-1] + shape)
