"""Players at the referee's table; whole games with them are in test_match.py."""

import sys
import time
from pathlib import Path

import pytest

from mj_bot.botzone import JSON, KEEP_RUNNING
from mj_bot.lab.__main__ import main
from mj_bot.lab.engine import Engine
from mj_bot.lab.table import players
from mj_bot.lab.table.choosers import find_engine_obstacle, load_chooser
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import PLAYERS, ProcessPlayer, make_player
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.lab.play.terminal import summarise
from mj_bot.mahjong.errors import MahjongError
from mj_bot.tactic.search import SearchTactic
from mj_bot.trouble import describe_error
from tests.lab.table.bots import seat_bot

SAMPLES = Path(__file__).parents[3] / "data" / "samples"


def test_a_kept_bot_that_ends_by_itself_can_be_left(tmp_path):
    """Ending a process that had just ended reaped it twice: ChildProcessError after the last turn of a game."""
    player = seat_bot(tmp_path, "print('{\"response\": \"PASS\"}\\n%s')" % KEEP_RUNNING, "json-keep")
    assert player.respond("0 0 0").verdict == "OK"
    time.sleep(0.5)  # until it has ended; nothing else tells without reaping it
    player.end()


@pytest.mark.parametrize("interaction, code", [
    ("json", "import json; seen = json.loads(input()); "
             "print(json.dumps({'response': 'PASS', 'debug': seen['data'], 'data': seen['data'] + 'x'}))"),
    ("simplified", "import sys; seen = sys.stdin.read().split('\\n')[-3]; "
                   "print('PASS', seen, seen + 'x', sep='\\n')"),
])
def test_what_a_bot_remembers_is_given_back_in_the_same_game(tmp_path, interaction, code):
    player = seat_bot(tmp_path, code, interaction)
    for _ in range(2):
        player.begin()
        assert [player.respond("0 0 0").debug for _ in range(3)] == ["", "x", "xx"]


@pytest.mark.parametrize("code, verdict, problem", [
    ("import sys; sys.exit('cannot work like this')", "RE", "expected exit code 0, got 1"),
    ("import sys; print('cannot work like this', file=sys.stderr); print('PASS')", "NJ", "expected JSON, got 'PASS"),
    ("import sys, time; print('cannot work like this', file=sys.stderr, flush=True); time.sleep(60)", "TLE",
     "expected an answer within 1 s"),
])
def test_a_bot_that_fails_is_heard_once(tmp_path, capfd, code, verdict, problem):
    """Its stderr was thrown away, and its author saw two letters."""
    player = seat_bot(tmp_path, code, time_limit=0.5)
    for _ in range(2):
        player.begin()
        assert player.respond("0 0 0").verdict == verdict
    told = capfd.readouterr().err
    assert "bot.py: %s, %s" % (verdict, problem) in told
    assert told.count("cannot work like this") == 1


@pytest.mark.parametrize("protocol, code, hint", [
    ("json", "print('PASS')", "the bot seems to answer in the other interaction: name it as simplified:COMMAND"),
    ("simplified", "print('{\"response\": \"PASS\"}')", "in the other interaction: name it as json:COMMAND"),
    ("json", "int(input())", "if it reads the other interaction, name it as simplified:COMMAND"),
    ("simplified", "import json; json.loads(input())['requests']", "interaction, name it as json:COMMAND"),
    ("json-keep", "input(); print('{\"response\": \"PASS\"}', flush=True); input()",
     "it never printed the line >>>BOTZONE_REQUEST_KEEP_RUNNING<<<, which keeps it running"),
])
def test_a_wrong_protocol_is_named(tmp_path, capfd, protocol, code, hint):
    """The author saw only a traceback of his own bot, or that its time was up."""
    player = seat_bot(tmp_path, code, protocol, time_limit=0.5)
    assert player.respond("0 0 0").verdict != "OK"
    player.end()
    assert hint in capfd.readouterr().err


def test_a_bot_that_ends_its_output_and_lives_on_is_too_late():
    """The referee waited for its end without a limit."""
    player = ProcessPlayer("sh -c 'echo {}; exec 1>&-; sleep 60'", JSON, time_limit=0.5)
    player.begin()
    start = time.perf_counter()
    assert player.respond("0 0 0").verdict == "TLE"
    assert time.perf_counter() - start < 10


