"""The records of tziakcha.net: their contents, their containers, and errors of the replay."""

import base64
import json
import zlib
from collections import Counter
from itertools import pairwise

import pytest

from mj_bot.lab.records.compact import pack_games, unpack_games
from mj_bot.lab.records.follow import check_game, follow_game, game_from_record, record_from_game
from mj_bot.lab.records.platforms.tziakcha import _unpack_step, parse_tziakcha
from mj_bot.lab.records.source import read_games
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import REAL, SAMPLES

MADE = SAMPLES / "tziakcha.jsonl"
SESSION = REAL / "tziakcha" / "session.json"
FLOWER, DISCARD, CHOW, PUNG, KONG, WIN, DRAW = 1, 2, 3, 4, 5, 6, 7


def load_made():
    """The step of each made record."""
    return [_unpack_step(json.loads(line)) for line in MADE.read_text(encoding="utf-8").splitlines()]


def find(step, code, first=0):
    """Place of the first action of a code, from a place on."""
    return next(at for at, action in enumerate(step["a"]) if at >= first and action[0] & 15 == code)


def read(step):
    return parse_tziakcha({"step": step}, "here")


def test_made_records_are_read():
    games = [read(step) for step in load_made()]
    words = " ".join(step.requests[0] for game in games for step in record_from_game(game).steps).split()
    assert {"CHI", "PENG", "GANG", "BUGANG", "BUHUA"} <= set(words)
    for step, game in zip(load_made(), games):
        assert check_game(game).scores == step["s"] == list(game.scores)
        assert game.wind == step["i"] // 4
        assert game.players == tuple(player["n"] for player in step["p"])
        assert game_from_record(record_from_game(game)).moves == game.moves
    assert list(unpack_games(pack_games(games))) == games


@pytest.mark.skipif(not SESSION.exists(), reason="the real games are not installed: session.json")
def test_a_real_session_is_read():
    """Sixteen hands; in two of them a seat kept a flower and put it aside later."""
    games = list(read_games(str(SESSION)))
    session = json.loads(SESSION.read_text(encoding="utf-8"))
    totals = dict.fromkeys(range(4), 0)
    for number, (game, record) in enumerate(zip(games, session["records"])):
        assert game.error is None and game.where == "%s#%d" % (SESSION, number + 1)
        assert [totals[player] for player in game.record.origin["seats"]] == [
            player["s"] for player in record["step"]["p"]]
        for player, score in zip(game.record.origin["seats"], game.record.scores):
            totals[player] += score
    assert len(games) == 16
    assert [totals[player] for player in range(4)] == [player["s"] for player in session["session"]["players"]]
    assert games[0].record.origin["names"] == [player["n"] for player in session["session"]["players"]]


def test_every_container_is_read(tmp_path):
    """A session with a record that is broken; nothing personal but the names gets through."""
    steps = load_made()[:3]
    script = base64.b64encode(zlib.compress(json.dumps(steps[1]).encode() + b"\0")).decode()
    texts = {
        "step.json": json.dumps({"step": steps[0], "script": "<Decoded>"}),
        "script.json": json.dumps({"script": script}),
        "bare.json": json.dumps(steps[2], indent=1), "lines.jsonl": MADE.read_text(encoding="utf-8"),
        "session.json": json.dumps({"session": {"id": "abc"}, "records": [
            {"id": "one", "step": steps[0]}, {"step": dict(steps[1], w="00")}, {"id": "three", "script": script}]}),
    }
    found = {}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found[name] = list(read_games(str(tmp_path / name)))
        for game in found[name]:
            assert "synth0" not in repr(game) and "0.0.0" not in repr(game)
    assert [len(games) for games in found.values()] == [1, 1, 1, 12, 3]
    assert [bool(game.error) for game in found["session.json"]] == [False, True, False]
    assert "expected a wall of the tiles 0..143" in str(found["session.json"][1].error)
    assert found["session.json"][2].record.origin["session"] == "abc"
    assert not any(game.error for name, games in found.items() for game in games if name != "session.json")


def test_a_false_win_costs_points_and_play_goes_on():
    step = load_made()[1]
    at = find(step, DISCARD, first=41)
    seat = step["a"][at][0] >> 4
    step["a"].insert(at, [seat << 4 | WIN, 0, 0])
    with pytest.raises(MahjongError, match="expected a win of a seat that the flags name, .* in action %d" % at):
        read(step)
    step["b"] |= 1 << 8 + seat
    step["g"]["z"] = 1
    game, whole = read(step), read(load_made()[1])
    assert (game.moves, game.scores) == (whole.moves, whole.scores)
    record = record_from_game(game)
    assert record.scores == [score + 10 - 40 * (place == seat) for place, score in enumerate(whole.scores)]
    assert game_from_record(record).scores == whole.scores
    step["g"]["z"] = 0
    assert record_from_game(read(step)).scores[seat] == whole.scores[seat] - 40


def test_a_claim_that_is_announced_is_passed_over():
    step = load_made()[1]
    at = find(step, CHOW)
    step["a"].insert(at, [step["a"][at][0], 0, step["a"][at][2]])
    assert read(step) == read(load_made()[1])


def test_a_flower_that_is_kept_for_a_while():
    """It is put aside after the discard; to the player of the game it was put aside at once."""
    for step in load_made():
        actions = step["a"]
        for at in range(20, len(actions) - 1):
            codes = [action[0] & 15 for action in actions[at - 1:at + 2]]
            if codes == [DRAW, FLOWER, DISCARD] and actions[at][1] & 255 != actions[at + 1][1] & 255:
                whole = read(step)
                actions[at], actions[at + 1] = actions[at + 1], actions[at]
                assert read(step) == whole
                return
    raise AssertionError("no such flower in the made records")


def test_a_robbed_kong():
    """Seat 2 wins on the tile that seat 1 adds to its pung; a flower stays in the hand of seat 3 to the end."""
    game = parse_tziakcha(json.loads((SAMPLES / "robbed_kong.json").read_text(encoding="utf-8")))
    assert ("抢杠和" in {name for _, _, name in follow_game(game).fans}, game.flowers) == (True, ((0, 3, 1),))


def test_thinking_times_are_those_of_the_actions():
    """A discard right after a draw took the time between the two; a claim with its discard took the time of both."""
    for step in load_made():
        actions = [(combined & 15, data, time) for combined, data, time in step["a"]]
        expected = Counter(now - before for (one, _, before), (two, data, now) in pairwise(actions)
                           if (one, two) == (DRAW, DISCARD) and data >> 9 & 3 != 1)
        record = record_from_game(read(step))
        times = {kind: [answer.milliseconds for found in record.steps for answer in found.answers
                        if answer.response.split()[0] == kind] for kind in ("PLAY", "PENG", "CHI")}
        assert not expected - Counter(times["PLAY"]) and expected.total() > 3
        discards = [time for code, _, time in actions if code == DISCARD]
        for code, data, time in actions:
            if code in (CHOW, PUNG) and data:
                before, after = (max(discard for discard in discards if discard <= time),
                                 min(discard for discard in discards if discard > time))
                assert after - before in times["CHI" if code == CHOW else "PENG"]
        assert record.origin["time"] * 1000 == step["t"]
