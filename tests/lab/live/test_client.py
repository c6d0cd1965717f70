"""The tactic at live tables, against a server that loses connections, repeats itself and aborts matches."""

import contextlib
import json
import logging
import os
import random
import socket
import threading
import time
import traceback
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.live import address as address_module
from mj_bot.lab.live import client as client_module
from mj_bot.lab.live.address import Address, PollFailed
from mj_bot.lab.live.client import PATIENCE, Client, Timing
from mj_bot.lab.live.matches import MatchFolder
from mj_bot.lab.records.source import read_games
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from tests.lab.live.server import PATH, LiveServer
from tests.serving import serving


def make_client(server, folder, results):
    return Client(Address(server.url), "random:seed=1", folder, budget=3.0, report=results.append,
                  timing=Timing(sleep=lambda seconds: None))


def play_all(server, folder, results, polls_a_life=None):
    """Polls until every match has ended; every `polls_a_life` polls a new client reads the folder."""
    client, polls = make_client(server, folder, results), 0
    while len(results) < len(server.matches):
        client.poll()
        polls += 1
        if polls == polls_a_life:
            client, polls = make_client(server, folder, results), 0


def check(server, results):
    """Every match ended as the server says, without an illegal answer or a request left open."""
    assert [match.illegal for match in server.matches.values() if match.illegal] == []
    assert {result.match_id for result in results} == set(server.matches)
    assert len(results) == len(server.matches)
    for result in results:
        match = server.matches[result.match_id]
        scores = [str(score) for score in match.referee.scores or []]
        assert (result.seat, result.scores) == (match.seat, scores)


@pytest.fixture
def folder(tmp_path):
    with MatchFolder(str(tmp_path / "live")) as folder:
        yield folder


class TestMatches:
    @pytest.mark.parametrize("polls_a_life", [
        pytest.param(None, id="one process", marks=pytest.mark.slow),
        pytest.param(7, id="restarted every seven polls")])
    def test_many_at_once_over_lost_connections(self, folder, polls_a_life):
        results = []
        with serving(LiveServer(3, drops=0.15, abort_every=2, hold=0.3)) as server:
            play_all(server, folder, results, polls_a_life)
        check(server, results)
        assert sum(not result.scores for result in results) >= 1
        assert server.unasked == 0
        for match in filter(lambda match: match.referee.is_over, server.matches.values()):
            path = os.path.join(folder.path, "finished", match.match_id + ".json")
            (_, _, (transcript,), _), = read_games(path)
            assert len(transcript.requests) == len(transcript.responses) == match.answered
            assert json.load(open(path, encoding="utf-8"))["scores"] == [str(score) for score in match.referee.scores]
        assert sorted(os.listdir(folder.path)) == ["finished", "lock"]

    def test_more_matches_than_headers_that_a_server_takes(self, folder, monkeypatch):
        monkeypatch.setattr(client_module, "_MOST_ANSWERS", 2)
        results = []
        with serving(LiveServer(3, abort_every=1)) as server:
            play_all(server, folder, results)
        check(server, results)


class Script:
    """An address with given replies, each a body or an exception, and time that passes only here.

    seconds: of each poll. sent, timeouts: the headers and limits of each poll. slept: the waits.
    """

    host = "example.org"

    def __init__(self, replies, seconds):
        self.replies, self.seconds = list(replies), seconds
        self.now = 0.0
        self.sent, self.timeouts, self.slept = [], [], []

    def poll(self, headers, timeout):
        self.now += self.seconds
        self.sent.append(headers)
        self.timeouts.append(timeout)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


NO_CHANCE = SimpleNamespace(random=lambda: 0.0)


def run_script(folder, *replies, seconds=0, pause=lambda poll: 0, chance=NO_CHANCE):
    """(Script, client) after as many polls as there are replies.

    pause: function of a poll's number to the seconds after it. chance: random.Random, without it waits have no jitter.
    """
    script = Script(replies, seconds)
    client = Client(script, "random:seed=1", folder, budget=3.0, report=lambda result: None,
                    timing=Timing(script.sleep, lambda: script.now, chance))
    for poll in range(len(replies)):
        client.poll()
        script.now += pause(poll)
    return script, client


@contextlib.contextmanager
def serve_once(answer):
    """The address of a server, without a path, whose one connection gets what answer(connection) sends."""
    def serve():
        connection, _ = server.accept()
        with contextlib.suppress(OSError), connection:
            connection.recv(1 << 16)
            answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield "http://127.0.0.1:%d" % server.getsockname()[1]
        thread.join()


ASKED, NEXT = "1 0\nA\n0 1 2", "1 0\nA\n1 0 0 0 0 W1 W2 W3 W4 W5 W6 W7 W8 W9 T1 T2 T3 T4"
LOST = PollFailed("ConnectionError")


