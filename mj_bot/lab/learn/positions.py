"""Lists positions to learn from: the mistakes of a player in the games of the library, or of sample games."""

import functools
import gzip
import json
import pathlib
from typing import NamedTuple, Optional, TypedDict

from ..library.leaks import FAR
from ..library.queries import list_players
from ..library.store import Library
from ..page import read_asset
from ..review.judges import CLEAR
from ..review.pages import shorten_decision
from .lessons import read_lessons

_SAMPLES = pathlib.Path(__file__).parent / "samples.json.gz"
_MOST_PLAYERS = 60
_CLEAR = "clear"  # a value of PositionChoice.sureness
_STATE = "min(%d, max(0, coalesce(decisions.shanten, %d)))" % (FAR, FAR)
# The name of a person who played here.
_PERSON = "person"


class Question(TypedDict):
    """Keeps a position to learn from."""

    key: str  # The game's key.
    seat: int  # The seat that decides.
    frame: int  # Index of the last event before the decision.
    position: dict  # What the seat sees.
    event: dict  # The last event before the decision.
    decision: dict  # The reviewed decision, shortened for a page.
    unit: str  # Of the losses.
    judges: list  # The spec of each judge.
    title: str  # Title of the game; "" for a sample.
    time: Optional[float]  # Seconds since 1970 at the game; None for a sample.
    is_due: bool  # Whether the position was asked before and comes back.


class PositionChoice(NamedTuple):
    """Says which positions are asked; "" stands for any."""

    player: str = ""  # "" for the person who played here, or else the player with the most games
    leak: str = ""  # one of library.leaks.LEAKS
    grade: str = ""  # one of review.judges.LIMITS
    state: str = ""  # tiles from ready: "0" .. "3", "4" for four or more
    sureness: str = ""  # "clear" or "unsure", by judges.CLEAR


def list_positions(library: Library, choice: PositionChoice, *, most: int, now: float) -> dict:
    """Returns {"positions", "players": names, "player": whose positions they are, "is_sample"}.

    Positions that come back are first, then those that were never asked: the latest games first, or of the sample
    games the largest mistakes. The sample games are used where the library has no mistake of the player.
    library: None where there is no library.
    """
    names = [player["name"] for player in list_players(library, most=_MOST_PLAYERS)] if library else []
    player = choice.player or (_PERSON if _PERSON in names else names[0] if names else "")
    if player in names and _has_mistakes(library, player):
        chosen = _choose_decisions(library, choice._replace(player=player), most=most, now=now)
        positions = [_read_position(library, *decision) for decision in chosen]
        return {"positions": list(filter(None, positions)), "players": names, "player": player, "is_sample": False}
    lessons = read_lessons(library) if library else {}
    return {"positions": _choose_samples(lessons, choice, most=most, now=now), "players": names, "player": player,
            "is_sample": True}


def _has_mistakes(library: Library, player: str) -> bool:
    """Checks whether the library has a mistake of a player."""
    with library.open() as db:
        return db.execute("SELECT 1 FROM decisions WHERE leak IS NOT NULL AND player IN (%s) LIMIT 1" % _OWN,
                          (player,)).fetchone() is not None


_OWN = "SELECT id FROM players WHERE person = (SELECT person FROM players WHERE name = ?)"


