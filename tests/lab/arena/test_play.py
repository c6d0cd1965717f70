"""Whole matches: the same result by referee, engine and any workers."""

import sys
import textwrap

import numpy as np
import pytest

from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.run_match import PlayedWalls, choose_referee, choose_runner, play_match
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.arena.stopping import Sprt

# A bot that discards the tile drawn and fails at request number BAD of a game.
BOT = '''
import json, sys, time
BAD, HOW = int(sys.argv[1]), sys.argv[2]
requests = json.loads(sys.stdin.readline())["requests"]
while True:
    if len(requests) == BAD:
        if HOW == "crash":
            sys.exit(3)
        if HOW == "hang":
            time.sleep(60)
    words = requests[-1].split()
    answer = "PLAY " + words[1] if words[0] == "2" else "PASS"
    if len(requests) == BAD and HOW == "cheat":
        answer = "HU"
    print(json.dumps({"response": answer}))
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        break
    requests.append(json.loads(line))
'''


@pytest.fixture
def make_bot(tmp_path):
    """The spec of an outside bot that fails at request `bad` of every game."""
    path = tmp_path / "bot.py"
    path.write_text(textwrap.dedent(BOT))
    return lambda bad=0, how="crash": "json-keep:%s -S -E %s %d %s" % (sys.executable, path, bad, how)


def play(match, wall_count, rule=None, **options):
    """The Scoreboard of a match; options: of PlayedWalls."""
    with PlayedWalls(match, **options) as walls:
        return play_match(walls, wall_count, rule)


def without_times(walls):
    """Tallies of walls as dicts without what the clock says."""
    return [[{key: value for key, value in tally.as_dict().items() if key not in ("times", "memory_mb")}
             for tally in wall] for wall in walls]


class TestTheSameResult:
    @pytest.mark.parametrize("players, options", [
        (["random", "random:seed=1", "random:seed=2", "random:seed=3"], {"rotations": 4}),
        (["random", "random:seed=1", "random:seed=1", "random:seed=1"], {}),
    ])
    def test_by_referee_and_by_engine(self, players, options):
        match = make_match(players, seed=3, **options)
        by_referee, by_engine = (without_times(runner.play_walls(match, 5, 9)) for runner in (table, engine_runner))
        assert by_referee == by_engine

    def test_where_a_rule_ends_the_match(self):
        match, rule = make_match(["random", "random:seed=1"], seed=1, rotations=4), Sprt(-3, 3)
        wide = play(match, 1000, rule=rule, workers=1)
        narrow = play(match, 1000, rule=rule, workers=1, choose=choose_referee)
        assert 20 <= len(wide.walls) < 1000
        assert without_times(wide.walls) == without_times(narrow.walls)


def test_scores_add_up_to_zero():
    match = make_match(["random", "random:seed=1", "random:seed=2", "random:seed=2"])
    board = play(match, 16)
    assert [sum(tally.score for tally in wall) for wall in board.walls] == [0] * 16
    assert np.abs(board.scores @ match.seats_a_wall).max() < 1e-9 and board.scores.any()
    # Of a player against itself every seating is the same game.
    assert not play(make_match(["random", "random"]), 8).scores.any()


class TestGoingOn:
    def test_a_task_that_was_done_in_part_is_completed(self, tmp_path):
        match = make_match(["random", "random:seed=1"], rotations=4)
        with PlayedWalls(match) as walls:
            assert sum(walls.play([match.specs], 2, 5)) == 3
            assert without_times(play_match(walls, 8).walls) == without_times(play(match, 8).walls)
            assert walls.games_played == 8 * 4

    def test_several_matches_at_the_same_walls(self, tmp_path):
        """Tasks begin at multiples of the batch, and no match is played twice."""
        match = make_match(["random", "random:seed=1"], rotations=4)
        lineups = [("random", "random:seed=2"), ("random:seed=2", "random"), ("random", "random:seed=2")]
        path = str(tmp_path / "matches.journal")
        with PlayedWalls(match, {}, path, workers=2) as walls:
            assert sorted(walls.play(lineups, 30, 94)) == [2, 2, 30, 30, 32, 32]
        with PlayedWalls(match, {}, path) as again:
            assert not list(again.play(lineups, 30, 94)) and again.done == walls.done
        assert set(again.done[lineups[0]]) == set(range(30, 94))
        scores = [[again.done[specs][wall][0].score for wall in range(30, 94)] for specs in lineups]
        assert scores[0] == [-score for score in scores[1]] and any(scores[0])
        alone = play(make_match(lineups[0], rotations=4), 94).walls[30:]
        assert without_times(alone) == without_times(again.done[lineups[0]][wall] for wall in range(30, 94))


class TestOutsideBots:
    @pytest.mark.parametrize("how, verdict", [("crash", "RE"), ("hang", "TLE"), ("cheat", "WH")])
    def test_failures_are_counted_and_the_match_goes_on(self, make_bot, how, verdict):
        match = make_match([make_bot(3, how), "random"], rotations=4, time_limit=0.5 if how == "hang" else 20)
        bot, other = play(match, 1).walls[0]
        # One of its two seats fails first, and ends the game.
        assert (bot.games, bot.failures.total(), bot.score) == (8, 4, 4 * (-30 + 10))
        assert (other.games, other.failures.total(), other.score) == (8, 0, 8 * 10)
        # A false win is WH where the seat may win, else an illegal response.
        assert bot.failures == {verdict: 4} or how == "cheat" and set(bot.failures) <= {"WH", "WA"}

    def test_a_sound_bot_in_worker_processes(self, make_bot):
        match = make_match([make_bot(), "random:seed=2"], rotations=4)
        bot, other = play(match, 1, workers=2).walls[0]
        assert not bot.failures and not other.failures and bot.memory_mb > 0 and sum(bot.times.values()) > 50


def test_the_engine_plays_only_where_all_players_have_choose(make_bot):
    assert choose_runner(("random", "random:seed=1"))[0] is engine_runner.play_walls
    assert choose_runner(("random", make_bot()))[0] is table.play_walls
    assert choose_referee(("random", "random:seed=1"))[0] is table.play_walls
