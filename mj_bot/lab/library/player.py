"""A player over any choice of games: results, leaks in points, and where they happen, for the player's page."""

import json
import pathlib
import time
from typing import NamedTuple, Optional

import numpy as np

from ..page import build_document
from ..table.fan_names import ENGLISH_FANS
from .figures import FIGURE_INDEX, FIGURES, GROUPS
from .leaks import LEAKS
from .pages import LIBRARY_WORDS
from .sessions import share_places
from .store import Library, LibraryError

_FOLDER = pathlib.Path(__file__).parent
# Of the normal distribution, for intervals of 95%.
_WIDTH = 1.96
_MOST_EXAMPLES, _MOST_SESSIONS, _MOST_OPPONENTS, _MOST_POINTS, _MOST_FANS = 5, 60, 30, 300, 24
# Key, figure, and the figure by which its games are chosen; "" for all games.
_RESULTS = (
    ("score", "score", ""), ("wins", "won", ""), ("self_draws", "self_drawn", "won"), ("deal_ins", "dealt_in", ""),
    ("draws", "drawn_game", ""), ("fan_won", "fan_won", "won"), ("fan_paid", "fan_paid", "dealt_in"),
    ("ready_turn", "ready_turn", "ready_turn"), ("win_turn", "win_turn", "won"), ("claims", "claims", ""),
    ("concealed", "concealed", "won"), ("chased", "chased", ""), ("gave_up", "gave_up", ""), ("loss", "loss", ""),
    ("mistakes", "mistakes", ""), ("disputed", "disputed", ""))
# What the judge would do or expects at the same seats: key, figure, and the figure by which its games are chosen.
_JUDGED = {"claims": ("judge_claims", ""), "wins": ("win_forecast", "has_forecast")}


class GameChoice(NamedTuple):
    """Which games of a player count."""

    platform: str = ""  # "" for all
    after: str = ""  # the first day, as 2026-01-31; "" for any
    before: str = ""  # the last day
    last: Optional[int] = None  # the latest games alone
    against: str = ""  # a name; games with this player alone


def describe_player(library: Library, name: str, choice: GameChoice) -> dict:
    """Returns what player.js shows of a player.

    names           of the person, the person's own first
    choice          of GameChoice; platforms, opponents: names to choose from
    games, waiting  number of the games, and of the library's games without a review
    results         [key of _RESULTS, [mean, low, high] or null, mean of the others at the same tables, the judge's]
    curve           [seconds since 1970, total points] after some games
    sessions        [title, time, total points, placing points] of whole sessions, the latest first
    fans            [fan, wins with it], the most frequent first
    leaks           {"leak", "points": [mean, low, high] a hand, "others", "count", "halves": [first, second, whether
                    they differ], "distance": [shanten, count of it] of most of them, "plans": [fan, points a hand],
                    "worst": {"game", "seat", "frame", "logged", "chosen", "loss", "time"}}, the largest first
    groups          {axis of figures.GROUPS: [group, [points per 100 decisions, low, high], others, decisions]}

    Raises LibraryError: no such player. MahjongError: a day that is none.
    """
    names = library.list_names(name)
    if not names:
        raise LibraryError("expected a player of the library, got %r" % name)
    with library.open() as db:
        own = _list_ids(db, name)
        wanted, values = _select_games(db, own, choice)
        # One table for all queries; SQLite would choose the games again for each.
        db.execute("CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY)")
        db.execute("INSERT INTO chosen SELECT games.id FROM games WHERE " + wanted, values)
        rows = db.execute(
            "SELECT games.id, games.time, games.session, games.hands, seats.player, seats.figures FROM games "
            "JOIN seats ON seats.game = games.id WHERE games.id IN chosen ORDER BY games.time, games.hand, games.id"
        ).fetchall()
        people = dict(db.execute("SELECT id, person FROM players"))
        named = dict(db.execute("SELECT id, name FROM players"))
        figures = np.frombuffer(b"".join(row[5] for row in rows), np.float32).reshape(-1, len(FIGURES)).astype(float)
        is_own = np.array([row[4] in own for row in rows], bool)
        return {
            "names": names, "choice": choice._asdict(), "games": int(is_own.sum()),
            "waiting": db.execute("SELECT count(*) FROM games WHERE tactic IS NULL").fetchone()[0],
            "platforms": [row[0] for row in db.execute("SELECT DISTINCT platform FROM games ORDER BY platform")],
            "opponents": _list_opponents(rows, people, named, own=own),
            "results": _describe_results(figures, is_own), "curve": _describe_curve(rows, figures, is_own),
            "sessions": _describe_sessions(db, rows, figures, own=own), "fans": _count_fans(db, own),
            "leaks": _describe_leaks(db, own, figures, is_own=is_own),
            "groups": {axis: _describe_groups(figures, is_own, axis) for axis in GROUPS if axis != "leak"},
        }


