"""The records of salasasa: those that its documentation prints, and made ones."""

import json
from pathlib import Path

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records import notes
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.game_record import REAL_WALL
from mj_bot.lab.records.platforms.hands import list_back
from mj_bot.lab.records.platforms.salasasa import TILE_OF_CODE, parse_salasasa, split_rounds
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.games import review_game
from tests.golden_games import REAL, SAMPLES
from tests.lab.records.platforms.test_tziakcha import load_made, read

MADE = SAMPLES / "salasasa.json"
CASES = Path(__file__).parents[1] / "cases"
PRINTED = REAL / "tziakcha" / "salasasa.json"


def load_sessions():
    """The made hands, each as a session of one: those of test_tziakcha.load_made."""
    return split_rounds(json.loads(MADE.read_text(encoding="utf-8")))


def test_made_records_are_read():
    for session, step in zip(load_sessions(), load_made()):
        game, other = parse_salasasa(session), read(step)
        assert (game.moves, game.wall, game.scores, game.fan) == (other.moves, other.wall, other.scores, other.fan)
        assert game.players == ("甲", "乙", "丙", "丁") and game.wind == other.wind


@pytest.mark.skipif(not PRINTED.exists(), reason="the real games are not installed: salasasa.json")
def test_printed_records_are_read():
    """In the first a seat discards a flower; it was refused."""
    games = list(read_games(str(PRINTED)))
    assert [game.record.scores for game in games] == [[0] * 4, [0] * 4, [34, -8, -18, -8], [-8, -20, -8, 36]]
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


def load_knitted():
    return json.loads((CASES / "salasasa_knitted_edge_wait_17.json").read_text(encoding="utf-8"))


def test_a_wait_inside_a_knitted_straight_counts_there(tmp_path):
    """Such a record was not legal: the judge counts 16 fan, the platform's own scorer 17."""
    record, path, log = load_knitted(), tmp_path / "a.json", tmp_path / "a.log"
    for wait in ("边张", "嵌张", "单钓", "单钓将"):
        record["game_round"]["round_index_1"]["action_ticks"][-2][3][-1] = wait
        assert parse_salasasa(record).origin["rules"]["knitted_wait"]
    path.write_text(json.dumps(record), encoding="utf-8")
    assert main(["records", "convert", str(path), "--to", "log", "-o", str(log)]) == 0
    assert main(["records", "check", str(log)]) == 0
    for source in (path, log):
        game, = read_games(str(source))
        assert game.error is None and game.record.scores == [-25, 75, -25, -25]
        reviewed = review_game(game, "")
        assert reviewed["own_rules"] == {"platform": "salasasa", "sub_rule": None, "knitted_wait": 1}
        assert reviewed["frames"][-1]["event"]["fan"] == 16


@pytest.mark.parametrize("name", ["xiaolin", "kshen", "lanshi"])
def test_sub_rules_are_named(name):
    """Their fans are others: the moves are checked, the fans and scores are the platform's."""
    record = load_sessions()[1]
    record["game_title"]["sub_rule"] = "guobiao/" + name
    tick = record["game_round"]["round_index_2"]["action_ticks"][-2]
    tick[2], tick[4] = tick[2] + 5, [1, 2, 3, -6]
    game, = read_games("a.json", json.dumps(record).encode())
    assert game.error is None and review_game(game, "")["own_rules"]["sub_rule"] == name
    record["game_round"]["round_index_2"]["action_ticks"].insert(40, ["xx", 25])
    game, = read_games("a.json", json.dumps(record).encode())
    assert "sub rule %s of salasasa" % name in str(game.error)


def load_case(name):
    return json.loads((CASES / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name, scores", [
    ("salasasa_reset_tick.json", [-19, 35, -8, -8]), ("salasasa_front_tile_equals_replacement.json", [-20, -8, 36, -8]),
    ("salasasa_dealer_discards_replacement_T.json", [-18, -8, 34, -8])])
@pytest.mark.parametrize("write_tick", [list, json.dumps, lambda tick: " ".join(map(str, tick)) if all(
    isinstance(value, (str, int)) for value in tick) else tick], ids=["lists", "JSON", "words"])
