"""The planes of positions written out, plane by plane."""

import os
import subprocess
import sys

import numpy as np
import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.network.ahead import compute_ahead_rows
from mj_bot.network.planes import INPUTS, PLANES, encode_inputs
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import (
    ADDED_KONG, CHOW, CONCEALED_KONG, FULL_SIZE, NONE, OBSERVATION_SIZE, OPEN_KONG, PUNG, field)
from tests.lab.dataset.sets import play_observations
from tests.tactic.positions import discard_of, state_of

INTERPRETED = """
import sys
import numpy as np
from mj_bot.jit import IS_COMPILED
from mj_bot.network.planes import encode_inputs
assert not IS_COMPILED
positions = np.load(sys.argv[1])
np.save(sys.argv[2], encode_inputs(positions["observations"], positions["ahead"]))
"""

HAND = "W1244 T159 B159 F1 J12"


def name_planes(observation):
    """{plane: names of its tiles, or the number that fills it} of what a seat sees, empty planes left out."""
    shown = {}
    for name, plane in zip(PLANES, encode_inputs(observation[None], names=PLANES)[0]):
        if name.startswith("board"):
            continue
        if (plane == plane[0]).all():
            if plane[0]:
                shown[name] = round(float(plane[0]), 3)
        else:
            assert set(plane.tolist()) == {0.0, 1.0}
            shown[name] = " ".join(np.array(TILE_NAMES)[plane == 1])
    return shown


def pick(shown, *groups):
    return {name: value for name, value in shown.items() if name.startswith(groups)}


def test_a_claim_on_a_discard():
    shown = name_planes(encode_observation(state_of(1, HAND, discard_of(0, "W4"), wind=2)))
    hand = "W1 W2 W4 T1 T5 T9 B1 B5 B9 F1 J1 J2"
    others = " ".join(name for name in TILE_NAMES if name not in hand.split())
    but_w4 = " ".join(name for name in TILE_NAMES if name != "W4")
    assert shown == {
        "hand 1+": hand, "hand 2+": "W4",
        "unseen 1+": 1.0, "unseen 2+": but_w4, "unseen 3+": but_w4, "unseen 4": others,
        "last tile at claim": "W4", "last tile of before": "W4", "task claim": 1.0,
        "wind seat": "F2", "wind prevalent": "F3",
        "discarded before once": "W4", "discarded before in the last 4": "W4", "discarded before in the last 12": "W4",
        "discarded before among the first 6": "W4",
        "number wall own / 21": 1.0, "number wall next / 21": 1.0, "number wall across / 21": 1.0,
        "number wall before / 21": 0.952, "number walls / 84": 0.988,
        "number hand size own / 14": 0.929, "number hand size next / 14": 0.929, "number hand size across / 14": 0.929,
        "number hand size before / 14": 0.929, "number discards / 100": 0.01,
    }


def test_the_discard_after_a_claim():
    shown = name_planes(encode_observation(state_of(1, HAND, discard_of(0, "W4")), ("PENG", "T1")))
    assert pick(shown, "last", "task", "meld") == {
        "last tile at follow": "W4", "last tile of before": "W4", "task follow": 1.0, "meld own pung": "W4"}
    assert "W4" not in shown["hand 1+"].split() and "hand 2+" not in shown
    assert shown["number hand size own / 14"] == round(11 / 14, 3)


def test_melds_of_every_kind():
    """Two equal chows, a pung, and kongs: an open one, an added one, a concealed own one and another's unseen one."""
    observation = np.full(OBSERVATION_SIZE, 0, np.uint8)
    for name in ("last_tile", "meld_tile", "meld_claimed", "river_tile"):
        field(observation, name)[:] = NONE
    field(observation, "meld_kind")[:] = [
        [CONCEALED_KONG, 0, 0, 0], [CHOW, CHOW, CHOW, 0], [PUNG, OPEN_KONG, 0, 0], [ADDED_KONG, CONCEALED_KONG, 0, 0]]
    field(observation, "meld_tile")[:] = [
        [5, NONE, NONE, NONE], [1, 10, 1, NONE], [33, 27, NONE, NONE], [26, NONE, NONE, NONE]]
    assert pick(name_planes(observation), "meld", "hidden") == {
        "meld own kong": "W6", "meld next chow around": "W2 T2", "meld next second chow around": "W2",
        "meld across pung": "J3", "meld across kong": "F1", "meld before kong": "B9", "hidden kongs / 4 before": 0.25}


