"""The rules of mj_bot/mahjong in compiled code: the very same functions, compiled."""

from ...mahjong import action, rules
from .compile import jit_part

can_claim = jit_part(rules.can_claim)
can_declare_kong = jit_part(rules.can_declare_kong)
can_open_kong = jit_part(rules.can_open_kong)
can_pung = jit_part(rules.can_pung)
chow_index = jit_part(action.chow_index)
is_fourth_tile = jit_part(rules.is_fourth_tile)
is_last_tile = jit_part(rules.is_last_tile)
split_chow_index = jit_part(action.split_chow_index)
