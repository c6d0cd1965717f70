"""The local server: what it answers, and whom it refuses."""

import contextlib
import json
import pathlib
import re
import socket
import threading
import urllib.parse
import urllib.request
from functools import partial

import pytest

from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.library.library_pages import list_games
from mj_bot.lab.page import SCRIPTS, STYLES
from mj_bot.lab.play.local_network import LocalNetwork, find_address
from mj_bot.lab.play.serve import _start_for_others, keep_secret, serve, start_server
from mj_bot.lab.play.server import PAGES, make_app
from mj_bot.lab.play.session import Session
from mj_bot.lab.review.games import review_game
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import SAMPLES
from tests.lab.play import games
from tests.lab.play.games import OPPONENTS, play_on
from tests.lab.review.games import parse_data

HOST = "127.0.0.1:8136"
NEW = {"sequence": 1, "table": "table", "seed": "3", "seat": 0, "practice": True, "games": 1, "opponents": OPPONENTS,
       "rules": "botzone", "counts_fans": False}
OWN = {"Host": HOST, "Origin": "http://" + HOST}


@pytest.fixture
def session(tmp_path):
    session = Session(OPPONENTS, "", str(tmp_path / "played"))  # without judges pages come at once
    session.begin(5, 0, True)
    session.table = "table"
    return session


@pytest.fixture
def client(session):
    return make_app(session, 8136).test_client()


def list_posts(client):
    """The addresses that change something."""
    paths = [rule.rule for rule in client.application.url_map.iter_rules() if "POST" in rule.methods]
    assert len(paths) >= 7 and not any("<" in path for path in paths)
    return paths


def act(client, headers=None, **changes):
    action = client.get("/game", headers={"Host": HOST}).json["legal"][0]
    body = {"sequence": 1, "table": "table", "coach": 0, "action": action}
    return client.post("/game/act", headers=headers or OWN, json=dict(body, **changes))


class TestPages:
    def test_the_page_and_its_files(self, client):
        page = client.get("/", headers={"Host": HOST})
        assert page.status_code == 200 and b'id="mj-W1"' in page.data
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert page.headers["Cache-Control"] == "no-store"
        for address, (_, _, files) in PAGES.items():
            page = client.get("/" + address, headers={"Host": HOST})
            assert page.status_code == 200 and b'id="mj-W1"' in page.data
            for name in (*STYLES, *SCRIPTS, *files):
                reply = client.get("/" + name, headers={"Host": HOST})
                assert reply.status_code == 200 and name.encode() in page.data
                assert reply.mimetype in ("text/javascript", "text/css", "image/svg+xml", "application/manifest+json")

    @pytest.mark.parametrize("path", ["/server.py", "/../server.py", "/static/x", "/%2e%2e/server.py", "/favicon.ico"])
    def test_no_other_file(self, client, path):
        assert client.get(path, headers={"Host": HOST}).status_code == 404


