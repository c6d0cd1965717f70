"""Reads and writes logs of Botzone: JSON objects {"id", "players", "initdata", "logs"}.

"logs" is a list in which outputs of the judge and answers of the four seats take turns. The same game occurs in
several shapes, and all of them are read:

- The address match/ID?lite=true answers without an id, and its `players` is a list of objects with names.
- The monthly packs of all matches and the input of the judge have the key `log` where the page of a match has `logs`.
- An id may be {"$oid": text}.
- Local runners and collections leave out or wrap parts of the entries; displays.py reads such entries.
"""

from dataclasses import replace
from typing import Any

from ....mahjong.errors import Message, ProtocolError
from ...run.files import format_json
from ...table.players import Answer
from ...table.record import Record, Step
from ...run.printable import clean_text
from ..builder import build_game
from ..follow import record_from_game
from ..game_record import BrokenGameError, Game
from ..record_json import list_values, parse_record_json
from ..shapes import (
    MISFITS, as_list, describe_misfit, take_display, take_list, take_name, take_number, take_numbers, take_origin,
    take_seat, take_text, take_texts)
from .displays import HEAD_KEYS, SEAT_KEYS, begins_game, build_from_displays, has_output, is_head, pair_entries

_KEYS = ("logs", "log")
_FIRST = 3  # A log has an output of the judge among so many entries.


def _open_log(value):
    """Returns (object with what is told of the game, its log entries) of a log; the entries may be a text of JSON."""
    value = as_list(value)
    if isinstance(value, dict):
        return value, as_list(next((value[key] for key in _KEYS if key in value), None))
    return {}, value


def is_log(value: Any) -> bool:
    """Checks whether a JSON value is a match of Botzone or the log of one. The log may be a text that contains JSON."""
    head, entries = _open_log(value)
    if isinstance(entries, list):
        return any(map(has_output, entries[:_FIRST])) or bool(head) and all(
            isinstance(entry, dict) for entry in entries[:1])
    return bool(head) and isinstance(entries, str) and entries.lstrip()[:1] == "["


def split_log(value: Any) -> list | None:
    """Returns the logs in a list of entries of several games; None for any other log. value: JSON value of the log."""
    entries, logs = as_list(value), []
    for entry in entries if isinstance(entries, list) else ():
        if not logs or begins_game(entry):
            logs.append([])
        logs[-1].append(entry)
    return logs if len(logs) > 1 else None


def is_entry(value: Any) -> bool:
    """Checks whether a JSON value is an entry of a log with an output of the judge."""
    return isinstance(value, (dict, list)) and has_output(value)


def goes_on(values: list, value: Any) -> bool:
    """Checks whether an entry goes on with a game. values: the entries before it, the first may be its head."""
    if len(values) == 1 and not is_entry(values[0]):
        return is_head(values[0])
    return not begins_game(value) and not (isinstance(value, dict) and HEAD_KEYS & value.keys() and is_head(value))


def parse_entries(entries: list, where: str) -> Record | Game:
    """Returns the game of log entries, after the head of the log or without one. Raises BrokenGameError."""
    head = entries[0] if is_head(entries[0]) else {}
    return _read_log(head, entries[bool(head):], where, problem=None)


def parse_log(log: Any, name: str = "") -> Record | Game:
    """Returns the game in a log: a Record, or a Game where requests or answers are left out.

    log: a JSON object with the list "logs" and other keys, or only this list. name: name of a game without an id.
    Raises BrokenGameError: the value is not of this format. The error keeps the steps before the entry that does not
        fit.
    """
    (head, entries), problem = _open_log(log), None
    if isinstance(entries, str):
        try:
            (entries, *_), problem = list_values(entries)
        except ProtocolError as error:
            raise BrokenGameError("expected the log of a match: %s", error) from None
    if not isinstance(entries, list) or not entries:
        raise BrokenGameError("expected a match of Botzone with its log, got one without moves: %.80r", log)
    return _read_log(head, entries, name, problem=problem)


def _read_log(log, entries, name, *, problem):
    """Returns the game of log entries. problem: error of a log that is cut short, else None."""
    try:
        record = _read_head(log, name)
    except MISFITS as error:
        raise BrokenGameError("expected a Botzone log with the id, players and initdata of the platform: %s",
                              describe_misfit(error)) from error
    pairs, problem = pair_entries(entries, problem)
    asked = [pair for pair in pairs if pair[1].get("command") != "finish"]
    if len(asked) > 1 and not (any("content" in output for _, output, _ in asked) and any(pair[2] for pair in asked)):
        return _read_displays(record, pairs, name, problem=problem)
    for index, output, answers in pairs:
        try:
            display, content = take_display(output.get("display")), output["content"]
            if output.get("command") == "finish":
                record.closing = display
                record.scores = take_numbers(content)
                break
            requests = take_texts(content)
            if record.prevalent_wind is None:
                record.prevalent_wind = take_seat(int(requests[0].split()[2]))
            if answers is None:
                break
            record.steps.append(Step(requests, display, list(map(_parse_answer, answers))))
        except MISFITS as error:
            problem = problem or ProtocolError(
                "log entry %d: expected the judge's output and four answers, got %.80r: %s",
                index, entries[index], describe_misfit(error))
            break
    if problem:
        raise BrokenGameError("%s", problem, record=record) from problem
    return record


