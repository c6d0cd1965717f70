"""Defines the state of N games as one structured numpy array, and the arrays of decisions and results.

games["hand"] is uint8[N, 4, 34], games["phase"] is uint8[N], and so on. A step changes most fields of one game, so the
fields of one game are next to each other in memory. That is much faster than one array per field.
Seats are absolute, 0..3. Tiles are 0..33, NONE (34) for no tile.
"""

import numpy as np

from ...observation.layout import RIVER_SIZE
from ..table.walls import WALL_SIZE

# A game has at most 84 draws, 84 + 16 discards, 16 melds, 16 added kongs, and the event of its end.
LOG_SIZE = 220

# The phase of a game that is over. The other phases are TURN, FOLLOW, CLAIM and ROB of observation/layout.py.
GAME_OVER = 4

# Events. A row of the log is (4 * event + seat, tile); the tile is a chow's middle tile, or NONE at the game's end.
(TILE_DRAWN, PLAYED, CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE, CONCEALED_KONG_MADE, ADDED_KONG_MADE, WON,
 WALL_EMPTY) = range(9)

GAME_FIELDS = (
    # name, dtype, shape per game, meaning
    ("game_id", np.int64, (), "number of the game in its source of walls, -1 if it comes from no source"),
    ("kinds", np.int64, (4,), "bit t set where the seat has tile t concealed"),
    ("quads", np.int64, (4,), "bit t set where the seat has all four copies of tile t concealed"),
    ("key", np.int32, (4, 4), "concealed tiles of each suit: digit d in base 5 is the number of copies of its tile d"),
    ("shape", np.uint16, (4, 4), "shape bits (mahjong/suit_tables.py) of each suit, without the tile just drawn"),
    ("log_count", np.int16, (), "number of events in the log"),
    ("fan", np.int16, (4,), "fan of each seat's win now; 0 if its hand is not complete, UNKNOWN if not counted"),
    ("score", np.int16, (4,), "final scores"),
    ("wall", np.uint8, (WALL_SIZE,), "tiles; the wall of seat s is wall[34 s:34 s + 34], and it draws from its end"),
    ("walls_left", np.uint8, (4,), "tiles left in each seat's wall"),
    ("hand", np.uint8, (4, 34), "concealed tiles by kind"),
    ("may_complete", np.uint8, (4,), "bit s set where a tile of suit s may complete the seat's hand"),
    ("uncounted", np.uint8, (), "how many fans are UNKNOWN"),
    ("shown", np.uint8, (34,), "open copies of each tile; three make the fourth one the last of its kind"),
    ("meld", np.uint8, (4, 4, 5), "type, tile (middle of a chow), claimed tile, giver, discards made before it"),
    ("meld_count", np.uint8, (4,), "number of melds"),
    ("river_tile", np.uint8, (4, RIVER_SIZE), "discards in order, then NONE"),
    ("river_claimer", np.uint8, (4, RIVER_SIZE), "1 + the seat that claimed it, 0 for none"),
    ("river_time", np.uint8, (4, RIVER_SIZE), "discards of all seats made before it"),
    ("river_count", np.uint8, (4,), "number of discards, claimed ones included"),
    ("discard_count", np.uint8, (), "number of discards of all seats"),
    ("log", np.uint8, (LOG_SIZE, 2), "events in order"),
    ("phase", np.uint8, (), "TURN, FOLLOW, CLAIM, ROB of observation/layout.py, or GAME_OVER"),
    ("turn", np.uint8, (), "seat that drew, claimed or discarded last"),
    ("last_tile", np.uint8, (), "tile drawn, claimed, discarded or added last"),
    ("after_kong", np.uint8, (), "1 where the draw replaces a kong's tile"),
    ("wind", np.uint8, (), "prevalent wind"),
    ("winner", np.int8, (), "winning seat, -1 for none"),
    ("giver", np.int8, (), "seat that gave the winning tile, the winner itself for a self-draw, -1 for none"),
)

GAME = np.dtype([(name, dtype, shape) for name, dtype, shape, _ in GAME_FIELDS], align=True)

# A pending decision: the index of the game, the seat that decides, and a mask whose bit a is set if action a is legal.
DECISION = np.dtype([("mask", np.uint64, (4,)), ("game", np.int32), ("seat", np.uint8)], align=True)

# The result of a game that ended. It is a copy, because the next game overwrites the state of the old one.
RESULT = np.dtype([
    ("game_id", np.int64), ("game", np.int32), ("score", np.int16, (4,)), ("fan", np.int16), ("log_count", np.int16),
    ("winner", np.int8), ("giver", np.int8), ("log", np.uint8, (LOG_SIZE, 2)),
], align=True)


def count_claims(result: np.void) -> np.ndarray:
    """Returns int[4]: how many chows, pungs and open kongs each seat has claimed in the game of a RESULT row."""
    events, seats = np.divmod(result["log"][:result["log_count"], 0], 4)
    return np.bincount(seats[np.isin(events, (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE))], minlength=4)
