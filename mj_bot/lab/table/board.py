"""Formats a game as text that a person can follow in a terminal."""

import argparse
from collections.abc import Sequence

from ...mahjong.fan import sum_fans
from ...mahjong.tile import TILE_NAMES, list_tiles
from ..words import get_language, name_tiles, say
from .fan_names import ENGLISH_FANS
from .one_wall import FLOWER_FAN
from .game_referee import Referee

WINDS = ("East", "South", "West", "North")
_SEAT_NAMES = (tuple(wind.lower() for wind in WINDS), tuple("东南西北"), tuple("0123"))
NAME_WIDTH = 24
# Tiles of a river in one line.
_RIVER_TILES = 12
_VERDICTS = {"HU": "win", "HUANG": "drawn", "WA": "illegal action (WA)", "WH": "win below 8 fan (WH)",
             "TLE": "out of time (TLE)", "MLE": "too much memory (MLE)", "OLE": "too much output (OLE)",
             "RE": "crash (RE)", "NJ": "no JSON (NJ)", "ERR": "error (ERR)"}


def parse_seat(text: str) -> int:
    """Returns the seat 0..3 that an option of a command names: east, 东 or 0, and so on.

    Raises argparse.ArgumentTypeError: the text names no seat.

    >>> parse_seat("East"), parse_seat("北"), parse_seat("2")
    (0, 3, 2)
    """
    for names in _SEAT_NAMES:
        if text.lower() in names:
            return names.index(text.lower())
    raise argparse.ArgumentTypeError(say("expected a seat, one of east, 东 or 0 .. north, 北 or 3, got %r", text))


def name_verdict(verdict: str) -> str:
    """Returns the words for a verdict of the referee or of Botzone; an unknown verdict is returned as it is.

    >>> name_verdict("TLE"), name_verdict("OK")
    ('out of time (TLE)', 'OK')
    """
    return say(_VERDICTS.get(verdict, verdict))


def format_board(referee: Referee, names: Sequence[str]) -> str:
    """Returns the table as lines of text: the walls, and for each seat its hand, melds and river.

    names: the names of the four players, each of at most NAME_WIDTH characters.
    A meld is written as [tiles<seat] with the seat that gave the claimed tile, a concealed kong as [tiles]. The line of
    the seat to act is marked with >, and ends with the drawn tile.
    """
    winds = [say(wind) for wind in WINDS]
    if referee.flower_counts is None:
        left = " ".join("%s %d" % pair for pair in zip(winds, referee.walls_left))
    else:
        left = str(referee.tiles_left)
    lines = [say("%s round, tiles left in the walls: %s", winds[referee.prevalent_wind], left)]
    for seat in range(4):
        turn = seat == referee.turn and referee.last_tile is not None
        hand = list_tiles(referee.hands[seat])
        if turn and referee.event == ("DRAW",):
            hand.remove(TILE_NAMES[referee.last_tile])
            hand.append("+ " + TILE_NAMES[referee.last_tile])
        lines.append("%s %-5s %-*s %s" % (
            ">" if turn else " ", winds[seat], NAME_WIDTH, names[seat], name_tiles(" ".join(hand))))
        melds = " ".join(_format_meld(meld) for meld in referee.melds[seat])
        if melds:
            lines.append("        " + name_tiles(say("melds %s", melds)))
        for begin in range(0, len(referee.rivers[seat]), _RIVER_TILES):
            river = name_tiles(" ".join(referee.rivers[seat][begin:begin + _RIVER_TILES]))
            lines.append("        " + (" " * 6 + river if begin else say("river %s", river)))
    return "\n".join(lines)


def format_event(referee: Referee, names: Sequence[str]) -> str:
    """Returns one line about the latest event of a game that goes on; "" for a draw and where there is no event."""
    if referee.event in (None, ("DRAW",)) or referee.is_over:
        return ""
    who = "%-5s %-*s" % (say(WINDS[referee.turn]), NAME_WIDTH, names[referee.turn])
    action_type = referee.event[0]
    if action_type == "BUHUA":
        return "%s %s" % (who, say("puts a flower aside"))
    tile = TILE_NAMES[referee.last_tile]
    if action_type == "PLAY":
        text = say("plays %s", tile)
    elif action_type == "BUGANG":
        text = say("adds %s to its pung", tile)
    else:
        meld = _format_meld(referee.melds[referee.turn][-1])
        text = say("melds a kong %s", meld) if action_type == "GANG" else say(
            "melds a chow %s, plays %s" if action_type == "CHI" else "melds a pung %s, plays %s", meld, tile)
    return "%s %s" % (who, name_tiles(text))


def format_ending(referee: Referee, names: Sequence[str]) -> str:
    """Returns the lines about the end of a game: verdict, fans and scores."""
    winds = [say(wind) for wind in WINDS]
    if referee.verdict == "HUANG":
        lines = [say("Drawn: no tile left.")]
    elif referee.verdict == "HU":
        flowers = referee.flower_counts[referee.culprit] if referee.flower_counts else 0
        fans = referee.fans + [(1, flowers, FLOWER_FAN)] * bool(flowers)
        giver = say("by self-draw") if referee.giver is None else say("on a tile of %s", winds[referee.giver])
        lines = [say("%s (%s) wins %s: %d fan",
            winds[referee.culprit], names[referee.culprit], giver, sum_fans(fans))]
        lines += ["  %2d  %s %s%s" % (
            points * copies, name, "" if get_language() == "zh" else ENGLISH_FANS.get(name, ""),
            " x%d" % copies if copies > 1 else "")
                  for points, copies, name in fans]
    else:
        lines = [say("%s (%s) errs: %s",
            winds[referee.culprit], names[referee.culprit], name_verdict(referee.verdict))]
    for seat, count in enumerate(referee.false_wins):
        if count:
            lines.append(say("%s (%s) declared %d false wins", winds[seat], names[seat], count))
    lines.append(say("Scores: %s", ", ".join("%s %+d" % pair for pair in zip(winds, referee.scores))))
    return "\n".join(lines)


def _format_meld(meld):
    """Returns a meld as [tiles<seat], or [tiles] for a concealed kong."""
    giver = "" if meld.is_concealed else "<" + say(WINDS[meld.src_pid])[0]
    return "[%s%s]" % (" ".join(meld.cards), giver)
