"""Adds several reviewed games up in one table: a row for each game, sessions, all mistakes and players."""

import os
from typing import Any, Optional, TypedDict

import numpy as np

from ...mahjong.rules import SEATS
from ..library.intervals import measure_mean
from ..library.leaks import name_leak, name_state
from ..library.sessions import share_places
from .decisions import rank_mistake
from .judges import split_judges

_MISTAKE_KEYS = ("frame", "claimed", "logged", "agreement", "loss", "class", "chance", "is_clear", "chosen",
                 "is_needless_danger")
# Where the points of a player come from; the last one: errors, penalties for false wins, and games without a known end.
SOURCES = ("discards", "self_draws", "deal_ins", "paid_self_draws", "paid_others", "penalties")


class OverviewSums(TypedDict):
    """Keeps the sums of several reviewed games, the JSON of the page of games."""

    said: dict  # {language: {text of an error: its translation}}.
    tactic: str  # The judges as the user typed them.
    judges: list  # The spec of each judge.
    unit: str  # Of the losses.
    # {"link", "name", "file", "wind", "players", "scores" or null, "losses": 4, "seat", "mistakes": 4, "error",
    # "session", "end": {"verdict", "seat", "from", "fan", "main_fan": the fan of most points or null} or null}.
    games: list
    mistakes: list  # {"game", "seat", "leak", "state"} and _MISTAKE_KEYS of the decision, the greatest loss first.
    deal_ins: list  # {"game", "seat"} and the keys of DealIn, the costliest first.
    # {"name", "games", "wins", "deal_ins", "score", "loss", "lost", "mistakes", "sources": of SOURCES}. wins, deal_ins,
    # score and loss are [mean of a game, low, high], [mean] of few games, or null; the others are sums. loss and lost
    # are null without a review that values moves, and mistakes without any review.
    players: list
    # {"title", "names", "games": indices, "players": as above with "places", [] without a score, "totals"}. places:
    # placing points, null until the session is whole. totals: of the four players before the first game and after each.
    sessions: list


class Overview:
    """Adds up games one by one and keeps a row of each. tactic: specs of the judges."""

    def __init__(self, tactic: str):
        self._tactic = tactic
        self._games = []
        self._sessions = {}  # {key of add: numbers of its games}
        self._mistakes = []  # (sort key, ..., mistake)
        self._deal_ins = []
        self._said = {}
        self._unit = ""

    def add(self, game: dict[str, Any], link: str, session: Optional[tuple] = None) -> int:
        """Counts a reviewed game, and returns the number of its session in the order of describe(), from 1 on.

        game: of games.review_game. link: address of its page. session: of game_content.read_session; the hands of a
        session come in their order. A game without a session has the number 0.
        """
        events = game["frames"][-1:]
        end = events[0]["event"] if events and events[0]["event"]["kind"] == "END" else None
        losses, mistakes = [None] * SEATS, [None] * SEATS
        for seat, review in game["reviews"].items():
            # A tactic that weighs nothing has no losses.
            unit = review["unit"]
            losses[seat] = review["summary"].get("all", {}).get("loss") if unit else None
            mistakes[seat] = len(review["mistakes"])
            self._unit = self._unit or unit
            self._deal_ins += [dict(dealt, game=len(self._games), seat=seat) for dealt in review["deal_ins"]]
            for index in review["mistakes"]:
                made = review["decisions"][index]
                described = dict({key: made[key] for key in _MISTAKE_KEYS}, game=len(self._games), seat=seat,
                                 leak=name_leak(made)[0], state=name_state(made))
                self._mistakes.append((rank_mistake(made), len(self._games), seat, index, described))
        for language, texts in game.get("said", {}).items():  # earlier versions had none
            self._said.setdefault(language, {}).update(texts)
        if session:
            self._sessions.setdefault(session, []).append(len(self._games))
        order = [None, *self._sessions].index(session)
        self._games.append({
            "link": link, "name": game["name"], "file": os.path.basename(game["where"]), "wind": game["wind"],
            "players": game["players"], "scores": end["scores"] if end else game["scores"], "losses": losses,
            "seat": game["seat"], "mistakes": mistakes, "error": game["error"],
            "session": game["session"],
            "end": end and dict({key: end.get(key) for key in ("verdict", "seat", "from", "fan")},
                                main_fan=_name_main_fan(end)),
        })
        return order

    def describe(self) -> OverviewSums:
        """Returns the sums of all games."""
        return {"said": self._said, "tactic": self._tactic, "unit": self._unit, "games": self._games,
                "players": self._list_players(),
                "sessions": list(map(self._describe_session, self._sessions.values())),
                "deal_ins": sorted(self._deal_ins, key=lambda dealt: dealt["points"] or 0),
                "mistakes": [entry for *_, entry in sorted(self._mistakes, key=lambda item: item[:-1])],
                "judges": split_judges(self._tactic)}

    def _describe_session(self, indices: list[int]) -> dict[str, Any]:
        """Returns a session of describe(). indices: of its games."""
        games = [self._games[index] for index in indices]
        last, hands = games[-1]["session"], games[-1]["session"].get("hands")
        scored = [game for game in games if game["scores"]]
        totals = _run_totals(games)
        players = [_sum_up(name, [(game, game["session"]["seats"].index(player)) for game in scored])
                   for player, name in enumerate(last["names"])] if scored else []
        for player, total in zip(players, totals[-1]):
            player["places"] = share_places(total, totals[-1]) if len(scored) == hands else None
        return {"title": last.get("title", ""), "games": indices, "players": players, "names": last["names"],
                "totals": totals}

    def _list_players(self) -> list[dict]:
        """Returns the figures of all players with a name, the one with the most points a game first."""
        seats_by_name = {}
        for game in self._games:
            for seat, name in enumerate(game["players"] if game["scores"] else ()):
                if name:
                    seats_by_name.setdefault(name, []).append((game, seat))
        return sorted((_sum_up(name, seats) for name, seats in seats_by_name.items()),
                      key=lambda player: -player["score"][0])


