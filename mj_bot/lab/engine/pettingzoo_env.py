"""The engine as a PettingZoo AEC environment; needs the packages pettingzoo and gymnasium."""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from ...observation.layout import FULL_SIZE, OBSERVATION_SIZE
from .batch import Engine
from .sources import seed_source, wall_source


class MahjongEnv(AECEnv):
    """One game of four seats; agents "seat_0" (east) .. "seat_3".

    Observations: {"observation": uint8[OBSERVATION_SIZE], see observation/layout.py, "action_mask": int8[235]}; the
    mask is all zero for an agent without a pending decision. Actions: 0..234 of mahjong/action.py. Rewards: 0, at the
    end the judge's scores. An agent acts after its own draw or claim, and where it may do more than pass. Seats that
    answer the same discard act one after another, and do not see each other's answers.

    reset(seed=s) deals walls.wall_from_seed(s), without a seed a random wall. options: {"wall": list of 136 tile names,
    "prevalent_wind": 0..3}. state() is the full observation, uint8[FULL_SIZE], of the agent to act, for critics.
    """

    metadata = {"name": "mj_bot_v1", "render_modes": [], "is_parallelizable": False}

    def __init__(self):
        super().__init__()
        self.possible_agents = ["seat_%d" % seat for seat in range(4)]
        self.agents = []
        self.render_mode = None
        self.action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": spaces.Box(0, 255, (OBSERVATION_SIZE,), np.uint8),
                                "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8)})
            for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (FULL_SIZE,), np.uint8)
        self._engine = Engine(1)

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
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
        self.infos = {agent: {} for agent in self.agents}
        self._last_observations = np.zeros((4, OBSERVATION_SIZE), np.uint8)
        self._engine.reset(source)
        self._open_decisions()

    def observe(self, agent):
        seat = self.possible_agents.index(agent)
        rows = np.flatnonzero(self._engine.pending["seat"] == seat)
        if not len(rows):
            # No decision is pending: the seat keeps its last observation.
            return {"observation": self._last_observations[seat], "action_mask": np.zeros(ACTION_COUNT, np.int8)}
        mask = self._engine.mask()[rows[0]] & (rows[0] >= len(self._answers))
        return {"observation": self._observations[rows[0]].copy(), "action_mask": mask.astype(np.int8)}

    def state(self):
        """The full observation of the agent to act; zeros when the game is over."""
        if len(self._answers) == len(self._engine.pending):
            return np.zeros(FULL_SIZE, np.uint8)
        return self._engine.observations(full=True)[len(self._answers)]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        row = len(self._answers)
        mask = self._engine.mask()[row]
        if not isinstance(action, (int, np.integer)) or not 0 <= action < ACTION_COUNT or not mask[int(action)]:
            legal = np.flatnonzero(mask).tolist()
            raise IllegalActionError("expected one of %r for %s, got %r" % (legal, agent, action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._answers.append(int(action))
        if len(self._answers) < len(self._engine.pending):
            self._select_agent()
        else:
            self._engine.step(self._answers)
            self._open_decisions()
        self._accumulate_rewards()

    def render(self):
        """Nothing: games are shown by mj-bot referee."""

    def close(self):
        """Nothing to close; PettingZoo's test wants it next to render."""

    def _open_decisions(self):
        self._answers = []
        self._observations = self._engine.observations()
        for seat, observation in zip(self._engine.pending["seat"], self._observations):
            self._last_observations[seat] = observation
        if len(self._engine.pending):
            self._select_agent()
            return
        result = self._engine.finished[0]
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(result["score"][seat])
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _select_agent(self):
        self.agent_selection = self.possible_agents[self._engine.pending["seat"][len(self._answers)]]
