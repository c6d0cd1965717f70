"""The functions of this room that compiled code calls too: they stay plain Python, and numba knows them."""

from ..jit import jitable
from . import action, rules, splitmix

is_chow = jitable(rules.is_chow)
can_chow = jitable(rules.can_chow)
can_claim = jitable(rules.can_claim)
can_declare_kong = jitable(rules.can_declare_kong)
can_open_kong = jitable(rules.can_open_kong)
can_pung = jitable(rules.can_pung)
chow_index = jitable(action.chow_index)
is_fourth_tile = jitable(rules.is_fourth_tile)
is_last_tile = jitable(rules.is_last_tile)
mix = jitable(splitmix.mix)
split_chow_index = jitable(action.split_chow_index)
win_score = jitable(rules.win_score)
