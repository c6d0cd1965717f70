"""The referee against the recorded judge: the same requests, displays, verdicts and scores."""

import copy
import itertools
import random
from collections import Counter

import pytest

from mj_bot.lab.table.game_referee import ADDED, Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.mahjong.state import GameState
from tests.golden_games import name_of, read_games, with_recorded


def simplify(display):
    """A display without the differences between Botzone's judge and the recorded one, its fans in one order."""
    shown = {key: value for key, value in display.items() if key != "strlen"}
    if shown["action"] == "INIT":
        return {key: shown[key] for key in ("action", "quan")}
    if shown["action"] == "HU":
        shown.pop("tileCnt", None)
    if shown["action"] in ("PLAY", "CHI", "PENG"):
        shown["canHu"] = [-4 if seat == shown["player"] else fan for seat, fan in enumerate(shown["canHu"])]
    if "fan" in shown:
        # One recorded hand can be divided in two ways of the same worth, so names are left to test_fan.py.
        shown["fan"] = sorted((entry["value"], entry["cnt"]) for entry in shown["fan"])
    return shown


@with_recorded
def test_recorded_games(path):
    for game in read_games(path):
        referee = Referee(game["wall"].split(), game["quan"])
        for step, (requests, display, answers) in enumerate(game["steps"]):
            where = (name_of(game), step)
            assert simplify(referee.display()) == simplify(display), where
            if step == len(game["steps"]) - 1:
                assert referee.is_over and referee.requests is None, where
                assert referee.scores == game["score"], where
            else:
                assert not referee.is_over and referee.requests == requests, where
                referee.step(answers)


def play_random(seed, check=None):
    """A Referee at the end of a game of random legal answers; check(referee, answers) is called at each step."""
    rng = random.Random(seed)
    referee = Referee(wall_from_seed(seed), seed % 4)
    while not referee.is_over:
        answers = [format_action(rng.choice(referee.legal_actions(seat))) for seat in range(4)]
        if check:
            check(referee, answers)
        referee.step(answers)
    return referee


def test_legal_actions_are_those_of_the_states_and_never_punished():
    for seed in range(25):
        states = [GameState() for _ in range(4)]

        def check(referee, answers, states=states):
            for seat, state in enumerate(states):
                state.apply(referee.requests[seat])
                assert state.action_space() == referee.legal_actions(seat)
                state.answer(answers[seat])

        referee = play_random(seed, check)
        assert referee.verdict in ("HU", "HUANG")
        assert sum(referee.scores) == 0


# Answers to a discard or an added kong: text, verdict on the process, and when the judge reads it. 0: in turn from the
# giver of the tile; then claims of one or two words by seat; then those of three.
WIN, DEAD, PASS, SHORT, LONG = ("HU", "OK", 0), ("", "TLE", 0), ("PASS", "OK", 0), ("PLAY X", "OK", 1), (
    "CHI W0 W0", "OK", 2)


def find_end(answers, giver, is_kong):
    """(culprit, verdict) of the answer that the judge reads first, None where all pass; "HU" is any claim of a win."""
    order = sorted(((when if offset and not is_kong else 0), offset if not when or is_kong or not offset else seat,
                    seat, verdict if verdict != "OK" else "HU" if text == "HU" and offset else "WA")
                   for seat, (text, verdict, when) in enumerate(answers) for offset in [(seat - giver) % 4]
                   if text != "PASS")
    return order[0][2:] if order else None


def find_wins():
    """Referees at recorded positions where a seat may win on another's tile, a few of every kind."""
    left = Counter({"PLAY": 4, "PENG": 2, "CHI": 2, "BUGANG": 4})
    for game in read_games():
        referee = Referee(game["wall"].split(), game["quan"])
        for _, display, answers in game["steps"][:-1]:
            fans = [fan for seat, fan in enumerate(display.get("canHu", [])) if seat != display.get("player")]
            if max(fans, default=0) >= 8 and left[display["action"]] > 0:
                left[display["action"]] -= 1
                yield copy.deepcopy(referee)
            referee.step(answers)
    assert not +left


def test_answers_are_looked_at_in_the_judges_order():
    """The referee looked at all wins before the giver's own answer and before seats that had died.

    Every combination of winning, dead, passing and wrong seats. Botzone's judge goes around from who gave the tile
    first, and one seat's win or error ends the game before the next is looked at.
    """
    seen = Counter()
    for start in find_wins():
        for answers in itertools.product((WIN, DEAD, PASS, SHORT, LONG), repeat=4):
            referee = copy.deepcopy(start)
            referee.step([text for text, *_ in answers], [verdict for _, verdict, _ in answers])
            expected = find_end(answers, start.turn, start.phase == ADDED)
            if expected is None:
                assert not referee.is_over or referee.verdict == "HUANG"
                continue
            culprit, verdict = expected
            assert referee.culprit == culprit, answers
            assert (referee.verdict in ("HU", "WH")) if verdict == "HU" else referee.verdict == verdict, answers
            seen[referee.verdict] += 1
    assert min(seen[verdict] for verdict in ("HU", "WH", "WA", "TLE")) > 100


def test_bad_winds():
    with pytest.raises(IllegalActionError, match="wind"):
        Referee(wall_from_seed(0), 4)
