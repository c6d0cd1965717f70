"""Botzone's wire: both interactions, kept running or not, and a legal answer whatever comes or fails."""

import contextlib
import functools
import io
import json
import os
import subprocess
import sys
import textwrap
import time
import types
import zipfile

import numpy as np
import pytest

from mj_bot import botzone, deadline
from mj_bot.botzone import JSON, KEEP_RUNNING, SIMPLIFIED, Bot, Reply
from mj_bot.last_resort import safest_action
from mj_bot.lab.table.game_referee import Referee
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.mahjong import fan
from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import parse_counts
from mj_bot.tactic import TACTICS
from mj_bot.tactic.rand import RandomTactic
from mj_bot.trouble import Printed, warn
from tests import wire_fuzz

ACTING = ["0 0 0", "1 0 0 0 0 W1 W2 W3 W5 W5 T1 T2 T3 B1 B2 B3 F1 F1", "2 J3"]
# Where a tactic may fail.
PLACES = {"__init__": lambda tactic: None, "loading": lambda *args: None, "__call__": lambda *args: ("PLAY", "W1")}
NEXT_FORMS = {
    "a raw line": lambda requests, responses: requests[-1],
    "a JSON text": lambda requests, responses: json.dumps(requests[-1]),
    "an object with the request": lambda requests, responses: json.dumps({"request": requests[-1]}),
    "an object with the new request": lambda requests, responses: json.dumps({"requests": requests[-1:]}),
    "an object with both new": lambda requests, responses: json.dumps(
        {"requests": requests[-1:], "responses": responses[-1:]}),
    "an object with all requests": lambda requests, responses: json.dumps(
        {"requests": requests, "responses": responses}),
}


def message(requests=ACTING):
    """The JSON line of a first input in which every earlier answer was PASS."""
    return botzone.format_input(requests, ["PASS"] * (len(requests) - 1), JSON).strip()


def serve(bot, text, keep_running=False):
    """What `bot` writes for the input `text`."""
    output = io.StringIO()
    botzone.run_bot(bot, io.BytesIO(text.encode()), output, keep_running=keep_running)
    return output.getvalue()


def test_a_byte_order_mark_is_no_part_of_the_input():
    """Such input got the answer of last resort."""
    for text in (message(), botzone.format_input(ACTING, ["PASS"] * 2, SIMPLIFIED)):
        output = serve(Bot("random:seed=1"), "\ufeff" + text)
        assert "PLAY" in output and "one of" in output and "Error" not in output and "expected" not in output
    state = GameState()
    state.load_json("\ufeff" + message())
    assert state.my_pid == 0


@pytest.fixture
def use_tactic(monkeypatch):
    """A function that registers a tactic class, or a tactic's __call__, and returns its name."""
    def register(tactic):
        module = types.ModuleType("tactic_under_test")
        module.Tactic = tactic if isinstance(tactic, type) else type("UnderTest", (), {"__call__": tactic})
        monkeypatch.setitem(sys.modules, "tactic_under_test", module)
        monkeypatch.setitem(TACTICS, "under_test", "tactic_under_test:Tactic")
        return "under_test"
    return register


def play_game(seed, seats):
    """Plays one game; seats: 4 functions of (requests, responses) to the response. Returns (referee, all requests)."""
    referee = Referee(wall_from_seed(seed), wind_from_seed(seed))
    requests, responses = [[], [], [], []], [[], [], [], []]
    while not referee.is_over:
        for seat in range(4):
            requests[seat].append(referee.requests[seat])
        answers = [seats[seat](requests[seat], responses[seat]) for seat in range(4)]
        for seat in range(4):
            responses[seat].append(answers[seat])
        referee.step(answers)
    return referee, requests


def started_each_turn(interaction):
    """A seat whose bot starts anew for every request."""
    def answer(requests, responses):
        output = serve(Bot("random"), botzone.format_input(requests, responses, interaction))
        return botzone.parse_reply(output, interaction).response
    return answer


def kept_running(interaction, format_next):
    """A seat whose bot is told each request once."""
    bot = Bot("random")

    def answer(requests, responses):
        if len(requests) == 1:
            return bot.reply(botzone.format_input(requests, responses, interaction).strip()).response
        return bot.reply(format_next(requests, responses)).response
    return answer


