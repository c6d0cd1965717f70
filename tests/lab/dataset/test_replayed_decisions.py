"""Compact games replayed by the engine; that their decisions are those of the records is tested with the engine."""

import contextlib
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.records.compact import pack_games, unpack_games
from mj_bot.lab.records.follow import follow_game, record_from_game
from mj_bot.lab.records.game_record import ALL_ANSWERS, ANSWER_BASE, MARK
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.table.players import make_tactic_player
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import IllegalActionError, ProtocolError
from mj_bot.mahjong.fan import sum_fans
from mj_bot.mahjong.rules import win_scores
from mj_bot.mahjong.state import GameState
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import RIVER_SIZE, field
from tests.lab.dataset.sets import random_games
from tests.lab.records.games import whole_games
from tests.lab.records.platforms.test_tziakcha import load_made, read
from tests.lab.table.test_one_wall import many_discards


def list_replayed(games):
    """{number of the game: [(seat, observation, mask, action)] in order}."""
    decisions = Replayer().replay(pack_games(games))
    masks = unpack_masks(decisions.masks)
    found = defaultdict(list)
    for row, number in enumerate(decisions.games.tolist()):
        found[number].append((int(decisions.seats[row]), decisions.observations[row].tobytes(), masks[row].tobytes(),
                              int(decisions.actions[row])))
    return found


def test_moves_made_at_random_are_marked():
    """Every mark, and nothing else, as the moves themselves have them; the observations do not change by marks."""
    games = list(unpack_games(random_games()))
    marked = sum(bin(byte - MARK).count("1") for game in games for byte in game.moves if byte > MARK)
    decisions = Replayer().replay(random_games())
    assert decisions.is_random.sum() == marked and 0.15 < decisions.is_random.mean() < 0.25
    plain = [replace(game, moves=bytes(byte for byte in game.moves if byte <= MARK)) for game in games]
    assert list_replayed(plain) == list_replayed(games)


def test_passes_are_left_out_where_the_source_has_no_overruled_claims():
    """Next to a claim, a pass of another seat may be an overruled claim."""
    told = fewer = 0
    for game in whole_games()[:60]:
        all_told = list_replayed([game])[0]
        untold = list_replayed([replace(game, facts=game.facts & ~ALL_ANSWERS)])[0]
        told, fewer = told + len(all_told), fewer + len(untold)
        assert set(untold) <= set(all_told)
        left_out = [decision for decision in all_told if decision not in untold]
        assert all(decision[3] == 0 for decision in left_out)
    assert 0 < fewer < told
    assert any(ANSWER_BASE < a <= ANSWER_BASE + 3 and ANSWER_BASE < b <= ANSWER_BASE + 3
               for game in whole_games() for a, b in zip(game.moves, game.moves[2:]))


