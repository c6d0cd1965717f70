"""What a tactic thinks of each decision of a seat in a recorded game, as JSON, and the sums of the decisions.

A decision:

    frame               index of its request
    claimed             name of the tile that may be claimed or won on, or null
    logged, chosen      actions as Botzone's text: the game's (null where the record ends before it) and the tactic's
    agreement           "same", "kind" (the same kind of action), "other"; null without a logged action
    ranked              list of [action, value], the best first; only search lists a win
    loss                the tactic's value of its action minus that of the logged one, >= 0; null where the actions
                        differ and one has no value
    uncertainty         of a loss in points from LIMITS on, by the tactic's value_error; null where it has none
    class               "inaccuracy", "mistake" or "blunder" by LIMITS, "good" for a smaller loss or one within its
                        uncertainty; null without a loss in points
    causes              of such a loss by search: see causes.explain_loss; else []
    reasons             text by the tactic; explanation: its figures, see tactic/__init__.py
    win_fan             of the win that was possible, or null
    shanten, eight      of the hand before the action, or after its best discard: to ready, and to eight fan, see
                        facts.py
    chosen_facts, logged_facts
                        of the two actions, see facts.py; null for a logged action that is illegal or missing
    tiles               of each tile that may be discarded now, see Facts.list_discards; [] before a claim
    remarks             see facts.list_remarks
"""

from math import hypot
from typing import NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError, TacticError
from ...mahjong.state import GameState
from ...tactic.check import read_remarks
from .causes import explain_loss, list_choices
from .facts import Facts, list_remarks

KINDS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")
# Actions whose values differ by less count as equally good.
LEAST_LOSS = 0.005
# The least loss in points of each class; a decision with a loss of HALF counts half for the accuracy.
LIMITS = (("blunder", 4.0), ("mistake", 1.5), ("inaccuracy", 0.5))
HALF = 1.0


class Decision(NamedTuple):
    """A decision with the answer of the tactic."""

    index: int  # of its request
    request: str
    legal: list  # of action tuples
    logged: Optional[tuple]  # action; None where the log ends before the answer
    chosen: tuple  # the tactic's action
    reasons: str  # see tactic/__init__.py, as for ranked
    ranked: list
    state: GameState  # changes when the next decision is read
    explanation: Optional[dict] = None
    unit: str = ""  # of the values
    causes: tuple = ()  # as above, as uncertainty
    uncertainty: Optional[float] = None


def replay(transcript, player, first=0):
    """Yields a Decision for each request of a transcript, from number `first` on, with two legal actions or more.

    transcript: table.record.Transcript. player: a new table.players.TacticPlayer.
    Raises ProtocolError, InvalidTileError: the transcript breaks; the decisions before have been yielded. TacticError:
        the tactic fails.
    """
    player.begin()
    state = player.state
    for index, request in enumerate(transcript.requests):
        seen = len(state.history)
        state.apply(request)
        player.call(player.tell, seen)
        legal = state.action_space()
        response = transcript.responses[index] if index < len(transcript.responses) else None
        if len(legal) > 1 and index >= first:
            yield _decide(player, state, legal, response=response, index=index, request=request)
        if response is not None:
            state.answer(response)


def _decide(player, state, legal, *, response, index, request):
    logged, chosen, tactic = _parse_logged(response, state), player.decide(legal, request), player.tactic
    choices = list_choices(tactic, state, legal)
    ranked, reasons, error = player.call(read_remarks, tactic, legal)
    ranked = [(choice.action, choice.points) for choice in choices] or ranked
    decision = Decision(index, request, legal, logged, chosen, reasons, ranked, state,
                        getattr(tactic, "explanation", None), getattr(tactic, "value_unit", ""))
    loss = _measure_loss(decision) or 0.0
    if decision.unit == "points" and loss >= LIMITS[-1][1]:
        by_action = {choice.action: choice for choice in choices}
        return decision._replace(
            causes=explain_loss(tactic, state, by_action[chosen], logged=by_action[logged]) if choices else (),
            uncertainty=error and round(hypot(error[0], error[1] * loss), 3))
    return decision


def _parse_logged(response, state):
    if response is None:
        return None
    try:
        return parse_action(response, state.win_fan() if response == "HU" else 0)
    except IllegalActionError:
        return None  # state.answer names the error


def review_seat(transcript, player, bar=None):
    """The decisions of a transcript as {"unit", "decisions", "error", "summary", "mistakes"}.

    player: as of replay. bar: run.progress.Progress that counts the decisions, or None.
    unit: of the tactic's values, may be "". error: None, or why the review ends early. For the others see summarise
    and list_mistakes. Raises TacticError: the tactic fails.
    """
    decisions, error = [], None
    try:
        for decision in replay(transcript, player):
            decisions.append(review_decision(decision))
            if bar is not None:
                bar.update()
    except TacticError:
        raise
    except MahjongError as found:
        error = str(found)
    return describe_review(decisions, getattr(player.tactic, "value_unit", ""), error)


