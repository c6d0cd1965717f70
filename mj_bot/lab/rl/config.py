"""Every setting of a run of self-play, read from one TOML file with a table for each class below."""

import dataclasses
import math
import tomllib
from dataclasses import dataclass, field
from operator import attrgetter

from ...mahjong.errors import MahjongError
from ..arena.schedule import MAX_SEED, MAX_WALLS
from ..run.settings_file import change_settings, check_names, parse_table
from ..table.players import PLAYERS

# Highest whole numbers, of settings that decide how much memory is taken, and of all others.
_MOST = {"run.games_an_iteration": 1 << 20, "run.groups": 1 << 10, "run.width": 1 << 16, "run.actors": 1 << 10,
         "ppo.minibatch": 1 << 20, "critic.minibatch": 1 << 20, "critic.channels": 1 << 14, "league.past_most": 1 << 10}
_MOST_OF_OTHERS = 1 << 40
# Between these no sum of the learner overflows and no positive setting divides to infinity.
_LEAST_FRACTION, _MOST_FRACTION = 1e-12, 1e12


@dataclass(frozen=True)
class Run:
    """What learns, how long and where."""

    start: str = ""  # the weight file (.npz) where learning begins
    games: int = 100_000  # to learn from in all
    games_an_iteration: int = 2048  # played between two versions of the policy
    seed: int = 0  # 0 .. 2**30 - 1
    device: str = "auto"  # "cpu", "cuda", or "auto": cuda where there is a GPU
    precision: str = "auto"  # "float32", "bfloat16", or "auto": bfloat16 where the device has instructions for it
    groups: int = 2  # threads that play, each an equal share of the games; under torchrun in each process
    width: int = 512  # games side by side in each group
    actors: int = 0  # processes of a Ray cluster that share the groups; 0: the groups play in this process
    actor_device: str = "cpu"  # of those processes
    temperature: float = 1.0  # the policy is the softmax of the network's logits divided by it
    save_games: int = 20_000  # between two weight files for strength.py
    # Games after which a network counts 1/e in the average of the weights. Steps of noisy gradients scatter around the
    # way that the policy takes; the mean of several hundred thousand games lies nearer to it.
    average_games: int = 300_000


@dataclass(frozen=True)
class Ppo:
    """How the policy learns from an iteration's decisions."""

    decay: float = 0.95  # lambda of the generalised advantages (Schulman et al. 2016); nothing is discounted
    rate: float = 1e-4  # of Adam
    warmup: int = 50  # steps in which the rate rises
    minibatch: int = 4096  # decisions a step
    epochs: int = 1  # over the decisions
    clip: float = 0.2  # of the importance weights
    gradient: float = 1.0  # highest norm
    kl_stop: float = 0.03  # no other epoch follows one that moved the policy so far from the one that played
    skip_above: float = 1.0  # nothing is learned from decisions whose most probable action has a higher probability
    validation_share: float = 0.0  # of the games: not learned from, but used to measure learn/gain of the log


@dataclass(frozen=True)
class Entropy:
    """Steers the policy's entropy to a target (Li et al. 2020, Suphx)."""

    weight: float = 0.0  # of the entropy at first
    target: float = 0.3  # nats a decision
    step: float = 0.01  # rise of the weight in an iteration, for each nat below the target
    most: float = 0.05  # highest weight


@dataclass(frozen=True)
class Critic:
    """What predicts the score: a small network of its own, which knows facts of all hands and walls."""

    channels: int = 64  # of its two hidden layers
    rate: float = 1e-3
    minibatch: int = 512
    epochs: int = 1
    warmup_games: int = 0  # from which the critic alone learns, before the policy does


@dataclass(frozen=True)
class League:
    """Whom the learner meets."""

    # Shares of the games: "self" for the learner alone, "past" for one of its earlier selves, or a tactic's spec.
    shares: dict = field(default_factory=lambda: {"self": 1.0})
    seats: int = 2  # of four that the other player takes
    past_games: int = 20_000  # between two earlier selves that are kept
    past_most: int = 4  # earlier selves that are kept


@dataclass(frozen=True)
class Strength:
    """The duplicate matches of `rl strength`."""

    seed: int = 900_000
    walls: int = 200
    rotations: int = 4  # seatings a wall, 4 or 24
    opponents: tuple = ("start", "search", "rule_based")  # tactics' specs, or "start"


