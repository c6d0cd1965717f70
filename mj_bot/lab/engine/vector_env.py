"""Self-play as a vector environment of Gymnasium: arrays in, arrays out; needs the package gymnasium.

docs/engine.md is its page. Gymnasium knows it as "mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1".
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError, MahjongError
from ...observation.layout import OBSERVATION_SIZE
from .batch import Engine, unpack_masks
from .game_rows import DECISION
from .one_by_one import MOST_DECISIONS, Shown, find_illegal, make_decisions, show_decisions, take_answers
from .wall_sources import seed_source
from .spaces import AS_BYTES, check_render_mode, encode, format_observation, make_action_space, make_observation_space

# Games of a block, which one thread steps: fewer cost more calls, more do not fit a processor's cache.
_BLOCK_SIZE = 256


class MahjongVectorEnv(VectorEnv):
    """N games of four seats, one pending decision a game at any time.

    observation: "bytes", uint8[N, OBSERVATION_SIZE] of observation/layout.py, or "planes", float32[N, 129, 34], the
    inputs of the network: what the seat to act sees. threads: None for one a processor; they change no result.
    render_mode: None or "ansi", text of what the seats to act see.
    Actions: int[N], 0..234 of mahjong/action.py, each legal by its mask.
    Rewards: float32[N, 4], zeros; the judge's scores of all four seats where the step ended the game.
    Terminations: bool[N]. The next game is dealt in the same step: observation, mask and seat are those of its first
    decision. Truncations: bool[N], never set.
    infos: "action_mask" bool[N, 235], "seat" int8[N] of the seat to act, 0 is east, and "game_id" int64[N], the number
    of the game, from 0. Game i has the wall of walls.wall_from_seed(seed + i).

    A seat acts after its own draw or claim, and where it may do more than pass. Seats that answer the same discard act
    in steps one after another, and do not see each other's answers. The same seed and the same actions give the same
    games.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, num_envs=512, observation=AS_BYTES, threads=None, *, render_mode=None):
        self.num_envs = num_envs
        self.single_observation_space = make_observation_space(observation)
        self.single_action_space = make_action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode, self._form = check_render_mode(render_mode), observation
        count = -(-num_envs // _BLOCK_SIZE)
        self._blocks = [_Block((num_envs + count - 1 - block) // count) for block in range(count)]
        ends = np.cumsum([len(block) for block in self._blocks])
        self._parts = [slice(end - len(block), end) for block, end in zip(self._blocks, ends.tolist())]
        threads = min(count, threads or os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._bytes = None

    def reset(self, *, seed=None, options=None):
        """Deals new games. seed: int from 0, the seed of the first wall; None for a random one. options: none.

        Returns (observations, infos), see the class.
        """
        super().reset(seed=seed)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        for number, block in enumerate(self._blocks):
            block.reset(seed_source(seed, first_game=number, stride=len(self._blocks)))
        observations, _, _, _, infos = self._show(None, lambda block, part: None)
        return observations, infos

    def step(self, actions, out=None):
        """Answers the pending decision of every game. actions: int[N].

        out: (observations, masks), arrays of the caller that are written to and returned instead of new ones; masks
        are bool[N, 235].
        Returns (observations, rewards, terminations, truncations, infos), see the class.
        Raises IllegalActionError: an action outside its mask, or an array of another form; nothing has changed then.
        gymnasium.error.ResetNeeded: no reset() before it. MahjongError: arrays of another form in `out`.
        """
        if self._bytes is None:
            raise ResetNeeded("expected reset() before step()")
        if out is not None:
            self._check(out)
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s" % (
                self.num_envs, actions.shape, actions.dtype))
        actions = np.ascontiguousarray(actions, np.int64)
        for block, part in zip(self._blocks, self._parts):
            block.check(actions[part], part.start)
        return self._show(out, lambda block, part: block.step(actions[part]))

    def render(self):
        """Returns a tuple of N texts, what each seat to act sees, or None without render_mode="ansi"."""
        return None if self.render_mode is None else tuple(map(format_observation, self._bytes))

    def close_extras(self, **kwargs):
        """Ends the threads."""
        if self._pool:
            self._pool.shutdown()

    def _show(self, out, work):
        """Calls work(block, slice of its games) and returns what step() returns."""
        count, is_bytes = self.num_envs, self._form == AS_BYTES
        if out is None:
            space = self.single_observation_space
            out = np.empty((count, *space.shape), space.dtype), np.empty((count, ACTION_COUNT), bool)
        observations, masks = out
        self._bytes = observations if is_bytes else np.empty((count, OBSERVATION_SIZE), np.uint8)
        shown = Shown(self._bytes, masks, np.empty(count, np.int8), np.empty(count, np.int64),
                      np.zeros((count, 4), np.float32), np.zeros(count, bool))

        def run(block, part):
            work(block, part)
            block.show(Shown(*(array[part] for array in shown)))
            if not is_bytes:
                observations[part] = encode(self._bytes[part], self._form)

        for _ in (self._pool.map if self._pool else map)(run, self._blocks, self._parts):
            pass
        infos = {"action_mask": masks, "seat": shown.seats, "game_id": shown.game_ids}
        return observations, shown.rewards, shown.ended, np.zeros(count, bool), infos

    def _check(self, out):
        space = self.single_observation_space
        for array, dtype, shape in zip(out, (space.dtype, np.dtype(bool)), (space.shape, (ACTION_COUNT,))):
            if array.dtype != dtype or array.shape != (self.num_envs, *shape) or not array.flags.c_contiguous:
                raise MahjongError("expected out=(observations, masks), here an array %s%r in C order, got %s%r" % (
                    dtype, [self.num_envs, *shape], array.dtype, list(array.shape)))


class _Block(object):
    """Games that one thread steps, with an engine of their own."""

    def __init__(self, count):
        self._engine, self._decisions = Engine(count), make_decisions(count)
        self._rows = np.zeros(MOST_DECISIONS * count, DECISION)
        self._actions = np.zeros(len(self._rows), np.int16)

    def __len__(self):
        return len(self._engine.games)

    def reset(self, source):
        self._engine.reset(source)

    def check(self, actions, first):
        """Raises IllegalActionError: an action outside its mask. first: the number of the block's first game."""
        game = find_illegal(self._decisions, actions)
        if game >= 0:
            current = self._decisions.pending[game, self._decisions.answered[game]]
            raise IllegalActionError("expected one of %r for seat %d of game %d, got %r" % (
                np.flatnonzero(unpack_masks(current["mask"][None])[0]).tolist(), current["seat"], first + game,
                actions[game].item()))

    def step(self, actions):
        count = take_answers(self._decisions, actions, self._rows, self._actions)
        self._engine.step(self._actions[:count], self._rows[:count])

    def show(self, shown):
        engine = self._engine
        show_decisions(engine.games, engine.pending, engine.finished, self._decisions, shown)