def straight(requests, responses):
    """The tactic's own answer, without the wire."""
    state = GameState().load_json({"requests": requests, "responses": responses})
    return format_action(RandomTactic()(state))


@functools.lru_cache(maxsize=None)
def list_requests(seed):
    """All requests of a game without the wire."""
    return play_game(seed, [straight] * 4)[1]


class TestGames:
    @pytest.mark.parametrize("interaction", [JSON, SIMPLIFIED])
    def test_started_each_turn_plays_as_the_tactic_does(self, interaction):
        seats = [started_each_turn(interaction)] + [straight] * 3
        referee, requests = play_game(1, seats)
        assert referee.verdict in ("HU", "HUANG")
        assert requests == list_requests(1)

    @pytest.mark.parametrize("form", NEXT_FORMS)
    def test_kept_running_plays_as_the_tactic_does(self, form):
        seats = [kept_running(interaction, NEXT_FORMS[form]) for interaction in (JSON, SIMPLIFIED, JSON, SIMPLIFIED)]
        for seed in range(3):
            assert play_game(seed, seats)[1] == list_requests(seed)


class TestInput:
    def test_a_lone_digit_is_no_count_once_the_bot_runs(self):
        """A cut-off request "2" was taken for a count, and the bot waited for lines that the platform never sends."""
        output = serve(Bot("random"), "\n".join([message(ACTING[:1]), "2", ACTING[1]]), keep_running=True)
        assert output.count('"response": "PASS"') == output.count(KEEP_RUNNING) == 3

    @pytest.mark.parametrize("data, more, lines", [
        ("data", "", ACTING), ("", '{"games": 3}', ACTING), ("7 8", "[1", ACTING), ("[" * 100_000, "", ACTING),
        ("", "", [ACTING[0], "", "", ACTING[1], " \r", ACTING[2]]),
    ])
    def test_blank_lines_and_what_an_earlier_bot_left_are_no_requests(self, data, more, lines):
        """What it left was answered, and each later answer came a turn too soon."""
        text = botzone.format_input(lines[:1], [], SIMPLIFIED, data=data, globaldata=more) + "\n".join(lines[1:]) + "\n"
        answers = serve(Bot("random"), text, keep_running=True).split(KEEP_RUNNING + "\n")
        assert [answer.split("\n")[0].split(" ")[0] for answer in answers] == ["PASS", "PASS", "PLAY", ""]

    def test_a_new_game_in_a_running_bot(self):
        bot = Bot("random")
        for request in (ACTING + ACTING):
            reply = bot.reply(message([request]) if request is ACTING[0] else request)
        assert reply.response.startswith("PLAY")
        assert "Error" not in reply.debug


class TestReply:
    @pytest.mark.parametrize("interaction", [JSON, SIMPLIFIED])
    def test_what_is_written_is_read_again(self, interaction):
        for reply in (Reply("PASS"), Reply("PLAY W1", "why"), Reply("HU", "", "data", "more")):
            assert botzone.parse_reply(botzone.format_reply(reply, interaction).rstrip("\n"), interaction) == reply

    @pytest.mark.parametrize("text", [
        "", "PASS", "[]", "{}", '{"response": 1}', '{"response": "PASS"} {}', "[" * 100_000,
    ])
    def test_no_reply(self, text):
        with pytest.raises(botzone.ProtocolError, match="expected"):
            botzone.parse_reply(text, JSON)

    def test_one_answer_without_marker_unless_asked(self):
        text = "\n".join([message(ACTING[:1]), ACTING[1]])
        assert serve(Bot("random"), text).count("\n") == 1
        lines = serve(Bot("random"), text, keep_running=True).splitlines()
        assert [line == KEEP_RUNNING for line in lines] == [False, True, False, True]

    def test_no_input_at_all_gets_a_pass(self):
        assert json.loads(serve(Bot("random"), ""))["response"] == "PASS"

    def test_debug_names_action_reasons_and_time(self):
        reply = Bot("random").reply(message())
        assert reply.debug.startswith(reply.response + ", ")
        assert " ms; one of 12" in reply.debug

    @pytest.mark.parametrize("reasons", ["x" * 5000, "\u4e2d" * 900, '"\\' * 900, "a\nb\r\n\0c", "", None, 7])
    @pytest.mark.parametrize("action", [("PLAY", "J3"), ("PLAY", "T9")])
    def test_debug_is_one_short_line(self, use_tactic, reasons, action):
        def chat(tactic, game_state):
            tactic.reasons = reasons
            return action

        output = serve(Bot(use_tactic(chat)), message())
        assert output.count("\n") == 1
        field = json.dumps(json.loads(output)["debug"])
        assert len(field) <= 1024
        assert "\\" not in field
        assert ("got ('PLAY', 'T9')" in field) == (action[1] == "T9")


