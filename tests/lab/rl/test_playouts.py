"""Decisions played out from their true position."""

import zlib

import numpy as np
import pytest

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.rl.playouts import deal_walls, play_out
from mj_bot.mahjong.action import WIN_INDEX
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.observation.layout import OBSERVATION_SIZE


def choose(observations, masks):
    """A legal action that depends on the observation alone; wins are taken."""
    return np.array([WIN_INDEX if mask[WIN_INDEX] else
                     np.flatnonzero(mask)[zlib.crc32(observation.tobytes()) % mask.sum()]
                     for observation, mask in zip(observations, masks)])


def play_whole(seed):
    """(games, seats, masks, chosen) of all decisions of one game, and the scores by seat."""
    engine = Engine(1, seed_source(seed, 1))
    engine.reset()
    rows = []
    while len(engine.pending):
        chosen = choose(engine.observations(), engine.mask())
        rows += [(engine.games[0].copy(), int(row["seat"]), mask, action)
                 for row, mask, action in zip(engine.pending, engine.mask(), chosen)]
        engine.step(chosen)
    return [np.array(column) for column in zip(*rows)], engine.finished[0]["score"].copy()


@pytest.fixture(scope="module")
def played():
    return play_whole(7)[0]


@pytest.mark.parametrize("seed", range(4))
def test_with_the_true_walls_the_chosen_action_brings_what_the_game_brought(seed):
    (games, seats, _, chosen), scores = play_whole(seed)
    brought = play_out(choose, games, seats, chosen[:, None], count=1)
    assert [rows.tolist() for rows in brought] == [[[score]] for score in scores[seats]]


def test_every_action_of_a_decision_is_played_out(played):
    games, seats, masks, _ = (column[10:60:7] for column in played)
    actions = [np.flatnonzero(mask) for mask in masks]
    brought = play_out(choose, games, seats, actions, count=3, seed=1)
    assert [rows.shape for rows in brought] == [(len(some), 3) for some in actions]
    # The playouts of a decision do not depend on the others' number, and games given stay as they are.
    again = play_out(choose, games[:2], seats[:2], actions[:2], count=3, seed=1)
    assert all((one == other).all() for one, other in zip(again, brought))


def test_a_column_has_the_same_walls(played):
    """The same action twice brings the same in each playout, and not the same in all of them."""
    games, seats, _, chosen = (column[20:24] for column in played)
    for rows in play_out(choose, games, seats, np.stack([chosen, chosen], 1), count=32, seed=2):
        assert (rows[0] == rows[1]).all()
        assert len(set(rows[0].tolist())) > 1


def test_only_the_walls_are_dealt_anew(played):
    games, _, _, _ = played
    for game in games[5::9]:
        dealt = game.copy()
        deal_walls(dealt, np.random.default_rng(3))
        for name in game.dtype.names:
            if name != "wall":
                assert (dealt[name] == game[name]).all(), name
        assert sorted(dealt["wall"].tolist()) == sorted(game["wall"].tolist())
        one, other = Engine(1, seed_source(0, 0)), Engine(1, seed_source(0, 0))
        one.put(game[None])
        other.put(dealt[None])
        assert (one.observations() == other.observations()).all() and (one.mask() == other.mask()).all()
        full = [engine.observations(full=True)[:, OBSERVATION_SIZE:] for engine in (one, other)]
        assert sum(game["wall_left"]) < 2 or (full[0] != full[1]).any()


def test_tiles_come_as_often_as_there_are_copies(played):
    game = played[0][30]
    left = int(game["wall_left"][2])
    drawn = np.zeros(34)
    tiles = np.concatenate([game["wall"][34 * seat:34 * seat + count] for seat, count in enumerate(game["wall_left"])])
    for number in range(4000):
        dealt = game.copy()
        deal_walls(dealt, np.random.default_rng(number))
        drawn[dealt["wall"][34 * 2 + left - 1]] += 1 / 4000
    expected = np.bincount(tiles, minlength=34) / len(tiles)
    assert np.abs(drawn - expected).max() < 5 * np.sqrt(expected.max() / 4000)


def test_an_illegal_action(played):
    games, seats, masks, _ = (column[:1] for column in played)
    with pytest.raises(IllegalActionError):
        play_out(choose, games, seats, [[int(masks[0].argmin())]], count=1)
