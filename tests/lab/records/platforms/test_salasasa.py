"""The records of salasasa: those that its documentation prints, and made ones."""

import json

import pytest

from mj_bot.lab.records.platforms.salasasa import parse_salasasa, split_rounds
from mj_bot.lab.records.source import read_games
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import REAL, SAMPLES
from tests.lab.records.platforms.test_tziakcha import load_made, read

MADE = SAMPLES / "salasasa.json"
PRINTED = REAL / "tziakcha" / "salasasa.json"


def load_sessions():
    """The made hands, each as a session of one: those of test_tziakcha.load_made."""
    return split_rounds(json.loads(MADE.read_text(encoding="utf-8")))


def test_made_records_are_read():
    for session, step in zip(load_sessions(), load_made()):
        game, other = parse_salasasa(json.dumps(session)), read(step)
        assert (game.moves, game.wall, game.scores, game.fan) == (other.moves, other.wall, other.scores, other.fan)
        assert game.players == ("甲", "乙", "丙", "丁") and game.wind == other.wind


@pytest.mark.skipif(not PRINTED.exists(), reason="the real games are not installed: salasasa.json")
def test_printed_records_are_read():
    """Three of four: in the first a seat discards a flower, which no player of the game here can do."""
    games = list(read_games(str(PRINTED)))
    assert "one that seat 1 discards or keeps to the end' in tick 155" in str(games[0].error)
    assert [game.record.scores for game in games[1:]] == [[0] * 4, [34, -8, -18, -8], [-8, -20, -8, 36]]
    assert games[2].record.players == ["Player C", "Player D", "Player A", "Player B"]
    assert games[2].record.origin["seats"] == [2, 3, 0, 1]


def test_a_false_win_costs_points_and_play_goes_on(tmp_path):
    record = load_sessions()[1]
    ticks = record["game_round"]["round_index_2"]["action_ticks"]
    ticks.insert(50, ["hu_self", 1, 0, ["错和"], [10, -30, 10, 10]])
    path = tmp_path / "a.json"
    path.write_text(json.dumps(record))
    game, = read_games(str(path))
    whole = load_made()[1]["s"]
    assert game.error is None
    assert game.record.scores == [score + change for score, change in zip(whole, [10, -30, 10, 10])]


@pytest.mark.parametrize("reason, change, message", [
    ("another game", lambda title, hand: title.update(rule="riichi"), "expected a game of the rule 'guobiao'"),
    ("no wall", lambda title, hand: hand.pop("tiles_list"), "expected a record with its wall, got one without"),
    ("another draw", lambda title, hand: hand["tiles_list"].reverse(), "next at the back of the wall"),
    ("a tick that is none", lambda title, hand: hand["action_ticks"].insert(30, ["xx"]),
     "expected a tick of a hand, got 'xx'"),
    ("no end", lambda title, hand: hand["action_ticks"].__delitem__(slice(-2, None)),
     "expected a win or the end of the wall"),
    ("other scores", lambda title, hand: hand["action_ticks"][-2].__setitem__(4, [1, 2, 3, 4]), "expected the scores"),
    ("other flowers", lambda title, hand: hand["action_ticks"][-2].__setitem__(3, []), "expected 2 flowers of seat 2"),
    ("too few names", lambda title, hand: title.pop("p3_name"), "no 'p3_name'"),
])
def test_what_the_replay_contradicts_is_named(reason, change, message):
    record = load_sessions()[1]
    change(record["game_title"], record["game_round"]["round_index_2"])
    with pytest.raises(MahjongError, match=message):
        parse_salasasa(json.dumps(record), "here")