class TestLastResort:
    @pytest.mark.parametrize("legal, hand, expected", [
        ([("PLAY", "W1"), ("PLAY", "F1"), ("PLAY", "W2")], "W1123 F1", ("PLAY", "F1")),
        ([("PLAY", "T5"), ("PLAY", "T9")], "T345 T9 J11", ("PLAY", "T9")),
        ([("HU", 8), ("PLAY", "W1")], "W1", ("HU", 8)),
        ([("PASS",), ("HU", 9), ("PENG", "W1")], "W11", ("HU", 9)),
        ([("PASS",), ("GANG",)], "W111", ("PASS",)),
        ([("PLAY", "W1")], "W3", ("PLAY", "W1")),
    ])
    def test_safest_action(self, legal, hand, expected):
        assert safest_action(legal, parse_counts(hand)) == expected

    @pytest.mark.parametrize("text, expected", [
        ("2 T6 x", ["PLAY T6"]), ("2 t6", ["PLAY T6"]), ("2  T6", ["PLAY T6"]), ('["2 T6', ["PLAY T6"]),
        (message()[:-40], ["PLAY J3"]), (message().replace('J3"', "J"), ["PLAY F1", "PLAY W5", "PLAY W1"]),
        (message().replace('"2 J3"', "null"), ["PASS"]), (message() + "}", ["PLAY J3"]),
        (json.dumps({"requests": ACTING + ["3 0 PLAY J3"], "responses": []}), ["PASS"]),
        (message().replace('["0', '[{"0').replace("]", '], "time_limit": 2', 1), ["PLAY J3"]),
        ("3\n%s\nPASS\n%s\nPASS\n2 J3 J3 \u00e9" % tuple(ACTING[:2]), ["PLAY J3"]), ("1\u00b2", ["PASS"]),
    ])
    def test_a_damaged_own_draw_is_answered_by_a_discard(self, text, expected):
        """It was passed, which costs 30 points; and the count line 1\u00b2 was an error of Python."""
        output = serve(Bot("random"), text + "\n")
        response = output.split("\n")[0] if text[0] in "123" else json.loads(output)["response"]
        assert response in expected and ("ProtocolError" in output or "InvalidTileError" in output)

    def test_a_damaged_draw_of_a_kept_bot_is_answered_from_the_known_hand(self):
        bot = Bot("random")
        for line in (message(ACTING[:1]), ACTING[1]):
            bot.reply(line)
        assert bot.reply("2 ?").response == "PLAY F1"

    def test_a_broken_history_is_not_trusted_again(self):
        """After a refused request the hand is unknown: every own draw is discarded, until a whole history comes."""
        bot = Bot("random")
        bot.reply(message(ACTING[:1]))
        lines = [ACTING[1], "3 0 PLAY W9", "2 T5", "3 0 PLAY T5", "2 B9"]
        answers = [bot.reply(line).response for line in lines]
        assert answers == ["PASS", "PASS", "PLAY T5", "PASS", "PLAY B9"]
        healed = bot.reply(message())
        assert "one of 12" in healed.debug

    def test_missing_answer_in_the_history(self):
        """A null among the responses was skipped as if nothing had been asked."""
        line = json.dumps({"requests": ACTING, "responses": ["PASS", None]})
        reply = Bot("random").reply(line)
        assert reply.response == "PLAY J3"
        assert "ProtocolError" in reply.debug

    @pytest.mark.parametrize("answer", [("PLAY", "T9"), ("PASS",), ("HU", 8), ["PLAY", "W1"], None, 3, "PLAY W1"])
    def test_a_wrong_move_is_replaced(self, use_tactic, answer, capsys):
        reply = Bot(use_tactic(lambda tactic, game_state: answer)).reply(message())
        assert reply.response == "PLAY J3"
        assert "TacticError: under_test: illegal action, " in reply.debug
        assert "Traceback" in capsys.readouterr().err

    def test_the_answer_is_the_text_of_a_legal_action_that_equals_the_tactics(self, use_tactic):
        """It was the tactic's own text, of a class with another idea of equality."""
        tile = type("Tile", (str,), {"__eq__": lambda self, other: self[:2] == other, "__hash__": str.__hash__})
        reply = Bot(use_tactic(lambda tactic, game_state: ("PLAY", tile("W1 red")))).reply(message())
        assert reply.response == "PLAY W1"

    @pytest.mark.parametrize("failure", [RuntimeError("boom"), SystemExit(3), RecursionError(), MemoryError(),
                                         AssertionError("x" * 3000), type("OwnClock", (BaseException,), {})()])
    @pytest.mark.parametrize("place", PLACES)
    def test_a_crash_is_replaced(self, use_tactic, failure, place, capsys):
        def fail(*args):
            raise failure

        reply = Bot(use_tactic(type("Crash", (), dict(PLACES, **{place: fail})))).reply(message())
        assert reply.response == "PLAY J3"
        assert len(reply.debug) <= 1000
        assert type(failure).__name__ in capsys.readouterr().err

    def test_a_crash_in_a_file_that_is_not_utf8(self, tmp_path, monkeypatch):
        """The traceback could not quote the file: there was no answer."""
        code = "class Tactic:  # \u4e2d\u6587\n    def __call__(self, game_state):\n        return 1 / 0"
        with zipfile.ZipFile(str(tmp_path / "bot.pyz"), "w") as archive:
            archive.writestr("in_gbk.py", code.encode("gbk"))
        monkeypatch.syspath_prepend(str(tmp_path / "bot.pyz"))
        monkeypatch.setitem(TACTICS, "in_gbk", "in_gbk:Tactic")
        reply = Bot("in_gbk").reply(message())
        assert reply.response == "PLAY J3" and "in_gbk: RE, ZeroDivisionError: division by zero (line 3" in reply.debug

    @pytest.mark.parametrize("line", ["9" * 10 ** 6, '{"requests": [%s]}' % ("9" * 10 ** 6), "9" * 5, "1" * 10 ** 4,
                                      json.dumps({"requests": ["\n" * 10 ** 5]})])
    def test_long_numbers_and_many_line_breaks_take_no_time(self, line):
        """A line of a million digits took ten seconds and more, outside the budget, and 100,000 line breaks longer."""
        output = serve(Bot("random"), line)
        assert "PASS" in output and "ProtocolError" in output

    def test_a_closed_stdin_gets_a_pass(self):
        """There was no answer: Python has no stdin then."""
        result = subprocess.run("exec %s -m mj_bot --tactic random <&-" % sys.executable, shell=True,
                                stdout=subprocess.PIPE, cwd=wire_fuzz.REPOSITORY)
        assert json.loads(result.stdout.decode())["response"] == "PASS"

    def test_a_stdin_that_cannot_be_read_gets_a_pass(self, capsys):
        class Broken:
            def readline(self, size):
                raise OSError("no such disk")

        output = io.StringIO()
        botzone.run_bot(Bot("random"), Broken(), output)
        assert json.loads(output.getvalue())["response"] == "PASS" and "no such disk" in capsys.readouterr().err

    def test_unknown_tactic_still_answers(self):
        assert Bot("no such thing").reply(message()).response == "PLAY J3"

    def test_what_a_tactic_prints_is_no_answer(self, use_tactic, monkeypatch, capsys):
        def think(tactic, game_state):
            print("thinking aloud")
            return ("PLAY", "W1")

        monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(message().encode())))
        monkeypatch.setattr(sys, "stdout", sys.stdout)
        monkeypatch.setattr(botzone, "read_process_age", float)
        botzone.run(use_tactic(think))
        printed = capsys.readouterr()
        assert json.loads(printed.out)["response"] == "PLAY W1"
        assert printed.err.startswith("mj_bot: stdout is for the answer alone, but line ")
        assert "printed 'thinking aloud'" in printed.err

    def test_a_tactic_may_print_where_stderr_is_closed(self, monkeypatch):
        """The print raised an error, and another action was the answer."""
        monkeypatch.setattr(sys, "stderr", None)
        print("thinking aloud", file=Printed(warn))


