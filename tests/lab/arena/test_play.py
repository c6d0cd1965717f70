"""Whole matches: the same result by referee, engine and any workers."""

import pytest

from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.run_match import BY_REFEREE, PlayedWalls, Scoreboard, choose_runner
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.arena.stopping import Sprt
from tests.lab.table.bots import write_bot


@pytest.fixture
def make_bot(tmp_path):
    """The spec of an outside bot, kept running, that runs this code at its third request of every game."""
    return lambda misbehaviour="pass": "json-keep:" + write_bot(tmp_path, misbehaviour, bad=3, keep=True)


def play_on(played, wall_count, rule=None):
    """The Scoreboard at the end of the match of PlayedWalls."""
    board = Scoreboard(played, wall_count, rule)
    list(board.play())
    return board


def play(match, wall_count, rule=None, **options):
    """The Scoreboard of a match; options: of PlayedWalls."""
    with PlayedWalls(match, **options) as walls:
        return play_on(walls, wall_count, rule)


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
        by_referee, by_engine = (without_times(play(match, 5, 9)) for play in (
            table.play_walls_by_referee, engine_runner.play_walls_by_engine))
        assert by_referee == by_engine

    @pytest.mark.slow
    def test_where_a_rule_ends_the_match(self):
        match, rule = make_match(["random", "random:seed=1"], seed=1, rotations=4), Sprt(-3, 3)
        wide = play(match, 1000, rule=rule, workers=1)
        narrow = play(match, 1000, rule=rule, workers=1, runner=BY_REFEREE)
        assert 20 <= len(wide.walls) < 1000
        assert without_times(wide.walls) == without_times(narrow.walls)


class TestGoingOn:
    def test_a_task_that_was_done_in_part_is_completed(self):
        match = make_match(["random", "random:seed=1"], rotations=4)
        with PlayedWalls(match) as walls:
            assert sum(walls.play(2, 5)) == 3 * 4
            assert without_times(play_on(walls, 8).walls) == without_times(play(match, 8).walls)
            assert walls.games_played == 8 * 4

    @pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
    def test_tasks_begin_at_multiples_of_the_batch(self, workers, tmp_path):
        match, path = make_match(["random", "random:seed=1"], rotations=4), str(tmp_path / "match.run")
        with PlayedWalls(match, {}, path, workers=workers) as walls:
            assert sorted(walls.play(30, 94)) == [8, 120, 128]
        with PlayedWalls(match, {}, path) as again:
            assert not list(again.play(30, 94)) and again.done == walls.done and set(again.done) == set(range(30, 94))
        alone = play(match, 94).walls[30:]
        assert without_times(alone) == without_times(again.done[wall] for wall in range(30, 94))


class TestOutsideBots:
    @pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
    def test_each_game_is_told_and_walls_are_kept(self, workers, make_bot, tmp_path):
        """The bar stood still for the 24 games of a wall, which takes slow bots an hour."""
        match = make_match([make_bot(), "random"], rotations=4)
        path = str(tmp_path / "match.run")
        with PlayedWalls(match, {}, path, workers=workers) as walls:
            games = walls.play(0, 2)
            assert [next(games) for _ in range(7)] == [1] * 7 and len(walls.done) < 2
            games.close()
        with PlayedWalls(match, {}, path, workers=workers) as again:
            missing = 4 * (2 - len(again.done))
            assert 0 < missing <= 8 and list(again.play(0, 2)) == [1] * missing
            whole = table.play_walls_by_referee(match, 0, 2)
            assert without_times(again.done[wall] for wall in range(2)) == without_times(whole)

    def test_failures_are_counted_and_the_match_goes_on(self, make_bot):
        match = make_match([make_bot("sys.exit(3)"), "random"], rotations=4)
        bot, other = play(match, 1).walls[0]
        # One of its two seats fails first, and ends the game.
        assert (bot.games, bot.failures, bot.score) == (8, {"RE": 4}, 4 * (-30 + 10))
        assert (other.games, other.failures.total(), other.score) == (8, 0, 8 * 10)

    def test_a_sound_bot_in_worker_processes(self, make_bot):
        match = make_match([make_bot(), "random:seed=2"], rotations=4)
        bot, other = play(match, 1, workers=2).walls[0]
        assert not bot.failures and not other.failures and bot.memory_mb > 0 and sum(bot.times.values()) > 50


def test_the_engine_plays_only_where_all_players_have_choose(make_bot):
    assert choose_runner(("random", "random:seed=1"))[0] is engine_runner.play_walls_by_engine
    assert choose_runner(("random", make_bot())) is BY_REFEREE
