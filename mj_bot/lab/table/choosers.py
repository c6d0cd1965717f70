"""Loads tactics that choose many actions at once, as the engine needs them."""

import importlib.util
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat

import numpy as np

from ...mahjong.errors import UnknownTacticError
from ...tactic import load_class, parse_spec
from ...tactic.base import Tactic, check_chosen, find_batch_obstacle, value_decisions
from .players import INTERACTIONS, LOADING, PLAYERS, TIME_LIMIT, call_tactic, make_tactic

# These tactics compute outside the interpreter's lock and answer each decision by itself, so threads may share a call.
_SHARED = ("cnn", "rule_based", "search")
_LEAST_SHARE = 16  # decisions of a thread
# Share of the time limit that a call gets for each of its decisions, on top of the limit itself.
_SHARE = 1 / 16


def find_engine_obstacle(spec: str) -> str:
    """Returns why the engine, which calls `choose`, cannot play a player, as the end of a sentence; "" if it can.

    Raises UnknownTacticError: no such player.
    """
    if spec.partition(":")[0] in INTERACTIONS:
        return "it is a program, which answers one request at a time"
    return find_batch_obstacle(load_class(parse_spec(spec, PLAYERS)[0], PLAYERS))


def load_chooser(
        spec: str | Tactic, time_limit: float = TIME_LIMIT,
        threads: int = 0) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Returns a function choose(observations uint8[M, OBSERVATION_SIZE], masks bool[M, 235]) -> actions int64[M].

    spec: a tactic of PLAYERS with its settings, such as search:danger=4.4, or a tactic object.
    time_limit: seconds for a decision. Slow decisions are rare, so a call for M decisions may take (1 + M/16) times the
        limit. The first call also loads tables, so it may take LOADING times as long. Only the main thread keeps the
        limit.
    threads: how many threads share the decisions of a call to cnn, rule_based or search, which have no limit then. With
        0 the caller's thread answers all of them, as it does for any other tactic.
    The function raises TacticError: the tactic fails, is too late, or gives an illegal action.
    Raises UnknownTacticError: no such tactic, or the engine cannot play it. TacticError: the tactic cannot be made.
    """
    choose = _choose
    if threads and isinstance(spec, str) and spec.partition(":")[0] in _SHARED:
        # A limit would count the time in which these threads compile. The project's own tactics always end.
        time_limit, choose = None, _SharedChoice([_make(spec, None) for _ in range(threads - 1)])
    answer = _limit(_make(spec, time_limit), spec, time_limit, choose)
    return lambda observations, masks: answer(observations, masks)[0]


def load_valuer(
        spec: str | Tactic,
        time_limit: float = TIME_LIMIT) -> Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Returns a function that values decisions: (observations, masks) -> (actions int64[M], points float64[M, 235]).

    spec: a tactic of PLAYERS with its settings, such as search:danger=4.4, or a tactic object.
    time_limit: seconds for a decision; a call for M decisions may take (1 + M/16) times the limit.
    Raises UnknownTacticError: no such tactic, or the engine cannot play it, or its values are no points. TacticError:
        the tactic cannot be made.
    """
    tactic = _make(spec, time_limit)
    if tactic.value_unit != "points":
        raise UnknownTacticError("expected a tactic whose evaluate gives points, got %r", spec)
    return _limit(tactic, spec, time_limit, value_decisions)


def _choose(tactic, observations, masks):
    return tactic.choose(observations, masks), None


class _SharedChoice(object):
    """Lets threads with a tactic each choose the actions of one call. others: the tactics of all threads but one."""

    def __init__(self, others):
        if "torch" in sys.modules:
            # The first call sets the number of cores for the caller's thread, before the others change theirs.
            sys.modules["torch"].get_num_threads()
        self._others, self._pool = others, ThreadPoolExecutor(1 + len(others), initializer=_use_one_core)

    def __call__(self, tactic, observations, masks):
        tactics = [tactic] + self._others
        share = max(_LEAST_SHARE, -(-len(masks) // len(tactics)))
        rows = [slice(start, start + share) for start in range(0, len(masks), share)]
        return np.concatenate(list(self._pool.map(
            lambda tactic, rows: tactic.choose(observations[rows], masks[rows]), tactics, rows))), None


def _use_one_core():
    """Makes torch compute on one core in this thread, because other threads use the other cores."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _make(spec, time_limit):
    """Returns the tactic object of a player, with the settings with which it is fast at many decisions."""
    is_text = isinstance(spec, str)
    obstacle = find_engine_obstacle(spec) if is_text else find_batch_obstacle(type(spec))
    if obstacle:
        raise UnknownTacticError("expected a tactic with the method evaluate or choose, got %r: %s", spec, obstacle)
    if not is_text:
        return spec
    has_torch = parse_spec(spec, PLAYERS)[0] == "cnn" and importlib.util.find_spec("torch")
    return make_tactic(spec, time_limit, **{"torch": 1} if has_torch else {})


def _limit(tactic, spec, time_limit, ask):
    """Returns a function of observations and masks: ask(tactic, observations, masks), checked and within the limit.

    ask returns (actions, points).
    """
    name = spec if isinstance(spec, str) else type(spec).__name__
    seconds = chain([LOADING * time_limit], repeat(time_limit)) if time_limit else repeat(None)

    def answer(observations: np.ndarray, masks: np.ndarray) -> tuple:
        limit = next(seconds)
        limit = limit and limit * (1 + len(masks) * _SHARE)
        answered = call_tactic(tactic, name, limit, ask, tactic, observations, masks)
        check_chosen(answered[0], name, tactic, observations=observations, masks=masks)
        return answered

    return answer
