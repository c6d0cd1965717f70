"""Links, against a server of our own that speaks as the platforms do."""

import contextlib
import http.server
import json
import os
import urllib.parse

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.links import web
from mj_bot.lab.links.links import fetch_link, find_calculated_hand, is_link, list_links
from mj_bot.lab.links.web import LinkError
from mj_bot.lab.records.platforms.tziakcha import _unpack_step
from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.chaga import add_chaga
from mj_bot.lab.review.games import review_game
from mj_bot.mahjong.tile import TILE_NAMES
from tests.golden_games import SAMPLES
from tests.lab.records.test_source import SERVED
from tests.serving import serving

MATCH_PATH = "/match/5f0123456789abcdef012345"
MATCH = "https://www.botzone.org.cn" + MATCH_PATH
HAND = "https://tziakcha.net/record/?id=synA0000&v=2"
SESSION = "https://tziakcha.net/game/?id=synthA"
HANDS = [json.loads(line) for line in (SAMPLES / "tziakcha.jsonl").read_text(encoding="utf-8").splitlines()]


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *details):
        pass

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        self.server.asked.append((self.command, self.path, body, self.headers["User-Agent"]))
        reply = self.server.answers.get(self.path.partition("?")[0], 404)
        if callable(reply):
            reply = reply(self)
        if reply is None:
            return
        status, headers, body = reply if isinstance(reply, tuple) else (reply, {}, b"") if isinstance(reply, int) else (
            200, {}, json.dumps(reply).encode())
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    do_POST = do_GET


