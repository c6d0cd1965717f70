"""What a ready hand is worth by the tiles that it may really win on, as MahjongGB counts them."""

from ..mahjong.fan import MIN_FAN, count_fan
from ..mahjong.rules import is_fourth_tile
from ..mahjong.shanten import shanten, useful_tiles
from ..mahjong.tile import TILE_COUNT, TILE_NAMES, list_tiles
from .chance import CLASS_OF, MAX_SHARE, base_share
from .constants import ARRIVALS
from .value import BASE_PAY


class Waits(object):
    """Counts the worth of ready hands in one position.

    state: GameState. parameters: parameters.Parameters.
    """

    def __init__(self, state, parameters):
        self._state = state
        self._sharpness = parameters.sharpness
        self._claims = parameters.win_claims
        self._unseen = state.unseen
        self._base = float(base_share(state.walls[state.my_pid], sum(self._unseen), parameters.horizon))

    def list_waits(self, counts, pack):
        """Tiles that win with eight fan: list of (tile, fan, is by self-draw alone); [] for a hand that is not ready.

        counts: list[34], 13 less 3 a meld. pack: its melds as MahjongGB takes them.
        """
        if shanten(counts, len(pack)) != 0:
            return []
        hand = tuple(list_tiles(counts))
        waits = []
        for tile in useful_tiles(counts, len(pack))[1]:
            for is_self_drawn in (False, True):
                fan = self._count(pack, hand, tile, is_self_drawn)
                if fan >= MIN_FAN:
                    waits.append((tile, fan, is_self_drawn))
                    break
        return waits

    def worth(self, counts, pack):
        """Sum over the waits of (chance * points) ** sharpness, as value.value_discards sums; 0 if not ready."""
        total = 0.0
        for tile, fan, is_self_drawn in self.list_waits(counts, pack):
            drawn, before, others = (self._base * arrival for arrival in ARRIVALS[CLASS_OF[tile]])
            share = drawn if is_self_drawn else drawn + self._claims * (before + others)
            chance = 1 - (1 - min(MAX_SHARE, share)) ** self._unseen[tile]
            total += (chance * (BASE_PAY + fan)) ** self._sharpness
        return total

    def next_draw(self, counts, pack):
        """What a hand one tile short of ready is worth by what its next draw makes of it, in points.

        Sum over the tiles that make it ready of their chances times the worth of the best ready hand; 0 where none has
        a wait of eight fan.
        """
        held = list(counts)
        total = 0.0
        for tile in useful_tiles(held, len(pack))[1]:
            if self._unseen[tile]:
                held[tile] += 1
                best = max(self._worth_without(held, pack, discard) for discard in range(TILE_COUNT) if held[discard])
                held[tile] -= 1
                share = min(MAX_SHARE, self._base * ARRIVALS[CLASS_OF[tile]][0])
                total += (1 - (1 - share) ** self._unseen[tile]) * best ** (1 / self._sharpness)
        return total

    def _worth_without(self, counts, pack, discard):
        counts[discard] -= 1
        worth = self.worth(counts, pack)
        counts[discard] += 1
        return worth

    def _count(self, pack, hand, tile, is_self_drawn):
        state = self._state
        # Flowers do not count towards the eight.
        return count_fan(pack, hand, TILE_NAMES[tile], 0, is_self_drawn,
                         is_fourth_tile(state.shown, tile), False, False, state.my_pid, state.prevalent_wind)
