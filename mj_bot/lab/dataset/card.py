"""The card of a set: the source of its games, counts of what is in them, and a hash."""

import hashlib
from collections import Counter

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.fan import list_fans
from ..engine.winning import fan_arguments
from ..records.compact import read_games, read_note, take_games
from ..records.game import SHARED_WALL
from ..run.provenance import read_commit
from .reader import FORMAT, SPLITS, VERSION, split_games
from .replay import Replayer

_TASKS = ("turn", "follow", "claim", "rob")
_ACTIONS = (
    ("pass", PASS_INDEX), ("win", WIN_INDEX), ("discard", DISCARD_BASE), ("open kong", OPEN_KONG_BASE),
    ("concealed kong", CONCEALED_KONG_BASE), ("added kong", ADDED_KONG_BASE), ("pung", PUNG_BASE), ("chow", CHOW_BASE))
# How the platforms' game differs from Botzone's.
_ONE_WALL = ("one wall of 144 tiles for all seats; flowers are put aside and paid as fans, but do not count towards "
             "eight; a flower that a player keeps for a while counts as put aside when it is drawn; the hands of a "
             "session, mostly 16, have one running score; a false win costs points, which the scores here leave out, "
             "and the hand goes on")
# Games replayed together.
_PART = 1024


class Survey(object):
    """Counts over games. Each is replayed through the engine, which refuses illegal moves."""

    def __init__(self):
        self._replayer = Replayer()
        self._tasks, self._actions, self._splits = (
            np.zeros(len(names), np.int64) for names in (_TASKS, _ACTIONS, SPLITS))
        self._fans, self._platforms = Counter(), Counter()
        self._counts = Counter()

    def add(self, games):
        """Counts Games. Raises ProtocolError: an illegal move, or scores that differ from those of the moves."""
        for first in range(0, len(games.heads), _PART):
            part = take_games(games, np.arange(first, min(first + _PART, len(games.heads))))
            decisions = self._replayer.replay(part, self._count_fans)
            self._tasks += np.bincount(decisions.kinds, minlength=len(_TASKS))
            kinds = np.searchsorted([base for _, base in _ACTIONS], decisions.actions, side="right") - 1
            self._actions += np.bincount(kinds, minlength=len(_ACTIONS))
            self._splits += np.bincount(split_games(part), minlength=len(SPLITS))
            self._platforms.update(read_note(note).get("origin", {}).get("platform", "") for note in part.notes)
            self._counts.update(
                games=len(part.heads), wins=int((part.heads["scores"].max(axis=1) >= 24).sum()),
                random_actions=int(decisions.is_random.sum()), bytes=len(part.moves) + sum(map(len, part.notes)),
                one_wall=int((part.heads["facts"] & SHARED_WALL > 0).sum()))

    def _count_fans(self, engine, actions):
        rows = np.flatnonzero(actions == WIN_INDEX)
        winners = {}
        for place, seat in engine.pending[["game", "seat"]][rows].tolist():
            winners.setdefault(place, seat)
        for place, seat in winners.items():
            self._fans.update({name for _, _, name in list_fans(*fan_arguments(engine.games[place], seat))})

    def as_dict(self):
        """The counts for the card."""
        counts = self._counts
        people = {"platforms": {name: count for name, count in self._platforms.most_common() if name},
                  "one_wall": {"games": counts["one_wall"], "differences": _ONE_WALL}}
        return {
            **(people if counts["one_wall"] else {}), "games": counts["games"], "wins": counts["wins"],
            "decisions": int(self._tasks.sum()), "random_actions": counts["random_actions"],
            "decisions_by_task": dict(zip(_TASKS, self._tasks.tolist())),
            "decisions_by_action": dict(zip((name for name, _ in _ACTIONS), self._actions.tolist())),
            "splits": dict(zip(SPLITS, self._splits.tolist())),
            "bytes_a_game": round(119 + counts["bytes"] / max(1, counts["games"]), 1),
            "fans": dict(self._fans.most_common()),
        }


def make_card(folder, shards, source, *, command, show):
    """The card of the shards in a folder, as a dict for JSON; all games are replayed for it.

    folder: pathlib.Path. shards: names of files, in order. source: dict, where the games come from. command: text.
    show: function(number of games just counted).
    Raises ProtocolError: games that do not replay.
    """
    survey = Survey()
    digest = hashlib.sha256()
    for name in shards:
        path = folder / name
        digest.update(path.read_bytes())
        games = read_games(str(path))
        survey.add(games)
        show(len(games.heads))
    return {"format": FORMAT, "version": VERSION, "source": source, "command": command, "hash": digest.hexdigest(),
            "shards": list(shards), **survey.as_dict(), **read_commit()}
