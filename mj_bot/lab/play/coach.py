"""Stops moves that lose much before they are played, and counts them."""

from collections.abc import Sequence

from ...mahjong.errors import IllegalActionError

_LEAST_LIMIT, _MOST_LIMIT = 0.1, 100.0


class Coach(object):
    """Counts the stopped moves of one game. stops: these moves, as JSON."""

    def __init__(self, stops: Sequence[dict] = ()):
        self.stops = list(stops)

    def check(self, sequence: int, decision: dict, limit: float) -> bool:
        """Checks whether the move of a decision is stopped, since its expected loss is above a limit in points.

        sequence: number of the state of the game. decision: the move as review/decisions.py describes it.
        Raises IllegalActionError: a limit outside 0.1 .. 100.
        """
        if not _LEAST_LIMIT <= limit <= _MOST_LIMIT:
            raise IllegalActionError("expected a limit of %s .. %s points, got %r", _LEAST_LIMIT, _MOST_LIMIT, limit)
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
