"""Marks the mistakes of a seat that are made again at later turns: the same refused kong, or the same two waits."""

from collections.abc import Callable
from typing import Optional

_KONGS = ("GANG", "BUGANG")


def mark_repeats(decisions: list[dict], is_mistake: Callable[[dict], bool]) -> None:
    """Sets "repeats" of mistakes that are made again to the frame of the one of them with the greatest loss.

    decisions: of a seat. is_mistake: tells whether a decision is a mistake.
    """
    groups = {}
    for decision in decisions:
        alternatives = name_alternatives(decision)
        if alternatives and is_mistake(decision):
            groups.setdefault(alternatives, []).append(decision)
    for group in groups.values():
        counted = max(group, key=lambda decision: (decision["loss"] or 0.0, -decision["frame"]))
        for decision in group:
            if decision is not counted:
                decision["repeats"] = counted["frame"]


def name_alternatives(decision: dict) -> Optional[tuple]:
    """Returns the two alternatives of a decision that may come again; None for a decision that comes once.

    A kong that can be made now can be made at the next turn too. A ready hand can change its wait at each turn: then
    the alternatives are two waits, and the kinds of the two actions. Two decisions with the same alternatives are the
    same choice.
    """
    best, made = decision["chosen_facts"], decision["logged_facts"]
    if made is None or decision["frame"] is None:
        return None
    verbs = tuple(decision[key].split(" ")[0] for key in ("chosen", "logged"))
    if verbs[0] in _KONGS and decision["tiles"]:
        return decision["chosen"], verbs[1]
    waits = tuple(tuple(tile[0] for tile in facts["useful"]) for facts in (best, made))
    is_wait = best["shanten"] == made["shanten"] == 0 and waits[0] != waits[1]
    return verbs + waits if is_wait else None
