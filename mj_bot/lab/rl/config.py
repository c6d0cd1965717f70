"""Every setting of a run, read from one TOML file with a table for each class below."""

import dataclasses
import difflib
import tomllib
from dataclasses import dataclass, field

from ...mahjong.errors import MahjongError


@dataclass(frozen=True)
class Run:
    """start: the policy that learning starts from, a weight file (.npz) or the folder of a run of `train`.
    advice: if above 0, a start that is not advised (network/advice.py) becomes so, and begins with this weight of it.
    games: learnt from in all. games_an_iteration: between two versions of the policy. seed: 0 .. 2**30 - 1.
    device: "cpu", "cuda", or "auto" for the latter where there is one. precision: "bfloat16" or "float32".
    groups: threads that play, each on its own share of the games. width: games side by side in each. Under torchrun
    each process has so many groups, and the games of an iteration are shared among all.
    actors: processes of a Ray cluster that share the groups, 0 to play in this one. actor_device: theirs.
    temperature: the policy is the softmax of the network's logits divided by it.
    save_games: between two weight files for strength.py.
    """

    start: str = ""
    advice: float = 0.0
    games: int = 100_000
    games_an_iteration: int = 2048
    seed: int = 0
    device: str = "auto"
    precision: str = "bfloat16"
    groups: int = 2
    width: int = 512
    actors: int = 0
    actor_device: str = "cpu"
    temperature: float = 1.0
    save_games: int = 20_000


@dataclass(frozen=True)
class Signal:
    """kind: "score", the game's points; "duplicate", the points less `share` of what that seat of that wall brought in
    its other games; or "match", what the game changes the match points expected of a match by, see standing.py.
    rotations: games a wall; walls_a_match: of "match". decay: lambda of the generalised advantages (Schulman et al.
    2016); nothing is discounted.
    """

    kind: str = "score"
    share: float = 1.0
    rotations: int = 1
    walls_a_match: int = 4
    decay: float = 0.95


@dataclass(frozen=True)
class Ppo:
    """rate: of Adam, reached after `warmup` steps. minibatch: decisions a step. epochs: over the decisions of an
    iteration. clip: of the importance weights. gradient: highest norm. value: weight of the critic's loss where it
    shares the network. kl_stop: an iteration ends early where the policy has moved so far from the one that played.
    sure: decisions whose most probable action is above it teach nothing and are left out. held: share of the walls that
    nothing is learnt from, to see on them what an iteration gains (learn/gain in the log); 0 for none.
    """

    rate: float = 1e-4
    warmup: int = 50
    minibatch: int = 4096
    epochs: int = 1
    clip: float = 0.2
    gradient: float = 1.0
    value: float = 0.5
    kl_stop: float = 0.03
    sure: float = 1.0
    held: float = 0.0


@dataclass(frozen=True)
class Entropy:
    """weight: of the entropy at first. target: nats a decision. step: what the weight rises by each iteration for a nat
    below the target (Li et al. 2020, Suphx). most: the highest weight.
    """

    weight: float = 0.0
    target: float = 0.3
    step: float = 0.01
    most: float = 0.05


@dataclass(frozen=True)
class Leash:
    """weight: of the divergence from the start policy at first; it falls to 0 along a line over `games`."""

    weight: float = 0.0
    games: int = 0


@dataclass(frozen=True)
class Critic:
    """kind: "own", the policy network's score head; or a network of its own that sees all hands and walls: "full", over
    planes, or "facts", over the few numbers of facts.py. channels, blocks: its size. rate, minibatch, epochs: of its
    learning. warmup_games: that teach it alone, before the policy learns.
    """

    kind: str = "own"
    channels: int = 64
    blocks: int = 3
    rate: float = 1e-3
    minibatch: int = 512
    epochs: int = 1
    warmup_games: int = 0


@dataclass(frozen=True)
class League:
    """shares: of the walls, by whom the learner meets there: "self" for itself alone, "past" for one of its earlier
    selves, or a tactic's spec. seats: of four that the other holds. past_games: between two versions that are kept;
    past_most: how many are.
    """

    shares: dict = field(default_factory=lambda: {"self": 1.0})
    seats: int = 2
    past_games: int = 20_000
    past_most: int = 4


@dataclass(frozen=True)
class Opening:
    """games: of the first so many games, the start policy plays the beginning, until a seat is `shanten` or fewer tiles
    short of ready; learning begins there.
    """

    games: int = 0
    shanten: int = 1


@dataclass(frozen=True)
class Oracle:
    """games: over the first so many the policy sees hidden planes, see oracle.py; 0 for none. after: part of the rate
    then; reject: decisions whose importance weight is above it then teach nothing.
    """

    games: int = 0
    after: float = 0.1
    reject: float = 2.0


@dataclass(frozen=True)
class Adapt:
    """Run-time adaptation, see adapt.py. games: played out for a hand, in all; iterations: that they are shared among.
    rate: of the policy's learning. trials: games by which a hand's adaptation is judged.
    """

    games: int = 4096
    iterations: int = 4
    rate: float = 1e-4
    trials: int = 1024


