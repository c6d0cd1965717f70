"""Describes a set on its card: the source of its games, counts of what they contain, and a hash."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...observation.layout import field
from ..records.compact import digest_games, has_own_fans, measure_folder, read_games_folder, read_note, take_games
from ..records.game_record import SHARED_WALL
from ..run.provenance import read_commit
from .reader import SET_FORMAT, SET_VERSION, SPLITS, split_games
from .replayed_decisions import Replayer

_TASKS = ("turn", "follow", "claim", "rob")
_ACTIONS = (
    ("pass", PASS_INDEX), ("win", WIN_INDEX), ("discard", DISCARD_BASE), ("open kong", OPEN_KONG_BASE),
    ("concealed kong", CONCEALED_KONG_BASE), ("added kong", ADDED_KONG_BASE), ("pung", PUNG_BASE), ("chow", CHOW_BASE))
# These texts say on the card how the game of platforms differs from Botzone's.
_ONE_WALL = ("one wall of 144 tiles for all seats; flowers are put aside and paid as fans, but do not count towards "
             "eight; a flower that a player keeps for a while counts as put aside when it is drawn; the hands of a "
             "session, mostly 16, have one running score; a false win costs points, which the scores here leave out, "
             "and the hand goes on")
_OWN_FANS = ("fans by the platform's rules: a wait inside a knitted straight counts, or the fans of a sub rule; the "
             "scores are the platform's, legal wins are those of the judge")
_GAMES_AT_ONCE = 1024  # games that are replayed together


def make_card(folder: Path, source: dict, *, command: str, show: Callable) -> dict:
    """Returns the card of the games in a folder, as a dict for JSON.

    The engine replays all games to count their decisions, and refuses illegal moves.
    source: dict that tells where the games come from. command: text of the command that makes the same set.
    show: function(number of games that were just counted).
    Raises ProtocolError: a move is illegal, or the scores differ from those of the moves.
    """
    replayer, games = Replayer(), read_games_folder(folder)
    tasks, actions, splits = (np.zeros(len(names), np.int64) for names in (_TASKS, _ACTIONS, SPLITS))
    platforms, counts = Counter(), Counter()
    for first in range(0, len(games.heads), _GAMES_AT_ONCE):
        block = take_games(games, np.arange(first, min(first + _GAMES_AT_ONCE, len(games.heads))))
        decisions = replayer.replay(block)
        tasks += np.bincount(field(decisions.observations, "task")[:, 0], minlength=len(_TASKS))
        action_groups = np.searchsorted([base for _, base in _ACTIONS], decisions.actions, side="right") - 1
        actions += np.bincount(action_groups, minlength=len(_ACTIONS))
        splits += np.bincount(split_games(block), minlength=len(SPLITS))
        notes = list(map(read_note, block.notes))
        platforms.update(note.get("origin", {}).get("platform", "") for note in notes)
        counts.update(
            games=len(block.heads), wins=int((block.heads["scores"].max(axis=1) >= 24).sum()),
            random_actions=int(decisions.is_random.sum()),
            one_wall=int((block.heads["facts"] & SHARED_WALL > 0).sum()), own_fans=sum(map(has_own_fans, notes)))
        show(len(block.heads))
    return {
        "format": SET_FORMAT, "version": SET_VERSION, "source": source, "command": command, "hash": digest_games(games),
        **_describe_platforms(platforms, counts), "games": counts["games"],
        "wins": counts["wins"], "decisions": int(tasks.sum()), "random_actions": counts["random_actions"],
        "decisions_by_task": dict(zip(_TASKS, tasks.tolist())),
        "decisions_by_action": dict(zip((name for name, _ in _ACTIONS), actions.tolist())),
        "splits": dict(zip(SPLITS, splits.tolist())),
        "bytes_per_game": round(measure_folder(folder) / max(1, counts["games"]), 1), **read_commit()}


def _describe_platforms(platforms, counts):
    """Returns the entries of a card on games of platforms; {} where no game is on one wall."""
    if not counts["one_wall"]:
        return {}
    return {"platforms": {name: count for name, count in platforms.most_common() if name},
            "one_wall": {"games": counts["one_wall"], "differences": _ONE_WALL},
            "own_fans": {"games": counts["own_fans"], "differences": _OWN_FANS}}
