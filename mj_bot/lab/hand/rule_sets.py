"""Fans of a win by the rules of those who count otherwise than the judge of Botzone.

botzone     as the judge counts, see mahjong/fan.py
mil         the Mahjong International League: a wait inside a knitted straight counts one fan, as on salasasa and in
            newer calculators
green-book  the English rule book of 1998: one concealed and one melded kong count 6 fan, elsewhere 5

Of a third difference no rule set here is known for sure: where the hand has all copies of a second tile that would
complete it too, some count the wait on the other tile as the only one, which is one fan.
"""

from ...mahjong import fan
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT, TILE_INDEX

RULE_SETS = ("botzone", "mil", "green-book")
_KNITTED_STRAIGHT, _MIXED_KONGS, _GREEN_BOOK_POINTS = "组合龙", "明暗杠", 6
_WAITS = {"边张": "边张", "嵌张": "嵌张", "单钓": "单钓将", "单钓将": "单钓将"}
# Fans that contain the wait on a pair, or have it always.
_WITH_WAIT = {"四杠", "全求人", "七对", "连七对", "一色双龙会", *_WAITS.values()}


def list_fans(rule_set, pack, hand, win_tile, **facts):
    """Returns the fans of a win as mahjong.fan.list_fans does, by the rules of a name of RULE_SETS.

    pack: tuple of (type, tile name, offer). hand: tuple of tile names without the winning one. win_tile: tile name.
    facts: the other arguments of mahjong.fan.list_fans by name.
    """
    fans = fan.list_fans(pack, hand, win_tile, 0, **facts)
    if rule_set == "mil":
        return fans + _list_knitted_waits(fans, (pack, hand, win_tile, 0), facts)
    if rule_set == "green-book":
        return [(_GREEN_BOOK_POINTS if name == _MIXED_KONGS else points, copies, name) for points, copies, name in fans]
    return fans


def list_differences(rule_set, pack, hand, win_tile, **facts):
    """Returns a list of (reason, fan in all without flowers) of the others who count a win otherwise than a rule set.

    rule_set: a name of RULE_SETS. pack, hand, win_tile, facts: as list_fans takes them.
    Reasons are "knitted_wait", "mixed_kongs" and "exhausted_wait"; none where the hand does not win.
    """
    fans = list_fans(rule_set, pack, hand, win_tile, **facts)
    if not fans:
        return []
    total = fan.sum_fans(fans)
    by_others = {name: fan.sum_fans(list_fans(name, pack, hand, win_tile, **facts)) for name in RULE_SETS}
    differences = []
    if by_others["mil"] != by_others["botzone"]:
        differences.append(("knitted_wait", by_others["botzone"] if rule_set == "mil" else total + 1))
    if by_others["green-book"] != by_others["botzone"]:
        differences.append(("mixed_kongs", by_others["botzone" if rule_set == "green-book" else "green-book"]))
    if not _WITH_WAIT.intersection(name for _, _, name in fans) and _is_only_wait_left(pack, hand, win_tile, facts):
        differences.append(("exhausted_wait", total + 1))
    return differences


def _list_knitted_waits(fans, arguments, facts):
    """The wait that MahjongGB counts and the judge does not, as a list of fans."""
    if _KNITTED_STRAIGHT not in [name for _, _, name in fans]:
        return []
    counted = fan.MahjongFanCalculator(*arguments, *(facts[name] for name in (
        "is_self_drawn", "is_fourth_tile", "is_about_kong", "is_last_tile", "seat_wind", "prevalent_wind")))
    names = {_WAITS.get(name.split("・")[-1]) for entry in counted for name in entry if isinstance(name, str)}
    return [(1, 1, name) for name in sorted(names - {None} - {name for _, _, name in fans})]


def _is_only_wait_left(pack, hand, win_tile, facts):
    """Whether the winning tile makes an edge, closed or pair wait, and the hand has each other tile that wins whole."""
    counts, melded = [0] * TILE_COUNT, [0] * TILE_COUNT
    for name in hand:
        counts[TILE_INDEX[name]] += 1
    for form, name, _ in pack:
        for tile in ((-1, 0, 1) if form == "CHI" else (0,) * (4 if form == "GANG" else 3)):
            melded[TILE_INDEX[name] + tile] += 1
    win = TILE_INDEX[win_tile]
    others = [tile for tile in range(TILE_COUNT) if tile != win and _is_complete(_add(counts, tile))]
    is_exhausted = all(counts[tile] + melded[tile] == COPIES for tile in others)
    return bool(others) and is_exhausted and _has_countable_wait(_add(counts, win), win)


def _has_countable_wait(counts, win):
    """Whether tiles, the winning one among them, may be split so that it is in the pair, or an edge or closed wait."""
    if counts[win] >= 2 and _is_complete(_add(counts, win, -2), pairs=0):
        return True
    if win >= FIRST_HONOUR:
        return False
    rank = win % 9
    steps = [(-1, 1)] * (0 < rank < 8) + [(-2, -1)] * (rank == 2) + [(1, 2)] * (rank == 6)
    return any(all(counts[win + step] for step in pair) and _is_complete(
        _add(_add(_add(counts, win, -1), win + pair[0], -1), win + pair[1], -1)) for pair in steps)


def _add(counts, tile, copies=1):
    return [count + copies * (tile == other) for other, count in enumerate(counts)]


def _is_complete(counts, pairs=1):
    """Whether tiles are sets and so many pairs; five copies of a tile are allowed."""
    tile = next((tile for tile, count in enumerate(counts) if count), None)
    if tile is None:
        return pairs == 0
    if counts[tile] >= 3 and _is_complete(_add(counts, tile, -3), pairs):
        return True
    if pairs and counts[tile] >= 2 and _is_complete(_add(counts, tile, -2), pairs - 1):
        return True
    if tile < FIRST_HONOUR and tile % 9 < 7 and counts[tile + 1] and counts[tile + 2]:
        return _is_complete(_add(_add(_add(counts, tile, -1), tile + 1, -1), tile + 2, -1), pairs)
    return False
