"""Random games on the engine and on the plain referee: the same legal actions and scores."""

from collections import defaultdict
from functools import partial

import numpy as np
import pytest

from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.records.compact import unpack_games
from mj_bot.lab.records.follow import check_game, follow_game
from mj_bot.mahjong.action import encode_action, parse_action
from mj_bot.mahjong.tile import TILE_NAMES


@pytest.mark.parametrize("seed, count", [
    (0, 50), *(pytest.param(seed, 1000, marks=pytest.mark.slow) for seed in range(1, 21))])
def test_random_games(seed, count):
    """Plays random games on the engine, then on the referee, and compares seats and legal actions of all decisions."""
    games = play_games(("random",), seed, 1.0, 0, count)
    decisions = Replayer().replay(games)
    by_engine = defaultdict(list)
    for game, seat, mask in zip(decisions.games.tolist(), decisions.seats.tolist(), unpack_masks(decisions.masks)):
        by_engine[game].append((seat, set(np.flatnonzero(mask).tolist())))
    for number, game in enumerate(unpack_games(games)):
        by_referee = []
        follow_game(game, partial(note_decisions, by_referee))
        check_game(game)
        assert [decision for decision in by_referee if len(decision[1]) > 1] == by_engine[number], game.where


def note_decisions(found, referee, responses, place):
    """Adds (seat, set of legal actions) of the decisions of a step; the discard after a claim comes last."""
    if referee.last_tile is None:
        return
    claimed = TILE_NAMES[referee.last_tile]
    for offset in range(4):
        seat = (referee.turn + offset) % 4
        found.append((seat, {encode_action(action, claimed)[0] for action in referee.legal_actions(seat)}))
    answers = [(seat, parse_action(text)) for seat, text in enumerate(responses) if text != "PASS"]
    for seat, taken in sorted(answers, key=lambda answer: (answer[1][0] != "HU", answer[1][0] == "CHI"))[:1]:
        if taken[0] in ("CHI", "PENG"):
            found.append((seat, {encode_action(action, claimed)[1] for action in referee.legal_actions(seat)
                                 if action[:-1] == taken[:-1]}))
