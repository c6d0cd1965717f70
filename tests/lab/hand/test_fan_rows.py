"""The page of the fans: MahjongGB counts each fan in its example, and never those that the page says it excludes."""

from itertools import product

from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.hand.notation import parse_hand
from mj_bot.lab.table.fan_names import EXCLUDED_FANS, FAN_EXAMPLES
from mj_bot.mahjong.fan import WinFacts, list_fans
from mj_bot.mahjong.tile import TILE_NAMES

REVERSIBLE = {"B1", "B2", "B3", "B4", "B5", "B8", "B9", "T2", "T4", "T5", "T6", "T8", "T9", "J3"}


def list_wins():
    """Yields (tile names, whether it has open melds, whether self-drawn, (seat, prevalent) wind, names of the fans).

    The hands are the examples, won on each of their tiles in every way and with three pairs of winds.
    """
    for text in FAN_EXAMPLES.values():
        hand = parse_hand(text.partition("|")[0])
        pack, tiles = tuple(meld.as_pack(0) for meld in hand.melds), [TILE_NAMES[tile] for tile in hand.tiles]
        melded = [name for meld in hand.melds for name in meld.cards]
        for win, own, last, kong, fourth, winds in product(
                sorted(set(tiles)), (0, 1), (0, 1), (0, 1), (0, 1), ((0, 0), (1, 2), (3, 1))):
            rest = list(tiles)
            rest.remove(win)
            fans = list_fans(pack, tuple(rest), win, WinFacts(0, own, fourth, kong, last, *winds))
            if fans:
                yield (tiles + melded, any(not meld.is_concealed for meld in hand.melds), own, winds,
                       {name for _, _, name in fans})


def list_plain_fans(tiles, is_open, is_self_drawn, winds):
    """Yields the fans that a hand has by its tiles alone, whether or not they are counted."""
    suits, honours = {tile[0] for tile in tiles} & set("WTB"), {tile for tile in tiles if tile[0] in "FJ"}
    ranks = {int(tile[1]) for tile in tiles if tile[0] in "WTB"}
    dragons = [tile for tile in ("J1", "J2", "J3") if tiles.count(tile) >= 3]
    yield from ["无字"] * (not honours) + ["断幺"] * (not honours and not ranks & {1, 9})
    yield from ["缺一门"] * (len(suits) == 2) + ["混一色" if honours else "清一色"] * (len(suits) == 1)
    yield from ["五门齐"] * (len(suits) == 3 and {tile[0] for tile in honours} == {"F", "J"})
    yield from ["不求人" if is_self_drawn else "门前清"] * (not is_open) + ["自摸"] * is_self_drawn
    yield from ["箭刻"] * (len(dragons) == 1) + ["双箭刻"] * (len(dragons) == 2)
    yield from (name for name, wind in zip(("门风刻", "圈风刻"), winds) if tiles.count("F%d" % (wind + 1)) >= 3)
    yield from ["大于五"] * (not honours and min(ranks) > 5) + ["小于五"] * (not honours and max(ranks, default=9) < 5)
    yield from ["混幺九"] * (bool(honours and ranks) and ranks <= {1, 9}) + ["推不倒"] * (set(tiles) <= REVERSIBLE)


def test_every_fan_has_an_example_that_the_judge_counts():
    assert len(FAN_EXAMPLES) == 81
    wrong = {}
    for name, hand in FAN_EXAMPLES.items():
        win = answer_texts(hand)["win"]
        if not win or name not in [fan for _, _, fan in win["fans"]]:
            wrong[name] = win and win["fans"]
    assert not wrong


def test_what_excludes_what():
    """An excluded fan is never counted; a fan of the tiles that is not counted is excluded by one that is."""
    assert all(set(names) <= set(FAN_EXAMPLES) for names in EXCLUDED_FANS.values())
    both, unexplained, counted = set(), set(), set()
    for *facts, fans in list_wins():
        excluded = {name for fan in fans for name in EXCLUDED_FANS.get(fan, ())}
        both |= {(name, *sorted(fans)) for name in excluded & fans}
        unexplained |= {(name, *sorted(fans)) for name in list_plain_fans(*facts) if name not in fans | excluded}
        counted |= fans
    assert not both
    assert not unexplained
    assert len(counted) == 81
