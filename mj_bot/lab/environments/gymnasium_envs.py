"""Shows the games as environments of Gymnasium: one seat against opponents, or self-play of all four seats."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from .core import ParallelGames
from .opponents import Opponents, Players
from .spaces import AS_BYTES, check_render_mode, format_observation, make_observation_space


class MahjongSeatEnv(gymnasium.Env):
    """Plays one seat of a game; opponents play the other three.

    opponents: "random", or another player of the arena that has `choose`, or a function choose(observations uint8[M,
        OBSERVATION_SIZE], masks bool[M, 235]) -> int[M]. A sequence of three means the next seat, across and before.
    seat: 0..3, 0 is east; None for a seat that changes from game to game.
    observation: "bytes" for uint8[OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[INPUT_COUNT, 34],
        the input of the network.
    render_mode: None, or "ansi" for text of what the seat sees.

    Actions are the indices 0..234 of mahjong/action.py. action_masks() and infos["action_mask"] tell which are legal.
    An illegal action ends the game with -30 points, as on Botzone, and infos["is_illegal"] is True. The reward is 0
    until the end of the game, then the judge's score of the seat. An observation is that of the seat's next decision;
    the last one shows the end of the game.
    infos: "action_mask" int8[235], "seat", "wall_seed", and "is_illegal" after a step.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
            self, opponents: Players = "random", seat: int | None = None, observation: str = AS_BYTES, *,
            render_mode: str | None = None):
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.observation_space, self.action_space = make_observation_space(observation), Discrete(ACTION_COUNT)
        self._games, self._wall_seed = ParallelGames(1, observation, Opponents(opponents), seat=seat), None
        self._is_over = True

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Deals a game.

        seed: int from 0; the game gets the wall of walls.wall_from_seed(seed), and later games get random walls that
            depend on this seed alone. None for a random wall.
        options: ignored. Returns (observation, infos), which the class describes.
        """
        super().reset(seed=seed)
        self._wall_seed = self._draw_seed() if seed is None else int(seed)
        self._games.reset(self._wall_seed, game_count=1)
        while not self._games.shown.masks.any():
            # The game ended before the seat had to decide.
            self._wall_seed = self._draw_seed()
            self._games.reset(self._wall_seed, game_count=1)
        self._is_over = False
        return self._games.observations[0], self._describe()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Answers the decision of the seat.

        action: action index 0..234. Returns (observation, reward, terminated, False, infos), which the class describes.
        Raises IllegalActionError: no action index. gymnasium.error.ResetNeeded: the game is over.
        """
        if self._is_over:
            raise ResetNeeded("expected reset() before step(), the game is over or there is none")
        if not self.action_space.contains(action):
            raise IllegalActionError("expected an action index 0..%d, got %r", self.action_space.n - 1, action)
        seat = self._games.shown.seats[0]
        self._games.step([int(action)])
        self._is_over = bool(self._games.shown.ended[0])
        infos = self._describe()
        infos["is_illegal"] = not self._games.legal[0]
        return self._games.observations[0], float(self._games.shown.rewards[0, seat]), self._is_over, False, infos

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, bool[235]; none is True at the end of the game."""
        return self._games.shown.masks[0].astype(bool)

    def render(self) -> str | None:
        """Returns the text of what the seat sees, or None without render_mode="ansi"."""
        return format_observation(self._games.shown.observations[0]) if self.render_mode else None

    def _draw_seed(self):
        """Returns the random seed of a wall."""
        return int(self.np_random.integers(1 << 62))

    def _describe(self):
        """Returns the infos."""
        shown = self._games.shown
        return {"action_mask": shown.masks[0], "seat": int(shown.seats[0]), "wall_seed": self._wall_seed}


class _VectorEnv(VectorEnv):
    """Shows N games, which one stream of walls deals. Subclasses say what a step returns."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, count, observation, render_mode, **options):
        self.render_mode, self.num_envs = check_render_mode(render_mode, self.metadata), count
        self._games = ParallelGames(count, observation, **options)
        self.single_observation_space = make_observation_space(observation)
        self.single_action_space = Discrete(ACTION_COUNT)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Deals new games. seed: from 0, of the first wall; None for a random one. options: ignored."""
        super().reset(seed=seed)
        self._games.reset(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed))
        return self._games.observations, self._describe()

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, bool[N, 235]."""
        return self._games.shown.masks.astype(bool)

    def render(self) -> tuple[str, ...] | None:
        """Returns N texts of what each seat to act sees, or None without render_mode="ansi"."""
        return tuple(map(format_observation, self._games.shown.observations)) if self.render_mode else None

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._games.close()

    def _describe(self):
        """Returns the infos."""
        shown = self._games.shown
        return {"action_mask": shown.masks, "seat": shown.seats, "game_id": shown.game_ids}


