"""Counts the fans of a winning hand as the official judge counts them. Only this module imports MahjongGB.

Older versions of MahjongGB return (points of all copies, name), later ones (points of one, copies, name, English name).
Both are understood. Without MahjongGB no hand wins; IS_AVAILABLE tells whether it is installed.
"""

from collections import namedtuple
from functools import lru_cache
from typing import List, Sequence, Tuple

from .tile import KNITTED_STRAIGHTS, TILE_NAMES, list_tiles

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None

IS_AVAILABLE = MahjongFanCalculator is not None
MIN_FAN = 8

_KNITTED_STRAIGHT = "组合龙"
_WAITS = ("边张", "嵌张", "单钓将")
# Later versions of MahjongGB name the waits otherwise than the judge.
_JUDGE_NAMES = {"独听・边张": "边张", "独听・嵌张": "嵌张", "独听・单钓": "单钓将"}
_KNITTED_SETS = tuple(frozenset(TILE_NAMES[tile] for tile in straight) for straight in KNITTED_STRAIGHTS)


class WinFacts(namedtuple("WinFacts", "n_flowers is_self_drawn is_fourth_tile is_about_kong is_last_tile seat_wind"
                                      " prevalent_wind")):
    """Keeps what the fans of a win depend on besides its tiles, in the order of MahjongGB's arguments.

    n_flowers: flowers that the winner has set aside; each counts one fan.
    is_self_drawn: whether the winner drew the winning tile.
    is_fourth_tile: whether everybody sees the three other copies of the winning tile.
    is_about_kong: whether the winning tile replaces a tile of a kong or robs an added kong.
    is_last_tile: whether the winning tile is the last of its wall.
    seat_wind, prevalent_wind: 0..3, east south west north.
    """

    __slots__ = ()


WinFacts.__new__.__defaults__ = (0, False, False, False, False, 0, 0)


def _detect_verbose():
    """Returns (True,) where MahjongGB has a last argument that makes it count copies one by one, else ()."""
    hand = tuple("W%d" % rank for rank in range(1, 10)) + ("T1", "T1", "T1", "T2")
    try:
        MahjongFanCalculator((), hand, "T2", 0, True, False, False, False, 0, 0, True)
    except TypeError:
        return ()
    return (True,)


_VERBOSE = _detect_verbose() if IS_AVAILABLE else ()


def list_fans(pack: Tuple, hand: Tuple[str, ...], win_tile: str, facts: WinFacts) -> List[Tuple[int, int, str]]:
    """Returns the fans of a hand with its winning tile, (points of one, copies, Chinese name) each; [] if it is no win.

    pack: tuple of (type, tile name, offer) of each meld, see Meld.as_pack. win_tile: name of the winning tile.
    hand: names of the concealed tiles without the winning tile, 13 less 3 for each meld.
    Source: MahjongGB, corrected where it differs from the judge (tests/mahjong/test_fan.py).
    """
    try:
        fans = MahjongFanCalculator(pack, hand, win_tile, *(facts + _VERBOSE))
    except TypeError:
        return []
    fans = [_read_fan(fan) for fan in fans]
    if any(name == _KNITTED_STRAIGHT for _, _, name in fans):
        return _without_knitted_wait(fans, hand, win_tile)
    return fans


def list_win_fans(pack: Tuple, counts: Sequence[int], win_tile: int, facts: WinFacts) -> List[Tuple[int, int, str]]:
    """Returns the fans of a hand given by counts, as list_fans does.

    counts: list[34], the concealed tiles. A self-drawn winning tile is among them, a claimed one is not.
    """
    if facts.is_self_drawn:
        counts = list(counts)
        counts[win_tile] -= 1
    return list_fans(pack, _name_hand(bytes(counts)), TILE_NAMES[win_tile], facts)


@lru_cache(maxsize=64)
def _name_hand(counts):
    """Returns a hand as a tuple of tile names. counts: bytes[34], which the cache can hash."""
    return tuple(list_tiles(counts))


def _read_fan(fan):
    """Returns (points of one, copies, the judge's name) of a fan that any version of MahjongGB counted."""
    points, copies, name = fan[:3] if len(fan) == 4 else (fan[0], 1, fan[1])
    return points, copies, _JUDGE_NAMES.get(name, name)


def count_fan(pack: Tuple, hand: Tuple[str, ...], win_tile: str, facts: WinFacts) -> int:
    """Returns the sum of the fans that list_fans would return, 0 where the hand does not win.

    This is faster than to list the fans and to sum them.
    """
    try:
        fans = MahjongFanCalculator(pack, hand, win_tile, *facts)  # A sum does not need the copies one by one.
    except TypeError:
        return 0
    if any([_KNITTED_STRAIGHT in fan for fan in fans]):
        return sum_fans(list_fans(pack, hand, win_tile, facts))
    return sum([fan[0] if len(fan) == 2 else fan[0] * fan[1] for fan in fans])


def sum_fans(fans: List[Tuple[int, int, str]]) -> int:
    """Returns the points of all fans together. fans: list of (points of one, copies, name)."""
    return sum([points * copies for points, copies, _ in fans])


def _without_knitted_wait(fans, hand, win_tile):
    """Returns the fans of a knitted straight without waits that only MahjongGB since 1.2.0 counts."""
    # The judge counts no wait if the winning tile may belong to the knitted straight.
    tiles = set(hand + (win_tile,))
    if any(win_tile in knitted and knitted <= tiles for knitted in _KNITTED_SETS):
        return [fan for fan in fans if fan[2] not in _WAITS]
    return fans
