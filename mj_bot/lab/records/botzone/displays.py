"""Reads the entries of a log in the shapes in which local runners and collections keep them.

An entry has an output of the judge, the answers of the four seats, or both. The output may stand under any key or none,
as an object or as a text, with its requests ("content"), its display, or both. It may also be four requests alone.
Answers are texts or objects, by seat or in a list. Where the answers or the requests are left out, the game is built
from the displays:

    {"action": "INIT", "quan": 0}                                       prevalent wind
    {"action": "DEAL", "hand": [["T9", ...], ...]}                      the deal
    {"action": "DRAW" / "PLAY" / "GANG" / "BUGANG", "player": 0, "tile": "B2"}
    {"action": "PENG" / "CHI", "player": 0, "tile": "B2", "tileCHI": "W3"}    `tile` is the discard that follows
    {"action": "HU", "player": 0, "score": [...], "fanCnt": 13}, {"action": "HUANG"}
"""

import contextlib
from dataclasses import replace
from typing import Any

from ....mahjong.errors import ProtocolError
from ....mahjong.rules import HAND_TILES, SEATS
from ..builder import GameBuilder
from ..follow import follow_game
from ..game_record import Game
from ..record_json import parse_record_json
from ..shapes import MISFITS, as_list, take_list, take_number, take_numbers, take_seat, take_text

