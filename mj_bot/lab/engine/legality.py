"""Functions of mj_bot/mahjong in compiled code: the very same ones, compiled. Compiled code alone can call them."""

from numba.extending import register_jitable

from ...mahjong import action, rules, splitmix
from .compile import jit_part

# Of can_chow, which calls it.
register_jitable(rules.is_chow)

can_chow = jit_part(rules.can_chow)
can_claim = jit_part(rules.can_claim)
can_declare_kong = jit_part(rules.can_declare_kong)
can_open_kong = jit_part(rules.can_open_kong)
can_pung = jit_part(rules.can_pung)
chow_index = jit_part(action.chow_index)
is_chow = jit_part(rules.is_chow)
is_fourth_tile = jit_part(rules.is_fourth_tile)
is_last_tile = jit_part(rules.is_last_tile)
mix = jit_part(splitmix.mix)
split_chow_index = jit_part(action.split_chow_index)
win_score = jit_part(rules.win_score)