def test_records_as_they_are_written_today(name, scores, write_tick):
    """The tick "reset" refused every hand, a front tile of the right kind the deal, the flag T a dealer's discard."""
    record = load_case(name)
    hand, = record["game_round"].values()
    hand["action_ticks"] = list(map(write_tick, hand["action_ticks"]))
    game = parse_salasasa(record)
    assert list(game.scores) == scores and game.facts & REAL_WALL


def test_the_tile_that_the_dealer_received_last_is_his_draw():
    """He discards the tile that replaced his flower: it is the one that the request of his first turn names."""
    record = load_case("salasasa_dealer_discards_replacement_T.json")
    game, = read_games("a.json", json.dumps(record).encode())
    hand, = record["game_round"].values()
    tile, = [TILE_OF_CODE[tick[1]] for tick in hand["action_ticks"] if tick[0] == "c"][:1]
    assert next(step.requests[0] for step in game.record.steps if step.requests[0].startswith("2 ")) == "2 " + tile


def test_an_unknown_tick_that_moves_nothing(capsys):
    notes.note.cache_clear()
    for _ in range(2):
        record = load_case("salasasa_reset_tick.json")
        hand, = record["game_round"].values()
        hand["action_ticks"][20:20] = [["emote", 2, "hello"], ["emote", 3, "hi"]]
        parse_salasasa(record)
    assert capsys.readouterr().err.count("the tick 'emote'") == 1


@pytest.mark.parametrize("number, is_discarded, is_drawn", [
    (0, True, False), (4, True, False), (9, True, False), (4, False, False), (2, True, True)])
def test_a_flower_that_is_discarded_or_kept_to_the_end(number, is_discarded, is_drawn):
    """It refused the hand. Where all tiles are played, the game ends before the tile that stands for the flower."""
    record = load_sessions()[number]
    hand, = record["game_round"].values()
    ticks = hand["action_ticks"]
    flower = max(index for index, tick in enumerate(ticks) if tick[0] == "bh")
    replacement = ticks[flower + 1][1]
    ticks[flower:flower + 2 + is_discarded] = [["c", ticks[flower][1], "T"]] * is_discarded
    if is_drawn:
        ticks[-2:-2] = [["d", replacement], ["c", replacement, "T"]]
    game = parse_salasasa(record)
    assert list(game.scores) == load_made()[number]["s"] and bool(game.facts & REAL_WALL) != is_drawn
    assert len(game.moves) > 30


@pytest.mark.parametrize("is_flower_drawn", [False, True])
def test_a_win_on_the_replacement_of_a_flower_that_was_kept(is_flower_drawn):
    """The winning tile stood in the hand since the flower was drawn, and the win on it was refused."""
    record = load_sessions()[4]
    hand, = record["game_round"].values()
    ticks, wall = hand["action_ticks"], hand["tiles_list"]
    begin = next(index for index, tick in enumerate(ticks) if tick[:2] == ["bh", 55])
    aside = ticks[begin:begin + 2]  # of the tile 12, without which the hand waits for its pair
    del ticks[begin:begin + 2]
    if is_flower_drawn:
        last = ticks[-3][1]
        ticks[-3:-2] = [["d", 51], ["bh", 51, 0, "F"], ["bd", last, 0]]
    ticks[-2:-2] = aside
    taken = [tick[1] for tick in ticks if tick[0] in ("bd", "gd")]
    back = list_back(len(wall))[:len(taken)]
    if is_flower_drawn:
        wall[wall.index(51)] = wall[back[-1]]
        wall[sum(tick[0] == "d" for tick in ticks) - 1] = 51
    for index, tile in zip(back, taken):
        wall[index] = tile
    fan = 26 + is_flower_drawn  # 24, and the flowers
    ticks[-2][2:] = fan, ["花牌*%d" % (fan - 24)], [3 * (8 + fan), *[-8 - fan] * 3]
    game = parse_salasasa(record)
    assert game.fan == 24 and list(game.scores) == ticks[-2][4]
    transcript = record_from_game(game)
    assert [step.requests[0] for step in transcript.steps if step.requests[0].startswith("2 ")][-1] == "2 W2"
