"""Counts the fans of a win by the rules of those who count otherwise than Botzone's judge.

botzone     The judge's rules, which mahjong/fan.py counts.
mil         The Mahjong International League counts one fan for a wait inside a knitted straight. salasasa and newer
            calculators do so too.
green-book  The English rule book of 1998 counts 6 fan for one concealed and one melded kong. Others count 5.
"""

from typing import NamedTuple

from ...mahjong import fan

RULE_SETS = ("botzone", "mil", "green-book")
_KNITTED_STRAIGHT, _MIXED_KONGS, _GREEN_BOOK_POINTS = "组合龙", "明暗杠", 6
_WAITS = {"边张": "边张", "嵌张": "嵌张", "单钓": "单钓将", "单钓将": "单钓将"}


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

    A reason is "knitted_wait" or "mixed_kongs". The list is empty if the hand does not win.
    """
    sums = {name: fan.sum_fans(count_by_rules(name, win)) for name in RULE_SETS}
    return [(reason, sums["botzone" if rule_set == other else other])
            for other, reason in (("mil", "knitted_wait"), ("green-book", "mixed_kongs"))
            if sums[other] != sums["botzone"]]


def _list_knitted_waits(fans, win):
    """Returns the wait that MahjongGB counts in a knitted straight and the judge does not. fans: by the judge's rules.
    """
    if _KNITTED_STRAIGHT not in [name for _, _, name in fans]:
        return []
    counted = fan.MahjongFanCalculator(*win[:3], *win.facts)
    names = {_WAITS.get(name.split("・")[-1]) for entry in counted for name in entry if isinstance(name, str)}
    return [(1, 1, name) for name in sorted(names - {None} - {name for _, _, name in fans})]