class TestDoubt:
    @pytest.mark.parametrize("replies, pause, sent, answered", [
        ((ASKED, LOST, "0 0", "0 0"), 0, "-A--", 1),
        ((ASKED, LOST, ASKED, "0 0", "0 0"), 0, "-A-A-", 1),
        ((ASKED, LOST, ASKED, LOST, *["0 0"] * 40), PATIENCE, "-A-A" + 40 * "-", 1),
        ((ASKED, LOST, NEXT, "0 0"), 0, "-A-A", 2),
        ((ASKED, LOST, *["0 0", LOST] * 39), PATIENCE / 4, "-A-----A---A--A" + 65 * "-", 1),
    ], ids=["waits for word", "goes again when the request comes again", "waits for a server that has told again",
            "had arrived when the next request comes", "goes again three times where no request comes twice"])
    def test_an_answer_that_may_have_arrived(self, folder, replies, pause, sent, answered):
        script, client = run_script(folder, *replies, pause=lambda poll: pause if poll > 2 else 0)
        assert script.sent == [{"X-Match-A": "PASS"} if mark == "A" else {} for mark in sent]
        assert len(client.matches["A"].responses) == answered

    def test_a_restart_leaves_the_last_answer_in_doubt(self, folder):
        run_script(folder, ASKED)
        script, client = run_script(folder, "0 0", NEXT, "0 0")
        assert script.sent[:2] == [{}, {}]
        assert client.matches["A"].responses == ["PASS", "PASS"]

    def test_long_polls_are_short_while_something_is_open(self, folder):
        script, _ = run_script(folder, ASKED, LOST, "0 0", NEXT, "0 0", "0 0")
        long_poll = max(script.timeouts)
        assert script.timeouts == [long_poll, long_poll, PATIENCE, PATIENCE, long_poll, long_poll]


BUSY = PollFailed("status 502", 502)


class TestFailures:
    @pytest.mark.parametrize("replies, seconds, slept", [
        ((LOST, BUSY, LOST, "0 0", LOST), 0, [0.25, 0.5, 1, 0.25, 0.25]),
        (("0 0",) * 8 + (ASKED, ASKED, "0 0"), 0, [0.25, 0.5, 1, 2, 4, 5, 5, 5, 0.25, 0.5]),
        ((PollFailed("status 403", 403),), 0, [300]),
        ((PollFailed("status 504", 504), PollFailed("no reply"), "0 0"), 60, []),
        (("<html>maintenance</html>", ASKED), 0, [0.25]), (("", ASKED), 0, [0.25]),
        (("2 0\nA\n0 1 2", ASKED), 0, [0.25]),
    ], ids=["waits grow and begin anew", "a server that answers at once without news", "403 waits five minutes",
            "a long poll without news is asked again at once", "a page", "nothing", "half a reply"])
    def test_waits(self, folder, replies, seconds, slept):
        script, client = run_script(folder, *replies, seconds=seconds)
        assert script.slept == slept
        assert ASKED not in replies or client.matches["A"].responses[0] == "PASS"

    def test_a_connection_that_breaks_late_is_a_failure_too(self, folder, capsys):
        """After a second and a half it was taken for a long poll: asked again at once, and never told."""
        script, _ = run_script(folder, *[LOST] * 4, PollFailed("status 500", 500), ASKED, seconds=5)
        assert script.slept == [0.25, 0.5, 1, 2, 4]
        said = capsys.readouterr().err
        assert said.count("ConnectionError") == said.count("status 500") == said.count("answers again") == 1

    def test_waits_are_spread_and_have_an_end(self, folder):
        script, _ = run_script(folder, *[LOST] * 50, chance=random.Random(1))
        assert min(script.slept[10:]) > 30 and max(script.slept) < 60 and len(set(script.slept[10:])) == 40

    @pytest.mark.parametrize("begun", ["", " 200 OK\r\nA: ", " 200 OK\r\nContent-Length: 100000\r\n\r\n",
                                       " 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"],
                             ids=["status", "header", "body", "chunk"])
    def test_a_reply_that_drips_has_an_end(self, begun, monkeypatch):
        """A byte now and then kept the client reading for ever; then still one of a header, or of a chunk's size."""
        monkeypatch.setattr(address_module, "_MORE_SECONDS", 0.3)

        def drip(connection):
            connection.sendall(b"HTTP/1.1" + begun.encode())
            for _ in range(20):
                connection.sendall(b"x")
                time.sleep(0.05)

        with serve_once(drip) as url, pytest.raises(PollFailed, match="no whole reply in 0.2 s"):
            Address(url + PATH).poll({}, 0.2)

    def test_a_redirection_to_nowhere(self):
        """The library read its address, and what it raised ended the client."""
        reply = b"HTTP/1.1 302 X\r\nLocation: http://[::1/\r\nContent-Length: 0\r\n\r\n"
        with serve_once(lambda connection: connection.sendall(reply)) as url:
            with pytest.raises(PollFailed, match="status 302"):
                Address(url + PATH).poll({}, 5)

    @pytest.mark.parametrize("status", [301, 400, 401, 404])
    def test_an_address_that_is_none(self, folder, status):
        with pytest.raises(ProtocolError, match="status %d" % status):
            run_script(folder, PollFailed("status %d" % status, status))

    def test_a_server_that_is_not_there(self):
        with pytest.raises(PollFailed, match="ConnectionRefusedError"):
            Address("http://127.0.0.1:9" + PATH).poll({}, 0.1)


