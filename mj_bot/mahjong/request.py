"""Reads Botzone's requests of this game: text becomes tuples."""

import json
from typing import List, Tuple, Union

from .errors import InvalidTileError, Message, ProtocolError
from .rules import HAND_TILES
from .tile import FLOWER_NAMES, count_tiles, parse_tile

# A request may contain these digits where it has numbers. Anything else is refused.
_DIGITS = {str(digit): digit for digit in range(9)}
# How many tiles follow each event of a request that begins with 3.
_EVENT_TILES = {"DRAW": 0, "PLAY": 1, "CHI": 2, "PENG": 1, "GANG": 0, "BUGANG": 1, "BUHUA": 1}


def parse_request(text: str, index: int = 0) -> Tuple:
    """Returns a request such as "3 1 CHI W5 T3" as a tuple of one of these forms.

        ("SEAT", seat 0..3, prevalent wind 0..3)
        ("DEAL", tuple of 4 ints: flowers of each seat, list of 13 tile names)
        ("DRAW", tile name)                an own draw
        ("EVENT", seat, action)            what a seat did, e.g. ("PLAY", "W5"), ("DRAW",), ("BUHUA", "H1")

    index: position of the request in the game; only the errors name it.
    Raises ProtocolError: the text is no request. InvalidTileError: the text contains an unknown tile.

    >>> parse_request("3 1 CHI W5 T3"), parse_request("0 2 1")
    (('EVENT', 1, ('CHI', 'W5', 'T3')), ('SEAT', 2, 1))
    """
    words = text.split() if isinstance(text, str) else ()
    first_word = words[0] if words else None
    if first_word == "3":
        return _parse_event(words, text, index)
    if first_word == "2":
        if len(words) != 2:
            raise _misfit("'2 tile'", text, index)
        parse_tile(words[1], " in request %d" % index)
        return ("DRAW", words[1])
    if first_word == "1":
        return _parse_deal(words, text, index)
    if first_word == "0":
        if len(words) != 3 or not all(_DIGITS.get(word, 9) < 4 for word in words[1:]):
            raise _misfit("'0 seat wind', both 0..3", text, index)
        return ("SEAT", int(words[1]), int(words[2]))
    raise _misfit("a request that begins with 0, 1, 2 or 3", text, index)


def read_requests(source: Union[dict, str, bytes]) -> Tuple[List[str], List[str]]:
    """Returns (requests, responses), two lists of texts, of a Botzone input.

    source: dict with the lists "requests" and "responses", or its JSON text. There are as many responses as requests,
        or one fewer.
    Raises ProtocolError: the text is no JSON, or the lists are missing or of other lengths.
    """
    if isinstance(source, (str, bytes)):
        try:
            source = json.loads(source.lstrip("\ufeff") if isinstance(source, str) else source)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("expected JSON, got %.80r: %s", source, error) from None
    if not isinstance(source, dict):
        raise ProtocolError("expected an object with requests and responses, got %.80r", source)
    requests, responses = source.get("requests"), source.get("responses", [])
    for key, texts in (("requests", requests), ("responses", responses)):
        if not isinstance(texts, list):
            raise ProtocolError("expected %r as a list of texts, got %.80r", key, texts)
    if not 0 <= len(requests) - len(responses) <= 1:
        raise ProtocolError("expected as many responses as requests or one fewer, got %d and %d", len(responses),
                            len(requests))
    return requests, responses


def _parse_event(words, text, index):
    if len(words) < 3 or _DIGITS.get(words[1], 9) > 3 or _EVENT_TILES.get(words[2]) != len(words) - 3:
        raise _misfit("'3 seat' and DRAW, PLAY, CHI, PENG, GANG, BUGANG or BUHUA with its tiles", text, index)
    action = tuple(words[2:])
    for name in action[1:]:
        if action[0] != "BUHUA":
            parse_tile(name, Message(" in request %d", index))
        elif name not in FLOWER_NAMES:
            raise InvalidTileError("request %d: expected a flower H1-H8, got %.40r", index, name)
    return ("EVENT", _DIGITS[words[1]], action)


def _parse_deal(words, text, index):
    n_flowers = tuple(_DIGITS.get(word, 9) for word in words[1:5])
    if len(words) < 5 + HAND_TILES or max(n_flowers) > 8:
        raise _misfit("'1', four numbers of flowers, 13 tiles", text, index)
    flowers = words[5 + HAND_TILES:]
    if len(flowers) != sum(n_flowers) or len(set(flowers)) != len(flowers) or not set(flowers) <= set(FLOWER_NAMES):
        raise _misfit("%d flowers after the 13 tiles, each once" % sum(n_flowers), text, index)
    tiles = words[5:5 + HAND_TILES]
    try:
        count_tiles(tiles)
    except InvalidTileError as error:
        raise InvalidTileError("%s in request %d", error, index) from None
    return ("DEAL", n_flowers, tiles)


def _misfit(expected, got, index):
    return ProtocolError("request %d: expected %s, got %.80r", index, expected, got)
