"""The facts of an action against independent counts: winning hands one by one, the danger's own formula."""

import copy
import math

import numpy as np
import pytest

from mj_bot.lab.review.decisions import replay, review_decision
from mj_bot.lab.review.facts import Facts
from mj_bot.lab.review.remarks import list_remarks
from mj_bot.lab.table.fan_names import ENGLISH_FANS
from mj_bot.lab.table.players import make_tactic_player
from mj_bot.mahjong.fan import WinFacts, list_fans
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.rules import is_fourth_tile
from mj_bot.mahjong.shanten import useful_tiles
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES, list_tiles
from mj_bot.worth.danger import DANGER_WEIGHTS
from tests.lab.review.games import golden_records
from tests.tactic.test_winning_families import list_all_types
from tests.winning_hands import combine, cores_of, limit_copies, list_sets_and_pair, stack
from tests.worth.test_danger import describe

CHOW_FANS = ("mixed triple chow", "mixed straight", "mixed shifted chows", "pure straight", "pure shifted chows",
             "pure triple chow", "knitted straight")


@pytest.fixture(scope="module")
def looked_at():
    """(reviewed decision, [(facts, counts and melds after it, action, state)]) of some games."""
    found = []
    for seat, record in enumerate(golden_records(14, "stacked")):
        for decision in replay(record.transcripts()[seat % 4], make_tactic_player("rule_based")):
            facts, state, hands = Facts(decision.state), copy.deepcopy(decision.state), []
            for action in {decision.chosen, decision.logged}:
                if action in decision.legal and action[0] != "HU":
                    opening, discard = split_discard(action)
                    counts, melds = hand_after(state, opening)
                    if discard is not None:
                        counts[discard] -= 1
                    hands.append((facts.describe(action), counts, melds, action, state))
            found.append((review_decision(decision), hands))
    return found


def list_hands(looked_at):
    return [hand for _, hands in looked_at for hand in hands]


def test_distance_and_useful_tiles(looked_at):
    for facts, counts, melds, _, state in list_hands(looked_at):
        distance, tiles = useful_tiles(counts, len(melds))
        useful = [[TILE_NAMES[tile], state.unseen[tile]] for tile in tiles]
        assert (facts["shanten"], facts["useful"]) == (distance, useful)


def test_wins_by_trying_every_tile(looked_at):
    """Waits with no copy left were listed, and first."""
    checked = 0
    for facts, counts, melds, _, state in list_hands(looked_at):
        pack, hand = tuple(meld.as_pack(state.my_pid) for meld in melds), tuple(list_tiles(counts))
        expected = []
        for tile, name in enumerate(TILE_NAMES):
            if not state.unseen[tile]:
                continue
            fans = [sum(points * copies for points, copies, _ in list_fans(
                pack, hand, name, WinFacts(0, is_drawn, is_fourth_tile(state.shown, tile), seat_wind=state.my_pid,
                                           prevalent_wind=state.prevalent_wind)))
                    for is_drawn in (False, True)] if counts[tile] < 4 else [0, 0]
            if max(fans) >= 8:
                expected.append([name, state.unseen[tile]] + [fan if fan >= 8 else None for fan in fans])
        assert facts["wins"] == expected
        checked += bool(expected)
    assert checked > 10


@pytest.mark.slow
def test_aims_and_what_brings_them_nearer_by_every_winning_hand(looked_at):
    hands = {fan: limit_copies(combine(stack(cores_of(fan)), list_sets_and_pair(1))) for fan in CHOW_FANS}
    hands["all types"] = np.concatenate([list_all_types(place) for place in range(5)])
    winning_hands = {name: hands[english.lower()] for name, english in ENGLISH_FANS.items() if english.lower() in hands}
    checked = nearer = 0
    for facts, counts, melds, _, state in list_hands(looked_at):
        aims = dict(map(tuple, facts["targets"]))
        if melds or not aims or min(aims.values()) > 3 or facts["shanten"] < 0:
            continue
        least = min(aims.values())
        helping = set()
        for fan, hands in winning_hands.items():
            needed = np.maximum(hands - np.array(counts, np.int8), 0)
            needed = needed[(needed <= np.array(state.unseen, np.int8)).all(axis=1)]
            missing = needed.sum(axis=1)
            found = int(missing.min()) if len(missing) else 99
            if fan in aims and aims[fan] <= 3:
                assert aims[fan] == found, (fan, counts)
                checked += 1
            elif fan not in aims:
                assert found > least + 1, (fan, counts)
            if found == least:
                helping |= set(np.flatnonzero(needed[missing == least].any(axis=0)))
        if all(fan in winning_hands for fan, tiles in aims.items() if tiles == least):
            assert facts["improving"] == [[TILE_NAMES[tile], state.unseen[tile]] for tile in sorted(helping)]
            assert facts["distance_to_8_fan"] == (0 if facts["wins"] else least - 1) >= facts["shanten"]
            nearer += 1
    assert checked > 30 and nearer > 10


