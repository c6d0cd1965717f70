"""The patterns of one hand after another: their values, and how near they are."""

import numpy as np

from ...jit import IS_COMPILED, jit, jit_part
from ...mahjong.tile import TILE_COUNT
from ...observation.encoder import meld_kind
from ...observation.fan_memo import FanMemo
from ...observation.openings import make_openings
from .chow import value_chow_patterns
from .group import value_group_patterns
from .irregular import value_irregular_patterns
from .scratch import ALL, FAR, make_parts, make_scratch, set_hand
from .tables import PATTERNS, RULED_OUT
from .value import combine

# Patterns more than this beyond the nearest are skipped.
MOST_BEYOND = 2500
_FANS_KEPT = 1 << 19


@jit_part
def value_hand(scratch, parts, memo, openings, number):
    """Writes the values of all patterns of the hand after an opening, see observation/openings.py."""
    set_hand(scratch, parts[ALL], openings, number)
    limit = min(RULED_OUT - 1, value_chow_patterns(scratch, parts, memo) + MOST_BEYOND)
    value_group_patterns(scratch, parts, memo, limit)
    value_irregular_patterns(scratch, parts, memo, limit)


class HandValues(object):
    """Memory for the valuation of hands by one thread. scratch, parts, fans, openings: to work in."""

    def __init__(self):
        self.scratch = make_scratch()
        self.parts = make_parts()
        self.fans = FanMemo(_FANS_KEPT)
        self.openings = make_openings()
        self._fields = self.scratch.view(np.recarray)[0] if IS_COMPILED else self.scratch[0]

    def list_values(self, counts, melds, unseen, *, winds=(0, 0), discards=(None,)):
        """The value of a hand after each of `discards`, rising tiles 0..33; (None,) for the hand itself.

        counts: concealed tiles by kind, with those to discard. melds: list of Meld. unseen: copies that may still come.
        winds: the seat wind and the prevalent wind, 0..3.
        Returns list of (value of the state, its list of (value, pattern), the best first); see value.py.
        """
        bits = sum(1 << tile for tile in discards if tile is not None)
        self._value(counts, melds, unseen, winds=winds, discards=bits)
        fields, values = self._fields, []
        for number in range(len(discards)):
            of_patterns = [(int(by_discard[number]), pattern) for pattern, by_discard in zip(PATTERNS, fields.values)]
            values.append((combine(fields.values, number), sorted(value for value in of_patterns if value[0] != FAR)))
        return values

    def list_nearest(self, counts, melds, unseen, *, winds=(0, 0)):
        """Distance to each pattern that wins with 8 fan on a discard.

        counts, melds, unseen, winds: as of list_values.
        Returns list of (pattern, missing tiles of its nearest targets, list of all tiles missing in any of these).
        """
        self._fields.is_noting = 1
        self._value(counts, melds, unseen, winds=winds, discards=0)
        self._fields.is_noting = 0
        return [(pattern, int(missing), [tile for tile in range(TILE_COUNT) if tiles >> tile & 1])
                for pattern, missing, tiles in zip(PATTERNS, self._fields.nearest, self._fields.nearest_tiles)
                if missing != FAR]

    def _value(self, counts, melds, unseen, *, winds, discards):
        openings = self.openings
        openings.counts[0], openings.unseen[:], openings.discards[0] = counts, unseen, discards
        openings.meld_count[0] = len(melds)
        for place, meld in enumerate(melds):
            openings.melds[0, place] = meld_kind(meld), meld.tile
        self._fields.seat_wind, self._fields.prevalent_wind = winds
        while _value_first(self.scratch, self.parts, self.fans.memo, openings):
            self.fans.answer_notes()


@jit
def _value_first(scratches, parts, memo, openings):
    """Values the hand of the first opening; returns whether MahjongGB must count targets first."""
    scratch = scratches[0]
    scratch.is_uncounted = 0
    value_hand(scratch, parts, memo, openings, 0)
    return scratch.is_uncounted
