"""Describes a player over any choice of games: results, leaks in points, and where they happen.

The JSON that player.js shows has these keys:

    names           of the person, the person's own first
    choice          of GameChoice; platforms: names to choose from
    games, waiting  number of the games, and of the library's games without a review
    results         [key of _RESULTS, [mean, low, high] or null, mean of the others at the same tables, the same of the
                    judge on the same walls at the player's seats], [mean] alone where there are too few events. The
                    judge's is null for fewer than _LEAST_REPLAYS games
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
    leaks           {"leak", "points": [mean, low, high] a hand, "others", "count", "distance": [shanten, count of it]
                    of most of them, "plans", "worst": {"game", "seat", "frame", "logged", "chosen", "loss", "time"}},
                    the largest first
                    plans: of the leak "plan" {"plan": fan, "points", "others", "count", "worst"}, the largest first;
                    worst: of the _MOST_SORTED largest of its mistakes
    groups          {axis of figures.GROUPS: [group, [points per 100 decisions, low, high], others, decisions,
                    worst]}; worst: the value of this key of a leak
"""

import json
import pathlib
import time
from collections import Counter
from sqlite3 import Connection
from typing import Any, NamedTuple, Optional

import numpy as np

from ...mahjong.rules import SEATS
from ..page import build_document
from ..table.fan_names import ENGLISH_FANS
from .figures import COMPARED, DISTANCES, FIGURE_INDEX, FIGURES, GROUPS, TURNS, pick_group
from .intervals import LEAST_EVENTS, measure_mean, measure_rate, measure_share
from .leaks import LEAKS, PLANS
from .library_file import LibraryError
from .library_pages import LIBRARY_WORDS
from .people import list_ids, select_ids
from .sessions import share_places
from .store import Library

_FOLDER = pathlib.Path(__file__).parent
_SCRIPTS = ("player_state.js", "player_figures.js", "player_leaks.js", "player.js")
_MOST_EXAMPLES, _MOST_SESSIONS, _MOST_POINTS, _MOST_FANS = 5, 60, 300, 24
# The worst mistakes of each group of turns, distances and so on are found among this many of the largest mistakes.
_MOST_SORTED = 500
_EXAMPLE = ("game", "seat", "frame", "logged", "chosen", "loss", "time")  # of a mistake on the page
_MOST_TOLD, _LEAST_REPLAYS = 3, 100
_FAN_GROUPS = (8, 10, 13, 17, 25, 33, 49)  # the first number of fan of each
# The values of each result from function(name of a figure of the game), which returns float[games].
_RESULTS = {
    "score": lambda get: get("score"), "wins": lambda get: get("won"), "deal_ins": lambda get: get("dealt_in"),
    "paid": lambda get: get("paid") - get("dealt_in"), "draws": lambda get: get("drawn_game"),
    "claimed": lambda get: get("claimed"), "ready": lambda get: (get("ready_turn") > 0).astype(float),
    "ready_turn": lambda get: get("ready_turn")[get("ready_turn") > 0],
    "win_turn": lambda get: get("win_turn")[get("won") > 0], "fan_won": lambda get: get("fan_won")[get("won") > 0],
    "fan_paid": lambda get: get("fan_paid")[get("dealt_in") > 0],
    "lost": lambda get: np.maximum(0.0, -get("score") * get("dealt_in"))}
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
        wanted, values = _select_games(db, own, choice)
        # One table for all queries; SQLite would choose the games again for each.
        db.execute("CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY)")
        db.execute("INSERT INTO chosen SELECT games.id FROM games WHERE " + wanted, values)
        games = db.execute("SELECT id, time, session, hands, session_title, fans FROM games WHERE id IN chosen "
                           "ORDER BY time, hand, id").fetchall()
        seats = _read_seats(db, [row[0] for row in games], list_ids(db, name))
        mine, others = (np.ascontiguousarray(seats.figures[of].T) for of in (seats.is_own, ~seats.is_own))
        sessions, leaks = _describe_sessions(games, seats), _describe_leaks(db, own, mine, others=others)
        results = _describe_results(mine, others, sessions)
        return {
            "names": names, "choice": choice._asdict(), "games": mine.shape[1],
            "waiting": db.execute("SELECT count(*) FROM games WHERE tactic IS NULL").fetchone()[0],
            "platforms": [row[0] for row in db.execute("SELECT DISTINCT platform FROM games ORDER BY platform")],
            "results": results,
            "told": _tell(results, leaks, mine.shape[1]), "danger": [_measure_danger(of) for of in (mine, others)],
            "places": np.bincount([min(SEATS - 1, int(rank) - 1) for *_, rank in sessions], minlength=SEATS).tolist(),
            "fan_counts": [[first, int(count)] for first, count in zip(_FAN_GROUPS, _count_groups(mine))],
            "replays": int(_pick(mine, "has_replay").sum()),
            "judge": COMPARED,
            "curve": _describe_curve([games[index][1] for index in seats.games[seats.is_own]], mine),
            "sessions": [session[:4] for session in sessions[:_MOST_SESSIONS]], "fans": _count_fans(games, seats),
            "leaks": leaks,
            "groups": _list_groups(db, own, mine=mine, others=others),
        }