class MahjongSeatVectorEnv(_VectorEnv):
    """Plays N games with one seat each; opponents play the other three. All arrays have a row for each game.

    num_envs: number of games N.
    opponents: "random", or another player of the arena that has `choose`, or a function choose(observations uint8[M,
        OBSERVATION_SIZE], masks bool[M, 235]) -> int[M], which answers for all games together. A sequence of three
        means the next seat, across and before.
    seat: 0..3, 0 is east; None for a seat that changes from game to game.
    observation: "bytes" for uint8[N, OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[N,
        INPUT_COUNT, 34], the input of the network.
    threads: how many threads share the decisions of opponents; None for one per core.
    render_mode: None, or "ansi" for text of what the seats see.

    Actions are int[N], indices of mahjong/action.py. An illegal one ends its game with -30 points. Rewards are
    float32[N]: the judge's score of the seat where the step ended the game, else 0. Terminations are bool[N], True
    where the step ended the game. Truncations are bool[N], always False. The next game is dealt in the same step:
    observation and mask are those of its first decision.
    infos: "action_mask" int8[N, 235], "seat" int8[N], "game_id" int64[N], and "is_illegal" bool[N] after a step.
    Game i has the wall of walls.wall_from_seed(seed + i).
    """

    def __init__(
            self, num_envs: int = 64, opponents: Players = "random", seat: int | None = None, *,
            observation: str = AS_BYTES, threads: int | None = None, render_mode: str | None = None):
        super().__init__(num_envs, observation, render_mode, opponents=Opponents(opponents, threads), seat=seat)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Answers the decision of the seat in every game. actions: int[N], one action index per game.

        Raises IllegalActionError: not N indices 0..234; nothing has changed then.
        gymnasium.error.ResetNeeded: reset() was not called.
        """
        games, rows = self._games, (np.arange(self.num_envs), self._games.shown.seats)
        games.step(actions)
        return (games.observations, games.shown.rewards[rows], games.shown.ended, np.zeros(self.num_envs, bool),
                dict(self._describe(), is_illegal=~games.legal))


class MahjongVectorEnv(_VectorEnv):
    """Plays N games of four seats, and shows one pending decision per game at any time.

    A seat acts after its own draw or claim, and where it may do more than pass. Seats that answer the same discard act
    in steps one after another, and do not see each other's answers. Equal seeds and equal actions give equal games.

    num_envs: number of games N.
    observation: "bytes" for uint8[N, OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[N,
        INPUT_COUNT, 34], the input of the network: what the seat to act sees.
    threads: how many threads step the games; None for one per core. The number changes no result.
    render_mode: None, or "ansi" for text of what the seats to act see.

    step(actions, out) takes int[N], indices 0..234 of mahjong/action.py, each legal by its mask. With the caller's
    arrays out=(observations, masks) it writes to these in place of new ones. It raises IllegalActionError for an action
    outside its mask or an array of another shape or type, MahjongError for other arrays in `out`, and ResetNeeded
    before reset(); nothing has changed then.
    step returns (observations, rewards, terminations, truncations, infos). Rewards are float32[N, 4]: the
    judge's scores of all four seats where the step ended the game, else 0. Terminations are bool[N], True where the
    step ended the game. Truncations are bool[N], always False. The next game is dealt in the same step: observation,
    mask and seat are those of its first decision.
    infos: "action_mask" int8[N, 235], "seat" int8[N] of the seat to act, 0 is east, and "game_id" int64[N], the number
    of the game, from 0. Game i has the wall of walls.wall_from_seed(seed + i).
    """

    def __init__(
            self, num_envs: int = 512, observation: str = AS_BYTES, threads: int | None = None, *,
            render_mode: str | None = None):
        super().__init__(num_envs, observation, render_mode, threads=threads)

    def step(
            self, actions: np.ndarray, out: tuple[np.ndarray, np.ndarray] | None = None
            ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Answers the pending decision of every game; the class describes arguments and results."""
        games = self._games
        games.step(actions, out)
        return (games.observations, games.shown.rewards, games.shown.ended, np.zeros(self.num_envs, bool),
                self._describe())
