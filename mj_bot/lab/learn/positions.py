"""Lists positions to learn from: the mistakes of players in the games of the library, or of sample games."""

import functools
import gzip
import hashlib
import json
import pathlib
from typing import NamedTuple, Optional, TypedDict

from ..library.leaks import FARTHEST_STATE
from ..library.library_file import LibraryError
from ..library.library_pages import list_players
from ..library.people import select_ids
from ..library.player_summary import parse_day
from ..library.store import Library
from ..review.judges import CLEAR
from ..review.pages import shorten_decision
from .lessons import read_lessons

_SAMPLES = pathlib.Path(__file__).parent / "samples.json.gz"
_CLEAR = "clear"  # a value of PositionChoice.sureness
# A decision whose position is asked; the game of a repeated mistake asks for its first turn alone.
_ASKED = "decisions.leak IS NOT NULL AND decisions.logged != decisions.chosen"
# Tests whether a decision has the values of PositionChoice but for the player.
_WANTED = ("? IN ('', leak) AND ? IN ('', grade) AND ? IN ('', min({0}, max(0, coalesce(shanten, {0}))) || '') "
           "AND ? IN ('', iif(chance >= {1}, '{2}', 'unsure'))".format(FARTHEST_STATE, CLEAR, _CLEAR))
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

    # Names with a line each, "" for everybody; None, or names that the library does not have, for the person who played
    # here, or else the player with the most games.
    player: Optional[str] = None
    leak: str = ""  # one of library.leaks.LEAKS
    grade: str = ""  # one of review.judges.LIMITS
    state: str = ""  # tiles from ready: "0" .. "3", "4" for four or more
    sureness: str = ""  # "clear" or "unsure", by judges.CLEAR


def list_positions(library: Optional[Library], choice: PositionChoice, *, most: int, now: float) -> dict:
    """Returns {"positions", "players": names, "player": a PositionChoice.player, "is_sample"}.

    Positions that come back are first, then those that were never asked: the latest games first, or of the sample
    games the largest mistakes. The sample games are used where the library has no mistake of the player.
    library: None where there is no library.
    """
    names = [player["name"] for player in list_players(library)] if library else []
    asked = [name for name in (choice.player or "").split("\n") if name in names]
    if not asked and choice.player != "":
        asked = [_PERSON] if _PERSON in names else names[:1]
    chosen = _choose_decisions(library, asked, choice, most=most, now=now) if names else None
    if chosen is None:
        positions = _choose_samples(read_lessons(library) if library else {}, choice, most=most, now=now)
    else:
        read_review = functools.lru_cache(maxsize=9)(library.read_review)  # a game has several of the positions
        positions = list(filter(None, (_read_position(library, *decision, read_review) for decision in chosen)))
    return {"positions": positions, "players": names, "player": "\n".join(asked), "is_sample": chosen is None}


def choose_daily(library: Optional[Library], day: str) -> Question:
    """Returns the position of a day: a discard that was clearly a mistake, of any game of the library or a sample game.

    The same library has the same position all day. library: None where there is no library. day: as 2026-01-31.
    Raises LibraryError: `day` is no day.
    """
    parse_day(day)

    def draw(slot: tuple) -> bytes:
        return hashlib.sha256(("%s %s %d %d" % (day, *slot)).encode()).digest()

    slots = []
    if library:
        with library.open() as db:
            slots = db.execute(
                "SELECT key, seat, frame FROM decisions JOIN games ON games.id = game WHERE %s AND chance >= %s "
                "AND logged LIKE 'PLAY %%' AND chosen LIKE 'PLAY %%'" % (_ASKED, CLEAR)).fetchall()
    positions = filter(None, (_read_position(library, *slot) for slot in sorted(slots, key=draw)))
    samples = [slot for slot, sample in _load_samples().items() if sample["decision"]["is_clear"] and all(
        sample["decision"][name].startswith("PLAY ") for name in ("logged", "chosen"))]
    return next(positions, None) or _load_samples()[min(samples, key=draw)]


def read_question(library: Optional[Library], key: str, seat: int, frame: int) -> Question:
    """Returns a position of the library or of a sample game. Raises LibraryError: there is no such position."""
    position = _load_samples().get((key, seat, frame)) or library and _read_position(library, key, seat, frame)
    if not position:
        raise LibraryError("expected a position of the library, got none: %s", key)
    return position


def _choose_decisions(library, names, choice, *, most, now):
    """Returns [(key, seat, frame, whether the position comes back)], None where the players made no mistake.

    names: of the players, [] for everybody.
    """
    with library.open() as db:
        own = "player IN " + select_ids(db, *names) if names else "1"
        if not db.execute("SELECT 1 FROM decisions WHERE leak IS NOT NULL AND %s LIMIT 1" % own).fetchone():
            return None
        return db.execute(
            "SELECT games.key, decisions.seat, decisions.frame, lessons.due IS NOT NULL FROM decisions "
            "JOIN games ON games.id = decisions.game LEFT JOIN lessons ON lessons.key = games.key "
            "AND lessons.seat = decisions.seat AND lessons.frame = decisions.frame "
            "WHERE %s AND %s AND %s AND (lessons.key IS NULL OR lessons.due <= ?) "
            "ORDER BY lessons.due IS NULL, lessons.due, games.time DESC, decisions.loss DESC LIMIT ?" % (
                own, _ASKED, _WANTED), [*choice[1:], now, most]).fetchall()


def _read_position(library, key, seat, frame, is_due=False, read_review=None):
    """Returns a position of the library, None where its decision is gone."""
    game = (read_review or library.read_review)(key)
    review = game and game["reviews"].get(seat)
    decision = review and next((made for made in review["decisions"] if made["frame"] == frame), None)
    if not decision:
        return None
    with library.open() as db:
        title, file, time = db.execute("SELECT title, file, time FROM games WHERE key = ?", (key,)).fetchone()
    return dict(describe_question(game, seat, decision), key=key, title=file or title, time=time, is_due=bool(is_due))


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
def _load_samples() -> dict[tuple, Question]:
    """Returns {(key, seat, frame): position} of the sample games, the largest mistakes first."""
    samples = json.loads(gzip.decompress(_SAMPLES.read_bytes()))
    return {(sample["key"], sample["seat"], sample["frame"]): dict(sample, is_due=False) for sample in samples}


def _choose_samples(lessons: dict, choice: PositionChoice, *, most: int, now: float) -> list[Question]:
    """Returns the positions of the sample games that are asked. lessons: of read_lessons."""
    due, new = [], []
    for slot, sample in _load_samples().items():
        made = sample["decision"]
        facts = made["leak"], made["class"], str(made["state"]), _CLEAR if made["is_clear"] else "unsure"
        if not all(wanted in ("", fact) for wanted, fact in zip(choice[1:], facts)):
            continue
        if slot not in lessons:
            new.append(sample)
        elif lessons[slot] is not None and lessons[slot] <= now:
            due.append(dict(sample, is_due=True))
    return (due + new)[:most]
