"""The input of a bot, followed by the requests that came while the bot kept running: one seat's side of a game."""

from ...botzone import SIMPLIFIED, detect_interaction, read_input
from ...mahjong.request import read_input as read_json_input
from ..table.record import Transcript
from .game_record import BrokenGameError
from .shapes import parse_json, take_texts


def is_simplified(text: str) -> bool:
    """Whether a text begins as a simplified input."""
    return detect_interaction(text) == SIMPLIFIED


def parse_simplified(text: str) -> Transcript:
    """The Transcript of a simplified input. Raises ProtocolError."""
    rest = iter(text.splitlines())
    requests, responses = read_input(next(rest), rest, is_first=True)
    # After the data lines come the requests of a bot that kept running.
    return Transcript(requests + [line for line in rest if is_simplified(line)], responses)


def parse_json_input(text: str) -> Transcript:
    """The Transcript of a JSON input; each later request is JSON on a line of its own. Raises BrokenGameError."""
    lines = [line for line in text.splitlines() if line.strip()]
    # The message may take several lines.
    end = next((index for index, line in enumerate(lines) if index and line.startswith('"')), len(lines))
    try:
        requests, responses = read_json_input(parse_json("\n".join(lines[:end])))
        requests = requests + [parse_json(line) for line in lines[end:]]
        return Transcript(take_texts(requests, len(requests)), take_texts(responses, len(responses)))
    except ValueError as error:
        raise BrokenGameError("expected a bot's input as JSON, got %.80r: %s" % (text, error)) from None