def _name_main_fan(end: dict) -> Optional[str]:
    """Returns "main_fan" of a game's last event."""
    return max(end.get("fans", ()), key=lambda fan: fan[0] * fan[1], default=[None])[-1]


def _run_totals(games: list[dict]) -> list[list[int]]:
    """Returns the "totals" of a session. Where a hand is missing, the next record gives the totals before it."""
    totals = [[0] * SEATS]
    for game in games:
        seats, before = game["session"]["seats"], game["session"].get("before")
        if before:
            totals[-1] = [before[seat] for seat in map(seats.index, range(SEATS))]
        totals.append([total + (game["scores"] or [0] * SEATS)[seats.index(player)]
                       for player, total in enumerate(totals[-1])])
    return totals


def _sum_up(name: str, seats: list[tuple[dict, int]]) -> dict[str, Any]:
    """Returns the figures of a player. seats: list of (game, seat), of games with scores."""
    losses = [game["losses"][seat] for game, seat in seats if game["losses"][seat] is not None]
    mistakes = [game["mistakes"][seat] for game, seat in seats if game["mistakes"][seat] is not None]
    ends = [(game["end"] if game["end"] and game["end"]["verdict"] == "HU" else None, seat) for game, seat in seats]
    sources = dict.fromkeys(SOURCES, 0)
    for game, seat in seats:
        penalty = (game["session"] or {}).get("penalties", [0] * SEATS)[seat]
        sources[_classify_source(game["end"], seat)] += game["scores"][seat] - penalty
        sources["penalties"] += penalty
    wins = [0.0 if end is None else end["seat"] == seat for end, seat in ends]
    deal_ins = [0.0 if end is None else end["from"] == seat for end, seat in ends]
    scores = [game["scores"][seat] for game, seat in seats]
    means = {"wins": wins, "deal_ins": deal_ins, "score": scores, "loss": losses}
    return {
        "name": name, "games": len(seats),
        **{key: measure_mean(np.array(values, float)) for key, values in means.items()},
        "lost": sum(losses) if losses else None,
        "mistakes": sum(mistakes) if mistakes else None,
        "sources": list(sources.values()),
    }


def _classify_source(end: Optional[dict], seat: int) -> str:
    """Returns to which of SOURCES a seat's score of a game belongs."""
    if not end or end["verdict"] != "HU":
        return "penalties"
    if end["seat"] == seat:
        return "self_draws" if end["from"] is None else "discards"
    if end["from"] is None:
        return "paid_self_draws"
    return "deal_ins" if end["from"] == seat else "paid_others"
