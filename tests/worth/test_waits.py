"""The waits of ready hands, against what the recorded judge says when the tile comes."""

import pytest

from mj_bot.mahjong.rules import is_last_tile
from mj_bot.mahjong.tile import TILE_INDEX, parse_tile
from mj_bot.worth.chance import CLASS_OF
from mj_bot.worth.chance import ARRIVALS
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.waits import list_waits
from tests.golden_games import name_of, read_games, walk
from tests.tactic.positions import state_of
from tests.worth.values import Waits


def judged_tiles():
    """Yields (where, state, its concealed counts without the tile that came, the tile, the judge's fan or negative).

    Left out is what no hand can know before: tiles of kongs, and the wall's last. Of the tiles that do not complete a
    hand some are enough.
    """
    for game in read_games():
        for step, _requests, display, _answers, states in walk(game):
            for seat, (state, judged) in enumerate(zip(states, display.get("canHu", [-4] * 4))):
                if judged == -4 or (judged < 0 and step % 5):
                    continue
                is_of_kong = any(action[0] in ("GANG", "BUGANG") for _, action in state.history[-2:])
                if is_of_kong or is_last_tile(state.walls, state.history[-1][0]):
                    continue
                tile = TILE_INDEX[state.drawn_tile or state.last_tile]
                counts = list(state.hand_counts)
                counts[tile] -= state.is_my_turn
                yield (name_of(game), step, seat), state, counts, tile, judged


def test_waits_are_what_the_judge_lets_win():
    wins = 0
    for where, state, counts, tile, judged in judged_tiles():
        waits = {wait: fans for wait, *fans in list_waits(state, counts, state.players[state.my_pid].melds)}
        assert waits.get(tile, (None, None))[state.is_my_turn] == (judged if judged >= 8 else None), where
        wins += judged >= 8
    assert wins == 185


# Why, hand, tile, fan of a win on a discard, None for fewer than eight, fan of a self-draw.
WAITS = [
    ("closed wait of mixed steps", "W234 T345 B46888 F11", [("B5", 9, 11)]),
    ("two fan for drawing it all oneself", "W234678 T567 B3488", [("B2", None, 9), ("B5", None, 8)]),
    ("one wait on any tile, the other self-drawn", "W234678 T456 B3488", [("B2", None, 9), ("B5", 12, 14)]),
    ("too cheap", "W123 W567 B34567 F11", []),
    ("not ready", "W123 T569 B345 F44 J22", []),
]


@pytest.mark.parametrize("hand, expected", [case[1:] for case in WAITS], ids=[case[0] for case in WAITS])
def test_waits_and_their_worth(hand, expected):
    """What is waited for comes with its chance; a tile that must be self-drawn, by the own draws alone."""
    state = state_of(1, hand)
    parameters = PARAMETERS._replace(horizon=0.5, win_claims=0.6, sharpness=1.5)
    waits = Waits(state, parameters)
    assert list_waits(state, state.hand_counts, ()) == [(parse_tile(name), *fans) for name, *fans in expected]
    worth = 0.0
    for name, fan, by_draw in expected:
        drawn, before, others = (0.5 * 21 / (136 - 13) * rate for rate in ARRIVALS[CLASS_OF[parse_tile(name)]])
        share = drawn + 0.6 * (before + others) if fan else drawn
        worth += ((1 - (1 - share) ** state.unseen[parse_tile(name)]) * (24 + (fan or by_draw))) ** 1.5
    assert waits.worth(state.hand_counts) == pytest.approx(worth)


def test_flowers_do_not_make_a_hand_dear_enough():
    state = state_of(1, "W123 W567 B34567 F11")
    state.players[state.my_pid].n_flowers = 8
    assert list_waits(state, state.hand_counts, ()) == []
