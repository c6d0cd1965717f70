"""The engine's logs of events as the project's action tuples."""

from mj_bot.lab.engine.games import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, DRAWN, OPEN_KONG_MADE, PLAYED, PUNG_MADE, WALL_EMPTY, WON,
)
from mj_bot.mahjong.tile import TILE_NAMES


def list_events(log, count):
    """Events of a log, uint8[LOG_SIZE, 2] with `count` rows in use, as (seat, action) in order.

    Actions are those of action.py with the tiles open: ("DRAW", tile), ("PLAY", tile), ("CHI", middle, discard),
    ("PENG", discard), ("GANG",) of the last discard, ("GANG", tile) concealed, ("BUGANG", tile), ("HU", tile) with the
    winning tile; a game that ends in a draw has none for it. A claim whose discard is not made yet has one tile less.
    """
    events = []
    for code, tile in log[:count].tolist():
        kind, seat = divmod(code, 4)
        name = TILE_NAMES[tile] if tile < len(TILE_NAMES) else None
        if kind == PLAYED and events and events[-1][1][0] in ("CHI", "PENG") and events[-1][0] == seat:
            claim = events[-1][1]
            if len(claim) < (3 if claim[0] == "CHI" else 2):
                events[-1] = (seat, claim + (name,))
                continue
        if kind == WALL_EMPTY:
            continue
        events.append((seat, _ACTIONS[kind] + ((name,) if kind in _WITH_TILE else ())))
    return events


_ACTIONS = {
    DRAWN: ("DRAW",), PLAYED: ("PLAY",), CHOW_MADE: ("CHI",), PUNG_MADE: ("PENG",), OPEN_KONG_MADE: ("GANG",),
    CONCEALED_KONG_MADE: ("GANG",), ADDED_KONG_MADE: ("BUGANG",), WON: ("HU",),
}
_WITH_TILE = (DRAWN, PLAYED, CHOW_MADE, CONCEALED_KONG_MADE, ADDED_KONG_MADE, WON)
