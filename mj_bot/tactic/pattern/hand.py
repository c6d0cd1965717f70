"""The patterns of one hand after another: their values, and how near they are."""

import numpy as np

from ...jit import IS_COMPILED, jit, jit_part
from ...mahjong.rules import MAX_SETS
from ...mahjong.tile import TILE_COUNT
from ...observation.encoder import meld_kind
from ...observation.fan_memo import FanMemo
from .chow import value_chow_patterns
from .group import value_group_patterns
from .irregular import value_irregular_patterns
from .scratch import ALL, FAR, make_parts, make_scratch, set_hand
from .tables import PATTERNS, RULED_OUT, make_table
from .value import combine

# Patterns further above the nearest one are not looked at.
MOST_BEYOND = 2500
# The interpreter asks MahjongGB at once.
_FANS_KEPT = 1 << 19 if IS_COMPILED else 1


@jit_part
def value_hand(scratch, parts, memo):
    """Writes the values of all patterns of the hand in the scratch."""
    limit = min(RULED_OUT - 1, value_chow_patterns(scratch, parts, memo) + MOST_BEYOND)
    value_group_patterns(scratch, parts, memo, limit)
    value_irregular_patterns(scratch, parts, memo, limit)


class HandValues(object):
    """The memory to value hands in, for one thread: scratch and parts as scratch.py has them, fans a FanMemo."""

    def __init__(self):
        self.scratch = make_scratch()
        self.parts = make_parts()
        self.fans = FanMemo(_FANS_KEPT)
        self._fields = self.scratch.view(np.recarray)[0] if IS_COMPILED else self.scratch[0]

    def list_values(self, counts, melds, unseen, winds=(0, 0), discards=(None,)):
        """The value of a hand after each of some discards, rising tiles 0..33; (None,) for the hand as it is.

        counts: concealed tiles by kind, with those to discard. melds: list of Meld. unseen: copies that may still come.
        winds: the seat wind and the prevalent wind, 0..3.
        Returns list of (value of the state, its list of (value, pattern), the best first); see value.py.
        """
        self._value(counts, melds, unseen, winds, sum(1 << tile for tile in discards if tile is not None), False)
        fields, values = self._fields, []
        for slot in range(len(discards)):
            of_patterns = [(int(by_slot[slot]), pattern) for pattern, by_slot in zip(PATTERNS, fields.values)]
            values.append((combine(fields.values, slot), sorted(value for value in of_patterns if value[0] != FAR)))
        return values

    def list_nearest(self, counts, melds, unseen, *, winds=(0, 0)):
        """How near the patterns are that win with 8 fan on a discard.

        counts, melds, unseen, winds: as of list_values.
        Returns list of (pattern, missing tiles of its nearest targets, list of all tiles missing in any of these).
        """
        self._value(counts, melds, unseen, winds, 0, True)
        return [(pattern, int(missing), [tile for tile in range(TILE_COUNT) if tiles >> tile & 1])
                for pattern, missing, tiles in zip(PATTERNS, self._fields.nearest, self._fields.nearest_tiles)
                if missing != FAR]

    def _value(self, counts, melds, unseen, winds, discards, is_noting):
        counts, unseen = make_table(list(counts)), make_table(list(unseen))
        kinds = make_table([[meld_kind(meld), meld.tile] for meld in melds] + [[0, 0]] * (MAX_SETS - len(melds)))
        while _value(self.scratch, self.parts, self.fans.memo, counts, unseen, kinds, len(melds), winds, discards,
                     is_noting):
            self.fans.answer_notes()


@jit
def _value(scratches, parts, memo, counts, unseen, melds, meld_count, winds, discards, is_noting):
    """Values a hand; returns whether MahjongGB must count targets first."""
    scratch = scratches[0]
    scratch.seat_wind, scratch.prevalent_wind = winds
    scratch.is_noting = is_noting
    scratch.is_uncounted = 0
    set_hand(scratch, parts[ALL], counts, unseen, melds, meld_count, discards)
    value_hand(scratch, parts, memo)
    scratch.is_noting = 0
    return scratch.is_uncounted
