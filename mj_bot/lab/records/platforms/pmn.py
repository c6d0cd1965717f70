r"""Reads PMN, the Portable Majiang Notation, in which games of mahjongsoft.com are kept: tags in brackets.

    [PWind "E"]                                             prevalent wind
    [East "A"] ... [North "D"]                              names of the players, seat 0 first
    [Deal "c6d128b1144899w3r2f ..."]                        13 tiles of each seat
    [Result "-21 63 -21 -21"]                               scores
    [Play "T0d2D0w3T1w2 ... D1b6P2b6D2c9 ... H1"]           moves: a letter, a seat, a tile
    [Fan "None 52/6/1.59/2/1 None None"]                    fans of the winner: number, points (or none), copies

Tiles are c, d, b (characters, dots, bamboos) with a rank, w1..w4 winds, r1..r3 dragons (red, green, white), f1..f8
flowers, and z1 in a discard is the tile just taken. The moves are T take, D discard, C chow (with its middle tile),
P pung, Z open kong, A concealed kong, B added kong, R replacement of a flower, H or M a win. All seats draw from one
wall, which the text does not tell. Overruled claims are not written. In Duplicate MCR several seats may win on one
tile, which no game here can express.
Source: the README of python-majiang, which specifies the notation.
"""

import re

from ....mahjong.errors import Message, ProtocolError
from ....mahjong.rules import HAND_TILES, SEATS
from ...run.printable import clean_text
from ..builder import build_game
from ..game_record import OWN_SUITS, Game
from ..shapes import take_number
from .hands import make_rules

_TAG = re.compile(r'^[^\S\n]*\[(\w+)\s+"([^"]*)"\]', re.MULTILINE)
_BEGIN = re.compile(r'\s*\[[A-Z]\w*\s+"[^"\n]*"\]')
_MOVE = re.compile(r"([TDCPABZRHM])([0-3])([cdbwrfz][1-9])?")
_SUITS = {"c": "W", "d": "B", "b": "T", "w": "F", "r": "J", "f": "H", "z": "z"}
_WORDS = {"T": "DRAW", "D": "PLAY", "C": "CHI", "P": "PENG", "Z": "GANG", "A": "ANGANG", "B": "BUGANG", "H": "HU",
          "M": "HU"}
_WINDS, _DRAWN = "ESWN", "z"
_SIDES = ("East", "South", "West", "North")
# Points of the fans 1..80, as (last number, points). Fan 81 is a flower, which does not count towards a win.
_POINTS = ((7, 88), (13, 64), (15, 48), (18, 32), (27, 24), (33, 16), (38, 12), (47, 8), (54, 6), (58, 4), (68, 2),
           (80, 1), (81, 0))
_OWN_SUITS = (3, 40)  # numbers of the fans "all green" and "reversible tiles"


def is_pmn(text: str) -> bool:
    """Checks whether a text is in this notation."""
    return _BEGIN.match(text) is not None


def parse_pmn(text: str, where: str = "text") -> Game:
    """Returns the Game in the tags of one game. Raises BrokenGameError, which keeps the game before the error."""
    return build_game(_read_game, where, dict(_TAG.findall(text)))


def _read_game(builder, tags):
    missing = [name for name in ("Deal", "Play", "Result") if not tags.get(name)]
    if missing:
        raise ProtocolError("expected a game in PMN with the tags Deal, Play and Result, got none of the name %s",
                            ", ".join(missing))
    builder.unit, builder.is_shared = "move", True
    builder.origin = {"platform": "mahjongsoft", "rules": make_rules()}
    builder.players = [clean_text(tags.get(side, side)) for side in _SIDES]
    with builder.expect("a prevalent wind E, S, W or N", tags.get("PWind")):
        builder.wind = _WINDS.index(tags.get("PWind", "E")[:1])
    moves = _list_moves(builder, tags["Play"])
    with builder.expect("four hands of 13 tiles", tags["Deal"]):
        deals = [[_name_tile(suit + rank) for suit, ranks in re.findall(r"([cdbwrf])([1-9]*)", hand) for rank in ranks]
                 for hand in tags["Deal"].split()]
        if [len(hand) for hand in deals] != [HAND_TILES] * SEATS:
            raise ValueError
    _play(builder, moves, deals)
    with builder.expect("four scores", tags["Result"]):
        scores = [take_number(int(word)) for word in tags["Result"].split()]
        if len(scores) != SEATS:
            raise ValueError
    with builder.expect("the fans of the winner", tags.get("Fan")):
        fans = [list(map(int, fan.split("/"))) for won in tags.get("Fan", "").split() if won != "None"
                for fan in won.split(".")]
        points = [[value for last, value in _POINTS if fan_id <= last][0] * take_number(rest[-1])
                  for fan_id, *rest in fans]
    facts = OWN_SUITS if any(fan_id in _OWN_SUITS for fan_id, *_ in fans) else 0
    return builder.finish(scores, facts, "", fan=sum(points) or None)


def _list_moves(builder, text):
    """Returns (letter, seat, tile name or None) of each move in the tag Play."""
    moves, end, text = [], 0, "".join(text.split())
    for builder.line, move in enumerate(_MOVE.finditer(text), 1):
        if move.start() != end:
            break
        letter, seat, tile = move.groups()
        drawn = moves[-1][2] if moves and tile and tile[0] == _DRAWN else None
        moves.append((letter, int(seat), drawn or (tile and _name_tile(tile))))
        end = move.end()
    if end != len(text):
        builder.fail("a letter, a seat and a tile", text[end:end + 12])
    wins = sum(letter in "HM" for letter, *_ in moves)
    if wins > 1:
        builder.fail("one winner", Message("%d, as in Duplicate MCR", wins))
    return moves


def _name_tile(tile):
    return _SUITS[tile[0]] + tile[1]


def _play(builder, moves, deals):
    replaced, replacing = {}, None  # {flower: tile that its owner takes for it}
    for builder.line, (letter, seat, flower) in enumerate(moves, 1):
        if letter == "R":
            if flower in replaced:
                builder.fail("each flower replaced once", flower)
            replaced[flower] = next((tile for word, owner, tile in moves[builder.line:]
                                     if (word, owner) == ("T", seat)), None)
    for seat, hand in enumerate(deals):
        builder.deal(seat, [_settle(builder, replaced, seat, tile) for tile in hand])
    for builder.line, (letter, seat, tile) in enumerate(moves, 1):
        with builder.expect("a move of a game", "%s%d%s" % (letter, seat, tile or "")):
            # A replaced flower was told with the draw that brought it.
            if letter == "T" and replacing != seat:
                tile = _settle(builder, replaced, seat, tile)
            if letter != "R" and (letter != "T" or replacing != seat):
                builder.take(_WORDS[letter], seat, tile)
        replacing = seat if letter == "R" else None
    if not builder.is_over:
        builder.drawn_out()


def _settle(builder, replaced, seat, tile):
    """Returns a tile, or the tile that replaces it if it is a flower. The builder gets the flowers."""
    while tile and tile[0] == _SUITS["f"]:
        builder.flower(seat, int(tile[1]))
        tile = replaced.pop(tile, None)
    if tile is None:
        builder.fail("every flower replaced", Message("one that seat %d keeps", seat))
    return tile
