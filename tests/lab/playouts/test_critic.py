"""The critic that sees all hands."""

import numpy as np
import pytest

from mj_bot.lab.batch.search import SearchBatch
from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.engine.games import DECISION
from mj_bot.lab.engine.observations import make_observations, write_observations
from mj_bot.lab.playouts import critic
from mj_bot.lab.playouts.critic import Critic, Facts, fit_critic, load_critic
from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.mahjong.fan import count_fan
from mj_bot.mahjong.shanten import shanten, useful_tiles
from mj_bot.mahjong.tile import TILE_NAMES, list_tiles
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, PUNG, TURN

PLAYER = SearchBatch(correction=0, next_draw=0, least_chance=1e-3)
KINDS = {CHOW: "CHI", PUNG: "PENG"}


@pytest.fixture(scope="module")
def games():
    """Games at a turn, from all times."""
    engine = Engine(24, seed_source(3, 24))
    engine.reset()
    found = []
    while len(engine.owed):
        places = np.unique(engine.owed["game"])
        found.append(engine.games[places[engine.games["phase"][places] == TURN]][:1].copy())
        engine.step(PLAYER(engine.observations(), engine.mask()))
    return np.concatenate(found)


def list_wins(game, seat):
    """(tiles that win by a discard, tiles that win at all, most fan) of a seat that is not in turn, by MahjongGB."""
    counts = game["hand"][seat].astype(int).tolist()
    melds = [game["meld"][seat, place] for place in range(game["meld_count"][seat])]
    pack = tuple((KINDS.get(int(meld[0]), "GANG"), TILE_NAMES[meld[1]], int(meld[0] != CONCEALED_KONG))
                 for meld in melds)
    if shanten(counts, len(pack)) != 0:
        return set(), set(), 0
    by_discard, at_all, most = set(), set(), 0
    for tile in useful_tiles(counts, len(pack))[1]:
        for is_self_drawn in (False, True):
            fan = count_fan(pack, tuple(list_tiles(counts)), TILE_NAMES[tile], 0, is_self_drawn,
                            bool(game["shown"][tile] == 3), False, False, seat, int(game["wind"]))
            if fan >= 8:
                (at_all if is_self_drawn else by_discard).add(tile)
                most = max(most, fan)
    return by_discard, at_all | by_discard, most


def list_facts(games):
    """Of each game and seat, float32[G, 4, FACT_COUNT]."""
    facts = Facts()(np.repeat(games, 4), np.tile(np.arange(4), len(games)))
    return facts.reshape(len(games), 4, -1)


def test_facts_are_those_of_a_plain_count(games):
    facts = list_facts(games)
    first = critic._A_SEAT
    ready = 0
    for game, of_game in zip(games, facts):
        in_walls = np.zeros(34, int)
        for seat in range(4):
            tiles = game["wall"][34 * seat:34 * seat + game["wall_left"][seat]]
            in_walls += np.bincount(tiles, minlength=34)
        for seat in range(4):
            own = of_game[seat, :first]
            assert own[-5] == (seat == game["turn"]) and own[-4] == pytest.approx(game["wall_left"][seat] / 21)
            if seat == game["turn"]:
                continue
            counts, melds = game["hand"][seat].astype(int).tolist(), int(game["meld_count"][seat])
            assert own[2:7].argmax() == min(4, shanten(counts, melds))
            useful = useful_tiles(counts, melds)[1]
            assert own[-8] * 10 == pytest.approx(in_walls[useful].sum(), abs=1e-4)
            assert CONCEALED_KONG not in game["meld"][seat, :melds, 0]
            unseen = 4 - game["shown"].astype(int) - game["hand"][seat]
            assert own[-7] * 10 == pytest.approx(unseen[useful].sum(), abs=1e-4)
            by_discard, at_all, most = list_wins(game, seat)
            ready += len(at_all) > 0
            assert own[-3] == (len(at_all) > 0) and own[-2] * 16 == pytest.approx(most)
            assert own[-1] * 4 == pytest.approx(sum(in_walls[tile] for tile in at_all))
            held = of_game[seat, 4 * first:].reshape(4, 4)[0] * 2
            for offset in range(4):
                other = game["hand"][(seat + offset) % 4]
                assert held[offset] == pytest.approx(sum(int(other[tile]) for tile in by_discard))
    assert ready > 10


def test_worths_are_those_of_the_search(games):
    """The batch form asked at the same turn."""
    search = SearchBatch(correction=0, next_draw=0, least_chance=1e-4)
    for game, of_game in zip(games, list_facts(games)):
        seat = int(game["turn"])
        owed = np.zeros(1, DECISION)
        owed["seat"] = seat
        observation = make_observations(1)
        write_observations(game[None], owed, False, observation)
        mask = np.zeros((1, 235), bool)
        mask[0, 2:36] = game["hand"][seat] > 0
        search(observation, mask)
        assert np.exp(of_game[seat, 0]) == pytest.approx(max(0.05, search.worths[0]), rel=1e-4)


def test_seats_see_the_same_facts_from_their_places(games):
    facts = list_facts(games)
    for seat in range(4):
        for offset in range(4):
            part = facts[:, seat, offset * critic._A_SEAT:(offset + 1) * critic._A_SEAT]
            assert (part == facts[:, (seat + offset) % 4, :critic._A_SEAT]).all()


def test_a_fitted_critic_explains_scores_and_is_kept(games, tmp_path):
    fitted, explained = fit_critic(PLAYER, first_seed=11, games=400)
    assert 0.02 < explained < 0.5
    values = fitted(games, np.zeros(len(games), int))
    assert values.std() > 1
    path = tmp_path / "critic.npz"
    fitted.save(path)
    assert load_critic(path)(games, np.zeros(len(games), int)) == pytest.approx(values)


def test_a_seat_that_may_win_does(games):
    games = games[:1].copy()
    seat = int(games[0]["turn"])
    games["fan"][0, seat] = 12
    nothing = Critic([(np.zeros((critic.FACT_COUNT, 1), np.float32), np.zeros(1, np.float32))])
    assert nothing(games, np.array([seat])).tolist() == [3 * 20]
    assert nothing(games, np.array([(seat + 1) % 4])).tolist() == [-20]


def test_a_critic_of_other_facts_is_refused(tmp_path):
    path = tmp_path / "critic.npz"
    Critic([(np.zeros((5, 1), np.float32), np.zeros(1, np.float32))]).save(path)
    with pytest.raises(ModelMismatchError, match="of 5 in"):
        load_critic(path)
