"""Fans of a winning hand, as the official judge counts them: the only module that imports MahjongGB.

Versions of MahjongGB give (points of all copies, name) or (points of one, copies, name, English name); both are read.
Where MahjongGB is not installed no hand wins, and IS_AVAILABLE says so.
"""

from functools import lru_cache

from .rules import is_fourth_tile, is_last_tile
from .tile import KNITTED_STRAIGHTS, TILE_NAMES, list_tiles

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None

IS_AVAILABLE = MahjongFanCalculator is not None
MIN_FAN = 8

_KNITTED_STRAIGHT = "组合龙"
_WAITS = ("边张", "嵌张", "单钓将")
# Names of the waits in later versions of MahjongGB.
_JUDGE_NAMES = {"独听・边张": "边张", "独听・嵌张": "嵌张", "独听・单钓": "单钓将"}
_KNITTED_SETS = tuple(frozenset(TILE_NAMES[tile] for tile in straight) for straight in KNITTED_STRAIGHTS)


def _detect_verbose():
    """Returns (True,) where MahjongGB has a last argument for counting copies one by one, else ()."""
    hand = tuple("W%d" % rank for rank in range(1, 10)) + ("T1", "T1", "T1", "T2")
    try:
        MahjongFanCalculator((), hand, "T2", 0, True, False, False, False, 0, 0, True)
    except TypeError:
        return ()
    return (True,)


_VERBOSE = _detect_verbose() if IS_AVAILABLE else ()


def list_fans(pack, hand, win_tile, n_flowers, is_self_drawn, is_fourth_tile, is_about_kong, is_last_tile, seat_wind,
              prevalent_wind):
    """Returns the fans of a hand with its winning tile, a list of (points of one, copies, Chinese name).

    The list is empty where the hand does not win.
    pack: tuple of (type, tile name, offer) for each meld, as Meld.as_pack returns it.
    hand: tuple of concealed tile names without the winning tile, 13 less 3 for each meld.
    win_tile: tile name. The flags are bools. seat_wind, prevalent_wind: 0..3, east south west north.
    Source: MahjongGB, corrected where it differs from the judge (tests/mahjong/test_fan.py).
    """
    try:
        fans = MahjongFanCalculator(pack, hand, win_tile, n_flowers, is_self_drawn, is_fourth_tile, is_about_kong,
                                    is_last_tile, seat_wind, prevalent_wind, *_VERBOSE)
    except TypeError:
        return []
    fans = [_read_fan(fan) for fan in fans]
    if any(name == _KNITTED_STRAIGHT for _, _, name in fans):
        return _without_knitted_wait(fans, hand, win_tile)
    return fans


def list_win_fans(counts, pack, seat, *, win_tile, is_self_drawn, is_about_kong, shown, walls, turn, prevalent_wind,
                  n_flowers=0):
    """Returns the fans of a seat's hand if it wins on a tile now, a list of (points of one, copies, Chinese name).

    The list is empty where the hand does not win.
    counts: list[34], the concealed tiles; a self-drawn winning tile is among them.
    pack: tuple of (type, tile name, offer) for each meld, as Meld.as_pack returns it.
    win_tile: 0..33. shown: list[34], the copies that count for the fourth tile, as rules.is_fourth_tile describes them.
    walls: list[4], tiles left in each wall. turn: the seat that drew or discarded the tile.
    """
    if is_self_drawn:
        counts = list(counts)
        counts[win_tile] -= 1
    return list_fans(
        pack, _name_hand(bytes(counts)), TILE_NAMES[win_tile], n_flowers, is_self_drawn,
        is_fourth_tile(shown, win_tile), is_about_kong, is_last_tile(walls, turn), seat, prevalent_wind)


@lru_cache(maxsize=64)
def _name_hand(counts):
    """Returns a hand as the tuple of tile names that MahjongGB takes. counts: bytes[34], which the cache can hash."""
    return tuple(list_tiles(counts))


def _read_fan(fan):
    """Returns (points of one, copies, the judge's name) of a fan in either form of MahjongGB."""
    points, copies, name = fan[:3] if len(fan) == 4 else (fan[0], 1, fan[1])
    return points, copies, _JUDGE_NAMES.get(name, name)


def count_fan(*arguments):
    """Returns the sum of the fans that list_fans lists for these arguments; 0 where the hand does not win."""
    try:
        fans = MahjongFanCalculator(*arguments)  # copies need not be counted one by one here
    except TypeError:
        return 0
    if any([_KNITTED_STRAIGHT in fan for fan in fans]):
        return sum_fans(list_fans(*arguments))
    return sum([fan[0] if len(fan) == 2 else fan[0] * fan[1] for fan in fans])


def sum_fans(fans):
    """Returns the fan of a hand. fans: list of (points of one, copies, name)."""
    return sum([points * copies for points, copies, _ in fans])


def _without_knitted_wait(fans, hand, win_tile):
    """Returns the fans of a knitted straight without a wait, where the judge counts none.

    The judge counts no wait if the winning tile may belong to the knitted straight. MahjongGB since 1.2.0 counts one.
    """
    tiles = set(hand + (win_tile,))
    if any(win_tile in knitted and knitted <= tiles for knitted in _KNITTED_SETS):
        return [fan for fan in fans if fan[2] not in _WAITS]
    return fans