class _Seats(NamedTuple):
    """Keeps the seats of some games, in the order of the games; there are N seats."""

    games: np.ndarray  # int[N], indices of the games
    players: np.ndarray  # int[N], ids
    is_own: np.ndarray  # bool[N], whether they are of the page's player
    figures: np.ndarray  # float32[N, len(FIGURES)]


def _read_seats(db: Connection, ids: list[int], own: list[int]) -> _Seats:
    """Returns the seats of games with some ids. own: ids of the names of the page's player."""
    rows = db.execute("SELECT game, player, figures FROM seats WHERE game IN chosen").fetchall()
    games, players = (np.array([row[column] for row in rows], int) for column in (0, 1))
    figures = np.frombuffer(b"".join([row[2] for row in rows]), np.float32).reshape(-1, len(FIGURES))
    # SQLite would sort rows with their figures, which takes longer than all else.
    by_id = np.argsort(ids, kind="stable")
    games = by_id[np.searchsorted(np.array(ids, int)[by_id], games)] if len(rows) else games
    order = np.argsort(games, kind="stable")
    return _Seats(games[order], players[order], np.isin(players[order], own), figures[order])


def _select_games(db: Connection, own: str, choice: GameChoice) -> tuple[str, list]:
    """Returns the SQL condition on the table games for a choice of games of the player, and its values."""
    tests, values = ["games.id IN (SELECT game FROM seats WHERE player IN %s)" % own], []
    if choice.platform:
        tests.append("games.platform = ?")
        values.append(choice.platform)
    for day, test, more in ((choice.after, "games.time >= ?", 0), (choice.before, "games.time < ?", 1)):
        if day:
            tests.append(test)
            values.append(parse_day(day, more))
    if choice.last:
        tests = ["games.id IN (SELECT games.id FROM games WHERE %s ORDER BY games.time DESC, games.id DESC LIMIT ?)"
                 % " AND ".join(tests)]
        values.append(choice.last)
    return " AND ".join(tests), values


def parse_day(text: str, more: int = 0) -> float:
    """Returns the seconds since 1970 at which a day begins, or `more` days later. Raises LibraryError: no day."""
    try:
        day = time.strptime(text, "%Y-%m-%d")
        return time.mktime((day.tm_year, day.tm_mon, day.tm_mday + more, 0, 0, 0, 0, 0, -1))
    except (ValueError, OverflowError):
        raise LibraryError("expected a day such as 2026-01-31, got %.40r", text) from None


def _describe_results(mine: np.ndarray, others: np.ndarray, sessions: list[list]) -> list[list]:
    """Returns the results. mine, others: float32[len(FIGURES), games] of the player and of the others at the tables."""
    replayed = mine[:, mine[FIGURE_INDEX["has_replay"]] > 0]
    results = []
    for key, read in _RESULTS.items():
        measure = measure_share if key in _SHARES else measure_mean
        of_judge = read(lambda name: _pick(replayed, ("replay", name)))
        results.append([key, measure(read(lambda name: _pick(mine, name))), _mean(read(lambda name: _pick(
            others, name))), measure(of_judge) if replayed.shape[1] >= _LEAST_REPLAYS else None])
    return results + [[key, measure_mean(np.array([session[column] for session in sessions])), None, None]
                      for key, column in (("place", 4), ("placing", 3))] + [
        ["loss", measure_mean(_pick(mine, "loss")), _mean(_pick(others, "loss")), None]]


