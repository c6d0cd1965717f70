"""Lets compiled code call some plain functions of this package, and counts bits."""

from ..jit import jit_part, jitable
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
share_wall = jitable(rules.share_wall)
split_chow_index = jitable(action.split_chow_index)
win_score = jitable(rules.win_score)


@jit_part
def bit_count(bits: int) -> int:
    """Returns the number of bits set in an int64. The compiler turns this form into one instruction."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 255
