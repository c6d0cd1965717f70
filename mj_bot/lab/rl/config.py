"""Reads all settings of a run of self-play from one TOML file, which has a table for each class below."""

import dataclasses
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from ...mahjong.errors import MahjongError
from ..run.settings_file import LEAST_POSITIVE, change_settings, change_table, check_names, choice, number
from .league import PAST, SELF

# The greatest values of settings that decide how much memory is taken.
_MOST_GAMES, _MOST_GROUPS, _MOST_WIDTH = 1 << 20, 1 << 10, 1 << 16


@dataclass(frozen=True)
class Run:
    """Keeps what learns, for how long and where."""

    start: str = ""  # weight file (.npz) from which learning begins
    games: int = number(100_000, 1)  # games to learn from in the whole run
    games_per_iteration: int = number(2048, 1, _MOST_GAMES)  # games that are played with one version of the policy
    seed: int = number(0, 0, (1 << 30) - 1)  # seed of walls, lineups and actions
    device: str = choice("auto", "cpu", "cuda")  # "auto" is cuda where there is a GPU
    precision: str = choice("auto", "float32", "bfloat16")  # "auto" is bfloat16 where the device computes it fast
    groups: int = number(2, 1, _MOST_GROUPS)  # threads that play in each process, each an equal share of the games
    width: int = number(512, 1, _MOST_WIDTH)  # games that each group plays side by side
    # Processes of a Ray cluster that share the groups; with 0 the groups play in this process.
    actors: int = number(0, 0, _MOST_GROUPS)
    actor_device: str = choice("cpu", "cuda")  # device of those processes
    temperature: float = number(1.0, LEAST_POSITIVE)  # the policy is the softmax of the logits divided by this
    save_games: int = number(20_000, 1)  # games from one saved weight file to the next
    # After this many games a network counts 1/e in the average of the weights. Noisy gradients scatter the weights
    # around the path of learning, and the average of many games lies nearer to that path.
    average_games: int = number(300_000, 1)


@dataclass(frozen=True)
class Ppo:
    """Keeps how the policy learns from the decisions of an iteration."""

    # Lambda of the generalised advantages (Schulman et al. 2016); nothing is discounted.
    decay: float = number(0.95, 0, 1)
    rate: float = number(1e-4, LEAST_POSITIVE)  # learning rate of Adam
    warmup: int = number(50)  # number of first steps in which the rate rises
    minibatch: int = number(4096, 1, _MOST_GAMES)  # decisions per step
    epochs: int = number(1, 1)  # passes over the decisions of an iteration
    clip: float = number(0.2, LEAST_POSITIVE)  # importance weights are clipped to 1 - clip .. 1 + clip
    gradient: float = number(1.0, LEAST_POSITIVE)  # greatest norm of a gradient; a longer gradient is shortened to it
    kl_stop: float = number(0.03)  # no further pass follows one in which the policy's KL divergence is greater
    skip_above: float = number(1.0)  # decisions whose most probable action has a higher probability are left out


@dataclass(frozen=True)
class Entropy:
    """Keeps how the policy's entropy is steered to a target (Li et al. 2020, Suphx)."""

    weight: float = number(0.0)  # weight of the entropy in the loss at first
    target: float = number(0.3)  # entropy to reach, in nats per decision
    step: float = number(0.01)  # rise of the weight in an iteration for each nat below the target
    most: float = number(0.05)  # greatest weight


@dataclass(frozen=True)
class Critic:
    """Keeps how the critic learns, a small network that predicts scores from features of all hands and walls."""

    channels: int = number(64, 1, 1 << 14)  # size of its two hidden layers
    rate: float = number(1e-3, LEAST_POSITIVE)  # learning rate of Adam
    minibatch: int = number(512, 1, _MOST_GAMES)  # decisions per step
    epochs: int = number(1, 1)  # passes over the decisions of an iteration
    warmup_games: int = number(0)  # first games of the run, from which only the critic learns


@dataclass(frozen=True)
class League:
    """Keeps which players the learner meets."""

    # Shares of the games: "self" has the learner in all seats, "past" one of its earlier selves in some of them.
    shares: dict = field(default_factory=lambda: {SELF: 1.0})
    seats: int = number(2, 1, 3)  # seats of the four that the earlier self takes
    past_games: int = number(20_000, 1)  # games from one kept earlier self to the next
    past_most: int = number(4, 1, 1 << 10)  # earlier selves that are kept at the same time


@dataclass(frozen=True)
class Config:
    """Keeps all settings of a run, a field for each table of the file."""

    run: Run = Run()
    ppo: Ppo = Ppo()
    entropy: Entropy = Entropy()
    critic: Critic = Critic()
    league: League = field(default_factory=League)


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
    defaults = vars(Config())
    check_names(data, defaults, where)
    config = Config(**{name: change_table(table, name, data.get(name, {}), where) for name, table in defaults.items()})
    _check_config(config, where)
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
    _check_config(config, "each of %d processes" % count)
    return config


def _check_config(config, where):
    """Raises MahjongError: a value does not fit others."""
    run, shares = config.run, config.league.shares
    for name, is_good, expected in (
            ("run.actors", run.actors == 0 or run.groups % run.actors == 0, "0, or a number that divides the groups"),
            ("run.games_per_iteration", run.games_per_iteration % run.groups == 0, "a multiple of groups"),
            ("league.shares", shares.keys() <= {SELF, PAST} and all(
                isinstance(share, (int, float)) and share >= 0 for share in shares.values())
             and abs(sum(shares.values()) - 1) < 1e-6, "shares of self and past that add up to 1")):
        if not is_good:
            raise MahjongError("expected %s to be %s, got %r in %s", name, expected, attrgetter(name)(config), where)
