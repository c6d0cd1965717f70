"""The records of salasasa: those that its documentation prints, and made ones that are put into its form."""

import json

import pytest

from mj_bot.lab.records.platforms.salasasa import parse_salasasa
from mj_bot.lab.records.source import read_games
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import REAL
from tests.lab.records.platforms.test_tziakcha import CHOW, DISCARD, DRAW, FLOWER, KONG, WIN, load_made, read

PRINTED = REAL / "tziakcha" / "salasasa.json"


def name(tile):
    """The number of a tile of the other platform."""
    kind = tile >> 2
    if kind < 27:
        return (11, 31, 21)[kind // 9] + kind % 9
    return (41, 42, 43, 44, 45, 47, 46)[kind - 27] if kind < 34 else 51 + tile - 136


def make_record(step):
    """A session of one hand, from a step; the flowers of the deal are replaced from the back."""
    dice = [step["d"] >> shift & 15 for shift in (0, 4, 8, 12)]
    start = ((1 - dice[0] - dice[1]) % 4 * 36 + 2 * sum(dice)) % 144
    wall = list(bytes.fromhex(step["w"]))
    wall = [name(tile) for tile in wall[start:] + wall[:start]]
    ticks, last = [], None
    for combined, data, _ in step["a"]:
        seat, code, kind, offer = combined >> 4, combined & 15, data & 63, data >> 6 & 3
        if code == FLOWER:
            ticks += [["bh", 51 + (data >> 8 & 15), seat, "F"], ["bd", name(data & 255), seat]]
        elif code == DISCARD:
            last = name(data & 255)
            ticks.append(["c", last, "F" if data >> 8 & 1 else "T"])
        elif code == DRAW:
            ticks.append(["gd" if data >> 8 else "d", name(data & 255)])
        elif code == CHOW:
            ticks.append([("cr", "cm", "cl")[max(offer, 1) - 1], last, seat])
        elif code == 4:
            ticks.append(["p", last, seat])
        elif code == KONG and offer and data & 0x300 != 0x300:
            ticks.append(["g", last, seat])
        elif code == KONG:
            last = name(4 * kind)
            ticks.append(["jg" if offer else "ag", last, "F"])
        elif code == WIN:
            fans = step["y"][seat]["t"]
            ticks.append([("hu_self", "hu_third", "hu_second", "hu_first")[
                (step["b"] >> 4 & 15).bit_length() - 1 - seat & 3], seat, step["y"][seat]["f"],
                ["花牌*%d" % (1 + (fans["83"] >> 8))] if "83" in fans else [], step["s"]])
    if not step["b"] & 15:
        ticks.append(["liuju"])
    hands = {"p%d_tiles" % seat: [tile for first in (0, 16, 32) for tile in wall[first + 4 * seat:first + 4 * seat + 4]]
             + [wall[48 + seat]] + wall[52:53] * (seat == 0) for seat in range(4)}
    hand = dict(hands, current_round=step["i"] + 1, seats=[0, 1, 2, 3], tiles_list=wall[53:],
                action_ticks=ticks + [["end"]])
    title = dict(zip(("p0_name", "p1_name", "p2_name", "p3_name"), "甲乙丙丁"), rule="guobiao", p0_uid=99)
    return {"game_title": title, "game_round": {"round_index_1": hand}}


def test_made_records_are_read():
    for step in load_made():
        game, other = parse_salasasa(json.dumps(make_record(step))), read(step)
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
    record = make_record(load_made()[1])
    ticks = record["game_round"]["round_index_1"]["action_ticks"]
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
    record = make_record(load_made()[1])
    change(record["game_title"], record["game_round"]["round_index_1"])
    with pytest.raises(MahjongError, match=message):
        parse_salasasa(json.dumps(record), "here")
