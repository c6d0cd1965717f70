"""Describes a player over any choice of games: results, leaks in points, and where they happen.

The JSON that player.js shows has these keys:

    names           of the person, the person's own first
    choice          of GameChoice; platforms: names to choose from
    games, waiting  number of the games, and of the library's games without a review
    results         [key of _list_values, [mean, low, high] or null, mean of the others at the same tables, [mean, low,
                    high] of the judge on the same walls at the player's seats], [mean] alone where there are too few
                    events. The judge's is null for fewer than _LEAST_REPLAYS games
    replays         number of the games that have a replay
    judge           the judge with which the results are compared
    curve           [seconds since 1970, total points] after some games
    sessions        [title, time, total points, placing points] of whole sessions, the latest first
    told            the sentences that the figures carry, at most _MOST_TOLD: ["result", key of results], or ["leak",
                    index in leaks]. Each has LEAST_EVENTS events and an interval clear of the others', or of 0
    danger          [chance to deal in with a discard of the player, of the others], null for none
    places          number of whole sessions in which the player was first .. last
    fan_counts      number of wins of each group of _FAN_GROUPS
    fans            [fan, wins with it], the most frequent first
    leaks           groups of the axis "leak", the largest loss first, each with "distance": that of more than half of
                    its mistakes or null, and "plans": groups of the axis "plan" for the leak "plan", else []
    groups          {"turn", "distance": groups of this axis}

A group of an axis of figures.GROUPS is {"group", "points": [points, low, high], "others", "count", "worst": its
_MOST_EXAMPLES greatest losses as {"game", "seat", "frame", "logged", "chosen", "loss", "time"}}. Points: lost in a hand
by mistakes, or in 100 decisions of a turn or distance.
"""

import json
import math
import pathlib
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from sqlite3 import Connection
from typing import Any, NamedTuple, Optional

import numpy as np

from ...mahjong.rules import SEATS
from ..page import build_document
from ..table.fan_names import ENGLISH_FANS
from .figures import COMPARED, DISTANCES, FIGURE_INDEX, FIGURES, GROUPS, list_groups
from .intervals import LEAST_EVENTS, measure_mean, measure_rate, measure_share
from .library_file import LibraryError
from .library_pages import LIBRARY_WORDS
from .people import select_ids
from .sessions import share_places
from .store import Library

_FOLDER = pathlib.Path(__file__).parent
_SCRIPTS = ("player_state.js", "player_figures.js", "player_leaks.js", "player.js")
_MOST_EXAMPLES, _MOST_SESSIONS, _MOST_POINTS, _MOST_FANS = 5, 60, 300, 24
_WORST = 512  # mistakes of the greatest losses of each leak, among which the examples are
_EXAMPLE = ("seat", "frame", "logged", "chosen", "loss")  # of a mistake on the page
_MOST_TOLD, _LEAST_REPLAYS = 3, 100
_OWN = 0  # stands for the ids of the page's player
_FAN_GROUPS = (8, 10, 13, 17, 25, 33, 49)  # the first number of fan of each
_SHARES = ("wins", "deal_ins", "paid", "draws", "claimed", "ready")
_COMPARED = ("deal_ins", "wins", "claimed", "ready", "lost")  # the results of which a sentence may tell


class GameChoice(NamedTuple):
    """Says which games of a player count."""

    platform: str = ""  # "" for all
    after: str = ""  # the first day, as 2026-01-31; "" for any
    before: str = ""  # the last day
    last: Optional[int] = None  # the latest games alone