def test_a_bot_whose_command_ends_as_another_does_is_reported_too(tmp_path, monkeypatch, capfd):
    """Its failure passed for that of the other."""
    monkeypatch.setattr(players, "REPORTED", set())
    for command in ("sh -c 'exit 3'", "/bin/sh -c 'exit 3'", "sh -c 'exit 3'"):
        player = ProcessPlayer(command, JSON)
        player.begin()
        assert player.respond("0 0 0").verdict == "RE"
    assert capfd.readouterr().err.count("got 3") == 2


def test_a_line_break_that_comes_after_the_marker(tmp_path):
    """The next answer of a bot that writes each piece at once began with an empty line, which was no response."""
    player = seat_bot(tmp_path, """
        import sys, time
        for line in iter(sys.stdin.readline, ""):
            if line[:2] in ("0 ", "2 "):
                for piece in ("PASS\\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<", "\\n"):
                    sys.stdout.write(piece)
                    sys.stdout.flush()
                    time.sleep(0.1)
    """, "simplified-keep")
    assert [player.respond(request).response for request in ("0 0 3", "2 W1", "2 W2")] == ["PASS"] * 3
    player.end()


def test_a_file_in_place_of_a_command():
    """referee mj_bot.pyz named the tactics and not how a bot is written."""
    with pytest.raises(MahjongError, match="got 'mj_bot.pyz'; an outside bot is json:COMMAND"):
        make_player("mj_bot.pyz")


def choose_first(tactic, *_):
    return 0


@pytest.mark.parametrize("methods, obstacle", [
    (("decide",), "it replaces decide,"), (("decide", "choose"), "it replaces decide,"),
    (("__call__", "choose"), "it replaces __call__,"), (("loading", "choose"), "it has a method loading,"),
    (("choose",), ""), (("__init__",), "")])
def test_an_own_rule_is_not_skipped_for_an_inherited_choose(monkeypatch, methods, obstacle):
    """The arena played a subclass of search with search's own choose, without the rule of the subclass."""
    own = type("Own", (SearchTactic,), dict.fromkeys(methods, choose_first))
    monkeypatch.setattr(sys.modules[__name__], "Own", own, raising=False)
    monkeypatch.setitem(PLAYERS, "own", __name__ + ":Own")
    assert find_engine_obstacle("own").startswith(obstacle) and bool(find_engine_obstacle("own")) == bool(obstacle)


