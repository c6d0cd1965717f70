"""Decisions taken from games, worlds, and playouts from them."""

import numpy as np
import pytest

from mj_bot.lab.batch.search import SearchBatch
from mj_bot.lab.engine import Engine, decode_position, seed_source
from mj_bot.lab.playouts.decisions import sample_decisions
from mj_bot.lab.playouts.play import Playouts, read_player
from mj_bot.lab.playouts.worlds import BELIEFS
from mj_bot.mahjong.errors import MahjongError
from mj_bot.observation.layout import AT, OBSERVATION_SIZE, TURN, field

SPEC = "search:correction=0,next_draw=0,least_chance=0.001"
PLAYER = SearchBatch(correction=0, next_draw=0, least_chance=1e-3)
PLAYOUTS = Playouts(read_player(SPEC))
WIDTH, MOST = 2.0, 3


@pytest.fixture(scope="module")
def sample():
    return sample_decisions(PLAYER, first_seed=77, games=6, share=0.3, width=WIDTH, most=MOST)


def test_candidates_are_the_players_choice_and_those_near_it(sample):
    assert len(sample.decisions) > 20 and sample.near_count > len(sample.decisions)
    for decision in sample.decisions:
        assert 2 <= len(decision.actions) == len(set(decision.actions.tolist())) <= MOST
        assert (decision.points >= decision.points.max() - WIDTH).all()
        # The others stand in the order of their points.
        assert (np.diff(decision.points[1:]) <= 0).all()


def test_every_near_decision_may_be_taken():
    whole = sample_decisions(PLAYER, 5, games=2, share=1.0, width=WIDTH, most=MOST)
    assert len(whole.decisions) == whole.near_count
    again = sample_decisions(PLAYER, 5, games=2, share=1.0, width=WIDTH, most=MOST)
    assert all((one.full == other.full).all() for one, other in zip(whole.decisions, again.decisions))


@pytest.mark.parametrize("belief", sorted(BELIEFS))
def test_a_world_looks_the_same_to_the_seat(sample, belief):
    rng = np.random.default_rng(1)
    walls_differ = False
    for decision in sample.decisions:
        world = BELIEFS[belief](decision.full, rng)
        assert (world[:OBSERVATION_SIZE] == decision.full[:OBSERVATION_SIZE]).all()
        decode_position(world)  # refuses tiles that do not add up
        walls_differ = walls_differ or (field(world, "wall_tiles") != field(decision.full, "wall_tiles")).any()
        true, dealt = field(decision.full, "hands").astype(int), field(world, "hands").astype(int)
        common = np.minimum(true, dealt).sum(1)
        if belief == "true":
            assert (true == dealt).all()
        elif belief == "half":
            assert (common >= (true.sum(1) + 1) // 2).all()
    assert walls_differ


def play_whole(seed):
    """(full observations, seats, actions, scores by seat) of all decisions of one game."""
    engine = Engine(1, seed_source(seed, 1))
    engine.reset()
    rows = []
    while len(engine.owed):
        full = engine.observations(full=True)
        actions = PLAYER(np.ascontiguousarray(full[:, :OBSERVATION_SIZE]), engine.mask())
        rows += zip(full.copy(), engine.owed["seat"].tolist(), actions.tolist())
        engine.step(actions)
    return rows, engine.finished[0]["score"].copy()


def test_a_playout_with_the_true_walls_is_the_game_itself():
    for seed in range(3):
        rows, scores = play_whole(seed)
        games = np.array([decode_position(full) for full, _, _ in rows])
        seats, actions = [row[1] for row in rows], [row[2] for row in rows]
        assert PLAYOUTS(games, seats, actions).tolist() == scores[seats].tolist()


def test_a_playout_that_is_cut_ends_at_the_first_draw_after_so_many_discards():
    rows, scores = play_whole(4)
    games = np.array([decode_position(full) for full, _, _ in rows])
    seats, actions = [row[1] for row in rows], [row[2] for row in rows]
    seen = []

    def value(states, whose):
        assert (states["phase"] == TURN).all()
        seen.extend(states["discard_count"].tolist())
        return 1000.0 + whose

    brought = PLAYOUTS(games, seats, actions, cut=8, value=value)
    last = int(rows[-1][0][AT.discard_count])
    is_cut = brought >= 1000
    assert (brought[is_cut] - 1000).tolist() == np.array(seats)[is_cut].tolist()
    assert brought[~is_cut].tolist() == scores[np.array(seats)[~is_cut]].tolist()
    for game, cut in zip(games, is_cut):
        assert cut or last <= game["discard_count"] + 8
    # One game was played: each cut falls on the first draw after eight discards more, or after a kong's.
    assert set(seen) <= {int(game["discard_count"]) + more for game in games for more in (8, 9)}
    assert is_cut.any() and not is_cut.all()


@pytest.mark.parametrize("spec", ["search", "search:correction=0", "rule_based", "search:next_draw=0"])
def test_other_players_are_refused(spec):
    with pytest.raises(MahjongError, match="expected search:correction=0,next_draw=0"):
        read_player(spec)
