"""Reviews each decision of a seat in a recorded game by judges, as JSON, and adds the decisions up."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError, TacticError
from ...mahjong.state import GameState
from ...tactic.answer_check import read_remarks
from ..fit.joint_value import compute_accuracy
from ..run.progress import Progress
from ..table.players import TacticPlayer
from ..table.record import Transcript
from .answers import list_answers
from .causes import compare_ways, explain_loss, list_choices
from .dangers import find_needless
from .facts import Facts
from ..page.constants import LEAST_LOSS
from .judges import LIMITS, JudgeOpinion, Measure, Verdict, describe_opinion, format_ranked, join_judges, join_units
from .remarks import add_needless, complete_remarks, list_remarks

ACTION_VERBS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")
_KONGS = ("GANG", "BUGANG")


class ReviewedDecision(Measure):
    """Keeps a decision of a seat and what the judges say of it, with the Measure of the action of the game."""

    frame: Optional[int]  # Index of its request.
    claimed: Optional[str]  # Name of the tile that may be claimed or won on.
    logged: Optional[str]  # Action of the game as Botzone's text, None where the record ends before it.
    judges: list[JudgeOpinion]  # What each judge thinks by its own values.
    chosen: str  # The best action by the one value of all judges.
    ranked: list  # [[action, value], ...] by this value, the best first.
    repeats: Optional[int]  # Frame of the decision that counts for this one too.
    is_needless_danger: bool  # Whether another discard is safer, worth more and as good.
    forecast: Optional[dict]  # {outcome: chance} of network.forward.OUTCOMES, by the first judge that has it.
    causes: list  # Why the action loses points by `search`, for losses from the lowest of LIMITS on; else [].
    reasons: str  # Text by the last judge about its own choice.
    explanation: Optional[dict]  # The figures of its reasons.
    win_fan: Optional[int]  # Of the win that was possible.
    shanten: Optional[int]  # Distance to ready before the action; on the own turn the least that a discard leaves.
    distance_to_8_fan: Optional[int]  # Distance to eight fan before the action, counted in the same way.
    chosen_facts: dict  # The ActionFacts of the best action.
    logged_facts: Optional[dict]  # Those of the game's action, None where it is illegal or missing.
    tiles: list  # Of Facts.list_discards, each tile that may be discarded now; [] before a claim.
    answers: list  # The OtherAnswers of a mistake; else [].
    remarks: list  # Of list_remarks.


class JudgedDecision(NamedTuple):
    """Keeps a recorded decision with the answer of one judge, a tactic."""

    index: int  # of its request
    request: str
    legal: list  # of action tuples
    logged: Optional[tuple]  # action; None where the log ends before the answer
    chosen: tuple  # the tactic's action
    reasons: str  # of the tactic, in words
    ranked: list  # of the tactic: (action, value), the best first
    state: GameState  # changes when the next decision is read
    name: str = ""  # spec of the tactic
    explanation: Optional[dict] = None
    unit: str = ""  # of the values
    error: tuple = ()  # value_error of the tactic
    explain: Optional[Callable] = None  # function(better, worse action) that returns (causes of the loss, way)


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

    def explain(better: tuple, worse: tuple) -> list:
        return [compare(tactic, state, by_action[better], logged=by_action[worse])
                for compare in (explain_loss, compare_ways)]

    return JudgedDecision(
        index, request, legal, logged, chosen, reasons, ranked, state, player.name,
        getattr(tactic, "explanation", None), getattr(tactic, "value_unit", ""), error=error,
        explain=explain if choices else None)


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
    """Returns the review of a seat as {"unit", "decisions", "error", "accuracy", "summary", "mistakes"}.

    players: one for each judge. bar: advances with each decision.
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
        error = refusal
    return describe_review(decisions, join_units(players), error)


def describe_review(decisions: list[dict], unit: str, error: Optional[MahjongError] = None) -> dict[str, Any]:
    """Returns the object of review_seat, and marks the decisions that repeat a mistake.

    accuracy: see joint_value.compute_accuracy; None without losses in points. mistakes: see list_mistakes. summary: see
    summarise_decisions.
    """
    mark_repeats(decisions)
    summary = summarise_decisions(decisions)
    known = sum(decision["agreement"] is not None and decision["loss"] is not None for decision in decisions)
    accuracy = compute_accuracy(summary["all"]["loss"] / known) if unit == "points" and known else None
    return {"unit": unit, "decisions": decisions, "error": error, "accuracy": accuracy, "summary": summary,
            "mistakes": list_mistakes(decisions)}