class TestStrangers:
    def test_other_users_of_the_machine(self, session):
        """Whoever could reach the port could sit down."""
        client = make_app(session, 8136, "secret").test_client()
        for path in ("/", "/game", "/hand", "/hand/answer", "/table.js", "/wrong/game", "/secretx/", "//secret/"):
            reply = client.get(path, headers={"Host": HOST})
            assert (reply.status_code, reply.json["error"]) == (403, "token")
        assert client.post("/game/act", headers=OWN, json={"sequence": 1}).status_code == 403
        for path in ("", "game", "hand", "table.js", "past"):
            reply = client.get("/secret/" + path, headers={"Host": HOST})
            assert reply.status_code == 200 and "Set-Cookie" not in reply.headers
        body = {"sequence": 9, "table": "table", "action": "PASS", "coach": 0}
        assert client.post("/secret/game/act", headers=OWN, json=body).status_code == 409

    @pytest.mark.parametrize("host", [
        "evil.example", "evil.example:8136", "127.0.0.1", "127.0.0.1:80", "", "localhost",
    ])
    @pytest.mark.parametrize("path", ["/", "/game", "/table.js", "/nothing"])
    def test_other_hosts(self, client, host, path):
        reply = client.get(path, headers={"Host": host})
        assert (reply.status_code, reply.json["error"]) == (403, "host")
        assert reply.json["game"] is None

    @pytest.mark.parametrize("target", ["http://evil.example{}", "http://{host}{}", "https://{host}{}",
                                        "//evil.example{}", "evil.example:80", "*", "file:///etc/passwd"])
    @pytest.mark.parametrize("header", ["evil.example", "{host}"])
    def test_addresses_for_a_proxy(self, session, target, header):
        """With a whole address in its first line, the Host header of a request did not count."""
        with games.serve(session) as url:
            host = urllib.parse.urlsplit(url).netloc
            for path in ("/", "/game"):
                with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2]))) as connection:
                    connection.sendall(("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (
                        target.format(path, host=host), header.format(host=host))).encode())
                    answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
                assert answer.split(b" ")[1] in (b"403", b"404") and b'"sequence"' not in answer

    @pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://" + HOST, "http://127.0.0.1:8137",
                                        "http://localhost:8136"])
    def test_other_origins(self, client, session, origin):
        headers = {"Host": HOST} if origin is None else {"Host": HOST, "Origin": origin}
        before = session.describe()
        for path in (*list_posts(client), "/nothing"):
            reply = client.post(path, headers=headers, json={"sequence": 1, "action": before["legal"][0]})
            assert (reply.status_code, reply.json["error"]) == (403, "origin")
        assert session.describe() == before

    def test_localhost_is_its_own_too(self, client):
        host = "localhost:8136"
        assert act(client, {"Host": host, "Origin": "http://" + host}).status_code == 200

    def test_nothing_changes_by_get(self, client, session):
        assert all(client.get(path, headers=OWN).status_code in (404, 405) for path in list_posts(client))
        assert session.describe()["sequence"] == 1

    def test_no_form_of_another_page_is_read(self, client, session):
        for path in list_posts(client):
            for content in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
                reply = client.post(path, headers=OWN, data=json.dumps(NEW), content_type=content)
                assert reply.status_code == 400
        assert session.describe()["sequence"] == 1


class TestNetwork:
    """Devices of the local network, where the person asks for them: they have their own address and see the table."""

    def test_they_see_the_table_and_the_games_of_this_sitting(self, session):
        play_on(session, session.describe())
        client = make_app(session, 8136, "token", address="192.168.0.9", access="table").test_client()
        own = {"Host": "192.168.0.9:8136", "Origin": "http://192.168.0.9:8136"}
        ask = partial(client.get, headers=own)
        assert b'content="table"' in ask("/token/").data
        assert ask("/token/past/game-1").status_code == 200
        for path in ("past", "library", "player/person", "learn/set", "network", "past/game-2",
                     "past/open-0123456789ab-1", "past/0123456789abcdef"):
            assert ask("/token/" + path).status_code in (403, 404), path
        body = dict(NEW, sequence=session.describe()["sequence"], name="game-2", frame=-1, seat=-1)
        assert client.post("/token/game/resume", headers=own, json=body).json["error"] == "private"
        for path in ("forget", "continue"):  # a guest could delete a match that the host had put aside
            reply = client.post("/token/game/" + path, headers=own, json=dict(body, match="x"))
            assert reply.json["error"] == "private"
        assert client.post("/token/past/open", headers=own, data=b"{}").status_code == 403
        assert client.post("/token/game/new", headers=own, json=body).status_code == 200
        for host in (HOST, "localhost:8136"):
            assert client.get("/token/game", headers={"Host": host}).status_code == 403
        assert client.get("/other/game", headers=own).status_code == 403
        shared = make_app(session, 8136, "token", address="192.168.0.9", access="library").test_client()
        assert shared.get("/token/past", headers=own).json["games"]
        assert shared.post("/token/network", headers=own, json={"access": ""}).status_code in (404, 405)

    def test_the_page_opens_and_closes_the_network(self, session, monkeypatch):
        """Each time with another secret, which is not the person's own."""
        monkeypatch.setattr("mj_bot.lab.play.local_network.find_address", lambda: "127.0.0.2")
        network = LocalNetwork(partial(_start_for_others, session, 0))
        client = make_app(session, 8136, "own", network=network).test_client()

        def switch(access):
            return client.post("/own/network", headers=OWN, json={"access": access}).json

        for access in ("all", 3):
            assert switch(access)["error"] == "illegal" and network.describe()["access"] == ""
        shown = switch("table")
        assert shown == switch("table") == client.get("/own/network", headers=OWN).json
        assert shown["url"].startswith("http://127.0.0.2:") and len(shown["code"]) == len(shown["code"][0]) > 20
        assert json.load(urllib.request.urlopen(shown["url"] + "game"))["sequence"] == 1
        other = switch("library")
        assert other["url"].split("/")[3] != shown["url"].split("/")[3] and "/own/" not in other["url"]
        with pytest.raises(OSError):
            urllib.request.urlopen(shown["url"] + "game", timeout=5)
        assert switch("")["url"] == ""
        with pytest.raises(OSError):
            urllib.request.urlopen(other["url"] + "game", timeout=5)

    @pytest.mark.parametrize("address, error", [
        ("8.8.8.8", "expected an address of a local network, got 8.8.8.8"), ("127.0.0.1", "others can reach"),
        (OSError("no route"), "expected a local network, got none: no route")])
    def test_machines_without_a_local_network(self, monkeypatch, address, error):
        """The address of a server on the internet is not opened to the whole of it."""
        monkeypatch.setattr(socket.socket, "connect", lambda probe, place: None)
        monkeypatch.setattr(socket.socket, "getsockname", lambda probe: (
            (address, 1) if isinstance(address, str) else _raise(address)))
        with pytest.raises(MahjongError, match=error):
            find_address()