class Server(http.server.ThreadingHTTPServer):
    """asked: (method, path, body, user agent) of each request. answers: {path: JSON, status, (status, headers, body) or
    a function of the handler that returns one of these or None}."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked, self.answers = [], {}
        self.url = "http://127.0.0.1:%d" % self.server_port


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(web, "_PAUSE", 0.0)
    with serving(Server()) as server:
        monkeypatch.setattr(web, "SITES", dict.fromkeys(web.SITES, server.url))
        yield server


def serve_hands(server, hands=HANDS[:3]):
    by_id = {hand["id"]: hand for hand in hands}
    server.answers["/_qry/record/"] = lambda asked: by_id.get(
        urllib.parse.parse_qs(server.asked[-1][2])["id"][0], {"error": "none"})
    server.answers["/_qry/game/"] = {"id": "synthA", "periods": len(hands), "finish_time": 1, "players": [],
                                     "records": [{"i": hand["id"]} for hand in hands]}


def test_who_has_the_turn_is_told(server, tmp_path, monkeypatch):
    """All others waited without end and without a word for a process that was stopped."""
    monkeypatch.setattr(web, "_LOCK_SECONDS", 0.1)
    folder = tmp_path / "cache" / "mj_bot" / "links"

    def fail_while_asked(handler):
        with pytest.raises(LinkError, match="process %d has the turn and does not end" % os.getpid()):
            web.ask("tziakcha", "/_qry/other/")
        return {}

    server.answers["/_qry/"] = fail_while_asked
    assert web.ask("tziakcha", "/_qry/") == {} and (folder / "lock").exists()


def test_a_match_is_asked_for_once(server):
    server.answers[MATCH_PATH] = SERVED
    for link in (MATCH, MATCH.replace("https://www.", "http://"), MATCH + "/"):
        game, = read_games(link)
        assert game.error is None and game.record.players == ["甲", "", "", ""] and game.record.scores
    (method, path, _, agent), = server.asked
    assert (method, path) == ("GET", MATCH_PATH + "?lite=true") and agent.startswith("mj_bot/")


def test_a_match_that_goes_on_is_asked_for_again(server):
    server.answers[MATCH_PATH] = dict(SERVED, logs=SERVED["logs"][:9])
    for _ in range(2):
        game, = read_games(MATCH)
        assert game.record.scores is None
    assert len(server.asked) == 2


def test_a_hand_and_a_session(server):
    serve_hands(server)
    game, = read_games(HAND)
    assert game.error is None and game.record.origin["id"] == "synA0000"
    games = list(read_games(SESSION))
    assert [game.record.origin["id"] for game in games] == [hand["id"] for hand in HANDS[:3]]
    assert {game.record.origin["session"] for game in games} == {"synthA"}
    asked = [("POST", "/_qry/record/", "id=synA0000"), ("POST", "/_qry/game/?id=synthA", ""),
             *[("POST", "/_qry/record/", "id=" + hand["id"]) for hand in HANDS[1:3]]]
    assert [request[:3] for request in server.asked] == asked
    assert len(list(read_games("https://tziakcha.net/?id=synA0000"))) == 1
    list(read_games(SESSION))
    assert len(server.asked) == len(asked)
    assert len(list(read_games("https://tziakcha.net/?id=synthA"))) == 3


def test_a_session_of_salasasa(server):
    """Its links were refused. A link with a round is that hand alone."""
    session = json.loads((SAMPLES / "salasasa.json").read_text(encoding="utf-8"))
    server.answers["/api/platform/record/nfkKiKHWH4"] = {"success": True, "data": {"record": json.dumps(session)}}
    games = list(read_games(KNOWN["salasasa"]))
    assert len(games) == 12 and not any(game.error for game in games)
    game, = read_games(KNOWN["round"])
    assert game.record.scores == games[2].record.scores and len(server.asked) == 1
    with pytest.raises(LinkError, match="salasasa.cn shows no hands of the record gone"):
        server.answers["/api/platform/record/gone"] = {"success": False}
        fetch_link("https://salasasa.cn/2d/record/gone")


@pytest.mark.parametrize("text, count", [
    ("%s\r\n\r\n%s\r\n" % (MATCH, SESSION), 2), ("\ufeff%s\n" % MATCH_PATH[7:], 1), ("a note\n%s\n" % MATCH, 0)])
def test_a_file_with_a_link_in_each_line(text, count, tmp_path):
    """It was "expected a game"."""
    path = tmp_path / "links.txt"
    path.write_bytes(text.encode())
    files = list_files([str(path)])
    assert files == ([MATCH, "https://tziakcha.net/game/?id=synthA"][:count] or [str(path)])


def test_requests_are_apart(server, monkeypatch):
    pauses = []
    monkeypatch.setattr(web, "_PAUSE", 60.0)
    monkeypatch.setattr(web.time, "sleep", pauses.append)
    serve_hands(server)
    fetch_link(SESSION)
    assert [round(pause / 60) for pause in pauses] == [0, 1, 1, 1]


@pytest.mark.parametrize("reply, told", [
    (401, "wants a login"), (403, "refuses to show it"), (404, "the record is gone"), (410, "nothing there any more"),
    (429, "try again later"), (502, "error of its own .status 502"),
    ((302, {"Location": "/account/login"}, b""), "wants a login"),
    ((302, {"Location": "http://evil.example/"}, b""), "sends on to 'http://evil.example/', which is not asked"),
    ((301, {}, b""), "is not asked"),
    ((200, {}, b"<!doctype html><title>Login</title>"), "answers with a page"),
    ((200, {}, b"[" * 100000), "answers with a page"),
    ((200, {}, b" " * 300000), "more than"),
    ((200, {"Content-Length": "9"}, b"{}"), "breaks off"),
    ({"success": False, "message": "no such match"}, "shows no match .*no such match"), ([], "shows no match"),
    (399, "is not asked"), ({"logs": []}, "shows no match"),
])
def test_a_site_that_gives_nothing(server, monkeypatch, reply, told):
    monkeypatch.setattr(web, "_MOST_BYTES", 1 << 18)
    server.answers[MATCH_PATH] = reply
    with pytest.raises(LinkError, match=told):
        fetch_link(MATCH)
    game, = read_games(MATCH)
    assert isinstance(game.error, LinkError) and game.record is None


def test_redirects_are_not_followed(server):
    server.answers[MATCH_PATH] = (302, {"Location": server.url + "/steal"}, b"")
    with pytest.raises(LinkError, match="is not asked"):
        fetch_link(MATCH)
    assert len(server.asked) == 1


@pytest.mark.parametrize("error, told", [
    (TimeoutError(), "gives no whole answer in 30 s"), (ConnectionRefusedError(), "cannot be reached, or breaks off")])
def test_a_site_that_cannot_be_reached(server, monkeypatch, error, told):
    """The limits of a reply are those of tests/lab/live, which asks by the same function."""
    def fail(*details, **limits):
        raise error

    monkeypatch.setattr(web, "fetch", fail)
    with pytest.raises(LinkError, match=told):
        fetch_link(MATCH)


@pytest.mark.parametrize("link, told", [*((link, "expected https://www.botzone.org.cn/match/ID") for link in (
    "http://127.0.0.1/match/abc", "https://evil.example/match/abc", "https://www.botzone.org.cn.evil.example/match/abc",
    "https://www.botzone.org.cn@evil.example/match/abc", "https://www.botzone.org.cn:8080/match/abc",
    "https://www.botzone.org.cn/match/../account", "https://www.botzone.org.cn/match/a%2fb", "https://tziakcha.net/",
    "https://tziakcha.net/record/?id=../x", "https://tziakcha.net/record/",
    "https://[::1", "https://tziakcha.net/game/?id=a b")), *((link, "riichi mahjong; here only 国标") for link in (
        "https://tenhou.net/0/?log=2009123100gm-0009-0000-1", "tenhou.net/6/#json=x",
        "https://game.maj-soul.com/1/?paipu=200101-0"))])
def test_other_links_ask_nobody(server, link, told):
    with pytest.raises(LinkError, match=told):
        fetch_link(link)
    assert not server.asked


KNOWN = {"botzone": "https://www.botzone.org.cn" + MATCH_PATH, "record": "https://tziakcha.net/record/?id=synA0000",
         "game": "https://tziakcha.net/game/?id=synthAB1", "any": "https://tziakcha.net/?id=synA0000",
         "other": "https://www.botzone.org.cn%s6" % MATCH_PATH[:-1],
         "salasasa": "https://salasasa.cn/2d/record/nfkKiKHWH4",
         "round": "https://salasasa.cn/2d/record/nfkKiKHWH4?round=3"}


@pytest.mark.parametrize("text, names", [
    *((begin + "botzone.org.cn" + MATCH_PATH + end, ["botzone"])
      for begin in ("", "https://", "http://", "https://www.", "https://en.", "en.", "HTTPS://WWW.")
      for end in ("", "/", "?lite=true", "?lite=true&x=1#step", "#a")),
    ("botzone.org" + MATCH_PATH, ["botzone"]), (MATCH_PATH[7:], ["botzone"]),
    (" %s \n" % MATCH_PATH[7:].upper(), ["botzone"]),
    *((begin + "tziakcha.net/record" + end, ["record"]) for begin in ("", "https://", "http://www.")
      for end in ("?id=synA0000", "/?id=synA0000&v=2&cy=31", "/?v=2&amp;id=synA0000", "/?v=1&id=synA0000#x",
                  "/synA0000")),
    ("https://tziakcha.net/game/?id=synthAB1", ["game"]), ("tziakcha.net/_qry/game/?id=synthAB1", ["game"]),
    ("大家看看这一局：https://tziakcha.net/record/?id=synA0000，打得怎么样？", ["record"]),
    ("看tziakcha.net/record/?id=synA0000。谢谢", ["record"]),
    ("see <https://tziakcha.net/game/?id=synthAB1>, (https://www.botzone.org.cn%s)." % MATCH_PATH, ["game", "botzone"]),
    ("https://tziakcha.net/record/?id=synA0000\nhttps://tziakcha.net/game/?id=synthAB1\n", ["record", "game"]),
    ("https://www.botzone.org.cn%shttps://tziakcha.net/record/?id=synA0000" % MATCH_PATH, ["botzone", "record"]),
    ("[牌谱](https://tziakcha.net/record/?id=synA0000) https://tziakcha.net/record/?id=synA0000&v=1", ["record"]),
    ("https://beta.tziakcha.net/record/?id=synA0000 https://www.tziakcha.xyz/game?id=synthAB1", ["record", "game"]),
    (MATCH_PATH[7:] + "\n" + MATCH_PATH[7:-1] + "6\n", ["botzone", "other"]),
    ("https://tziakcha.net/?id=synA0000", ["any"]),
    ("https://salasasa.cn/2d/record/nfkKiKHWH4", ["salasasa"]),
    ("www.salasasa.cn/2d/record/nfkKiKHWH4#x", ["salasasa"]),
    ("https://salasasa.cn/game-unity?recordId=nfkKiKHWH4&round=3&node=12", ["round"]),
    ("看 https://salasasa.cn/2d/record/nfkKiKHWH4?node=2&round=3。", ["round"]),
])
def test_addresses_in_all_their_forms(text, names):
    """Only two forms were read, and of a paste only a whole address."""
    assert list_links(text) == [KNOWN[name] for name in names]
    assert is_link(text) and list_files([text]) == [KNOWN[name] for name in names]


@pytest.mark.parametrize("text", [
    "hello", "games/a.json", "a.json.gz", '{"url": "https://www.botzone.org.cn%s"}' % MATCH_PATH, "1\n0 0 0\n",
    "0" * 25, "./2017/2017-01-01/344295.xml", "Match 61602cb45ddc087351c04358"])
def test_what_is_no_address(text):
    assert not is_link(text)


def test_the_link_of_a_calculator(capsys):
    """It opens `hand`, as a link or in a sentence."""
    hand = "[EEE,2][SSSS,1]WWWNN55pN|EE1000"
    for link in ("https://tziakcha.net/calc/?h=" + urllib.parse.quote(hand), "tziakcha.net/tools/fan#" + hand,
                 "算一下 https://tziakcha.net/fan/?x=1&hand=%s&y=2" % urllib.parse.quote(hand)):
        assert find_calculated_hand(link) == hand and is_link(link)
        with pytest.raises(LinkError, match="mj-bot hand"):
            fetch_link(link)
        assert main(["hand", link]) == 0
        assert "98" in capsys.readouterr().out
    assert find_calculated_hand("https://tziakcha.net/record/?id=synA0000") is None


def test_a_session_whose_hand_is_refused_goes_on_where_it_was(server):
    serve_hands(server)
    hands = server.answers["/_qry/record/"]
    server.answers["/_qry/record/"] = lambda asked: 429 if HANDS[1]["id"] in server.asked[-1][2] else hands(asked)
    with pytest.raises(LinkError, match="fewer requests"):
        fetch_link(SESSION)
    server.answers["/_qry/record/"] = hands
    count = len(server.asked)
    fetch_link(SESSION)
    assert len(server.asked) == count + 2


TEXTS = {2: "Play", 3: "Chi", 4: "Peng", 5: "Gang", 6: "Hu", 8: "Pass", 9: "Abandon"}


def make_rows(hand, number):
    """What CHAGA answers on a hand, by seat: that each did right. Laid claims alone, not announced ones."""
    rows, actions = {seat: [] for seat in range(4)}, _unpack_step(hand)["a"]
    for at, (combined, data, _) in enumerate(actions):
        code, seat = combined & 15, combined >> 4 & 3
        if code in TEXTS and at and (data or code not in (3, 4, 5)):
            kind = (data & 255) >> 2 if code == 2 else data & 63
            text = "BuGang" if code == 5 and data & 0x300 == 0x300 else TEXTS[code]
            named = [text, TILE_NAMES[kind]] if code < 6 else [text]
            rows[seat].append({"rr": number, "ri": at - 1, "extra": {
                "candidates": [[1.5, " ".join(named)], [0.5, "Play W1"], [float("-inf"), "Play W2"],
                [[9, "<b>"], [10 ** 400, "Play W3"]][at % 2]]}})
    return rows


@pytest.mark.parametrize("hand", [pytest.param(hand, id=hand["id"], marks=[pytest.mark.slow] * (place > 0))
                                  for place, hand in enumerate(HANDS)])
def test_advice_of_chaga_stands_at_its_decision(server, hand):
    """All that a seat did is the best there, discards after claims included."""
    serve_hands(server, [hand])
    game, = read_games("https://tziakcha.net/record/?id=" + hand["id"])
    origin, rows = game.record.origin, make_rows(hand, game.record.origin["hand"])
    server.answers["/review/"] = lambda asked: {"data": [{}, {"rr": 99}] + rows[origin["seats"].index(
        int(urllib.parse.parse_qs(urllib.parse.urlsplit(asked.path).query)["seat"][0]))]}
    reviewed = review_game(game, "random")
    add_chaga(reviewed, game.record)
    compared = 0
    for review in reviewed["reviews"].values():
        for decision in review["decisions"]:
            kind, *tiles = decision["logged"].split(" ")
            opening = kind if kind in ("HU", "PASS") else " ".join([kind] + tiles[:1 if kind != "PENG" else 0])
            if decision.get("chaga"):
                compared += 1
                assert decision["chaga"][0][0].startswith(opening)
                assert sum(share for _, share in decision["chaga"]) == pytest.approx(1, abs=1e-3)
            if decision.get("chaga_discard"):
                assert decision["chaga_discard"][0][0] == "PLAY " + tiles[-1]
            assert bool(decision.get("chaga_discard")) == (kind in ("CHI", "PENG"))
            assert decision.get("chaga") or kind == "PASS"
    assert compared > 10
    assert len([request for request in server.asked if request[1].startswith("/review/")]) == 4


def test_the_command_goes_on_without_chaga(server, capsys, tmp_path):
    serve_hands(server, HANDS[:2])
    server.answers["/review/"] = {"code": 1, "message": "session not finished"}
    path = tmp_path / "pages"
    assert main(["review", SESSION, "--chaga", "--tactic", "random", "-o", str(path)]) == 0
    assert capsys.readouterr().err.count("session not finished") == 1
    assert (path / "game-0002.html").exists()
    server.answers[MATCH_PATH] = SERVED
    assert main(["review", MATCH, "--chaga", "--tactic", "none"]) == 0
    assert "CHAGA reviews the sessions of tziakcha.net alone" in capsys.readouterr().err


def test_a_hand_that_cannot_be_read_ends_the_advice_alone(server, monkeypatch):
    serve_hands(server, [HANDS[0]])
    game, = read_games("https://tziakcha.net/record/?id=" + HANDS[0]["id"])
    monkeypatch.setattr("mj_bot.lab.review.chaga.fetch_hand", lambda record_id: {"step": {}})
    with pytest.raises(LinkError, match="that cannot be read"):
        add_chaga(review_game(game, "random"), game.record)
