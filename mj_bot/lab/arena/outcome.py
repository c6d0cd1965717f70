"""How a game ended. A new fact is a field of Outcome, filled from the referee and from the engine."""

from typing import NamedTuple, Optional

import numpy as np

from ...mahjong.rules import SEATS


class Outcome(NamedTuple):
    """How one game ended."""

    scores: list  # of the 4 seats
    claims: list  # of the 4 seats: chows, pungs and open kongs
    verdict: str  # Referee.verdict
    winner: Optional[int]  # seat
    giver: Optional[int]  # seat; a self-draw has none
    culprit: Optional[int]  # seat that made an error
    fans: list  # Referee.fans


def read_referee(referee):
    """The Outcome of a Referee whose game is over."""
    is_win = referee.verdict == "HU"
    is_error = referee.verdict not in ("HU", "HUANG")
    claims = [sum(not meld.is_concealed for meld in melds) for melds in referee.melds]
    return Outcome(referee.scores, claims, referee.verdict, referee.culprit if is_win else None, referee.giver,
                   referee.culprit if is_error else None, referee.fans)


def read_row(result, fans):
    """The Outcome of an engine's RESULT row. fans: {(place of the game, seat): fans of the win that it declared}."""
    from ..engine.games import CHOW_MADE, OPEN_KONG_MADE, PUNG_MADE  # imports numba, which the referee does not need

    scores, winner, giver = result["score"].tolist(), int(result["winner"]), int(result["giver"])
    kinds, seats = np.divmod(result["log"][:result["log_count"], 0], SEATS)
    claims = np.bincount(seats[np.isin(kinds, (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE))], minlength=SEATS).tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", None, None, None, [])
    return Outcome(scores, claims, "HU", winner, None if giver == winner else giver, None,
                   fans[int(result["game"]), winner])
