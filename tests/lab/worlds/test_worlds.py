"""lab/worlds: every world fits what its seat saw, all fitting ones are equally likely, and games go on from them."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.hand.notation import parse_hand
from mj_bot.lab.hand.hand_position import make_hand_state
from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.game_referee import Referee
from mj_bot.lab.table.walls import check_wall
from mj_bot.lab.worlds import draw_worlds
from mj_bot.lab.worlds.drawing import draw_walls
from mj_bot.lab.worlds.history import History, read_history
from mj_bot.mahjong.action import encode_action
from mj_bot.mahjong.errors import IllegalActionError, MahjongError, ProtocolError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import NONE
from mj_bot.tactic import load_tactic
from tests.tactic.positions import discard_of, positions, read_fields, state_of

pytest.importorskip("numba", reason="no numba: the engine plays too slowly")


@pytest.fixture(scope="module")
def states():
    """Positions of recorded games, with kongs that their seat does not see, and kongs of its own."""
    chosen = [state.copy() for state in positions(every=10) if state.requests > 1]
    for is_own in (False, True):
        kongs = [state for state in chosen if any(
            meld.is_concealed and is_own == (seat == state.my_pid)
            for seat, player in enumerate(state.players) for meld in player.melds)]
        assert kongs
        yield_first = kongs[:5]
        chosen = yield_first + [state for state in chosen if state not in yield_first]
    return chosen[:60]


def replay(worlds, index):
    """(the state of the seat, the Referee) after the moves so far in one world."""
    state, seat = GameState(), worlds.state.my_pid
    referee = Referee([TILE_NAMES[tile] for tile in worlds.walls[index]], worlds.state.prevalent_wind)
    for responses in worlds.list_responses(index):
        state.apply(referee.requests[seat])
        state.answer(responses[seat])
        referee.step(responses)
    state.apply(referee.requests[seat])
    return state, referee


def test_every_world_replays_what_its_seat_saw(states):
    """Melds, rivers, counts and walls are counted from scratch, by the referee and by the engine."""
    for number, state in enumerate(states):
        worlds = draw_worlds(state, 2, seed=number)
        engine = Engine(2, seed_source(game_count=0))
        engine.resume(worlds.games)
        for index in range(2):
            check_wall([TILE_NAMES[tile] for tile in worlds.walls[index]])
            again, referee = replay(worlds, index)
            seen, expected = read_fields(again), read_fields(state)
            for cache in ("_actions", "_answer"):
                del seen[cache], expected[cache]
            assert seen == expected
            assert worlds.hands[index].tolist() == referee.hands
            assert worlds.games[index]["walls_left"].tolist() == referee.walls_left
        rows = np.flatnonzero(engine.pending["seat"] == state.my_pid)
        legal = {encode_action(action, state.last_tile)[0] for action in state.action_space()}
        assert len(rows) == 2 and (engine.observations()[rows] == encode_observation(state)).all()
        assert all(set(np.flatnonzero(mask)) == legal for mask in engine.mask()[rows])


def list_fitting(history):
    """Counter of the walls that fit a History with few hidden tiles, by trying every order of the tiles."""
    places = np.flatnonzero(history.own == NONE)
    shown = [(34 * (seat + 1) - 1, tile, taken) for seat, tile, taken in history.shown.tolist()]
    found = Counter()
    for kong in (set(range(34)) if any(tile >= 34 for _, tile, _ in shown) else {None}):
        pool = history.pool.tolist()
        if kong is not None and pool.count(kong) < 4:
            continue
        tiles = [kong if tile >= 34 else tile for _, tile, _ in shown]
        tiles += [tile for tile in pool if tile != kong]
        for order in permutations(range(len(tiles))):  # the place of each tile
            if all(0 <= top - places[at] < taken for at, (top, _, taken) in zip(order, shown)):
                wall = [0] * len(tiles)
                for tile, at in zip(tiles, order):
                    wall[at] = tile
                found[tuple(wall)] += 1
    return found


def make_history(free, shown, pool):
    """A History whose unknown slots are few. free: (seat, slot) of them."""
    own = np.zeros(136, np.uint8)
    for seat, slot in free:
        own[34 * (seat + 1) - 1 - slot] = NONE
    return History(0, 0, own, np.array(shown, np.int64).reshape(-1, 3), np.array(pool, np.uint8),
                   np.zeros((0, 3), np.int64), [], 0)


@pytest.mark.parametrize("history", [
    make_history([(1, 0), (1, 2), (1, 5), (2, 0), (2, 1), (3, 20)], [(1, 7, 1), (1, 8, 6), (2, 7, 2)], [7, 8, 9]),
    make_history([(1, 0), (1, 1), (1, 2), (1, 3), (2, 9), (2, 33)], [], [3, 3, 3, 4, 4, 5]),
    make_history([(1, slot) for slot in range(5)] + [(2, 0), (3, 0), (3, 1)], [(1, 34, 5)] * 4, [2] * 4 + [6] * 4),
], ids=["shown tiles", "hidden tiles", "a kong that nobody sees"])
def test_all_fitting_walls_are_equally_likely(history):
    """Chi-square against every order of the tiles, at odds of 1 in a million."""
    from scipy import stats

    expected, count = list_fitting(history), 20000
    walls, kongs = draw_walls(history, count, 11)
    drawn = Counter(map(tuple, walls[:, history.own == NONE].tolist()))
    assert set(drawn) == set(expected) and len(expected) > 9
    shares = np.array([expected[wall] for wall in expected]) / sum(expected.values())
    assert stats.chisquare([drawn[wall] for wall in expected], shares * count).pvalue > 1e-6


def test_seeds_repeat(states):
    first, again, other = (draw_worlds(states[0], 50, seed=seed).walls for seed in (3, 3, 4))
    assert (first == again).all() and (first != other).any()


def test_a_world_goes_on_by_the_engine_as_by_the_referee(states):
    for state in states[::6]:
        worlds = draw_worlds(state, 2, seed=1)
        scores = worlds.play("rule_based")
        for index in range(2):
            record = worlds.play_record(index, [make_player("rule_based") for _ in range(4)])
            assert record.scores == scores[index].tolist()


def test_the_first_action_is_that_of_the_caller(states):
    for state in states[::6]:
        tactic = load_tactic("rule_based")
        chosen = tactic(state.copy())
        worlds = draw_worlds(state, 20, seed=2)
        assert (worlds.play("rule_based", chosen) == worlds.play("rule_based")).all()
    claims = next(state for state in states if any(action[0] in ("CHI", "PENG") for action in state.action_space()))
    claim = next(action for action in claims.action_space() if action[0] in ("CHI", "PENG"))
    worlds = draw_worlds(claims, 3, seed=2)
    assert worlds.play("random", claim).sum(1).tolist() == [0, 0, 0]
    with pytest.raises(IllegalActionError, match="expected one of"):
        worlds.play("random", ("BUGANG", "J3"))
    with pytest.raises(MahjongError, match="a player for each"):
        worlds.play(["random"] * 3)


def test_a_win_pays_in_every_world():
    state = state_of(0, "W123 T456 B789 F11 B55", "2 B5")
    win = state.action_space()[0]
    assert win[0] == "HU"
    scores = draw_worlds(state, 5).play("random", win)
    assert (scores == [3 * (8 + win[1])] + [-8 - win[1]] * 3).all()


def test_discards_weigh_worlds(states):
    state = max(states, key=lambda state: state.requests)
    worlds = draw_worlds(state, 30, seed=1)
    worlds.weigh("search", discards=0)
    assert worlds.effective_size == pytest.approx(30)
    worlds.weigh("search", discards=3)
    assert worlds.weights.sum() == pytest.approx(1) and 1 <= worlds.effective_size < 29
    with pytest.raises(MahjongError, match="a tactic"):
        worlds.weigh("random")


@pytest.mark.parametrize("state, count, seed, told", [
    (GameState(), 1, 0, "that requests have made"),
    (make_hand_state(parse_hand("123m456s789pEE55p")), 1, 0, "that requests have made"),
    (state_of(0, "W123 T456 B789 F11 B55", "3 0 BUHUA H1"), 1, 0, "without flowers"),
    (state_of(1, "W123 T456 B789 F11 B55", discard_of(0, "W9")), 0, 0, "1 world or more"),
    (state_of(1, "W123 T456 B789 F11 B55", discard_of(0, "W9")), 1, -1, "a seed"),
])
def test_what_has_no_worlds_is_refused(state, count, seed, told):
    with pytest.raises(ProtocolError, match=told):
        draw_worlds(state, count, seed=seed)


def test_a_seat_that_has_just_been_dealt_has_worlds():
    state = state_of(2, "W123 T456 B789 F11 B55")
    assert read_history(state).draws == 0
    assert draw_worlds(state, 4).hands.sum(2).tolist() == [[14, 13, 13, 13]] * 4
