"""Positions in mid-game: from full observations, from what one seat sees, and as copies of games."""

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.decisions import random_actions
from mj_bot.lab.engine.positions import decode_position, fill_hidden
from mj_bot.lab.engine.sources import seed_source
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError
from mj_bot.observation.layout import CONCEALED_KONG, IDLE, OBSERVATION_SIZE, PLACES, TURN, field


def play_steps(engine, count, seed=0):
    state = np.array([seed], np.uint64)
    for _ in range(count):
        actions = np.zeros(len(engine.owed), np.int16)
        random_actions(engine.owed, state, actions)
        engine.step(actions)


def make_engine(count, first_seed=0):
    engine = Engine(count, seed_source(first_seed))
    engine.reset()
    return engine


def read_decisions(engine):
    """{(game, seat): (observation, mask)} of what is owed."""
    return {(int(row["game"]), int(row["seat"])): (observation.tobytes(), mask.tobytes())
            for row, observation, mask in zip(engine.owed, engine.observations(full=True), engine.mask())}


@pytest.mark.parametrize("steps", [0, 1, 7, 33, 60, 95])
def test_full_views_are_positions(steps):
    """A game taken from a full observation owes the same decisions, and plays on the same way."""
    engine = make_engine(64, first_seed=100)
    play_steps(engine, steps)
    observations = engine.observations(full=True)
    rows = {int(row["game"]): observation for row, observation in zip(engine.owed, observations)}
    other = make_engine(64)
    other.put(sorted(rows), np.array([decode_position(rows[game]) for game in sorted(rows)]))
    assert read_decisions(other) == read_decisions(engine)
    for name in ("key", "shape", "hope", "shown", "held", "quads", "fan", "river_claimer", "meld_count"):
        assert (other.games[name] == engine.games[name]).all(), name
    # Rows may stand in another order and the source deals other games after these.
    for _ in range(20):
        alive = {game for game in rows if other.games["game_id"][game] == -1}
        mine, theirs = ({key: decision for key, decision in read_decisions(each).items() if key[0] in alive}
                        for each in (engine, other))
        assert mine == theirs
        choices = {(int(row["game"]), int(row["seat"])): int(np.flatnonzero(mask)[-1])
                   for row, mask in zip(engine.owed, engine.mask())}
        for each in (engine, other):
            each.step([choices.get((int(row["game"]), int(row["seat"])), int(np.flatnonzero(mask)[-1]))
                       if row["game"] in alive else int(np.flatnonzero(mask)[-1])
                       for row, mask in zip(each.owed, each.mask())])


def test_hidden_tiles_are_filled_in():
    """What the viewer sees stays as it is, and the game that comes out is a legal one; other seats' tiles vary."""
    engine = make_engine(64, first_seed=300)
    play_steps(engine, 50)
    other = make_engine(1)
    hands = set()
    for row, observation in zip(engine.owed, engine.observations()):
        for seed in range(2):
            other.put([0], decode_position(fill_hidden(observation, seed))[None])
            mine = other.owed["seat"] == row["seat"]
            assert (other.observations()[mine] == observation).all() and mine.sum() == 1
            hands.add(other.games["hand"].tobytes())
    assert len(hands) == 2 * len(engine.owed)


def test_hidden_tiles_are_filled_in_evenly():
    """A wall's next tile, and a tile of a hand, are each unseen tile as often as there are copies of it."""
    engine = make_engine(8, first_seed=40)
    play_steps(engine, 30)
    observation = engine.observations()[0]
    count = 20_000
    filled = np.stack([fill_hidden(observation, seed) for seed in range(count)])
    assert (filled[:, :OBSERVATION_SIZE] == observation).all()
    unseen = field(observation, "unseen").astype(float)
    expected = unseen / unseen.sum()
    next_tiles = np.bincount(field(filled, "wall_tiles")[:, 2, 0], minlength=34) / count
    in_hand = field(filled, "hands")[:, 1].mean(0) / field(observation, "hand_sizes")[2]
    assert np.abs(next_tiles - expected).max() < 5 * np.sqrt(expected.max() / count)
    assert np.abs(in_hand - expected).max() < 5 * np.sqrt(expected.max() / count / 10)


def test_concealed_kongs_are_any_kind_that_is_not_seen():
    engine = make_engine(1)
    observation = engine.observations()[0]
    field(observation, "meld_kind")[1:3, 0] = CONCEALED_KONG
    field(observation, "hand_sizes")[1:3] = 10
    # Two kongs are eight tiles that the walls lack: six of the hands, and two draws.
    field(observation, "walls")[:2] -= 1
    found = np.stack([field(fill_hidden(observation, seed), "kong_tile")[:2, 0] for seed in range(3000)])
    kinds = np.flatnonzero(field(observation, "unseen") == 4)
    assert (found[:, 0] != found[:, 1]).all()
    assert set(found[:, 0].tolist()) == set(found[:, 1].tolist()) == set(kinds.tolist())
    counts = np.bincount(found.ravel(), minlength=34)[kinds]
    assert abs(counts - counts.mean()).max() < 5 * counts.mean() ** 0.5


def test_more_concealed_kongs_than_kinds():
    observation = make_engine(1).observations()[0]
    field(observation, "unseen")[:] = 3
    field(observation, "meld_kind")[2, 0] = CONCEALED_KONG
    with pytest.raises(InvalidHandError, match="expected 1 kinds without a copy seen, for concealed kongs, got 0"):
        fill_hidden(observation, 0)


def test_copies_of_games_play_on_alike():
    engine = make_engine(8)
    play_steps(engine, 30)
    copies = make_engine(8, first_seed=50)
    copies.put(range(8), engine.games.copy())
    assert read_decisions(copies) == read_decisions(engine)


def test_other_games_stay():
    engine = make_engine(4)
    play_steps(engine, 10)
    before = read_decisions(engine)
    engine.put([2], engine.games[2:3].copy())
    assert read_decisions(engine) == before
    play_steps(engine, 200)


def test_a_tile_too_many():
    observation = make_engine(1).observations(full=True)[0]
    hands = field(observation, "hands")
    hands[0, hands[0].argmax()] -= 1
    hands[0, (hands[0] == 0).argmax()] += 1
    with pytest.raises(InvalidHandError, match="expected four"):
        decode_position(observation)


def test_a_hand_too_small():
    observation = make_engine(1).observations(full=True)[0]
    hand = field(observation, "hand")
    hand[hand.argmax()] -= 1
    with pytest.raises(InvalidHandError, match="expected 14 tiles in the hand of seat 0, got 13"):
        decode_position(observation)


def test_a_view_of_no_decision():
    observation = make_engine(1).observations(full=True)[0]
    field(observation, "task")[0] = IDLE
    with pytest.raises(InvalidHandError, match="expected an observation at a decision"):
        decode_position(observation)


def test_unseen_tiles_that_do_not_add_up():
    observation = make_engine(1).observations()[0]
    field(observation, "walls")[1] -= 1
    with pytest.raises(InvalidHandError, match="unseen"):
        fill_hidden(observation, 0)


@pytest.mark.parametrize("places", [[0, 0], [4], [-1]])
def test_places_that_are_none(places):
    engine = make_engine(4)
    with pytest.raises(IllegalActionError, match="expected different places 0..3"):
        engine.put(places, engine.games[[0] * len(places)])


def test_a_view_is_the_first_part_of_the_full_view():
    engine = make_engine(16)
    play_steps(engine, 20)
    assert (engine.observations(full=True)[:, :OBSERVATION_SIZE] == engine.observations()).all()
    assert set(engine.observations()[:, PLACES["task"][0]].tolist()) >= {TURN}
