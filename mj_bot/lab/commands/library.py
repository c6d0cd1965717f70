"""Runs `mj-bot library`, which keeps the games that its user has read or played here."""

import argparse
import os
import sys
import time

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..review import JUDGES
from ..run.options import PlayerParser, add_output, add_tactic, add_workers, parse_count
from ..table.players import TIME_LIMIT
from ..words import say

_OUR_NAMES = ("person", "here")  # the player at the table in the browser, and games of this machine


def main(argv: list[str]) -> int:
    """Runs one of the commands of `library`.

    Returns the exit code: 0, or 2 if a check finds something wrong or a file cannot be read, 130 after an interrupt.
    """
    options = _parse(argv)
    from ..library.store import open_library

    # A check tells of damage, and leaves the file where it is.
    return _ACTIONS[options.action](open_library(options.file, may_rename=options.action != "check"), options) or 0


def _parse(argv):
    """Returns the options of a command line."""
    parser = PlayerParser(
        prog="mj-bot library", description="Keeps every game that `review` and `play` read, and every game played "
        "here, in one file. Nothing leaves the machine, and --no-library of those commands leaves the library alone.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> PlayerParser:
        """Adds a command with its option --file, and returns its parser. text: what the command does."""
        action = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        action.add_argument("--file", metavar="FILE", help="the library (that of this user)")
        return action

    action = add("list", "list the latest games, or the players")
    action.add_argument("--players", action="store_true", help="list the players instead")
    action.add_argument("--most", type=parse_count, default=40, metavar="N", help="lines (%(default)s)")
    _add_import(add("import", "read files and folders, and review their games"))
    action = add("export", "write the games, the decisions or the answers of learning as .csv or .parquet, or the "
                 "records as .jsonl of Botzone logs")
    add_output(action, "the file to write", "FILE")
    action.add_argument("--table", choices=("decisions", "games", "answers"), default="decisions",
                        help="what the rows are (%(default)s)")
    action.add_argument("--player", default="", metavar="NAME", help="this player's rows or games alone")
    action = add("forget", "remove games, or all games with a player, and the answers of learning from them")
    action.add_argument("keys", nargs="*", metavar="NAME", help="games as `library list` names them")
    action.add_argument("--player", metavar="NAME", help="every game in which this player sat")
    action.add_argument("--answers", action="store_true", help="all answers of learning; games stay")
    action = add("join", "count several names as one player: the first one's page shows the games of all")
    action.add_argument("names", nargs="+", metavar="NAME", help="with a single name, count its names apart again")
    _add_page(add("page", "write a player's page: results, leaks in points, and where they happen"))
    action = add("daily", "write the position of a day as a page that asks what you would discard")
    add_output(action, "the page to write", "FILE")
    action.add_argument("--day", default=time.strftime("%Y-%m-%d"), metavar="DAY",
                        help="the day, %(default)s by default; the same library has the same position all day")
    add("check", "check that the file is whole").add_argument(
        "--rescue", action="store_true", help="write all that can be read into a new library; the damaged file stays "
        "under another name")
    return parser.parse_args(argv)


def _add_import(action):
    """Adds the options of `library import` to its parser."""
    action.epilog = "The same command goes on after an interrupt; without PATH it reviews what has no review yet."
    action.add_argument("paths", nargs="*", metavar="PATH", help="game records, folders of them, links, or FILE:LINE "
                        "for one game of a file")
    action.add_argument("--name", action="append", default=[], type=parse_seat_name, metavar="SEAT=NAME",
                        help="name the player at a seat, 0 to 3, of the games that name no player, such as your bot in "
                        "logs of Botzone; can be repeated, and names games that are there too")
    add_tactic(action, JUDGES, "the judges (%(default)s)", metavar="TACTIC[,TACTIC]")
    add_workers(action)
    action.add_argument("--background", action="store_true", help="give way to other processes, and show no progress")


def parse_seat_name(text: str) -> tuple[int, str]:
    """Returns (seat, name) of "2=mybot". Raises argparse.ArgumentTypeError: another text."""
    seat, _, name = text.partition("=")
    if seat not in map(str, range(SEATS)) or not name:
        raise argparse.ArgumentTypeError(say("expected SEAT=NAME with a seat 0..3, got %r", text))
    return int(seat), name


def _add_page(action):
    """Adds the options of `library page` to its parser."""
    action.add_argument("player", metavar="NAME")
    add_output(action, "the page to write", "FILE")
    action.add_argument("--platform", default="", metavar="NAME", help="games of this platform alone")
    action.add_argument("--after", default="", metavar="DAY", help="from this day on, such as 2026-01-31")
    action.add_argument("--before", default="", metavar="DAY", help="to this day")
    action.add_argument("--last", type=parse_count, metavar="N", help="the latest N games alone")


def _list(library, options):
    """Prints the latest games, or the players."""
    from ..library.library_pages import list_games, list_players

    if options.players:
        for player in list_players(library, most=options.most):
            print("%12s  %s" % (say("%d games", player["games"]),
                                ", ".join(map(_name, [player["name"], *player["others"]]))))
    else:
        for game in list_games(library, most=options.most):
            players = " / ".join("%s %+d" % (_name(name) or "-", score) for name, score in zip(
                game["players"], game["scores"] or [0] * len(game["players"])))
            day = time.strftime("%Y-%m-%d %H:%M", time.localtime(game["time"]))
            print("%s  %s  %-9s  %s  %s%s" % (
                game["key"], day, _name(game["platform"] or "-"), game["file"], players,
                "" if game["tactic"] else "  " + say("(no review yet)")))
    print(say("%d games, %d of them without a review, %d players, %.1f MB in %s", *library.count().values(),
              os.path.getsize(library.path) / 1e6, library.path), file=sys.stderr)


def _name(name):
    """Returns the name of a player or a platform; the names of ours are words of the user's language."""
    return say(name) if name in _OUR_NAMES else name


def _import(library, options):
    """Reads files into the library, and reviews games without a review. Returns exit code 0, or 2 after errors."""
    from functools import partial

    from ..library.importing import import_files, review_waiting
    from ..review.games import review_game
    from ..review.judges import make_judges
    from ..run.progress import Progress

    if options.background:
        os.nice(10)
    make_judges(options.tactic, TIME_LIMIT)
    with Progress(None, " games", leave=False, disable=options.background or not options.paths) as bar:
        new, known, errors = import_files(library, options.paths, bar.update, names=dict(options.name))
    _tell_errors(errors)
    waiting = library.count()["waiting"]
    with Progress(waiting, " games", name="" if options.background else "library", disable=options.background) as bar:
        reviewed, failed = review_waiting(library, partial(review_game, tactic=options.tactic), options.workers,
                                          bar.update)
    _tell_errors(failed)
    print(say("%d new games, %d that were there; %d reviewed", new, known, reviewed))
    return 2 if errors or failed else 0


def _tell_errors(errors):
    """Prints errors on stderr, one per line."""
    for error in errors:
        print(say(error), file=sys.stderr)


def _export(library, options):
    """Writes a table of the library, or its records."""
    from ..library.export import export_library

    count = export_library(library, options.output, options.table, options.player)
    print(say("%d rows in %s", count, options.output))


def _forget(library, options):
    """Removes games, or the answers of learning."""
    if not (options.keys or options.player or options.answers):
        raise MahjongError("expected games or a player to forget, got none; --help lists the options")
    keys = options.keys + (library.list_games_with(options.player) if options.player else [])
    if options.answers:
        print(say("%d answers removed", library.forget_answers()))
    if keys or not options.answers:
        print(say("%d games removed", library.forget_games(keys)))


def _join(library, options):
    """Counts several names as one player, or one player's names apart."""
    name, *others = options.names
    if others:
        library.join_names(name, others)
    else:
        library.split_names(name)
    print("%s: %s" % (name, ", ".join(library.list_names(name))))


def _page(library, options):
    """Writes the page of a player."""
    from ..library.player_summary import GameChoice, build_player_page, describe_player

    choice = GameChoice(**{name: getattr(options, name) for name in GameChoice._fields})
    _write_page(options.output, build_player_page(describe_player(library, options.player, choice)))


def _daily(library, options):
    """Writes the page of a day's position."""
    from ..learn.positions import choose_daily
    from ..review.pages import build_question_page

    _write_page(options.output, build_question_page(choose_daily(library, options.day), options.day))


def _write_page(path, page):
    """Writes a page, and says where. Raises MahjongError: the file there is no page of ours."""
    from ..page import check_document
    from ..run.files import write_whole

    check_document(path)
    write_whole(path, page)
    print(say("Written to %s", path), file=sys.stderr)


def _check(library, options):
    """Prints what is wrong with the file of the library. Returns exit code 0, or 2 if something is."""
    from ..library.rescue import check_library, rescue_library

    problems = check_library(library)
    print(*map(say, problems or ["%s is whole" % library.path]), sep="\n")
    if problems and options.rescue:
        print(say("%d games are in the new library, %d are lost; the damaged file is kept as %s",
                  *rescue_library(library)))
    elif problems:
        print(say("`mj-bot library check --rescue` leaves out what is damaged and keeps all other games"))
    return 2 if problems else 0


_ACTIONS = {"list": _list, "import": _import, "export": _export, "forget": _forget, "join": _join, "page": _page,
            "daily": _daily, "check": _check}
