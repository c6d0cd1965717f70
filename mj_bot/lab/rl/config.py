"""Reads all settings of a run of self-play from one TOML file, which has a table for each class below."""

import dataclasses
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from ...mahjong.errors import MahjongError
from ..arena.schedule import MAX_SEED, MAX_WALLS
from ..run.settings_file import change_settings, check_names, parse_table
from ..table.players import PLAYERS

# The greatest values of settings that decide how much memory is taken, and of all other whole numbers.
_MOST = {"run.games_per_iteration": 1 << 20, "run.groups": 1 << 10, "run.width": 1 << 16, "run.actors": 1 << 10,
         "ppo.minibatch": 1 << 20, "critic.minibatch": 1 << 20, "critic.channels": 1 << 14, "league.past_most": 1 << 10}
_MOST_OF_OTHERS = 1 << 40
# Within these limits no sum of the learner overflows, and dividing by a positive setting gives no infinity.
_LEAST_FRACTION, _MOST_FRACTION = 1e-12, 1e12


@dataclass(frozen=True)
class Run:
    """Keeps what learns, for how long and where."""

    start: str = ""  # weight file (.npz) from which learning begins
    games: int = 100_000  # games to learn from in the whole run
    games_per_iteration: int = 2048  # games that are played with one version of the policy
    seed: int = 0  # 0 .. 2**30 - 1, seed of walls, lineups and actions
    device: str = "auto"  # "cpu", "cuda", or "auto", which is cuda where there is a GPU
    precision: str = "auto"  # "float32", "bfloat16", or "auto", which is bfloat16 where the device computes it fast
    groups: int = 2  # threads that play in each process; each plays an equal share of the games
    width: int = 512  # games that each group plays side by side
    actors: int = 0  # processes of a Ray cluster that share the groups; with 0 the groups play in this process
    actor_device: str = "cpu"  # device of those processes, "cpu" or "cuda"
    temperature: float = 1.0  # the policy is the softmax of the network's logits divided by this
    save_games: int = 20_000  # games from one saved weight file to the next, which `rl strength` measures
    # After this many games a network counts 1/e in the average of the weights. Noisy gradients scatter the weights
    # around the path of learning, and the average of many games lies nearer to that path.
    average_games: int = 300_000


@dataclass(frozen=True)
class Ppo:
    """Keeps how the policy learns from the decisions of an iteration."""

    decay: float = 0.95  # lambda of the generalised advantages (Schulman et al. 2016); nothing is discounted
    rate: float = 1e-4  # learning rate of Adam
    warmup: int = 50  # number of first steps in which the rate rises
    minibatch: int = 4096  # decisions per step
    epochs: int = 1  # passes over the decisions of an iteration
    clip: float = 0.2  # importance weights are clipped to 1 - clip .. 1 + clip
    gradient: float = 1.0  # greatest norm of a gradient; a longer gradient is shortened to it
    kl_stop: float = 0.03  # no further pass follows one in which the policy's KL divergence is greater than this
    skip_above: float = 1.0  # decisions whose most probable action has a higher probability are left out
    validation_share: float = 0.0  # share of the games that is not learned from but measures learn/gain of the log


@dataclass(frozen=True)
class Entropy:
    """Keeps how the policy's entropy is steered to a target (Li et al. 2020, Suphx)."""

    weight: float = 0.0  # weight of the entropy in the loss at first
    target: float = 0.3  # entropy to reach, in nats per decision
    step: float = 0.01  # rise of the weight in an iteration for each nat below the target
    most: float = 0.05  # greatest weight


@dataclass(frozen=True)
class Critic:
    """Keeps how the critic learns, a small network that predicts scores from features of all hands and walls."""

    channels: int = 64  # size of its two hidden layers
    rate: float = 1e-3  # learning rate of Adam
    minibatch: int = 512  # decisions per step
    epochs: int = 1  # passes over the decisions of an iteration
    warmup_games: int = 0  # first games of the run, from which only the critic learns


@dataclass(frozen=True)
class League:
    """Keeps which players the learner meets."""

    # {player: share of the games}. A player is "self", the learner in all seats; "past", one of its earlier selves; or
    # the spec of a tactic.
    shares: dict = field(default_factory=lambda: {"self": 1.0})
    seats: int = 2  # seats of the four that the other player takes
    past_games: int = 20_000  # games from one kept earlier self to the next
    past_most: int = 4  # earlier selves that are kept at the same time


@dataclass(frozen=True)
class Strength:
    """Keeps the settings of the duplicate matches that `rl strength` plays."""

    seed: int = 900_000  # seed of the walls
    walls: int = 200  # walls per match
    rotations: int = 4  # seatings per wall, 4 or 24
    # Specs of tactics, or "start" for the network from which learning began. With "3 " before it the opponent takes
    # three seats instead of two.
    opponents: tuple = ("start", "search", "rule_based")


@dataclass(frozen=True)
class Config:
    """Keeps all settings of a run, a field for each table of the file."""

    run: Run = Run()
    ppo: Ppo = Ppo()
    entropy: Entropy = Entropy()
    critic: Critic = Critic()
    league: League = field(default_factory=League)
    strength: Strength = Strength()


def read_config(path: str | Path, changes: Sequence[tuple[str, str, str]] = ()) -> Config:
    """Returns the Config of a TOML file. Settings that the file leaves out have their defaults.

    changes: list of (table, name, text of the value), which replace the file's values.
    Raises MahjongError: the file cannot be read, a name is unknown, or a value is not allowed.
    """
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    # Bytes that are no text and long numbers raise ValueError, and many brackets raise RecursionError.
    except (OSError, ValueError, RecursionError) as error:
        raise MahjongError("expected a file of settings, got %r: %s", str(path), error) from None
    return parse_config(change_settings(data, changes), str(path) + " with --set" * bool(changes))


