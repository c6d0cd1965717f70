"""Offers the engine's games as environments of Gymnasium and PettingZoo; docs/engine.md describes them for users.

Importing this room registers gymnasium.make("mj_bot/Mahjong-v1") and gymnasium.make_vec("mj_bot/MahjongSelfPlay-v1").
With the room in the name, such as gymnasium.make("mj_bot.lab.environments:mj_bot/Mahjong-v1"), Gymnasium imports it.
core.py plays the games of all environments, gymnasium_envs.py and pettingzoo_env.py show them in each library's form.
"""

from gymnasium.envs.registration import register

register("mj_bot/Mahjong-v1", entry_point="mj_bot.lab.environments.gymnasium_envs:MahjongSeatEnv",
         vector_entry_point="mj_bot.lab.environments.gymnasium_envs:MahjongSeatVectorEnv")
register("mj_bot/MahjongSelfPlay-v1", vector_entry_point="mj_bot.lab.environments.gymnasium_envs:MahjongVectorEnv")
