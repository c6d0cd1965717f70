"""Random games on the engine and on the plain referee: the same legal actions and scores."""

from collections import defaultdict, deque

import numpy as np
import pytest

from mj_bot.lab.dataset.replay import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.records.compact import unpack_games
from mj_bot.lab.records.follow import check_game, follow_game, list_answers
from mj_bot.mahjong.action import encode_action
from mj_bot.mahjong.tile import TILE_NAMES


def check_games(seed, count):
    """Plays random games on the engine, then on the referee, and compares seats and legal actions of all decisions."""
    games = play_games(("random",), seed, 1.0, 0, count)
    decisions = Replayer().replay(games)
    waiting = defaultdict(deque)
    for game, seat, mask in zip(decisions.games.tolist(), decisions.seats.tolist(), unpack_masks(decisions.masks)):
        waiting[game].append((seat, set(np.flatnonzero(mask).tolist())))
    for number, game in enumerate(unpack_games(games)):
        compare_game(game, waiting[number])


def compare_game(game, waiting):
    """Plays a game on the referee. waiting: deque of (seat, set of legal actions), the engine's decisions."""
    def compare(referee, responses):
        for seat, legal in list_pending(referee, responses):
            if len(legal) > 1:
                assert waiting.popleft() == (seat, legal), game.where

    follow_game(game, compare)
    check_game(game)
    assert not waiting, game.where


def list_pending(referee, responses):
    """Yields (seat, set of legal actions) of the decisions of a step; the discard after a claim comes last."""
    if referee.last_tile is None:
        return
    claimed = TILE_NAMES[referee.last_tile]
    for offset in range(4):
        seat = (referee.turn + offset) % 4
        yield seat, {encode_action(action, claimed)[0] for action in referee.legal_actions(seat)}
    for seat, taken in list_answers(referee, responses)[:1]:
        if taken[0] in ("CHI", "PENG"):
            yield seat, {encode_action(action, claimed)[1] for action in referee.legal_actions(seat)
                         if action[:-1] == taken[:-1]}


def test_random_games():
    check_games(0, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_20000_random_games(seed):
    check_games(seed, 1000)
