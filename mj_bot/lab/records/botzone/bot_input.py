"""Reads the input that Botzone gives to a bot, which contains one seat's side of a game.

Requests that came while the bot kept running may follow the input, each on a line of its own.
"""

import re

from ....botzone import parse_input
from ....mahjong.request import read_requests
from ...run.files import format_json
from ...table.record import Transcript
from ..game_record import BrokenGameError
from ..shapes import take_texts


_BEGIN = re.compile(r"\s*[0-9]{1,4}\s*\n\s*0 [0-3] [0-3]\s*(?:\n|$)")


def is_simplified(text: str) -> bool:
    """Checks whether a text begins as an input in Botzone's simplified form: a number of requests, then the first one.
    """
    return _BEGIN.match(text) is not None


def parse_simplified(text: str) -> Transcript:
    """Returns the requests and responses in the text of a simplified input.

    Raises ProtocolError: the text is not such an input.
    """
    lines = text.strip().splitlines()
    lines[0] = lines[0].strip()
    end = 2 * int(lines[0])
    requests, responses = parse_input("\n".join(lines[:end]))
    # After the data lines come the requests of a bot that kept running.
    return Transcript(requests + [line for line in lines[end:] if line[:1].isdecimal()], responses)


def parse_json_input(values: list) -> Transcript:
    """Returns the requests and responses in a JSON input. values: the input, then each later request.

    Raises BrokenGameError: the values are not such an input.
    """
    try:
        requests, responses = read_requests(values[0])
        requests = requests + values[1:]
        return Transcript(take_texts(requests, len(requests)), take_texts(responses, len(responses)))
    except ValueError as error:
        raise BrokenGameError("expected a bot's input as JSON, got %.80r: %s", format_json(values[0]), error) from None
