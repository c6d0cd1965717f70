"""Whole games: tactics and outside bots at the table, the log, the board, the command line."""

import json
import sys

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.botzone.match_log import parse_log
from mj_bot.lab.table.board import format_board
from mj_bot.lab.table.match import play_fast, play_game
from mj_bot.lab.table.players import ProcessPlayer, make_player
from mj_bot.lab.table.record import rebuild_wall
from mj_bot.lab.table.game_referee import DISCARDED, DRAWN, Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.errors import UnknownTacticError
from tests.golden_games import read_games, with_samples
from tests.lab.table.bots import write_bot


@pytest.fixture
def make_bot(tmp_path):
    """A ProcessPlayer that misbehaves at turn `bad`."""
    def make(misbehaviour="pass", bad=0, keep=False, time_limit=5):
        return ProcessPlayer(write_bot(tmp_path, misbehaviour, bad, keep), "json", keep, time_limit=time_limit)
    return make


def make_tactics(count):
    return [make_player("random:seed=%d" % seed) for seed in range(count)]


def test_the_same_seeds_play_the_same_game():
    games = [play_game(make_tactics(4), wall_from_seed(9), 1) for _ in range(2)]
    one, other = ([[answer.response for answer in step.answers] for step in game.steps] for game in games)
    assert one == other
    assert play_fast(make_tactics(4), wall_from_seed(9), 1).scores == games[0].scores == games[1].scores


class TestOutsideBots:
    @pytest.mark.parametrize("keep", [False, True], ids=["started every turn", "kept running"])
    def test_a_whole_game(self, make_bot, keep):
        # One of the shortest games: 34 turns.
        record = play_game([make_bot(keep=keep)] + make_tactics(3), wall_from_seed(13), 0)
        assert {step.answers[0].verdict for step in record.steps} == {"OK"}
        assert record.closing["action"] in ("HU", "HUANG")
        assert max(step.answers[0].memory_mb for step in record.steps) > 0

    def test_the_memory_is_that_of_the_bot_alone(self):
        """It was that of the referee where the referee has more. A bot of less than 20 ms may not be measured."""
        bot = make_player("json:%s -c \"import time; input(); time.sleep(0.2); print('[]')\"" % sys.executable)
        held = np.ones(200 << 20, np.uint8)
        bot.begin()
        assert 0 < bot.respond("0 0 0").memory_mb < 100 < held.nbytes >> 20

    @pytest.mark.parametrize("misbehaviour, verdict", [
        ("raise ValueError", "RE"), ("sys.exit(3)", "RE"), ("print('garbage'); sys.exit()", "NJ"), ("sys.exit()", "NJ"),
        ("print('[1]'); sys.exit()", "NJ"), ("time.sleep(60)", "TLE"),
        ("sys.stdout.write('x' * 3000000); sys.exit()", "OLE"),
        ("print(json.dumps(dict(response='PLAY W0'))); sys.exit()", "WA"),
    ])
    @pytest.mark.parametrize("keep", [False, True], ids=["started every turn", "kept running"])
    def test_failures_are_judged(self, make_bot, misbehaviour, verdict, keep):
        bot = make_bot(misbehaviour, bad=3, keep=keep, time_limit=0.5 if verdict == "TLE" else 20)
        record = play_game([bot] + make_tactics(3), wall_from_seed(4), 0)
        assert (record.closing["action"], record.scores) == (verdict, [-30, 10, 10, 10])
        assert len(record.steps) == 3

    @pytest.mark.slow
    def test_an_error_behind_a_legal_answer_is_told(self, make_bot, capsys):
        """A tactic that failed at every claim looked well: its file answers for it."""
        play_game([make_bot("sys.stderr.write('Traceback (most recent call last)')", bad=3)] + make_tactics(3),
                  wall_from_seed(4), 0)
        assert capsys.readouterr().err.count("OK, expected no error behind its answer; the end of its stderr") == 1

    def test_a_time_limit_is_doubled_at_first(self, make_bot):
        slow_starter = make_bot("time.sleep(1.2)", bad=1, keep=True, time_limit=1)
        record = play_game([slow_starter] + make_tactics(3), wall_from_seed(4), 0)
        assert record.steps[0].answers[0].verdict == "OK"

    @pytest.mark.parametrize("spec, message", [
        ("json:", "expected a command"), ("json:no-such-program-here x", "expected a command"),
        ("simplified-keep:/dev/null", "expected a command"), ("json:python3 'x", "No closing quotation")])
    def test_commands_that_do_not_start(self, spec, message):
        """An open quote came out as a bare ValueError of shlex."""
        with pytest.raises(UnknownTacticError, match=message):
            make_player(spec)


def without_seed(display):
    return {key: value for key, value in display.items() if key != "srand"}


class TestRecords:
    @with_samples
    def test_logs_come_out_of_the_referee_as_they_are(self, folder):
        """The same requests, displays and scores, from the wall and the answers alone."""
        for record in map(parse_log, read_games(folder / "botzone.jsonl.gz")):
            referee = Referee(rebuild_wall(record), record.prevalent_wind)
            for step in record.steps:
                assert referee.requests == step.requests, record.name
                assert referee.display() == without_seed(step.display), record.name
                referee.step([answer.response for answer in step.answers])
            assert referee.scores == record.scores, record.name
            assert referee.display() == without_seed(record.closing), record.name


def test_every_tile_of_the_game_is_on_the_board():
    """Tiles in hands, melds and rivers, counted from the text, are those that left the walls."""
    names = ["p0", "p1", "p2", "p3"]

    def check(referee):
        if referee.phase < DRAWN:
            return
        text = format_board(referee, names)
        shown = [word.strip("[]").split("<")[0] for word in text.split()]
        tiles = [word for word in shown if len(word) == 2 and word[0] in "WTBFJ" and word[1].isdigit()]
        is_on_table = referee.phase == DISCARDED  # a discard that may be claimed is in no river yet
        assert len(tiles) == 136 - sum(referee.walls_left) - is_on_table

    play_game(make_tactics(4), wall_from_seed(2), 3, watch=check)


class TestCommand:
    def test_board_log_and_summary(self, tmp_path, capsys):
        log = tmp_path / "game.json"
        assert main(["referee", "random", "random:seed=1", "random:seed=2", "random:seed=3", "--seed", "3",
                     "--log", str(log)]) == 0
        out = capsys.readouterr().out
        assert "Scores: East" in out and "random:seed=2" in out and str(log) in out
        assert parse_log(json.loads(log.read_text(encoding="utf-8"))).players[1] == "random:seed=1"

    def test_a_wall_from_a_file(self, tmp_path, capsys):
        path = tmp_path / "wall.txt"
        path.write_text(" ".join(wall_from_seed(3)))
        assert main(["referee"] + ["random"] * 4 + ["--wall", str(path), "--quan", "3", "--board", "none"]) == 0
        one = capsys.readouterr().out
        assert main(["referee"] + ["random"] * 4 + ["--seed", "3", "--board", "none"]) == 0
        scores = [[line.split()[2] for line in text.splitlines()[2:]] for text in (one, capsys.readouterr().out)]
        assert scores[0] == scores[1]

    def test_a_game_on_one_wall(self, tmp_path, capsys):
        """The last tile of this wall is a flower: `records check` missed the moves after it."""
        path = tmp_path / "game.json"
        assert main(["referee"] + ["random"] * 4 + ["--seed", "5", "--rules", "tziakcha", "--log", str(path)]) == 0
        out = capsys.readouterr().out
        assert "puts a flower aside" in out and "tiles left in the walls: " in out
        assert main(["records", "check", str(path)]) == 0
