"""Makes the local server: the page, and its session as JSON.

It listens on 127.0.0.1 alone, but every page in the person's browser can reach it. So it refuses other Host headers,
which come from names that another site points here, and POST requests of other pages. Other users of the machine can
reach it too: so all addresses begin with a secret. A cookie would be sent to the other servers of this machine.

Where the person opens the table to the local network, another server with another secret listens there, see
local_network.py. Unless the person asks for more it shows the table, the games of this sitting and the pages without
games, and neither the library nor other records.
"""

import hmac
import json
import pathlib
import time

import flask
from werkzeug.exceptions import HTTPException

from ...mahjong.errors import IllegalActionError, MahjongError, Message
from ...mahjong.rules import SEATS
from ...mahjong.splitmix import MASK
from ..hand.answer import answer_texts
from ..learn.lessons import describe_score, keep_answer
from ..learn.positions import PositionChoice, choose_daily, list_positions, read_question
from ..learn.scoring import draw_win
from ..library.game_content import is_key
from ..library.library_pages import build_gone_page, build_library_page
from ..library.player_summary import GameChoice, build_player_page, describe_player
from ..page import POLICY, SCRIPTS, STYLES, fill_page, read_asset
from ..review.pages import build_question_page
from ..table.fan_names import ENGLISH_FANS
from ..words import LANGUAGES, translate
from .local_network import TABLE, LocalNetwork
from .past import OpenError
from .session import Session, StaleError

ADDRESS = "127.0.0.1"
OWNER = "owner"  # the access of the person's own page, beside those of local_network.ACCESSES
_LAB = pathlib.Path(__file__).parent.parent
# {address: (folder, HTML, styles and scripts in their order)} of each page; the last script starts the page.
PAGES = {
    "": (_LAB / "play" / "web", "play.html", (
        "play.css", "icon.svg", "table.webmanifest", "sound.js", "play_state.js", "requests.js", "choices.js",
        "advice.js", "show.js", "past.js", "network.js", "clock.js", "keys.js", "setup.js", "play.js")),
    "hand": (_LAB / "hand", "hand.html", ("hand.css", "hand_state.js", "hand_answer.js", "hand.js")),
    "guide": (_LAB / "play" / "guide", "guide.html", (
        "guide.css", "guide_words.en.js", "guide_words.zh.js", "guide_ways.js", "guide.js")),
    "learn": (_LAB / "learn", "learn.html", ("learn.css", "scoring.js", "learn.js")),
    "fans": (_LAB / "page", "fans.html", ()),
}
_FOLDERS = {file: folder for folder, _, files in (*PAGES.values(), (_LAB / "page", "", STYLES + SCRIPTS))
            for file in files}
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
          ".webmanifest": "application/manifest+json"}
_KEEPER = "/sw.js"  # It has no secret, since other servers of this machine see its address in the browser.
# Functions of this file whose answers devices of the local network get, where they see the table alone. Of the games
# that `review` and `resume` show, they see those of this sitting.
_OF_GUESTS = ("asset", "answer", "game", "hint", "act", "undo", "new", "go_on", "resume", "review")
_MAX_REQUEST, _MAX_FILE = 4096, 1 << 24
_POSITIONS, _MOST_FRAMES = 12, 1 << 12  # of a set to learn from, and of a game
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " \
          "img-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " \
          "frame-ancestors 'none'"


def make_app(
        session: Session, port: int, token: str = "", *, address: str = ADDRESS, access: str = OWNER,
        network: LocalNetwork | None = None) -> flask.Flask:
    """Returns the Flask application of a session at a port.

    token: the first part of all addresses, a secret; "" for none. address: of this machine.
    access: OWNER or one of local_network.ACCESSES; with TABLE only the games of this sitting are shown.
    network: what the page opens and closes, None for nothing.
    """
    app = flask.Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = _MAX_REQUEST
    hosts = ("%s:%d" % (address, port), *["localhost:%d" % port] * (address == ADDRESS))
    _add_guards(app, hosts, token)
    _add_errors(app, session)
    pages = flask.Blueprint("pages", __name__)
    _add_files(pages, "network" if network else access)
    for add in (_add_hand, _add_game, _add_matches, _add_past, _add_learning, _add_library):
        add(pages, session)
    if access == TABLE:
        _refuse_guests(pages, session)
    if network:
        _add_network(pages, network)
    app.register_blueprint(pages, url_prefix="/" + token if token else None)

    @app.get(_KEEPER)
    def service_worker():
        files = [*(page for page in PAGES if page != "learn"), *_FOLDERS]
        text = "const FILES = %s;\n%s" % (json.dumps(files), read_asset("sw.js", PAGES[""][0]))
        return flask.Response(text, mimetype="text/javascript")

    return app


