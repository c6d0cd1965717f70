"""The command `play`: a table in the browser."""

import argparse
import contextlib
import html
import os
import pathlib
import secrets
import socket
import sys
import tempfile
import webbrowser
from socketserver import BaseServer
from urllib.parse import urlencode

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from ...mahjong.errors import MahjongError
from ..run.command import check_fan_counter, compute_exit_code, load_rules
from ..table.board import parse_seat
from .server import ADDRESS, make_app
from .session import MOST_GAMES, Match

# The class of the session, by the name of the rules.
SESSIONS = {"mcr": "mj_bot.lab.play.session:Session", "guangdong": "mj_bot.lab.guangdong.seat:Session"}
_PORT = 8136
_MOST_UNREAD = 64
FOLDER = os.path.join("build", "played")


class _Handler(WSGIRequestHandler):
    """Logs failures alone. timeout: seconds for each read."""

    timeout = 20

    def log_request(self, code="-", size="-"):
        if str(code) >= "500":
            super().log_request(code, size)

    def run_wsgi(self):
        self.server.unread.pop(self.connection, None)
        super().run_wsgi()
        self.server.unread[self.connection] = None  # until the next request


class _Server(ThreadedWSGIServer):
    """Closes the oldest connection without a request when there are many, so that half-open ones cannot stop it.

    unread: {connection: None} of these, the oldest first.
    """

    def __init__(self, *args, **options):
        self.unread = {}
        super().__init__(*args, **options)

    def verify_request(self, request, client_address):
        """Keeps a new connection, and perhaps closes an old one. Called by one thread."""
        self.unread[request] = None
        for oldest in list(self.unread)[:-_MOST_UNREAD]:
            self.unread.pop(oldest, None)
            with contextlib.suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        return True

    def shutdown_request(self, request):
        """Forgets and closes a connection."""
        self.unread.pop(request, None)
        super().shutdown_request(request)


def main(argv):
    """The command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="mj-bot play", description="Seats you at a table in the browser with three players.",
        epilog="The page asks for opponents, seat and number of games and begins with the options of the command. A "
               "player is a tactic (search) or an outside bot's command, as in `referee`. Each game that ends is saved "
               "as a Botzone log for the page, `review` and `replay`.")
    parser.add_argument("--rules", default="mcr", help="of the game, one of %s, with settings such as "
                        "guangdong:wild=red,horses=2 (%%(default)s)" % ", ".join(SESSIONS))
    parser.add_argument("--tactic", action="append", dest="players", metavar="PLAYER", help="opponents: one for all "
                        "three seats, or three options, the next to play after you first (search; shanten for "
                        "Guangdong)")
    parser.add_argument("--hints", metavar="TACTIC", help="the tactic that gives hints (search; shanten for Guangdong)")
    parser.add_argument("--games", type=int, choices=range(1, MOST_GAMES + 1), default=1, metavar="N",
                        help="in the first match, 1 .. %d (%%(default)s)" % MOST_GAMES)
    parser.add_argument("--practice", action="store_true", help="allow undo")
    parser.add_argument("--seat", type=parse_seat, help="yours, east, 东 or 0 (a new one each game)")
    parser.add_argument("--seed", type=int, help="of the first wall; the next games count up (any)")
    parser.add_argument("--record", metavar="GAME", help="play on from this game: a path or link, then :line or "
                        "#number of one of several, as the page of `review` shows it")
    parser.add_argument("--frame", type=int, metavar="N", help="with --record, the event to play on from (your "
                        "last choice)")
    parser.add_argument("--folder", default=FOLDER, metavar="DIR", help="folder of the records (%(default)s)")
    parser.add_argument("--port", type=int, default=_PORT, help="of the server; 0: any free one (%(default)s)")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    options = parser.parse_args(argv)
    check_fan_counter()
    session_class, settings = load_rules(options.rules, SESSIONS)
    players = options.players or [session_class.default]
    if len(players) not in (1, 3):
        parser.error("expected --tactic once or three times, got it %d times" % len(players))
    if options.seed is not None and not 0 <= options.seed < 1 << 64:
        parser.error("expected a seed 0 .. 2**64 - 1, got %d" % options.seed)
    adviser = options.hints or session_class.default
    session_class.load_adviser(adviser)
    for player in players:
        session_class.load_opponent(player)
    players *= 3 // len(players)
    session = session_class(players, adviser, options.folder, settings=settings, proposed=Match(
        players, options.seat, options.games, options.practice, options.seed))
    fragment = {}
    if options.record:
        fragment = {"resume": session.past.open_record(options.record), "frame": options.frame, "seat": options.seat}
    return serve(session, options.port, options.open, fragment=fragment)


def serve(session, port, is_opened=False, *, page="", fragment=None):
    """Serves a session until an interrupt, and closes it; returns the exit code, 0 after Ctrl-C.

    port: as of start_server. is_opened: whether a browser opens the page. page: of its address; fragment: a dict with
    what comes after "#", without "" and None.
    """
    fragment = urlencode({key: value for key, value in (fragment or {}).items() if value not in ("", None)})
    token = secrets.token_urlsafe(16)
    server = start_server(session, port, token)
    url = "http://%s:%d/%s/%s%s" % (ADDRESS, server.port, token, page, fragment and "#" + fragment)
    print("Play at %s (Ctrl-C ends it)" % url, flush=True)
    # Only this user can read the folder; a browser's command line with the address could be read by all.
    with tempfile.TemporaryDirectory(prefix="mj_bot-") as folder:
        if is_opened:
            path = pathlib.Path(folder, "open.html")
            path.write_text('<meta http-equiv="refresh" content="0;url=%s">' % html.escape(url), encoding="utf-8")
            webbrowser.open(path.as_uri())
        try:
            BaseServer.serve_forever(server)  # that of werkzeug keeps the interrupt to itself
        except KeyboardInterrupt as interrupt:
            print("play: ended", file=sys.stderr)
            code = compute_exit_code(interrupt)
            return 0 if code == compute_exit_code(KeyboardInterrupt()) else code
        finally:
            server.server_close()
            session.close()


def start_server(session, port, token=""):
    """The listening server of a session at a port, 0 for any free one. Raises MahjongError: the port is taken."""
    try:
        listening = socket.create_server((ADDRESS, port))
    except (OSError, OverflowError) as error:
        raise MahjongError("expected a free port, got %d: %s; --port 0 takes any free one" % (port, error)) from None
    with listening:
        port = listening.getsockname()[1]
        return _Server(ADDRESS, port, make_app(session, port, token), _Handler, fd=listening.fileno())