def _tell(results: list[list], leaks: list[dict], games: int) -> list[list]:
    """Returns the sentences that the figures carry, by the key "told"."""
    told = []
    for key, interval, others, _ in results:
        events = interval and interval[0] * games
        if key in _COMPARED and others is not None and len(interval or ()) == 3 and events >= LEAST_EVENTS and not (
                interval[1] <= others <= interval[2]):
            told.append((_COMPARED.index(key), ["result", key]))
    told = [sentence for _, sentence in sorted(told)][:_MOST_TOLD - 1]
    told += [["leak", index] for index, leak in enumerate(leaks)
             if leak["count"] >= LEAST_EVENTS and len(leak["points"]) == 3]
    return told[:_MOST_TOLD]


def _pick(figures: np.ndarray, name: Any, chosen: Any = "") -> np.ndarray:
    """Returns a figure of the games in which another one is positive, "" for all, as float64[games]."""
    row = figures[FIGURE_INDEX[name]]
    return (row[figures[FIGURE_INDEX[chosen]] > 0] if chosen else row).astype(float)


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
    sessions = {}
    for index, row in enumerate(games):
        if row[2]:
            sessions.setdefault(row[2], []).append(index)
    whole = [indices for indices in sessions.values() if len(indices) == games[indices[0]][3]]
    firsts = np.searchsorted(seats.games, np.arange(len(games) + 1))
    scores, described = seats.figures[:, FIGURE_INDEX["score"]], []
    for indices in sorted(whole, key=lambda indices: games[indices[0]][1], reverse=True):
        rows = np.concatenate([np.arange(firsts[index], firsts[index + 1]) for index in indices])
        totals = {}
        for player, is_own, score in zip(seats.players[rows], seats.is_own[rows], scores[rows].tolist()):
            player = 0 if is_own else player
            totals[player] = totals.get(player, 0) + score
        if 0 in totals and len(totals) == SEATS:
            _, when, _, _, title, _ = games[indices[0]]
            all_totals = list(totals.values())
            above = sum(total > totals[0] for total in all_totals)
            described.append([title, round(when), totals[0], share_places(totals[0], all_totals),
                              above + (all_totals.count(totals[0]) + 1) / 2])
    return described


def _measure_danger(figures: np.ndarray) -> Optional[float]:
    """Returns the chance to deal in with a discard, None without discards."""
    count = _pick(figures, "discards").sum()
    return round(float(_pick(figures, "danger").sum() / count), 4) if count else None


def _count_groups(mine: np.ndarray) -> np.ndarray:
    """Returns the number of the player's wins in each of _FAN_GROUPS."""
    fans = _pick(mine, "fan_won", "won")
    groups = np.searchsorted(_FAN_GROUPS, fans, side="right") - 1
    return np.bincount(np.maximum(0, groups), minlength=len(_FAN_GROUPS))


def _count_fans(games: list[tuple], seats: _Seats) -> list[tuple[str, int]]:
    """Returns (fan, wins of the player with it), the most frequent first."""
    has_won = seats.is_own & (seats.figures[:, FIGURE_INDEX["won"]] > 0)
    texts = [games[index][5] for index in seats.games[has_won] if games[index][5]]
    counts = Counter(name for fans in json.loads("[%s]" % ",".join(texts)) for _, _, name in fans)
    return counts.most_common(_MOST_FANS)


