"""Recorded games become moves, and the moves the same records; illegal games are refused."""

import json
from dataclasses import replace

import pytest

from mj_bot.lab.records.botzone.match_log import format_log, parse_log
from mj_bot.lab.records.follow import check_game, follow_game, game_from_record, record_from_game
from mj_bot.lab.records.formats import format_game
from mj_bot.lab.records.game_record import ALL_ANSWERS, MARK, MOST_MOVES, OWN_SUITS, REAL_WALL, BrokenGameError
from mj_bot.lab.records.botzone.golden import parse_golden
from mj_bot.lab.records.source import cut_games, parse_raw
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import IllegalActionError, ProtocolError
from tests.golden_games import SAMPLES, read_lines, with_recorded
from tests.lab.records.games import first_whole_games, golden_games, whole_games


@with_recorded
def test_recorded_games_become_moves_and_come_back(path):
    """The judge's requests, verdicts and scores, from the moves alone, also of games that end by an error."""
    for number, line in enumerate(read_lines(path), 1):
        record = parse_golden(json.loads(line), "%s:%d" % (path.name, number))
        game = game_from_record(record)
        check_game(game)
        assert len(game.moves) <= MOST_MOVES
        back = record_from_game(game)
        assert back.scores == record.scores
        verdict = record.closing["action"]
        if verdict in ("HU", "HUANG"):
            assert [step.requests for step in back.steps] == [step.requests for step in record.steps], record.name
            assert [step.display for step in back.steps][2:] != [] and back.closing["action"] == verdict
        assert game_from_record(back) == game


def test_a_log_without_its_wall_is_written_without_one():
    game = replace(whole_games()[0], facts=ALL_ANSWERS)
    log = format_log(record_from_game(game))
    assert "walltiles" not in json.loads(log)["initdata"]
    assert parse_log(json.loads(log)).wall is None


@pytest.mark.parametrize("name", ["tziakcha.jsonl", "lianzhong/won.txt"])
def test_a_game_of_people_comes_back_from_its_log(name):
    """The log claimed to have every answer: sets of games from it had passes of people who never had the choice."""
    raw = next(cut_games(str(SAMPLES / name)))
    game = parse_raw(raw)
    assert parse_raw(raw._replace(content=json.loads(format_game("log", game)), form="log")) == game


def test_an_empty_request():
    """It ended the command with an IndexError."""
    record = record_from_game(replace(whole_games()[0], facts=ALL_ANSWERS))
    record.steps[2].requests[1] = ""
    with pytest.raises(ProtocolError, match="expected the requests .* in step 2"):
        game_from_record(record)


def first_win():
    return next(game for game in first_whole_games(9) if any(game.scores))


def replace_move(place, *moves):
    """The first win with another move at a place."""
    game = first_win()
    return {"moves": game.moves[:place] + bytes(moves) + game.moves[1:], "lines": [7] * 300}


@pytest.mark.parametrize("values, error, message", [
    (replace_move(0, DISCARD_BASE + min(set(range(34)) - set(first_win().wall[20:34]))), IllegalActionError,
     "expected one of PLAY .* of seat 0, got PLAY .* in line 7 of here"),
    (replace_move(1, 237, 138), IllegalActionError, "of seat 3, got PENG in line 7 of here"),
    ({"moves": first_win().moves + b"\2"}, IllegalActionError, "expected no move after the end, got byte 2 in move"),
    ({"scores": (1, 2, 3, -6)}, ProtocolError, r"expected the scores \[.*\] \(.+ \d+.*\), got \[1, 2, 3, -6\]"),
    ({"fan": 99}, ProtocolError, r"expected \d+ fan \(.*\), got 99 in"),
    ({"moves": first_win().moves[:-4]}, ProtocolError, "expected moves up to the end of the game"),
], ids=["discard", "claim", "after the end", "scores", "fan", "no end"])
def test_another_move_or_end_is_refused(values, error, message):
    with pytest.raises(error, match=message):
        check_game(replace(first_win(), where="here", **values))


def test_marks_do_not_change_a_game():
    game = first_win()
    moves = bytearray()
    for byte in game.moves:
        moves.append(byte)
        if byte < 36 and len(moves) < 40:
            moves.append(MARK + 15)
    assert check_game(replace(game, moves=moves)).scores == list(game.scores)


def test_the_fault_of_a_seat_that_is_not_there():
    game = next(game for game in golden_games() if max(game.scores) == 10)
    broken = replace(game, moves=game.moves[:-1] + bytes([9]))
    with pytest.raises(ProtocolError, match="expected the seat 0..3 of a fault, got 9"):
        check_game(broken)
    with pytest.raises(BrokenGameError, match="seat 0..3"):
        record_from_game(broken)


def test_wins_that_need_their_own_suits_are_known():
    marked = [game for game in golden_games() if game.facts & OWN_SUITS]
    assert all(game.facts & REAL_WALL for game in golden_games())
    for game in golden_games()[:100]:
        names = {name for _, _, name in follow_game(game).fans}
        assert bool(names & {"绿一色", "推不倒"}) == (game in marked)
