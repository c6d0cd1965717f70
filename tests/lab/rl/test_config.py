import pytest

from mj_bot.lab.rl.config import Config, parse_config, read_config
from mj_bot.mahjong.errors import MahjongError


def test_an_empty_file_is_all_defaults(tmp_path):
    (tmp_path / "a.toml").write_text("")
    assert read_config(tmp_path / "a.toml") == Config()


def test_values_are_read():
    config = parse_config({"run": {"games": 64, "temperature": 1}, "strength": {"opponents": ["search"]}})
    assert config.run.games == 64 and config.run.temperature == 1.0
    assert config.strength.opponents == ("search",)


@pytest.mark.parametrize("data, words", [
    ({"rnu": {}}, "did you mean 'run'"),
    ({"run": {"gmaes": 3}}, "did you mean 'games'"),
    ({"run": {"games": "many"}}, "of type int"),
    ({"run": {"precision": "int8"}}, "bfloat16 or float32"),
    ({"run": {"games_an_iteration": 3}}, "multiple of groups"),
    ({"signal": {"kind": "duplicate"}}, "2 or more"),
    ({"league": {"shares": {"self": 0.5}}}, "add up to 1"),
])
def test_what_cannot_be_is_refused(data, words):
    with pytest.raises(MahjongError, match=words):
        parse_config(data, "a.toml")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(MahjongError, match="expected a file of settings"):
        read_config(tmp_path / "none.toml")
