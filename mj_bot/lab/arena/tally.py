"""Counts how games ended. The counts of a player add up over games, walls and workers.

A new fact of a game is a field of Outcome, filled from the referee and from the engine.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Milliseconds are counted in bins of equal ratio, so a quantile is exact to half a bin, 2.3 percent.
_BINS_PER_DECADE = 50


@dataclass
class Tally:
    """Keeps the counts of a player over its seats. columns.py computes figures from them."""

    score: int = 0  # sum of the final points
    games: int = 0  # number of games, once for each of its seats
    wins: int = 0  # games won
    self_draws: int = 0  # games won on an own draw
    deal_ins: int = 0  # games in which it gave the winning tile
    fan: int = 0  # sum of the fan of its wins
    claims: int = 0  # chows, pungs and open kongs
    draws: int = 0  # games that nobody won
    memory_mb: int = 0  # peak memory of an outside bot's process
    failures: Counter = field(default_factory=Counter)  # {verdict: games that the player lost by an error}
    patterns: Counter = field(default_factory=Counter)  # {judge's name of the most valuable fan: wins}
    # {other player: 2 for each of its seats with a lower score in the same game, 1 for each with an equal score}
    outscored: Counter = field(default_factory=Counter)
    times: Counter = field(default_factory=Counter)  # {bin of the milliseconds: decisions}

    def add(self, other: "Tally") -> None:
        """Adds the counts of another Tally. Of memory_mb, which is a peak, the greater one is kept."""
        for name, value in vars(other).items():
            own = getattr(self, name)
            setattr(self, name, max(own, value) if name == "memory_mb" else own + value)

    def add_time(self, milliseconds: float, decisions: int = 1) -> None:
        """Counts decisions by their time. milliseconds: time of each. decisions: their number."""
        self.times[round(_BINS_PER_DECADE * math.log10(max(milliseconds, 1e-4)))] += decisions

    def time_quantile(self, share: float) -> float | None:
        """Returns the milliseconds that a share 0..1 of the decisions did not exceed; None without decisions."""
        rank = share * sum(self.times.values())
        for bin_number in sorted(self.times):
            rank -= self.times[bin_number]
            if rank <= 0:
                return 10 ** (bin_number / _BINS_PER_DECADE)
        return None

    def as_dict(self) -> dict:
        """Returns the fields that are not zero or empty, as a dict for JSON."""
        return {name: value for name, value in vars(self).items() if value}

    @classmethod
    def from_dict(cls, data: dict) -> "Tally":
        """Returns the Tally of a dict that `as_dict` made and that was read from JSON, where all keys are texts."""
        return cls(**{name: Counter({int(key) if key.lstrip("-").isdecimal() else key: count
                                     for key, count in value.items()})
                      if isinstance(value, dict) else value for name, value in data.items()})


def sum_tallies(walls: list[list[Tally]]) -> list[Tally]:
    """Returns the Tally of each player over walls, a list of a Tally per player for each."""
    totals = [Tally() for _ in walls[0]]
    for wall in walls:
        for total, tally in zip(totals, wall):
            total.add(tally)
    return totals


def count_game(tallies: list[Tally], seating: list[int], outcome: "Outcome") -> None:
    """Adds one game to the tallies, one per player. seating: player in each of the four seats."""
    for player, score, claims in zip(seating, outcome.scores, outcome.claims):
        tally = tallies[player]
        tally.games += 1
        tally.score += score
        tally.claims += claims
        tally.draws += outcome.verdict == "HUANG"
        for other, other_score in zip(seating, outcome.scores):
            if other != player and other_score <= score:
                tally.outscored[other] += 1 + (other_score < score)
    if outcome.culprit is not None:
        tallies[seating[outcome.culprit]].failures[outcome.verdict] += 1
    if outcome.winner is not None:
        winner = tallies[seating[outcome.winner]]
        winner.wins += 1
        winner.fan += sum(points * copies for points, copies, _ in outcome.fans)
        winner.patterns[max(outcome.fans, key=lambda fan: fan[0] * fan[1])[2]] += 1
        if outcome.giver is None:
            winner.self_draws += 1
        else:
            tallies[seating[outcome.giver]].deal_ins += 1


class Outcome(NamedTuple):
    """Keeps how one game ended."""

    scores: list[int]  # final points of the four seats
    claims: list[int]  # number of chows, pungs and open kongs of the four seats
    verdict: str  # "HU" for a win, "HUANG" if nobody won, else the judge's name of the error
    winner: int | None  # seat that won, None if nobody won
    giver: int | None  # seat that gave the winning tile, None for a self-draw or if nobody won
    culprit: int | None  # seat that made an error, None without an error
    fans: list[tuple[int, int, str]]  # (points, copies, judge's name) of each fan of the win


def read_referee(referee: Any) -> Outcome:
    """Returns the Outcome of a game that a referee has finished."""
    is_win = referee.verdict == "HU"
    is_error = referee.verdict not in ("HU", "HUANG")
    claims = [sum(not meld.is_concealed for meld in melds) for melds in referee.melds]
    return Outcome(referee.scores, claims, referee.verdict, referee.culprit if is_win else None, referee.giver,
                   referee.culprit if is_error else None, referee.fans)


def read_row(result: Any, fans: dict) -> Outcome:
    """Returns the Outcome of a game that the engine has finished.

    result: row of Engine.finished. fans: {(index of the game, seat): fans of the win that it declared}.
    """
    from ..engine.game_rows import count_claims  # This imports numba, which the referee does not need.

    scores, winner, giver = result["score"].tolist(), int(result["winner"]), int(result["giver"])
    claims = count_claims(result).tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", None, None, None, [])
    return Outcome(scores, claims, "HU", winner, None if giver == winner else giver, None,
                   fans[int(result["game"]), winner])
