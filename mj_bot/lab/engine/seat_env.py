"""One seat as an environment of Gymnasium: opponents play the other three; needs the package gymnasium.

MahjongSeatEnv plays one game, MahjongSeatVectorEnv plays N. docs/engine.md is their page.
"""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError, MahjongError
from ...observation.layout import OBSERVATION_SIZE
from ..table.choosers import load_chooser
from .batch import Engine, unpack_masks
from .game_rows import DECISION
from .observations import write_observations
from .wall_sources import seed_source
from .spaces import AS_BYTES, check_render_mode, encode, format_observation, make_action_space, make_observation_space

_SEATS = 4
# Three seats may claim a discard.
_MOST_DECISIONS = 3


class SeatGames(object):
    """N games; in each, opponents play until the caller's own seat has to decide.

    seats: int64[N], the own seat of each game. decisions: DECISION[N], what the own seat has to decide.
    rewards: float32[N], the own seat's scores of the games that ended in the last step, else 0. ended: bool[N].
    """

    def __init__(self, count, seat, opponents):
        """seat: 0..3; None for that of the wall's seed, modulo 4. opponents: as MahjongSeatEnv takes them."""
        if seat not in (None, 0, 1, 2, 3):
            raise MahjongError("expected seat=None or 0..3, got %r" % (seat,))
        self._seat, self._groups = seat, _load_opponents(opponents)
        self._engine, self._first_seed = Engine(count), 0
        self.seats, self.decisions = np.zeros(count, np.int64), np.zeros(count, DECISION)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, bool)
        # A row for each game: its pending decisions, their number, which one is the own seat's, and the answers.
        self._pending = np.zeros((count, _MOST_DECISIONS), DECISION)
        self._counts, self._own = np.zeros((2, count), np.int64)
        self._answers = np.zeros((count, _MOST_DECISIONS), np.int16)

    def reset(self, first_seed, **options):
        """Deals new games. first_seed and options: as seed_source takes them.

        Returns bool[N]: where the own seat has a decision. A game may end before it has one.
        """
        self._first_seed = first_seed
        self.decisions["game"] = -1
        self._engine.reset(seed_source(first_seed, **options))
        self._take_seats(slice(None))
        self.ended[:] = False
        self._play_on(self._take_decisions())
        return self.decisions["game"] >= 0

    def step(self, actions):
        """Answers the decision of the own seat in every game. actions: int[N].

        An illegal action ends its game as the judge ends it: -30 points for the seat, 10 for each other one.
        Returns bool[N]: the actions that were legal. Raises IllegalActionError: an array of another form.
        """
        actions = np.asarray(actions)
        if actions.shape != self.seats.shape or actions.dtype.kind not in "iu":
            raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s" % (
                len(self.seats), actions.shape, actions.dtype))
        games = np.arange(len(actions))
        legal = (actions >= 0) & (actions < ACTION_COUNT)
        legal &= self.masks()[games, np.where(legal, actions, 0)]
        self.rewards[:], self.ended[:] = 0, False
        ready = games[legal]
        self._answers[ready, self._own[ready]] = actions[ready]
        if len(ready) < len(games):
            wrong = games[~legal]
            self._engine.forfeit(wrong, self.seats[wrong])
            self._take_results()
            ready = np.append(ready, self._take_decisions())
        self._play_on(ready)
        return legal

    def masks(self):
        """Legal actions of the own seats, bool[N, 235]."""
        return unpack_masks(self.decisions["mask"])

    def observations(self):
        """What the own seats see, uint8[N, OBSERVATION_SIZE]; of a game that is over without a next one, its end."""
        out = np.zeros((len(self.seats), OBSERVATION_SIZE), np.uint8)
        write_observations(self._engine.games, self.decisions, False, out)
        return out

    @property
    def game_ids(self):
        return self._engine.games["game_id"].copy()

    def _play_on(self, ready):
        """Goes on until no game is left in which all answers are known. ready: int[K], the games with all answers."""
        while len(ready):
            rows = np.arange(_MOST_DECISIONS) < self._counts[ready, None]
            self._engine.step(self._answers[ready][rows], self._pending[ready][rows])
            self._take_results()
            ready = self._take_decisions()

    def _take_results(self):
        """Notes the scores of the games that ended, and the own seats of the next ones."""
        finished = self._engine.finished
        # A second game that ended in the same step did so before the own seat had a decision.
        finished = finished[~self.ended[finished["game"]]]
        games = finished["game"]
        self.rewards[games] = finished["score"][np.arange(len(games)), self.seats[games]]
        self.ended[games] = True
        self._take_seats(self._engine.finished["game"])

    def _take_seats(self, games):
        if self._seat is None:
            self.seats[games] = (self._engine.games["game_id"][games] + self._first_seed % _SEATS) % _SEATS
        else:
            self.seats[games] = self._seat

    def _take_decisions(self):
        """Notes the engine's decisions and the opponents' answers; returns the games without one of the own seat."""
        pending = self._engine.pending
        games = pending["game"]
        starts = np.flatnonzero(np.append(True, games[1:] != games[:-1])[:len(games)])
        counts = np.diff(np.append(starts, len(games)))
        slots = np.arange(len(games)) - np.repeat(starts, counts)
        self._pending[games, slots], self._counts[games[starts]] = pending, counts
        offsets = (pending["seat"] - self.seats[games]) % _SEATS
        for choose, players in self._groups:
            rows = np.flatnonzero(players[offsets])
            if len(rows):
                out = np.zeros((len(rows), OBSERVATION_SIZE), np.uint8)
                write_observations(self._engine.games, pending[rows], False, out)
                self._answers[games[rows], slots[rows]] = choose(out, unpack_masks(pending["mask"][rows]))
        own = np.flatnonzero(offsets == 0)
        self._own[games[own]], self.decisions[games[own]] = slots[own], pending[own]
        return np.setdiff1d(games[starts], games[own], assume_unique=True)


