"""Counts a judge's forecasts of a game's end next to what happened, so that a reader sees how reliable the judge is.

Forecasts are counted in BINS equal bins of the chance, for each of FORECAST_KINDS:

    win     the seat wins
    pay     the seat pays the fan of a win: it gave the winning tile, or another seat drew it
"""

from collections.abc import Iterable
from typing import Optional

FORECAST_KINDS = ("win", "pay")
BINS = 10


def tally_forecasts(reviews: dict[int, dict], end: dict) -> Optional[dict[str, list]]:
    """Returns {kind: BINS lists [decisions, sum of the chances, how often it happened]}, or None without forecasts.

    reviews: {seat: review} of a game, of decisions.review_seat. end: the END event of the game, see page/position.py.
    A game without a known end has none.
    """
    forecasts = [(seat, decision["forecast"]) for seat, review in reviews.items()
                 for decision in review["decisions"] if decision["forecast"]]
    if not forecasts or end.get("verdict") not in ("HU", "HUANG"):
        return None
    tally = {name: [[0, 0.0, 0] for _ in range(BINS)] for name in FORECAST_KINDS}
    for seat, forecast in forecasts:
        has_winner = end["verdict"] == "HU"
        happened = {"win": has_winner and end["seat"] == seat,
                    "pay": has_winner and end["seat"] != seat and end["from"] in (None, seat)}
        for name, bins in tally.items():
            counts = bins[min(BINS - 1, int(BINS * forecast[name]))]
            counts[0] += 1
            counts[1] = round(counts[1] + forecast[name], 4)
            counts[2] += happened[name]
    return tally


def add_forecasts(tallies: Iterable[Optional[dict]]) -> Optional[dict[str, list]]:
    """Returns the sum of what tally_forecasts returned for several games; None where no game has forecasts."""
    tallies = [tally for tally in tallies if tally]
    if not tallies:
        return None
    return {name: [[round(sum(figures), 4) for figures in zip(*bins)] for bins in zip(*(
        tally[name] for tally in tallies))] for name in FORECAST_KINDS}
