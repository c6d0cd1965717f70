"""The unit of work: one wall in all its seatings, played by whichever way fits the players."""

from collections import namedtuple

from ...mahjong.errors import ProtocolError
from .. import batch as batched
from . import referee_runner as table
from .tally import Tally

# What one wall came to. wall: its number. tallies: list of a Tally a player.
Unit = namedtuple("Unit", "wall tallies")

# Walls that a batched runner plays side by side. Tasks begin at its multiples, so that the same walls share a batch
# whatever was played before.
_BATCH_WALLS = 32


def choose_runner(match, is_batched=True):
    """(function, walls a task) that play a match: function(match, first, stop) -> list of lists of Tally.

    The engine where all players have a batch form, else the referee. is_batched: False for the referee in any case.
    """
    if is_batched and all(batched.has_batch(spec) for spec in match.specs):
        from .engine_runner import play_walls  # numba takes a second to import
        return play_walls, _BATCH_WALLS
    return table.play_walls, 1


def play_units(match, is_batched, first, stop):
    """The Units of walls first .. stop - 1."""
    play, _ = choose_runner(match, is_batched)
    return [Unit(first + place, tallies) for place, tallies in enumerate(play(match, first, stop))]


def format_unit(unit):
    """A Unit as a dict for JSON."""
    return {"wall": unit.wall, "players": [tally.as_dict() for tally in unit.tallies]}


def parse_unit(data, match, where):
    """The Unit of a format_unit that has been through JSON.

    where: text that an error ends with.
    Raises ProtocolError: not of this match, or scores that do not add up to zero.
    """
    try:
        unit = Unit(data["wall"], [Tally.from_dict(tally) for tally in data["players"]])
        games = [tally.games for tally in unit.tallies]
        total = sum(tally.score for tally in unit.tallies)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProtocolError("expected the tallies of a wall, got %.80r (%r) %s" % (data, error, where)) from None
    if not isinstance(unit.wall, int) or games != match.seats_a_wall or total != 0:
        raise ProtocolError(
            "expected a wall with %r seats a player and scores that add up to 0, got wall %r with %r and %r %s"
            % (match.seats_a_wall, unit.wall, games, total, where))
    return unit
