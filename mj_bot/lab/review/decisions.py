"""What a tactic thinks of each decision of a seat in a recorded game, as JSON, and what the decisions come to.

A decision:

    frame               index of its request
    claimed             name of the tile that may be claimed or won on, or null
    logged, chosen      actions as Botzone's text: the game's (null where the record ends before it) and the tactic's
    agreement           "same", "kind" (the same kind of action), "other"; null without a logged action
    loss                what the tactic's value of the logged action lacks to its best, >= 0; null where it weighed
                        nothing and does otherwise, as it does where a win is missed
    ranked              list of [action, value], the best first
    reasons             the tactic's own words
    win_fan             of the win that was there, or null
    shanten             of the hand before the action, with its best discard where it is to discard
    chosen_leads, logged_leads
                        the facts of the action, see facts.py; of a logged one that is legal, else null
    tiles               of each tile that may be discarded now, see Facts.list_discards; [] before a claim
    remarks             what the facts say of it, see facts.list_remarks
"""

from typing import NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.state import GameState
from ..table.players import TacticPlayer
from .facts import Facts, list_remarks

KINDS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")
# Losses below this are shown as nothing: the actions are as good.
LEAST_LOSS = 0.005


class Decision(NamedTuple):
    """A decision as replay() comes by it."""

    index: int  # of its request
    request: str
    legal: list  # of action tuples
    logged: Optional[tuple]  # action; None where the log ends before the answer
    chosen: tuple  # the tactic's action
    reasons: str  # the tactic's, see tactic/__init__.py, and ranked too
    ranked: list
    state: GameState  # there, until the next decision is asked for


def replay(transcript, tactic, first=0):
    """Yields a Decision for each request of a transcript, from number `first` on, at which there was a choice.

    transcript: table.record.Transcript. tactic: a tactic object, new or fit for a new game.
    Raises ProtocolError, InvalidTileError: where the transcript breaks; the decisions before have been yielded.
    """
    player = TacticPlayer(tactic, "")
    player.begin()
    state = player.state
    for index, request in enumerate(transcript.requests):
        player.see(request)
        legal = state.action_space()
        response = transcript.responses[index] if index < len(transcript.responses) else None
        if len(legal) > 1 and index >= first:
            chosen = tactic(state)
            yield Decision(index, request, legal, _parse_logged(response, state), chosen,
                           getattr(tactic, "reasons", ""), getattr(tactic, "ranked", []), state)
        if response is not None:
            state.answer(response)


def _parse_logged(response, state):
    if response is None:
        return None
    try:
        return parse_action(response, state.win_fan() if response == "HU" else 0)
    except IllegalActionError:
        return None  # state.answer says what is wrong with it


def review_seat(transcript, tactic, notify=None):
    """The decisions of a transcript as {"unit", "decisions", "error", "summary", "mistakes"}.

    tactic: a tactic object, fit for a new game. notify: function called after each decision.
    unit: of the tactic's values, "" where it names none. error: None, or why the review ends early. summary, mistakes:
    of summarise and list_mistakes.
    """
    decisions, error = [], None
    try:
        for decision in replay(transcript, tactic):
            decisions.append(review_decision(decision))
            if notify:
                notify()
    except MahjongError as found:
        error = str(found)
    return describe_review(decisions, getattr(tactic, "value_unit", ""), error)


def describe_review(decisions, unit, error=None):
    """What review_seat returns, of decisions as above."""
    return {"unit": unit, "decisions": decisions, "error": error, "summary": summarise(decisions),
            "mistakes": list_mistakes(decisions)}


def review_decision(decision):
    """A Decision as the JSON above."""
    state, logged = decision.state, decision.logged
    facts = Facts(state)
    tiles = facts.list_discards() if state.is_my_turn else []
    told = [decision.chosen] + [logged] * (logged in decision.legal) + [("PASS",)] * (not tiles)
    return describe_decision(
        decision, state.last_tile, tiles, leads={action: facts.find(action) for action in told}, remark=list_remarks)


def describe_decision(decision, claimed, tiles, *, leads, remark):
    """A Decision by any rules as the JSON above.

    claimed, tiles: as above. leads: {action: its facts} of the chosen action, of the logged one where it is legal, and
    of PASS before a claim. remark: function of the JSON so far that gives the remarks.
    """
    logged, chosen = decision.logged, decision.chosen
    reviewed = {
        "frame": decision.index,
        "claimed": claimed,
        "logged": logged and format_action(logged),
        "chosen": format_action(chosen),
        "agreement": compare(logged, chosen),
        "loss": _measure_loss(decision),
        "ranked": [[format_action(action), round(value, 4)] for action, value in decision.ranked],
        "reasons": decision.reasons,
        "win_fan": next((action[1] for action in decision.legal if action[0] == "HU"), None),
        "shanten": min(tile[2] for tile in tiles) if tiles else leads["PASS",]["shanten"],
        "chosen_leads": leads[chosen],
        "logged_leads": leads.get(logged),
        "tiles": tiles,
    }
    reviewed["remarks"] = remark(reviewed)
    return reviewed


def compare(logged, chosen):
    """How a tactic's action agrees with the logged one: "same", "kind", "other"; None without a logged one."""
    if logged is None:
        return None
    if logged[0] == chosen[0] == "HU" or logged == chosen:
        return "same"
    return "kind" if logged[0] == chosen[0] else "other"


def _measure_loss(decision):
    if decision.logged is None:
        return None
    if compare(decision.logged, decision.chosen) == "same":
        return 0.0
    values = dict(decision.ranked)
    if decision.logged not in values or decision.chosen not in values:
        return None
    return round(max(0.0, values[decision.chosen] - values[decision.logged]), 4)


def summarise(decisions):
    """The summary of decisions, as above, that the game answered.

    Returns {"PLAY": {"decisions", "same", "kind", "loss", "missed"}, ..., "all": ...}: kind counts the same kind of
    action, the very same ones too; loss is the sum in the tactic's unit; missed: decisions without a loss that the
    tactic would have made otherwise. Kinds that did not come up are not in it.
    """
    return add_summaries(_count(decision) for decision in decisions if decision["agreement"] is not None)


def _count(decision):
    counts = {
        "decisions": 1, "same": int(decision["agreement"] == "same"), "kind": int(decision["agreement"] != "other"),
        "loss": decision["loss"] or 0.0, "missed": int(decision["loss"] is None),
    }
    return {decision["logged"].split(" ")[0]: counts, "all": counts}


def add_summaries(summaries):
    """The sum of some summaries."""
    total = {}
    for summary in summaries:
        for kind, counts in summary.items():
            sums = total.setdefault(kind, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] = round(sums[key] + count, 4)
    return {kind: total[kind] for kind in KINDS + ("all",) if kind in total}


def list_mistakes(decisions):
    """Indices of the decisions that lost something, the greatest loss first.

    Those without a number lead, and of these the ones that a win hangs on.
    """
    wrong = [index for index, decision in enumerate(decisions)
             if decision["agreement"] in ("kind", "other")
             and (decision["loss"] is None or decision["loss"] >= LEAST_LOSS)]
    return sorted(wrong, key=lambda index: rank_mistake(decisions[index]))


def rank_mistake(decision):
    """What mistakes are sorted by."""
    is_win = "HU" in (decision["logged"], decision["chosen"])
    return decision["loss"] is not None, not is_win, -(decision["loss"] or 0.0)
