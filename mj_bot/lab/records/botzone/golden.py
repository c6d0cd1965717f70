"""Reads games of the recorded judge: a line of JSON per game, with which the project's rules are tested.

A line is {"wall", "quan", "mode", "seed", "steps", "score"}. A step is [requests to the four seats, display, answers of
the four seats]. The last step has only the closing display.
"""

from ...table.players import Answer
from ...table.record import Record, Step
from ...run.printable import clean_text
from ....mahjong.errors import Message
from ..game_record import BrokenGameError
from ..shapes import MISFITS, describe_misfit, take_display, take_numbers, take_seat, take_text, take_texts


def parse_golden(game: dict, name: str = "") -> Record:
    """Returns the record in the JSON value of a line. name: first words of the record's name.

    Raises BrokenGameError: the value is not of this format. The error keeps the steps before it.
    """
    record = None
    try:
        record = Record(take_text(game["wall"]).split(), take_seat(game["quan"]),
                        name=clean_text(("%s %s-%s" % (name, game["mode"], game["seed"])).strip()))
        for requests, display, answers in game["steps"][:-1]:
            record.steps.append(Step(take_texts(requests), take_display(display),
                                     [Answer(text) for text in take_texts(answers)]))
        record.closing = take_display(game["steps"][-1][1])
        record.scores = take_numbers(game["score"])
    except MISFITS as error:
        where = Message("step %d: ", len(record.steps)) if record else ""
        raise BrokenGameError("%sexpected a recorded game with wall, quan, mode, seed, steps and score: %s", where,
                              describe_misfit(error), record=record) from error
    return record
