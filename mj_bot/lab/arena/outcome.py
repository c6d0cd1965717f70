"""How a game ended, as the referee and as the engine tell it. A new fact is a field of Outcome, filled in both ways."""

from typing import NamedTuple, Optional

from ...mahjong.rules import SEATS


class Outcome(NamedTuple):
    """How one game ended."""

    scores: list  # of the 4 seats
    claims: list  # of the 4 seats: chows, pungs and open kongs
    verdict: str  # as Referee has it
    winner: Optional[int]  # seat
    giver: Optional[int]  # seat; a self-draw has none
    culprit: Optional[int]  # seat that made an error
    fans: list  # as Referee has them


def read_referee(referee):
    """The Outcome of a Referee whose game is over."""
    is_win = referee.verdict == "HU"
    is_error = referee.verdict not in ("HU", "HUANG")
    claims = [sum(not meld.is_concealed for meld in melds) for melds in referee.melds]
    return Outcome(referee.scores, claims, referee.verdict, referee.culprit if is_win else None, referee.giver,
                   referee.culprit if is_error else None, referee.fans)


def read_result(result, fans):
    """The Outcome of a RESULT row of the engine.

    fans: {(place of the game, seat): fans of the win that the seat declared}.
    """
    from ..engine.games import CHOW_MADE, OPEN_KONG_MADE, PUNG_MADE  # with numba, which the referee does without

    winner, giver = int(result["winner"]), int(result["giver"])
    claims = [0] * SEATS
    for code in result["log"][:result["log_count"], 0].tolist():
        if code // SEATS in (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE):
            claims[code % SEATS] += 1
    scores = result["score"].tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", None, None, None, [])
    return Outcome(scores, claims, "HU", winner, None if giver == winner else giver, None,
                   fans[int(result["game"]), winner])
