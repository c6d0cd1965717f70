"""Stops moves that lose much before they are played, and counts them."""

from collections.abc import Sequence

from ...mahjong.errors import IllegalActionError

# Limits of the expected loss in points, above which the coach stops a move.
LEAST_LIMIT, MOST_LIMIT = 0.1, 100.0


def check_limit(limit: float) -> None:
    """Raises IllegalActionError: a limit outside LEAST_LIMIT .. MOST_LIMIT."""
    if not LEAST_LIMIT <= limit <= MOST_LIMIT:
        raise IllegalActionError("expected a limit of %s .. %s points, got %r", LEAST_LIMIT, MOST_LIMIT, limit)


class Coach(object):
    """Counts the stopped moves of one game. stops: these moves, as JSON."""

    def __init__(self, stops: Sequence[dict] = ()):
        self.stops = list(stops)

    def check(self, sequence: int, decision: dict, limit: float) -> bool:
        """Checks whether the move of a decision is stopped, since its expected loss is above a limit in points.

        sequence: number of the state of the game. decision: the move as review/decisions.py describes it.
        """
        text, loss = decision["logged"], decision["loss"]
        if decision["class"] is None or (loss or 0.0) <= limit:
            return False
        self.stops = [stop for stop in self.stops if (stop["sequence"], stop["text"]) != (sequence, text)]
        self.stops.append({"sequence": sequence, "text": text, "loss": loss, "is_kept": False})
        return True

    def note(self, sequence: int, text: str) -> None:
        """Notes that a move is played: a move that was stopped at this state of the game stands."""
        for stop in self.stops:
            stop["is_kept"] |= (stop["sequence"], stop["text"]) == (sequence, text)

    def describe(self) -> dict:
        """Returns the number of "stops", how many were "kept" (played after all), and the points "lost" and "saved"."""
        lost = sum(stop["loss"] for stop in self.stops if stop["is_kept"])
        return {"stops": len(self.stops), "kept": sum(stop["is_kept"] for stop in self.stops), "lost": round(lost, 2),
                "saved": round(sum(stop["loss"] for stop in self.stops) - lost, 2)}
