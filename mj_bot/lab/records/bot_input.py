"""What Botzone sends to a bot, and after it the requests that came while the bot kept running: one seat's side."""

import json

from ...botzone import SIMPLIFIED, detect_interaction, read_input
from ...mahjong.errors import ProtocolError
from ...mahjong.request import read_input as read_json_input
from ..table.record import Transcript


def is_simplified(text):
    """Whether a text begins as a simplified input."""
    return detect_interaction(text) == SIMPLIFIED


def parse_simplified(text, name=""):
    """The Transcript of a simplified input. Raises ProtocolError."""
    rest = iter(text.splitlines())
    requests, responses = read_input(next(rest), rest, is_first=True)
    # After the data lines come the requests of a bot that kept running.
    return Transcript(name, None, requests + [line for line in rest if is_simplified(line)], responses)


def parse_json_input(text, name=""):
    """The Transcript of a JSON input; each later request is JSON on a line of its own. Raises ProtocolError."""
    try:
        message, end = json.JSONDecoder().raw_decode(text)
        later = [json.loads(line) for line in text[end:].splitlines() if line.strip()]
    except ValueError as error:
        raise ProtocolError("expected a bot's input as JSON, got %.80r: %s" % (text, error)) from None
    requests, responses = read_json_input(message)
    return Transcript(name, None, requests + later, responses)
