"""Tactics that choose many actions at once, for the engine."""

import importlib.util
from itertools import chain, repeat

from ...mahjong.errors import UnknownTacticError
from ...tactic import load_class, parse_spec
from ...tactic.base import check_chosen, find_batch_obstacle, value_decisions
from .players import INTERACTIONS, LOADING, PLAYERS, TIME_LIMIT, call_tactic, make_tactic

# torch is twice as fast at many decisions.
_OPTIONS = {"cnn": {"torch": 1}}
_SHARE = 1 / 16  # of the time limit, for each decision of a call


def find_engine_obstacle(spec):
    """Returns why the engine cannot play a player, as the end of a sentence; "" where it can.

    The engine calls `choose` of a tactic. It cannot play a class in which `__call__` would play another game.
    """
    if spec.partition(":")[0] in INTERACTIONS:
        return "it is a program, which answers one request at a time"
    try:
        name = parse_spec(spec, PLAYERS)[0]
    except UnknownTacticError:
        return "it is unknown"
    return find_batch_obstacle(load_class(name, PLAYERS))


def load_chooser(spec, time_limit=TIME_LIMIT):
    """Returns the method choose of a new tactic, a function that reports a failure in one line.

    time_limit: seconds for a decision. As few decisions are slow, a call has this time and a share of it for each
    decision. The first call, which loads tables, has LOADING times as much. Only the main thread keeps the limit.
    Raises as load_tactic; UnknownTacticError where find_engine_obstacle finds one. The function raises TacticError:
        choose fails, is too late, or gives other than legal actions.
    """
    return _load(spec, time_limit, lambda tactic, observations, masks: (tactic.choose(observations, masks), None))[0]


def load_valuer(spec, time_limit=TIME_LIMIT):
    """Returns the method value_decisions of a new tactic: actions int64[M] with the points of all, float64[M, 235].

    spec, time_limit: as load_chooser takes them. Raises what load_chooser raises; UnknownTacticError too where the
        values of the tactic are no points.
    """
    value, tactic = _load(spec, time_limit, value_decisions)
    if tactic.value_unit != "points":
        raise UnknownTacticError("expected a tactic whose evaluate gives points, got %r" % spec)
    return value


def _load(spec, time_limit, ask):
    obstacle = find_engine_obstacle(spec)
    if obstacle:
        raise UnknownTacticError("expected a tactic with the method evaluate or choose, got %r: %s" % (spec, obstacle))
    options = _OPTIONS.get(parse_spec(spec, PLAYERS)[0], {}) if importlib.util.find_spec("torch") else {}
    tactic, seconds = make_tactic(spec, time_limit, **options), chain([LOADING * time_limit], repeat(time_limit))

    def answer(observations, masks):
        limit = next(seconds) * (1 + len(masks) * _SHARE)
        actions, points = call_tactic(tactic, spec, limit, ask, tactic, observations, masks)
        check_chosen(actions, spec, tactic, observations=observations, masks=masks)
        return actions if ask is not value_decisions else (actions, points)

    return answer, tactic
