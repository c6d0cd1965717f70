"""Recorded games become moves, and the moves the same records; illegal games are refused."""

import gzip
import json

import pytest

from mj_bot.lab.records.botzone_log import format_log, parse_log
from mj_bot.lab.records.follow import check_game, follow_game, game_from_record, record_from_game
from mj_bot.lab.records.game import ALL_ANSWERS, MARK, MOST_MOVES, OWN_SUITS, REAL_WALL, BrokenGameError
from mj_bot.lab.records.golden import parse_golden
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import IllegalActionError, ProtocolError
from tests.golden_games import full_sets, name_of, read_games, with_samples
from tests.lab.records.games import change, golden_games, whole_games


def check_round_trip(record):
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
    return game


def test_recorded_games_become_moves_and_come_back():
    """The judge's requests, verdicts and scores, from the moves alone, also of games that end by an error."""
    for game in read_games():
        check_round_trip(parse_golden(json.dumps(game), name_of(game)))


@pytest.mark.slow
@pytest.mark.parametrize("path", full_sets())
def test_the_full_recorded_sets_become_moves_and_come_back(path):
    for game in read_games(path):
        check_round_trip(parse_golden(json.dumps(game), name_of(game)))


def test_a_log_without_its_wall_is_written_without_one():
    game = change(whole_games()[0], facts=ALL_ANSWERS)
    log = format_log(record_from_game(game))
    assert "walltiles" not in json.loads(log)["initdata"]
    assert parse_log(log).wall is None


@with_samples
def test_logs_of_botzone_are_legal(folder):
    with gzip.open(folder / "botzone.jsonl.gz", "rt", encoding="utf-8") as file:
        games = [game_from_record(parse_log(line)) for line in file]
    assert len(games) >= 5
    for game in games:
        check_game(game)
        assert game_from_record(record_from_game(game)) == game


def first_win():
    return next(game for game in whole_games() if any(game.scores))


def test_an_illegal_discard_is_refused_with_what_is_legal():
    game = first_win()
    absent = next(tile for tile in range(34) if tile not in game.wall[20:34])
    moves = bytes([DISCARD_BASE + absent]) + game.moves[1:]
    with pytest.raises(IllegalActionError, match=r"expected one of PLAY .* of seat 0, got PLAY .* in move 0 of here"):
        follow_game(change(game, moves=moves, where="here"))


def test_a_claim_that_the_hand_cannot_make_is_refused_with_its_line():
    game = first_win()
    moves = game.moves[:1] + bytes([237, 138]) + game.moves[1:]
    with pytest.raises(IllegalActionError, match=r"of seat 3, got PENG in line 7 of here"):
        follow_game(change(game, moves=moves, where="here", lines=[7] * len(moves)))


@pytest.mark.parametrize("values, error, message", [
    ({"moves": first_win().moves + b"\2"}, IllegalActionError, "expected no move after the end, got byte 2"),
    ({"scores": (1, 2, 3, -6)}, ProtocolError, r"expected the scores \[.*\] \(.+ \d+.*\), got \[1, 2, 3, -6\]"),
    ({"fan": 99}, ProtocolError, r"expected \d+ fan \(.*\), got 99 in"),
    ({"moves": first_win().moves[:-4]}, ProtocolError, "expected moves up to the end of the game")])
def test_another_end_is_refused(values, error, message):
    with pytest.raises(error, match=message):
        check_game(change(first_win(), **values))


def test_marks_do_not_change_a_game():
    game = first_win()
    moves = bytearray()
    for byte in game.moves:
        moves.append(byte)
        if byte < 36 and len(moves) < 40:
            moves.append(MARK + 15)
    assert check_game(change(game, moves=moves)).scores == list(game.scores)


def test_the_fault_of_a_seat_that_is_not_there():
    game = next(game for game in golden_games() if max(game.scores) == 10)
    broken = change(game, moves=game.moves[:-1] + bytes([9]))
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