HEAD_KEYS = {"players", "initdata"}
SEAT_KEYS = tuple(map(str, range(SEATS)))
_ACTIONS = ("INIT", "DEAL", "DRAW", "BUHUA", "PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "HUANG")
_MOVES = ("DRAW", "PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU")  # of a player, the end last
_REQUESTS, _MOST_LEVELS = ("content", "request", "requests"), 4


def read_entry(value: Any) -> dict:
    """Returns what a log entry has of "command", "content", "display" and "answers", at any depth.

    content: list with the requests to the four seats, or with the scores. answers: list with the answers of the seats.
    """
    told = {}

    def look(value: Any, key: str, level: int) -> None:
        value = _open_text(value)
        if key in ("display", "command") or _is_display(value):
            told.setdefault("command" if key == "command" else "display", value)
            return
        seats = _list_seats(value)
        if seats:
            asked = [seat.get("request") if isinstance(seat, dict) else None for seat in seats]
            if key in _REQUESTS or (not level and _are_requests(seats)):
                told.setdefault("content", seats)
                return
            if _are_texts(asked):
                told.setdefault("content", asked)
            told.setdefault("answers", seats)
        elif isinstance(value, dict) and level < _MOST_LEVELS:
            for key, item in value.items():
                look(item, key, level + 1)

    look(value, "", 0)
    return told


def has_output(value: Any) -> bool:
    """Checks whether a log entry has an output of the judge: requests or a display."""
    return bool(read_entry(value).keys() & {"content", "display"})


def _is_display(value):
    """Checks whether a value is a display of the judge. One of a fault has the verdict as its action, and scores."""
    action = value.get("action") if isinstance(value, dict) else None
    return isinstance(action, str) and (action in _ACTIONS or (action.isupper() and "score" in value))


def _are_texts(seats):
    return all(isinstance(text, str) for text in seats)


def _are_requests(seats):
    """Checks whether four values are requests of one kind; a draw differs from what the others see of it."""
    return _are_texts(seats) and {text.split(" ", 1)[0] for text in seats} in ({"0"}, {"1"}, {"2", "3"}, {"3"})


def _open_text(value):
    """Returns the JSON value in a text, or any other value unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with contextlib.suppress(ProtocolError):
            return parse_record_json(value)
    return value


def _list_seats(value):
    """Returns what an object or list has for each of the four seats; None for any other value."""
    if isinstance(value, dict) and set(SEAT_KEYS) <= set(value):
        return [value[seat] for seat in SEAT_KEYS]
    is_seats = isinstance(value, list) and len(value) == SEATS and all(
        item is None or isinstance(item, (str, int, dict)) for item in value)
    return value if is_seats and not has_output(value[0]) else None


def pair_entries(entries: list, problem: ProtocolError | None) -> tuple[list[tuple], ProtocolError | None]:
    """Returns ([(index, output, answers)], problem) of a log's entries. Answers are None where the log has none.

    output: what read_entry returns, without the answers. Entries before the first output are left out. An entry that
    has neither ends the list. Four bare numbers are the scores.
    problem: error of a log that is cut short; a new one for such an entry, else the given one.
    """
    pairs = []
    for index, entry in enumerate(entries):
        output = read_entry(entry)
        answers = output.pop("answers", None)
        if not output and pairs and answers and all(isinstance(score, int) for score in answers):
            output, answers = {"command": "finish", "content": answers}, None
        if output.keys() & {"content", "display"}:
            pairs.append((index, output, answers))
        elif answers and pairs:
            pairs[-1] = (*pairs[-1][:2], answers)
        elif pairs:
            return pairs, problem or ProtocolError(
                "log entry %d: expected the judge's output and four answers, got %.80r: %s", index, entry, "neither")
    if not pairs:
        keys = sorted({key for entry in entries[:4] if isinstance(entry, dict) for key in entry})
        problem = ProtocolError(
            "expected a log with the judge's outputs under the key 'output', got entries with the keys %s only: the "
            "outputs may stand under another key, or in another file of the runner", ", ".join(keys)[:80])
    return pairs, problem


def is_head(value: Any) -> bool:
    """Checks whether an object says something about a game whose log entries follow it, such as its players."""
    return isinstance(value, dict) and not has_output(value) and (
        bool(HEAD_KEYS & value.keys()) or "answers" not in read_entry(value))


def begins_game(entry: Any) -> bool:
    """Checks whether a game begins with a log entry."""
    with contextlib.suppress(*MISFITS):
        return _read_event(read_entry(entry))[0] == "INIT"
    return False


def build_from_displays(
        builder: GameBuilder, pairs: list[tuple], wall: list[str] | None, problem: ProtocolError | None) -> Game:
    """Returns the Game that the displays of a log tell, or its requests where it has no displays.

    pairs, problem: what pair_entries returns. wall: names of its tiles, None where the log does not tell them.
    Raises MahjongError: the problem, or an event cannot be next, or the end is missing.
    """
    builder.unit = "entry"
    scores = fan = None
    for builder.line, output, _ in pairs:
        with builder.expect("a display of the judge"):
            event = _read_event(output)
            scores = event and _take_event(builder, *event) or scores
            fan = take_number(event[2]["fanCnt"]) if event and event[0] == "HU" and "fanCnt" in event[2] else fan
    if problem:
        raise problem
    if not builder.is_over:
        builder.fail("the end of the game with its scores", "the end of the log")
    game = builder.finish(scores or [0] * SEATS, 0, "", fan=fan, wall=wall)
    return game if scores else replace(game, scores=tuple(follow_game(game).scores))


def _read_event(output: dict) -> tuple | None:
    """Returns (action, seat or None, display) of an output, from its display or else from its requests; or None."""
    display, content = output.get("display"), output.get("content")
    is_end = output.get("command") == "finish" and content
    if isinstance(display, dict) and display.get("action"):
        return display["action"], display.get("player"), dict({"score": content} if is_end else {}, **display)
    if is_end:
        return "END", None, {"score": content}
    return _read_requests([take_text(request).split() for request in content]) if content else None


def _read_requests(requests: list[list[str]]) -> tuple:
    """Returns the event that four requests tell. requests: words of each."""
    first = requests[0]
    if first[0] == "0":
        return "INIT", None, {"quan": int(first[2])}
    if first[0] == "1":
        return "DEAL", None, {"hand": [words[5:5 + HAND_TILES] for words in requests]}
    drawn = [seat for seat, words in enumerate(requests) if words[0] == "2"]
    if drawn:
        return "DRAW", drawn[0], {"tile": requests[drawn[0]][1]}
    return first[2], int(first[1]), {"tile": first[-1] if len(first) > 3 else None, "tileCHI": first[3:4] and first[3]}


def _take_event(builder, action, player, display):
    """Plays one event. Returns the scores that it names, or None."""
    tile = display.get("tile")
    seat = take_seat(player) if player is not None or action in _MOVES else None
    if action == "INIT":
        builder.wind = take_seat(display.get("quan", 0))
    elif action == "DEAL":
        for owner, hand in enumerate(take_list(as_list(display["hand"]), take=as_list)):
            builder.deal(owner, hand[:HAND_TILES])
    elif action in ("PENG", "CHI"):
        builder.take(action, seat, display["tileCHI"] if action == "CHI" else None)
        builder.take("PLAY", seat, take_text(tile))
    elif action in _MOVES[:-1]:
        builder.take(action, seat, tile)
    else:
        return _end(builder, action, seat, display)
    return None


def _end(builder, action, seat, display):
    """Ends the game. Returns its scores, or None where the display names none."""
    scores = take_numbers(as_list(display["score"])) if display.get("score") else None
    if action == "END":  # Only the scores tell who won.
        action, seat = ("HU", scores.index(max(scores))) if any(scores) else ("HUANG", None)
        if scores.count(max(scores)) == SEATS - 1:  # One seat pays all others for its fault.
            action, seat = "WA", scores.index(min(scores))
    if action == "HU":
        builder.take("HU", seat)
    elif action == "HUANG":
        builder.drawn_out()
    elif seat is None or not scores:
        builder.fail("an action of a game without flowers", action)
    else:
        builder.fault(seat)
    return scores