def test_danger_of_each_seat_by_its_formula(looked_at):
    checked = 0
    for facts, _, _, action, state in list_hands(looked_at):
        if action[0] == "PLAY":
            danger = [1 / (1 + math.exp(-np.dot(DANGER_WEIGHTS, describe(state, other, TILE_INDEX[action[1]]))))
                      for other in range(4)]
            danger[state.my_pid] = 0.0
            assert facts["danger"] == pytest.approx(danger, abs=1e-4)
            checked += 1
        assert (facts["danger"] is None) == (action[0] not in ("PLAY", "CHI", "PENG"))
    assert checked > 50


def facts(eight=2, wins=(), aims=(("花龙", 3),), nearer=5, danger=(0, .01, .01, 0)):
    return {"shanten": eight, "distance_to_8_fan": eight, "wins": [["W1", left, 8, 9] for left in wins],
            "win_ways": [[[[8, 1, "花龙"]], [[8, 1, "花龙"], [1, 1, "自摸"]]] for _ in wins],
            "targets": [list(aim) for aim in aims], "improving": [["W1", nearer]], "danger": danger and list(danger)}


@pytest.mark.parametrize("chosen, logged, expected", [
    (facts(), facts(), [["both", 2, 2], ["only"]]),
    (facts(), facts(3), [["distance", 2, 2, 3, "花龙", "花龙"]]),
    (facts(3), facts(aims=[("清龙", 2)]), [["distance", 2, 3, 2, "花龙", "清龙"], ["only"]]),
    (facts(0, wins=[4]), facts(0, wins=[2]), [["both", 2, 0], ["wins", 4, 2]]),
    (facts(0, wins=[4]), facts(0), [["both", 2, 0], ["wins", 4, 0]]),
    (dict(facts(0, wins=[4]), wins=[["W1", 4, None, 8]]), facts(0, wins=[3, 1]),
     [["both", 2, 0], ["against", "pays", [["W1", 4, None, 8]], [["W1", 3, 8, 9], ["W1", 1, 8, 9]]], ["only"]]),
    (facts(None, aims=[]), facts(), [["distance", 2, None, 2, None, "花龙"], ["only"]]),
    (facts(nearer=6), facts(aims=[("花龙", 3), ("清龙", 4)]),
     [["both", 2, 2], ["nearer", 6, 5]]),
    (facts(nearer=6), facts(aims=[("花龙", 2), ("清龙", 3)]),
     [["both", 2, 2], ["nearer", 6, 5], ["against", "keeps", "清龙", 3]]),
    (facts(aims=[("花龙", 2), ("清龙", 3)]), facts(), [["both", 2, 2], ["keeps", "清龙", 3]]),
    (facts(aims=[("花龙", 3), ("清龙", 4)]), facts(), [["both", 2, 2], ["only"]]),
    (facts(0, wins=[1, 4]), facts(1, aims=[("花龙", 1)]),
     [["distance", 2, 0, 1, [[8, 1, "花龙"]], "花龙"], ["wins", 5, 0]]),
    (facts(), facts(danger=(0, .01, .03, 0)), [["both", 2, 2], ["danger", .02, .04, [[2, .03], [1, .01]]]]),
    (facts(danger=(.04, 0, 0, 0)), facts(), [["both", 2, 2], ["against", "danger", .04, .02, [[0, .04]]], ["only"]]),
    (facts(danger=(.02, 0, .03, 0)), facts(danger=(0, .15, .02, 0)),
     [["both", 2, 2], ["danger", .05, .17, [[1, .15], [2, .02]]]]),
    (facts(danger=None), facts(1),
     [["distance", 2, 2, 1, "花龙", "花龙"], ["danger", None, .02, [[1, .01], [2, .01]]]]),
    (facts(), None, [["alone", 2, 2], ["nearer", 5, None], ["aim", "花龙", 3]]),
    (facts(0), None, [["alone", 2, 0], ["wins", 0, None], ["nearer", 5, None], ["aim", "花龙", 3]]),
    (facts(0, wins=[4, 2]), None, [["alone", 2, 0], ["wins", 6, None]]),
    (facts(danger=(0, 0, .3, .1)), facts(danger=None),
     [["both", 2, 2], ["against", "danger", .4, None, [[2, .3], [3, .1]]], ["only"]]),
])
def test_the_choice_of_remarks(chosen, logged, expected):
    """The seat with the greatest difference of two discards was named, and not the most dangerous one."""
    made = {"chosen": "PLAY W1", "logged": "PLAY W2", "distance_to_8_fan": 2, "chosen_facts": chosen,
            "logged_facts": logged}
    assert list_remarks(made) == expected
    assert list_remarks(dict(made, logged="HU"))[0] == ["alone", 2, chosen["distance_to_8_fan"]]
    assert list_remarks(dict(made, chosen="HU", win_fan=9)) == [["win", 9]]