@dataclass(frozen=True)
class Strength:
    """seed, walls: of the duplicate matches. rotations: seatings a wall, 4 or 24. opponents: tactics' specs, or
    "start".
    """

    seed: int = 900_000
    walls: int = 200
    rotations: int = 4
    opponents: tuple = ("start", "search", "rule_based")


@dataclass(frozen=True)
class Config:
    """The settings of a run, a part a table of the file."""

    run: Run = Run()
    signal: Signal = Signal()
    ppo: Ppo = Ppo()
    entropy: Entropy = Entropy()
    leash: Leash = Leash()
    critic: Critic = Critic()
    league: League = field(default_factory=League)
    opening: Opening = Opening()
    oracle: Oracle = Oracle()
    adapt: Adapt = Adapt()
    strength: Strength = Strength()

    def as_dict(self):
        """All settings, for JSON."""
        return dataclasses.asdict(self)


def read_config(path):
    """The Config of a TOML file; what it leaves out has its default.

    Raises MahjongError: no such file, a name that is none, or a value that cannot be.
    """
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise MahjongError("expected a file of settings, got %r: %s" % (str(path), error)) from None
    return parse_config(data, str(path))


def parse_config(data, where=""):
    """The Config of a dict of dicts.

    Raises MahjongError: as read_config.
    """
    types = {part.name: part.type for part in dataclasses.fields(Config)}
    _check_names(data, types, where)
    config = Config(**{name: _parse_part(kind, data.get(name, {}), "[%s] of %s" % (name, where))
                       for name, kind in types.items()})
    check_config(config, where)
    return config


def _check_names(data, names, where):
    for name in data:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)[0]
            raise MahjongError("expected settings out of %s, got %r in %s; did you mean %r?" % (
                ", ".join(names), name, where, near))


def _parse_part(kind, data, where):
    kinds = {item.name: item.type for item in dataclasses.fields(kind)}
    _check_names(data, kinds, where)
    values = {}
    for name, value in data.items():
        if kinds[name] is float and isinstance(value, int):
            value = float(value)
        elif kinds[name] is tuple and isinstance(value, list):
            value = tuple(value)
        if type(value) is not kinds[name]:
            raise MahjongError("expected %s = a value of type %s, got %r in %s" % (
                name, kinds[name].__name__, value, where))
        values[name] = value
    return kind(**values)


def check_config(config, where):
    """Refuses what would fail or mislead later.

    Raises MahjongError: such a value; `where` it stands.
    """
    one_of = (
        ("run.device", config.run.device, config.run.device in ("cpu", "cuda", "auto"), "cpu, cuda or auto"),
        ("run.precision", config.run.precision, config.run.precision in ("bfloat16", "float32"),
         "bfloat16 or float32"),
        ("run.seed", config.run.seed, 0 <= config.run.seed < 1 << 30, "0 .. 2**30 - 1"),
        ("run.groups", config.run.groups, config.run.groups > 0, "1 or more"),
        ("run.actors", config.run.actors, config.run.actors == 0 or (
            config.run.actors > 0 and config.run.groups % config.run.actors == 0), "0, or so many that groups share"),
        ("run.actor_device", config.run.actor_device, config.run.actor_device in ("cpu", "cuda"), "cpu or cuda"),
        ("run.temperature", config.run.temperature, config.run.temperature > 0, "above 0"),
        ("signal.kind", config.signal.kind, config.signal.kind in ("score", "duplicate", "match"),
         "score, duplicate or match"),
        ("signal.rotations", config.signal.rotations, config.signal.kind != "duplicate" or config.signal.rotations > 1,
         "2 or more with the duplicate signal"),
        ("run.games_an_iteration", config.run.games_an_iteration,
         config.run.games_an_iteration % (config.run.groups * config.signal.rotations) == 0
         and config.run.games_an_iteration > 0, "a multiple of groups x rotations"),
        ("signal.walls_a_match", config.signal.walls_a_match, config.signal.kind != "match" or (
            config.run.games_an_iteration % (max(1, config.signal.walls_a_match) * config.signal.rotations) == 0),
         "such that whole matches make an iteration"),
        ("critic.kind", config.critic.kind, config.critic.kind in ("own", "full", "facts"),
         "own, full or facts"),
        ("ppo.held", config.ppo.held, 0 <= config.ppo.held < 0.5, "0 .. 0.5"),
        ("league.seats", config.league.seats, 1 <= config.league.seats <= 3, "1 .. 3"),
        ("league.shares", config.league.shares,
         abs(sum(config.league.shares.values()) - 1) < 1e-6 and min(config.league.shares.values(), default=0) >= 0,
         "shares that add up to 1"),
    )
    for name, value, is_good, expected in one_of:
        if not is_good:
            raise MahjongError("expected %s to be %s, got %r in %s" % (name, expected, value, where))
