"""Botzone logs as served: {"id", "initdata", "logs"}, the judge's outputs and the four seats' answers in turn."""

import json

from ..table.players import Answer
from ..table.record import Record, Step
from .game import BrokenGameError

_SEATS = ("0", "1", "2", "3")


def parse_log(text, name=""):
    """The Record of a log's JSON: an object as above, or the list of logs alone.

    Raises BrokenGameError: not JSON, or not of this format; where an entry does not fit, with the steps before.
    """
    try:
        log = json.loads(text)
    except ValueError as error:
        raise BrokenGameError("expected a Botzone log as JSON, got %.80r: %s" % (text, error)) from None
    log = {"logs": log} if isinstance(log, list) else log
    entries = log.get("logs") if isinstance(log, dict) else None
    if not isinstance(entries, list) or not entries:
        raise BrokenGameError("expected a Botzone log with its logs, got %.80r" % (log,))
    initdata = log.get("initdata") or {}
    if isinstance(initdata, str):
        initdata = json.loads(initdata) if initdata.startswith("{") else {}
    wall = initdata.get("walltiles")
    record = Record(wall.split() if wall else None, initdata.get("quan"), name=str(log.get("id") or name))
    if "players" in log:
        record.players = list(log["players"])
    for index in range(0, len(entries), 2):
        try:
            output = entries[index]["output"]
            if output["command"] == "finish":
                record.closing = output["display"]
                record.scores = [int(output["content"][seat]) for seat in _SEATS]
                break
            requests = [output["content"][seat] for seat in _SEATS]
            if index + 1 == len(entries):
                break
            answers = [_parse_answer(entries[index + 1][seat]) for seat in _SEATS]
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenGameError("log entry %d: expected the judge's output and four answers, got %.80r: %r"
                                  % (index, entries[index], error), record) from error
        record.steps.append(Step(requests, output.get("display"), answers))
    if record.prevalent_wind is None and record.steps:
        record.prevalent_wind = int(record.steps[0].requests[0].split()[2])
    return record


def format_log(record):
    """JSON text of the log, ended by a newline; parse_log reads it back."""
    entries = []
    for step in record.steps:
        entries.append(_judge_entry("request", dict(zip(_SEATS, step.requests)), step.display))
        entries.append({seat: _answer_entry(answer) for seat, answer in zip(_SEATS, step.answers)})
    entries.append(_judge_entry("finish", dict(zip(_SEATS, record.scores)), record.closing))
    initdata = {"quan": record.prevalent_wind}
    if record.wall is not None:
        initdata["walltiles"] = " ".join(record.wall)
    log = {"id": record.name, "players": record.players, "initdata": initdata, "logs": entries}
    return json.dumps(log, ensure_ascii=False) + "\n"


def _parse_answer(entry):
    response = entry["response"]
    return Answer(response if isinstance(response, str) else "", entry.get("verdict", "OK"), entry.get("time", 0),
                  entry.get("memory", 0), entry.get("debug") or "")


def _answer_entry(answer):
    return {"verdict": answer.verdict, "time": round(answer.milliseconds), "memory": answer.memory_mb,
            "debug": answer.debug, "response": answer.response, "raw": answer.response}


def _judge_entry(command, content, display):
    return {"output": {"command": command, "content": content, "display": display}, "verdict": "OK", "time": 0,
            "memory": 0}