def _list_ids(db, name):
    return {row[0] for row in db.execute(
        "SELECT id FROM players WHERE person = (SELECT person FROM players WHERE name = ?)", (name,))}


def _select_games(db, own, choice):
    """Returns the SQL condition on the table games of a GameChoice, and its values."""
    tests, values = ["games.id IN (SELECT game FROM seats WHERE player IN (%s))" % _mark(own)], [*own]
    if choice.platform:
        tests.append("games.platform = ?")
        values.append(choice.platform)
    for day, test, more in ((choice.after, "games.time >= ?", 0), (choice.before, "games.time < ?", 1)):
        if day:
            tests.append(test)
            values.append(_parse_day(day, more))
    if choice.against:
        others = _list_ids(db, choice.against)
        tests.append("games.id IN (SELECT game FROM seats WHERE player IN (%s))" % _mark(others))
        values += others
    if choice.last:
        tests = ["games.id IN (SELECT games.id FROM games WHERE %s ORDER BY games.time DESC, games.id DESC LIMIT ?)"
                 % " AND ".join(tests)]
        values.append(choice.last)
    return " AND ".join(tests), values


def _mark(values):
    return ", ".join("?" * len(values))


def _parse_day(text, more):
    """Returns the seconds since 1970 at which a day begins, or `more` days later."""
    try:
        day = time.strptime(text, "%Y-%m-%d")
        return time.mktime((day.tm_year, day.tm_mon, day.tm_mday + more, 0, 0, 0, 0, 0, -1))
    except (ValueError, OverflowError):
        raise LibraryError("expected a day such as 2026-01-31, got %.40r" % text) from None


def measure_mean(values: np.ndarray) -> Optional[list]:
    """Returns [mean, low, high] with the interval of 95%, [mean] of fewer than two values, None of none.

    >>> measure_mean(np.array([1.0, 2.0, 3.0])), measure_mean(np.array([]))
    ([2.0, 0.8684, 3.1316], None)
    """
    if not len(values):
        return None
    mean = float(values.mean())
    if len(values) < 2:
        return [round(mean, 4)]
    error = _WIDTH * float(values.std(ddof=1)) / len(values) ** 0.5
    return [round(mean, 4), round(mean - error, 4), round(mean + error, 4)]


def _describe_results(figures, is_own):
    results = []
    for key, name, chosen in _RESULTS:
        judged = _JUDGED.get(key)
        results.append([key, measure_mean(_pick(figures[is_own], name, chosen)),
                        (measure_mean(_pick(figures[~is_own], name, chosen)) or [None])[0],
                        (measure_mean(_pick(figures[is_own], *judged)) or [None])[0] if judged else None])
    return results


def _pick(figures, name, chosen):
    column = figures[:, FIGURE_INDEX[name]]
    return column[figures[:, FIGURE_INDEX[chosen]] > 0] if chosen else column