def test_a_game_that_breaks_off_is_told_up_to_there():
    """The pass that ends a game on an empty wall is told, one before the source ends is not."""
    game = next(game for game in whole_games() if not any(game.scores))
    every = list_replayed([game])[0]
    for size in (1, 20, len(game.moves) - 2):
        short = list_replayed([replace(game, moves=game.moves[:size])]).get(0, [])
        assert short == every[:len(short)]
        assert len(short) >= min(len(every) - 3, size // 3)


def test_games_on_one_wall():
    """Every observation is that of the seat's own state; a wall is four to it until it has seen a flower."""
    games = [game for game in map(read, load_made()) if 0 in next(zip(*game.flowers))]
    assert len(games) > 8
    for number, rows in list_replayed(games).items():
        seen = set()
        for transcript in record_from_game(games[number]).transcripts():
            state = GameState()
            for request, response in zip(transcript.requests, transcript.responses):
                state.apply(request)
                if len(state.action_space()) > 1:
                    claims = [action for action in state.action_space() if action[0] in ("CHI", "PENG")]
                    seen.update(encode_observation(state, claim).tobytes() for claim in [None] + claims)
                state.answer(response)
        assert {observation for _, observation, _, _ in rows} <= seen


def test_a_seat_that_discards_more_than_an_observation_has_room_for():
    """27 tiles; four walls give 25 at most. The decisions before are told, and tactics go on."""
    game = many_discards()
    rows = [row for row in list_replayed([game])[0] if row[0] == 1]
    decisions = list(replay(record_from_game(game).transcripts()[1], make_tactic_player("cnn")))
    assert len(decisions[-1].state.players[1].played_tiles) == 27
    assert max(field(np.frombuffer(row[1], np.uint8), "river_sizes")[0] for row in rows) == RIVER_SIZE - 2


@pytest.mark.parametrize("reason, change_moves, message", [
    ("a tile that is in no hand", lambda moves, tile: bytes([DISCARD_BASE + tile]) + moves[1:],
     "expected a legal move in game 0, got byte .* at place 0 of its moves"),
    ("an illegal claim", lambda moves, tile: moves[:1] + bytes([ANSWER_BASE + 3, 140]) + moves[1:],
     "expected a legal move in game 0, got byte"),
    ("a byte that is none", lambda moves, tile: moves[:1] + bytes([239]) + moves[1:],
     "expected a legal move in game 0, got byte 239"),
    ("moves after the end", lambda moves, tile: moves + b"\2\3", "expected a legal move in game 0, got byte 2"),
])
def test_illegal_moves_are_refused(reason, change_moves, message):
    game = next(game for game in whole_games() if any(game.scores))
    absent = next(tile for tile in range(34) if tile not in game.wall[20:34])
    with pytest.raises(ProtocolError, match=message):
        list_replayed([replace(game, moves=change_moves(game.moves, absent))])


@pytest.mark.parametrize("is_self_drawn", [True, False])
def test_flowers_are_paid_as_fans(is_self_drawn):
    """Three flowers of the winner: the scores are those of three fan more, and no others."""
    games = ((game, follow_game(game)) for game in whole_games())
    game, referee = next((game, referee) for game, referee in games
                         if referee.verdict == "HU" and (referee.giver is None) == is_self_drawn)
    scores = win_scores(referee.culprit, sum_fans(referee.fans) + 3, referee.giver)
    flowers = [(0, referee.culprit, number) for number in (1, 2, 3)]
    assert list_replayed([replace(game, flowers=flowers, scores=scores)]) == list_replayed([game])
    with pytest.raises(ProtocolError, match=r"expected scores \[.*\] in game 0, got \[.*\]"):
        list_replayed([replace(game, flowers=flowers)])


def test_a_replayer_is_used_again():
    """Also after more games, and after illegal games."""
    replayer = Replayer()
    few, many = random_games(8), random_games()
    first = [column.copy() for column in replayer.replay(few)]
    replayer.replay(many)
    with pytest.raises(ProtocolError):
        heads = few.heads.copy()
        heads["scores"] += 1
        replayer.replay(few._replace(heads=heads))
    for before, after in zip(first, replayer.replay(few)):
        assert (before == after).all()


def is_legal_by_referee(game):
    try:
        referee = follow_game(game)
    except IllegalActionError:
        return False
    return not referee.is_over or referee.scores == list(game.scores)


@settings(max_examples=150)
@given(st.data())
def test_the_engine_and_the_referee_agree_on_any_moves(data):
    """Both refuse the same games, and compiled code stays within its arrays."""
    game = data.draw(st.sampled_from(whole_games()[:40]))
    at = data.draw(st.integers(0, len(game.moves) - 1))
    taken = data.draw(st.integers(0, 3))
    put = data.draw(st.binary(max_size=3))
    changed = replace(game, moves=game.moves[:at] + put + game.moves[at + taken:])
    with contextlib.nullcontext() if is_legal_by_referee(changed) else pytest.raises(ProtocolError):
        list_replayed([changed])
