"""The correction of the search: features against a count from the state, and the manners of the correction."""

from itertools import islice
from math import log

import numpy as np
import pytest

from mj_bot.mahjong.action import CHOW_BASE, DISCARD_BASE, PUNG_BASE, encode_action
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.shanten import discard_table, shanten
from mj_bot.mahjong.shanten_tables import UNREACHABLE
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.observation.encoder import encode_observation
from mj_bot.tactic.base import Questions
from mj_bot.worth import correction
from mj_bot.worth.correction import (
    CORRECTED_ACTIONS, CORRECTION_FEATURES, CORRECTION_WEIGHTS, DISCARD_FEATURES, POINTS_FEATURES, Distances, Position,
    correct_points)
from tests.tactic.positions import positions

_PHASES = ("three or more from ready", "two from ready", "one from ready, or ready")


def measure(state):
    """Distances of a state, by mahjong.shanten."""
    counts, melds = state.hand_counts, len(state.players[state.my_pid].melds)
    after, useful = np.full((1, 34), UNREACHABLE), np.zeros((1, 34, 34), bool)
    claimed = np.zeros((1, 235), np.int64)
    if sum(counts) + 3 * melds == 14:
        for tile, (distance, tiles) in discard_table(counts, melds).items():
            after[0, tile] = distance
            useful[0, tile, tiles] = True
    for action in state.action_space():
        if action[0] in ("CHI", "PENG"):
            left, laid = hand_after(state, split_discard(action)[0])
            claimed[0, encode_action(action, state.last_tile)[0]] = shanten(left, len(laid))
    return Distances(np.array([shanten(counts, melds)]), after, useful, claimed)


def describe_discard(state, distances, tile):
    """The features that hold of the discard of a tile, read off the state by name."""
    me, counts = state.players[state.my_pid], state.hand_counts
    others = [state.players[(state.my_pid + offset) % 4] for offset in range(1, 4)]
    name = TILE_NAMES[tile]
    rank = int(name[1]) if name[0] in "WTB" else None
    beside, beyond = (sum(rank is not None and 1 <= rank + step <= 9 and counts[tile + step] > 0
                          for step in (-distance, distance)) for distance in (1, 2))
    single = rank is not None and counts[tile] == 1
    is_valued = name[0] == "J" or name in ("F%d" % (state.my_pid + 1), "F%d" % (state.prevalent_wind + 1))
    unseen, walls = state.unseen[tile] / 4, sum(state.walls) / 84
    suits = {suit: sum(counts[first:first + 9]) for suit, first in zip("WTB", (0, 9, 18))}
    after, useful = distances.after[0], distances.useful[0]
    leaves = [sum(state.unseen[other] for other in np.flatnonzero(useful[kind])) for kind in range(34)]
    best = min(after)
    most = max(leaves[kind] for kind in range(34) if after[kind] == best)
    phased = {
        "honour": rank is None, "terminal": rank in (1, 9), "beside terminal": rank in (2, 8),
        "valued honour": is_valued, "pair": counts[tile] == 2, "triplet": counts[tile] >= 3,
        "pair of honours": rank is None and counts[tile] == 2, "one between": single and not beside and beyond > 0,
        "one neighbour": single and beside == 1, "two neighbours": single and beside == 2,
        "pair with a neighbour": counts[tile] == 2 and beside > 0, "unseen": unseen,
        "unseen honour": unseen * (rank is None), "tiles of its suit": suits.get(name[0], 0) / 5,
        "goes back": after[tile] > best,
        "useful tiles lost": (leaves[tile] - most) / 10 if after[tile] == best else 0,
    }
    phase = 0 if shanten(counts, len(me.melds)) >= 3 else 1 if shanten(counts, len(me.melds)) == 2 else 2
    found = {"%s, %s" % (key, name): value if name == _PHASES[phase] else 0
             for key, value in phased.items() for name in _PHASES}
    rivers = [[discard for discard in player.played_tiles] for player in [me] + others]
    discards = [action[-1] for _, action in state.history if action[0] in ("PLAY", "CHI", "PENG")]
    melds = [sum(bool(meld.cards) and meld.cards[0][0] == name[0] for meld in player.melds)
             for player in (me, others[0])]
    found.update({
        "unseen early": unseen * walls, "goes back by two": after[tile] > best + 1,
        "honour early": (rank is None) * walls, "terminal early": (rank in (1, 9)) * walls,
        "discarded by the next": name in rivers[1], "discarded across": name in rivers[2],
        "discarded by the one before": name in rivers[3], "discarded by itself": name in rivers[0],
        "discarded lately": name in discards[-4:],
        "discarded lately, late in the game": (name in discards[-4:]) * (1 - walls),
        "discarded, late in the game": any(name in river for river in rivers[1:]) * (1 - walls),
        "longest suit": rank is not None and suits[name[0]] == max(suits.values()),
        "shortest suit": rank is not None and suits[name[0]] == min(suits.values()),
        "own melds in its suit": melds[0] / 2 if rank else 0,
        "next one's melds in its suit": melds[1] / 2 if rank else 0,
        "unseen, melds of others": unseen * max(len(player.melds) for player in others) / 2,
        "valued honour late": is_valued * (1 - walls),
    })
    return {key: float(value) for key, value in found.items()}


