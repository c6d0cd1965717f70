"""Outside bots that misbehave: what they start, print and use."""

import re
import sys
import textwrap

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.play.server import make_app
from mj_bot.lab.play.session import Session
from mj_bot.lab.table import players
from mj_bot.lab.table.bot_process import list_processes
from mj_bot.lab.table.players import make_player
from tests.lab.table.bots import list_running, seat_bot

REQUEST = "0 0 0"
ANSWER = """
import json, os, sys, time
def answer():
    print(json.dumps({"response": "PASS"}))
    sys.stdout.flush()
"""


@pytest.fixture
def seat(tmp_path, monkeypatch):
    """Makes a player of the code of a bot, with answer() in it."""
    monkeypatch.setattr(players, "REPORTED", set())
    seated = []

    def seat(code, protocol="json", **limits):
        seated.append(seat_bot(tmp_path, ANSWER + textwrap.dedent(code), protocol, **limits))
        return seated[-1]

    yield seat
    for player in seated:
        player.end()


LEAVING = {
    "a child": "if os.fork() == 0: [os.close(n) for n in (0, 1, 2)]; time.sleep(60)",
    "a session": "if os.fork() == 0: os.setsid(); [os.close(n) for n in (0, 1, 2)]; time.sleep(60)",
    "a daemon": "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: [os.close(n) for n in (0, 1, 2)]; "
                "time.sleep(60)\n  os._exit(0)",
    "without its mark": "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: [os.close(n) for n in (0, 1, 2)]; "
                        "os.execve(sys.executable, [sys.executable, '-S', '-c', 'import time; time.sleep(60)', "
                        "__file__], {})\n  os._exit(0)",
    "children of children": "if os.fork() == 0:\n  os.setsid()\n  [os.close(n) for n in (0, 1, 2)]\n"
                            "  for _ in range(4):\n    if os.fork() == 0: os.setsid()\n  time.sleep(60)",
}


@pytest.mark.skipif(not list_processes(), reason="no /proc: expected Linux")
@pytest.mark.parametrize("protocol, after", [("json", "answer()"), ("json", "sys.exit(3)"), ("json", "time.sleep(60)"),
                                             ("json-keep", "answer(); print('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<', "
                                                           "flush=True); time.sleep(60)")])
@pytest.mark.parametrize("left", LEAVING)
def test_what_a_bot_leaves_ends_with_its_turn_or_its_game(seat, tmp_path, capfd, left, protocol, after):
    """After one game 165 processes lived on; those in a session of their own always did."""
    code = "%s\ntime.sleep(0.1)\n%s" % (LEAVING[left], after)
    player = seat(code, protocol, time_limit=0.5)
    verdict = player.respond(REQUEST).verdict
    assert verdict == ("RE" if "exit" in after else "TLE" if after == "time.sleep(60)" else "OK")
    if protocol == "json-keep":
        assert len(list_running(tmp_path / "bot.py")) > 1
        player.end()
    assert list_running(tmp_path / "bot.py") == []


@pytest.mark.skipif(not list_processes(), reason="no /proc: expected Linux")
def test_what_another_bot_has_started_stays(seat, tmp_path):
    """A bot that keeps running needs its helper in its next turn, whatever another bot's turn ends."""
    kept = seat(LEAVING["a daemon"] + "\ntime.sleep(0.1)\nanswer()\n"
                "print('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<', flush=True)\ntime.sleep(60)", "json-keep")
    assert kept.respond(REQUEST).verdict == "OK"
    running = list_running(tmp_path / "bot.py")
    other = make_player("simplified:echo PASS")
    other.begin()
    assert other.respond(REQUEST).verdict == "OK"
    assert list_running(tmp_path / "bot.py") == running and len(running) >= 2
    kept.end()
    assert list_running(tmp_path / "bot.py") == []


@pytest.mark.parametrize("code, verdict, told", [
    ("while True: os.write(2, b'x' * 65536)", "OLE", "OLE, expected at most 1 MB of output"),
    ("while True: os.write(1, b'x' * 65536)", "OLE", "OLE, expected at most 1 MB of output"),
    ("os.write(2, b'x' * 500000 + b'the end'); answer()", "OK", ""),
    ("os.write(2, b'x' * 500000 + b'the end'); sys.exit(1)", "RE", "xxthe end"),
    ("answer(); os.close(1); os.write(2, b'x' * 900000 + b'the end'); sys.exit(1)", "RE", "xxthe end"),
])
def test_what_a_bot_prints_is_limited(seat, capfd, code, verdict, told):
    """One turn wrote 2.4 GB of stderr to the disk."""
    assert seat(code, time_limit=2).respond(REQUEST).verdict == verdict
    assert told in capfd.readouterr().err


def test_a_bot_that_prints_much_after_its_answer_goes_on(seat):
    player = seat("""
        for turn in range(3):
            sys.stdin.readline()
            answer()
            print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
            os.write(2, b"x" * 300000)
    """, "json-keep", time_limit=5)
    assert [player.respond(REQUEST).verdict for _ in range(3)] == ["OK"] * 3


