"""Hands valued by themselves, for the tests of mj_bot/worth."""

from functools import lru_cache

import numpy as np

from mj_bot.jit import jit
from mj_bot.mahjong.shanten_tables import load_missing, make_scratch
from mj_bot.observation.encoder import meld_kind
from mj_bot.observation.fan_memo import FanMemo
from mj_bot.observation.layout import CHOW, PUNG
from mj_bot.observation.openings import make_openings
from mj_bot.worth import waits
from mj_bot.worth.patterns import PATTERNS
from mj_bot.worth.settings import make_settings
from mj_bot.worth.valuer import Valuer

make_valuer = lru_cache(maxsize=4)(Valuer)


def meld_of(one, pung=PUNG):
    """A set as a meld of a Hand; pung: the kind of those that are no chow."""
    return (CHOW if one[0] < one[1] else pung), one[1]


def value_whole(hand, parameters):
    """Worth by pattern of a hand as it is."""
    return dict(zip(PATTERNS, make_valuer(parameters).value_hand(hand, [], 0)[0]))


def change_hand(hand, tile, change):
    """The Hand with a tile less (-1) or one that was drawn (1)."""
    counts, unseen = list(hand.counts), list(hand.unseen)
    counts[tile] += change
    unseen[tile] -= max(0, change)
    return hand._replace(counts=counts, unseen=unseen)


@jit
def _run_waits(settings, counting, openings, seat, values):
    values[0] = waits.value_waits(counting, settings, openings, 0, seat)
    values[1] = waits.value_next_draw(counting, settings, openings, 0, seat)


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
        values = np.full(2, waits.NOT_COUNTED)
        seat = waits.Seat(state.my_pid, state.prevalent_wind, state.walls[state.my_pid])
        while (values == waits.NOT_COUNTED).any():
            _run_waits(self._settings, counting, openings, seat, values)
            self._fans.answer_notes()
        return values.tolist()
