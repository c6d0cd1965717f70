"""Repeated mistakes: the same alternatives at several turns count once, other alternatives count for themselves."""

import pytest

from mj_bot.lab.review.decisions import mark_repeats


def make_ready(frame, *, kept, better, loss=2.0, chosen="PLAY W1", logged="PLAY W2", steps=0):
    """A decision of a ready hand: the tiles that it waits for after the logged and after the chosen action."""
    return {"frame": frame, "chosen": chosen, "logged": logged, "loss": loss, "repeats": None,
            "agreement": "kind", "class": "blunder", "is_needless_danger": False,
            "tiles": [["W1"]] if logged.startswith("PLAY") else [],
            "chosen_facts": {"shanten": steps, "useful": [[name, 2] for name in better]},
            "logged_facts": {"shanten": 0, "useful": [[name, 1] for name in kept]}}


def list_repeats(*decisions):
    mark_repeats(decisions)
    return [decision["repeats"] for decision in decisions]


def test_a_wrong_wait_that_is_kept_is_one_mistake():
    """Each turn with a wait counted as a mistake of its own."""
    assert list_repeats(
        make_ready(5, kept=["W3"], better=["T1"]), make_ready(9, kept=["W3"], better=["T1"], loss=5.0),
        make_ready(13, kept=["W3"], better=["T1"], loss=0.0), make_ready(17, kept=["W3"], better=["W3"]),
        make_ready(21, kept=["B3"], better=["T1"])) == [9, None, None, None, None]


@pytest.mark.parametrize("other", [
    make_ready(155, kept=["T3"], better=["B1"]),
    make_ready(155, kept=["T3"], better=["W5"], chosen="PLAY W9", steps=1),
    make_ready(155, kept=["T3"], better=["W5"], chosen="PASS", logged="PENG T3 B1")])
def test_another_choice_with_the_same_wait_is_another_mistake(other):
    """A dangerous discard was "the same mistake" as a pung before, since both kept the same wait."""
    pung = make_ready(116, kept=["T3"], better=["W5"], chosen="PASS", logged="CHI T4 B1")
    assert list_repeats(pung, other) == [None, None]


def test_a_kong_that_is_not_made_is_one_mistake():
    """So did each turn at which a kong was not made."""
    decisions = [make_ready(frame, kept=["B3"], better=["B3"], loss=loss, chosen=kong)
                 for frame, loss, kong in ((25, 3.0, "GANG W1"), (29, 2.0, "GANG W1"), (33, 2.0, "BUGANG W1"))]
    assert list_repeats(*decisions) == [None, 25, None]


def test_a_decision_without_facts_is_never_a_repeat():
    """The record may end before the answer, and then the decision has no facts of its action."""
    assert list_repeats(*(dict(make_ready(frame, kept=["B3"], better=["T1"]), logged_facts=None)
                          for frame in (3, 5))) == [None, None]