def review_decision(*opinions: JudgedDecision) -> ReviewedDecision:
    """Returns a reviewed decision. opinions: the decision as each judge made it."""
    decision = opinions[-1]
    state, logged = decision.state, decision.logged
    source = Facts(state)
    tiles = source.list_discards() if state.is_my_turn else []
    before = {} if tiles else {("PASS",): source.describe(("PASS",))}
    verdict = join_judges(opinions, is_ready=_measure_before(tiles, before, 4, "shanten") <= 0)
    actions = [verdict.chosen] + [logged] * (logged in decision.legal)
    facts = {**before, **{action: source.describe(action) for action in actions}}
    causes, way = explain_verdict(opinions, verdict, logged)
    reviewed = describe_decision(opinions, verdict, state.last_tile, tiles=tiles, facts=facts,
                                 list_remarks=list_remarks, causes=causes)
    if logged not in decision.legal:
        return reviewed
    needless = find_needless(source, verdict.ranked, logged)
    if needless:
        reviewed.update(is_needless_danger=True, remarks=add_needless(reviewed["remarks"], needless))
    if is_mistake(reviewed):
        if reviewed["class"] is not None:
            reviewed["remarks"] = complete_remarks(reviewed["remarks"], source, verdict.chosen, logged=logged, way=way)
        reviewed["answers"] = list_answers(
            reviewed, opinions, verdict, source=source, explain=partial(explain_verdict, opinions, verdict))
    return reviewed


def describe_decision(
        opinions: Sequence[JudgedDecision], verdict: Verdict, claimed: Optional[str], *, tiles: list,
        facts: dict[tuple, dict], list_remarks: Callable, causes: Sequence = ()) -> ReviewedDecision:
    """Returns the reviewed decision by any rules.

    opinions: the decision as each judge made it. verdict: of all judges. claimed, tiles: values of these keys.
    facts: {action: its facts} of the chosen action, of the logged one where it is legal, and of PASS before a claim.
    list_remarks: function that makes the remarks from the JSON without them. causes: of the loss.
    """
    decision = opinions[-1]
    logged = decision.logged
    reviewed = {
        "frame": decision.index, "claimed": claimed, "logged": logged and format_action(logged),
        "judges": list(map(describe_opinion, opinions)),
        "chosen": format_action(verdict.chosen), "ranked": format_ranked(verdict.ranked), **verdict.measure(logged),
        "repeats": None, "is_needless_danger": False,
        "forecast": next(filter(None, map(_read_forecast, opinions)), None),
        "causes": list(causes),
        "reasons": decision.reasons, "explanation": decision.explanation,
        "win_fan": next((action[1] for action in decision.legal if action[0] == "HU"), None),
        "shanten": _measure_before(tiles, facts, 4, "shanten"),
        "distance_to_8_fan": _measure_before(tiles, facts, 2, "distance_to_8_fan"),
        "chosen_facts": facts[verdict.chosen], "logged_facts": facts.get(logged), "tiles": tiles, "answers": [],
    }
    reviewed["remarks"] = list_remarks(reviewed)
    return reviewed


def explain_verdict(opinions: Sequence[JudgedDecision], verdict: Verdict, action: Optional[tuple]) -> tuple:
    """Returns (causes, way) of what an action loses against the chosen one, by the last judge that explains losses.

    causes: see causes.explain_loss; [] for a loss below the least of LIMITS. way: see causes.compare_ways.
    """
    explainer = next((opinion for opinion in reversed(opinions) if opinion.explain), None)
    if not explainer or verdict.unit != "points" or (verdict.measure(action)["loss"] or 0.0) < LIMITS[-1][1]:
        return [], None
    return explainer.explain(verdict.chosen, action)


def _read_forecast(decision: JudgedDecision) -> Optional[dict[str, float]]:
    """Returns the chances of the game's outcomes in the explanation of a tactic such as cnn; None without them."""
    outcomes = (decision.explanation or {}).get("outcomes")
    return outcomes and {name: round(chance, 4) for name, chance in outcomes}