def describe_player(library: Library, name: str, choice: GameChoice) -> dict:
    """Returns what player.js shows of a player, by the keys at the top of this file.

    Raises LibraryError: an unknown player, or a text of `choice` that is not a day.
    """
    names = library.list_names(name)
    if not names:
        raise LibraryError("expected a player of the library, got %r", name)
    with library.open() as db:
        own = select_ids(db, name)
        _choose_games(db, own, choice)
        games = db.execute("SELECT id, time, session, hands, session_title, fans, key FROM games WHERE id IN chosen "
                           "ORDER BY time, hand, id").fetchall()
        seats = _read_seats(db, [row[0] for row in games], own)
        mine, others = (np.ascontiguousarray(seats.figures[of].T) for of in (seats.players == _OWN,
                                                                             seats.players != _OWN))
        sessions, (worst, distances) = _describe_sessions(games, seats), _read_mistakes(db, own, games)
        leaks = _describe_leaks(mine, others, worst, distances)
        results = _describe_results(mine, others, sessions)
        return {
            "names": names, "choice": choice._asdict(), "games": mine.shape[1],
            "waiting": db.execute("SELECT count(*) FROM games WHERE tactic IS NULL").fetchone()[0],
            "platforms": [row[0] for row in db.execute("SELECT DISTINCT platform FROM games ORDER BY platform")],
            "results": results,
            "told": _tell(results, leaks, mine.shape[1]), "danger": [_measure_danger(of) for of in (mine, others)],
            "places": np.bincount([min(SEATS - 1, int(rank) - 1) for *_, rank in sessions], minlength=SEATS).tolist(),
            "fan_counts": _count_fan(mine),
            "replays": int(_pick(mine, "has_replay").sum()),
            "judge": COMPARED,
            "curve": _describe_curve([games[index][1] for index in seats.games[seats.players == _OWN]], mine),
            "sessions": [session[:4] for session in sessions[:_MOST_SESSIONS]], "fans": _count_fans(games, seats),
            "leaks": leaks,
            "groups": {axis: _describe_groups(mine, others, axis, worst) for axis in ("turn", "distance")},
        }


class _Seats(NamedTuple):
    """Keeps the seats of some games, in the order of the games; there are N seats."""

    games: np.ndarray  # int[N], indices of the games
    players: np.ndarray  # int[N], ids; _OWN for the page's player
    figures: np.ndarray  # float32[N, len(FIGURES)]


def _read_seats(db: Connection, ids: list[int], own: str) -> _Seats:
    """Returns the seats of games with some ids. own: SQL of the ids of the page's player."""
    rows = db.execute("SELECT game, iif(player IN %s, %d, player), figures FROM seats WHERE game IN chosen" % (
        own, _OWN)).fetchall()
    indices = {row_id: index for index, row_id in enumerate(ids)}
    games, players = (np.array(column, int) for column in ([indices[row[0]] for row in rows], [row[1] for row in rows]))
    figures = np.frombuffer(b"".join([row[2] for row in rows]), np.float32).reshape(-1, len(FIGURES))
    # SQLite would sort rows with their figures, which takes longer than all else.
    order = np.argsort(games, kind="stable")
    return _Seats(games[order], players[order], figures[order])


def _choose_games(db: Connection, own: str, choice: GameChoice) -> None:
    """Makes a table `chosen` of the ids of games; SQLite would choose them again for each query."""
    db.execute("CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY)")
    db.execute(
        "INSERT INTO chosen SELECT id FROM games WHERE id IN (SELECT game FROM seats WHERE player IN %s) "
        "AND ? IN ('', platform) AND time >= ? AND time < ? ORDER BY time DESC, id DESC LIMIT ?" % own,
        (choice.platform, parse_day(choice.after) if choice.after else -math.inf,
         parse_day(choice.before, 1) if choice.before else math.inf, choice.last or -1))


def parse_day(text: str, more: int = 0) -> float:
    """Returns the seconds since 1970 at which a day begins, or `more` days later. Raises LibraryError: no day."""
    try:
        day = time.strptime(text, "%Y-%m-%d")
        return time.mktime((day.tm_year, day.tm_mon, day.tm_mday + more, 0, 0, 0, 0, 0, -1))
    except (ValueError, OverflowError):
        raise LibraryError("expected a day such as 2026-01-31, got %.40r", text) from None


def _list_values(get: Callable) -> dict[str, np.ndarray]:
    """Returns the values of each result. get: function(name of a figure of a game) that returns float[games]."""
    won, dealt_in, ready_turn = get("won"), get("dealt_in"), get("ready_turn")
    return {
        "score": get("score"), "wins": won, "deal_ins": dealt_in, "paid": get("paid") - dealt_in,
        "draws": get("drawn_game"), "claimed": get("claimed"), "ready": (ready_turn > 0).astype(float),
        "ready_turn": ready_turn[ready_turn > 0], "win_turn": get("win_turn")[won > 0],
        "fan_won": get("fan_won")[won > 0], "fan_paid": get("fan_paid")[dealt_in > 0],
        "lost": np.maximum(0.0, -get("score") * dealt_in)}