def _add_guards(app, hosts, token):
    """Refuses strangers, and sets the headers that keep other pages out.

    A page may ask for refusals with the status 200, since browsers write other ones into their console as errors.
    """

    @app.before_request
    def refuse_strangers():
        host = flask.request.headers.get("Host")
        target = flask.request.environ.get("REQUEST_URI", "/")
        if not target.startswith("/"):  # An address for a proxy has a host, which counts.
            host = target
        if host not in hosts:
            return _refuse("host", Message("expected the host %s, got %.80r", hosts[0], host), 403)
        origin = flask.request.headers.get("Origin")
        if flask.request.method not in ("GET", "HEAD") and origin != "http://" + host:
            return _refuse("origin", Message("expected a request of this server's own page, got one of %.80r", origin),
                           403)
        first = flask.request.path.split("/")[1]
        if token and first != _KEEPER[1:] and not hmac.compare_digest(first.encode(), token.encode()):
            return _refuse("token", "expected the whole address that `play` printed", 403)

    @app.after_request
    def add_headers(response: flask.Response) -> flask.Response:
        response.headers.setdefault("Content-Security-Policy", _POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        if flask.request.headers.get("Prefer") == "status=200" and response.is_json:
            response.status_code = 200
        return response


def _add_errors(app, session):
    """Answers errors as JSON, with the present state where the page must show it."""

    @app.errorhandler(MahjongError)
    def refused(error: MahjongError) -> tuple:
        if isinstance(error, OpenError):
            return _refuse(error.reason, error, 400)
        reason, status = ("stale", 409) if isinstance(error, StaleError) else ("illegal", 400)
        return _refuse(reason, error, status, game=session.describe())

    @app.errorhandler(HTTPException)
    def other(error: HTTPException) -> tuple:
        return _refuse("large" if error.code == 413 else "request", error.name, error.code)


def _add_files(pages, access):
    """Serves the pages with their files. access: what the pages may show, for their scripts."""

    @pages.get("/", defaults={"name": ""})
    @pages.get("/<name>")
    def asset(name: str) -> flask.Response | str:
        if name in PAGES:
            return _show_page(*PAGES[name], access)
        if name not in _FOLDERS:
            flask.abort(404)
        return flask.Response(read_asset(name, _FOLDERS[name]), mimetype=_TYPES[pathlib.Path(name).suffix])


def _add_hand(pages, session):
    """Serves the calculator of any hand."""

    @pages.get("/hand/answer")
    def answer():
        texts = {key: flask.request.args.get(key, "") for key in (
            "hand", "river", "unseen", "notation", "rules")}
        try:
            return dict(answer_texts(is_whole=False, **texts), fan_names=ENGLISH_FANS)
        except MahjongError as error:
            return {"error": _say(error)}


def _add_learning(pages, session):
    """Serves the positions to learn from, and keeps the answers."""

    @pages.get("/learn/set")
    def learn_set():
        asked, library, now = flask.request.args, session.past.library, time.time()
        choice = PositionChoice(**{name: asked[name] for name in PositionChoice._fields if name in asked})
        return dict(list_positions(library, choice, most=_POSITIONS, now=now), fan_names=ENGLISH_FANS,
                    score=library and describe_score(library, now))

    @pages.get("/learn/daily")
    def learn_daily():
        day = time.strftime("%Y-%m-%d")
        return _show_document(build_question_page(choose_daily(session.past.library, day), day))

    @pages.get("/learn/page")
    def learn_page():
        asked = flask.request.args
        return _show_document(build_question_page(read_question(
            session.past.library, asked.get("key", ""), *(asked.get(name, -1, int) for name in ("seat", "frame")))))

    @pages.get("/learn/score")
    def learn_score():
        return draw_win(flask.request.args.get("seed", 0, int))

    @pages.post("/learn/answer")
    def learn_answer():
        library, now = session.past.library, time.time()
        key, seat, frame, is_right = _read("key", str), _read("seat", int), _read("frame", int), _read("right", bool)
        if not is_key(key) or seat not in range(SEATS) or not 0 <= frame < _MOST_FRAMES:
            raise IllegalActionError("expected the key of a game, a seat and an event, got %.40r", (key, seat, frame))
        if session.past.keeper and not library:
            raise session.past.keeper.problem
        if library:
            keep_answer(library, key, seat, frame, is_right=is_right, now=now)
        return {"score": library and describe_score(library, now)}


def _add_game(pages, session):
    """Serves the game on the table, and takes the person's requests."""

    @pages.get("/game")
    def game():
        return session.describe()

    @pages.get("/game/hint")
    def hint():
        asked = flask.request.args
        return {"hint": session.hint(asked.get("sequence", type=int) if asked.get("table") == session.table else -1)}

    @pages.post("/game/act")
    def act():
        return session.act(_read_state(session), _read("action", str), limit=_read("coach", int, float) or None)

    @pages.post("/game/undo")
    def undo():
        return session.undo(_read_state(session))


def _add_matches(pages, session):
    """Takes the person's requests for new games."""

    @pages.post("/game/new")
    def new():
        seed, seat = _read("seed", str).strip(), _read("seat", int)
        if seed and not (seed.isdecimal() and int(seed) <= MASK):
            raise IllegalActionError("expected a seed 0 .. 2**64 - 1 or none, got %.40r", seed)
        if seat not in range(-1, SEATS):
            raise IllegalActionError("expected a seat 0..3, or -1 for a new one each game, got %r", seat)
        return session.begin(int(seed) if seed else None, None if seat < 0 else seat, _read("practice", bool),
                             sequence=_read_state(session), games=_read("games", int), rules=_read("rules", str),
                             counts_fans=_read("counts_fans", bool), opponents=_read("opponents", list))

    @pages.post("/game/next")
    def go_on():
        return session.go_on(_read_state(session))

    @pages.post("/game/continue")
    def continue_match():
        return session.continue_match(_read_state(session), _read("match", str))

    @pages.post("/game/forget")
    def forget():
        session.forget_match(_read("match", str))
        return {"matches": session.list_kept()}

    @pages.post("/game/resume")
    def resume():
        frame, seat = _read("frame", int), _read("seat", int)
        return session.resume(_read_state(session), _read("name", str), None if frame < 0 else frame,
                              seat=seat if seat in range(SEATS) else None)


def _add_network(pages, network):
    """Opens the table to the local network and closes it, for the person's own page."""

    @pages.get("/network")
    def network_now():
        return network.describe()

    @pages.post("/network")
    def open_network():
        return network.open(_read("access", str))


def _refuse_guests(pages, session):
    """Refuses what is the host's alone."""

    @pages.before_request
    def refuse_guests():
        name = flask.request.endpoint.rpartition(".")[2]
        game = flask.request.view_args["name"] if name == "review" else _read("name", str) if name == "resume" else None
        if name not in _OF_GUESTS or (game is not None and not session.is_of_sitting(game)):
            return _refuse("private", "expected a request about the games of this sitting, the others are the host's",
                           403)


def _add_past(pages, session):
    """Serves past and opened games."""

    @pages.get("/past")
    def past():
        return {"games": session.past.list_own(), "opened": session.past.list_opened(), "matches": session.list_kept()}

    @pages.post("/past/open")
    def open_file():
        flask.request.max_content_length = _MAX_FILE
        return {"opened": session.past.open_file(
            flask.request.get_data(), flask.request.args.get("name", "file"))}

    @pages.get("/past/<name>")
    def review(name: str) -> flask.Response:
        try:
            return _show_document(session.past.review(name))
        except MahjongError as error:  # a person reads it, and no script
            return _show_document(build_gone_page("../", _say(error)), 404)


def _add_library(pages, session):
    """Serves the games of the library and the pages of its players."""

    @pages.get("/library")
    def library():
        kept = session.past.library
        if not kept:
            return _show_document(build_gone_page("./"), 404)
        return _show_document(build_library_page(kept, max(0, flask.request.args.get("after", 0, type=int))))

    @pages.get("/player/<path:name>")  # a name may have slashes
    def player(name: str) -> flask.Response:
        kept, asked = session.past.library, flask.request.args
        choice = GameChoice(last=asked.get("last", type=int), **{
            key: asked.get(key, "") for key in ("platform", "after", "before")})
        try:
            if not kept:
                raise MahjongError("expected a library, got none: this server was started without it")
            return _show_document(build_player_page(describe_player(kept, name, choice), "../"))
        except MahjongError as error:
            return _show_document(build_gone_page("../", _say(error)), 404)


def _show_page(folder, name, files, access):
    """Returns a page of a folder, with its styles and scripts. access: for the scripts."""
    files = [*STYLES, *SCRIPTS, *files]
    links = ['<link rel="stylesheet" href="%s">' % file for file in files if file.endswith(".css")]
    scripts = ['<script src="%s"></script>' % file for file in files if file.endswith(".js")]
    links += ['<link rel="icon" href="icon.svg">', '<link rel="manifest" href="table.webmanifest">',
              '<meta name="access" content="%s">' % access]
    return fill_page("mj_bot", "\n".join(links), read_asset(name, folder), scripts="\n".join(scripts))


def _show_document(text, status=200):
    """Returns a page of one file, which may load nothing."""
    policy = POLICY + "; frame-ancestors 'none'"
    return flask.Response(text, status, mimetype="text/html", headers={"Content-Security-Policy": policy})


def _refuse(reason, message, status, *, game=None):
    """Returns the answer that refuses a request. The message of the reason "hand" is a hand, not a sentence."""
    return {"error": reason, "message": str(message) if reason == "hand" else _say(message), "game": game}, status


def _say(message):
    """Returns an error as text in the language that the page, or else the browser, asks for."""
    asked = (code[:2].lower() for code in flask.request.accept_languages.values())
    return translate(message, next((code for code in asked if code in LANGUAGES), "en"))


def _read_state(session):
    """Returns the number of the state that a request saw; -1, which is none, for a state of another server."""
    table, sequence = _read("table", str), _read("sequence", int)
    return sequence if table == session.table else -1


def _read(key, *classes):
    """Returns a value of the request's JSON. Raises IllegalActionError: none of the classes."""
    try:
        body = flask.request.get_json(silent=True)
    except RecursionError:  # brackets without an end
        body = None
    value = body.get(key) if isinstance(body, dict) else None
    if type(value) not in classes:
        raise IllegalActionError("expected JSON with %r as %s, got %.80r", key, classes[0].__name__, value)
    return value
