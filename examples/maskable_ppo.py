"""MaskablePPO of sb3-contrib learns one seat against given opponents. Needs `pip install sb3-contrib`.

    python examples/maskable_ppo.py --steps 200000 --opponents random

It prints the points a game before and after, on walls that training has not seen. The network's input is the planes
of `cnn`, which contain the distance to a ready hand after each action.
"""

import argparse

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

ID = "mj_bot.lab.environments:mj_bot/Mahjong-v1"
TEST_WALL = 1_000_000_000  # training draws its walls at random from 2 ** 62


def measure(model, opponents, games):
    """Returns the mean points of the first game of each of many walls, and half of their 95% interval."""
    env = gymnasium.make_vec(ID, num_envs=games, opponents=opponents, observation="planes")
    observations, infos = env.reset(seed=TEST_WALL)
    points = np.full(games, np.nan)
    while np.isnan(points).any():
        actions, _ = model.predict(observations, action_masks=infos["action_mask"], deterministic=True)
        observations, rewards, ended, _, infos = env.step(actions)
        ended &= np.isnan(points)
        points[ended] = rewards[ended]
    return points.mean(), 1.96 * points.std() / games ** 0.5


def main():
    parser = argparse.ArgumentParser(description="Trains MaskablePPO on one seat.")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of the seat (%(default)s)")
    parser.add_argument("--opponents", default="random", help="a player of the arena (%(default)s)")
    parser.add_argument("--games", type=int, default=1000, help="of each test (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (%(default)s)")
    parser.add_argument("--output", default="build/maskable_ppo.zip", help="file of the weights (%(default)s)")
    options = parser.parse_args()
    env = make_vec_env(ID, n_envs=8, seed=options.seed, env_kwargs={
        "opponents": options.opponents, "observation": "planes", "render_mode": None})
    model = MaskablePPO("MlpPolicy", env, n_steps=min(256, -(-options.steps // 8)), batch_size=512, gamma=1.0,
                        seed=options.seed)
    print("before: %+.2f points a game (+-%.2f)" % measure(model, options.opponents, options.games), flush=True)
    model.learn(options.steps)
    model.save(options.output)
    print("after %d decisions: %+.2f points a game (+-%.2f)" % (
        model.num_timesteps, *measure(model, options.opponents, options.games)))


if __name__ == "__main__":
    main()
