"""The engine as a vector environment of Gymnasium: arrays in, arrays out; needs the package gymnasium.

docs/engine.md is its page. Gymnasium knows it as "mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1".
"""

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from ...observation.layout import OBSERVATION_SIZE
from .batch import Engine, unpack_masks
from .games import DECISION
from .observations import write_observations
from .sources import seed_source

# Three seats may claim a discard.
_MOST_DECISIONS = 3


class MahjongVectorEnv(VectorEnv):
    """N games of four seats, one pending decision a game at any time.

    Observations: uint8[N, OBSERVATION_SIZE], what the seat to act sees, see observation/layout.py.
    Actions: int[N], 0..234 of mahjong/action.py, each legal by its mask.
    Rewards: float32[N, 4], zeros; the judge's scores of all four seats where the step ended the game.
    Terminations: bool[N]. The next game is dealt in the same step: observation, mask and seat are those of its first
    decision. Truncations: bool[N], never set.
    infos: "action_mask" bool[N, 235], "seat" int8[N] of the seat to act, 0 is east, and "game_id" int64[N], the number
    of the game in the order of the deals, from 0. Game i has the wall of walls.wall_from_seed(seed + i).

    A seat acts after its own draw or claim, and where it may do more than pass. Seats that answer the same discard act
    in steps one after another, and do not see each other's answers. The same seed and the same actions give the same
    games.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, num_envs=512):
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(0, 255, (OBSERVATION_SIZE,), np.uint8)
        self.single_action_space = spaces.Discrete(ACTION_COUNT)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._engine = Engine(num_envs)
        self._all = np.arange(num_envs)
        # A row for each game: its pending decisions, their number, the number of answers, and the answers.
        self._decisions = np.zeros((num_envs, _MOST_DECISIONS), DECISION)
        self._counts, self._answered = np.zeros((2, num_envs), np.int64)
        self._answers = np.zeros((num_envs, _MOST_DECISIONS), np.int16)
        self._current = self._decisions[:, 0]

    def reset(self, *, seed=None, options=None):
        """Deals new games. seed: int from 0, the seed of the first wall; None for a random one. options: none.

        Returns (observations, infos), see the class.
        """
        super().reset(seed=seed)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self._engine.reset(seed_source(seed))
        self._take_decisions()
        return self._observe()

    def step(self, actions):
        """Answers the pending decision of every game. actions: int[N].

        Returns (observations, rewards, terminations, truncations, infos), see the class.
        Raises IllegalActionError: an action outside its mask, or an array of another form; nothing has changed then.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s" % (
                self.num_envs, actions.shape, actions.dtype))
        legal = (actions >= 0) & (actions < ACTION_COUNT)
        legal &= unpack_masks(self._current["mask"])[self._all, np.where(legal, actions, 0)]
        if not legal.all():
            game = legal.argmin()
            raise IllegalActionError("expected one of %r for seat %d of game %d, got %r" % (
                np.flatnonzero(unpack_masks(self._current["mask"])[game]).tolist(), self._current["seat"][game], game,
                actions[game].item()))
        self._answers[self._all, self._answered] = actions
        self._answered += 1
        complete = self._answered == self._counts
        rows = complete[:, None] & (np.arange(_MOST_DECISIONS) < self._counts[:, None])
        self._engine.step(self._answers[rows], self._decisions[rows])
        self._take_decisions()
        rewards, terminations = np.zeros((self.num_envs, 4), np.float32), np.zeros(self.num_envs, bool)
        finished = self._engine.finished
        rewards[finished["game"]] = finished["score"]
        terminations[finished["game"]] = True
        observations, infos = self._observe()
        return observations, rewards, terminations, np.zeros(self.num_envs, bool), infos

    def _take_decisions(self):
        """Notes the engine's new decisions, the rows of a game together, in their games' places."""
        pending = self._engine.pending
        games, first, inverse, counts = np.unique(
            pending["game"], return_index=True, return_inverse=True, return_counts=True)
        self._counts[games], self._answered[games] = counts, 0
        self._decisions[pending["game"], np.arange(len(pending)) - first[inverse]] = pending

    def _observe(self):
        self._current = self._decisions[self._all, self._answered]
        observations = np.zeros((self.num_envs, OBSERVATION_SIZE), np.uint8)
        write_observations(self._engine.games, self._current, False, observations)
        return observations, {"action_mask": unpack_masks(self._current["mask"]),
                              "seat": self._current["seat"].astype(np.int8),
                              "game_id": self._engine.games["game_id"].copy()}
