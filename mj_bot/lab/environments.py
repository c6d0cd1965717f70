"""Registers the environments at Gymnasium: gymnasium.make("mj_bot.lab.environments:mj_bot/Mahjong-v1").

A program that imports this module may leave it out of the name: gymnasium.make("mj_bot/Mahjong-v1"). docs/engine.md
describes the environments.
"""

from gymnasium.envs.registration import register

register("mj_bot/Mahjong-v1", entry_point="mj_bot.lab.engine.seat_env:MahjongSeatEnv",
         vector_entry_point="mj_bot.lab.engine.seat_env:MahjongSeatVectorEnv")
register("mj_bot/MahjongSelfPlay-v1", vector_entry_point="mj_bot.lab.engine.vector_env:MahjongVectorEnv")
