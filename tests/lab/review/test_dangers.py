"""Needless dangers against the definition, discard by discard, and deal-ins against the ends of recorded games."""

import pytest

from mj_bot.lab.review.dangers import find_needless, is_as_good, list_deal_ins
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.review.facts import Facts
from mj_bot.lab.table.players import make_tactic_player
from tests.lab.review.games import golden_records


def make_facts(shanten=1, distance=1, *, useful=5, improving=5, wins=(), targets=(("花龙", 2),), danger=0.0):
    return {"shanten": shanten, "distance_to_8_fan": distance, "useful": [["W1", useful]],
            "improving": [["W1", improving]], "wins": [list(win) for win in wins],
            "targets": [list(target) for target in targets], "danger": [0.0, danger, 0.0, 0.0]}


@pytest.mark.parametrize("worse", [
    make_facts(2), make_facts(1, 2), make_facts(1, None), make_facts(useful=4), make_facts(improving=4),
    make_facts(targets=[("花龙", 3)]), make_facts(targets=[])])
def test_every_count_makes_a_hand_worse(worse):
    assert is_as_good(make_facts(), worse) and not is_as_good(worse, make_facts())


def test_ready_hands_are_compared_by_their_waits_and_fan():
    ready = make_facts(0, 0, wins=[["W1", 3, 8, 9]], targets=[])
    assert is_as_good(ready, make_facts(0, 0, wins=[["W1", 2, 9, 10]]))
    assert not is_as_good(ready, make_facts(0, 0, wins=[["W1", 3, 9, 10]]))
    assert is_as_good(ready, make_facts()) and not is_as_good(make_facts(), ready)


def test_farther_targets_and_the_tiles_of_a_farther_hand_do_not_count():
    assert is_as_good(make_facts(), make_facts(targets=[("花龙", 2), ("清龙", 4)]))
    assert is_as_good(make_facts(1, 1), make_facts(2, 2, useful=20, improving=20))


class Position:
    """Stands for Facts: {action: facts}."""

    def __init__(self, facts):
        self.describe = facts.__getitem__


def test_the_best_safer_discard_is_named():
    """A discard with four percent more danger and no gain was never a mistake of its own."""
    risky, other, best, draw = (("PLAY", name) for name in ("T2", "B1", "B2", "J1"))
    position = Position({risky: make_facts(danger=0.082), other: make_facts(danger=0.007),
                         best: make_facts(2, 2, danger=0.0), draw: make_facts(danger=0.07)})
    ranked = [(best, 3.0), (draw, 2.0), (other, 1.5), (risky, 1.0)]
    assert find_needless(position, ranked, risky) == ["B1", 0.007, 0.082]
    assert find_needless(position, ranked[:2] + [(risky, 1.6), (other, 1.5)], risky) is None
    assert find_needless(position, ranked, other) is find_needless(position, ranked, ("PASS",)) is None


def test_needless_dangers_of_games():
    """Each is compared with every discard of the same turn."""
    found = 0
    for seat, record in enumerate(golden_records(12, "stacked")):
        for decision in replay(record.transcripts()[seat % 4], make_tactic_player("rule_based")):
            if decision.logged not in dict(decision.ranked) or decision.logged[0] != "PLAY":
                continue
            source, points = Facts(decision.state), dict(decision.ranked)
            dangers = {action: sum(source.describe(action)["danger"]) for action in points if action[0] == "PLAY"}
            better = [action for action, danger in dangers.items() if points[action] > points[decision.logged]
                      and danger <= dangers[decision.logged] - 0.02
                      and is_as_good(source.describe(action), source.describe(decision.logged))]
            needless = find_needless(source, decision.ranked, decision.logged)
            assert (needless is not None) == bool(better)
            assert needless is None or ("PLAY", needless[0]) == max(better, key=points.get)
            found += bool(better)
    assert found > 2


def make_discard(**changes):
    facts = {"danger": [0.0, 0.08, 0.002, 0.0]}
    return dict({
        "frame": 86, "logged": "PLAY T2", "chosen": "PLAY B1", "ranked": [["PLAY B1", 1.4], ["PLAY W1", 1.3],
                                                                          ["PLAY T2", 0.9]],
        "class": "inaccuracy", "is_needless_danger": False, "logged_facts": facts,
        "chosen_facts": {"danger": [0.0] * 4},
        "tiles": [["T2", 0.082], ["W1", 0.03], ["B1", 0.0]]}, **changes)


END = {"verdict": "HU", "from": 2, "tile": "T2", "scores": [34, -8, -26, 0]}


def test_a_deal_in_says_what_was_safer_and_what_that_cost():
    expected = {"frame": 86, "tile": "T2", "chance": 0.082, "safer": ["PLAY B1", 0.0, -0.5], "is_avoidable": True,
                "points": -26}
    assert list_deal_ins([make_discard()], 2, END) == [expected]
    assert list_deal_ins([make_discard()], 1, END) == []
    assert list_deal_ins([make_discard()], 2, dict(END, verdict="HUANG")) == []
    assert list_deal_ins([make_discard(logged="PLAY B1")], 2, END) == []


@pytest.mark.parametrize("changes, safer, is_avoidable", [
    ({"class": "good"}, -0.5, False), ({"class": "good", "is_needless_danger": True}, -0.5, True),
    ({"ranked": [["PLAY T2", 2.0], ["PLAY W1", 1.3]]}, 0.7, False),
    ({"ranked": [["PLAY T2", 2.0]]}, None, False), ({"ranked": []}, None, False)])
def test_a_deal_in_is_avoidable_only_where_the_value_says_so(changes, safer, is_avoidable):
    dealt, = list_deal_ins([make_discard(**changes)], 2, END)
    assert dealt["is_avoidable"] == is_avoidable
    assert (dealt["safer"] and dealt["safer"][2]) == safer


def test_a_robbed_kong_has_no_chance():
    dealt, = list_deal_ins([make_discard(logged="BUGANG T2", logged_facts={"danger": None})], 2, END)
    assert (dealt["chance"], dealt["safer"], dealt["points"]) == (None, None, -26)


def test_a_claim_may_be_left():
    """The discard after a pung was won on: to pass was safe."""
    decision = make_discard(logged="PENG T2", chosen="PENG B1", tiles=[],
                            ranked=[["PENG B1", 1.0], ["PASS", 0.9], ["PENG T2", 0.8]],
                            chosen_facts={"danger": [0.0, 0.08, 0.0, 0.0]})
    assert list_deal_ins([decision], 2, END)[0]["safer"] == ["PASS", 0.0, -0.1]
