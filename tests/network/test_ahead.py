"""What each action leaves, written out."""

import json

import numpy as np

from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.network.ahead import look_ahead
from mj_bot.network.planes import AHEAD_PLANES, encode_inputs
from mj_bot.observation.encoder import encode_observation

DEAL = "1 0 0 0 0 %s"


def show(seat, hand, requests, claim=None):
    """{plane: {number: names of its tiles}} of what a seat sees, the number alone where it fills the plane."""
    responses = ["PASS"] * (1 + len(requests))
    requests = ["0 %d 0" % seat, DEAL % hand] + requests
    state = GameState().load_json(json.dumps({"requests": requests, "responses": responses}))
    observation = encode_observation(state, claim)[None]
    shown = {}
    for name, plane in zip(AHEAD_PLANES, encode_inputs(observation, look_ahead(observation), names=AHEAD_PLANES)[0]):
        numbers = {round(float(number), 3): " ".join(np.array(TILE_NAMES)[plane == number])
                   for number in np.unique(plane) if number}
        if numbers:
            shown[name] = next(iter(numbers)) if " ".join(TILE_NAMES) in numbers.values() else numbers
    return shown


def test_a_turn():
    """Without B5 the hand waits for W3 and W6, three and two of them unseen; without a W6 for three of B5.

    W6 has eight fan, and W3 seven, or nine where it is drawn; B5 has eight. Without W3 the hand is a step from ready,
    and each of eight tiles makes it ready for one with eight fan.
    """
    shown = show(0, "W1 W2 W3 W4 W5 W6 W6 T1 T2 T3 T7 T8 B5", ["2 T9"])
    copies, wins = shown.pop("after discard copies / 40"), shown.pop("after discard wins / 8")
    assert copies[0.125] == "B5" and "W6" in copies[0.075].split()
    assert wins[0.25] == "B5" and wins[0.375] == "W6" and wins[1.0] == "W3"
    assert shown == {
        "after discard nearest": {1.0: "W6 B5"},
        "after discard one farther": {1.0: "W1 W2 W3 W4 W5 T1 T2 T3 T7 T8 T9"},
        "after discard copies of the most": {0.6: "W6", 1.0: "B5"},
        "after discard draws / 8": {0.375: "B5"}, "after discard fan / 32": {0.281: "B5", 0.25: "W6"},
        "useful": {1.0: "W3 W6"}, "shanten 0": 1.0,
    }


def test_a_turn_with_waits_of_eight_fan():
    """A straight of one suit, with the pair missing; all tiles of the pair are unseen but the one that is held."""
    shown = show(0, "W1 W2 W3 W4 W5 W6 W7 W8 W9 T1 T2 T3 B5", ["2 F1"])
    assert shown["after discard wins / 8"][0.375] == "B5 F1"
    assert all(fan > 16 / 32 for fan in shown["after discard fan / 32"])
    assert "after discard draws / 8" not in shown


def test_a_claim():
    """A chow of W3 leaves a hand that is ready to T3, T6 and T9; without it it is a step away."""
    shown = show(1, "W1 W2 W9 W9 T4 T5 T6 T7 T8 B1 B1 B1 F1", ["3 0 DRAW", "3 0 PLAY W3"])
    assert {name for name in shown if "nearest" in name} == {"after chow of its highest nearest"}
    assert shown["after chow of its highest nearest"] == {1.0: "W2"}
    assert shown["after chow of its highest copies of the most"] == {1.0: "W2"}
    assert shown["after chow of its highest copies / 40"] == {round(11 / 40, 3): "W2"}
    assert not any("wins" in name or "draws" in name for name in shown)
    assert shown["after nothing one farther"] == 1.0 and shown["shanten 0"] == 1.0
    assert shown["useful"] == {1.0: "T3 T6 T9"}


def test_a_claim_that_leaves_waits_of_eight_fan():
    """A pung of J1 beside one of J2 and three pungs more."""
    shown = show(2, "J1 J1 J2 J2 J2 B1 B1 B1 T5 T5 T5 W9 F1", ["3 0 DRAW", "3 0 PLAY J1"])
    assert shown["after pung wins / 8"] == {0.375: "J1"}
    assert not {name for name in shown if "chow" in name}
