"""Makes a set of games in the folder of a run, from self-play or from records.

The same command continues a set that was interrupted: every file of games that is there is kept.
"""

from argparse import Namespace
from collections.abc import Callable
from functools import partial

from ...mahjong.errors import MahjongError, ProtocolError
from ..records.compact import PARTS_FACT, name_part, read_games_folder, read_part, write_part
from ..records.convert import convert_files
from ..run.files import write_json
from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import run_in_order
from . import selfplay
from .card import make_card
from .reader import CARD
from .teach import MAX_REGRET, REGRET_UNIT, name_teacher, teach

BLOCK = 256  # games per task; each task writes one file


def make_set(run: RunFolder, files: list[str], options: Namespace, *, command: str) -> dict:
    """Makes a whole set in its run: games, card and the teacher's lessons. Returns the card.

    files: paths of records, for a set of records. options: options of the command `mj-bot dataset`.
    command: text of the command that makes the same set, for the card.
    Raises MahjongError: there is no game.
    """
    if options.players:
        with Progress(options.games, name="dataset", desc="playing") as bar:
            source = play_set(run, options.games, options.workers,
                              show=lambda games, played: bar.update(games) if played else bar.skip(games))
    else:
        _, broken = convert_files(files, run, options.workers)
        source = dict(run.settings, broken=broken)
    total = len(read_games_folder(run.path).heads)
    if not total:
        raise MahjongError("expected a game to learn from, got none in %s", ", ".join(map(str, options.records)))
    with Progress(total, name="dataset, checking", desc="checking") as bar:
        card = make_card(run.path, source, command=command, show=bar.update)
    if options.teacher:
        with Progress(total, name="dataset, teaching", desc="teaching") as bar:
            teach(run, options.teacher, workers=options.workers, show=bar.update)
        card["teacher"] = {
            "player": name_teacher(options.teacher),
            "regret": "a byte a legal action: points less than the best action, in steps of %g, at most %d steps" % (
                REGRET_UNIT, MAX_REGRET),
            "wins": "a byte a legal action: wins after it, of mj_bot/network/ahead.py"}
    for path in filter(None, (run.path / CARD, options.card)):
        write_json(path, card)
    return card


def play_set(run: RunFolder, game_count: int, workers: int = 1, *, show: Callable = lambda games, played: None) -> dict:
    """Plays the games of a set into its run, except those that are there.

    Returns the source of the games, for the card.

    run: RunFolder of a set with the settings of self-play. game_count: number of games in the whole set.
    workers: number of processes. show: function(number of games that are ready, number of them that this call
        played). Games that were there before are shown with 0 played games.
    Raises ProtocolError: the set has more games than `game_count`.
    """
    specs, seed, random_share = (run.settings[name] for name in ("players", "seed", "random_share"))
    tasks = [(first, min(first + BLOCK, game_count)) for first in range(0, game_count, BLOCK)]
    pending = []
    for task, (first, stop) in enumerate(tasks):
        count = _count_games(run, task)
        if count > stop - first:
            raise ProtocolError("expected a set that grows, got %d games in all, and at least %d in %s", game_count,
                                first + count, run.path)
        if count < stop - first:
            pending.append((task, first, stop))
        else:
            show(count, 0)
    if _count_games(run, len(tasks)):
        raise ProtocolError("expected a set that grows, got %d games in all, and more in %s", game_count, run.path)
    play = partial(selfplay.play_games, tuple(specs), seed, random_share)
    for games, (task, _, _) in zip(run_in_order(play, (entry[1:] for entry in pending), workers), pending):
        write_part(run, task, games)
        show(len(games.heads), len(games.heads))
    run.note(**{PARTS_FACT: len(tasks)})
    return run.settings


def _count_games(run, task):
    """Returns the number of games in the file of a task; 0 if there is no file."""
    name = name_part(task)
    return len(read_part(run.path / name)[0].heads) if run.has(name) else 0
