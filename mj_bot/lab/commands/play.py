"""Runs `mj-bot play`, which opens a table in the browser."""

import argparse
import os
from typing import Any

from ..run.installation import default_folder
from ..run.options import PlayerParser, add_output, add_seed, parse_count, parse_wall_seed, parse_whole
from ..table.board import parse_seat

PLAYED_FOLDER = default_folder("played")  # folder in which the games of the table are saved
_BUSY_SECONDS = 0.5  # that a move waits for another process at the library; then it is tried again at the next move
_PORT = 8136  # port of the server without --port


def main(argv: list[str]) -> int:
    """Serves the page of the table until an interrupt. Returns the exit code."""
    options = _make_parser().parse_args(argv)
    from ..play.person_game import StandardGame

    return open_table(options, StandardGame(), options.rules)


def open_table(options: argparse.Namespace, game: Any, rules: str) -> int:
    """Serves the page of a table until an interrupt. Returns the exit code.

    options: those of add_table_options. game: a TableGame of play/table_game.py. rules: of the first match.
    """
    from ..library.keeping import GameKeeper
    from ..library.library_file import find_library
    from ..play.serve import keep_secret, serve

    session = _make_session(options, game, rules)
    keeper = None
    if not options.no_library:
        keeper = session.keeper = GameKeeper("play", _BUSY_SECONDS)
        if game.is_standard:
            session.past.keeper = keeper
            keeper.review_waiting()
    fragment = {}
    if options.record:
        fragment = {"resume": session.past.open_record(options.record), "frame": options.frame, "seat": options.seat}
    secret = "" if options.no_library else keep_secret(
        os.path.join(os.path.dirname(find_library()), "table_secret"), options.new_secret)
    try:
        return serve(session, options.port, options.open, fragment=fragment, secret=secret, access=options.lan or "")
    finally:
        if keeper:
            keeper.close()


def _make_session(options, game, rules):
    """Returns the session that proposes the first match. Raises MahjongError: an option is not allowed."""
    from ...mahjong.errors import MahjongError
    from ..play.seated_match import SeatedMatch
    from ..play.session import MOST_GAMES, Session

    games = options.games or (MOST_GAMES if rules == "tziakcha" else 1)
    if games > MOST_GAMES:
        raise MahjongError("expected 1 .. %d games, got %r", MOST_GAMES, games)
    players = options.players or [game.opponent]
    if len(players) not in (1, 3):
        raise MahjongError("expected --tactic once or three times, got it %d times", len(players))
    adviser = options.hints or game.judges
    game.load_adviser(adviser)
    for player in players:
        game.load_player(player)
    players *= 3 // len(players)
    return Session(players, adviser, options.output, game=game, proposed=SeatedMatch(
        players, options.seat, games, is_practice=options.practice, seed=options.seed, rules=rules))


def _make_parser():
    """Returns the parser of a command line."""
    parser = PlayerParser(
        prog="mj-bot play", description="Seats you at a table in the browser with three players.",
        epilog="The page asks for opponents, seat and number of games and begins with the options of the command. A "
               "player is a tactic (search) or an outside bot's command, as in `referee`. Each game that ends is saved "
               "as a Botzone log for the page, `review` and `replay`.")
    parser.add_argument("--rules", choices=("botzone", "tziakcha"), default="botzone",
                        help="of the first match (%(default)s)")
    add_table_options(parser)
    return parser


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a table to a parser, apart from those of its rules."""
    parser.add_argument("--tactic", action="append", dest="players", metavar="PLAYER", help="opponents: one for all "
                        "three seats, or three options, the next to play after you first (search; shanten for "
                        "Guangdong)")
    parser.add_argument("--hints", metavar="TACTIC[,TACTIC]", help="judges that give hints and review "
                        "(cnn,search; shanten for Guangdong)")
    parser.add_argument("--games", type=parse_count, metavar="N",
                        help="number of games in the first match (1; 16 by the rules of tziakcha)")
    parser.add_argument("--practice", action="store_true", help="allow undo")
    parser.add_argument("--seat", type=parse_seat, metavar="SEAT", help="yours, east, 东 or 0 (a new one each game)")
    add_seed(parser, "of the first wall; the next games count up (any)", None, type=parse_wall_seed)
    parser.add_argument("--record", metavar="PATH", help="play on from this game: a path or link, then :line or "
                        "#number of one of several, as the page of `review` shows it")
    parser.add_argument("--frame", type=parse_whole, metavar="N", help="with --record, the event to play on from (your "
                        "last choice)")
    add_output(parser, "folder of the records (%(default)s)", default=PLAYED_FOLDER)
    parser.add_argument("--no-library", action="store_true", help="do not save to the library")
    parser.add_argument("--port", type=parse_whole, default=_PORT, metavar="N",
                        help="of the server; 0: any free one (%(default)s)")
    parser.add_argument("--lan", nargs="?", const="table", choices=("table", "library"), metavar="SHOWN",
                        help="let the devices of your local network play at this table too, with a code to scan; they "
                        "see your library only with --lan library")
    parser.add_argument("--new-secret", action="store_true",
                        help="change the secret in the address: nobody who knows the old one can open the page")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
