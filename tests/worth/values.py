"""Hands valued by themselves, for the tests of mj_bot/worth."""

from collections import namedtuple
from functools import lru_cache

import numpy as np

from mj_bot.jit import jit
from mj_bot.mahjong.shanten_tables import load_missing, make_scratch
from mj_bot.observation.encoder import meld_kind
from mj_bot.observation.fan_memo import FanMemo
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, PUNG
from mj_bot.observation.openings import make_openings
from mj_bot.worth import valuer, waits
from mj_bot.worth.settings import make_settings

CHOW_MELD, PUNG_MELD = 0, 1
Hand = namedtuple("Hand", "counts melds unseen draws valued is_concealed")
Hand.__doc__ = """counts, unseen: sequences of 34 ints.

melds: list of (CHOW_MELD, middle tile) or (PUNG_MELD, tile). draws: tiles left in the own wall. valued: set of the
honours 0..6 whose pung counts two fan. is_concealed: whether its pungs are concealed kongs; it has no chows then.
"""


@lru_cache(maxsize=4)
def make_valuer(parameters):
    return valuer.Valuer(parameters)


def value_hand(hand, parameters, tiles=(), change=0):
    """(float64[13], float64[len(tiles)]), of valuer.Valuer.value_hand."""
    pung = CONCEALED_KONG if hand.is_concealed else PUNG
    melds = [(CHOW if kind == CHOW_MELD else pung, tile) for kind, tile in hand.melds]
    return make_valuer(parameters).value_hand(
        valuer.Hand(hand.counts, melds, hand.unseen, hand.draws, hand.valued), list(tiles), change)


def change_hand(hand, tile, change):
    """The Hand with a tile less (-1) or one that was drawn (1)."""
    counts, unseen = list(hand.counts), list(hand.unseen)
    counts[tile] += change
    unseen[tile] -= max(0, change)
    return hand._replace(counts=counts, unseen=unseen)


@jit
def _run_waits(settings, counting, openings, place, found):
    found[0] = waits.value_waits(counting, settings, openings, 0, place)
    found[1] = waits.value_next_draw(counting, settings, openings, 0, place)


class Waits(object):
    """Hands in the position of a GameState."""

    def __init__(self, state, parameters):
        self._state = state
        self._settings = make_settings(parameters)
        self._fans = FanMemo(1 << 12)

    def worth(self, counts):
        return self._value(counts)[0]

    def next_draw(self, counts):
        return self._value(counts)[1]

    def _value(self, counts):
        state, openings = self._state, make_openings()
        openings.counts[0], openings.unseen[:], openings.shown[:] = counts, state.unseen, state.shown
        for place, meld in enumerate(state.players[state.my_pid].melds):
            openings.melds[0, place] = meld_kind(meld), meld.tile
            openings.meld_count[0] = place + 1
        counting = waits.Counting(load_missing(), make_scratch(), self._fans.memo)
        found = np.full(2, waits.NOT_COUNTED)
        place = state.my_pid, state.prevalent_wind, state.walls[state.my_pid]
        while (found == waits.NOT_COUNTED).any():
            _run_waits(self._settings, counting, openings, place, found)
            self._fans.answer_notes()
        return found.tolist()