def test_discard_features():
    checked = 0
    for state in positions(9):
        distances = measure(state)
        discards = [action for action in state.action_space() if action[0] == "PLAY"]
        if not discards:
            continue
        features = correction.list_discard_features(Position(encode_observation(state)[None], distances,
                                                             np.array([3.0])))
        for action in discards:
            tile = TILE_NAMES.index(action[1])
            expected = describe_discard(state, distances, tile)
            assert set(expected) == set(DISCARD_FEATURES)
            assert dict(zip(DISCARD_FEATURES, features[:, 0, tile].tolist())) == pytest.approx(expected, abs=1e-5)
            checked += 1
        if checked > 500:
            break
    assert checked > 500


def test_features_of_claims():
    seen = set()
    names = [(kind, name) for kind, _, _, of_kind in CORRECTED_ACTIONS for name in of_kind]
    for state in positions(5):
        actions = [action for action in state.action_space() if action[0] in ("CHI", "PENG")]
        if not actions:
            continue
        distances, worth = measure(state), 7.0
        position = Position(encode_observation(state)[None], distances, np.array([worth]))
        found = dict(zip(names, np.concatenate(correction.list_claim_features(position))[:, 0].tolist()))
        melds = len(state.players[state.my_pid].melds)
        walls, level = sum(state.walls) / 84, log(worth + 2) - 2
        claimed = state.last_tile
        for kind in ("chow", "pung"):
            assert [found[kind, name] for name in ("first meld", "second meld", "later meld")] == [
                melds == 0, melds == 1, melds > 1]
            now = distances.now[0]
            assert [found[kind, name] for name in ("ready", "one from ready", "two from ready")] == [
                now == 0, now == 1, now == 2]
            assert found[kind, "walls left"] == pytest.approx(walls) and found[kind, "worth"] == pytest.approx(level)
            assert found[kind, "first meld, worth"] == pytest.approx(level * (melds == 0), abs=1e-6)
        assert found["pung", "of three held"] == (state.hand_counts[TILE_NAMES.index(claimed)] == 3)
        valued = claimed[0] == "J" or claimed in ("F%d" % (state.my_pid + 1), "F%d" % (state.prevalent_wind + 1))
        assert found["pung", "valued honour"] == valued
        assert found["pung", "other wind"] == (claimed[0] == "F" and not valued)
        masks = Questions(state, actions).masks[:1]
        nearer = correction.compute_nearer(position, masks)
        assert not nearer[~masks].any()
        for action in actions:
            left, laid = hand_after(state, split_discard(action)[0])
            index = encode_action(action, claimed)[0]
            assert nearer[0, index] == np.clip(distances.now[0] - shanten(left, len(laid)), -1, 1)
            seen.add((index >= CHOW_BASE, float(nearer[0, index])))
        if len(seen) > 3:
            break
    assert len(seen) > 3


def correct(points, weights=CORRECTION_WEIGHTS):
    state = next(state for state in positions(7) if len(state.action_space()) > 5 and state.is_my_turn)
    return correct_points(points, encode_observation(state)[None], measure(state), worths=np.array([5.0]),
                          weights=weights)


def make_points(*pairs):
    points = np.full((1, 235), -np.inf)
    for action, value in pairs:
        points[0, action] = value
    return points


def test_points_alone_stay_what_they_are():
    """Down to what is out of the question."""
    weights = np.zeros(len(CORRECTION_FEATURES))
    weights[[len(CORRECTION_FEATURES) - len(POINTS_FEATURES) + place for place in range(4)]] = 1.0
    points = make_points((DISCARD_BASE, 4.0), (DISCARD_BASE + 3, 1.5), (DISCARD_BASE + 9, -30.0), (PUNG_BASE, 3.9))
    assert correct(points, weights) == pytest.approx(points)


def test_what_is_illegal_stays_so_and_the_best_keeps_its_points():
    points = make_points((DISCARD_BASE, 4.0), (DISCARD_BASE + 3, 3.9), (DISCARD_BASE + 9, 1.0))
    found = correct(points)
    assert (np.isfinite(found) == np.isfinite(points)).all() and found.max() == 4.0


def test_distances_are_those_of_the_state():
    observations, masks, expected = [], [], []
    for state in islice(positions(6), 300):
        questions = Questions(state, state.action_space())
        observations.append(questions.observations[0])
        masks.append(questions.masks[0])
        expected.append(measure(state))
    found = correction.measure_distances(np.array(observations), np.array(masks))
    by_name = {name: np.concatenate([getattr(one, name) for one in expected]) for name in found._fields}
    to_discard = (by_name["after"] < 99).any(1)
    assert 50 < to_discard.sum() < 300
    assert (found.now == by_name["now"]).all() and (found.claimed == by_name["claimed"]).all()
    assert (found.after[to_discard] == by_name["after"][to_discard]).all()
    assert (found.useful[to_discard] == by_name["useful"][to_discard]).all()
