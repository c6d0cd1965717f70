"""The card of a set: the source of its games, counts of what is in them, and a hash."""

from collections import Counter

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.fan import list_fans
from ...observation.layout import field
from ..engine.winning import fan_arguments
from ..records.compact import digest_games, has_own_fans, measure_folder, read_games, read_note, take_games
from ..records.game_record import SHARED_WALL
from ..run.provenance import read_commit
from .reader import SET_FORMAT, SET_VERSION, SPLITS, split_games
from .replayed_decisions import Replayer

_TASKS = ("turn", "follow", "claim", "rob")
_ACTIONS = (
    ("pass", PASS_INDEX), ("win", WIN_INDEX), ("discard", DISCARD_BASE), ("open kong", OPEN_KONG_BASE),
    ("concealed kong", CONCEALED_KONG_BASE), ("added kong", ADDED_KONG_BASE), ("pung", PUNG_BASE), ("chow", CHOW_BASE))
# How the platforms' game differs from Botzone's.
_ONE_WALL = ("one wall of 144 tiles for all seats; flowers are put aside and paid as fans, but do not count towards "
             "eight; a flower that a player keeps for a while counts as put aside when it is drawn; the hands of a "
             "session, mostly 16, have one running score; a false win costs points, which the scores here leave out, "
             "and the hand goes on")
_OWN_FANS = ("fans by the platform's rules: a wait inside a knitted straight counts, or the fans of a sub rule; the "
             "scores are the platform's, legal wins are those of the judge")
# Games replayed together.
_PART = 1024


def make_card(folder, source, *, command, show):
    """The card of the games in a folder, as a dict for JSON; the engine replays all games and refuses illegal moves.

    folder: pathlib.Path. source: dict, where the games come from. command: text.
    show: function(number of games just counted).
    Raises ProtocolError: an illegal move, or scores that differ from those of the moves.
    """
    replayer, games = Replayer(), read_games(folder)
    tasks, actions, splits = (np.zeros(len(names), np.int64) for names in (_TASKS, _ACTIONS, SPLITS))
    fans, platforms, counts = Counter(), Counter(), Counter()

    def count_fans(engine, chosen):
        winners = {}
        for place, seat in engine.pending[["game", "seat"]][chosen == WIN_INDEX].tolist():
            winners.setdefault(place, seat)
        for place, seat in winners.items():
            fans.update({name for _, _, name in list_fans(*fan_arguments(engine.games[place], seat))})

    for first in range(0, len(games.heads), _PART):
        part = take_games(games, np.arange(first, min(first + _PART, len(games.heads))))
        decisions = replayer.replay(part, count_fans)
        tasks += np.bincount(field(decisions.observations, "task")[:, 0], minlength=len(_TASKS))
        kinds = np.searchsorted([base for _, base in _ACTIONS], decisions.actions, side="right") - 1
        actions += np.bincount(kinds, minlength=len(_ACTIONS))
        splits += np.bincount(split_games(part), minlength=len(SPLITS))
        notes = list(map(read_note, part.notes))
        platforms.update(note.get("origin", {}).get("platform", "") for note in notes)
        counts.update(
            games=len(part.heads), wins=int((part.heads["scores"].max(axis=1) >= 24).sum()),
            random_actions=int(decisions.is_random.sum()),
            one_wall=int((part.heads["facts"] & SHARED_WALL > 0).sum()), own_fans=sum(map(has_own_fans, notes)))
        show(len(part.heads))
    people = {"platforms": {name: count for name, count in platforms.most_common() if name},
              "one_wall": {"games": counts["one_wall"], "differences": _ONE_WALL},
              "own_fans": {"games": counts["own_fans"], "differences": _OWN_FANS}}
    return {
        "format": SET_FORMAT, "version": SET_VERSION, "source": source, "command": command, "hash": digest_games(games),
        **(people if counts["one_wall"] else {}), "games": counts["games"],
        "wins": counts["wins"], "decisions": int(tasks.sum()), "random_actions": counts["random_actions"],
        "decisions_by_task": dict(zip(_TASKS, tasks.tolist())),
        "decisions_by_action": dict(zip((name for name, _ in _ACTIONS), actions.tolist())),
        "splits": dict(zip(SPLITS, splits.tolist())),
        "bytes_a_game": round(measure_folder(folder) / max(1, counts["games"]), 1),
        "fans": dict(fans.most_common()), **read_commit()}