class TestBudget:
    def test_the_import_of_a_kept_bot_is_not_cut_short(self, tmp_path, monkeypatch):
        """The alarm rang inside `import numpy`, which then could not be imported again for the rest of the game."""
        (tmp_path / "slow_to_import.py").write_text(textwrap.dedent("""
            import time
            from mj_bot.tactic.rand import RandomTactic
            start = time.perf_counter()
            while time.perf_counter() < start + 0.3:
                pass
        """))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setitem(TACTICS, "slow_to_import", "slow_to_import:RandomTactic")
        bot = Bot("slow_to_import", budget=0.2, keep_running=True)
        replies = [bot.reply(message(ACTING[:1]))]
        replies += [bot.reply(line) for line in ACTING[1:]]
        assert "one of 12" in replies[-1].debug and not [reply for reply in replies if "Error" in reply.debug]

    def test_a_kept_bot_recovers_from_a_cut(self, use_tactic):
        class Slow(RandomTactic):
            waits = [60]

            def __call__(self, game_state):
                time.sleep(self.waits.pop() if self.waits else 0)
                return RandomTactic.__call__(self, game_state)

        bot = Bot(use_tactic(Slow), budget=0.2, keep_running=True)
        cut = bot.reply(message())
        assert cut.response == "PLAY J3" and "BudgetExceeded" in cut.debug
        lines = ["3 0 PLAY J3"] + ["3 %d %s" % (seat, event) for seat in (1, 2, 3) for event in ("DRAW", "PLAY F4")]
        for line in lines:
            bot.reply(line)
        assert "one of 12" in bot.reply("2 J3").debug

    @pytest.mark.parametrize("place", PLACES)
    def test_endless_thought_is_cut_short(self, use_tactic, place):
        def spin(*args):
            while True:
                pass

        tactic = use_tactic(type("Endless", (), dict(PLACES, **{place: spin})))
        reply = Bot(tactic, budget=0.05).reply(message())
        assert reply.response == "PLAY J3"
        assert "BudgetExceeded" in reply.debug

    def test_a_tactic_that_swallows_the_end_is_told_again(self, use_tactic, monkeypatch):
        monkeypatch.setattr(deadline, "_REPEAT", 0.05)
        swallowed = []

        def ignore(tactic, game_state):
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    swallowed.append(1)
                    if len(swallowed) > 2:
                        raise

        assert Bot(use_tactic(ignore), budget=0.05).reply(message()).response == "PLAY J3"
        assert len(swallowed) == 3

    @pytest.mark.parametrize("seconds, is_cut", [(0.2, False), (60, True)])
    def test_time_to_compile_does_not_count(self, seconds, is_cut):
        """A limit that ended right after the compiler counted the compiler's time."""
        source = "while time.perf_counter() < end: pass"
        run = {name: types.FunctionType(compile(source, name, "exec"), {"__name__": name, "time": time, "end": 0})
               for name in ("numba.core", "own")}

        def work():
            for name, length in (("numba.core", 0.5), ("own", seconds)):
                run[name].__globals__["end"] = time.perf_counter() + length
                run[name]()

        with pytest.raises(deadline.BudgetExceeded) if is_cut else contextlib.nullcontext():
            deadline.call_until(time.perf_counter() + 0.6, work)

    @pytest.mark.parametrize("best, response", [(("PLAY", "W2"), "PLAY W2"), (("PLAY", "T9"), "PLAY J3"),
                                                (None, "PLAY J3"), ([], "PLAY J3"),
                                                (("PLAY", np.array(["W1", "W2"])), "PLAY J3")])
    def test_the_best_action_so_far_is_the_answer_when_time_is_up(self, use_tactic, best, response):
        """Arrays cannot be compared with the legal actions: there was no answer."""
        def think(tactic, game_state):
            tactic.best = best
            while True:
                pass

        reply = Bot(use_tactic(think), budget=0.2).reply(message())
        assert reply.response == response and ("best action so far" in reply.debug) == (response == "PLAY W2")

    def test_the_best_action_of_an_earlier_decision_is_no_answer(self, use_tactic):
        class SlowToLoad(object):
            best = None

            def loading(self, game_state, player_id, action):
                while self.best:
                    pass

            def __call__(self, game_state):
                self.best = ("PLAY", "W2")
                return ("PLAY", "J3")

        bot = Bot(use_tactic(SlowToLoad), budget=0.5, keep_running=True)
        for line in [message(), "3 0 PLAY J3"] + ["3 %d %s" % (seat, event) for seat in (1, 2, 3)
                                                  for event in ("DRAW", "PLAY F4")]:
            bot.reply(line)
        assert bot.reply("2 J1").response == "PLAY J1"

    @pytest.mark.parametrize("name", ["cnn", "rule_based", "search"])
    def test_a_tactic_leaves_its_best_action(self, name):
        bot = Bot(name, budget=100)
        reply = bot.reply(message())
        assert format_action(bot._tactic.best) == reply.response

    def test_the_clock_starts_with_the_process(self, use_tactic):
        reply = Bot(use_tactic(RandomTactic), budget=3).reply(message(), start=time.perf_counter() - 4)
        assert reply.response == "PLAY J3" and "no time left" in reply.debug
        code = "from mj_bot.deadline import read_process_age; print(read_process_age())"
        start = time.perf_counter()
        age = float(subprocess.check_output([sys.executable, "-S", "-c", code], cwd=wire_fuzz.REPOSITORY))
        assert 0 <= age <= time.perf_counter() - start + 0.02 and (age or not sys.platform.startswith("linux"))

    def test_no_alarm_is_left(self):
        signal = pytest.importorskip("signal")
        before = signal.getsignal(signal.SIGALRM)
        Bot("random").reply(message())
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is before