def _choose_decisions(library, choice, *, most, now):
    """Returns [(key, seat, frame, whether the position comes back)]."""
    tests, values = ["decisions.leak IS NOT NULL"], [choice.player]
    if choice.sureness:
        tests.append("coalesce(decisions.chance, 0) %s %s" % (">=" if choice.sureness == _CLEAR else "<", CLEAR))
    for name, test in (("leak", "decisions.leak = ?"), ("grade", "decisions.grade = ?"), ("state", _STATE + " = ?")):
        if getattr(choice, name):
            tests.append(test)
            values.append(int(choice.state) if name == "state" else getattr(choice, name))
    with library.open() as db:
        return db.execute(
            "SELECT games.key, decisions.seat, decisions.frame, lessons.due IS NOT NULL FROM decisions "
            "JOIN games ON games.id = decisions.game LEFT JOIN lessons ON lessons.key = games.key "
            "AND lessons.seat = decisions.seat AND lessons.frame = decisions.frame "
            "WHERE decisions.player IN (%s) AND %s AND decisions.logged != decisions.chosen "
            "AND (lessons.key IS NULL OR lessons.due <= ?) "
            "ORDER BY lessons.due IS NULL, lessons.due, games.time DESC, decisions.loss DESC LIMIT ?" % (
                _OWN, " AND ".join(tests)), [*values, now, most]).fetchall()


def _read_position(library, key, seat, frame, is_due):
    """Returns a position of the library, None where its decision is gone or repeats a mistake of another turn."""
    game = library.read_review(key)
    review = game and game["reviews"].get(seat)
    decision = review and next((made for made in review["decisions"] if made["frame"] == frame), None)
    if not decision or decision["repeats"] is not None:
        return None
    with library.open() as db:
        title, file, time = db.execute("SELECT title, file, time FROM games WHERE key = ?", (key,)).fetchone()
    return dict(describe_question(game, seat, decision), key=key, title=file or title, time=time, is_due=is_due)


def describe_question(game: dict, seat: int, decision: dict) -> dict:
    """Returns the position of a decision without the keys `key`, `title`, `time` and `is_due`.

    game: a ReviewedGame. seat: one of its seats. decision: one of this seat.
    """
    position = lay_position(game["frames"], decision["frame"])
    for other_seat, other in enumerate(position["seats"]):
        if other_seat != seat:
            other.update(hand=None, drawn=None if other["drawn"] is None else "")
    return {"seat": seat, "frame": decision["frame"], "position": position,
            "event": game["frames"][decision["frame"]]["event"], "decision": shorten_decision(decision),
            "unit": game["reviews"][seat]["unit"], "judges": game["judges"]}


def lay_position(frames: list, frame: int) -> dict:
    """Returns the position after the event with the index `frame`. frames: list of the frames of review/frames.py.

    >>> lay_position([{"set": [[[], {"a": [1]}]]}, {"set": [[["a", 1], 2], [["a", 0], 3]]}], 1)
    {'a': [3, 2]}
    """
    position = None
    for each in frames[:frame + 1]:
        for path, value in each["set"]:
            value = json.loads(json.dumps(value))  # the frames stay as they are
            if not path:
                position = value
                continue
            *way, last = path
            inside = functools.reduce(lambda outer, step: outer[step], way, position)
            if isinstance(inside, list) and last == len(inside):
                inside.append(value)
            else:
                inside[last] = value
    return position


@functools.cache
def _load_samples() -> list[dict]:
    """Returns the positions of the sample games, the largest mistakes first."""
    return json.loads(gzip.decompress(_SAMPLES.read_bytes()))


def _choose_samples(lessons: dict, choice: PositionChoice, *, most: int, now: float) -> list[dict]:
    """Returns the positions of the sample games that are asked. lessons: of read_lessons."""
    due, new = [], []
    for sample in _load_samples():
        made, asked = sample["decision"], (sample["key"], sample["seat"], sample["frame"])
        fits = all(not wanted or wanted == value for wanted, value in (
            (choice.leak, made["leak"]), (choice.grade, made["class"]), (choice.state, str(made["state"])),
            (choice.sureness, _CLEAR if made["is_clear"] else "unsure")))
        if fits and asked not in lessons:
            new.append(dict(sample, is_due=False))
        elif fits and (lessons[asked] or now + 1) <= now:
            due.append(dict(sample, is_due=True))
    return (due + new)[:most]


def read_learn_asset(name: str) -> str:
    """Returns the text of a file of this room, such as learn.js."""
    return read_asset(name, _SAMPLES.parent)
