"""Shows one game as an environment of PettingZoo: four agents that act one after another."""

import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError, MahjongError
from ..engine.wall_sources import seed_source, wall_source
from .core import ParallelGames
from .spaces import AS_BYTES, check_render_mode, format_observation, make_observation_space


def env(**options: Any) -> AECEnv:
    """Returns MahjongEnv(**options) in PettingZoo's wrapper that checks the order of calls."""
    return OrderEnforcingWrapper(MahjongEnv(**options))


class MahjongEnv(AECEnv):
    """Plays one game of four agents, "seat_0" (east) .. "seat_3".

    An agent acts after its own draw or claim, and where it may do more than pass. Agents that answer the same discard
    act one after another, and do not see each other's answers.

    observation: "bytes" for uint8[OBSERVATION_SIZE] of observation/layout.py, or "planes" for float32[INPUT_COUNT, 34],
        the input of the network.
    masks: "observation" returns {"observation": the observation, "action_mask": int8[235]} as the observation; "info"
        returns the bare observation, and the mask as info["action_mask"]. The mask of an agent without a pending
        decision is all zero.
    render_mode: None, or "ansi" for text of what the agent to act sees, or "human" to print this text.

    Actions are the indices 0..234 of mahjong/action.py. Rewards are 0 until the end of the game, then the judge's
    scores.
    """

    metadata = {"name": "mj_bot_v1", "render_modes": ["ansi", "human"], "render_fps": 4, "is_parallelizable": False}

    def __init__(self, observation: str = AS_BYTES, masks: str = "observation", render_mode: str | None = None):
        super().__init__()
        self.possible_agents = ["seat_%d" % seat for seat in range(4)]
        self.agents, self.agent_selection = [], self.possible_agents[0]
        if masks not in ("observation", "info"):
            raise MahjongError("expected masks='observation' or 'info', got %r", masks)
        self.render_mode, self._has_dictionary = check_render_mode(render_mode, self.metadata), masks == "observation"
        space = make_observation_space(observation)
        if self._has_dictionary:
            space = spaces.Dict({"observation": space, "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8)})
        self.action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self.observation_spaces = {agent: copy.deepcopy(space) for agent in self.possible_agents}
        self._games, self._observations = ParallelGames(1, observation), {}

    def observation_space(self, agent: str) -> spaces.Space:
        """Returns the observation space of an agent; it is equal for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the action space of an agent: the action indices 0..234."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Deals a new game.

        seed: the wall is that of walls.wall_from_seed(seed). None means a random wall.
        options: {"wall": list of 136 tile names, "prevalent_wind": 0..3}, both optional. A given wall replaces the
        seed's.
        """
        options = options or {}
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        if "wall" in options:
            source = wall_source([options["wall"]], [options.get("prevalent_wind", 0)])
        else:
            source = seed_source(seed, 1, prevalent_wind=options.get("prevalent_wind"))
        self.agents = list(self.possible_agents)
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self._games.reset(source=source)
        self.infos = {agent: {} for agent in self.agents}
        self._observations = dict.fromkeys(self.agents, np.zeros_like(self._games.observations[0]))
        self._show()

    def observe(self, agent: str) -> dict | np.ndarray:
        """Returns the observation of an agent's last decision. Its mask is all zero if the agent is not to act."""
        self._check_reset()
        observation = self._observations[agent].copy()
        return {"observation": observation, "action_mask": self._mask(agent)} if self._has_dictionary else observation

    def step(self, action: int | None) -> None:
        """Answers the decision of the agent to act; after the game's end, removes that agent.

        action: legal action index 0..234; None after the game's end.
        Raises IllegalActionError: an illegal action. gymnasium.error.ResetNeeded: reset() was not called.
        """
        self._check_reset()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, (int, np.integer)):
            raise IllegalActionError("expected an action index 0..%d for %s, got %r", ACTION_COUNT - 1, agent, action)
        self._games.step([action])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._show()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the text of what the agent to act sees with render_mode="ansi", prints it with "human"."""
        if self.render_mode is None:
            return None
        self._check_reset()
        text = format_observation(self._games.shown.observations[0])
        return text if self.render_mode == "ansi" else print(text, end="")

    def close(self):
        """Does nothing; PettingZoo's test demands this method."""

    def _check_reset(self):
        """Raises gymnasium.error.ResetNeeded: reset() was not called, or all agents have left the game that is over."""
        if not self.agents:
            raise ResetNeeded("expected reset() before other methods of the environment: no agent is in a game")

    def _mask(self, agent):
        """Returns the legal actions of an agent, int8[235]; zeros if it is not to act."""
        is_selected = agent == self.agent_selection and not self.terminations[agent]
        return self._games.shown.masks[0].copy() if is_selected else np.zeros(ACTION_COUNT, np.int8)

    def _show(self):
        """Selects the agent of the current decision, or shows the scores if the game is over."""
        if not self._games.shown.ended[0]:
            self.agent_selection = self.possible_agents[self._games.shown.seats[0]]
            self._observations[self.agent_selection] = self._games.observations[0]
        else:
            self.rewards = dict(zip(self.agents, self._games.shown.rewards[0].tolist()))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        if not self._has_dictionary:
            self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}


# PettingZoo's name for an environment without a wrapper.
raw_env = MahjongEnv
