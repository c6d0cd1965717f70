"""The engine's own behaviour: wall sources, refilling, seatings, illegal actions, answers of MahjongGB kept."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.game_rows import DECISION, GAME, RESULT
from mj_bot.lab.engine.wall_sources import seed_source, wall_source
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError, MahjongError
from mj_bot.observation.layout import OBSERVATION_SIZE


def start(engine):
    engine.reset()
    return engine


def play_out(engine):
    """{number of a game: its result as a dict}, where every seat wins if it may, else takes its first legal action."""
    engine.reset()
    results = {}
    while len(engine.pending):
        engine.step([1 if mask[1] else int(np.flatnonzero(mask)[0]) for mask in engine.mask()])
        for result in engine.finished:
            fields = {name: result[name].tolist() for name in ("score", "fan", "winner", "giver")}
            results[int(result["game_id"])] = dict(fields, log=result["log"][:result["log_count"]].tolist())
    return results


@pytest.fixture(scope="module")
def results():
    return play_out(Engine(32, seed_source(0, 300)))


def test_every_game_of_a_source_is_played_once(results):
    """With fewer places than games, or more."""
    assert sorted(results) == list(range(300))
    assert all(sum(result["score"]) == 0 for result in results.values())
    assert play_out(Engine(8, seed_source(0, 3))) == {number: results[number] for number in range(3)}


@pytest.mark.parametrize("first", [0, 5, 2 ** 40 + 7, 2 ** 63 - 3])
def test_sources(first):
    """Walls and winds of games are the source's, by seed or as given, each repeated for its seatings."""
    by_seed = start(Engine(72, seed_source(first, repeats=24)))
    walls = [wall_from_seed(first + number) for number in range(3)]
    winds = [wind_from_seed(first + number) for number in range(3)]
    given = start(Engine(72, wall_source(np.repeat(walls, 24, axis=0).tolist(), np.repeat(winds, 24).tolist())))
    assert (by_seed.games["wall"] == given.games["wall"]).all()
    assert by_seed.games["wind"].tolist() == given.games["wind"].tolist() == [wind for wind in winds for _ in range(24)]
    assert (by_seed.games["wall"][:24] == by_seed.games["wall"][0]).all()
    assert given.games["game_id"].tolist() == list(range(72))


def test_neither_width_nor_forgotten_answers_of_mahjonggb_matter(results):
    assert play_out(Engine(1, seed_source(7, 12))) == {number: results[7 + number] for number in range(12)}
    small = Engine(32, seed_source(0, 300), memo_size=1)
    small._fans._most = 4
    assert play_out(small) == results


def test_threads_do_not_disturb_each_other(results):
    """Two engines in two threads."""
    with ThreadPoolExecutor() as pool:
        for seed, found in zip((0, 100), pool.map(lambda seed: play_out(Engine(8, seed_source(seed, 60))), (0, 100))):
            assert found == {number: results[seed + number] for number in range(60)}


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
    (lambda: seed_source(-1), MahjongError),
    (lambda: seed_source(0, prevalent_wind=7), MahjongError),
])
def test_bad_sources(make, error):
    with pytest.raises(error, match="expected"):
        make()


def test_an_observation_is_the_first_part_of_the_full_one():
    engine = start(Engine(16, seed_source(0)))
    for _ in range(30):
        engine.step(engine.mask().argmax(axis=1))
    assert (engine.observations(full=True)[:, :OBSERVATION_SIZE] == engine.observations()).all()


def test_memory_a_game():
    assert GAME.itemsize + 6 * DECISION.itemsize + RESULT.itemsize < 4096
