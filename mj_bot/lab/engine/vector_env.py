"""Offers self-play as a vector environment of Gymnasium: arrays in, arrays out. It needs the package gymnasium.

docs/engine.md describes it for users. Gymnasium knows it as "mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1".
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError, MahjongError
from ...observation.layout import OBSERVATION_SIZE
from .batch import Engine, unpack_masks
from .game_rows import DECISION
from .one_by_one import MOST_DECISIONS, ShownDecisions, find_illegal, make_decisions, show_decisions, take_answers
from .spaces import AS_BYTES, check_render_mode, encode, format_observation, make_action_space, make_observation_space
from .wall_sources import Source, seed_source

# Number of games in a block, which one thread steps. Fewer games cost more calls; more do not fit a processor's cache.
_BLOCK_SIZE = 256


class MahjongVectorEnv(VectorEnv):
    """Plays N games of four seats, and shows one pending decision per game at any time.

    A seat acts after its own draw or claim, and where it may do more than pass. Seats that answer the same discard act
    in steps one after another, and do not see each other's answers. Equal seeds and equal actions give equal games.

    num_envs: number of games N.
    observation: "bytes" for uint8[N, OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[N,
        INPUT_COUNT, 34], the input of the network: what the seat to act sees.
    threads: how many threads step the games; None for one per processor. The number changes no result.
    render_mode: None, or "ansi" for text of what the seats to act see.

    Actions are int[N], indices 0..234 of mahjong/action.py, each legal by its mask. Rewards are float32[N, 4]: the
    judge's scores of all four seats where the step ended the game, else 0. Terminations are bool[N], True where the
    step ended the game. Truncations are bool[N], always False. The next game is dealt in the same step: observation,
    mask and seat are those of its first decision.
    infos: "action_mask" bool[N, 235], "seat" int8[N] of the seat to act, 0 is east, and "game_id" int64[N], the number
    of the game, from 0. Game i has the wall of walls.wall_from_seed(seed + i).
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(
            self, num_envs: int = 512, observation: str = AS_BYTES, threads: int | None = None, *,
            render_mode: str | None = None):
        self.num_envs = num_envs
        self.single_observation_space = make_observation_space(observation)
        self.single_action_space = make_action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode, self._form = check_render_mode(render_mode), observation
        count = -(-num_envs // _BLOCK_SIZE)
        self._blocks = [_Block((num_envs + count - 1 - block) // count) for block in range(count)]
        ends = np.cumsum([len(block) for block in self._blocks])
        self._block_rows = [slice(end - len(block), end) for block, end in zip(self._blocks, ends.tolist())]
        threads = min(count, threads or os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._bytes = None

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Deals new games.

        seed: int from 0, the seed of the first wall; None for a random one. options: ignored.
        Returns (observations, infos), which the class describes.
        """
        super().reset(seed=seed)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        for index, block in enumerate(self._blocks):
            block.reset(seed_source(seed, first_game=index, stride=len(self._blocks)))
        observations, _, _, _, infos = self._show(None, lambda block, block_rows: None)
        return observations, infos

    def step(
            self, actions: np.ndarray, out: tuple[np.ndarray, np.ndarray] | None = None
            ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Answers the pending decision of every game.

        actions: int[N], one action index per game.
        out: (observations, masks), arrays of the caller that are written to and returned instead of new ones; masks are
            bool[N, 235].
        Returns (observations, rewards, terminations, truncations, infos), which the class describes.
        Raises IllegalActionError: an action outside its mask, or an array of another shape or type; nothing has changed
            then. gymnasium.error.ResetNeeded: reset() was not called. MahjongError: arrays of another shape or type in
            `out`.
        """
        if self._bytes is None:
            raise ResetNeeded("expected reset() before step()")
        if out is not None:
            self._check(out)
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s",
                                     self.num_envs, actions.shape, actions.dtype)
        actions = np.ascontiguousarray(actions, np.int64)
        for block, block_rows in zip(self._blocks, self._block_rows):
            block.check(actions[block_rows], block_rows.start)
        return self._show(out, lambda block, block_rows: block.step(actions[block_rows]))

    def render(self) -> tuple[str, ...] | None:
        """Returns N texts, what each seat to act sees, or None without render_mode="ansi"."""
        return None if self.render_mode is None else tuple(map(format_observation, self._bytes))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        if self._pool:
            self._pool.shutdown()

    def _show(self, out, work):
        """Runs work on all blocks in the threads, and returns what step() returns.

        out: (observations, masks) that are written to, None for new arrays.
        work: function(block, slice of all games that the block plays).
        """
        count, is_bytes = self.num_envs, self._form == AS_BYTES
        if out is None:
            space = self.single_observation_space
            out = np.empty((count, *space.shape), space.dtype), np.empty((count, ACTION_COUNT), bool)
        observations, masks = out
        self._bytes = observations if is_bytes else np.empty((count, OBSERVATION_SIZE), np.uint8)
        shown = ShownDecisions(self._bytes, masks, np.empty(count, np.int8), game_ids=np.empty(count, np.int64),
                               rewards=np.zeros((count, 4), np.float32), ended=np.zeros(count, bool))

        def run(block: "_Block", block_rows: slice) -> None:
            work(block, block_rows)
            block.show(ShownDecisions(*(array[block_rows] for array in shown)))
            if not is_bytes:
                observations[block_rows] = encode(self._bytes[block_rows], self._form)

        for _ in (self._pool.map if self._pool else map)(run, self._blocks, self._block_rows):
            pass
        infos = {"action_mask": masks, "seat": shown.seats, "game_id": shown.game_ids}
        return observations, shown.rewards, shown.ended, np.zeros(count, bool), infos

    def _check(self, out):
        """Raises MahjongError: the caller's arrays (observations, masks) have another shape, type or order."""
        space = self.single_observation_space
        for array, dtype, shape in zip(out, (space.dtype, np.dtype(bool)), (space.shape, (ACTION_COUNT,))):
            if array.dtype != dtype or array.shape != (self.num_envs, *shape) or not array.flags.c_contiguous:
                raise MahjongError("expected out=(observations, masks), here an array %s%r in C order, got %s%r", dtype,
                                   [self.num_envs, *shape], array.dtype, list(array.shape))


class _Block(object):
    """Plays the games that one thread steps, with an engine of their own."""

    def __init__(self, count: int):
        self._engine, self._decisions = Engine(count), make_decisions(count)
        self._rows = np.zeros(MOST_DECISIONS * count, DECISION)
        self._actions = np.zeros(len(self._rows), np.int16)

    def __len__(self):
        return len(self._engine.games)

    def reset(self, source: Source) -> None:
        """Deals new games. source: where the games get their walls from."""
        self._engine.reset(source)

    def check(self, actions: np.ndarray, first: int) -> None:
        """Raises IllegalActionError: an action is outside its mask.

        actions: int64[games of the block]. first: the index of the block's first game among all games, for the error's
        text.
        """
        game = find_illegal(self._decisions, actions)
        if game >= 0:
            current = self._decisions.pending[game, self._decisions.answered[game]]
            raise IllegalActionError("expected one of %r for seat %d of game %d, got %r",
                                     np.flatnonzero(unpack_masks(current["mask"][None])[0]).tolist(), current["seat"],
                                     first + game, actions[game].item())

    def step(self, actions: np.ndarray) -> None:
        """Answers the current decision of each game. actions: int64[games of the block]."""
        count = take_answers(self._decisions, actions, self._rows, self._actions)
        self._engine.step(self._actions[:count], self._rows[:count])

    def show(self, shown: ShownDecisions) -> None:
        """Writes what the environment returns about the games of this block.

        shown: arrays for these games, written to.
        """
        engine = self._engine
        show_decisions(engine.games, engine.pending, engine.finished, self._decisions, shown)
