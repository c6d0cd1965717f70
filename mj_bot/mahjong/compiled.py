"""Lets compiled code call some plain functions of this package, and counts bits."""

from ..jit import jit_part, jitable
from .action import chow_index, split_chow_index
from .rules import (can_chow, can_claim, can_declare_kong, can_open_kong, can_pung, is_chow, is_fourth_tile,
                    is_last_tile, share_wall, win_score)
from .splitmix import mix

for _function in (can_chow, can_claim, can_declare_kong, can_open_kong, can_pung, chow_index, is_chow, is_fourth_tile,
                  is_last_tile, mix, share_wall, split_chow_index, win_score):
    jitable(_function)


@jit_part
def bit_count(bits: int) -> int:
    """Returns the number of bits set in an int64. The compiler turns this form into one instruction."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 255
