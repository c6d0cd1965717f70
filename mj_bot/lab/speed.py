"""Measures the speed of the engine and of tactics, and compares it with references in the same run."""

import itertools
import random
import time
from collections.abc import Iterator

import numpy as np

from ..mahjong.action import format_action
from ..observation.layout import OBSERVATION_SIZE
from .arena.referee_runner import is_decision
from .engine.batch import Engine
from .engine.decision_rows import random_actions
from .table.choosers import load_chooser
from .table.match import play_fast
from .table.players import Answer, make_player
from .table.game_referee import Referee
from .table.walls import wall_from_seed, wind_from_seed

_WIDTH = 512  # number of games that the engine plays next to each other
_WIDTHS = 1, 64, 1024  # numbers of games with which each environment is measured
_OPPONENTS = "random", "rule_based", "cnn"
# So many decisions of each game do not count: in a game of self-play, and of one seat, of which a game has a quarter.
_WARM_UP, _SEAT_WARM_UP = 110, 25
_TACTIC_WIDTH = 64  # games of a tactic next to each other: some hundred of them end in a measurement


def measure(seconds: float) -> Iterator[dict]:
    """Yields the rows of the table of speeds, each after about `seconds` of measuring.

    A row is a dict: name (what was measured), value, unit, reference (what `against` reaches, in the same unit), ratio
    (value / reference) and against.
    """
    referee, _ = _referee_speed(seconds)
    for name, with_observations in (("full masks", False), ("full masks and observations", True)):
        games, _ = _engine_speed(seconds, with_observations)
        yield _compare("random play, " + name, games, "games/s", reference=referee, against="plain referee")
    for name in ("search", "rule_based"):
        yield _compare("%s, many decisions at once, all seats" % name, _batch_speed(name, seconds), "decisions/s",
                       reference=_tactic_speed(name, seconds), against="the tactic, without the referee")


def measure_environments(seconds: float) -> Iterator[dict]:
    """Yields rows of the table of environments, for each environment and number of games, after about `seconds` each.

    The policy is choose_random. A row is a dict: name (what was measured), value (decisions per second, with the
    policy), unit, reference (decisions per second of the plain referee), ratio (value / reference), against,
    environment (its name) and games (how many are played next to each other).
    """
    _, reference = _referee_speed(seconds)
    cases = [("MahjongSelfPlay-v1", games, _start_self_play(games), _WARM_UP) for games in _WIDTHS]
    cases += [("Engine", games, _start_engine(games), _WARM_UP) for games in _WIDTHS]
    cases += [("PettingZoo", 1, _start_pettingzoo(), _WARM_UP)]
    cases += [("Mahjong-v1 against %s" % name, games, _start_seat(games, name), _SEAT_WARM_UP)
              for name in _OPPONENTS for games in _WIDTHS]
    for environment, games, play, warm_up in cases:
        row = _compare("%s, %d games" % (environment, games), _measure_environment(play, seconds, warm_up),
                       "decisions/s", reference=reference, against="plain referee")
        yield dict(row, environment=environment, games=games)