def _load_opponents(opponents):
    """[(function choose, bool[4] of the offsets from the own seat that it plays)]."""
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents] * (_SEATS - 1)
    opponents = list(opponents)
    if len(opponents) != _SEATS - 1:
        raise MahjongError("expected one opponent or three, got %d" % len(opponents))
    groups = []
    for player in dict.fromkeys(opponents):
        plays = np.array([False] + [other == player for other in opponents])
        groups.append((player if callable(player) else load_chooser(player), plays))
    return groups


class MahjongSeatEnv(gymnasium.Env):
    """One seat of a game; opponents play the other three.

    opponents: "random", or another player of the arena that has `choose`, or a function choose(observations uint8[M,
    OBSERVATION_SIZE], masks bool[M, 235]) -> int[M]; or three of them: next, across, before. seat: 0..3, 0 is east;
    None for another one in each game. observation: "bytes", uint8[OBSERVATION_SIZE] of observation/layout.py, or
    "planes", float32[129, 34], the inputs of the network. render_mode: None or "ansi", text of what the seat sees.
    Gymnasium warns about other modes, which show nothing: Stable-Baselines3 asks every environment for pictures.

    Actions: 0..234 of mahjong/action.py. action_masks() and infos["action_mask"] tell which are legal. An illegal
    action ends the game with -30 points, as on Botzone, and infos["is_illegal"].
    Reward: 0, at the end the judge's score of the seat. The next observation is that of the seat's next decision; the
    last one shows the end of the game.
    reset(seed=s) deals walls.wall_from_seed(s), the games after it have random walls that depend on s alone.
    infos: "action_mask" bool[235], "seat", "wall_seed", and "is_illegal" after a step.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, opponents="random", seat=None, observation=AS_BYTES, *, render_mode=None):
        self.observation_space, self.action_space = make_observation_space(observation), make_action_space()
        self.render_mode = render_mode
        self._form, self._games, self._wall_seed, self._is_over = observation, SeatGames(1, seat, opponents), None, True

    def reset(self, *, seed=None, options=None):
        """Deals a game. seed: int from 0, the seed of its wall; None for a random wall. options: none."""
        super().reset(seed=seed)
        self._wall_seed = self._draw_seed() if seed is None else int(seed)
        while not self._games.reset(self._wall_seed, game_count=1)[0]:
            # The game ended before the seat had to decide.
            self._wall_seed = self._draw_seed()
        self._is_over = False
        return self._observe(), self._describe()

    def step(self, action):
        """Answers the decision of the seat; see the class. Raises gymnasium.error.ResetNeeded: the game is over."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("expected reset() before step(), the game is over or there is none")
        is_legal = self._games.step([int(action)])[0]
        self._is_over = bool(self._games.ended[0])
        infos = self._describe()
        infos["is_illegal"] = not is_legal
        return self._observe(), float(self._games.rewards[0]), self._is_over, False, infos

    def action_masks(self):
        """Legal actions, bool[235], of which none is True at the end of the game."""
        return self._games.masks()[0] & (not self._is_over)

    def render(self):
        """Returns the text of what the seat sees, or None without render_mode="ansi"."""
        return format_observation(self._games.observations()[0]) if self.render_mode == "ansi" else None

    def _draw_seed(self):
        return int(self.np_random.integers(1 << 62))

    def _observe(self):
        return encode(self._games.observations(), self._form)[0]

    def _describe(self):
        return {"action_mask": self.action_masks(), "seat": int(self._games.seats[0]), "wall_seed": self._wall_seed}


