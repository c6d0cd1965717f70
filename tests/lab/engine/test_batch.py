"""The engine's own behaviour: wall sources, refilling, seatings, illegal actions, answers of MahjongGB kept."""

import threading

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.decisions import random_actions
from mj_bot.lab.engine.sources import seed_source, shuffle_wall, wall_source
from mj_bot.lab.table.walls import SEATINGS, wall_from_seed, wind_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError, MahjongError
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.observation.layout import OBSERVATION_SIZE


def play_out(engine, seed=0):
    """Plays random games until none is left; returns the results by game number, as bytes."""
    state = np.array([seed], np.uint64)
    results = {}
    while len(engine.pending):
        actions = np.zeros(len(engine.pending), np.int16)
        random_actions(engine.pending, state, actions)
        assert engine.mask()[np.arange(len(actions)), actions].all()
        engine.step(actions)
        results.update((int(result["game_id"]), result.copy()) for result in engine.finished)
    return results


def read_result(result):
    """A result's fields, without the gaps between them."""
    return tuple(result[name].tolist() for name in result.dtype.names)


@pytest.mark.parametrize("seed", [0, 1, 2 ** 40 + 7, 2 ** 63 - 1])
def test_walls_of_seeds(seed):
    wall = np.zeros(136, np.uint8)
    shuffle_wall(wall, np.uint64(seed))
    assert [TILE_NAMES[tile] for tile in wall] == wall_from_seed(seed)


@pytest.mark.parametrize("width, count", [(16, 100), (8, 3)])
def test_every_game_of_a_source_is_played_once(width, count):
    """With fewer places than games, or more."""
    results = play_out(start(Engine(width, seed_source(7, count))))
    assert sorted(results) == list(range(count))
    assert all(result["score"].sum() == 0 for result in results.values())


def test_sources():
    """Walls and winds of games are the source's, by seed or as given, each repeated for its seatings."""
    by_seed = start(Engine(72, seed_source(5, repeats=24)))
    walls = [wall_from_seed(seed) for seed in (5, 6, 7)]
    given = start(Engine(72, wall_source(walls, [1, 2, 3], repeats=len(SEATINGS))))
    assert (by_seed.games["wall"] == given.games["wall"]).all()
    assert by_seed.games["wind"].tolist() == [wind_from_seed(seed) for seed in (5, 6, 7) for _ in range(24)]
    assert (by_seed.games["wall"][:24] == by_seed.games["wall"][0]).all()
    assert given.games["game_id"].tolist() == list(range(72))


def test_width_does_not_matter():
    """The same policy by position plays the same games in engines of any width."""
    def last_legal(engine):
        results = {}
        while len(engine.pending):
            engine.step([int(np.flatnonzero(mask)[-1]) for mask in engine.mask()])
            for result in engine.finished:
                results[int(result["game_id"])] = result["log"][:result["log_count"]].tolist()
        return results

    assert last_legal(start(Engine(1, seed_source(0, 12)))) == last_legal(start(Engine(7, seed_source(0, 12))))


def start(engine):
    engine.reset()
    return engine


def test_forgetting_answers_changes_nothing():
    """Games come out the same when the answers kept do not last."""
    def win_if_possible(engine):
        results = []
        while len(engine.pending):
            engine.step([1 if mask[1] else int(np.flatnonzero(mask)[0]) for mask in engine.mask()])
            results += [read_result(result) for result in engine.finished]
        return results

    small = Engine(32, seed_source(0, 300), memo_size=1)
    small._fans._most = 4
    assert win_if_possible(start(small)) == win_if_possible(start(Engine(32, seed_source(0, 300))))


def test_threads_do_not_disturb_each_other():
    """Two engines in two threads play what each plays alone."""
    alone = [play_out(start(Engine(8, seed_source(seed, 60))), seed) for seed in (0, 1000)]
    together = [None, None]

    def play(number, seed):
        together[number] = play_out(start(Engine(8, seed_source(seed, 60))), seed)

    threads = [threading.Thread(target=play, args=pair) for pair in enumerate((0, 1000))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for mine, theirs in zip(alone, together):
        assert {key: read_result(mine[key]) for key in mine} == {key: read_result(theirs[key]) for key in theirs}


def test_illegal_actions_change_nothing():
    engine = start(Engine(4))
    before = engine.games.copy(), engine.pending.copy()
    legal = engine.mask().argmax(axis=1)
    for wrong in (0, 234, -1, 300):
        actions = legal.copy()
        actions[2] = wrong
        with pytest.raises(IllegalActionError, match="for seat 0 of game 2, got %d in row 2" % wrong):
            engine.step(actions)
    with pytest.raises(IllegalActionError, match="expected 4 actions"):
        engine.step(legal[:3])
    assert (engine.games == before[0]).all() and (engine.pending == before[1]).all()
    engine.step(legal)


@pytest.mark.parametrize("make, error", [
    (lambda: wall_source([["W1"] * 136], [0]), InvalidHandError),
    (lambda: wall_source([wall_from_seed(0)], [4]), MahjongError),
    (lambda: wall_source([wall_from_seed(0)], [0, 1]), MahjongError),
    (lambda: wall_source([wall_from_seed(0)], [0], repeats=0), MahjongError),
    (lambda: seed_source(-1), MahjongError),
    (lambda: seed_source(0, prevalent_wind=7), MahjongError),
])
def test_bad_sources(make, error):
    with pytest.raises(error, match="expected"):
        make()


def test_copies_of_games_play_on_alike():
    """Games put into another engine have the same decisions; an observation is the first part of the full one."""
    engine, copies = start(Engine(16, seed_source(0))), start(Engine(16, seed_source(50)))
    for _ in range(30):
        engine.step(engine.mask().argmax(axis=1))
    copies.put(engine.games.copy())
    decisions = [{(int(row["game"]), int(row["seat"])): (observation.tobytes(), mask.tobytes())
                  for row, observation, mask in zip(one.pending, one.observations(full=True), one.mask())}
                 for one in (engine, copies)]
    assert decisions[0] == decisions[1]
    assert (engine.observations(full=True)[:, :OBSERVATION_SIZE] == engine.observations()).all()


def test_memory_a_game():
    assert Engine(1000).nbytes < 1000 * 4096