def choose_random(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns a random legal action for each row, int64[M]; all legal actions are equally likely.

    masks: bool[M, 235], True for legal actions. rng: source of the random numbers.
    """
    legal, firsts = np.flatnonzero(masks), np.arange(len(masks) + 1) * masks.shape[1]
    # The rows' places in `legal` by bisection, as sums of bool rows took a quarter longer in all.
    starts = np.searchsorted(legal, firsts)
    picked = starts[:-1] + (rng.random(len(masks)) * np.diff(starts)).astype(np.int64)
    return legal[picked] - firsts[:-1]


def _measure_environment(play, seconds, warm_up):
    """Returns decisions per second with the policy, after `warm_up` rounds that do not count."""
    rng, masks = np.random.default_rng(0), next(play)

    def step():
        nonlocal masks
        actions = choose_random(masks, rng)
        masks = play.send(actions)
        return len(actions)

    for _ in range(warm_up):
        step()
    return _count_per_second(step, seconds)


def _start_self_play(games):
    """Plays games of four seats; yields the masks, bool[M, 235], and takes the actions, int[M]."""
    from .environments.gymnasium_envs import MahjongVectorEnv

    env = MahjongVectorEnv(games)
    observations, infos = env.reset(seed=0)
    out = observations, infos["action_mask"]
    while True:
        env.step((yield out[1].view(bool)), out)


def _start_seat(games, opponents):
    """Plays one seat of games; yields the masks, bool[M, 235], and takes the actions, int[M]. opponents: a player."""
    from .environments.gymnasium_envs import MahjongSeatVectorEnv

    env = MahjongSeatVectorEnv(games, opponents)
    infos = env.reset(seed=0)[1]
    while True:
        infos = env.step((yield infos["action_mask"].view(bool)))[4]


def _start_engine(games):
    """Plays games in the engine; yields the masks, bool[M, 235], and takes the actions, int[M]."""
    engine, out = Engine(games), np.zeros((3 * games, OBSERVATION_SIZE), np.uint8)
    engine.reset()
    while True:
        engine.observations(out=out)
        engine.step((yield engine.mask()))


def _start_pettingzoo():
    """Plays games in the PettingZoo environment; yields masks, bool[1, 235], and takes actions, int[1]."""
    from .environments.pettingzoo_env import raw_env

    env = raw_env()
    while True:
        env.reset()
        for _ in env.agent_iter():
            observation, _, is_over = env.last()[:3]
            if is_over:
                break
            env.step(int((yield observation["action_mask"][None].astype(bool))[0]))


def _engine_speed(seconds, with_observations):
    """Returns games and decisions per second of the engine on one thread with random legal actions, float64[2]."""
    engine = Engine(_WIDTH)
    engine.reset()
    state, actions = np.zeros(1, np.uint64), np.zeros(3 * _WIDTH, np.int16)
    observations = np.zeros((3 * _WIDTH, OBSERVATION_SIZE), np.uint8)

    def step():
        count = len(engine.pending)
        random_actions(engine.pending, state, actions)
        if with_observations:
            engine.observations(out=observations)
        engine.step(actions[:count])
        return len(engine.finished), count

    return _count_per_second(step, seconds)


def _count_per_second(work, seconds):
    """Returns what the calls of work() return per second, without the first call, which may compile."""
    work()
    total, start = 0, time.perf_counter()
    while True:
        total = total + np.array(work())
        spent = time.perf_counter() - start
        if spent >= seconds:
            return total / spent


def _referee_speed(seconds):
    """Returns games and decisions per second of the plain referee, with all legal actions and random choices."""
    rng, seeds = random.Random(0), itertools.count()

    def play():
        seed, decisions = next(seeds), 0
        referee = Referee(wall_from_seed(seed), wind_from_seed(seed))
        while not referee.is_over:
            legal = [referee.legal_actions(seat) for seat in range(4)]
            decisions += sum(len(actions) > 1 for actions in legal)
            referee.step([format_action(rng.choice(actions)) for actions in legal])
        return 1, decisions

    return _count_per_second(play, seconds)


def _batch_speed(name, seconds):
    """Returns decisions per second of a tactic's `choose` in games against itself, without the engine's time."""
    engine = Engine(_TACTIC_WIDTH)
    engine.reset()
    choose = load_chooser(name)
    engine.step(choose(engine.observations(), engine.mask()))  # the first call compiles
    decisions, spent = 0, 0.0
    while not decisions or spent < seconds:
        observations, masks = engine.observations(), engine.mask()
        start = time.perf_counter()
        actions = choose(observations, masks)
        spent += time.perf_counter() - start
        decisions += len(actions)
        engine.step(actions)
    return decisions / spent


def _tactic_speed(name, seconds):
    """Returns decisions per second of a tactic in games against itself, without the referee's time."""
    milliseconds = []

    def listen(referee: Referee, answers: list[Answer]) -> None:
        milliseconds.extend(answer.milliseconds for seat, answer in enumerate(answers) if is_decision(referee, seat))

    games = 0
    while not milliseconds or sum(milliseconds) < 1000 * seconds:
        play_fast([make_player(name) for _ in range(4)], wall_from_seed(games), wind_from_seed(games), listen=listen)
        games += 1
    return 1000 * len(milliseconds) / sum(milliseconds)


def _compare(name, value, unit, *, reference, against):
    """Returns a row of the table."""
    return {"name": name, "value": value, "unit": unit, "reference": reference, "ratio": value / reference,
            "against": against}