def test_codes_for_the_terminal_do_no_harm(seat, capfd):
    """A bot could clear the screen, set the title of the window, and turn the direction of writing."""
    seat(r"""
        print("\033]0;title\a\033[2J\033[31mred\r\u202etxt\x9b2J\b\ttab\u2066", file=sys.stderr)
        print("second line", file=sys.stderr)
        sys.exit(1)
    """).respond(REQUEST)
    told = capfd.readouterr().err
    assert "tab" in told and "\n    second line" in told
    assert all(line.isprintable() for line in told.split("\n"))


@pytest.mark.parametrize("response", [r"PLAY \033[2J\u202e", r"\033]0;x\a", r"<script>alert(1)</script>"])
def test_codes_in_an_answer_do_no_harm(seat, tmp_path, capfd, response):
    player = seat("print(json.dumps({'response': '%s', 'debug': '%s'}))" % (response, response))
    spec = "json:" + player.name
    log = tmp_path / "log.json"
    assert main(["referee", spec, "random", "random", "random", "--board", "full", "--log", str(log)]) == 1
    for command in (["review", str(log), "--tactic", "none", "-o", str(tmp_path / "a.html")],
                    ["replay", str(log), "--tactic", "random"], ["records", "check", str(log)]):
        main(command)
    said = capfd.readouterr()
    assert all(line.isprintable() for text in said for line in re.sub("[\t\r]", "", text).split("\n"))
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "\u202e" not in page and "\033" not in page


HUNGRY = {
    "itself": "data = b'x' * (400 << 20); time.sleep(60); answer()",
    "a child": "if os.fork() == 0: data = b'x' * (400 << 20); time.sleep(60)\ntime.sleep(60); answer()",
    "many children": "for _ in range(8):\n  if os.fork() == 0: data = b'x' * (50 << 20); time.sleep(60); os._exit(0)\n"
                     "time.sleep(60); answer()",
}


@pytest.mark.skipif(not list_processes(), reason="no /proc: expected Linux")
@pytest.mark.parametrize("what", HUNGRY)
def test_a_bot_that_eats_memory(seat, tmp_path, capfd, what):
    """Nothing stopped a bot that Botzone ends with the verdict MLE."""
    player = seat(HUNGRY[what], memory_limit=256)
    answer = player.respond(REQUEST)
    assert answer.verdict == "MLE" and answer.memory_mb > 256
    assert re.search(r"MLE, expected at most 256 MB of memory, used \d{3}\n", capfd.readouterr().err)
    assert list_running(tmp_path / "bot.py") == []


@pytest.mark.slow
def test_the_commands_take_a_limit_of_memory(tmp_path, capfd):
    path = tmp_path / "bot.py"
    path.write_text(ANSWER + HUNGRY["itself"])
    spec = "json:%s -S -E %s" % (sys.executable, path)
    assert main(["referee", spec, "random", "random", "random", "--board", "none", "--memory-limit", "100"]) == 1
    assert "MLE" in capfd.readouterr().out
    assert main(["arena", spec, "random", "--walls", "1", "--memory-limit", "100"]) == 2
    assert "got the verdict MLE on the first request" in capfd.readouterr().err


@pytest.fixture
def no_program(tmp_path):
    """The command of a file that the system does not execute."""
    path = tmp_path / "bot"
    path.write_text("echo hi")
    path.chmod(0o755)
    return "json:%s" % path


def test_a_bot_that_cannot_be_executed(no_program, tmp_path, capfd):
    """`referee` ended in a traceback, `play` answered with status 500."""
    told = "RE, expected a command that can be started: Exec format error"
    assert main(["referee", no_program, "random", "random", "random", "--board", "none"]) == 1
    said = capfd.readouterr()
    assert told in said.err and "Traceback" not in said.err and "RE" in said.out
    assert main(["arena", no_program, "random", "--walls", "1"]) == 2
    said = capfd.readouterr().err
    assert told in said and "got the verdict RE on the first request" in said and "Traceback" not in said
    session = Session([no_program] * 3, "random", str(tmp_path / "played"))
    client = make_app(session, 8136).test_client()
    own = {"Host": "127.0.0.1:8136", "Origin": "http://127.0.0.1:8136"}
    reply = client.post("/game/new", headers=own, json={
        "sequence": 0, "table": session.table, "seed": "3", "seat": 0, "practice": True, "games": 1,
        "opponents": [no_program] * 3, "rules": "botzone", "counts_fans": False})
    assert reply.status_code == 200 and "RE" in str(reply.json)


def test_a_bot_that_vanishes(tmp_path, monkeypatch, capfd):
    """A game ended in a traceback."""
    monkeypatch.setattr(players, "REPORTED", set())
    path = tmp_path / "bot"
    path.write_text("#!/bin/sh\nrm %s\necho '{\"response\": \"PASS\"}'" % path)
    path.chmod(0o755)
    assert main(["referee", "json:%s" % path, "random", "random", "random", "--board", "none"]) == 1
    said = capfd.readouterr()
    assert "RE, expected a command that can be started: No such file or directory" in said.err
    assert "Traceback" not in said.err
    assert main(["referee", "json:%s" % path, "random", "random", "random"]) == 2
    assert "expected a command that can be started, got" in capfd.readouterr().err
