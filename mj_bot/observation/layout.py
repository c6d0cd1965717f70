"""Defines the layout of an observation: what one seat sees at one decision, as bytes.

An observation is a uint8 array of OBSERVATION_SIZE, the fields of FIELDS one after another. Seats are offsets from the
viewer (0 itself, 1 next to play, 2 across, 3 before); tiles 0..33, NONE where there is none or it is not seen. Times
are the number of discards that all seats had made before. mj_bot/lab/engine writes the same bytes for the same
position.

A full observation, for critics, is an observation and HIDDEN_FIELDS after it.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.rules import WALL_DRAWS

OBSERVATION_VERSION = 1

NONE = 34
# At most 21 draws and 4 claims are followed by a discard.
RIVER_SIZE = WALL_DRAWS + 4

# Tasks: own turn after a draw, discard after an own claim, claim on a discard, robbing of a kong, nothing pending.
TURN, FOLLOW, CLAIM, ROB, IDLE = range(5)
# Kinds of melds; 0 is no meld.
CHOW, PUNG, OPEN_KONG, ADDED_KONG, CONCEALED_KONG = range(1, 6)

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

HIDDEN_FIELDS = (
    ("hands", (3, 34), "concealed tiles of the seats 1..3 by kind"),
    ("kong_tile", (3, 4), "tiles of their concealed kongs at the places of meld_kind, else NONE"),
    ("wall_tiles", (4, WALL_DRAWS), "each seat's wall, the next draw first"),
)


def _lay_out(fields, start=0):
    places = {}
    for name, shape, _ in fields:
        size = int(np.prod(shape))
        places[name] = (start, start + size, shape)
        start += size
    return places, start


# name: (first byte, byte after the last, shape)
PLACES, OBSERVATION_SIZE = _lay_out(FIELDS)
HIDDEN_PLACES, FULL_SIZE = _lay_out(HIDDEN_FIELDS, OBSERVATION_SIZE)

FirstBytes = namedtuple("FirstBytes", list(PLACES) + list(HIDDEN_PLACES))
FirstBytes.__doc__ = """The first byte of each field: observation[AT.hand + tile]. numba takes it as a constant."""
AT = FirstBytes(*(start for places in (PLACES, HIDDEN_PLACES) for start, _, _ in places.values()))


def field(observations, name):
    """Returns one field of observations as uint8[..., *shape].

    observations: uint8[..., OBSERVATION_SIZE or FULL_SIZE].
    """
    start, end, shape = PLACES.get(name) or HIDDEN_PLACES[name]
    return observations[..., start:end].reshape(observations.shape[:-1] + shape)
