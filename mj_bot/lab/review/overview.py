"""Several reviewed games in one table: a row a game, the worst mistakes of all, the players and their ratings."""

import heapq
import os

import numpy as np

from ...mahjong.rules import SEATS
from .decisions import rank_mistake

_WORST = 20
# Players with the most games get a rating; these many take some seconds.
_MOST_RATED = 30
_MISTAKE_KEYS = ("frame", "claimed", "logged", "chosen", "agreement", "loss")


class Overview(object):
    """Adds up games one by one and keeps a row of each. tactic: the reviewer's spec."""

    def __init__(self, tactic):
        self._tactic = tactic
        self._games = []
        self._worst = []  # heap of (sort key, the least of the worst first; ...; mistake)
        self._unit = ""

    def add(self, game, link):
        """Counts a game, as games.review_game returns it. link: address of its page."""
        events = game["frames"][-1:]
        end = events[0]["event"] if events and events[0]["event"]["kind"] == "END" else None
        losses = [None] * SEATS
        for seat, review in game["reviews"].items():
            # A tactic that weighs nothing has no losses.
            losses[seat] = review["summary"].get("all", {}).get("loss") if review["unit"] else None
            self._unit = self._unit or review["unit"]
            for index in review["mistakes"][:_WORST]:
                made = review["decisions"][index]
                entry = dict({key: made[key] for key in _MISTAKE_KEYS}, game=len(self._games), seat=seat)
                order = tuple(-value for value in rank_mistake(made))
                item = (order, -len(self._games), -seat, -index, entry)
                heapq.heappush(self._worst, item)
                if len(self._worst) > _WORST:
                    heapq.heappop(self._worst)
        self._games.append({
            "link": link, "name": game["name"], "file": os.path.basename(game["where"]), "wind": game["wind"],
            "players": game["players"], "scores": end["scores"] if end else game["scores"], "losses": losses,
            "error": game["error"],
            "end": end and {key: end.get(key) for key in ("verdict", "seat", "from", "fan")},
        })

    def describe(self):
        """The JSON that index.js shows:

        tactic, unit    the reviewer's spec, and the unit of its losses
        games           list of {"link", "name", "file", "wind", "players", "scores", "losses", "error",
                        "end": {"verdict", "seat", "from", "fan"} or null}; scores may be null, losses is a list of 4
        worst           list of mistakes, the greatest first: {"game", "seat", and _MISTAKE_KEYS of the decision}
        players         list of {"name", "games", "wins", "deal_ins", "score", "loss", "rating"}: shares of the games
                        and means a game; loss null without a review, rating [mean, low, high], [mean] of few games,
                        or null
        rated           whether the packages for ratings are installed
        """
        players, is_rated = self._rate()
        return {"tactic": self._tactic, "unit": self._unit, "games": self._games, "players": players,
                "worst": [item[-1] for item in sorted(self._worst, reverse=True)], "rated": is_rated}

    def _rate(self):
        """(players, whether the packages for ratings are installed)."""
        found = {}
        for game in self._games:
            for seat, name in enumerate(game["players"] if game["scores"] else ()):
                if name:
                    found.setdefault(name, []).append((game, seat))
        players = [_sum_up(name, seats) for name, seats in found.items()]
        players.sort(key=lambda player: -player["games"])
        try:
            from ..arena.verdict import ratings
        except ImportError:
            return players, False
        rated = players[:_MOST_RATED]
        if len(rated) > 1:
            for player, rating in zip(rated, ratings(self._count_wins([player["name"] for player in rated]))):
                player["rating"] = [round(figure) for figure in rating if figure == figure]  # not NaN
        return sorted(players, key=lambda player: -(player["rating"] or [-1e9])[0]), True

    def _count_wins(self, names):
        """float[games, P, P]: how often the first scored more than the second, a half for as much."""
        wins = np.zeros((len(self._games), len(names), len(names)))
        for number, game in enumerate(self._games):
            seats = [(names.index(name), score) for name, score in zip(game["players"], game["scores"] or ())
                     if name in names]
            for player, score in seats:
                for other, less in seats:
                    if player != other:
                        wins[number, player, other] += (score > less) + 0.5 * (score == less)
        return wins


def _sum_up(name, seats):
    """The figures of a player. seats: list of (game, seat)."""
    losses = [game["losses"][seat] for game, seat in seats if game["losses"][seat] is not None]
    wins = [(game["end"], seat) for game, seat in seats if game["end"] and game["end"]["verdict"] == "HU"]
    return {
        "name": name, "games": len(seats), "rating": None,
        "wins": sum(end["seat"] == seat for end, seat in wins) / len(seats),
        "deal_ins": sum(end["from"] == seat for end, seat in wins) / len(seats),
        "score": sum(game["scores"][seat] for game, seat in seats) / len(seats),
        "loss": sum(losses) / len(losses) if losses else None,
    }