def parse_config(data: dict[str, dict], where: str = "") -> Config:
    """Returns the Config of {table: {name: value}}.

    where: where the dict comes from, for messages.
    Raises MahjongError: a name is unknown, or a value is not allowed.
    """
    tables = {table.name: table.type for table in dataclasses.fields(Config)}
    check_names(data, tables, where)
    config = Config(**{name: table(**parse_table({item.name: item.type for item in dataclasses.fields(table)},
                                                 data.get(name, {}), "[%s] of %s" % (name, where)))
                       for name, table in tables.items()})
    check_config(config, where)
    return config


def share_games(config: Config, count: int) -> Config:
    """Returns the Config of one of `count` processes that share the games of an iteration.

    Raises MahjongError: the games cannot be shared equally.
    """
    games, rest = divmod(config.run.games_per_iteration, count)
    if rest:
        raise MahjongError("expected games an iteration that %d processes can share, got %d", count,
                           config.run.games_per_iteration)
    config = dataclasses.replace(config, run=dataclasses.replace(config.run, games_per_iteration=games))
    check_config(config, "each of %d processes" % count)
    return config


def check_config(config: Config, where: str) -> None:
    """Raises MahjongError: a value is not allowed, because it would fail or mislead later. where: source of the config.
    """
    for name, is_good, expected in _list_demands(config):
        if not is_good:
            raise MahjongError("expected %s to be %s, got %r in %s", name, expected, attrgetter(name)(config), where)


def _list_demands(config):
    """Yields (name of a setting, whether its value is good, what is expected).

    The order matters: a demand may divide by a setting that an earlier demand has shown to be positive.
    """
    yield from _list_limits(config)
    run, shares = config.run, config.league.shares
    yield "strength.seed", 0 <= config.strength.seed <= MAX_SEED, "0 .. %d" % MAX_SEED
    yield "strength.walls", config.strength.walls <= MAX_WALLS, "at most %d" % MAX_WALLS
    yield "ppo.decay", 0 <= config.ppo.decay <= 1, "0 .. 1"
    yield "entropy.most", config.entropy.most >= 0, "0 or more"
    yield "run.device", run.device in ("cpu", "cuda", "auto"), "cpu, cuda or auto"
    yield "run.precision", run.precision in ("bfloat16", "float32", "auto"), "bfloat16, float32 or auto"
    yield "run.seed", 0 <= run.seed < 1 << 30, "0 .. 2**30 - 1"
    yield ("run.actors", run.actors == 0 or (run.actors > 0 and run.groups % run.actors == 0),
           "0, or a number that divides the groups")
    yield "run.actor_device", run.actor_device in ("cpu", "cuda"), "cpu or cuda"
    yield "run.games_per_iteration", run.games_per_iteration % run.groups == 0, "a multiple of groups"
    yield "ppo.validation_share", 0 <= config.ppo.validation_share < 0.5, "0 .. 0.5"
    yield "league.seats", 1 <= config.league.seats <= 3, "1 .. 3"
    yield ("league.shares", all(isinstance(share, (int, float)) and share >= 0 for share in shares.values())
           and abs(sum(shares.values()) - 1) < 1e-6, "shares that add up to 1")
    yield "strength.rotations", config.strength.rotations in (4, 24), "4 or 24"
    safe = "; a file of settings runs no commands and imports no other code"
    yield ("league.shares", all(name in ("self", "past") or _is_tactic(name) for name in shares),
           "shares of self, past, registered tactics and weight files" + safe)
    yield "strength.opponents", all(map(_is_opponent, config.strength.opponents)), (
        "start, registered tactics and weight files" + safe)


def _list_limits(config):
    """Yields (name of a setting, whether its value is good, what is expected) for the limits of numbers."""
    for table in dataclasses.fields(config):
        for item in dataclasses.fields(table.type):
            name, value = "%s.%s" % (table.name, item.name), getattr(getattr(config, table.name), item.name)
            if item.type is float:
                yield name, math.isfinite(value), "a finite number"
                yield name, abs(value) <= _MOST_FRACTION, "at most %g" % _MOST_FRACTION
            elif item.type is int:
                most = _MOST.get(name, _MOST_OF_OTHERS)
                yield name, value <= most, "at most %d" % most
    for name in ("run.games", "run.games_per_iteration", "run.groups", "run.width", "run.save_games",
                 "run.average_games", "ppo.minibatch", "ppo.epochs", "critic.channels", "critic.minibatch",
                 "critic.epochs", "league.past_games", "league.past_most", "strength.walls"):
        yield name, attrgetter(name)(config) > 0, "1 or more"
    for name in ("run.temperature", "ppo.rate", "ppo.clip", "ppo.gradient", "critic.rate"):
        yield name, attrgetter(name)(config) > 0, "above 0"
        yield name, attrgetter(name)(config) >= _LEAST_FRACTION, "at least %g" % _LEAST_FRACTION
    for name in ("ppo.warmup", "critic.warmup_games"):
        yield name, attrgetter(name)(config) >= 0, "0 or more"


def _is_opponent(name):
    """Checks whether a value is "start" or the spec of a registered tactic, perhaps with "3 " before it.

    With "3 " the opponent takes three seats instead of two.
    """
    if not isinstance(name, str):
        return False
    name = name[2:] if name.startswith("3 ") else name
    return name == "start" or _is_tactic(name)


def _is_tactic(spec):
    """Checks whether a spec names a registered player or a weight file, which runs no code but the package's own."""
    name = spec.partition(":")[0]
    return name in PLAYERS or name.endswith(".npz")
