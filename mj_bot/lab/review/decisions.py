"""Reviews each decision of a seat in a recorded game by judges, as JSON, and adds the decisions up.

A reviewed decision has these keys:

    frame               index of its request
    claimed             name of the tile that may be claimed or won on, or null
    logged              action of the game as Botzone's text, null where the record ends before it
    judges              list of the opinion of each judge, see judges.py; the last one speaks
    chosen, ranked      of the judge that speaks
    agreement           of the judge who comes nearest to the game's action, see judges.py
    loss                the agreed loss, see judges.py; of one judge its loss; null where no judge has one
    uncertainty         of the loss of one judge, see judges.py; null for several judges: their agreed loss has it
                        subtracted
    class               of the loss, see judges.py; null without a loss in points
    disputed            whether a judge sees a mistake and another does not
    repeats             frame of the mistake that counts for this one too: the same wrong wait, or the same refused
                        kong, at another turn; else null
    forecast            {outcome: chance} of network.forward.OUTCOMES, by the first judge that has it, or null
    causes              of a loss of the speaking judge that reaches the least of LIMITS, if this judge is a search:
                        see causes.explain_loss; else []
    reasons             text by the judge that speaks; explanation: its figures, see tactic/__init__.py
    win_fan             of the win that was possible, or null
    shanten, eight      distances to ready and to eight fan of the hand before the action, see facts.py; on the seat's
                        own turn the least that a discard leaves
    chosen_facts, logged_facts
                        of the two actions, see facts.py; null for a logged action that is illegal or missing
    tiles               of each tile that may be discarded now, see Facts.list_discards; [] before a claim
    remarks             see remarks.py
    answers             of a decision in which a judge sees a mistake: the other choices, see answers.py; else []
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError, TacticError
from ...mahjong.state import GameState
from ...tactic.answer_check import read_remarks
from ..run.progress import Progress
from ..table.players import TacticPlayer
from ..table.record import Transcript
from .answers import list_answers
from .causes import compare_ways, explain_loss, list_choices
from .facts import Facts
from .judges import LEAST_LOSS, LIMITS, describe_opinion, estimate_uncertainty, join_opinions, measure_loss
from .remarks import complete_remarks, list_remarks

ACTION_VERBS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")
# A decision with a loss of HALF counts half for the accuracy.
HALF = 1.0


class JudgedDecision(NamedTuple):
    """Keeps a recorded decision with the answer of one judge, a tactic."""

    index: int  # of its request
    request: str
    legal: list  # of action tuples
    logged: Optional[tuple]  # action; None where the log ends before the answer
    chosen: tuple  # the tactic's action
    reasons: str  # of the tactic, see tactic/__init__.py
    ranked: list  # of the tactic: (action, value), the best first
    state: GameState  # changes when the next decision is read
    explanation: Optional[dict] = None
    unit: str = ""  # of the values
    causes: tuple = ()  # of the loss, see causes.explain_loss
    uncertainty: Optional[float] = None  # standard error of the loss
    error: tuple = ()  # value_error of the tactic
    explain: Optional[Callable] = None  # function(action) that returns (the causes of its loss, way)
    way: Optional[list] = None  # of a decision with causes: see causes.compare_ways

    def suppose(self, logged: Optional[tuple]) -> "JudgedDecision":
        """Returns the decision for another logged action, with the uncertainty and causes of its loss."""
        decision = self._replace(logged=logged, uncertainty=None, causes=(), way=None)
        loss = measure_loss(decision) or 0.0
        if decision.unit == "points" and loss > 0:
            decision = decision._replace(uncertainty=estimate_uncertainty(self.error, loss))
        if decision.unit == "points" and loss >= LIMITS[-1][1] and self.explain:
            causes, way = self.explain(logged)
            decision = decision._replace(causes=causes, way=way)
        return decision


def replay(transcript: Transcript, player: TacticPlayer, first: int = 0) -> Iterator[JudgedDecision]:
    """Yields a decision for each request of a transcript, from index `first` on, with two legal actions or more.

    player: a new one.
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


def _decide(player: TacticPlayer, state: GameState, legal: list[tuple], *, response: Optional[str], index: int,
            request: str) -> JudgedDecision:
    """Returns the decision of a player at a request. response: of the record, None where it ends before."""
    logged, chosen, tactic = _parse_logged(response, state), player.decide(legal, request), player.tactic
    choices = list_choices(tactic, state, legal)
    ranked, reasons, error = player.call(read_remarks, tactic, legal)
    ranked = [(choice.action, choice.points) for choice in choices] or ranked
    by_action = {choice.action: choice for choice in choices}

    def explain(action: tuple) -> list:
        return [compare(tactic, state, by_action[chosen], logged=by_action[action])
                for compare in (explain_loss, compare_ways)]

    return JudgedDecision(
        index, request, legal, logged, chosen, reasons, ranked, state, getattr(tactic, "explanation", None),
        getattr(tactic, "value_unit", ""), error=error, explain=explain if choices else None).suppose(logged)


