"""Lists what a page says about a decision in sentences: the facts that differ between two actions.

C is the action that the judge chose, L the logged one. n and m are their figures. A remark is one of these lists:

    ["win", fan]                a win was possible
    ["alone", s, n]             without an action to compare: C changes the distance to eight fan from s to n
    ["both", s, n]              both change it from s to n
    ["distance", s, n, m, fan, fan]     C changes it to n, L to m. fan: of the nearest hand of each, null for one that
                                misses more than NAMED tiles; of a ready hand the fans of its likeliest win, as the
                                "fans" of facts.py
    ["wins", n, m]              tiles left that win with eight fan, of ready hands; m is null without an action to
                                compare
    ["pays", wins, wins]        the wins of both, as the "wins" of facts.py, where the number of tiles left does not
                                tell which are better: those of one win on a discard too, or pay more
    ["aim", fan, n]             NAMED tiles or fewer that the nearest hand of eight fan misses, without an action to
                                compare
    ["nearer", n, m]            copies left of tiles that lower the distance to eight fan, at equal distances; m is null
                                without an action to compare
    ["draw", tile, copies, wins, wins]  the draw whose ready hands differ most in favour of C: of C's, then of L's best
                                ready hand the wins, [] where it makes none; copies: of the drawn tile, unseen
    ["way", aim, p, q]          what C is better for, where nothing else is in favour of C, and the chances to win with
                                it, see causes.compare_ways: a pattern, or "waits" for the tiles of a ready hand, of
                                which some are let go more easily than others
    ["kong"]                    C is a kong and L is not, where nothing else is in favour of C: it draws another tile
    ["plain", s, n, t, m]       where nothing else is in favour of C: without counting fan it is s tiles from ready and
                                has n useful tiles left, L is t tiles from ready and has m
    ["no_nearer"]               where nothing else is in favour of C: L is a claim that comes nearer to no win
    ["keeps", fan, n]           after C a fan misses n tiles, NAMED at most; after L it is out of reach
    ["needless", tile, p, q]    L is a needless danger, see dangers.find_needless: the better tile, and the chances to
                                deal in with this tile and with L
    ["danger", p, q, seats, signs]  the chances to deal in with C and with L, null for an action without a discard;
                                seats: [seat, chance] of the seats that win on the more dangerous discard, the most
                                dangerous first; signs: see Facts.list_signs, of the first seat
    ["against", ...]            one of these in favour of L: C's figures come first, but in "keeps", C and L change
                                places
    ["only"]                    no fact is in favour of C, and the decision has no causes
"""

from collections.abc import Iterator
from typing import Any, Optional

from ...mahjong.tile import TILE_NAMES
from ..library.leaks import sum_danger
from ..page.constants import NAMED
from .facts import Facts, count_copies, rate_wins, weigh_wins

# Remarks that are in favour of the chosen action where they are not behind "against".
_MERITS = ("needless", "wins", "pays", "nearer", "draw", "keeps", "danger")
# Smaller differences of danger get no remark.
_LEAST_DANGER = 0.01
_KONGS = ("GANG", "BUGANG")


def list_remarks(decision: dict[str, Any]) -> list[list]:
    """Returns the remarks of a decision; those in favour of the judge's action come first.

    decision: as decisions.py describes it, without its remarks.
    """
    chosen, logged, before = decision["chosen_facts"], decision["logged_facts"], decision["distance_to_8_fan"]
    if decision["chosen"] == "HU":
        return [["win", decision["win_fan"]]]
    if logged is None or decision["logged"] in (decision["chosen"], "HU"):
        return [["alone", before, chosen["distance_to_8_fan"]]] + _describe_alone(chosen)
    remarks = [["both", before, chosen["distance_to_8_fan"]]]
    if chosen["distance_to_8_fan"] != logged["distance_to_8_fan"]:
        nearest = map(_name_nearest, (chosen, logged))
        remarks = [["distance", before, chosen["distance_to_8_fan"], logged["distance_to_8_fan"], *nearest]]
    compared = list(_compare_facts(chosen, logged))
    merits = [remark for order, remark in compared if order > 0]
    remarks += merits[:2] + [["against"] + remark for order, remark in compared if order < 0][:1]
    return remarks if merits or _is_nearer(remarks[0]) or decision.get("causes") else remarks + [["only"]]


def add_needless(remarks: list[list], needless: list) -> list[list]:
    """Returns the remarks of a needless danger. needless: of dangers.find_needless."""
    return remarks[:1] + [["needless", *needless]] + [remark for remark in remarks[1:] if remark[0] != "only"]


def complete_remarks(
        remarks: list[list], source: Facts, chosen: tuple, *, logged: tuple, way: Optional[list]) -> list[list]:
    """Returns the remarks of a mistake with what takes longer to compute: signs of danger, draws, ways to win.

    chosen, logged: the legal actions of the judge and of the game, as tuples. way: the remark "way" without its name,
    None for none.
    """
    for remark in remarks:
        if remark[0] == "danger":
            remark.append(source.list_signs(logged, remark[3][0][0]))
        elif remark[:2] == ["against", "danger"]:
            remark.append(source.list_signs(chosen, remark[4][0][0]))
    if "HU" in (chosen[0], logged[0]) or any(remark[0] in ("wins", "pays") for remark in remarks):
        return remarks
    remarks = _add_draw(remarks, source, chosen, logged)
    if _is_nearer(remarks[0]) or any(remark[0] in _MERITS for remark in remarks):
        return remarks
    if way:
        return _insert_merit(remarks, ["way", *way])
    if chosen[0] in _KONGS and logged[0] not in _KONGS:
        return _insert_merit(remarks, ["kong"])
    return _insert_merit(remarks, *_describe_rest(*map(source.describe, (chosen, logged)), chosen[0] == "PASS"))


