"""The local server: the page, and its session as JSON.

It listens on 127.0.0.1 alone, but every page in the person's browser can reach it. So it refuses other Host headers,
which come from names that another site points here, and POST requests of other pages. Other users of the machine can
reach it too: so all addresses begin with a secret. A cookie would be sent to the other servers of this machine.
"""

import hmac
import json
import pathlib
import re
import time

import flask
from werkzeug.exceptions import HTTPException

from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS
from ..hand.answer import answer_texts
from ..learn.lessons import describe_score, keep_answer
from ..learn.positions import PositionChoice, list_positions
from ..library.library_pages import build_gone_page, build_library_page
from ..library.player_summary import GameChoice, build_player_page, describe_player
from ..library.queries import is_key
from ..page import POLICY, SCRIPTS, STYLES, fill_page, read_asset
from ..table.fan_names import ENGLISH_FANS
from ..words import LANGUAGES, translate
from .past import OpenError
from .session import StaleError

ADDRESS = "127.0.0.1"
_LAB = pathlib.Path(__file__).parent.parent
_TABLE, _HAND, _LEARN, _PAGE = _LAB / "play" / "web", _LAB / "hand", _LAB / "learn", _LAB / "page"
# The files of the table's page, in their order; play.js starts it.
TABLE_FILES = ("play.css", "icon.svg", "table.webmanifest", "sound.js", "play_state.js", "requests.js", "choices.js",
               "advice.js", "show.js", "past.js", "clock.js", "keys.js", "setup.js", "play.js")
# The files of the pages, with their folders.
_ASSETS = dict(dict.fromkeys(STYLES + SCRIPTS, _PAGE), **dict.fromkeys(TABLE_FILES, _TABLE),
               **dict.fromkeys(("hand.css", "hand.js"), _HAND), **dict.fromkeys(("learn.css", "learn.js"), _LEARN))