def _describe_curve(rows, figures, is_own):
    indices = np.flatnonzero(is_own)
    totals = figures[is_own, FIGURE_INDEX["score"]].cumsum()
    step = max(1, -(-len(indices) // _MOST_POINTS))
    shown = sorted({*range(0, len(indices), step), len(indices) - 1} - {-1})
    return [[round(rows[indices[index]][1]), round(float(totals[index]), 1)] for index in shown]


def _describe_sessions(db, rows, figures, *, own):
    sessions = {}
    for row, score in zip(rows, figures[:, FIGURE_INDEX["score"]].tolist()):
        if row[2]:
            session = sessions.setdefault(row[2], {"games": set(), "hands": row[3], "time": row[1], "totals": {}})
            session["games"].add(row[0])
            player = 0 if row[4] in own else row[4]
            session["totals"][player] = session["totals"].get(player, 0) + score
    whole = [(session["time"], key) for key, session in sessions.items()
             if len(session["games"]) == session["hands"] and 0 in session["totals"] and len(session["totals"]) == 4]
    described = []
    for when, key in sorted(whole, reverse=True)[:_MOST_SESSIONS]:
        title, = db.execute("SELECT session_title FROM games WHERE session = ?", (key,)).fetchone()
        totals = sessions[key]["totals"]
        described.append([title, round(when), totals[0], share_places(totals[0], list(totals.values()))])
    return described


def _list_opponents(rows, people, named, *, own):
    counts = {}
    for row in rows:
        if row[4] not in own:
            counts[people[row[4]]] = counts.get(people[row[4]], 0) + 1
    return [named[person] for person in sorted(counts, key=lambda person: -counts[person])[:_MOST_OPPONENTS]]


def _count_fans(db, own):
    counts = {}
    for text, in db.execute(
            "SELECT fans FROM games JOIN seats ON seats.game = games.id AND seats.seat = games.winner "
            "WHERE seats.player IN (%s) AND fans IS NOT NULL AND games.id IN chosen" % _mark(own), [*own]):
        for _, _, name in json.loads(text):
            counts[name] = counts.get(name, 0) + 1
    return sorted(counts.items(), key=lambda item: -item[1])[:_MOST_FANS]


def _describe_leaks(db, own, figures, *, is_own):
    inside, values = "player IN (%s) AND leak IS NOT NULL AND game IN chosen" % _mark(own), [*own]
    distances, plans = {}, []
    for leak, shanten, count in db.execute(
            "SELECT leak, shanten, count(*) FROM decisions WHERE %s GROUP BY leak, shanten" % inside, values):
        distances.setdefault(leak, []).append([shanten, count])
    games = max(1, int(is_own.sum()))
    for plan, points in db.execute("SELECT plan, sum(loss) FROM decisions WHERE %s AND plan IS NOT NULL GROUP BY plan "
                                   "ORDER BY sum(loss) DESC" % inside, values):
        plans.append([plan, round(points / games, 4)])
    leaks = []
    for leak in LEAKS:
        losses = figures[is_own, FIGURE_INDEX["leak", leak, "loss"]]
        count = int(figures[is_own, FIGURE_INDEX["leak", leak, "count"]].sum())
        if not count:
            continue
        worst = db.execute(
            "SELECT key, seat, frame, logged, chosen, loss, time FROM decisions JOIN games ON games.id = game "
            "WHERE %s AND leak = ? ORDER BY loss DESC LIMIT ?" % inside, [*values, leak, _MOST_EXAMPLES]).fetchall()
        leaks.append({
            "leak": leak, "points": measure_mean(losses), "count": count,
            "others": (measure_mean(figures[~is_own, FIGURE_INDEX["leak", leak, "loss"]]) or [None])[0],
            "halves": _compare_halves(losses), "distance": max(distances[leak], key=lambda pair: pair[1]),
            "plans": plans if leak == "plan" else [],
            "worst": [dict(zip(("game", "seat", "frame", "logged", "chosen", "loss", "time"), row)) for row in worst]})
    return sorted(leaks, key=lambda leak: -leak["points"][0])


def _compare_halves(losses):
    """Returns [mean of the first half of the games, of the second half, whether they differ beyond chance]."""
    first, second = losses[:len(losses) // 2], losses[len(losses) // 2:]
    if len(first) < 2:
        return None
    error = _WIDTH * (first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second)) ** 0.5
    change = second.mean() - first.mean()
    return [round(float(first.mean()), 4), round(float(second.mean()), 4), bool(abs(change) > error)]


def _describe_groups(figures, is_own, axis):
    groups = []
    for group in GROUPS[axis]:
        counts, losses = (figures[:, FIGURE_INDEX[axis, group, what]] for what in ("count", "loss"))
        count, others = counts[is_own].sum(), counts[~is_own].sum()
        if count:
            rate = losses[is_own].sum() / count
            # The error of a ratio of sums, over games.
            error = _WIDTH * float(((losses[is_own] - rate * counts[is_own]) ** 2).sum()) ** 0.5 / count
            groups.append([group, [round(100 * float(figure), 3) for figure in (rate, rate - error, rate + error)],
                           round(100 * float(losses[~is_own].sum() / others), 3) if others else None, int(count)])
    return groups


def build_player_page(player: dict, base: Optional[str] = None) -> str:
    """Returns the page of describe_player as HTML. base: address of the server's first page; None for a file alone."""
    return build_document("player", _FOLDER, player["names"][0], dict(player, base=base, fan_names=ENGLISH_FANS),
                          words=LIBRARY_WORDS)