class MahjongSeatVectorEnv(VectorEnv):
    """N games with one seat each; opponents play the other three. All arrays have a row for each game.

    opponents, seat, observation: as MahjongSeatEnv takes them. The opponents answer for all games together.
    Actions: int[N]. An illegal one ends its game with -30 points. Rewards: float32[N], zeros; the judge's score of the
    seat where the step ended the game. Terminations: bool[N]. The next game is dealt in the same step: observation and
    mask are those of its first decision. Truncations: bool[N], never set.
    infos: "action_mask" bool[N, 235], "seat" int8[N], "game_id" int64[N], "is_illegal" bool[N] after a step.
    Game i has the wall of walls.wall_from_seed(seed + i).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, num_envs=64, opponents="random", seat=None, *, observation=AS_BYTES, render_mode=None):
        self.num_envs = num_envs
        self.single_observation_space = make_observation_space(observation)
        self.single_action_space = make_action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = check_render_mode(render_mode)
        self._form, self._games, self._is_reset = observation, SeatGames(num_envs, seat, opponents), False

    def reset(self, *, seed=None, options=None):
        """Deals new games. seed: int from 0, the seed of the first wall; None for a random one. options: none."""
        super().reset(seed=seed)
        self._games.reset(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed))
        self._is_reset = True
        return self._observe(), self._describe()

    def step(self, actions):
        """Answers the decision of the seat in every game; see the class.

        Raises IllegalActionError: an array of another form. gymnasium.error.ResetNeeded: no reset() before it.
        """
        if not self._is_reset:
            raise gymnasium.error.ResetNeeded("expected reset() before step()")
        is_legal = self._games.step(actions)
        return (self._observe(), self._games.rewards.copy(), self._games.ended.copy(), np.zeros(self.num_envs, bool),
                dict(self._describe(), is_illegal=~is_legal))

    def action_masks(self):
        """Legal actions, bool[N, 235]."""
        return self._games.masks()

    def render(self):
        """Returns a tuple of N texts, what each seat sees, or None without render_mode="ansi"."""
        if self.render_mode is None:
            return None
        return tuple(format_observation(observation) for observation in self._games.observations())

    def _observe(self):
        return encode(self._games.observations(), self._form)

    def _describe(self):
        return {"action_mask": self._games.masks(), "seat": self._games.seats.astype(np.int8),
                "game_id": self._games.game_ids}