@dataclass(frozen=True)
class Config:
    """The settings of a run, a part a table of the file."""

    run: Run = Run()
    ppo: Ppo = Ppo()
    entropy: Entropy = Entropy()
    critic: Critic = Critic()
    league: League = field(default_factory=League)
    strength: Strength = Strength()


def read_config(path, changes=()):
    """The Config of a TOML file; settings that it leaves out have their defaults.

    changes: of settings_file.change_settings, in place of the file's values.
    Raises MahjongError: no such file, an unknown name, or a value that is not allowed.
    """
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:  # bytes that are no text, long numbers, many brackets
        raise MahjongError("expected a file of settings, got %r: %s" % (str(path), error)) from None
    return parse_config(change_settings(data, changes), str(path) + " with --set" * bool(changes))


def parse_config(data, where=""):
    """The Config of a dict of dicts; `where` they come from.

    Raises MahjongError: an unknown name, or a value that is not allowed.
    """
    types = {part.name: part.type for part in dataclasses.fields(Config)}
    check_names(data, types, where)
    config = Config(**{name: kind(**parse_table({item.name: item.type for item in dataclasses.fields(kind)},
                                                data.get(name, {}), "[%s] of %s" % (name, where)))
                       for name, kind in types.items()})
    check_config(config, where)
    return config


def share_games(config, count):
    """The Config with the games of an iteration that one of `count` processes plays.

    Raises MahjongError: they cannot be shared so.
    """
    games, rest = divmod(config.run.games_an_iteration, count)
    if rest:
        raise MahjongError("expected games an iteration that %d processes can share, got %d" % (
            count, config.run.games_an_iteration))
    config = dataclasses.replace(config, run=dataclasses.replace(config.run, games_an_iteration=games))
    check_config(config, "each of %d processes" % count)
    return config


def check_config(config, where):
    """Refuses values that would fail or mislead later.

    where: what the config was read from. Raises MahjongError: such a value.
    """
    for name, is_good, expected in _list_demands(config):
        if not is_good:
            raise MahjongError("expected %s to be %s, got %r in %s" % (name, expected, attrgetter(name)(config), where))


def _list_demands(config):
    """Yields (name of a setting, whether its value is good, what is expected); later ones may rely on those before."""
    run, shares = config.run, config.league.shares
    for table in dataclasses.fields(config):
        for item in dataclasses.fields(table.type):
            name, value = "%s.%s" % (table.name, item.name), getattr(getattr(config, table.name), item.name)
            if item.type is float:
                yield name, math.isfinite(value), "a finite number"
                yield name, abs(value) <= _MOST_FRACTION, "at most %g" % _MOST_FRACTION
            elif item.type is int:
                most = _MOST.get(name, _MOST_OF_OTHERS)
                yield name, value <= most, "at most %d" % most
    for name in ("run.games", "run.games_an_iteration", "run.groups", "run.width", "run.save_games",
                 "run.average_games", "ppo.minibatch", "ppo.epochs", "critic.channels", "critic.minibatch",
                 "critic.epochs", "league.past_games", "league.past_most", "strength.walls"):
        yield name, attrgetter(name)(config) > 0, "1 or more"
    for name in ("run.temperature", "ppo.rate", "ppo.clip", "ppo.gradient", "critic.rate"):
        yield name, attrgetter(name)(config) > 0, "above 0"
        yield name, attrgetter(name)(config) >= _LEAST_FRACTION, "at least %g" % _LEAST_FRACTION
    for name in ("ppo.warmup", "critic.warmup_games"):
        yield name, attrgetter(name)(config) >= 0, "0 or more"
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
    yield "run.games_an_iteration", run.games_an_iteration % run.groups == 0, "a multiple of groups"
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


def _is_opponent(name):
    """Whether a value is "start" or a registered tactic, perhaps with "3 " before it: see strength.py."""
    if not isinstance(name, str):
        return False
    name = name[2:] if name.startswith("3 ") else name
    return name == "start" or _is_tactic(name)


def _is_tactic(spec):
    """Whether a player is one of the registry or a weight file, so that naming it runs no code but the package's."""
    name = spec.partition(":")[0]
    return name in PLAYERS or name.endswith(".npz")