def test_a_turn_after_a_kong():
    requests = [discard_of(0, "W4"), "3 1 PENG T1", discard_of(2, "J3"), discard_of(3, "F4"), discard_of(0, "F4"),
                "2 W4", "3 1 BUGANG W4", "2 W9"]
    shown = name_planes(encode_observation(state_of(1, HAND, "; ".join(requests))))
    assert pick(shown, "last", "task", "meld", "number after") == {
        "last tile at turn": "W9", "task turn": 1.0, "meld own kong": "W4", "number after a kong": 1.0}
    assert pick(shown, "discarded") == {
        "discarded own once": "T1", "discarded own in the last 12": "T1", "discarded own in the last 4": "T1",
        "discarded own among the first 6": "T1",
        "discarded next once": "J3", "discarded next in the last 4": "J3", "discarded next in the last 12": "J3",
        "discarded next among the first 6": "J3",
        "discarded across once": "F4", "discarded across in the last 4": "F4", "discarded across in the last 12": "F4",
        "discarded across among the first 6": "F4",
        "discarded before once": "W4 F4", "discarded before in the last 4": "F4",
        "discarded before in the last 12": "W4 F4", "discarded before among the first 6": "W4 F4",
    }


@pytest.mark.parametrize("name, tiles", [
    ("tile", " ".join(TILE_NAMES)), ("honour", "F1 F2 F3 F4 J1 J2 J3"), ("dragon", "J1 J2 J3"),
    ("terminal", "W1 W9 T1 T9 B1 B9"), ("147", "W1 W4 W7 T1 T4 T7 B1 B4 B7"), ("258", "W2 W5 W8 T2 T5 T8 B2 B5 B8"),
    ("369", "W3 W6 W9 T3 T6 T9 B3 B6 B9"), ("green", "T2 T3 T4 T6 T8 J2"),
    ("reversible", "T2 T4 T5 T6 T8 T9 B1 B2 B3 B4 B5 B8 B9 J3"),
])
def test_the_board_itself(name, tiles):
    plane = encode_inputs(np.zeros((1, OBSERVATION_SIZE), np.uint8))[0, INPUTS.index("board " + name)]
    assert set(plane) <= {0, 1}
    assert np.array(TILE_NAMES)[plane == 1].tolist() == tiles.split()


def test_planes_have_names_of_their_own():
    """Weights name the planes that they take."""
    assert len(set(INPUTS)) == len(INPUTS) and INPUTS[:len(PLANES)] == PLANES


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_interpreted_and_compiled_planes_are_equal(every, tmp_path):
    """The bot interprets what the workshop compiles. Each plane is written somewhere."""
    observations = np.concatenate([  # random play has kongs of all kinds, the tactic has ready hands
        play_observations(4000, 48)[0], play_observations(4000, 48, seed=5, player="rule_based")[0]])
    ahead = compute_ahead_rows(observations)
    planes = encode_inputs(observations, ahead)
    given, written = str(tmp_path / "positions.npz"), str(tmp_path / "planes.npy")
    np.savez(given, observations=observations[::every], ahead=ahead[::every])
    subprocess.run([sys.executable, "-W", "error", "-c", INTERPRETED, given, written], cwd=REPOSITORY, check=True,
                   env=dict(os.environ, NUMBA_DISABLE_JIT="1"))
    interpreted = np.load(written)
    assert planes.dtype == interpreted.dtype == np.float32
    assert [name for row, name in enumerate(INPUTS) if (planes[::every, row] != interpreted[:, row]).any()] == []
    assert [INPUTS[row] for row in np.flatnonzero(~planes.any((0, 2)))] == []


def test_planes_by_name():
    """A weight file may name any planes in any order; observations of critics are longer, which changes nothing."""
    observations = play_observations(200, 48)[0]
    full = np.zeros((len(observations), FULL_SIZE), np.uint8)
    full[:, :OBSERVATION_SIZE] = observations
    planes, names = encode_inputs(observations, compute_ahead_rows(observations)), ("useful", "hand 2+", "wind seat")
    some = encode_inputs(full, compute_ahead_rows(full), names)
    assert (some == planes[:, [INPUTS.index(name) for name in names]]).all() and some[:, 0].any()
    assert (encode_inputs(observations, names=PLANES) == planes[:, :len(PLANES)]).all()
