"""Botzone's requests of this game, from text to tuples."""

import json

from .errors import InvalidTileError, ProtocolError
from .rules import HAND_TILES
from .tile import FLOWER_NAMES, count_tiles, parse_tile

_NUMBERS = {str(number): number for number in range(9)}
# Events of a request of kind 3, with the number of tiles after each.
_EVENT_TILES = {"DRAW": 0, "PLAY": 1, "CHI": 2, "PENG": 1, "GANG": 0, "BUGANG": 1, "BUHUA": 1}


def parse_request(text, index=0):
    """Returns a request as a tuple.

        ("SEAT", seat, prevalent wind)
        ("DEAL", tuple of 4 numbers of flowers, list of 13 tile names)
        ("DRAW", tile name)                an own draw
        ("EVENT", seat, action)            what a seat did, e.g. ("PLAY", "W5"), ("DRAW",), ("BUHUA", "H1")

    index: number of the request in the game, for the errors.
    Raises ProtocolError: no request. InvalidTileError: an unknown tile in it.
    Source: Botzone's wiki; any spaces separate words.

    >>> parse_request("3 1 CHI W5 T3")
    ('EVENT', 1, ('CHI', 'W5', 'T3'))
    >>> parse_request("0 2 1")
    ('SEAT', 2, 1)
    """
    words = text.split() if isinstance(text, str) else ()
    kind = words[0] if words else None
    if kind == "3":
        return _parse_event(words, text, index)
    if kind == "2":
        if len(words) != 2:
            raise _misfit("'2 tile'", text, index)
        parse_tile(words[1], " in request %d" % index)
        return ("DRAW", words[1])
    if kind == "1":
        return _parse_deal(words, text, index)
    if kind == "0":
        if len(words) != 3 or not all(_NUMBERS.get(word, 9) < 4 for word in words[1:]):
            raise _misfit("'0 seat wind', both 0..3", text, index)
        return ("SEAT", int(words[1]), int(words[2]))
    raise _misfit("a request that begins with 0, 1, 2 or 3", text, index)


def read_input(source):
    """Returns (requests, responses), two lists, of a Botzone input.

    source: dict, or JSON text of one, with the lists "requests" and "responses" (as many, or one fewer).
    Raises ProtocolError: another text, or other lists.
    """
    if isinstance(source, (str, bytes)):
        try:
            source = json.loads(source.lstrip("\ufeff") if isinstance(source, str) else source)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("expected JSON, got %.80r: %s" % (source, error)) from None
    if not isinstance(source, dict):
        raise ProtocolError("expected an object with requests and responses, got %.80r" % (source,))
    requests, responses = source.get("requests"), source.get("responses", [])
    for key, texts in (("requests", requests), ("responses", responses)):
        if not isinstance(texts, list):
            raise ProtocolError("expected %r as a list of texts, got %.80r" % (key, texts))
    if not 0 <= len(requests) - len(responses) <= 1:
        raise ProtocolError("expected as many responses as requests or one fewer, got %d and %d"
                            % (len(responses), len(requests)))
    return requests, responses


def _parse_event(words, text, index):
    if len(words) < 3 or _NUMBERS.get(words[1], 9) > 3 or _EVENT_TILES.get(words[2]) != len(words) - 3:
        raise _misfit("'3 seat' and DRAW, PLAY, CHI, PENG, GANG, BUGANG or BUHUA with its tiles", text, index)
    action = tuple(words[2:])
    for name in action[1:]:
        if action[0] != "BUHUA":
            parse_tile(name, " in request %d" % index)
        elif name not in FLOWER_NAMES:
            raise InvalidTileError("request %d: expected a flower H1-H8, got %.40r" % (index, name))
    return ("EVENT", _NUMBERS[words[1]], action)


def _parse_deal(words, text, index):
    n_flowers = tuple(_NUMBERS.get(word, 9) for word in words[1:5])
    if len(words) < 5 + HAND_TILES or max(n_flowers) > 8:
        raise _misfit("'1', four numbers of flowers, 13 tiles", text, index)
    flowers = words[5 + HAND_TILES:]
    if len(flowers) != sum(n_flowers) or len(set(flowers)) != len(flowers) or not set(flowers) <= set(FLOWER_NAMES):
        raise _misfit("%d flowers after the 13 tiles, each once" % sum(n_flowers), text, index)
    tiles = words[5:5 + HAND_TILES]
    try:
        count_tiles(tiles)
    except InvalidTileError as error:
        raise InvalidTileError("%s in request %d" % (error, index)) from None
    return ("DEAL", n_flowers, tiles)


def _misfit(expected, got, index):
    return ProtocolError("request %d: expected %s, got %.80r" % (index, expected, got))
