"""A recorded game in memory: what the judge asked and showed, what the seats answered."""

from dataclasses import dataclass, field
from typing import NamedTuple

from ...mahjong.errors import InvalidHandError
from ...mahjong.tile import COPIES, TILE_NAMES
from .walls import DEAL_SIZE, SLICE_SIZE, check_wall


class Transcript(NamedTuple):
    """One seat's side of a game."""

    name: str  # where it came from
    seat: int  # 0..3, None where only the requests say it
    requests: list
    responses: list  # as many as requests, or fewer where a log leaves them out


class Step(NamedTuple):
    """What the four seats were asked at a time, and answered."""

    requests: list  # 4 texts
    display: dict  # the judge's display object
    answers: list  # 4 players.Answer


@dataclass
class Record:
    """One refereed game."""

    wall: list  # 136 tile names; None where the source leaves it out
    prevalent_wind: int  # 0..3
    players: list = field(default_factory=lambda: ["0", "1", "2", "3"])  # names
    name: str = ""  # where it came from
    steps: list = field(default_factory=list)  # of Step
    closing: dict = None  # the judge's last display object
    scores: list = None  # 4 ints

    def transcripts(self):
        """The four Transcripts: what a bot at each seat was asked and answered."""
        return [
            Transcript(self.name, seat, [step.requests[seat] for step in self.steps],
                       [step.answers[seat].response for step in self.steps])
            for seat in range(4)
        ]


def rebuild_wall(record):
    """A wall (list of 136 tile names) under which the recorded game happens: its own where the source has it.

    Raises InvalidHandError, InvalidTileError: the tiles that were drawn are not those of a wall.
    """
    if record.wall is not None:
        return list(record.wall)
    drawn = []
    for transcript in record.transcripts():
        words = [request.split() for request in transcript.requests]
        drawn.append([tile for parts in words if parts[0] == "1" for tile in parts[5:5 + DEAL_SIZE]]
                     + [parts[1] for parts in words if parts[0] == "2"])
    return fill_wall(drawn, record.name)


def fill_wall(drawn, name):
    """A wall (list of 136 tile names) that deals the recorded tiles.

    drawn: of each seat, the names of the tiles dealt and drawn, in order; what nobody drew fills the rest, in tile
        order. name: of the source, for errors.
    Raises InvalidHandError, InvalidTileError: more than a slice's tiles, or tiles that are not those of a wall.
    """
    left = [tile for tile in TILE_NAMES for _ in range(COPIES - sum(tiles.count(tile) for tiles in drawn))]
    wall = []
    for seat, tiles in enumerate(drawn):
        size = SLICE_SIZE - len(tiles)
        if size < 0:
            raise InvalidHandError("expected at most %d draws of seat %d, as its part of the wall has, got %d in %s"
                                   % (SLICE_SIZE - DEAL_SIZE, seat, len(tiles) - DEAL_SIZE, name))
        wall += left[:size] + tiles[::-1]
        left = left[size:]
    check_wall(wall, " rebuilt from %s" % name)
    return wall