def _describe_results(mine: np.ndarray, others: np.ndarray, sessions: list[list]) -> list[list]:
    """Returns the results. mine, others: float32[len(FIGURES), games] of the player and of the others at the tables."""
    replayed = mine[:, mine[FIGURE_INDEX["has_replay"]] > 0]
    has_judge = replayed.shape[1] >= _LEAST_REPLAYS
    own, of_others = (_list_values(partial(_pick, figures)) for figures in (mine, others))
    of_judge = _list_values(lambda name: _pick(replayed, ("replay", name)))
    results = []
    for key, values in own.items():
        measure = measure_share if key in _SHARES else measure_mean
        results.append([key, measure(values), _mean(of_others[key]), measure(of_judge[key]) if has_judge else None])
    return results + [[key, measure_mean(np.array([session[column] for session in sessions])), None, None]
                      for key, column in (("place", 4), ("placing", 3))] + [
        ["loss", measure_mean(_pick(mine, "loss")), _mean(_pick(others, "loss")), None]]


def _tell(results: list[list], leaks: list[dict], games: int) -> list[list]:
    """Returns the sentences that the figures carry, by the key "told"."""
    told = [["result", key] for key, interval, others, _ in results
            if key in _COMPARED and others is not None and len(interval or ()) == 3
            and interval[0] * games >= LEAST_EVENTS and not interval[1] <= others <= interval[2]][:_MOST_TOLD - 1]
    told += [["leak", index] for index, leak in enumerate(leaks)
             if leak["count"] >= LEAST_EVENTS and len(leak["points"]) == 3]
    return told[:_MOST_TOLD]


def _pick(figures: np.ndarray, name: Any) -> np.ndarray:
    """Returns a figure as float64[games]."""
    return figures[FIGURE_INDEX[name]].astype(float)


def _mean(values: np.ndarray) -> Optional[float]:
    """Returns the mean of some values, None of none."""
    return round(float(values.mean()), 4) if len(values) else None


