"""The journal of a match: a line a wall, so that a match broken off goes on where it was.

The first line tells the match, each further one is a Unit.
"""

from ...mahjong.errors import MahjongError
from ..run import journal
from .unit import format_unit, parse_unit

FORMAT = "mj_bot arena journal"
VERSION = 2


class Journal(object):
    """The walls of a match that are done.

    units: dict from the wall's number to its Unit.
    """

    def __init__(self, path, match, identity):
        """Opens the journal of a match, or begins it.

        path: of the file; None keeps the walls in memory alone. identity: dict, see provenance.identify.
        Raises ProtocolError: a journal of another match, of other code or another version, or a damaged one.
        MahjongError: it cannot be opened, or another process holds it.
        """
        self.path = path
        self.units = {}
        self._lines = journal.Journal(path, FORMAT, VERSION, identity)
        try:
            for data, where in self._lines.entries:
                unit = parse_unit(data, match, where)
                self.units.setdefault(unit.wall, unit)
        except MahjongError:
            self.close()
            raise

    def add(self, units):
        """Adds walls that are done."""
        new = [unit for unit in units if unit.wall not in self.units]
        self.units.update((unit.wall, unit) for unit in new)
        self._lines.append(*map(format_unit, new))

    def close(self):
        """Lets go of the file."""
        self._lines.close()
