"""Counts the fans of a win by the rules of those who count otherwise than Botzone's judge.

botzone     The judge's rules, which mahjong/fan.py counts.
mil         The Mahjong International League counts one fan for a wait inside a knitted straight. salasasa and newer
            calculators do so too.
green-book  The English rule book of 1998 counts 6 fan for one concealed and one melded kong. Others count 5.

A third difference is listed, but belongs to no rule set here, because it is not certain who counts so. Where the hand
has all copies of a second tile that would complete it too, some count the wait on the other tile as an only wait, which
is one fan.
"""

from collections import Counter
from typing import NamedTuple

from ...mahjong import fan
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT, TILE_INDEX

RULE_SETS = ("botzone", "mil", "green-book")
_KNITTED_STRAIGHT, _MIXED_KONGS, _GREEN_BOOK_POINTS = "组合龙", "明暗杠", 6
_WAITS = {"边张": "边张", "嵌张": "嵌张", "单钓": "单钓将", "单钓将": "单钓将"}
# Hands with one of these fans get nothing for another wait: the fan is a wait, or its hand always waits on a pair.
_WITH_WAIT = {"四杠", "全求人", "七对", "连七对", "一色双龙会", *_WAITS.values()}


class Win(NamedTuple):
    """Keeps the arguments of mahjong.fan.list_fans."""

    pack: tuple  # (type, tile name, offer) of each meld
    hand: tuple  # names of the concealed tiles without the winning tile
    tile: str  # name of the winning tile
    facts: fan.WinFacts  # without flowers


def count_by_rules(rule_set: str, win: Win) -> list[tuple]:
    """Returns the fans of a win by one of RULE_SETS: a list of (points, copies, name), empty if it is no win."""
    fans = fan.list_fans(*win)
    if rule_set == "mil":
        return fans + _list_knitted_waits(fans, win)
    if rule_set == "green-book":
        return [(_GREEN_BOOK_POINTS if name == _MIXED_KONGS else points, copies, name) for points, copies, name in fans]
    return fans


def list_differences(rule_set: str, win: Win) -> list[tuple]:
    """Returns a list of (reason, sum of fans without flowers) of rules that count a win otherwise than a rule set.

    A reason is "knitted_wait", "mixed_kongs" or "exhausted_wait". The list is empty if the hand does not win.
    """
    fans = count_by_rules(rule_set, win)
    if not fans:
        return []
    sums = {name: fan.sum_fans(count_by_rules(name, win)) for name in RULE_SETS}
    differences = [(reason, sums["botzone" if rule_set == other else other])
                   for other, reason in (("mil", "knitted_wait"), ("green-book", "mixed_kongs"))
                   if sums[other] != sums["botzone"]]
    if not _WITH_WAIT.intersection(name for _, _, name in fans) and _is_only_wait_left(*win[:3]):
        differences.append(("exhausted_wait", fan.sum_fans(fans) + 1))
    return differences


def _list_knitted_waits(fans, win):
    """Returns the wait that MahjongGB counts in a knitted straight, and the judge's `fans` do not."""
    if _KNITTED_STRAIGHT not in [name for _, _, name in fans]:
        return []
    counted = fan.MahjongFanCalculator(*win[:3], *win.facts)
    names = {_WAITS.get(name.split("・")[-1]) for entry in counted for name in entry if isinstance(name, str)}
    return [(1, 1, name) for name in sorted(names - {None} - {name for _, _, name in fans})]


def _is_only_wait_left(pack, hand, win_tile):
    """Checks whether the hand has all copies of its other waits, and the winning tile can be an only wait."""
    held, win = Counter(TILE_INDEX[name] for name in hand), TILE_INDEX[win_tile]
    melded = Counter(TILE_INDEX[name] + step for form, name, _ in pack for step in (
        (-1, 0, 1) if form == "CHI" else (0,) * (4 if form == "GANG" else 3)))
    others = [tile for tile in range(TILE_COUNT) if tile != win and _is_complete(held + Counter([tile]))]
    is_exhausted = all(held[tile] + melded[tile] == COPIES for tile in others)
    return bool(others) and is_exhausted and _has_countable_wait(held + Counter([win]), win)


def _has_countable_wait(tiles, win):
    """Checks whether the concealed tiles can be split so that one of them makes a pair, an edge or a closed wait."""
    rank = win % 9 if win < FIRST_HONOUR else None
    waits = [(win, win)] + [(win - 1, win, win + 1)] * (rank in range(1, 8)) + [(win - 2, win - 1, win)] * (
        rank == 2) + [(win, win + 1, win + 2)] * (rank == 6)
    return any(_can_leave(tiles, group, pairs=len(group) - 2) for group in waits)


def _is_complete(tiles, pairs=1):
    """Checks whether tiles 0..33, a Counter, can be split into sets and `pairs` pairs."""
    if not tiles:
        return pairs == 0
    tile = min(tiles)
    return (_can_leave(tiles, (tile,) * 3, pairs) or pairs > 0 and _can_leave(tiles, (tile,) * 2, pairs - 1)
            or tile < FIRST_HONOUR and tile % 9 < 7 and _can_leave(tiles, (tile, tile + 1, tile + 2), pairs))


def _can_leave(tiles, group, pairs):
    """Checks whether tiles have a group, and the others can be split into sets and `pairs` pairs."""
    return Counter(group) <= tiles and _is_complete(tiles - Counter(group), pairs)
