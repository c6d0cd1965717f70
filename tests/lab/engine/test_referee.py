"""Random games on the engine and on the plain referee: the same legal actions, events and scores."""

import random
from collections import deque

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.sources import seed_source
from mj_bot.lab.table.referee import Referee
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.mahjong.action import OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX, encode_action, format_action
from mj_bot.mahjong.tile import TILE_NAMES
from tests.lab.engine.events import list_events

WIDTH = 128


def play_on_engine(first_seed, count, rng):
    """Plays random games of seeds; every other game wins whenever it can, so that wins are not rare.

    Returns list of (decisions, result) by game; decisions: (seat, set of legal actions, chosen action).
    """
    engine = Engine(min(WIDTH, count), seed_source(first_seed, count))
    decisions = [[] for _ in range(count)]
    results = [None] * count
    engine.reset()
    while len(engine.pending):
        numbers = engine.games["game_id"][engine.pending["game"]].tolist()
        chosen = []
        for number, seat, mask in zip(numbers, engine.pending["seat"].tolist(), engine.mask()):
            legal = np.flatnonzero(mask).tolist()
            chosen.append(WIN_INDEX if number % 2 and WIN_INDEX in legal else rng.choice(legal))
            decisions[number].append((seat, set(legal), chosen[-1]))
        engine.step(chosen)
        for result in engine.finished:
            results[result["game_id"]] = result.copy()
    return list(zip(decisions, results))


def replay_on_referee(seed, decisions, result):
    """Plays the engine's decisions on the referee and compares everything on the way."""
    referee = Referee(wall_from_seed(seed), wind_from_seed(seed))
    waiting = deque(decisions)
    events = []
    while not referee.is_over:
        responses = ["PASS"] * 4
        pending = []
        for offset in range(4):
            seat = (referee.turn + offset) % 4
            actions = referee.legal_actions(seat)
            if actions != [("PASS",)]:
                pending.append((seat, actions) + take_decision(referee, waiting, seat, actions))
        follow = waiting.popleft() if leads_to_discard([chosen for *_, chosen in pending]) else None
        for seat, actions, claimed, chosen in pending:
            fitting = [action for action in actions if encode_action(action, claimed)[0] == chosen]
            if follow is not None and follow[0] == seat and chosen >= PUNG_BASE:
                assert follow[1] == {encode_action(action, claimed)[1] for action in fitting}, seed
                fitting = [action for action in fitting if encode_action(action, claimed)[1] == follow[2]]
            responses[seat] = format_action(fitting[0])
        referee.step(responses)
        if referee.event is not None and not referee.is_over:
            drawn = (TILE_NAMES[referee.last_tile],) if referee.event == ("DRAW",) else ()
            events.append((referee.turn, referee.event + drawn))
    assert not waiting, seed
    if referee.verdict == "HU":
        events.append((referee.culprit, ("HU", TILE_NAMES[referee.last_tile])))
    assert list_events(result["log"], result["log_count"]) == events, seed
    assert result["score"].tolist() == referee.scores, seed
    assert (result["winner"] if result["winner"] >= 0 else None) == referee.culprit, seed
    assert result["fan"] == sum(points * copies for points, copies, _ in referee.fans), seed


def take_decision(referee, waiting, seat, actions):
    """(claimed tile name, chosen action) of the engine's next decision, which must be this one."""
    claimed = TILE_NAMES[referee.last_tile]
    engine_seat, legal, chosen = waiting.popleft()
    assert engine_seat == seat
    assert legal == {encode_action(action, claimed)[0] for action in actions}
    return claimed, chosen


def leads_to_discard(answers):
    """Whether a pung or chow is the strongest answer to a discard."""
    stronger = (WIN_INDEX,) + tuple(range(OPEN_KONG_BASE, OPEN_KONG_BASE + 34))
    return any(answer >= PUNG_BASE for answer in answers) and not any(answer in stronger for answer in answers)


def check_games(first_seed, count):
    rng = random.Random(first_seed)
    for number, (decisions, result) in enumerate(play_on_engine(first_seed, count, rng)):
        replay_on_referee(first_seed + number, decisions, result)


def test_random_games():
    check_games(0, 200)


@pytest.mark.slow
@pytest.mark.parametrize("first_seed", range(10000, 30000, 1000))
def test_20000_random_games(first_seed):
    check_games(first_seed, 1000)
