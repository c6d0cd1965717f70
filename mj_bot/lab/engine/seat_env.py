"""Offers one seat as an environment of Gymnasium: opponents play the other three. It needs the package gymnasium.

MahjongSeatEnv plays one game, MahjongSeatVectorEnv plays N. docs/engine.md describes both for users.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

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
from .spaces import AS_BYTES, check_render_mode, encode, format_observation, make_action_space, make_observation_space
from .wall_sources import seed_source

_SEATS = 4
# Three seats may claim a discard.
_MOST_DECISIONS = 3
# A function choose(observations, masks) that returns one action per row.
Chooser = Callable[[np.ndarray, np.ndarray], np.ndarray]
# One player for all three other seats, or a sequence of three players.
Opponents = str | Chooser | Sequence[str | Chooser]


class SeatGames(object):
    """Plays N games; in each, opponents play until the caller's own seat has to decide.

    seats: int64[N], the own seat of each game.
    decisions: DECISION[N], what the own seat has to decide.
    rewards: float32[N], the own seat's score where a game ended in the last step, else 0.
    ended: bool[N], whether a game ended in the last step.
    """

    def __init__(self, count: int, seat: int | None, opponents: Opponents):
        """Sets up N games; reset() deals them.

        count: number of games N.
        seat: the own seat 0..3 of every game; None for the seed of the game's wall modulo 4.
        opponents: name of a player of the arena that has `choose`, or a function choose(observations uint8[M,
            OBSERVATION_SIZE], masks bool[M, 235]) -> int[M]. A sequence of three means the next seat, across and
            before.
        """
        if seat not in (None, 0, 1, 2, 3):
            raise MahjongError("expected seat=None or 0..3, got %r", seat)
        self._seat, self._groups = seat, _load_opponents(opponents)
        self._engine, self._first_seed = Engine(count), 0
        self.seats, self.decisions = np.zeros(count, np.int64), np.zeros(count, DECISION)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, bool)
        # Of each game: its pending decisions, how many they are, which one is the own seat's, and the answers.
        self._pending = np.zeros((count, _MOST_DECISIONS), DECISION)
        self._counts, self._own = np.zeros((2, count), np.int64)
        self._answers = np.zeros((count, _MOST_DECISIONS), np.int16)

    def reset(self, first_seed: int, **options: Any) -> np.ndarray:
        """Deals new games.

        first_seed: game i gets the wall of walls.wall_from_seed(first_seed + i). options: more arguments of
        seed_source(). Returns bool[N], where the own seat has a decision. A game may end before it has one.
        """
        self._first_seed = first_seed
        self.decisions["game"] = -1
        self._engine.reset(seed_source(first_seed, **options))
        self._take_seats(slice(None))
        self.ended[:] = False
        self._play_on(self._take_decisions())
        return self.decisions["game"] >= 0

    def step(self, actions: np.ndarray | Sequence[int]) -> np.ndarray:
        """Answers the decision of the own seat in every game.

        actions: int[N], one action index per game.
        An illegal action ends its game as the judge ends it: -30 points for the seat, 10 for each other seat.
        Returns bool[N], where the action was legal. Raises IllegalActionError: an array of another shape or type.
        """
        actions = np.asarray(actions)
        if actions.shape != self.seats.shape or actions.dtype.kind not in "iu":
            raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s",
                                     len(self.seats), actions.shape, actions.dtype)
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

    def masks(self) -> np.ndarray:
        """Returns the legal actions of the own seats, bool[N, 235]."""
        return unpack_masks(self.decisions["mask"])

    def observations(self) -> np.ndarray:
        """Returns what the own seats see, uint8[N, OBSERVATION_SIZE].

        A game that is over and has no next game shows its end.
        """
        out = np.zeros((len(self.seats), OBSERVATION_SIZE), np.uint8)
        write_observations(self._engine.games, self.decisions, False, out)
        return out

    @property
    def game_ids(self) -> np.ndarray:
        """Returns int64[N], the number of each game in its source of walls."""
        return self._engine.games["game_id"].copy()

    def _play_on(self, ready):
        """Steps the engine until every game waits for its own seat, or is over.

        ready: int[K], indices of the games in which all pending decisions have an answer.
        """
        while len(ready):
            rows = np.arange(_MOST_DECISIONS) < self._counts[ready, None]
            self._engine.step(self._answers[ready][rows], self._pending[ready][rows])
            self._take_results()
            ready = self._take_decisions()

    def _take_results(self):
        """Stores the scores of the games that ended, and the own seats of the games that replaced them."""
        finished = self._engine.finished
        # If two games ended at one index in this step, the second one ended before the own seat had a decision.
        finished = finished[~self.ended[finished["game"]]]
        games = finished["game"]
        self.rewards[games] = finished["score"][np.arange(len(games)), self.seats[games]]
        self.ended[games] = True
        self._take_seats(self._engine.finished["game"])

    def _take_seats(self, games):
        """Sets the own seats of games. games: int[K] or a slice, indices of the games."""
        if self._seat is None:
            self.seats[games] = (self._engine.games["game_id"][games] + self._first_seed % _SEATS) % _SEATS
        else:
            self.seats[games] = self._seat

    def _take_decisions(self):
        """Stores the engine's decisions and the opponents' answers to theirs.

        Returns int[K], indices of the games in which the own seat has no decision: all their decisions have an answer.
        """
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
    """Returns a list of (function choose, bool[4]); the array tells which offsets from the own seat the function plays.

    opponents: one player for all three other seats, or a sequence of three: the next seat, across and before. A player
        is a name or a function choose(observations, masks).
    """
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents] * (_SEATS - 1)
    opponents = list(opponents)
    if len(opponents) != _SEATS - 1:
        raise MahjongError("expected one opponent or three, got %d", len(opponents))
    groups = []
    for player in dict.fromkeys(opponents):
        plays = np.array([False] + [other == player for other in opponents])
        groups.append((player if callable(player) else load_chooser(player, threads=os.cpu_count() or 1), plays))
    return groups


class MahjongSeatEnv(gymnasium.Env):
    """Plays one seat of a game; opponents play the other three.

    opponents: "random", or another player of the arena that has `choose`, or a function choose(observations uint8[M,
        OBSERVATION_SIZE], masks bool[M, 235]) -> int[M]. A sequence of three means the next seat, across and before.
    seat: 0..3, 0 is east; None for a seat that changes from game to game.
    observation: "bytes" for uint8[OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[INPUT_COUNT, 34],
        the input of the network.
    render_mode: None, or "ansi" for text of what the seat sees. Gymnasium warns about other modes, which show nothing.
        They are no error, because Stable-Baselines3 asks every environment for pictures.

    Actions are the indices 0..234 of mahjong/action.py. action_masks() and infos["action_mask"] tell which are legal.
    An illegal action ends the game with -30 points, as on Botzone, and infos["is_illegal"] is True. The reward is 0
    until the end of the game, then the judge's score of the seat. An observation is that of the seat's next decision;
    the last one shows the end of the game.
    infos: "action_mask" bool[235], "seat", "wall_seed", and "is_illegal" after a step.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
            self, opponents: Opponents = "random", seat: int | None = None, observation: str = AS_BYTES, *,
            render_mode: str | None = None):
        self.observation_space, self.action_space = make_observation_space(observation), make_action_space()
        self.render_mode = render_mode
        self._form, self._games, self._wall_seed, self._is_over = observation, SeatGames(1, seat, opponents), None, True

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Deals a game.

        seed: int from 0; the game gets the wall of walls.wall_from_seed(seed), and later games get random walls that
            depend on this seed alone. None for a random wall.
        options: ignored. Returns (observation, infos), which the class describes.
        """
        super().reset(seed=seed)
        self._wall_seed = self._draw_seed() if seed is None else int(seed)
        while not self._games.reset(self._wall_seed, game_count=1)[0]:
            # The game ended before the seat had to decide.
            self._wall_seed = self._draw_seed()
        self._is_over = False
        return self._observe(), self._describe()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Answers the decision of the seat.

        action: action index 0..234. Returns (observation, reward, terminated, False, infos), which the class describes.
        Raises gymnasium.error.ResetNeeded: the game is over.
        """
        if self._is_over:
            raise gymnasium.error.ResetNeeded("expected reset() before step(), the game is over or there is none")
        is_legal = self._games.step([int(action)])[0]
        self._is_over = bool(self._games.ended[0])
        infos = self._describe()
        infos["is_illegal"] = not is_legal
        return self._observe(), float(self._games.rewards[0]), self._is_over, False, infos

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, bool[235]; none is True at the end of the game."""
        return self._games.masks()[0] & (not self._is_over)

    def render(self) -> str | None:
        """Returns the text of what the seat sees, or None without render_mode="ansi"."""
        return format_observation(self._games.observations()[0]) if self.render_mode == "ansi" else None

    def _draw_seed(self):
        """Returns the random seed of a wall."""
        return int(self.np_random.integers(1 << 62))

    def _observe(self):
        """Returns the observation in the form of the observation space."""
        return encode(self._games.observations(), self._form)[0]

    def _describe(self):
        """Returns the infos."""
        return {"action_mask": self.action_masks(), "seat": int(self._games.seats[0]), "wall_seed": self._wall_seed}


class MahjongSeatVectorEnv(VectorEnv):
    """Plays N games with one seat each; opponents play the other three. All arrays have a row for each game.

    num_envs: number of games N.
    opponents: "random", or another player of the arena that has `choose`, or a function choose(observations uint8[M,
        OBSERVATION_SIZE], masks bool[M, 235]) -> int[M], which answers for all games together. A sequence of three
        means the next seat, across and before.
    seat: 0..3, 0 is east; None for a seat that changes from game to game.
    observation: "bytes" for uint8[N, OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[N,
        INPUT_COUNT, 34], the input of the network.
    render_mode: None, or "ansi" for text of what the seats see.

    Actions are int[N], indices of mahjong/action.py. An illegal one ends its game with -30 points. Rewards are
    float32[N]: the judge's score of the seat where the step ended the game, else 0. Terminations are bool[N], True
    where the step ended the game. Truncations are bool[N], always False. The next game is dealt in the same step:
    observation and mask are those of its first decision.
    infos: "action_mask" bool[N, 235], "seat" int8[N], "game_id" int64[N], and "is_illegal" bool[N] after a step.
    Game i has the wall of walls.wall_from_seed(seed + i).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(
            self, num_envs: int = 64, opponents: Opponents = "random", seat: int | None = None, *,
            observation: str = AS_BYTES, render_mode: str | None = None):
        self.num_envs = num_envs
        self.single_observation_space = make_observation_space(observation)
        self.single_action_space = make_action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = check_render_mode(render_mode)
        self._form, self._games, self._is_reset = observation, SeatGames(num_envs, seat, opponents), False

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Deals new games.

        seed: int from 0, the seed of the first wall; None for a random one. options: ignored.
        Returns (observations, infos), which the class describes.
        """
        super().reset(seed=seed)
        self._games.reset(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed))
        self._is_reset = True
        return self._observe(), self._describe()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Answers the decision of the seat in every game.

        actions: int[N], one action index per game.
        Returns (observations, rewards, terminations, truncations, infos), which the class describes.
        Raises IllegalActionError: an array of another shape or type. gymnasium.error.ResetNeeded: reset() was not
        called.
        """
        if not self._is_reset:
            raise gymnasium.error.ResetNeeded("expected reset() before step()")
        is_legal = self._games.step(actions)
        return (self._observe(), self._games.rewards.copy(), self._games.ended.copy(), np.zeros(self.num_envs, bool),
                dict(self._describe(), is_illegal=~is_legal))

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, bool[N, 235]."""
        return self._games.masks()

    def render(self) -> tuple[str, ...] | None:
        """Returns N texts of what each seat sees, or None without render_mode="ansi"."""
        if self.render_mode is None:
            return None
        return tuple(format_observation(observation) for observation in self._games.observations())

    def _observe(self):
        """Returns the observations in the form of the observation space."""
        return encode(self._games.observations(), self._form)

    def _describe(self):
        """Returns the infos."""
        return {"action_mask": self._games.masks(), "seat": self._games.seats.astype(np.int8),
                "game_id": self._games.game_ids}
