"""Registers the environments at Gymnasium: gymnasium.make("mj_bot.lab.environments:mj_bot/Mahjong-v1").

After `import mj_bot.lab.environments` the names work without the module. docs/engine.md is the page about them.
"""

from gymnasium.envs.registration import register

register("mj_bot/Mahjong-v1", entry_point="mj_bot.lab.engine.seat_env:MahjongSeatEnv",
         vector_entry_point="mj_bot.lab.engine.seat_env:MahjongSeatVectorEnv")
register("mj_bot/MahjongSelfPlay-v1", vector_entry_point="mj_bot.lab.engine.vector_env:MahjongVectorEnv")
