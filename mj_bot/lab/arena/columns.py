"""Lists the columns of a result: the figures of each player and their formats.

A new column is a line of RESULT_COLUMNS. Its figure comes from a field of tally.Tally, which tally.count_game counts.
"""

import math
import textwrap
from typing import Any, Callable, NamedTuple

from ..table.fan_names import ENGLISH_FANS
from .tally import Tally


class Column(NamedTuple):
    """Describes a figure of a player."""

    key: str  # name of the figure in the JSON of a result
    compute: Callable[[Tally], Any]  # returns the figure, None if it would be a share of nothing
    spec: str = ""  # format of the figure
    head: str = ""  # head in the terminal, as wide as the column; "" hides the column there
    meaning: str = ""  # what the legend says about the head
    readme: str = ""  # head in the README's table; columns with the same head are joined
    readme_spec: str = ""  # format in the README's table, if it differs


RESULT_COLUMNS = (
    Column("wins", lambda tally: tally.wins),
    Column("win_rate", lambda tally: tally.wins / tally.games, ".1%", "   win", "games won", "wins"),
    Column("self_draw_rate", lambda tally: tally.self_draws / tally.games, ".1%", "  self", "games won by an own draw"),
    Column("deal_in_rate", lambda tally: tally.deal_ins / tally.games, ".1%", "dealin",
           "games in which another won on the player's discard", "deal-ins"),
    Column("draw_rate", lambda tally: tally.draws / tally.games, ".1%", "  draw", "games that nobody won"),
    Column("mean_fan", lambda tally: tally.fan / tally.wins if tally.wins else None, ".1f", "   fan", "fan of a win",
           "fan"),
    Column("claims_per_game", lambda tally: tally.claims / tally.games, ".2f", " claims",
           "chows, pungs and open kongs a game"),
    Column("illegal", lambda tally: sum(tally.failures.values()), "d", " illegal",
           "games lost by an illegal action, an error or no answer in time"),
    Column("failures", lambda tally: dict(sorted(tally.failures.items()))),
    Column("patterns", lambda tally: {
        ENGLISH_FANS.get(name, name): count for name, count in tally.patterns.most_common()}),
    Column("decisions", lambda tally: sum(tally.times.values())),
    Column("decision_ms_p50", lambda tally: tally.time_quantile(0.5), ".3g", "  ms p50",
           "milliseconds that half of the decisions did not exceed", "ms p50 / p99", ".1f"),
    Column("decision_ms_p99", lambda tally: tally.time_quantile(0.99), ".3g", "  ms p99",
           "milliseconds that 99% of them did not exceed", "ms p50 / p99", ".1f"),
    Column("memory_mb", lambda tally: tally.memory_mb, "d", "   MB", "largest memory of its process"),
)
LEGEND = "\n".join((
    "score: points a game. points: the four places of a wall get 4, 3, 2 and 1, the best 4. Elo: 400 more are odds of",
    "10 to 1 to score more in a game. (low .. high): 95% intervals.",
    *textwrap.wrap(" ".join(
        "%s: %s." % (column.head.strip(), column.meaning) for column in RESULT_COLUMNS if column.head), 120)))


def describe_confidence(interval: NamedTuple, name: str = "", has_ends: bool = True) -> dict:
    """Returns a ConfidenceInterval as a dict for JSON: name + "mean", "low" and "high", None without has_ends."""
    return {name + key: round_number(value) if has_ends or key == "mean" else None
            for key, value in interval._asdict().items()}


def round_number(value: Any) -> Any:
    """Returns a value for JSON: a float with four digits, None for NaN, and other values as they are."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else round(float(value), 4)


def format_number(value: float | None, spec: str) -> str:
    """Returns a number as text, "-" for None."""
    return "-" if value is None else format(value, spec)


def format_interval(figures: dict, name: str = "", spec: str = "+.2f") -> str:
    """Returns an interval as text, "+1.00 (+0.50 .. +1.50)". name: text before the keys mean, low and high."""
    mean, low, high = (figures[name + end] for end in ("mean", "low", "high"))
    text = format(mean, spec)
    return text if low is None else "%s (%s .. %s)" % (text, format(low, spec), format(high, spec))