def _parse_logged(response: Optional[str], state: GameState) -> Optional[tuple]:
    """Returns the action of a recorded response, None where there is none or it cannot be read."""
    if response is None:
        return None
    try:
        return parse_action(response, state.win_fan() if response == "HU" else 0)
    except IllegalActionError:
        return None  # state.answer names the error


def review_seat(
        transcript: Transcript, players: list[TacticPlayer], bar: Optional[Progress] = None) -> dict[str, Any]:
    """Returns the decisions of a transcript as {"unit", "decisions", "error", "summary", "mistakes", "disputed"}.

    players: of each judge, see judges.make_judges. bar: counts the decisions.
    unit: of the losses, may be "". error: None, or why the review ends early. For the others see describe_review.
    Raises TacticError: a tactic fails.
    """
    decisions, error = [], None
    try:
        for opinions in zip(*[replay(transcript, player) for player in players]):
            decisions.append(review_decision(*opinions))
            if bar is not None:
                bar.update()
    except TacticError:
        raise
    except MahjongError as refusal:
        error = str(refusal)
    units = [getattr(player.tactic, "value_unit", "") for player in players]
    return describe_review(decisions, "points" if "points" in units else units[-1], error)


def describe_review(decisions: list[dict], unit: str, error: Optional[str] = None) -> dict[str, Any]:
    """Returns the object of review_seat, and marks the decisions that repeat a mistake.

    mistakes, disputed: see list_mistakes and list_disputed; both are without repeated ones. summary: see summarise.
    """
    _mark_repeats(decisions)
    return {"unit": unit, "decisions": decisions, "error": error, "summary": summarise(decisions),
            "mistakes": list_mistakes(decisions), "disputed": list_disputed(decisions)}


def review_decision(*opinions: JudgedDecision) -> dict[str, Any]:
    """Returns a reviewed decision. opinions: the decision as each judge made it; the last judge speaks."""
    *others, decision = opinions
    state, logged = decision.state, decision.logged
    source = Facts(state)
    tiles = source.list_discards() if state.is_my_turn else []
    actions = [decision.chosen] + [logged] * (logged in decision.legal) + [("PASS",)] * (not tiles)
    facts = {action: source.describe(action) for action in actions}
    reviewed = describe_decision(decision, state.last_tile, tiles, facts=facts, list_remarks=list_remarks,
                                 others=others)
    if logged in decision.legal and reviewed["judges"][-1]["class"] not in (None, "good"):
        reviewed["remarks"] = complete_remarks(
            reviewed["remarks"], source, decision.chosen, logged=logged, way=decision.way)
    reviewed["answers"] = list_answers(reviewed, opinions, source)
    return reviewed


def describe_decision(
        decision: JudgedDecision, claimed: Optional[str], tiles: list, *, facts: dict[tuple, dict],
        list_remarks: Callable, others: Sequence[JudgedDecision] = ()) -> dict[str, Any]:
    """Returns the reviewed decision by any rules, with the keys at the top of this file.

    claimed, tiles: values of these keys. facts: {action: its facts} of the chosen action, of the logged one where it is
    legal, and of PASS before a claim. list_remarks: function that makes the remarks from the JSON without them. others:
    of each judge that does not speak.
    """
    logged, chosen = decision.logged, decision.chosen
    judges = [describe_opinion(opinion) for opinion in (*others, decision)]
    reviewed = {
        "frame": decision.index, "claimed": claimed, "logged": logged and format_action(logged), "judges": judges,
        "chosen": judges[-1]["chosen"], "ranked": judges[-1]["ranked"],
        **join_opinions(judges, [opinion.unit for opinion in (*others, decision)]), "repeats": None,
        "forecast": next(filter(None, map(_read_forecast, (*others, decision))), None),
        "causes": list(decision.causes), "reasons": decision.reasons, "explanation": decision.explanation,
        "win_fan": next((action[1] for action in decision.legal if action[0] == "HU"), None),
        "shanten": _least([tile[4] for tile in tiles] or [facts["PASS",]["shanten"]]),
        "distance_to_8_fan": _least([tile[2] for tile in tiles] or [facts["PASS",]["distance_to_8_fan"]]),
        "chosen_facts": facts[chosen], "logged_facts": facts.get(logged), "tiles": tiles, "answers": [],
    }
    reviewed["remarks"] = list_remarks(reviewed)
    return reviewed


def _read_forecast(decision: JudgedDecision) -> Optional[dict[str, float]]:
    """Returns the chances of the game's outcomes in the explanation of a tactic such as cnn; None without them."""
    outcomes = (decision.explanation or {}).get("outcomes")
    return outcomes and {name: round(chance, 4) for name, chance in outcomes}


def _least(distances: list) -> Optional[int]:
    """Returns the least of some distances that are known, None where none is."""
    return min((distance for distance in distances if distance is not None), default=None)


