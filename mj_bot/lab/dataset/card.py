"""The card of a set: where its games come from, what they hold, and a hash of them."""

import hashlib
from collections import Counter

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
)
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
    ("concealed kong", CONCEALED_KONG_BASE), ("added kong", ADDED_KONG_BASE), ("pung", PUNG_BASE), ("chow", CHOW_BASE),
)
# What of a platform's game is not Botzone's.
_ONE_WALL = ("one wall of 144 tiles for all seats; flowers are put aside and paid as fans, but do not count towards "
             "eight; the hands of a session, mostly 16, have one running score; a false win costs points, which the "
             "scores here leave out, and the hand goes on")
# Games looked at together.
_PART = 1024


class Survey(object):
    """Counts over games: every one is replayed through the engine, which refuses what is not legal."""

    def __init__(self):
        self._replayer = Replayer()
        self._tasks = np.zeros(len(_TASKS), np.int64)
        self._actions = np.zeros(len(_ACTIONS), np.int64)
        self._random_actions = 0
        self._moves = 0
        self._splits = np.zeros(len(SPLITS), np.int64)
        self._fans = Counter()
        self._wins = 0
        self._platforms = Counter()
        self._one_wall = 0
        self.games = 0

    def add(self, games):
        """Counts Games.

        Raises ProtocolError: a move that is not legal, or scores that the moves do not come to.
        """
        for first in range(0, len(games.heads), _PART):
            part = take_games(games, np.arange(first, min(first + _PART, len(games.heads))))
            decisions = self._replayer.replay(part, self._count_fans)
            self._tasks += np.bincount(decisions.kinds, minlength=len(_TASKS))
            kinds = np.searchsorted([base for _, base in _ACTIONS], decisions.actions, side="right") - 1
            self._actions += np.bincount(kinds, minlength=len(_ACTIONS))
            self._random_actions += int(decisions.is_random.sum())
            self._splits += np.bincount(split_games(part), minlength=len(SPLITS))
            self._moves += len(part.moves) + sum(map(len, part.notes))
            self._wins += int((part.heads["scores"].max(axis=1) >= 24).sum())
            self._platforms.update(read_note(note).get("origin", {}).get("platform", "") for note in part.notes)
            self._one_wall += int((part.heads["facts"] & SHARED_WALL > 0).sum())
            self.games += len(part.heads)

    def _count_fans(self, engine, actions):
        rows = np.flatnonzero(actions == WIN_INDEX)
        winners = {}
        for place, seat in engine.pending[["game", "seat"]][rows].tolist():
            winners.setdefault(place, seat)
        for place, seat in winners.items():
            self._fans.update({name for _, _, name in list_fans(*fan_arguments(engine.games[place], seat))})

    def as_dict(self):
        """What was counted, for the card."""
        people = {"platforms": {name: count for name, count in self._platforms.most_common() if name},
                  "one_wall": {"games": self._one_wall, "differences": _ONE_WALL}}
        return {
            **(people if self._one_wall else {}),
            "games": self.games,
            "wins": self._wins,
            "decisions": int(self._tasks.sum()),
            "random_actions": self._random_actions,
            "decisions_by_task": dict(zip(_TASKS, self._tasks.tolist())),
            "decisions_by_action": dict(zip((name for name, _ in _ACTIONS), self._actions.tolist())),
            "splits": dict(zip(SPLITS, self._splits.tolist())),
            "bytes_a_game": round(119 + self._moves / max(1, self.games), 1),
            "fans": dict(self._fans.most_common()),
        }


def make_card(folder, shards, source, *, command, show=None):
    """The card of the shards in a folder, as a dict for JSON; all games are replayed for it.

    folder: pathlib.Path. shards: names of files, in order. source: dict, where the games come from. command: text.
    show: function(number of games just counted).
    Raises ProtocolError: games that do not replay, with the shard.
    """
    survey = Survey()
    digest = hashlib.sha256()
    for name in shards:
        path = folder / name
        digest.update(path.read_bytes())
        before = survey.games
        survey.add(read_games(str(path)))
        if show:
            show(survey.games - before)
    card = {"format": FORMAT, "version": VERSION, "source": source, "command": command, "hash": digest.hexdigest(),
            "shards": list(shards)}
    card.update(survey.as_dict())
    card.update(read_commit())
    return card
