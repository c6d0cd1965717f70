"""Builds the games of a set in the folder of a run, from self-play or from records.

An interrupted set goes on with the same command: every file of games that is there is kept.
"""

from functools import partial
from pathlib import Path

from ...mahjong.errors import ProtocolError
from ..arena.fingerprint import digest_players
from ..records.compact import PARTS_FACT, name_part, read_part, write_part
from ..records.records import convert_files
from ..run.workers import run_in_order
from . import selfplay

BLOCK = 256  # games a task, and games a file
_SOURCES = "sources"  # the fact of a run: digests of the code that worked on it


def describe_self_play(specs, seed, random_share):
    """The settings of a set of self-play, a dict for JSON. specs, seed, random_share: of selfplay.play_games."""
    return {"kind": "self-play", "players": list(specs), "seed": seed, "random_share": random_share}


def play_set(run, game_count, workers=1, *, show=lambda games, played: None):
    """Plays the games of a set into its run, except those that are there.

    run: run_folder.RunFolder with the settings of describe_self_play. workers: processes.
    show: function(number of new games, how many of them were played now).
    Returns the source of the games, a dict for the card.
    Raises ProtocolError: the set has more games.
    """
    specs, seed, random_share = (run.settings[name] for name in ("players", "seed", "random_share"))
    tasks = [(first, min(first + BLOCK, game_count)) for first in range(0, game_count, BLOCK)]
    pending = []
    for number, (first, stop) in enumerate(tasks):
        count = _count_games(run, number)
        if count > stop - first:
            raise ProtocolError("expected a set that grows, got %d games in all, and at least %d in %s" % (
                game_count, first + count, run.path))
        if count < stop - first:
            pending.append((number, first, stop))
        else:
            show(count, 0)
    if _count_games(run, len(tasks)):
        raise ProtocolError("expected a set that grows, got %d games in all, and more in %s" % (game_count, run.path))
    if pending:
        _note_sources(run, specs)
    play = partial(selfplay.play_games, tuple(specs), seed, random_share)
    for games, (number, _, _) in zip(run_in_order(play, (task[1:] for task in pending), workers), pending):
        write_part(run, number, games)
        show(len(games.heads), len(games.heads))
    run.note(**{PARTS_FACT: len(tasks)})
    return dict(run.settings, sources=run.facts[_SOURCES])


def convert_set(run, files, workers=1, *, show):
    """Checks games of records and writes the legal ones into the run of a set.

    run: run_folder.RunFolder with the settings of records.records.describe_conversion. files: paths, see
    records.source.list_files. workers: processes. show: function(records.records.Done).
    Returns the source of the games, a dict for the card.
    """
    if PARTS_FACT not in run.facts:
        _note_sources(run, ())
    _, broken = convert_files(files, run, workers, show=show)
    return dict(run.settings, sources=run.facts.get(_SOURCES, []), broken=len(broken))


def _note_sources(run, specs):
    digest, digests = digest_players(specs, Path(selfplay.__file__)), run.facts.get(_SOURCES, [])
    if digests[-1:] != [digest]:
        run.note(**{_SOURCES: digests + [digest]})


def _count_games(run, number):
    """Games in the file of a task, 0 without one."""
    name = name_part(number)
    return len(read_part(run.path / name)[0].heads) if run.has(name) else 0