def test_loading_tells_each_earlier_action_once_on_the_state_right_after_it(use_tactic):
    seen = []

    class Watching(RandomTactic):
        def loading(self, game_state, player_id, action):
            assert game_state.history[-1] == (player_id, action)
            seen.append((player_id, action))

        def __call__(self, game_state):
            assert seen == game_state.history
            return RandomTactic.__call__(self, game_state)

    bot = Bot(use_tactic(Watching))
    asked = []

    def watch(requests, responses):
        line = message(requests) if len(requests) == 1 else requests[-1]
        reply = bot.reply(line)
        assert "Error" not in reply.debug, reply.debug
        asked.append("; " in reply.debug)
        return reply.response

    referee, _ = play_game(2, [straight, watch, straight, straight])
    assert referee.verdict in ("HU", "HUANG")
    assert sum(asked) > 5


@pytest.mark.parametrize("count, seed", [(300, 1), pytest.param(20000, 2, marks=pytest.mark.slow)])
def test_broken_inputs(count, seed):
    assert wire_fuzz.run_fuzz(count, seed) is None


@pytest.mark.parametrize("content, is_told", [("raise ImportError('no such library')", True),
                                              ("raise OSError('wrong build')", False), ("oops(", False)])
def test_without_mahjonggb(tmp_path, content, is_told):
    """A library that is missing or does not load costs wins, never an illegal answer.

    A bot without it once discarded from a winning hand and said nothing.
    """
    (tmp_path / "MahjongGB.py").write_text(content)
    environment = dict(os.environ, PYTHONPATH=str(tmp_path))
    for requests, expected in ((ACTING[:2], "PASS"), (ACTING, "PLAY")):
        result = subprocess.run([sys.executable, "-m", "mj_bot", "--tactic", "random"], input=message(requests),
                                capture_output=True, text=True, env=environment, cwd=wire_fuzz.REPOSITORY)
        answer = json.loads(result.stdout)
        assert answer["response"].split(" ")[0] == expected
        assert (botzone.BLIND in answer["debug"]) == is_told
        assert (result.stderr == "mj_bot: %s\n" % botzone.BLIND) == is_told
        assert result.stderr


def test_a_bot_that_sees_no_win_says_so_at_every_answer(monkeypatch, capsys):
    monkeypatch.setattr(fan, "IS_AVAILABLE", False)
    bot = Bot("random")
    assert [botzone.BLIND in bot.reply(line).debug
            for line in (message(ACTING[:1]), *ACTING[1:])] == [True] * 3
    assert capsys.readouterr().err.count(botzone.BLIND) == 3
