"""What a tactic thinks of each decision of a seat in a recorded game, as JSON, and what the decisions come to.

A decision:

    frame, request      index of its request, and the request
    logged, chosen      actions as Botzone's text: the game's (null where the record ends before it) and the tactic's
    agreement           "same", "kind" (the same kind of action), "other"; null without a logged action
    loss                what the tactic's value of the logged action lacks to its best, >= 0; null where it weighed
                        nothing and does otherwise, as it does where a win is missed
    ranked              list of [action, value], the best first
    reasons             the tactic's own words
    shanten             of the hand before the action, with its best discard where it is to discard
    chosen_leads, logged_leads
                        {"shanten", "useful": list of [tile name, copies unseen]} of the hand that the action leaves
    tiles               list of [tile name, danger, shanten, copies unseen that are useful then] of each tile that may
                        be discarded now; [] before a claim. danger: the chance that it is won on, 0..1
    aims                list of [pattern, tiles away] of the hand that the tactic's action leaves, see tactic/pattern
"""

from typing import NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.opening import hold_after, split_discard
from ...mahjong.shanten import discard_table, useful_tiles
from ...mahjong.state import GameState
from ...mahjong.tile import TILE_NAMES
from ...observation.encoder import encode_observation
from ...tactic.pattern.value import evaluate
from ...worth.constants import DANGER_WEIGHTS
from ...worth.danger import deal_in_chances
from ..table.players import TacticPlayer

KINDS = ("PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "PASS")
_AIMS = 3


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
    """The decisions of a transcript as {"unit", "decisions", "error"}.

    tactic: a tactic object, fit for a new game. notify: function called after each decision.
    unit: of the tactic's values, "" where it names none. error: None, or why the review ends early.
    """
    decisions = []
    review = {"unit": getattr(tactic, "value_unit", ""), "decisions": decisions, "error": None}
    try:
        for decision in replay(transcript, tactic):
            decisions.append(review_decision(decision))
            if notify:
                notify()
    except MahjongError as error:
        review["error"] = str(error)
    return review


def review_decision(decision):
    """A Decision as the JSON above."""
    state, logged, chosen = decision.state, decision.logged, decision.chosen
    leads = _Leads(state)
    ranked = [[format_action(action), round(value, 4)] for action, value in decision.ranked]
    tiles = []
    if state.is_my_turn:
        chances = deal_in_chances(encode_observation(state), DANGER_WEIGHTS)
        tiles = [
            [TILE_NAMES[tile], round(min(1.0, float(chances[tile])), 4), shanten, sum(state.unseen[t] for t in useful)]
            for tile, (shanten, useful) in leads.table(("PLAY",)).items()
        ]
    return {
        "frame": decision.index,
        "request": decision.request,
        "logged": logged and format_action(logged),
        "chosen": format_action(chosen),
        "agreement": compare(logged, chosen),
        "loss": _measure_loss(decision),
        "ranked": ranked,
        "reasons": decision.reasons,
        "shanten": min(tile[2] for tile in tiles) if tiles else leads.find(("PASS",))["shanten"],
        "chosen_leads": leads.find(chosen),
        "logged_leads": leads.find(logged) if logged in decision.legal else None,
        "tiles": tiles,
        "aims": leads.aims(chosen),
    }


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


class _Leads(object):
    """What the actions of a state lead to; each opening is looked at once."""

    def __init__(self, state):
        self._state = state
        self._tables = {}

    def table(self, opening):
        """discard_table of the hand after an opening that a discard ends."""
        if opening not in self._tables:
            counts, melds = hold_after(self._state, opening)
            self._tables[opening] = discard_table(counts, len(melds))
        return self._tables[opening]

    def find(self, action):
        """{"shanten", "useful"} after an action."""
        opening, discard = split_discard(action)
        if action[0] == "HU":
            return {"shanten": -1, "useful": []}
        if discard is not None:
            shanten, useful = self.table(opening)[discard]
        else:
            counts, melds = hold_after(self._state, opening)
            shanten, useful = useful_tiles(counts, len(melds))
        return {"shanten": shanten, "useful": [[TILE_NAMES[tile], self._state.unseen[tile]] for tile in useful]}

    def aims(self, action):
        """[[pattern, tiles away]] after an action."""
        if action[0] == "HU":
            return []
        opening, discard = split_discard(action)
        counts, melds = hold_after(self._state, opening)
        if discard is not None:
            counts[discard] -= 1
        values = evaluate(counts, melds, self._state.unseen, self._state.my_pid, self._state.prevalent_wind)
        return [[pattern, round(value / 1000, 2)] for value, pattern in values[:_AIMS]]


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


def list_mistakes(decisions, most=10):
    """Indices of the decisions with the greatest loss, the greatest first.

    Those without a number lead, and of these the ones that a win hangs on.
    """
    wrong = [index for index, decision in enumerate(decisions)
             if decision["agreement"] in ("kind", "other") and decision["loss"] != 0.0]
    wrong.sort(key=lambda index: _rank(decisions[index]))
    return wrong[:most]


def _rank(decision):
    is_win = "HU" in (decision["logged"], decision["chosen"])
    return decision["loss"] is not None, not is_win, -(decision["loss"] or 0.0)
