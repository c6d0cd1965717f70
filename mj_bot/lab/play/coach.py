"""Judges a move before it is played, and counts the moves at which the coach stopped the game."""

from collections.abc import Callable

from ...mahjong.errors import IllegalActionError
from ..review.decisions import replay, review_decision
from ..review.judges import is_reusable, join_units, make_judges
from ..table.players import TIME_LIMIT
from ..table.record import Transcript

# Limits of the expected loss in points, above which the coach stops a move.
LEAST_LIMIT, MOST_LIMIT = 0.1, 100.0


class Coach(object):
    """Judges the moves of one session by several judges, as a review does.

    judges: specs, see review/judges.py. unit: of their values, "" before the first judge().
    stops: of one game, as JSON; clear() begins another.
    """

    def __init__(self, judges: str):
        self._judges = judges
        self._players = None  # TacticPlayers that answer every position as new ones would
        self.unit = ""
        self.clear()

    def clear(self):
        """Forgets all stops."""
        self.stops = []

    def judge(self, transcript: Transcript, request: str, text: str | None = None) -> dict:
        """Returns the reviewed decision of playing an action, as review/decisions.py describes it.

        transcript: of the person up to the request. text: the action as Botzone's text, None for no
            action yet.
        Raises TacticError, UnknownTacticError: a judge fails.
        """
        players = self._players or make_judges(self._judges, TIME_LIMIT)
        if all(is_reusable(player.tactic) for player in players):
            self._players = players
        self.unit = join_units(players)
        whole = Transcript([*transcript.requests, request], [*transcript.responses, *[text] * (text is not None)])
        opinions = [next(replay(whole, player, first=len(transcript.requests))) for player in players]
        return review_decision(*opinions)

    def check(self, sequence: int, text: str, limit: float, judge: Callable[[], dict]) -> dict | None:
        """Returns the decision of a move where its expected loss is above a limit in points, and counts it; else None.

        sequence: number of the state of the game. text: the action as Botzone's text. judge: returns the decision.
        Raises IllegalActionError: a limit outside LEAST_LIMIT .. MOST_LIMIT.
        """
        if not LEAST_LIMIT <= limit <= MOST_LIMIT:
            raise IllegalActionError("expected a limit of %s .. %s points, got %r", LEAST_LIMIT, MOST_LIMIT, limit)
        decision = judge()
        if decision["class"] is None or (decision["loss"] or 0.0) <= limit:
            return None
        self.stops = [stop for stop in self.stops if (stop["sequence"], stop["text"]) != (sequence, text)]
        self.stops.append({"sequence": sequence, "text": text, "loss": decision["loss"], "is_kept": False})
        return decision

    def note(self, sequence: int, text: str):
        """Notes that a move is played: a move that was stopped at this state of the game stands."""
        for stop in self.stops:
            stop["is_kept"] |= (stop["sequence"], stop["text"]) == (sequence, text)

    def describe(self) -> dict:
        """Returns {"stops", "kept", "lost", "saved"}.

        stops: number of moves that the coach stopped. kept: number of these that were played after the stop.
        lost: points that the kept moves lose. saved: points that the other stopped moves would have lost.
        """
        lost = sum(stop["loss"] for stop in self.stops if stop["is_kept"])
        return {"stops": len(self.stops), "kept": sum(stop["is_kept"] for stop in self.stops), "lost": round(lost, 2),
                "saved": round(sum(stop["loss"] for stop in self.stops) - lost, 2)}
