"""Games written as the platforms' viewers read them, and read again."""

import json

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.formats import format_game
from mj_bot.lab.records.platforms.salasasa import parse_salasasa
from mj_bot.lab.records.platforms.tziakcha import _unpack_step, parse_tziakcha
from mj_bot.lab.records.source import cut_games, parse_raw, read_games
from mj_bot.mahjong.errors import ProtocolError
from tests.golden_games import REAL, SAMPLES
from tests.lab.records.games import whole_games
from tests.lab.records.platforms.test_lianzhong import NINE_GATES, parse_lianzhong
from tests.lab.records.platforms.test_salasasa import load_knitted, load_sessions
from tests.lab.records.platforms.test_tziakcha import load_made, read

READERS = {"tziakcha": parse_tziakcha, "salasasa": parse_salasasa}
SOURCES = [SAMPLES / "tziakcha.jsonl", SAMPLES / "salasasa.json", SAMPLES / "robbed_kong.json",
           REAL / "tziakcha" / "session.json", REAL / "tziakcha" / "salasasa.json"]


def list_games(path):
    for raw in cut_games(str(path)):
        try:
            yield parse_raw(raw)
        except ProtocolError:  # one of the real ones: a flower is discarded
            continue


@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_games_between_people_come_back(form, path):
    """Moves, walls, flowers, scores, players and the session, through either platform's form."""
    if not path.exists():
        pytest.skip("the real games are not installed: %s" % path.name)
    games = list(list_games(path))
    assert games
    for game in games:
        text = format_game(form, game)
        again = READERS[form](text)
        assert again == game and again.players == game.players and again.fan == game.fan
        keys = ("session", "hand", "hands", "seats", "names") if game.origin["platform"] == form else ("hand", "hands")
        assert {key: again.origin[key] for key in keys if game.origin.get(key)} == {
            key: game.origin[key] for key in keys if game.origin.get(key)}
        assert format_game(form, again).count("\n") == 1


def test_a_record_is_as_tziakcha_writes_it():
    """Fans by their ids, the melds, the hand and the flags are those of the records that are read."""
    for step in load_made():
        made = _unpack_step(json.loads(format_game("tziakcha", read(step))))
        assert made["b"] == step["b"] and made["s"] == step["s"] and made["i"] == step["i"]
        assert [win.get("t") for win in made["y"]] == [win.get("t") for win in step["y"]]
        assert len(bytes.fromhex(made["w"])) == 144 and sorted(made) == sorted(set(made) & set(step))
        claims = [[(action[0], action[1] & 63) for action in actions if action[0] & 15 in (3, 4, 5) and action[1]]
                  for actions in (made["a"], step["a"])]
        assert claims[0] == claims[1]


def test_false_wins_come_back():
    record = load_sessions()[1]
    record["game_round"]["round_index_2"]["action_ticks"].insert(50, ["hu_self", 1, 0, ["错和"], [10, -30, 10, 10]])
    game = parse_salasasa(json.dumps(record))
    for form, parse in READERS.items():
        assert parse(format_game(form, game)).origin["penalties"] == [10, -30, 10, 10]


@pytest.mark.parametrize("form", READERS)
def test_a_wall_that_is_missing_is_refused(form):
    for game, told in ((whole_games()[0], "got one of four walls"),
                       (parse_lianzhong(NINE_GATES), "only the drawn tiles are known"),
                       (parse_salasasa(json.dumps(load_knitted())), "fans are the judge's")):
        with pytest.raises(ProtocolError, match=told):
            format_game(form, game)


def test_a_match_for_the_viewer_of_botzone(tmp_path, capsys):
    logs, out = SAMPLES / "botzone.jsonl.gz", tmp_path / "out.jsonl"
    assert main(["records", "convert", str(logs), "--to", "botzone", "-o", str(out)]) == 0
    for game, again in zip(read_games(str(logs)), read_games(str(out)), strict=True):
        assert again.error is None and again.record.name == game.record.name
        assert (again.record.scores, again.record.wall, again.record.players) == (
            game.record.scores, game.record.wall, game.record.players)
    match = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert json.loads(match["initdata"])["walltiles"] and set(match["players"][0]) == {"name"}
    for source, told in (("official.txt", "without its wall"), ("tziakcha.jsonl", "of one wall")):
        assert main(["records", "convert", str(SAMPLES / source), "--to", "botzone", "-o", str(tmp_path / source)]) == 2
        assert told in capsys.readouterr().err
