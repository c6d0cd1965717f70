"""Names the kind of mistake of a reviewed decision, for a player's page.

    win         a win that was passed by, or taken where waiting was better
    chow pung kong                  should have claimed or declared it
    pass_chow pass_pung pass_kong   should not have done so
    claim       the right kind of claim with other tiles: another chow, or a kong of another tile
    wait        a discard of a ready hand: which wait
    needless    a dangerous discard that gained nothing, see review/dangers.py
    push        a dangerous discard where folding was better
    fold        a safe discard that gave the hand up too early; after a claim none is called so
    plan        a discard that aims at another hand than the best discard does; "plan" is the fan of that hand
    tile        any other discard
"""

from typing import Optional

from ...worth.patterns import FAMILIES

LEAKS = ("win", "chow", "pung", "kong", "pass_chow", "pass_pung", "pass_kong", "claim", "needless", "wait",
         "push", "fold", "plan", "tile")
PLANS = tuple(family.fan for family in FAMILIES)
_CLAIMS = {"CHI": "chow", "PENG": "pung", "GANG": "kong", "BUGANG": "kong"}
# A smaller difference of the chances to deal in makes no discard a question of defence.
LEAST_DANGER = 0.02
FARTHEST_STATE = 4  # of name_state
_FAR = 99


def name_leak(decision: dict) -> tuple[str, Optional[str]]:
    """Returns (one of LEAKS, plan) of a decision with another action than the best one; plan: a fan's name or None.

    decision: of review/decisions.py, with a logged action.
    """
    logged, chosen = decision["logged"].split(" "), decision["chosen"].split(" ")
    if "HU" in (logged[0], chosen[0]):
        return "win", None
    if logged[0] != chosen[0]:
        if chosen[0] in _CLAIMS:
            return _CLAIMS[chosen[0]], None
        # A pass at the own turn, which is not legal, is an answer in place of a discard.
        return ("pass_" + _CLAIMS[logged[0]] if logged[0] in _CLAIMS else "tile"), None
    if logged[0] in _CLAIMS and (logged[:-1] != chosen[:-1] or logged[0] in ("GANG", "BUGANG")):
        return "claim", None
    return _name_discard(decision)


def _name_discard(decision: dict) -> tuple[str, Optional[str]]:
    """Returns (one of LEAKS, plan) of a decision in which both actions discard."""
    best, made = decision["chosen_facts"], decision["logged_facts"]
    if not (best and made):
        return "tile", None
    if decision["is_needless_danger"]:
        return "needless", None
    safer = sum(made["danger"] or ()) - sum(best["danger"] or ())
    nearer = _measure_nearer(best, made)
    causes = {cause[0]: cause[1] for cause in decision["causes"]}
    if safer >= LEAST_DANGER and (nearer < 0 or causes.get("deal_in", 0.0) >= (decision["loss"] or 0.0) / 2 > 0):
        return "push", None
    if safer <= -LEAST_DANGER and nearer > 0 and decision["logged"].startswith("PLAY "):
        return "fold", None
    if best["shanten"] == made["shanten"] == 0:
        return "wait", None
    plans = [facts["targets"][0][0] if facts["targets"] else None for facts in (best, made)]
    return ("plan", plans[0]) if plans[0] and plans[0] != plans[1] else ("tile", None)


def _measure_nearer(best: dict, made: dict) -> int:
    """Returns by how many tiles the best action is nearer to eight fan; hands with none in reach are farthest."""
    here, there = (_FAR if facts["distance_to_8_fan"] is None else facts["distance_to_8_fan"] for facts in (made, best))
    return here - there


def count_steps(decision: dict) -> Optional[int]:
    """Returns the steps from ready before a decision, None: unknown; a ready hand that cannot win is one away."""
    is_ready_in_vain = decision["shanten"] == 0 and decision["distance_to_8_fan"] != 0
    return 1 if is_ready_in_vain else decision["shanten"]


def name_state(decision: dict) -> int:
    """Returns the group of a decision by count_steps: 0 .. FARTHEST_STATE, which is that of unknown ones too."""
    steps = count_steps(decision)
    return FARTHEST_STATE if steps is None else min(FARTHEST_STATE, max(0, steps))


def sum_danger(facts: Optional[dict]) -> Optional[float]:
    """Returns the chance to deal in with the discard of an action's facts, None where it has no discard."""
    return None if not facts or facts["danger"] is None else min(1.0, sum(facts["danger"]))
