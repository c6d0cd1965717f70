"""Finds needless dangers, discards that risk more and gain nothing, and describes the discards that were won on."""

from typing import Optional, TypedDict

from ...mahjong.opening import split_discard
from ..library.leaks import LEAST_DANGER, sum_danger
from ..page.constants import NAMED
from .facts import ActionFacts, Facts, count_copies, rate_wins
from .judges import LIMITS

# A deal-in is avoidable where the safer action is worth so many points more.
_LEAST_GAIN = LIMITS[-1][1]
_FAR = 99  # distance of a hand without any in reach


class DealIn(TypedDict):
    """Keeps a discard of a seat on which another seat won, or its kong that was robbed."""

    frame: int  # Of the decision.
    tile: str  # Name of the tile.
    chance: Optional[float]  # The chance that the discard is won on, as it was seen then; None for a robbed kong.
    # [action, its chance, points that it is worth less than the discard] of the best action that is safer by
    # LEAST_DANGER or more; None where there is none or its value is unknown.
    safer: Optional[list]
    is_avoidable: bool  # Whether the safer action is worth clearly more, or the discard was a needless danger.
    points: Optional[int]  # The score of the seat in this game; None where the record has none.


def find_needless(source: Facts, ranked: list, logged: tuple) -> Optional[list]:
    """Returns the best discard beside which the logged one is a needless danger, None where there is none.

    It is safer by LEAST_DANGER or more, is worth more, and leaves a hand that is as good in every count.

    source: the facts of the position. ranked: list of (action, value), the best first. logged: a legal action.
    Returns [name of the safer tile, its chance to deal in, that of the logged discard].
    """
    opening, discard = split_discard(logged)
    if discard is None or logged not in dict(ranked):
        return None
    facts = source.describe(logged)
    chance = sum_danger(facts)
    for action, value in ranked if chance >= LEAST_DANGER else ():
        if value <= dict(ranked)[logged]:
            break
        if split_discard(action)[0] == opening and action[0] == logged[0]:
            safer = source.describe(action)
            if sum_danger(safer) <= chance - LEAST_DANGER and is_as_good(safer, facts):
                return [action[-1], round(sum_danger(safer), 4), round(chance, 4)]
    return None


def is_as_good(facts: ActionFacts, other: ActionFacts) -> bool:
    """Checks whether a hand is at least as good as another one in distance, waits, useful tiles and fan.

    Fan: of the winning tiles, and of the targets that miss NAMED tiles or fewer.
    """
    distances = [[_FAR if each[name] is None else each[name] for name in ("shanten", "distance_to_8_fan")]
                 for each in (facts, other)]
    if any(here > there for here, there in zip(*distances)):
        return False
    if any(here < there for here, there in zip(rate_wins(facts["wins"]), rate_wins(other["wins"]))):
        return False
    # Tiles that help are compared at equal distances: a nearer hand may have fewer of them.
    for name, here, there in zip(("useful", "improving"), *distances):
        if here == there and count_copies(facts[name]) < count_copies(other[name]):
            return False
    targets = dict(facts["targets"])
    return bool(facts["wins"]) or all(targets.get(fan, _FAR) <= missing
                                      for fan, missing in other["targets"] if missing <= NAMED)


def list_deal_ins(decisions: list[dict], seat: int, end: Optional[dict]) -> list[DealIn]:
    """Returns the deal-ins of a seat in a game: one at most.

    decisions: of the seat. end: the last event of the game, or None.
    """
    if not end or end.get("verdict") != "HU" or end.get("from") != seat or not decisions:
        return []
    made = decisions[-1]
    if not made["logged"] or made["logged"].split(" ")[-1] != end.get("tile"):
        return []  # the review of the seat ends before
    chance, safer = sum_danger(made["logged_facts"]), _find_safer(made)
    is_worth_more = safer is not None and made["class"] not in (None, "good") and -safer[2] >= _LEAST_GAIN
    return [{"frame": made["frame"], "tile": end["tile"], "chance": chance and round(chance, 4), "safer": safer,
             "is_avoidable": made["is_needless_danger"] or is_worth_more,
             "points": end["scores"][seat] if end.get("scores") else None}]


def _find_safer(made: dict) -> Optional[list]:
    """Returns "safer" of a decision with a discard that was won on."""
    chance, values = sum_danger(made["logged_facts"]), dict(made["ranked"])
    if chance is None or made["logged"] not in values:
        return None
    chances = {"PASS": 0.0, made["chosen"]: sum_danger(made["chosen_facts"]) or 0.0,
               **{"PLAY " + name: danger for name, danger, *_ in made["tiles"]}}
    for action, value in made["ranked"]:
        if action in chances and chances[action] <= chance - LEAST_DANGER:
            return [action, round(chances[action], 4), round(values[made["logged"]] - value, 2)]
    return None