@pytest.fixture
def seat_broken(tmp_path, monkeypatch):
    """Makes the code of a module the player "broken"."""
    def seat(code, place="broken:Broken"):
        (tmp_path / "broken.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "broken", raising=False)
        monkeypatch.setitem(PLAYERS, "broken", place)
        monkeypatch.setattr(players, "REPORTED", set())
    return seat


FAILING = """class Broken(object):
    def __init__(self):
        %s

    def __call__(self, game_state):
        %s
        return game_state.action_space()[0]
"""
# A loop that nothing but SIGKILL ended.
SWALLOWING = """import time
        while True:
            try:
                time.sleep(0.01)
            except:
                continue"""


@pytest.mark.parametrize("body, verdict, told", [
    ("[][1]", "RE", "RE, IndexError: list index out of range (line 6 of "),
    ("raise SystemExit(3)", "RE", "RE, SystemExit: 3 (line 6 of "),
    ("while True: pass", "TLE", "TLE, expected an answer within 0.2 s (line 6 of "),
    (SWALLOWING, "TLE", "TLE, expected an answer within 0.2 s (line "),
    ("return ('PLAY', 'W0')", "illegal action (WA)", "illegal action, expected one of [('PLAY', "),
    ("return list(game_state.action_space()[0])", "illegal action (WA)", "illegal action, expected one of "),
    ("import numpy; return numpy.zeros(2)", "illegal action (WA)", "illegal action, expected one of "),
    ("return ('HU', 88)", "WH", "illegal action, expected one of "),
    ("print('hello')", "OK", "line 6 of "),
])
def test_a_failure_of_a_tactic_is_a_line_with_its_place(seat_broken, capsys, body, verdict, told):
    seat_broken(FAILING % ("pass", body))
    record = play_game([make_player("broken", 0.2)] + [make_player("random", 20) for _ in range(3)],
                       wall_from_seed(0), 0)
    said = capsys.readouterr()
    assert told in said.err and "broken.py" in said.err and "Traceback" not in said.err and not said.out
    assert said.err.count("broken: ") == 1 and verdict in summarise(record).splitlines()[1]
    assert verdict == "OK" or record.scores == [-30, 10, 10, 10]
    for command in ("replay", "review"):
        assert main([command, str(SAMPLES / "draw.json"), "--tactic", "broken", "--time-limit", "0.2"]) == 2 * (
            verdict != "OK")
        said = capsys.readouterr().err
        assert (verdict == "OK" or told in said and "broken.py" in said) and "Traceback" not in said


@pytest.mark.parametrize("place, code, told", [
    ("broken2:Broken", "pass", "expected the module broken2"), ("broken:Brokn", "pass", "expected the class Brokn"),
    ("broken.Broken", "pass", "expected 'broken' in TACTICS as 'module:class', got 'broken.Broken'"),
    ("broken:Broken", "{}['x']", "broken: RE, KeyError: 'x' (line 3 of "),
    ("broken:Broken", "open('no.npz')", "mj_bot.tactic.read_weight_file opens a tactic's file everywhere"),
    ("broken:Broken", "while True: pass", "broken: TLE, expected an answer within 0.5 s (line 3 of "),
    ("broken:Broken", "(", "broken: RE, SyntaxError: '(' was never closed (line 3 of "),
    ("broken:Broken", "import nosuch", "RE, ModuleNotFoundError: No module named 'nosuch' (line 3 of "),
    ("broken:Broken", "raise SystemExit(3)", "broken: RE, SystemExit: 3 (line 3 of "),
])
def test_a_tactic_that_cannot_be_made(seat_broken, tmp_path, capsys, place, code, told):
    seat_broken(FAILING % (code, "pass"), place)
    seconds = 0.1 if "while" in code else 0.2
    with pytest.raises(MahjongError) as raised:
        make_player("broken", seconds)
    assert told in str(raised.value)
    for words in (["live", "http://127.0.0.1:9/a", "--tactic", "broken", "-o", str(tmp_path)],
                  ["arena", "broken", "random", "--walls", "1"]):
        assert main([*words, "--time-limit", str(seconds)]) == 2 and told in capsys.readouterr().err


def test_an_import_without_an_end(seat_broken, monkeypatch):
    """referee, arena and replay waited for it without a line."""
    seat_broken("\nwhile True: pass")
    monkeypatch.setattr(players, "_IMPORT_SECONDS", 0.2)
    with pytest.raises(MahjongError, match=r"broken: TLE, expected an answer within 0.2 s \(line 2 of "):
        make_player("broken", 0.2)


def test_a_tactic_may_change_its_state(seat_broken):
    """The referee's own state changed: the game went on with other tiles, and review ended in a traceback."""
    seat_broken(FAILING % ("pass", "game_state.history.clear(); game_state.hand_counts[0] += 1; game_state.my_pid = 2"))
    player = make_player("broken")
    player.begin()
    for request in ("0 0 0", "1 0 0 0 0 W1 W1 W1 W1 B2 B2 B2 B2 T3 T3 T3 T3 F1"):
        player.respond(request)
    player.state.apply("2 F2")
    player.decide(player.state.action_space(), "2 F2")
    assert (player.state.my_pid, sum(player.state.hand_counts)) == (0, 14) and player.state.history


def test_a_module_that_fails(seat_broken, capsys):
    """A wrong import ended in a traceback and sys.exit() silently; a package of the workshop names what sets it up."""
    for line, told in (("import nosuch", "No module named 'nosuch' (line 1 of "),
                       ("import ray.nosuch", "run `make ray`"), ("raise SystemExit(3)", "SystemExit: 3 (line 1 of ")):
        seat_broken(line + "\n")
        assert main(["referee", "broken", "random", "random", "random"]) == 2
        assert told in capsys.readouterr().err


CHOOSING = """from mj_bot.tactic.base import Tactic

class Broken(Tactic):
    def choose(self, observations, masks):
        %s
        return masks.argmax(1)
"""


@pytest.mark.parametrize("body, told", [
    ("[][1]", "broken: RE, IndexError: list index out of range (line 5 of "),
    ("raise SystemExit(3)", "broken: RE, SystemExit: 3 (line 5 of "),
    ("while True: pass", "broken: TLE, expected an answer within 0.75 s (line 5 of "),
    ("return masks.argmax(1) * 0 + 138", " with the hand "),
    ("return masks.argmax(1) * 0 + 235", "got 235 (choose at line 4 of "),
    ("return masks", "broken: illegal action, expected an array int[32], got bool[32, 235] (choose at line 4 of "),
    ("return masks.argmax(1) * 1.5", "got float64[32] (choose at line 4 of "),
    ("return None", "got None (choose at line 4 of "),
    ("print('hello')", ""),
])
def test_a_failure_of_choose_is_a_line_with_its_place(seat_broken, capsys, body, told):
    """The engine's match ended in a traceback, or never."""
    seat_broken(CHOOSING % body)
    engine = Engine(32)
    engine.reset()
    chooser = load_chooser("broken", 0.05 if "while" in body else 0.2)
    if told:
        with pytest.raises(MahjongError) as raised:
            chooser(engine.observations(), engine.mask())
        assert told in str(raised.value)
    else:
        assert len(chooser(engine.observations(), engine.mask())) == 32
        said = capsys.readouterr()
        assert not said.out and said.err.count("line 5 of ") == 1


@pytest.mark.parametrize("command", ["replay", "review"])
@pytest.mark.parametrize("code, told", [
    *((FAILING % ("pass", body), "RE, ValueError: " + told) for body, told in (
        ("self.ranked = [(game_state.action_space()[0], 'high')]", "could not convert string to float: 'high'"),
        ("self.ranked = [(game_state.action_space()[0], float('nan'))]", "expected finite numbers in ranked and"),
        ("self.ranked = 'high'", "expected pairs of a legal action and its value in ranked, got 'h'"),
        ("self.ranked = [(('PLAY', 'W0'), 1)]",
         "expected pairs of a legal action and its value in ranked, got (('PLAY'"),
        ("self.value_error = 'a'", "could not convert string to float: 'a'"),
        ("self.value_error = 1e999, 0", "expected finite numbers in ranked and value_error, got inf"))),
    *((CHOOSING % body, "illegal action, expected " + told) for body, told in (
        ("return masks.argmax(1) * 0 + 138", "one of "), ("return list(masks.argmax(1))", "an array int["),
        ("return None", "an array int[1], got None (choose at line 4 of "),
        ("return masks.argmax(1)[1:]", "an array int[1], got int64[0] (choose at line 4 of "))),
    (CHOOSING.replace("choose", "chose") % "pass", "RE, expected a method evaluate, choose or decide in Broken, "
     "there is none"),
])
def test_wrong_answers_and_remarks_of_a_tactic_are_a_line(seat_broken, capsys, command, code, told):
    """review ended in a traceback at remarks, and choices were a KeyError without a line, or were taken."""
    seat_broken(code)
    assert main([command, str(SAMPLES / "draw.json"), "--tactic", "broken"]) == 2
    assert "%s: broken: %s" % (command, told) in capsys.readouterr().err


def test_an_error_in_another_file_of_the_folder_names_both_lines():
    """Only the tactic's own line was named, which is not where the error is."""
    own, other = {"__name__": "folder.own"}, {"__name__": "folder.other"}
    exec(compile("def help(): return 1 / 0", "other.py", "exec"), other)
    exec(compile("def ask(help):\n    return help()", "own.py", "exec"), own)
    with pytest.raises(ZeroDivisionError) as raised:
        own["ask"](other["help"])
    assert describe_error(raised.value, "folder.own").endswith("zero (line 2 of own.py, line 1 of other.py)")
