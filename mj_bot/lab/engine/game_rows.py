"""The state of N games side by side: one structured numpy array.

games["hand"] is uint8[N, 4, 34], games["phase"] uint8[N], and so on. A step touches most fields of one game: the fields
of a game together, 1.3 KB, were 7 times faster than a tuple of arrays, and compiled in a third of the time.
Seats are absolute, 0..3; tiles 0..33, NONE (34) for no tile.
"""

import numpy as np

from ...observation.layout import RIVER_SIZE
from ..table.walls import WALL_SIZE

# At most 84 draws, 84 + 16 discards, 16 melds, 16 added kongs, and the end.
LOG_SIZE = 220

# The other phases are the tasks of an observation: TURN, FOLLOW, CLAIM and ROB.
GAME_OVER = 4

# Events of the log: [0] is 4 * kind + seat, [1] the tile (middle tile of a chow, NONE at the game's end).
(TILE_DRAWN, PLAYED, CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE, CONCEALED_KONG_MADE, ADDED_KONG_MADE, WON,
 WALL_EMPTY) = range(9)

GAME_FIELDS = (
    # name, dtype, shape a game, meaning
    ("game_id", np.int64, (), "number of the game in its source, -1 for a game set up by hand or none"),
    ("kinds", np.int64, (4,), "bit t set where the seat has tile t concealed"),
    ("quads", np.int64, (4,), "bit t set where the seat has all four concealed"),
    ("key", np.int32, (4, 4), "concealed tiles by suit in base 5, see mahjong/suit_tables.py"),
    ("shape", np.uint16, (4, 4), "Shapes.shape of each key, without the tile just drawn"),
    ("log_count", np.int16, (), "events so far"),
    ("fan", np.int16, (4,), "fan of each seat's win here; 0 where its hand is not complete, or UNKNOWN"),
    ("score", np.int16, (4,), "final scores"),
    ("wall", np.uint8, (WALL_SIZE,), "tiles, seat s owns 34 s .. 34 s + 33 and draws from the end"),
    ("wall_left", np.uint8, (4,), "tiles left in each seat's slice"),
    ("hand", np.uint8, (4, 34), "concealed tiles by kind"),
    ("may_complete", np.uint8, (4,), "bit s set where a tile of suit s may complete the hand, judged by the shapes"),
    ("uncounted", np.uint8, (), "number of fans that are UNKNOWN"),
    ("shown", np.uint8, (34,), "copies as the judge counts them for the fourth tile, see mahjong/rules.py"),
    ("meld", np.uint8, (4, 4, 5), "kind, tile (middle), claimed tile, giver, discards made before it"),
    ("meld_count", np.uint8, (4,), "melds laid"),
    ("river_tile", np.uint8, (4, RIVER_SIZE), "discards in order, then NONE"),
    ("river_claimer", np.uint8, (4, RIVER_SIZE), "1 + the seat that claimed it, 0 for none"),
    ("river_time", np.uint8, (4, RIVER_SIZE), "discards of all seats made before it"),
    ("river_count", np.uint8, (4,), "discards made, claimed ones included"),
    ("discard_count", np.uint8, (), "discards made by all seats"),
    ("log", np.uint8, (LOG_SIZE, 2), "events in order"),
    ("phase", np.uint8, (), "TURN, FOLLOW, CLAIM, ROB of observation/layout.py, or GAME_OVER"),
    ("turn", np.uint8, (), "seat that drew, claimed or discarded last"),
    ("last_tile", np.uint8, (), "tile drawn, claimed, discarded or added last"),
    ("after_kong", np.uint8, (), "1 where the draw replaces a kong's tile"),
    ("wind", np.uint8, (), "prevalent wind"),
    ("winner", np.int8, (), "winning seat, -1 for none"),
    ("giver", np.int8, (), "seat that gave the winning tile, the winner's own for a self-draw, -1 for none"),
)

GAME = np.dtype([(name, dtype, shape) for name, dtype, shape, _ in GAME_FIELDS], align=True)

# A pending decision: bit a of mask is set where action a is legal.
DECISION = np.dtype([("mask", np.uint64, (4,)), ("game", np.int32), ("seat", np.uint8)], align=True)

# A game that ended: the next game in its place overwrites its state.
RESULT = np.dtype([
    ("game_id", np.int64), ("game", np.int32), ("score", np.int16, (4,)), ("fan", np.int16), ("log_count", np.int16),
    ("winner", np.int8), ("giver", np.int8), ("log", np.uint8, (LOG_SIZE, 2)),
], align=True)


def count_claims(result):
    """Chows, pungs and open kongs of each seat in the game of a RESULT row, int[4]."""
    kinds, seats = np.divmod(result["log"][:result["log_count"], 0], 4)
    return np.bincount(seats[np.isin(kinds, (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE))], minlength=4)