def _describe_leaks(db: Connection, own: str, mine: np.ndarray, *, others: np.ndarray) -> list[dict]:
    """Returns the leaks of the player, the largest first. mine, others: float32[len(FIGURES), games]."""
    inside, distances = "player IN %s AND leak IS NOT NULL AND game IN chosen" % own, {}
    for leak, shanten, count in db.execute(
            "SELECT leak, shanten, count(*) FROM decisions WHERE %s GROUP BY leak, shanten" % inside):
        distances.setdefault(leak, []).append([shanten, count])
    leaks = _describe_losses(mine, others, "leak", LEAKS)
    for leak in leaks:
        most = _MOST_SORTED if leak["leak"] == "plan" else _MOST_EXAMPLES
        worst = [(plan, dict(zip(_EXAMPLE, row))) for plan, *row in db.execute(
            "SELECT plan, key, seat, frame, logged, chosen, loss, time FROM decisions JOIN games ON games.id = game "
            "WHERE %s AND leak = ? ORDER BY loss DESC LIMIT ?" % inside, (leak["leak"], most))]
        plans = _describe_losses(mine, others, "plan", PLANS) if leak["leak"] == "plan" else []
        for plan in plans:
            plan["worst"] = [made for its_plan, made in worst if its_plan == plan["plan"]][:_MOST_EXAMPLES]
        leak.update(distance=max(distances[leak["leak"]], key=lambda pair: pair[1]), plans=plans,
                    worst=[made for _, made in worst[:_MOST_EXAMPLES]])
    return leaks


def _describe_losses(mine: np.ndarray, others: np.ndarray, axis: str, groups: tuple[str, ...]) -> list[dict]:
    """Returns {axis: group, "points", "others", "count"} of each group with mistakes, the largest first."""
    described = []
    for group in groups:
        losses, count = _pick(mine, (axis, group, "loss")), int(_pick(mine, (axis, group, "count")).sum())
        if count:
            described.append({
                axis: group, "points": measure_mean(losses), "others": _mean(_pick(others, (axis, group, "loss"))),
                "count": count})
    return sorted(described, key=lambda losses: -losses["points"][0])


def _list_groups(db: Connection, own: str, *, mine: np.ndarray, others: np.ndarray) -> dict[str, list]:
    """Returns the groups by axis, with the worst of the player's _MOST_SORTED largest mistakes."""
    worst = {}
    for *told, turn, shanten in db.execute(
            "SELECT key, worst.seat, worst.frame, logged, chosen, decisions.loss, time, turn, decisions.shanten "
            "FROM (SELECT game, seat, frame FROM decisions WHERE player IN %s AND leak "
            "IS NOT NULL AND game IN chosen ORDER BY loss DESC LIMIT %d) AS worst JOIN decisions ON decisions.game = "
            "worst.game AND decisions.seat = worst.seat AND decisions.frame = worst.frame JOIN games ON id = "
            "worst.game ORDER BY decisions.loss DESC" % (own, _MOST_SORTED)):
        for slot in (("turn", pick_group(TURNS, turn)),
                     ("distance", None if shanten is None else pick_group(DISTANCES, max(0, shanten)))):
            worst.setdefault(slot, []).append(dict(zip(_EXAMPLE, told)))
    return {axis: _describe_groups(mine, others, axis, worst=worst) for axis in ("turn", "distance")}


def _describe_groups(mine: np.ndarray, others: np.ndarray, axis: str, *, worst: dict) -> list[list]:
    """Returns the groups of an axis in which the player has decisions. worst: {(axis, group): largest mistakes}."""
    groups = []
    for group in GROUPS[axis]:
        counts, losses, others_count, others_loss = (
            _pick(figures, (axis, group, what)) for figures in (mine, others) for what in ("count", "loss"))
        count, of_others = counts.sum(), others_count.sum()
        if count:
            rate = measure_rate(losses, counts)
            groups.append([group, [round(100 * figure, 3) for figure in rate],
                           round(100 * float(others_loss.sum() / of_others), 3) if of_others else None, int(count),
                           worst.get((axis, group), [])[:_MOST_EXAMPLES]])
    return groups


def build_player_page(player: dict, base: Optional[str] = None) -> str:
    """Returns the page of describe_player as HTML. base: address of the server's first page; None for a file alone."""
    return build_document("player", _FOLDER, player["names"][0], dict(player, base=base, fan_names=ENGLISH_FANS),
                          scripts=(*LIBRARY_WORDS, *_SCRIPTS))
