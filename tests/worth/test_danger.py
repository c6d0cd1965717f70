"""The danger of a discard: features against a count from the state, and the model's manners."""

import numpy as np

from mj_bot.jit import jit
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES
from mj_bot.observation.encoder import encode_observation
from mj_bot.worth.danger import DANGER_WEIGHTS
from mj_bot.worth.danger import DANGER_FEATURES, list_features, seat_chances, set_dangers
from mj_bot.worth.points import LOSS, expect_points, weigh_risk
from tests.tactic.positions import discard_of, positions, state_of


def describe(state, opponent, tile):
    """The features that hold of one opponent and tile, read off the state by name; shares are given as numbers."""
    player = state.players[opponent]
    name = TILE_NAMES[tile]
    discards = [(seat, action[-1]) for seat, action in state.history if action[0] in ("PLAY", "CHI", "PENG")]
    last = max((place for place, (seat, _) in enumerate(discards) if seat == opponent), default=-1)
    own = [discard for seat, discard in discards if seat == opponent]
    rank = int(name[1]) if name[0] in "WTB" else None
    near = [name[0] + str(rank + step) for step in (-1, 1)] if rank else []
    melds = [meld.cards[0] for meld in player.melds if meld.cards]
    same = [card for card in melds if card[0] == name[0] or (not rank and card[0] in "FJ")]
    honours = [card for card in melds if card[0] in "FJ"]
    progress = (84 - sum(state.walls)) / 84
    own_suit = [discard for discard in own if discard[0] == name[0] or (not rank and discard[0] in "FJ")]
    found = {
        "always": 1, "progress": progress, "progress squared": progress ** 2,
        "progress with two melds": progress * (len(player.melds) >= 2),
        "honour": rank is None, "dragon": name[0] == "J",
        "terminal": rank in (1, 9), "beside terminal": rank in (2, 8), "discarded by it": name in own,
        "let pass by it": any(discard == name for _, discard in discards[last + 1:]),
        "melds of one suit": len(melds) >= 2 and len(same) + (len(honours) if rank else 0) == len(melds),
        "discarded lately": name in [discard for _, discard in discards[-8:]],
        "neighbour discarded by it": any(other in own for other in near),
        "share of its discards": len(own_suit) / (len(own) + 1), "share of its melds": len(same) / (len(melds) + 1),
        "honour none unseen": rank is None and state.unseen[tile] == 0,
    }
    for count, key in enumerate(("one meld", "two melds", "three melds", "four melds"), start=1):
        found[key] = len(player.melds) == count
    for count, key in enumerate(("none unseen", "one unseen", "two unseen", "three unseen")):
        found[key] = state.unseen[tile] == count
    return [float(found[key]) for key in DANGER_FEATURES]


def test_features_equal_those_read_off_the_state():
    checked = 0
    for state in positions(every=20):
        features = list_features(encode_observation(state))
        for offset in (1, 2, 3):
            for tile in range(0, 34, 3):
                expected = describe(state, (state.my_pid + offset) % 4, tile)
                got = features[offset - 1, tile]
                assert np.allclose(got, expected), dict(zip(DANGER_FEATURES, zip(got, expected)))
                checked += 1
    assert checked > 1000


@jit
def run_set_dangers(observation, weights, tiles, dangers, features):
    set_dangers(observation, weights, tiles, dangers, features)


def test_chances_are_those_of_the_features():
    """Of the tiles that are asked for alone."""
    some = 0b1011 << 20
    weights = np.array(DANGER_WEIGHTS)
    for state in positions(every=80):
        observation = encode_observation(state)
        by_seat = seat_chances(observation, DANGER_WEIGHTS)
        assert 0 < by_seat.min() and by_seat.max() < 1
        expected = by_seat.sum(0)
        dangers = np.ones((2, 34))
        run_set_dangers(observation, weights, (1 << 34) - 1, dangers[0], np.zeros(len(weights)))
        run_set_dangers(observation, weights, some, dangers[1], np.zeros(len(weights)))
        assert np.allclose(dangers[0], expected, rtol=1e-12)
        assert (dangers[1] == [dangers[0, tile] * (some >> tile & 1) for tile in range(34)]).all()


def test_what_makes_a_discard_safe():
    """An opponent with three melds: a tile it has just let pass is far safer than the same rank of another suit."""
    requests = [discard_of(0, "W2"), "3 3 PENG B2", discard_of(0, "T2"), "3 3 PENG B8", discard_of(0, "F2"),
                "3 3 PENG B7", discard_of(0, "W5"), "2 J3"]
    state = state_of(1, "W159 T159 B159 F13 J12", "; ".join(requests))
    chances = seat_chances(encode_observation(state), DANGER_WEIGHTS).sum(0)
    assert chances[TILE_INDEX["W5"]] < chances[TILE_INDEX["T5"]] / 3


def test_points_grow_with_worth_and_fall_with_risk():
    for walls in (80, 50, 20, 0):
        points = [expect_points(worth, walls) for worth in (0, 0.5, 1, 2, 5, 10, 20, 40)]
        assert points == sorted(points)
        risks = [weigh_risk(points[-1], risk) for risk in (0, 0.1, 0.5, 1)]
        assert risks == sorted(risks, reverse=True) and risks[-1] == -LOSS