_TYPES = {".js": "text/javascript", ".css": "text/css",
          ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
_MAX_REQUEST, _MAX_FILE = 4096, 1 << 24
_MAX_SEED = (1 << 64) - 1
_POSITIONS, _MOST_FRAMES = 12, 1 << 12  # of a set to learn from, and of a game
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " \
          "img-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " \
          "frame-ancestors 'none'"
_REVIEW_POLICY = POLICY + "; frame-ancestors 'none'"


def make_app(session, port, token=""):
    """The Flask application of a Session at a port. token: the first part of all addresses, a secret; "": none."""
    app = flask.Flask(__name__, static_folder=None)
    pages = flask.Blueprint("pages", __name__)
    app.config["MAX_CONTENT_LENGTH"] = _MAX_REQUEST
    hosts = ("%s:%d" % (ADDRESS, port), "localhost:%d" % port)

    @app.before_request
    def refuse_strangers():
        host = flask.request.headers.get("Host")
        target = flask.request.environ.get("REQUEST_URI", "/")
        if not target.startswith("/"):  # an address for a proxy, whose host would count and not that of the header
            host = target
        if host not in hosts:
            return _refuse("host", "expected the host %s, got %.80r" % (hosts[0], host), 403)
        origin = flask.request.headers.get("Origin")
        if flask.request.method not in ("GET", "HEAD") and origin != "http://" + host:
            return _refuse("origin", "expected a request of this server's own page, got one of %.80r" % origin, 403)
        if token and not hmac.compare_digest(flask.request.path.split("/")[1].encode(), token.encode()):
            return _refuse("token", "expected the whole address that `play` printed", 403)

    @app.after_request
    def add_headers(response):
        response.headers.setdefault("Content-Security-Policy", _POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        return response

    @pages.get("/")
    def page():
        return show_page(_TABLE, "play.html")

    @pages.get("/hand")
    def hand():
        return show_page(_HAND)

    @pages.get("/learn")
    def learn():
        return show_page(_LEARN)

    def find_library():
        return session.past.keeper and session.past.keeper.library

    @pages.get("/learn/set")
    def learn_set():
        asked, library, now = flask.request.args, find_library(), time.time()
        choice = PositionChoice(**{name: asked.get(name, "") for name in PositionChoice._fields})
        return dict(list_positions(library, choice, most=_POSITIONS, now=now), fan_names=ENGLISH_FANS,
                    score=library and describe_score(library, now))

    @pages.post("/learn/answer")
    def learn_answer():
        library, now = find_library(), time.time()
        key, seat, frame, is_right = _read("key", str), _read("seat", int), _read("frame", int), _read("right", bool)
        if not is_key(key) or seat not in range(SEATS) or not 0 <= frame < _MOST_FRAMES:
            raise IllegalActionError("expected the key of a game, a seat and an event, got %.40r" % (
                (key, seat, frame),))
        if library:
            keep_answer(library, key, seat, frame, is_right=is_right, now=now)
        return {"score": library and describe_score(library, now)}

    @pages.get("/fans")
    def fans():
        return show_page(_PAGE, "fans.html")

    @pages.get("/sw.js")
    def service_worker():
        # It keeps what a page has loaded; the list is what it loads at once.
        files = ["./", "hand", "fans", *_ASSETS]
        text = "const FILES = %s;\n%s" % (json.dumps(files), read_asset("sw.js", _TABLE))
        return flask.Response(text, mimetype="text/javascript")

    @pages.get("/hand/answer")
    def answer():
        texts = {key: flask.request.args.get(key, "") for key in (
            "hand", "river", "unseen", "notation", "rules")}
        try:
            return dict(answer_texts(is_whole=False, **texts), fan_names=ENGLISH_FANS)
        except MahjongError as error:
            return {"error": _say(error)}

    def show_page(folder, name=""):
        files = list(dict.fromkeys([*STYLES, *SCRIPTS, *(
            name for name, place in _ASSETS.items() if place == folder)]))
        links = ['<link rel="stylesheet" href="%s">' % name for name in files if name.endswith(".css")]
        scripts = ['<script src="%s"></script>' % name for name in files if name.endswith(".js")]
        links += ['<link rel="icon" href="icon.svg">', '<link rel="manifest" href="table.webmanifest">']
        return fill_page("mj_bot", "\n".join(links),
                         read_asset(name or folder.name + ".html", folder), scripts="\n".join(scripts))

    @pages.get("/<name>")
    def asset(name):
        if name not in _ASSETS:
            flask.abort(404)
        return flask.Response(read_asset(name, _ASSETS[name]), mimetype=_TYPES[pathlib.Path(name).suffix])

    @pages.get("/game")
    def game():
        return session.describe()

    @pages.get("/game/hint")
    def hint():
        return {"hint": session.hint(flask.request.args.get("sequence", type=int))}

    @pages.post("/game/act")
    def act():
        limit = _read("coach", str)
        if limit and not re.fullmatch(r"\d{1,3}(\.\d+)?", limit):
            limit = "nan"  # which the coach refuses
        return session.act(_read("sequence", int), _read("action", str), limit=float(limit) if limit else None)

    @pages.post("/game/undo")
    def undo():
        return session.undo(_read("sequence", int))

    @pages.post("/game/new")
    def new():
        seed, seat = _read("seed", str).strip(), _read("seat", int)
        if seed and not (seed.isdecimal() and int(seed) <= _MAX_SEED):
            raise IllegalActionError("expected a seed 0 .. 2**64 - 1 or none, got %.40r" % seed)
        if seat not in range(-1, SEATS):
            raise IllegalActionError("expected a seat 0..3, or -1 for a new one each game, got %r" % seat)
        return session.begin(int(seed) if seed else None, None if seat < 0 else seat, _read("practice", bool),
                             sequence=_read("sequence", int), games=_read("games", int), rules=_read("rules", str),
                             counts_fans=_read("counts_fans", bool),
                             opponents=_read("opponents", list))

    @pages.post("/game/next")
    def go_on():
        return session.go_on(_read("sequence", int))

    @pages.post("/game/resume")
    def resume():
        frame, seat = _read("frame", int), _read("seat", int)
        return session.resume(_read("sequence", int), _read("name", str), None if frame < 0 else frame,
                              seat=seat if seat in range(SEATS) else None)

    @pages.get("/past")
    def past():
        return {"games": session.past.list(), "opened": session.past.list_opened()}

    @pages.post("/past/open")
    def open_file():
        flask.request.max_content_length = _MAX_FILE
        return {"opened": session.past.open_file(
            flask.request.get_data(), flask.request.args.get("name", "file"))}

    @pages.get("/past/<name>")
    def review(name):
        try:
            return show_document(session.past.review(name))
        except MahjongError as error:  # a person reads it, and no script
            return show_document(build_gone_page("../", _say(error)), 404)

    @pages.get("/library")
    def library():
        kept = find_library()
        if not kept:
            return show_document(build_gone_page("./"), 404)
        return show_document(build_library_page(kept, max(0, flask.request.args.get("after", 0, type=int)), "./"))

    @pages.get("/player/<path:name>")  # a name may have slashes
    def player(name):
        kept, asked = find_library(), flask.request.args
        choice = GameChoice(last=asked.get("last", type=int), **{
            key: asked.get(key, "") for key in ("platform", "after", "before", "against")})
        try:
            if not kept:
                raise MahjongError("expected a library, got none: this server was started without it")
            return show_document(build_player_page(describe_player(kept, name, choice), "../"))
        except MahjongError as error:
            return show_document(build_gone_page("../", _say(error)), 404)

    def show_document(text, status=200):
        return flask.Response(text, status, mimetype="text/html", headers={"Content-Security-Policy": _REVIEW_POLICY})

    @app.errorhandler(StaleError)
    def stale(error):
        return _refuse("stale", error, 409, game=session.describe())

    @app.errorhandler(OpenError)
    def unreadable(error):
        return _refuse(error.kind, error, 400)

    @app.errorhandler(MahjongError)
    def illegal(error):
        return _refuse("illegal", error, 400, game=session.describe())

    @app.errorhandler(HTTPException)
    def other(error):
        return _refuse("large" if error.code == 413 else "request", error.name, error.code)

    app.register_blueprint(pages, url_prefix="/" + token if token else None)
    return app


def _refuse(kind, message, status, *, game=None):
    return {"error": kind, "message": str(message) if kind == "hand" else _say(message), "game": game}, status


def _say(message):
    """Returns an error as text in the language that the page, or else the browser, asks for."""
    asked = (code[:2].lower() for code in flask.request.accept_languages.values())
    return translate(str(message), next((code for code in asked if code in LANGUAGES), "en"))


def _read(key, kind):
    try:
        body = flask.request.get_json(silent=True)
    except RecursionError:  # brackets without an end
        body = None
    value = body.get(key) if isinstance(body, dict) else None
    if type(value) is not kind:
        raise IllegalActionError("expected JSON with %r as %s, got %.80r" % (key, kind.__name__, value))
    return value