def summarise(decisions: list[dict]) -> dict[str, dict]:
    """Adds up the decisions with a logged action, by its kind and over all.

    Returns {"PLAY": {"decisions", "same", "kind", "loss", "missed", "credit", "inaccuracy", "mistake", "blunder",
    "disputed"}, ..., "all": ...}. kind: same actions and other actions of the same kind. loss: in the review's unit.
    missed: decisions whose loss is unknown. credit: the sum of 1 for each good decision and of 0.5 ** (loss / HALF) for
    each decision with a class of LIMITS. credit / (decisions - missed) is the accuracy. The last four: decisions of
    these classes, and disputed ones. A repeated mistake counts as a good decision without a loss.
    """
    summaries = []
    for decision in decisions:
        agreement, loss, grade = (decision[key] for key in ("agreement", "loss", "class"))
        if agreement is not None:
            is_counted = decision["repeats"] is None
            grade = grade if is_counted or grade is None else "good"
            counts = {"decisions": 1, "same": int(agreement == "same"), "kind": int(agreement != "other"),
                      "loss": loss or 0.0 if is_counted else 0.0, "missed": int(loss is None),
                      "credit": 0.0 if grade is None else 1.0 if grade == "good" else 0.5 ** (loss / HALF),
                      **{name: int(grade == name) for name, _ in reversed(LIMITS)},
                      "disputed": int(decision["disputed"] and is_counted)}
            summaries.append({decision["logged"].split(" ")[0]: counts, "all": counts})
    return add_summaries(summaries)


def add_summaries(summaries: Iterable[dict]) -> dict[str, dict]:
    """Returns the sum of several summaries, of summarise."""
    total = {}
    for summary in summaries:
        for verb, counts in summary.items():
            sums = total.setdefault(verb, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] = round(sums[key] + count, 4)
    return {verb: total[verb] for verb in ACTION_VERBS + ("all",) if verb in total}


def list_mistakes(decisions: list[dict]) -> list[int]:
    """Returns the indices of the mistakes by _is_mistake, without repeated ones; the worst is first."""
    wrong = [index for index, decision in enumerate(decisions) if decision["repeats"] is None and _is_mistake(decision)]
    return sorted(wrong, key=lambda index: rank_mistake(decisions[index]))


def _is_mistake(decision: dict) -> bool:
    """Checks whether the judges agree that another action was better.

    A loss in points must have a class of LIMITS, any other loss must reach LEAST_LOSS. An unknown loss counts too.
    """
    return (decision["agreement"] in ("kind", "other") and decision["class"] != "good"
            and (decision["loss"] is None or decision["loss"] >= LEAST_LOSS))


def list_disputed(decisions: list[dict]) -> list[int]:
    """Returns the indices of the disputed decisions, the greatest loss of any judge first."""
    disputed = [index for index, decision in enumerate(decisions)
                if decision["disputed"] and decision["repeats"] is None]
    return sorted(disputed, key=lambda index: -rank_dispute(decisions[index]))


def rank_dispute(decision: dict) -> float:
    """Returns the greatest loss that a judge sees in a decision."""
    return max((judge["loss"] or 0.0 for judge in decision["judges"]), default=0.0)


def _mark_repeats(decisions: list[dict]) -> None:
    """Sets "repeats" of a mistake that is made at several turns: only the one with the greatest loss counts."""
    groups = {}
    for decision in decisions:
        error = _name_lasting_error(decision)
        if error and (_is_mistake(decision) or decision["disputed"]):
            groups.setdefault(error, []).append(decision)
    for group in groups.values():
        counted = max(group, key=lambda decision: (decision["loss"] or 0.0, rank_dispute(decision), -decision["frame"]))
        for decision in group:
            if decision is not counted:
                decision["repeats"] = counted["frame"]


def _name_lasting_error(decision: dict) -> Any:
    """Names an error that lasts several turns: the wait of the hand, or the kong that is not made; None else."""
    chosen, logged = decision["chosen_facts"], decision["logged_facts"]
    verb = decision["chosen"].split(" ")[0]
    if logged is None or decision["frame"] is None:
        return None
    if verb in ("GANG", "BUGANG") and decision["tiles"]:
        return decision["chosen"]
    waits = [tuple(tile[0] for tile in facts["useful"]) for facts in (chosen, logged)]
    return waits[1] if logged["shanten"] == 0 and waits[0] != waits[1] else None


def rank_mistake(decision: dict) -> tuple:
    """Returns the sort key of a mistake, the worst first.

    Mistakes of unknown loss come first: those where one action is a win, then the others, the greatest difference of
    the speaking judge's values first. Mistakes of known loss follow in the same order.
    """
    is_win, values = "HU" in (decision["logged"], decision["chosen"]), dict(decision["ranked"])
    gap = decision["loss"] or values.get(decision["chosen"], 0.0) - values.get(decision["logged"], 0.0)
    return decision["loss"] is not None, not is_win, -gap
