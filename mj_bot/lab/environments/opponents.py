"""Lets players answer the decisions of other seats, for all games in one call."""

import os
from collections.abc import Callable, Sequence

import numpy as np

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...tactic.base import Tactic
from ..table.choosers import load_chooser
from .spaces import check_integer

# A function choose(observations, masks) that returns one action per row.
Chooser = Callable[[np.ndarray, np.ndarray], np.ndarray]
# One player for all three other seats, or a sequence of three players.
Players = str | Tactic | Chooser | Sequence[str | Tactic | Chooser]


def count_threads(threads: int | None) -> int:
    """Returns the number of threads: as given, or for None the number of cores that this process may use."""
    if threads is not None:
        return check_integer("threads", threads, 1, 1024)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Opponents(object):
    """Keeps the players of the three other seats. A pickle keeps their names, and the copy loads them again.

    groups: list of (function choose, bool[4]); the array tells which offsets from the own seat the function plays.
    """

    def __init__(self, players: Players, threads: int | None = None):
        """Loads the players.

        players: a player of the arena that has `choose`, by name or as an object, or a function choose(observations
            uint8[M, OBSERVATION_SIZE], masks bool[M, 235]) -> int[M]. A sequence of three means the next seat, across
            and before.
        threads: how many threads share the decisions of a player; None for one per core.
        Raises MahjongError: another number of players, or one that is none; the message of an UnknownTacticError has
            the nearest name.
        """
        players = [players] * (SEATS - 1) if isinstance(players, str) or callable(players) else players
        if not isinstance(players, (list, tuple)) or len(players) != SEATS - 1 or not all(
                isinstance(player, str) or callable(player) for player in players):
            raise MahjongError("expected one opponent or a list of three, each a name, a tactic or a function, got %r",
                               players)
        self._arguments = players, threads
        self.groups = []
        for player in dict.fromkeys(players):
            if isinstance(player, (str, Tactic)):
                choose = load_chooser(player, threads=count_threads(threads))
            else:
                choose = player
            self.groups.append((choose, np.array([False] + [other == player for other in players])))

    def __reduce__(self):
        return Opponents, self._arguments