def _raise(error):
    raise error


class TestActions:
    def test_an_action_brings_the_next_state_and_a_stale_tab_gets_it(self, client):
        reply = act(client)
        assert reply.status_code == 200 and reply.json["sequence"] == 2 and len(reply.json["frames"]) > 1
        reply = act(client)
        assert (reply.status_code, reply.json["error"], reply.json["game"]["sequence"]) == (409, "stale", 2)
        reply = client.get("/game/hint?sequence=1&table=table", headers={"Host": HOST})
        assert (reply.status_code, reply.json["error"]) == (409, "stale")

    @pytest.mark.parametrize("changes", [
        {"action": "PLAY W0"}, {"action": "PASS"}, {"action": "HU"}, {"action": ""}, {"action": "GANG"},
        {"action": "play W1"}, {"action": None}, {"action": 3}, {"sequence": "1"}, {"sequence": True},
        {"sequence": 1.0},
    ])
    def test_illegal_actions(self, client, session, changes):
        reply = act(client, **changes)
        assert (reply.status_code, reply.json["error"]) == (400, "illegal")
        assert session.describe()["sequence"] == 1

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 4000, b"{\"a\":" * 600, b"9" * 4090])
    def test_bodies_that_are_none(self, client, body):
        """4,000 open brackets were answered with status 500."""
        reply = client.post("/game/act", headers=OWN, data=body, content_type="application/json")
        assert (reply.status_code, reply.json["error"]) == (400, "illegal")

    def test_a_body_that_is_too_large(self, client):
        reply = act(client, action="x" * 10000)
        assert (reply.status_code, reply.json["error"]) == (413, "large")

    def test_a_new_game(self, client):
        body = dict(NEW, seed=str(2 ** 64 - 1), seat=3, practice=False, games=4)
        shown = client.post("/game/new", headers=OWN, json=body).json
        assert (shown["match"]["games"], shown["seat"], shown["practice"]) == (4, 3, False)
        shown = client.post("/game/new", headers=OWN, json=dict(body, sequence=2, seed="", seat=-1)).json
        assert shown["seat"] in range(4)

    @pytest.mark.parametrize("changes", [
        {"seed": "-1"}, {"seed": str(2 ** 64)}, {"seed": "1.5"}, {"seed": "x"}, {"seed": 3}, {"seat": 4}, {"seat": -2},
        {"seat": "0"}, {"practice": 1}, {"sequence": 0}, {"games": 0}, {"games": 17}, {"games": "1"}, {"opponents": []},
        {"opponents": "random"}, {"opponents": ["random"] * 2}, {"opponents": ["json:ls"] * 3},
        {"opponents": [[], {}, 1]}, {"rules": "riichi"},
    ])
    def test_new_games_that_are_none(self, client, session, changes):
        """An opponent may be a command, and the browser may be asked by anyone."""
        assert client.post("/game/new", headers=OWN, json=dict(NEW, **changes)).status_code in (400, 409)
        assert session.describe()["sequence"] == 1