class TestOddReplies:
    def test_a_match_that_begins_in_its_midst_gets_legal_answers(self, folder):
        script, _ = run_script(folder, "1 0\nA\n2 T6", "1 0\nA\n3 1 PLAY W1", "0 0")
        assert script.sent == [{}, {"X-Match-A": "PLAY T6"}, {"X-Match-A": "PASS"}]

    def test_an_end_with_a_request_twice_or_of_an_unknown_match(self, folder):
        _, client = run_script(folder, ASKED, "1 1\nA\n1 0 0 0 0\nA 1 0", "0 2\nA 1 0\nB 2 4 0 0 0 0")
        assert client.finished == 1 and client.matches == {}


class TestFolder:
    def test_one_process_a_folder(self, folder):
        with pytest.raises(MahjongError, match="process .*uses it"):
            MatchFolder(folder.path)

    @pytest.mark.parametrize("text", ["", "[]", '{"requests": ["0 1 2"], "responses": []}',
                                      '{"requests": ["0 1 2"], "responses": ["a\\nb"]}',
                                      '{"requests": [3], "responses": ["PASS"]}', "[" * 10 ** 5,
                                      '{"requests": "ab", "responses": "cd"}', None])
    def test_damaged_files_and_a_link_to_nowhere(self, folder, text):
        """The link ended the client with a traceback, as brackets without an end did."""
        path = Path(folder.path, "A.json")
        path.symlink_to("nowhere") if text is None else path.write_text(text, encoding="utf-8")
        with pytest.raises(ProtocolError, match="A.json"):
            folder.load()

    def test_foreign_files_are_left_alone(self, folder, capsys):
        """A name that is no match's became part of a header, and every poll failed."""
        for name in ("my notes.json", "\u4e2d.json", ".json"):
            Path(folder.path, name).write_text('{"requests": ["0 1 2"], "responses": ["PASS"]}')
        assert folder.load() == {}
        assert capsys.readouterr().err.count("skipping") == 3

    def test_matches_of_long_ago_are_left_alone(self, folder, capsys):
        run_script(folder, ASKED)
        os.utime(os.path.join(folder.path, "A.json"), (0, 0))
        assert folder.load() == {}
        assert "skipping match A," in capsys.readouterr().err


class TestSecret:
    def test_nothing_shows_it(self, tmp_path, capfd, caplog, monkeypatch):
        """In stdout, stderr, logs at every level, the files: over faults that quote it, and in the library's errors."""
        monkeypatch.setattr(client_module, "_FORBIDDEN_WAIT", 0.0)
        monkeypatch.setattr(client_module, "_FIRST_WAIT", 0.0)
        caplog.set_level(logging.DEBUG)
        saved = tmp_path / "saved"
        with serving(LiveServer(2, drops=0.1, hold=0.3)) as server:
            server.faults = [502, None, 504, 403, None, 500, 429]
            words = ["live", server.url, "--output", str(saved), "--tactic", "random:seed=1"]
            monkeypatch.setattr("sys.argv", ["mj_bot"] + words)
            assert main(words + ["--matches", "2"]) == 0
            server.faults = [401]
            assert main(words) == 2
        out, err = capfd.readouterr()
        assert out.count("seat") == 2 and "status 502" in err and "status 401" in err
        text = out + err + caplog.text + "".join(
            path.read_text(encoding="utf-8") for path in saved.rglob("*") if path.is_file())
        for part in PATH.split("/")[2:4]:
            assert part not in text

    @pytest.mark.parametrize("error", [
        URLError("no such host: " + PATH), TimeoutError(PATH), IncompleteRead(PATH.encode()), ValueError(PATH),
        HTTPException(PATH),
    ])
    def test_tracebacks_do_not_show_it(self, error, monkeypatch):
        def fail(*details, **options):
            raise error

        monkeypatch.setattr(address_module, "fetch", fail)
        with pytest.raises(PollFailed) as caught:
            Address("https://example.org" + PATH).poll({}, 1)
        assert "secret" not in "".join(traceback.format_exception(caught.value))

    def test_a_reply_that_quotes_it(self):
        reply = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(PATH), PATH)
        with serve_once(lambda connection: connection.sendall(reply.encode())) as url:
            assert Address(url + PATH).poll({}, 5) == "/api/***/***/localai"

    @pytest.mark.parametrize("url", ["top-secret-word", "ftp://top-secret-word/a", "http:///top-secret-word",
                                     "http://[top-secret-word", "https://a/top-secret-word b", "https://a:x/top-secret",
                                     "https://a/top-secret-word\n", "https://a/top-secret-word%00",
                                     "https://a%0Ab/top-secret-word", "https://a..b/top-secret-word"])
    def test_addresses_that_are_none(self, url, capsys):
        assert main(["live", url]) == 2
        assert "expected the address" in capsys.readouterr().err
        with pytest.raises(MahjongError) as caught:
            Address(url)
        assert "secret-word" not in "".join(traceback.format_exception(caught.value))