def _describe_rest(chosen: dict[str, Any], logged: dict[str, Any], is_pass: bool) -> list[list]:
    """Returns the remark, or none, of a mistake without any other one in favour of the chosen action, a pass or not."""
    plain = [(facts["shanten"], count_copies(facts["useful"])) for facts in (chosen, logged)]
    if (plain[0][0], -plain[0][1]) < (plain[1][0], -plain[1][1]):
        return [["plain", *plain[0], *plain[1]]]
    if is_pass and plain[0][0] == plain[1][0] and chosen["distance_to_8_fan"] == logged["distance_to_8_fan"]:
        return [["no_nearer"]]
    (here, fan), (there, other_fan) = (rate_wins(facts["wins"]) for facts in (chosen, logged))
    return [["pays", chosen["wins"], logged["wins"]]] if fan * there > other_fan * here else []


def _add_draw(remarks: list[list], source: Facts, chosen: tuple, logged: tuple) -> list[list]:
    """Returns remarks with "draw", where a draw makes better ready hands after the chosen action."""
    draws = [source.list_draws(action) for action in (chosen, logged)]
    gains = {tile: source.unseen[tile] * (weigh_wins(wins) - weigh_wins(draws[1].get(tile, [])))
             for tile, wins in draws[0].items()}
    best = max(gains, key=gains.get, default=None)
    if best is None or gains[best] <= 0:
        return remarks
    draw = ["draw", TILE_NAMES[best], source.unseen[best], *(of.get(best, []) for of in draws)]
    return _insert_merit(remarks, draw)


def _insert_merit(remarks: list[list], *merits: list) -> list[list]:
    """Returns remarks with others in favour of the chosen action, before those against it."""
    if not merits:
        return remarks
    index = next((index for index, remark in enumerate(remarks) if remark[0] in ("against", "only")), len(remarks))
    return remarks[:index] + [*merits] + [remark for remark in remarks[index:] if remark[0] != "only"]


def _is_nearer(remark: list) -> bool:
    """Checks whether a remark says that the chosen action is nearer to eight fan."""
    name, _, *distances = remark
    return name == "distance" and distances[0] is not None and (distances[1] is None or distances[0] < distances[1])


def _name_nearest(facts: dict[str, Any]) -> Any:
    """Returns the fans of the likeliest win, or the fan of the nearest aim; None where that is far."""
    if facts["wins"]:
        likeliest = max(range(len(facts["wins"])), key=lambda index: facts["wins"][index][1])
        on_discard, self_drawn = facts["win_ways"][likeliest]
        return on_discard or self_drawn
    aims = [fan for fan, missing in facts["targets"][:1] if missing <= NAMED]
    return aims[0] if aims else None


def _describe_alone(facts: dict[str, Any]) -> list[list]:
    """Returns the remarks about one action without another one to compare."""
    if facts["wins"]:
        return [["wins", count_copies(facts["wins"]), None]]
    described = [["wins", 0, None]] if facts["shanten"] == 0 else []
    described += [["nearer", count_copies(facts["improving"]), None]] if facts["improving"] else []
    return described + [["aim", *aim] for aim in facts["targets"][:1] if aim[1] <= NAMED]


def _compare_facts(chosen: dict[str, Any], logged: dict[str, Any]) -> Iterator[tuple[float, list]]:
    """Yields (order, remark): order > 0 in favour of the chosen action, < 0 of the logged one, 0 of neither."""
    wins = count_copies(chosen["wins"]), count_copies(logged["wins"])
    yield wins[0] - wins[1], ["wins", *wins]
    if all(wins):
        here, there = (rate_wins(facts["wins"]) for facts in (chosen, logged))
        order = (here > there) - (here < there)
        if order * (wins[0] - wins[1]) <= 0:
            yield order, ["pays", chosen["wins"], logged["wins"]]
    if not any(wins) and chosen["distance_to_8_fan"] == logged["distance_to_8_fan"]:
        nearer = count_copies(chosen["improving"]), count_copies(logged["improving"])
        yield nearer[0] - nearer[1], ["nearer", *nearer]
        aims, others = dict(chosen["targets"]), dict(logged["targets"])
        for order, kept, rest in ((1, aims, others), (-1, others, aims)):
            lost = next((fan for fan in kept if fan not in rest and kept[fan] <= NAMED), None)
            if lost:
                yield order, ["keeps", lost, kept[lost]]
    chances = sum_danger(chosen), sum_danger(logged)
    change = (chances[1] or 0.0) - (chances[0] or 0.0)
    if abs(change) >= _LEAST_DANGER:
        seats = list(enumerate((logged if change > 0 else chosen)["danger"]))
        seats.sort(key=lambda pair: -pair[1])
        told = [[seat, chance] for order, (seat, chance) in enumerate(seats) if not order or chance >= _LEAST_DANGER]
        yield change, ["danger", *(chance and round(chance, 4) for chance in chances), told]