def _measure_before(tiles: list, facts: dict[tuple, dict], column: int, name: str) -> Optional[int]:
    """Returns a distance of the hand before the action: the least that a discard leaves, or that of PASS."""
    distances = [tile[column] for tile in tiles] or [facts["PASS",][name]]
    return min((distance for distance in distances if distance is not None), default=None)


def summarise_decisions(decisions: list[dict]) -> dict[str, dict]:
    """Adds up the decisions with a logged action, by its kind and over all.

    Returns {"PLAY": {"decisions", "same", "loss", "missed", "inaccuracy", "mistake", "blunder"}, ..., "all": ...}.
    loss: in the review's unit. missed: decisions whose loss is unknown. The last three: decisions of these classes. A
    repeated mistake counts as a good decision without a loss.
    """
    summaries = []
    for decision in decisions:
        agreement, loss = decision["agreement"], decision["loss"]
        if agreement is not None:
            is_counted = decision["repeats"] is None
            counts = {"decisions": 1, "same": int(agreement == "same"),
                      "loss": loss or 0.0 if is_counted else 0.0, "missed": int(loss is None),
                      **{name: int(is_counted and decision["class"] == name) for name, _ in reversed(LIMITS)}}
            summaries.append({decision["logged"].split(" ")[0]: counts, "all": counts})
    return add_summaries(summaries)


def add_summaries(summaries: Iterable[dict]) -> dict[str, dict]:
    """Returns the sum of several summaries, of summarise_decisions."""
    total = {}
    for summary in summaries:
        for verb, counts in summary.items():
            sums = total.setdefault(verb, dict.fromkeys(counts, 0))
            for key, count in counts.items():
                sums[key] = round(sums[key] + count, 4)
    return {verb: total[verb] for verb in ACTION_VERBS + ("all",) if verb in total}


def list_mistakes(decisions: list[dict]) -> list[int]:
    """Returns the indices of the mistakes by is_mistake, without repeated ones; the worst is first."""
    wrong = [index for index, decision in enumerate(decisions) if decision["repeats"] is None and is_mistake(decision)]
    return sorted(wrong, key=lambda index: rank_mistake(decisions[index]))


def is_mistake(decision: dict) -> bool:
    """Checks whether another action was better, by a class of LIMITS or LEAST_LOSS, or a needless danger was."""
    return decision["is_needless_danger"] or (
        decision["agreement"] in ("kind", "other") and decision["class"] != "good"
        and (decision["loss"] is None or decision["loss"] >= LEAST_LOSS))


def mark_repeats(decisions: list[dict]) -> None:
    """Sets "repeats" of mistakes of a seat that are made again to the frame of the one of them with the greatest loss.
    """
    groups = {}
    for decision in decisions:
        alternatives = _name_alternatives(decision)
        if alternatives and is_mistake(decision):
            groups.setdefault(alternatives, []).append(decision)
    for group in groups.values():
        counted = max(group, key=lambda decision: (decision["loss"] or 0.0, -decision["frame"]))
        for decision in group:
            if decision is not counted:
                decision["repeats"] = counted["frame"]


def _name_alternatives(decision: dict) -> Optional[tuple]:
    """Returns the two alternatives of a decision that may come again; None for a decision that comes once."""
    best, made = decision["chosen_facts"], decision["logged_facts"]
    if made is None or decision["frame"] is None:
        return None
    verbs = tuple(decision[key].split(" ")[0] for key in ("chosen", "logged"))
    # A kong that can be made now can be made at the next turn too.
    if verbs[0] in _KONGS and decision["tiles"]:
        return decision["chosen"], verbs[1]
    # A ready hand can change its wait at each turn.
    waits = tuple(tuple(tile[0] for tile in facts["useful"]) for facts in (best, made))
    is_wait = best["shanten"] == made["shanten"] == 0 and waits[0] != waits[1]
    return verbs + waits if is_wait else None


def rank_mistake(decision: dict) -> tuple:
    """Returns the sort key of a mistake: those of unknown loss first, then wins, then by greatest loss."""
    is_win, values = "HU" in (decision["logged"], decision["chosen"]), dict(decision["ranked"])
    gap = decision["loss"] or values.get(decision["chosen"], 0.0) - values.get(decision["logged"], 0.0)
    return decision["loss"] is not None, not is_win, -gap
