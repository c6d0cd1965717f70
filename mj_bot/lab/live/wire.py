"""Reads the replies to polls of Botzone's local-AI interface.

The body of a reply is

    m n                                     new requests, finished matches
    match id        } m pairs of lines
    request         }
    match id slot player_count score ...    n lines; player_count 0 and no scores: the match was aborted

and an answer is a header `X-Match-<match id>: <response>` of a later poll.

Source: Botzone's wiki.
"""

import re
from typing import NamedTuple

from ...mahjong.errors import ProtocolError


class Result(NamedTuple):
    """Keeps how a match ended.

    match_id: Botzone's id. seat: seat of the bot. scores: texts, one per seat; [] if the match was aborted.
    """

    match_id: str
    seat: int
    scores: list[str]


# Names of headers and files contain the id.
_MATCH_ID = re.compile("[0-9A-Za-z_-]{1,64}")
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")


def parse_poll_reply(body: str) -> tuple[list[tuple[str, str]], list[Result]]:
    """Returns (list of (match id, request), list of Result) of the body of a reply.

    Raises ProtocolError: the body has another form, or ends too early.

    >>> parse_poll_reply("1 1\\n5f\\n0 2 1\\n5e 0 4 -8 24 -8 -8\\n")
    ([('5f', '0 2 1')], [Result(match_id='5e', seat=0, scores=['-8', '24', '-8', '-8'])])
    """
    lines = [line.rstrip("\r") for line in body.split("\n")]
    counts = lines[0].split()
    if len(counts) != 2 or not all(re.fullmatch("[0-9]{1,6}", count) for count in counts):
        raise ProtocolError("expected the numbers of requests and of finished matches, got %.40r", lines[0])
    request_count, result_count = map(int, counts)
    if len(lines) < 1 + 2 * request_count + result_count:
        raise ProtocolError("expected %d requests and %d finished matches, got %d lines after %r", request_count,
                            result_count, len(lines) - 1, lines[0])
    first_result = 1 + 2 * request_count
    requests = [(_check_id(match_id), request)
                for match_id, request in zip(lines[1:first_result:2], lines[2:first_result:2])]
    return requests, [_parse_result(line) for line in lines[first_result:first_result + result_count]]


def _parse_result(line):
    words = line.split()
    values = words[1:]
    is_whole = len(values) > 1 and values[0].isdecimal() and values[1].isdecimal()
    if not is_whole or not all(map(_NUMBER.fullmatch, values)) or len(values) < 2 + int(values[1]):
        raise ProtocolError("expected match id, slot, number of players and scores, got %.80r", line)
    return Result(_check_id(words[0]), int(values[0]), values[2:2 + int(values[1])])


def is_match_id(text: str) -> bool:
    """Checks whether a text is a valid id of a match."""
    return _MATCH_ID.fullmatch(text) is not None


def _check_id(text):
    match_id = text.strip()
    if not is_match_id(match_id):
        raise ProtocolError("expected a match id of letters, digits, - and _, got %.80r", text)
    return match_id
