"""Serves a session of play to a browser on this machine until an interrupt."""

import contextlib
import html
import os
import pathlib
import re
import secrets
import socket
import sys
import tempfile
import webbrowser
from functools import partial
from socketserver import BaseServer
from urllib.parse import urlencode

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from ...mahjong.errors import MahjongError
from ..run.command import compute_exit_code
from ..run.files import make_folder, read_text
from ..words import say
from .local_network import LocalNetwork
from .server import ADDRESS, OWNER, make_app
from .session import Session

_MOST_UNREAD = 64
_SECRET_BYTES = 16
_SECRET = re.compile(r"[\w-]{20,64}")


class _Handler(WSGIRequestHandler):
    """Logs failures alone. timeout: seconds for each read."""

    timeout = 20

    def log_request(self, code: int | str = "-", size: int | str = "-"):
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

    def verify_request(self, request: socket.socket, client_address: tuple) -> bool:
        """Keeps a new connection, and perhaps closes an old one. Called by one thread."""
        self.unread[request] = None
        for oldest in list(self.unread)[:-_MOST_UNREAD]:
            self.unread.pop(oldest, None)
            with contextlib.suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        return True

    def shutdown_request(self, request: socket.socket):
        """Forgets and closes a connection."""
        self.unread.pop(request, None)
        super().shutdown_request(request)


def serve(
        session: Session, port: int, is_opened: bool = False, *, page: str = "", fragment: dict | None = None,
        secret: str = "", access: str = "") -> int:
    """Serves a session until an interrupt, and closes it. Returns the exit code, 0 after Ctrl-C.

    port: of the server, 0 for any free one. is_opened: whether a browser opens the page. page: its path at the server,
    "" for the table. fragment: the values after "#" of the address; "" and None are left out.
    secret: the first part of all addresses, "" for a new one.
    access: what devices of the local network may see, one of local_network.ACCESSES; "" for no such device.
    Raises MahjongError: the port is taken, or there is no local network.
    """
    fragment = urlencode({key: value for key, value in (fragment or {}).items() if value not in ("", None)})
    token = secret or secrets.token_urlsafe(_SECRET_BYTES)
    network = LocalNetwork(partial(_start_for_others, session, port))
    server = start_server(session, port, token, network=network)
    url = "http://%s:%d/%s/%s%s" % (ADDRESS, server.port, token, page, fragment and "#" + fragment)
    try:
        if access:
            network.open(access)
        print(say("Play at %s (Ctrl-C ends it)", url), flush=True)
        network.print()
        _wait(server, url if is_opened else "")
    except KeyboardInterrupt as interrupt:
        print(say("play: ended"), file=sys.stderr)
        code = compute_exit_code(interrupt)
        return 0 if code == compute_exit_code(KeyboardInterrupt()) else code
    finally:
        network.close()
        server.server_close()
        session.close()


def _wait(server, opened):
    """Answers until an interrupt. opened: address that a browser opens, "" for none."""
    # Only this user can read the folder; a browser's command line with the address could be read by all.
    with tempfile.TemporaryDirectory(prefix="mj_bot-") as folder:
        if opened:
            path = pathlib.Path(folder, "open.html")
            path.write_text('<meta http-equiv="refresh" content="0;url=%s">' % html.escape(opened), encoding="utf-8")
            webbrowser.open(path.as_uri())
        BaseServer.serve_forever(server)  # that of werkzeug keeps the interrupt to itself


def keep_secret(path: str, is_new: bool = False) -> str:
    """Returns the secret that a file keeps, so that a page which was installed as an app finds the next server too.

    A file that other users can read is replaced by one with a new secret, as is any with is_new. Where none can be
    written the secret is new each time.
    """
    with contextlib.suppress(OSError, ValueError):
        is_private = os.name == "nt" or not os.stat(path).st_mode & 0o077
        kept = read_text(path).strip()
        if is_private and not is_new and _SECRET.fullmatch(kept):
            return kept
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    with contextlib.suppress(OSError, MahjongError):
        make_folder(os.path.dirname(path))
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(secret + "\n")
    return secret


def start_server(
        session: Session, port: int, token: str = "", *, address: str = ADDRESS, access: str = OWNER,
        network: LocalNetwork | None = None) -> BaseServer:
    """Returns the listening server of a session.

    port: 0 for any free one. The other parameters are those of make_app.
    Raises MahjongError: the port is taken.
    """
    try:
        listening = socket.create_server((address, port))
    except (OSError, OverflowError) as error:
        raise MahjongError("expected a free port, got %d: %s; --port 0 takes any free one", port, error) from None
    with listening:
        port = listening.getsockname()[1]
        app = make_app(session, port, token, address=address, access=access, network=network)
        return _Server(address, port, app, _Handler, fd=listening.fileno())


def _start_for_others(session, port, address, access):
    """Returns a server at an address of the local network, and its URL. port: of the person's own server."""
    token = secrets.token_urlsafe(_SECRET_BYTES)
    server = start_server(session, port, token, address=address, access=access)
    return server, "http://%s:%d/%s/" % (address, server.port, token)
