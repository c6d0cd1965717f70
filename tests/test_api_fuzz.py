"""Untrusted records, requests, hands and weights through mj_bot.api raise MahjongError alone, in one line."""

import contextlib
import json
import warnings
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mj_bot import api
from tests.damage import try_damaged
from tests.fuzz import VALUES, break_value
from tests.network.weight_files import make_files

REPOSITORY = Path(__file__).parents[1]
SAMPLES = [path for path in sorted((REPOSITORY / "tests" / "samples").iterdir()) if path.suffix not in (".md", "")]
INPUTS = [json.loads(path.read_text()) for path in sorted((REPOSITORY / "data" / "samples").glob("*.json"))
          if path.stem != "keep_running"]  # which has several lines
HANDS = ("123m456s789pEE55p5p", "[EEE,1][SSSS]123m55pC|SE1001|2", "W123 T456 B789 F11 B55",
         "一二三万四五六条东东东中中")
# Examples of each test; the slow ones find what is rare.
with_counts = pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])


@contextlib.contextmanager
def only_own_errors():
    """Lets errors of the project pass, which have one line each; their repr too."""
    try:
        yield
    except api.MahjongError as error:
        assert str(error).splitlines() == [str(error)] and "expected" in str(error), repr(error)


def try_examples(count, strategy, check):
    """Calls check with `count` values of a strategy, always the same ones."""
    settings(max_examples=count, suppress_health_check=list(HealthCheck))(given(strategy)(check))()


def ask_everything(game):
    """Reads all that a RecordedGame has."""
    repr(game)
    decisions = []
    with only_own_errors():
        decisions = list(islice(game.decisions(), 30))
    for decision in decisions[::10]:
        repr(decision.state)
        with only_own_errors():
            api.sample_worlds(decision.state, 1)
    with only_own_errors():
        game.state(0, -1)
    for form in ("official", "log", "tziakcha", "x"):
        with only_own_errors():
            game.format(form)


@with_counts
def test_damaged_records(count):
    def check(name, data):
        with only_own_errors():
            for game in islice(api.read_games(data), 3):
                assert game.error is None or isinstance(game.error, api.MahjongError)
                ask_everything(game)

    try_damaged({path.name: path.read_bytes() for path in SAMPLES}, check, count)


@with_counts
def test_wrong_requests(count):
    def check(data):
        source, rng = data
        found = json.loads(json.dumps(source))
        for _ in range(rng.choice((1, 1, 2))):
            found = break_value(rng, found)
        requests = found.get("requests") if isinstance(found, dict) else found
        responses = found.get("responses", ()) if isinstance(found, dict) else ()
        with only_own_errors():
            state = api.state_from_requests(requests, responses)
            repr(state)
            api.sample_worlds(state, 1)

    try_examples(count, st.tuples(st.sampled_from(INPUTS), st.randoms(use_true_random=False)), check)


@st.composite
def hand_texts(draw):
    """Texts near those of hands."""
    text = draw(st.one_of(st.sampled_from(HANDS), st.text("123456789mpsWTBFJESNCP[],|0 万东", max_size=30), st.text()))
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.text("1234m[],|EzW\n\0", max_size=3)) + text[at + draw(st.integers(0, 2)):]


@with_counts
def test_wrong_hands(count):
    def check(data):
        hand, river, flags, value = data
        with only_own_errors():
            state = api.state_from_hand(hand, river=river)
            repr(state)
            api.look_ahead(state)
        with only_own_errors():
            win = api.count_fans(hand, is_self_drawn=flags[0], is_last_of_wall=flags[1], is_kong=flags[2],
                                 seat_wind=value)
            assert win.fan >= 0 and win.is_win == (win.fan >= 8)

    bools = st.sampled_from((None, True, False))
    winds = st.sampled_from((None, None, None, "E", "N", *VALUES))
    try_examples(count, st.tuples(hand_texts(), st.sampled_from(("", "19mE/5p", "1s/[EEE,1]", "x")) | hand_texts(),
                                  st.tuples(bools, bools, bools), winds), check)


@with_counts
def test_damaged_weights(count, tmp_path):
    state = api.state_from_requests(INPUTS[0]["requests"], INPUTS[0]["responses"])
    path = tmp_path / "weights.npz"

    def check(name, data):
        path.write_bytes(data)
        with warnings.catch_warnings(), only_own_errors():
            warnings.simplefilter("ignore")
            opinion = api.think(str(path), state)
            assert opinion.action in state.action_space()

    try_damaged(make_files(), check, count)


@pytest.mark.parametrize("source", [b"", b"\0", b"PK", "no such file", "\0", b"{" * 100000, str(REPOSITORY)])
def test_no_records(source):
    with only_own_errors():
        games = list(islice(api.read_games(source), 2))
        assert source == str(REPOSITORY) or all(game.error for game in games)
