import dataclasses
import math
from pathlib import Path

import pytest

from mj_bot.lab.rl.config import Config, parse_config, read_config, share_games
from mj_bot.lab.run.options import parse_setting
from mj_bot.mahjong.errors import MahjongError


def test_an_empty_file_is_all_defaults(tmp_path):
    (tmp_path / "a.toml").write_text("")
    assert read_config(tmp_path / "a.toml") == Config()


def test_values_are_read():
    config = parse_config({"run": {"games": 64, "temperature": 1}})
    assert config.run.games == 64 and config.run.temperature == 1.0


@pytest.mark.parametrize("data, words", [
    ({"rnu": {}}, "did you mean 'run'"),
    ({"run": {"gmaes": 3}}, "did you mean 'games'"),
    ({"run": {"games": "many"}}, "of type int"),
    ({"run": {"precision": "int8"}}, "auto or float32 or bfloat16"),
    ({"run": {"games_per_iteration": 3}}, "multiple of groups"),
    ({"league": {"shares": {"self": 0.5}}}, "add up to 1"),
    ({"league": {"shares": {"self": "x"}}}, "add up to 1"),
    ({"run": 5}, "expected a table of settings, got 5 in \\[run\\] of a.toml"),
    ({"run": {"groups": 0}}, "run.groups to be 1 .. 1024, got 0"),
    ({"run": {"width": 0}}, "run.width to be 1 .. 65536"),
    ({"run": {"temperature": 0}}, "run.temperature to be 1e-12 .. 1e\\+12, got 0.0"),
    # Adam's traceback, steps against the gradient, advantages without bound, and a reward for a low entropy.
    ({"ppo": {"rate": -1e-4}}, "ppo.rate to be 1e-12 .. 1e\\+12, got -0.0001"),
    ({"ppo": {"gradient": -1.0}}, "ppo.gradient to be 1e-12"),
    ({"ppo": {"decay": 1.5}}, "ppo.decay to be 0 .. 1"),
    ({"entropy": {"most": -0.01}}, "entropy.most to be 0 .. 1e\\+12"),
    ({"league": {"past_games": 0}}, "league.past_games to be 1 .."),
    # The file ran a command, and NaN and sizes that no memory has were taken.
    ({"league": {"shares": {"json:touch owned": 1.0}}}, "league.shares to be shares of self and past"),
    ({"entropy": {"weight": float("nan")}}, "entropy.weight to be 0 .. 1e\\+12, got nan in a.toml"),
    ({"run": {"width": 10 ** 12}}, "run.width to be 1 .. 65536, got 10+ in a.toml"),
])
def test_what_cannot_be_is_refused(data, words):
    with pytest.raises(MahjongError, match=words):
        parse_config(data, "a.toml")


def _list_settings():
    return [(table.name, item.name, item.type) for table in dataclasses.fields(Config)
            for item in dataclasses.fields(table.type)]


@pytest.mark.parametrize("table, name, kind", _list_settings(), ids=lambda value: str(value))
def test_no_setting_runs_a_command_or_takes_what_is_no_number(table, name, kind):
    """Each key of the file: texts that name commands, numbers that are none, and sizes beyond any machine."""
    command = "json:touch owned"
    wrong = {float: [math.nan, math.inf], int: [10 ** 30], str: [], dict: [{command: 1.0}]}[kind]
    for value in wrong:
        with pytest.raises(MahjongError, match=r"^expected %s\.%s to be .* in a\.toml$" % (table, name)):
            parse_config({table: {name: value}}, "a.toml")


@pytest.mark.parametrize("table, name, value", [
    ("run", "temperature", 1e-320), ("run", "temperature", 1e300), ("ppo", "rate", 1e308), ("ppo", "warmup", -1),
    ("entropy", "weight", 1e308), ("entropy", "target", -1e308), ("critic", "warmup_games", -1)])
def test_numbers_that_no_run_survives(table, name, value):
    """They were taken, and became NaN, a traceback or an endless match an hour later."""
    with pytest.raises(MahjongError, match=r"^expected %s\.%s to be .* in a\.toml$" % (table, name)):
        parse_config({table: {name: value}}, "a.toml")


@pytest.mark.parametrize("data", [
    b"a = " + b"[" * 100_000, b"run = {" * 20_000, b"[run]\ngames = " + b"9" * 5000, b"\xff\xfe",
    b"a." * 2_000 + b"b = 1", b"[" * 50_000, b"[run]\nstart = '\x00'", b"[run]\nseed = 1979-05-27",
    b"[run]\ngames = 1e999"])
def test_files_that_are_no_settings(data, tmp_path):
    """Many brackets, long numbers and other bytes ended in tracebacks."""
    (tmp_path / "a.toml").write_bytes(data)
    with pytest.raises(MahjongError, match="a.toml"):
        read_config(tmp_path / "a.toml")


def test_processes_share_the_games():
    config = parse_config({"run": {"games_per_iteration": 8, "groups": 2}})
    assert share_games(config, 2).run.games_per_iteration == 4
    with pytest.raises(MahjongError, match="that 3 processes can share, got 8"):
        share_games(config, 3)
    with pytest.raises(MahjongError, match="a multiple of groups, got 1 in each of 8 processes"):
        share_games(config, 8)


def test_the_settings_that_ship_are_valid():
    files = sorted((Path(__file__).parents[3] / "data" / "runs").glob("*.toml"))
    assert len(files) == 3 and all(read_config(path).run.start for path in files)


@pytest.mark.parametrize("changes, message", [
    (["run.games=many"], "expected games = a value of type int, got 'many' in [run] of FILE with --set"),
    (["run.gmes=1"], "got 'gmes' in [run] of FILE with --set; did you mean 'games'?"),
    (["rum.games=1"], "got 'rum' in FILE with --set; did you mean 'run'?"),
    (["run.games=0"], "expected run.games to be 1 .. 1e+12, got 0 in FILE with --set")])
def test_a_changed_setting_is_checked_as_the_others(changes, message, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("[run]\nseed = 5\n")
    with pytest.raises(MahjongError) as refused:
        read_config(path, map(parse_setting, changes))
    assert message in str(refused.value).replace(str(path), "FILE")


def test_settings_are_changed_without_another_file(tmp_path):
    """A shorter run wanted a copy of the file."""
    path = tmp_path / "a.toml"
    path.write_text("[run]\nseed = 5\ngames = 10\n")
    config = read_config(path, map(parse_setting, [
        "run.games=2e4", "run.device=cpu", "ppo.rate=1", "league.shares={self = 0.5, past = 0.5}"]))
    assert (config.run.games, config.run.seed, config.run.device, config.ppo.rate) == (20000, 5, "cpu", 1.0)
    assert config.league.shares == {"self": 0.5, "past": 0.5}


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(MahjongError, match="expected a file of settings"):
        read_config(tmp_path / "none.toml")
