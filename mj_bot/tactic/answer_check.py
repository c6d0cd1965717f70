"""Checks the answers of a tactic, one decision after another: for `mj-bot check`, handin.py and the arena.

    python -c "from mj_bot.tactic.answer_check import main; main()" TACTIC FILE ...

This command asks a tactic about the decisions of games in Botzone's JSON. It prints the actions and their seconds as
JSON, and ends with a traceback at the first wrong answer.
"""

import json
import sys
import time
from math import isfinite
from typing import Any, Iterator, List, Tuple

from ..mahjong.action import format_action
from ..mahjong.errors import TacticError
from ..mahjong.state import GameState
from ..trouble import FAILURES, check_action, make_tactic_error, replace_unprintable
from . import load_tactic
from .base import Questions, check_chosen, find_batch_obstacle

# The debug field has room for this many bytes of reasons.
_MOST_REASONS = 900
_ROUNDING = 1e-6


def check_played_game(tactic: Any, requests: List[str], responses: List[str]) -> Iterator[Tuple[Tuple, float]]:
    """Yields (action, seconds) of a tactic for each decision of a game, once its answer is checked.

    requests: list of texts, of one seat. responses: list of texts, as many as requests or one fewer.
    Raises TacticError: the action is illegal, ranked does not begin with it or is not sorted, or reasons are too long.
        Unless the tactic says is_repeatable = False, a different second answer to the same position, or a different
        answer by `choose`, is an error too. ValueError, TypeError: ranked or value_error are not well formed, or a
        value is not finite.
    """
    state = GameState()
    for index, request in enumerate(requests):
        seen = len(state.history)
        state.apply(request)
        if hasattr(tactic, "loading"):
            for player_id, action in state.history[seen:]:
                tactic.loading(state, player_id, action)
        if len(state.action_space()) > 1:
            yield _check_decision(tactic, state, request)
        if index < len(responses):
            state.answer(responses[index])


def _check_decision(tactic, state, request):
    """Returns (action, seconds) of one decision after all checks. request: the latest one, for the errors."""
    legal = state.action_space()
    start = time.perf_counter()
    action = tactic(state.copy())
    seconds = time.perf_counter() - start
    check_action(action, "", tactic, legal=legal, request=request, hand=state.my_hand)
    ranked, reasons, _ = read_remarks(tactic, legal)
    if ranked and ranked[0][0] != action:
        raise TacticError("", "RE", "expected ranked to begin with the chosen action %r, got %r", action, ranked[0][0])
    for (_, value), (worse, lower) in zip(ranked[1:], ranked[2:]):
        if lower > value + _ROUNDING:
            raise TacticError("", "RE", "expected falling values in ranked after the first, got %r for %r after %r",
                              lower, worse, value)
    if len(reasons.encode()) > _MOST_REASONS:
        raise TacticError("", "RE", "expected reasons of at most %d bytes, got %d: %.80r", _MOST_REASONS,
                          len(reasons.encode()), reasons)
    if getattr(tactic, "is_repeatable", True):
        _check_repeats(tactic, state, action, legal=legal)
    return action, seconds


def _check_repeats(tactic, state, action, *, legal):
    """Raises TacticError unless a second call, and `choose`, give the same action."""
    again = tactic(state.copy())
    if again != action:
        raise TacticError("", "RE", "expected the same answer to the same position, got %r and then %r; a tactic that "
                          "draws at random or watches the clock says is_repeatable = False", action, again)
    if find_batch_obstacle(type(tactic)):
        return
    questions = Questions(state, legal)
    chosen = tactic.choose(questions.observations, questions.masks)
    check_chosen(chosen, "", tactic, observations=questions.observations, masks=questions.masks)
    if questions.read_action(chosen) != action:
        raise TacticError("", "RE", "expected the same action by choose and by __call__, got %r and %r",
                          questions.read_action(chosen), action)


def read_remarks(tactic: Any, legal: List[Tuple]) -> Tuple[List[Tuple[Tuple, float]], str, Tuple[float, ...]]:
    """Returns (ranked, reasons, value_error) of a tactic, in the types that they should have.

    legal: list of the legal actions of its latest position.
    Raises ValueError: remarks are not well formed, or a value is NaN or infinite. TypeError: a value has another type.
    """
    for entry in getattr(tactic, "ranked", ()):
        if not (isinstance(entry, (tuple, list)) and len(entry) == 2 and entry[0] in legal):
            raise ValueError("expected pairs of a legal action and its value in ranked, got %.80r" % (entry,))
    ranked = [(action, float(value)) for action, value in getattr(tactic, "ranked", ())]
    error = tuple(map(float, getattr(tactic, "value_error", None) or ()))
    wrong = [value for value in tuple(dict(ranked).values()) + error if not isfinite(value)]
    if wrong:
        raise ValueError("expected finite numbers in ranked and value_error, got %s" % wrong[0])
    return ranked, replace_unprintable(str(getattr(tactic, "reasons", ""))), error


def main() -> None:
    """Checks the tactic sys.argv[1] on the games in the files sys.argv[2:].

    The function prints (action, seconds) of each decision as JSON.
    """
    spec, answers = sys.argv[1], []
    tactic = load_tactic(spec)
    try:
        for path in sys.argv[2:]:
            with open(path) as file:
                game = json.load(file)
            answers += [(format_action(action), seconds)
                        for action, seconds in check_played_game(tactic, game["requests"], game["responses"])]
    except FAILURES as error:
        raise make_tactic_error(error, spec, type(tactic).__module__) from error
    print(json.dumps(answers))
