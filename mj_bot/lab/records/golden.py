"""The recorded judge's format: one game a line of JSON, {"wall", "quan", "mode", "seed", "steps", "score"}.

A step is [requests of the four seats, display, answers of the four]; the last has only the closing display.
"""

import json

from ..table.players import Answer
from ..table.record import Record, Step, rebuild_wall
from .game import BrokenGameError


def parse_golden(line, name=""):
    """The Record of one line.

    Raises BrokenGameError: not JSON, or not of this format; where a step does not fit, with those before.
    """
    record = None
    try:
        game = json.loads(line)
        record = Record(game["wall"].split(), game["quan"], name="%s %s-%s" % (name, game["mode"], game["seed"]))
        for requests, display, answers in game["steps"][:-1]:
            record.steps.append(Step([requests[seat] for seat in range(4)], display,
                                     [Answer(answers[seat]) for seat in range(4)]))
        record.closing = game["steps"][-1][1]
        record.scores = game["score"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        where = "step %d: " % len(record.steps) if record else ""
        raise BrokenGameError("%sexpected a recorded game with wall, quan, mode, seed, steps and score, got %.80r: %r"
                              % (where, line, error), record) from error
    return record


def format_golden(record, mode="play", seed=0):
    """One line of JSON, ended by a newline; a wall that the record lacks is rebuilt."""
    steps = [[step.requests, step.display, [answer.response for answer in step.answers]] for step in record.steps]
    steps.append([None, record.closing, None])
    game = {"wall": " ".join(rebuild_wall(record)), "quan": record.prevalent_wind, "mode": mode, "seed": seed,
            "steps": steps, "score": record.scores}
    return json.dumps(game, ensure_ascii=False, separators=(",", ":")) + "\n"
