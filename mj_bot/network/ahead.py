"""Look-ahead: what each action leaves in the hand, as bytes a tile.

Source: the look-ahead features of Li et al. 2020, Suphx: steps to a ready hand and what it would count, without what
more distant hands are worth. An action is one of KINDS at a tile, a chow's middle one; "nothing" stands at every tile,
where nothing has to be discarded. LOOKS has a row of bytes for each kind:

    distance   1 where no other action leaves the hand nearer to ready, 2 where some action saves a step, and so on;
               0 where the hand does not allow it
    copies     unseen copies of the tiles that bring the hand nearer then
    wins       of a ready hand unseen copies of the tiles that win it with eight fan from any seat; of a hand one step
               from ready those of the tiles that make it ready for such a tile
    draws      of a ready hand the copies of the tiles that have eight fan only when they are drawn
    fan        of a ready hand the highest that it wins with; a tile that has eight fan from any seat counts as claimed

A claim is followed by a discard, one of those that leave the hand nearest; each number is the highest that one of them
leaves. Two more rows have the useful tiles of the actions that are nearest and have most copies, and at every tile the
shanten + 1 that they leave. mj_bot/lab/engine writes the same bytes.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.fan import MIN_FAN, count_fan
from ..mahjong.rules import can_chow, can_pung, is_fourth_tile
from ..mahjong.shanten import discard_table, useful_tiles
from ..mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES, list_tiles
from ..observation.layout import AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, PUNG, TURN, field

KINDS = ("discard", "pung", "chow of its lowest", "chow of its middle", "chow of its highest", "nothing")
DISCARD, PUNG_CLAIM, CHOW_CLAIM, NOTHING = 0, 1, 2, 5
LOOKS = ("distance", "copies", "wins", "draws", "fan")
USEFUL_ROW, SHANTEN_ROW = range(len(LOOKS) * len(KINDS), len(LOOKS) * len(KINDS) + 2)
ROWS = SHANTEN_ROW + 1
# The discarder from whom a chow may be claimed.
BEFORE = 3
# Bytes hold no more.
MOST_FAN = 255

_PACK_TYPES = {CHOW: "CHI", PUNG: "PENG"}

_Hand = namedtuple("_Hand", "counts pack shanten useful")
_Hand.__doc__ = "counts: list[34]. pack: its melds as MahjongGB takes them. shanten: int. useful: list of tiles."


def look_ahead(observations):
    """The rows of observations uint8[B, OBSERVATION_SIZE], uint8[B, ROWS, 34].

    Raises InvalidHandError: a hand of a wrong size.
    """
    return np.stack([_look(observation) for observation in observations])


def _look(observation):
    """The rows of one observation."""
    unseen = field(observation, "unseen").tolist()
    hands_left = _HandsLeft(observation, unseen)
    rows = np.zeros((ROWS, TILE_COUNT), np.uint8)
    found = []
    for kind, tile, hands in _list_actions(observation):
        nearest = min(hands, key=lambda left: (left.shanten, -_count(unseen, left.useful)))
        found.append((kind, tile, nearest.shanten, _count(unseen, nearest.useful), nearest.useful))
        of_kind = np.max([hands_left.find_wins(hand) for hand in hands if hand.shanten == nearest.shanten], axis=0)
        rows[kind + 2 * len(KINDS):USEFUL_ROW:len(KINDS), tile] = of_kind if kind != NOTHING else of_kind[:, None]
    nearest = min(distance for _, _, distance, _, _ in found)
    most = max(count for _, _, distance, count, _ in found if distance == nearest)
    for kind, tile, distance, count, useful in found:
        rows[kind, tile] = 1 + distance - nearest
        rows[kind + len(KINDS), tile] = count
        if (distance, count) == (nearest, most):
            rows[USEFUL_ROW, useful] = 1
    rows[SHANTEN_ROW] = nearest + 1
    return rows


def _count(unseen, tiles):
    return sum(unseen[tile] for tile in tiles)


class _HandsLeft(object):
    """Counts the wins of hands in one position; each ready hand is counted once."""

    def __init__(self, observation, unseen):
        self._unseen = unseen
        self._shown = [COPIES - out - held for out, held in zip(unseen, field(observation, "hand").tolist())]
        self._winds = int(observation[AT.seat_wind]), int(observation[AT.prevalent_wind])
        self._wins = {}

    def find_wins(self, hand):
        """[wins, draws, fan] of a hand."""
        if hand.shanten == 0:
            return self._find_ready(hand)
        wins = 0
        for drawn in hand.useful if hand.shanten == 1 else ():
            counts = [count + (tile == drawn) for tile, count in enumerate(hand.counts)]
            if self._unseen[drawn] and any(
                    self._find_ready(left)[0] for left in _list_discards(counts, hand.pack)
                    if left.shanten == 0 and left.counts[drawn] == counts[drawn]):
                wins += self._unseen[drawn]
        return [wins, 0, 0]

    def _find_ready(self, hand):
        key = bytes(hand.counts), hand.pack
        if key not in self._wins:
            wins, draws, most = 0, 0, 0
            names = tuple(list_tiles(hand.counts))
            for tile in hand.useful:
                for is_self_drawn in (False, True) if self._unseen[tile] else ():
                    fan = count_fan(hand.pack, names, TILE_NAMES[tile], 0, is_self_drawn,
                                    is_fourth_tile(self._shown, tile), False, False, *self._winds)
                    if fan >= MIN_FAN:
                        wins += 0 if is_self_drawn else self._unseen[tile]
                        draws += self._unseen[tile] if is_self_drawn else 0
                        most = max(most, fan)
                        break
            self._wins[key] = [wins, draws, min(most, MOST_FAN)]
        return self._wins[key]


def _list_actions(observation):
    """(place in KINDS, its tile, list of _Hand that it may leave) of each action."""
    hand = field(observation, "hand").tolist()
    pack = tuple([_make_pack(kind, tile) for kind, tile in zip(
        field(observation, "meld_kind")[0].tolist(), field(observation, "meld_tile")[0].tolist()) if kind])
    task = observation[AT.task]
    if task in (TURN, FOLLOW):
        for left in _list_discards(hand, pack):
            yield DISCARD, next(tile for tile in range(TILE_COUNT) if left.counts[tile] < hand[tile]), [left]
        return
    yield NOTHING, slice(None), [_Hand(hand, pack, *useful_tiles(hand, len(pack)))]
    if task == CLAIM:
        tile = int(observation[AT.last_tile])
        for kind, middle, meld, given in _list_claims(hand, tile, observation[AT.last_giver]):
            left = [count - given.count(part) for part, count in enumerate(hand)]
            yield kind, middle, _list_discards(left, pack + (_make_pack(meld, middle),))


def _make_pack(kind, tile):
    """A meld as MahjongGB takes it; which tile was claimed, and from whom, counts nothing."""
    return _PACK_TYPES.get(kind, "GANG"), TILE_NAMES[tile], int(kind != CONCEALED_KONG)


def _list_discards(hand, pack):
    """The hands that the discards leave, in the order of the tiles."""
    return [_Hand([count - (part == tile) for part, count in enumerate(hand)], pack, shanten, useful)
            for tile, (shanten, useful) in discard_table(hand, len(pack)).items()]


def _list_claims(hand, tile, giver):
    """(place in KINDS, its tile, kind of the meld, tiles given from the hand) of each claim that the hand allows."""
    if can_pung(hand, tile):
        yield PUNG_CLAIM, tile, PUNG, [tile, tile]
    if giver == BEFORE:
        for kind, middle in enumerate((tile + 1, tile, tile - 1), CHOW_CLAIM):
            if can_chow(hand, tile, middle):
                yield kind, middle, CHOW, [part for part in range(middle - 1, middle + 2) if part != tile]