class TestPastGames:
    def test_a_review_is_a_page_that_asks_for_nothing(self, client, session):
        play_on(session, session.describe())
        assert [row["name"] for row in client.get("/past", headers=OWN).json["games"]] == ["game-1"]
        page = client.get("/past/game-1", headers=OWN)
        assert page.status_code == 200 and page.mimetype == "text/html"
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "connect-src" not in policy and "frame-ancestors 'none'" in policy
        assert client.get("/past/game-2", headers=OWN).mimetype == "text/html", "it was the JSON of the whole table"
        assert client.get("/past/game-1", headers={"Host": "evil.example"}).status_code == 403

    def test_a_file_is_opened(self, client):
        lines = (SAMPLES / "tziakcha.jsonl").read_bytes().splitlines()[:3]
        opened = client.post("/past/open", headers=OWN, data=b"\n".join(lines)).json["opened"]
        file = opened[0]["file"]
        assert [row["name"] for row in opened] == ["%s-%d" % (file, number) for number in range(1, len(lines) + 1)]
        assert client.get("/past", headers=OWN).json["opened"] == opened
        page = parse_data(client.get("/past/%s-2" % file, headers=OWN).text)
        assert page["resume"]["address"] == "../#resume=%s-2" % file
        assert {row["file"] for row in opened} == {file}
        whole = parse_data(client.get("/past/" + file, headers=OWN).text)
        assert [game["link"] for game in whole["games"]] == [row["name"] for row in opened]
        for line in (SAMPLES / "tziakcha.jsonl").read_bytes().splitlines()[3:7]:
            client.post("/past/open", headers=OWN, data=line)
        assert client.get("/past/%s-2" % file, headers=OWN).status_code == 404, "old files are dropped"

    @pytest.mark.slow
    def test_with_a_library_every_address_stays(self, session, tmp_path, monkeypatch):
        """A bookmark of an opened game was a line of English text after four other files, and after a restart."""
        monkeypatch.setattr(GameKeeper, "review_waiting", lambda keeper: None)
        session.past.keeper = GameKeeper("play")
        client = make_app(session, 8136).test_client()
        lines = (SAMPLES / "tziakcha.jsonl").read_bytes().splitlines()[:2]
        first, second = client.post("/past/open", headers=OWN, data=b"\n".join(lines)).json["opened"]
        play_on(session, session.describe())
        again = Session(OPPONENTS, "random", str(tmp_path / "played"))
        again.past.keeper = GameKeeper("play")
        client, library = make_app(again, 8136).test_client(), again.past.keeper.library
        names = [game["key"] for game in list_games(library, most=9)]
        assert len(names) == 3
        for name in (first["file"], first["name"], second["name"], *names):
            page = client.get("/past/" + name, headers=OWN)
            assert page.status_code == 200 and page.mimetype == "text/html"
        assert [game["key"] for game in parse_data(client.get("/library", headers=OWN).text)["games"]] == names
        for name in names:
            library.add_review(name, review_game(library.read_game(name), "rule_based"))
        assert client.get("/player/Player%20A?last=5", headers=OWN).status_code == 200
        assert client.get("/player/Player%20A?after=May", headers=OWN).status_code == 404
        for path in ("/past/0123456789abcdef", "/past/open-9-1", "/player/Nobody"):
            page = client.get(path, headers=OWN)
            assert page.status_code == 404 and parse_data(page.text)["count"] is None

    @pytest.mark.parametrize("data, kind", [
        (b"", "empty"), (b"{", "empty"), (b"\xff\0", "empty"), (b'{"w": "00", "a": [], "g": {}, "p": []}', "empty"),
        (b"https://evil.example/match/1", "link"), (b"http://127.0.0.1/", "link"), (b"x" * ((1 << 24) + 1), "large"),
    ])
    def test_files_without_a_game(self, client, data, kind):
        reply = client.post("/past/open", headers=OWN, data=data)
        assert (reply.status_code, reply.json["error"]) == (413 if kind == "large" else 400, kind)

    @pytest.mark.parametrize("asked, said", [
        ({"Accept-Language": "zh"}, "日本"), ({"Accept-Language": "zh-CN,en;q=0.5"}, "日本"),
        ({"Accept-Language": "de"}, "riichi"), ({}, "riichi")])
    def test_errors_in_the_language_of_the_reader(self, client, asked, said):
        """A player who had chosen Chinese met English sentences."""
        reply = client.post("/past/open", headers={**OWN, **asked}, data=b"https://tenhou.net/0/?log=x")
        assert said in reply.json["message"]
        wrong = client.get("/hand/answer?hand=1q", headers={"Host": HOST, **asked}).json["error"]
        assert wrong.startswith("expected" if said == "riichi" else "第")