def describe_review(decisions, unit, error=None):
    """The object that review_seat returns."""
    return {"unit": unit, "decisions": decisions, "error": error, "summary": summarise(decisions),
            "mistakes": list_mistakes(decisions)}


def review_decision(decision):
    """A Decision as the JSON above."""
    state, logged = decision.state, decision.logged
    source = Facts(state)
    tiles = source.list_discards() if state.is_my_turn else []
    actions = [decision.chosen] + [logged] * (logged in decision.legal) + [("PASS",)] * (not tiles)
    facts = {action: source.describe(action) for action in actions}
    return describe_decision(decision, state.last_tile, tiles, facts=facts, list_remarks=list_remarks)


def describe_decision(decision, claimed, tiles, *, facts, list_remarks):
    """A Decision by any rules as the JSON above.

    claimed, tiles: as above. facts: {action: its facts} of the chosen action, of the logged one where it is legal, and
    of PASS before a claim. list_remarks: function that makes the remarks from the JSON without them.
    """
    logged, chosen, loss = decision.logged, decision.chosen, _measure_loss(decision)
    reviewed = {
        "frame": decision.index, "claimed": claimed, "logged": logged and format_action(logged),
        "chosen": format_action(chosen), "agreement": compare(logged, chosen), "loss": loss,
        "uncertainty": decision.uncertainty,
        "class": classify(loss, decision.uncertainty) if decision.unit == "points" else None,
        "causes": list(decision.causes),
        "ranked": [[format_action(action), round(value, 4)] for action, value in decision.ranked],
        "reasons": decision.reasons, "explanation": decision.explanation,
        "win_fan": next((action[1] for action in decision.legal if action[0] == "HU"), None),
        "shanten": _least([tile[4] for tile in tiles] or [facts["PASS",]["shanten"]]),
        "eight": _least([tile[2] for tile in tiles] or [facts["PASS",]["eight"]]),
        "chosen_facts": facts[chosen], "logged_facts": facts.get(logged), "tiles": tiles,
    }
    reviewed["remarks"] = list_remarks(reviewed)
    return reviewed


def _least(distances):
    return min((distance for distance in distances if distance is not None), default=None)


def classify(loss, uncertainty):
    """The class of a loss in points as above.

    >>> classify(0.4, None), classify(1.6, 0.3), classify(4.5, 5.0), classify(None, None)
    ('good', 'mistake', 'good', None)
    """
    if loss is None:
        return None
    return next((name for name, least in LIMITS if loss >= least and loss > (uncertainty or 0.0)), "good")


def compare(logged, chosen):
    """The agreement of two actions as above: "same", "kind", "other"; None without a logged one."""
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
    """The sums of the decisions with a logged action, by its kind and over all.

    Returns {"PLAY": {"decisions", "same", "kind", "loss", "missed", "credit", "inaccuracy", "mistake", "blunder"}, ...,
    "all": ...}. kind: same actions and other actions of the same kind. loss: in the tactic's unit. missed: decisions
    without a loss. credit: 1 of each decision with a class, less for a loss: half at a loss of HALF. Its share of the
    decisions that are not missed is the accuracy. The last three: decisions of these classes.
    """
    summaries = []
    for decision in decisions:
        agreement, loss, grade = (decision[key] for key in ("agreement", "loss", "class"))
        if agreement is not None:
            counts = {"decisions": 1, "same": int(agreement == "same"), "kind": int(agreement != "other"),
                      "loss": loss or 0.0, "missed": int(loss is None),
                      "credit": 0.0 if grade is None else 1.0 if grade == "good" else 0.5 ** (loss / HALF),
                      **{name: int(grade == name) for name, _ in reversed(LIMITS)}}
            summaries.append({decision["logged"].split(" ")[0]: counts, "all": counts})
    return add_summaries(summaries)


def add_summaries(summaries):
    """The sum of several summaries."""
    total = {}
    for summary in summaries:
        for kind, counts in summary.items():
            sums = total.setdefault(kind, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] = round(sums[key] + count, 4)
    return {kind: total[kind] for kind in KINDS + ("all",) if kind in total}


def list_mistakes(decisions):
    """Indices of the decisions with a loss, in points with a class of LIMITS, the worst first; see rank_mistake."""
    wrong = [index for index, decision in enumerate(decisions)
             if decision["agreement"] in ("kind", "other") and decision["class"] != "good"
             and (decision["loss"] is None or decision["loss"] >= LEAST_LOSS)]
    return sorted(wrong, key=lambda index: rank_mistake(decisions[index]))


def rank_mistake(decision):
    """Sort key of a mistake: missed wins without a loss, other mistakes without one, then the greatest loss.

    Without a loss, a stronger preference of the reviewer is worse.
    """
    is_win, values = "HU" in (decision["logged"], decision["chosen"]), dict(decision["ranked"])
    gap = decision["loss"] or values.get(decision["chosen"], 0.0) - values.get(decision["logged"], 0.0)
    return decision["loss"] is not None, not is_win, -gap