def _describe_curve(times: list[float], mine: np.ndarray) -> list[list]:
    """Returns [time, total points so far] after some of the player's games."""
    totals = _pick(mine, "score").cumsum()
    step = max(1, -(-len(times) // _MOST_POINTS))
    shown = sorted({*range(0, len(times), step), len(times) - 1} - {-1})
    return [[round(times[index]), round(float(totals[index]), 1)] for index in shown]


def _describe_sessions(games: list[tuple], seats: _Seats) -> list[list]:
    """Returns [title, time, total points, placing points, place] of whole sessions, the latest first.

    Players with equal scores share their places: two first ones are both at 1.5.
    """
    first = {session: (title, time, hands) for _, time, session, hands, title, *_ in reversed(games)}
    counts, totals = Counter(row[2] for row in games), {}  # {session: {player: total}}, the earliest first
    for index, player, score in zip(seats.games, seats.players, seats.figures[:, FIGURE_INDEX["score"]].tolist()):
        totals.setdefault(games[index][2], Counter())[player] += score
    described = []
    for session, by_player in reversed(totals.items()):
        title, when, hands = first[session]
        if session and counts[session] == hands and _OWN in by_player and len(by_player) == SEATS:
            own, all_totals = by_player[_OWN], list(by_player.values())
            above = sum(total > own for total in all_totals)
            described.append([title, round(when), own, share_places(own, all_totals),
                              above + (all_totals.count(own) + 1) / 2])
    return described


def _measure_danger(figures: np.ndarray) -> Optional[float]:
    """Returns the chance to deal in with a discard, None without discards."""
    count = _pick(figures, "discards").sum()
    return round(float(_pick(figures, "danger").sum() / count), 4) if count else None


def _count_fan(mine: np.ndarray) -> list[list[int]]:
    """Returns [first number of fan, number of the player's wins] of each of _FAN_GROUPS."""
    fan = np.maximum(_FAN_GROUPS[0], _pick(mine, "fan_won")[_pick(mine, "won") > 0])
    return [*map(list, zip(_FAN_GROUPS, np.histogram(fan, [*_FAN_GROUPS, np.inf])[0].tolist()))]


def _count_fans(games: list[tuple], seats: _Seats) -> list[tuple[str, int]]:
    """Returns (fan, wins of the player with it), the most frequent first."""
    has_won = (seats.players == _OWN) & (seats.figures[:, FIGURE_INDEX["won"]] > 0)
    return Counter(name for index in seats.games[has_won]
                   for _, _, name in json.loads(games[index][5] or "[]")).most_common(_MOST_FANS)


def _read_mistakes(db: Connection, own: str, games: list[tuple]) -> tuple[dict, dict]:
    """Returns {(axis, group): worst mistakes}, and {(leak, group of distance): count} of all mistakes."""
    chosen = "FROM decisions WHERE player IN %s AND leak IS NOT NULL AND game IN chosen" % own
    worst, distances = {}, Counter()
    for leak, steps, count in db.execute("SELECT leak, shanten, count(*) %s GROUP BY leak, shanten" % chosen):
        distances[leak, dict(list_groups(leak, None, 1, steps)).get("distance")] += count
    told_of_game = {row[0]: {"game": row[-1], "time": row[1]} for row in games}
    # The index has what the inner query asks for, so that few rows of the table are read.
    query = ("SELECT leak, plan, turn, shanten, game, %s FROM decisions JOIN (SELECT game, seat, frame %s AND leak = ? "
             "ORDER BY loss DESC LIMIT %d) USING (game, seat, frame)") % (
                 ", ".join("decisions." + name for name in _EXAMPLE), chosen, _WORST)
    rows = [row for leak in GROUPS["leak"] for row in db.execute(query, (leak,))]
    for leak, plan, turn, steps, game, *told in sorted(rows, key=lambda row: row[-1], reverse=True):
        for slot in list_groups(leak, plan, turn, steps):
            examples = worst.setdefault(slot, [])
            if len(examples) < _MOST_EXAMPLES:
                examples.append(dict(told_of_game[game], **dict(zip(_EXAMPLE, told))))
    return worst, distances


def _describe_leaks(mine: np.ndarray, others: np.ndarray, worst: dict, distances: dict) -> list[dict]:
    """Returns the value of the key "leaks". mine, others: float32[len(FIGURES), games]. worst: of _read_mistakes."""
    leaks, plans = (sorted(_describe_groups(mine, others, axis, worst), key=lambda group: -group["points"][0])
                    for axis in ("leak", "plan"))
    return [dict(leak, plans=plans if leak["group"] == "plan" else [], distance=next(
        (group for group in DISTANCES if 2 * distances[leak["group"], group] > leak["count"]), None)) for leak in leaks]


def _describe_groups(mine: np.ndarray, others: np.ndarray, axis: str, worst: dict) -> list[dict]:
    """Returns the groups of an axis in which the player has decisions."""
    groups = []
    for group in GROUPS[axis]:
        counts, losses, others_counts, others_losses = (
            _pick(figures, (axis, group, what)) for figures in (mine, others) for what in ("count", "loss"))
        if not counts.any():
            continue
        if axis in ("turn", "distance"):
            points, of_others = measure_rate(100 * losses, counts), measure_rate(100 * others_losses, others_counts)
        else:
            points, of_others = measure_mean(losses), measure_mean(others_losses)
        groups.append({"group": group, "points": points, "others": of_others and of_others[0],
                       "count": int(counts.sum()), "worst": worst.get((axis, group), [])})
    return groups


def build_player_page(player: dict, base: Optional[str] = None) -> str:
    """Returns the page of describe_player as HTML. base: address of the server's first page; None for a file alone."""
    return build_document("player", _FOLDER, player["names"][0], dict(player, base=base, fan_names=ENGLISH_FANS),
                          scripts=(*LIBRARY_WORDS, *_SCRIPTS))