class TestCommand:
    def test_half_open_connections_do_not_stop_it(self, session, monkeypatch):
        """Each had a thread for ever."""
        monkeypatch.setattr("mj_bot.lab.play.serve._MOST_UNREAD", 8)
        with contextlib.ExitStack() as stack:
            url = stack.enter_context(games.serve(session))
            before = threading.active_count()
            for _ in range(40):
                place = "127.0.0.1", urllib.parse.urlsplit(url).port
                stack.enter_context(socket.create_connection(place)).sendall(b"GET / HT")
            reply = urllib.request.urlopen(url + "game", timeout=20)
            assert json.load(reply)["sequence"] == 1 and threading.active_count() - before <= 12

    def test_the_secret_is_not_in_a_command(self, session, monkeypatch, capsys):
        """Other users see the browser's command line: the address is in a file of this user's.

        The one for the local network is printed with its code.
        """
        opened = []

        def open_page(url):
            path = pathlib.Path(urllib.parse.urlsplit(url).path)
            opened.append((url, path.read_text(), path.parent.stat().st_mode & 0o777))
            raise KeyboardInterrupt

        monkeypatch.setattr("webbrowser.open", open_page)
        monkeypatch.setattr("mj_bot.lab.play.local_network.find_address", lambda: "127.0.0.2")
        assert serve(session, 0, True, access="table") == 0
        (url, page, mode), = opened
        secret = re.search(r"http://127.0.0.1:\d+/([^/]{20,})/", page).group(1)
        assert url.startswith("file:///") and secret not in url and mode == 0o700
        shown = capsys.readouterr().out
        assert re.search(r"local network: http://127\.0\.0\.2:\d+/[\w-]{22}/\n", shown)
        assert "\u2588" in shown and "your library is not shown" in shown

    def test_the_secret_is_kept(self, tmp_path):
        """A page that was installed as an app met a refusal at the next start, as its address was another."""
        path = tmp_path / "mj_bot" / "table_secret"
        secret = keep_secret(str(path))
        assert keep_secret(str(path)) == secret and path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        changed = keep_secret(str(path))
        assert changed != secret and keep_secret(str(path)) == changed
        path.write_text("../x")
        again = keep_secret(str(path))
        assert again not in (changed, "../x") and keep_secret(str(path), True) != again

    def test_a_port_that_is_taken(self, session):
        """The server listens on this machine alone."""
        with socket.create_server(("127.0.0.1", 0)) as other:
            with pytest.raises(MahjongError, match="expected a free port"):
                start_server(session, other.getsockname()[1])
        with start_server(session, 0) as server:
            assert server.socket.getsockname()[0] == "127.0.0.1"
