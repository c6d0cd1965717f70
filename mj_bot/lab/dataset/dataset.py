"""The command `python3 -m mj_bot.lab dataset`."""

import argparse
from pathlib import Path

from ...mahjong import fan
from ...mahjong.errors import ProtocolError, UnknownTacticError
from ...tactic import parse_spec
from ..records.compact import read_games
from ..records.records import FilesProgress
from ..records.source import list_files
from ..run.command import format_command, interruptible, parse_count
from ..run.files import check_folder_of, lock_new_folder, write_json
from ..run.progress import Progress
from ..table.choosers import has_choose, load_chooser
from .build import check_play, convert_set, play_set
from .card import make_card
from .reader import CARD
from .teach import BEHIND_UNIT, FAR_BEHIND, teach


@interruptible("dataset")
def main(argv):
    """The command `dataset`; returns its exit code, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    if not fan.IS_AVAILABLE:
        raise ProtocolError("expected MahjongGB to count fans, it is not installed; see requirements.txt")
    if options.teacher and options.teacher.partition(":")[0] != "search":
        raise UnknownTacticError("expected a teacher that gives points, search, got %r" % options.teacher)
    if options.teacher:
        load_chooser(options.teacher)  # options that it does not take come out before anything is played
    if options.card:
        check_folder_of(options.card)
    for spec in options.players or ():
        parse_spec(spec)
        if not has_choose(spec):
            raise UnknownTacticError("expected a tactic with the method choose, got %r" % spec)
    folder = Path(options.output)
    if options.players:
        check_play(options.players, options.seed, options.random_share, game_count=options.games)
    files = list_files(options.records or ())
    with lock_new_folder(folder):
        return _make(folder, files, options, argv=argv)


def _make(folder, files, options, *, argv):
    shards, source = _play(folder, options) if options.players else _convert(folder, files, options.workers)
    total = sum(len(read_games(str(folder / name)).heads) for name in shards)
    with Progress(total, desc="checking") as bar:
        card = make_card(folder, shards, source, command=format_command("dataset", *argv), show=bar.update)
    if options.teacher:
        card["teacher"] = _teach(folder, shards, options, games=card["games"])
    for path in filter(None, (folder / CARD, options.card)):
        write_json(path, card)
    print("%d games, %d decisions (%d of them random), %.1f bytes a game, %s" % (
        card["games"], card["decisions"], card["random_actions"], card["bytes_a_game"], folder / CARD))
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab dataset", description="Makes a set of games to learn from.",
        epilog="The same command goes on with a set that was broken off. The same seed gives the same games.")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where the set is made")
    origin = parser.add_mutually_exclusive_group(required=True)
    origin.add_argument("--players", nargs="+", metavar="TACTIC",
                        help="who plays the games; each seat of a game draws one of them")
    origin.add_argument("--records", nargs="+", metavar="PATH",
                        help="files and folders of game records instead; games that are not legal are left out")
    parser.add_argument("--games", type=int, default=20_000, metavar="N", help="with --players, how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of walls, seats and random moves (%(default)s)")
    parser.add_argument("--random-share", type=float, default=0.0, metavar="SHARE",
                        help="share of the decisions made at random, and marked as such (%(default)s)")
    parser.add_argument("--teacher", metavar="SEARCH",
                        help="keep what `search`, or search with other parameters, expects of every legal action")
    parser.add_argument("--workers", type=parse_count, default=1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--card", metavar="FILE", help="where to write a copy of the card")
    return parser.parse_args(argv)


def _teach(folder, shards, options, *, games):
    """What the card says of the teacher; its points lie beside the shards."""
    with Progress(games, desc="asking the teacher") as bar:
        teach(folder, shards, options.teacher, workers=options.workers, show=bar.update)
    return {"player": options.teacher, "points": "a byte a legal action: how far behind the best, in %g points; %d: so "
            "far or farther" % (BEHIND_UNIT, FAR_BEHIND), "wins": "a byte a legal action: wins after it, of "
            "mj_bot/network/ahead.py"}


def _play(folder, options):
    with Progress(options.games, desc="playing") as bar:
        return play_set(folder, options.players, options.seed, options.random_share, options.games,
                        workers=options.workers,
                        show=lambda games, played: bar.update(games) if played else bar.skip(games))


def _convert(folder, files, workers):
    with FilesProgress(files) as progress:
        return convert_set(folder, files, workers, show=progress.show)