def _read_displays(record, pairs, name, *, problem):
    """Returns the Game that displays or requests tell. With all answers it is a Record. record: the head of the log."""
    game = build_game(build_from_displays, name or record.name or "the log", pairs, record.wall, problem)
    game = replace(game, players=record.players, name=record.name, origin=record.origin)
    told, whole = [answers for *_, answers in pairs[:-1]], record_from_game(game)
    if all(told) and len(told) == len(whole.steps):
        whole.steps = [step._replace(answers=list(map(_parse_answer, answers)))
                       for step, answers in zip(whole.steps, told)]
        return whole
    return game


def _read_head(log, name):
    initdata = log.get("initdata") or {}
    if isinstance(initdata, str):
        initdata = parse_record_json(initdata) if initdata.lstrip().startswith("{") else {}
    if not isinstance(initdata, dict):
        raise ValueError(Message("expected initdata as an object, got %.80r", initdata))
    game = log.get("game")
    if isinstance(game, str) and "mahjong" not in game.lower():
        raise ValueError(Message("expected a match of Chinese-Standard-Mahjong, got one of %.40r", game))
    wall, wind = initdata.get("walltiles"), initdata.get("quan")
    name, origin = _read_name(log.get("id") or log.get("_id") or name), take_origin(log.get("origin") or {})
    record = Record(take_text(wall).split() if wall else None, None if wind is None else take_seat(wind), name=name,
                    origin=origin)
    players = as_list(log.get("players"))
    if players is not None:
        players = list(players.values()) if isinstance(players, dict) else players
        record.players = take_list(players, take=_read_name)
    return record


def _read_name(value):
    """Returns only the name of a player, of the bot that plays, or of an id; "" if there is no name."""
    for _ in range(3):  # The name may be inside {"type": "bot", "bot": {"name": ...}}.
        if isinstance(value, dict):
            value = next((value[key] for key in ("name", "bot", "user", "$oid") if value.get(key)), None)
    return "" if value is None else take_name(value)


# The beginning of a text of format_log. Records that others write begin otherwise.
LOG_START = '{"id": "'


def format_log(record: Record) -> str:
    """Returns the log of a record as a JSON text that ends with a newline. parse_log reads this text."""
    initdata = {"quan": record.prevalent_wind}
    if record.wall is not None:
        initdata["walltiles"] = " ".join(record.wall)
    log = {"id": record.name, "players": record.players, "initdata": initdata, "logs": _list_entries(record)}
    if record.origin:
        log["origin"] = record.origin
    return format_json(log) + "\n"


def format_match(record: Record) -> str:
    """Returns the JSON text of a match as Botzone's page serves it to its viewer; the text ends with a newline.

    Raises ProtocolError: the record has no wall, or all its seats draw from one wall. Botzone's viewer shows four
    walls.
    """
    if record.wall is None or record.has_one_wall:
        raise ProtocolError("expected a game of four known walls, as Botzone has, got one %s: %s",
                            "without its wall" if record.wall is None else "of one wall for all seats", record.name)
    initdata = {"walltiles": " ".join(record.wall), "quan": record.prevalent_wind}
    return format_json({
        "success": True, "status": "finished", "_id": record.name, "game": "Chinese-Standard-Mahjong",
        "players": [{"name": name} for name in record.players], "initdata": format_json(initdata),
        "scores": record.scores, "logs": _list_entries(record)}) + "\n"


def _list_entries(record):
    entries = []
    for step in record.steps:
        entries.append(_judge_entry("request", dict(zip(SEAT_KEYS, step.requests)), step.display))
        entries.append({seat: {"verdict": answer.verdict, "time": round(answer.milliseconds),
                               "memory": answer.memory_mb, "debug": answer.debug, "response": answer.response,
                               "raw": answer.response} for seat, answer in zip(SEAT_KEYS, step.answers)})
    entries.append(_judge_entry("finish", dict(zip(SEAT_KEYS, record.scores)), record.closing))
    return entries


def _parse_answer(entry):
    """Returns the answer of a seat to a request. entry: JSON value of the seat in the log."""
    # A bot that ran out of time or crashed has no answer; the judge takes it as an empty one.
    entry = {} if entry is None else {"response": entry} if isinstance(entry, str) else entry
    response, debug = entry.get("response"), entry.get("debug")
    return Answer(response if isinstance(response, str) else "", clean_text(take_text(entry.get("verdict") or "OK")),
                  take_number(entry.get("time") or 0), take_number(entry.get("memory") or 0),
                  debug if isinstance(debug, str) else "")


def _judge_entry(command, content, display):
    """Returns an output of the judge, as a log has it. command: "request" or "finish". content: dict by seat."""
    return {"output": {"command": command, "content": content, "display": display}, "verdict": "OK", "time": 0,
            "memory": 0}
