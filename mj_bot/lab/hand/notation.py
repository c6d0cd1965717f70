"""Reads and writes a hand as players write it.

Two ways to name tiles:

    123m456s789pESWNCFP     ranks, then the suit: m characters, s bamboos, p dots; winds E S W N; dragons C F P
    W123 T456 B7 F1 J2      Botzone's names, with several ranks after one letter

Melds are in brackets, before the tiles: [123m,2] is a chow whose second tile was claimed, [EEE,1] a pung from the
previous player (2 the opposite one, 3 the next one), [SSSS,1] an open kong, [SSSS,5] an added kong (4 more than the
pung's number), [SSSS] a concealed kong. The winning tile is the last one. After a bar come the prevalent wind, the seat
wind, and four digits 0 or 1: self-drawn, last copy of its kind, last tile of the wall, kong draw or robbed kong.
After another bar comes the number of flowers, or their letters a to h.

Source: the notation of the community's fan calculators.
"""

import re
from typing import NamedTuple

from ...mahjong.errors import InvalidHandError
from ...mahjong.meld import make_added_kong, make_chow, make_concealed_kong, make_kong, make_pung
from ...mahjong.rules import is_chow
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT, TILE_INDEX, TILE_NAMES

_SUITS = "msp"  # in the order of tile indices
_HONOURS = "ESWNCFP"
_WINDS = "ESWN"
_FLOWERS = "abcdefgh"
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_MOST_LETTERS = 200
_BOTZONE_RANKS = {"W": 9, "T": 9, "B": 9, "F": 4, "J": 3}


class Hand(NamedTuple):
    """A hand and what is known of its win; its owner has seat `seat_wind`, so a meld's src_pid is of this table."""

    tiles: tuple  # concealed tiles 0..33 as written, the winning or drawn one last
    melds: tuple = ()  # of Meld
    prevalent_wind: int = 0  # 0..3, east first
    seat_wind: int = 0
    is_self_drawn: bool = False
    is_fourth_tile: bool = False  # the other three copies of the winning tile are in the open
    is_last_tile: bool = False  # of the wall
    is_about_kong: bool = False  # drawn after a kong, or robbed from one
    flowers: int = 0

    @property
    def size(self):
        """Tiles with each meld as three: 13 or 14."""
        return len(self.tiles) + 3 * len(self.melds)

    @property
    def counts(self):
        """Concealed tiles by kind, list[34]."""
        return [self.tiles.count(tile) for tile in range(TILE_COUNT)]


def parse_hand(text, winds="", is_whole=True):
    """The Hand of a text in either notation.

    winds: the winds of a text that names none, as "SE". is_whole: whether the hand must have 13 or 14 tiles.
    Raises InvalidHandError: with the part that is wrong, and where it begins.

    >>> hand = parse_hand("[EEE,2][SSSS,1]WWWNN55pN|EE1000")
    >>> len(hand.melds), hand.is_self_drawn, TILE_NAMES[hand.tiles[-1]]
    (2, True, 'F4')
    >>> parse_hand("W123 T456 B789 F11 B55").counts == parse_hand("123m456s789pEE 55p").counts
    True
    """
    hand, *rest = text.split("|")
    if len(rest) > 2 or len(text) > _MOST_LETTERS:
        raise InvalidHandError("expected at most two bars and %d letters, got %d and %d" % (
            _MOST_LETTERS, len(rest), len(text)))
    facts, flowers = [part.strip() for part in rest + [""] * (2 - len(rest))]
    facts = _parse_facts(facts or winds)
    tiles, melds = parse_tiles(hand, facts["seat_wind"])
    found = Hand(tuple(tiles), tuple(melds), flowers=_parse_flowers(flowers), **facts)
    _check(found, is_whole)
    return found


def parse_tiles(text, owner=0):
    """(list of tiles 0..33 as written, list of Meld) of a text in either notation; owner: seat of the melds' player.

    Raises InvalidHandError: as parse_hand.

    >>> parse_tiles("19mE") == parse_tiles("W19 F1") == ([0, 8, 27], [])
    True
    """
    # Botzone's names have the letter first, and none of the letters m, s and p.
    is_botzone = re.search(r"[%s]\s*[0-9]" % "".join(_BOTZONE_RANKS), text) and not re.search("[%s]" % _SUITS, text)
    read_tiles = _read_botzone if is_botzone else _read_community
    melds = [_parse_meld(match.group(1), read_tiles, match.start() + 2, owner=owner)
             for match in _BRACKETS.finditer(text)]
    # Spaces in their place, so that the places of errors stay those of the text.
    return list(read_tiles(_BRACKETS.sub(lambda match: " " * len(match.group()), text), 1)), melds


def format_hand(hand):
    """The text of a Hand in the community's notation, as parse_hand reads it.

    >>> format_hand(parse_hand("W123 T456 B789 F11 B55"))
    '123m456s789pEE55p'
    """
    text = "".join(format_meld(meld, hand.seat_wind) for meld in hand.melds) + format_tiles(hand.tiles)
    flags = (hand.is_self_drawn, hand.is_fourth_tile, hand.is_last_tile, hand.is_about_kong)
    if any(flags) or hand.prevalent_wind or hand.seat_wind or hand.flowers:
        text += "|%s%s%s" % (_WINDS[hand.prevalent_wind], _WINDS[hand.seat_wind], "".join(str(int(f)) for f in flags))
    return text + ("|%d" % hand.flowers if hand.flowers else "")


def format_meld(meld, owner):
    """The text of a Meld of seat `owner`, in brackets."""
    tiles = format_tiles(meld.tiles)
    if meld.is_concealed:
        return "[%s]" % tiles
    if meld.type == "CHI":
        return "[%s,%d]" % (tiles, meld.cards.index(meld.src_card) + 1)
    return "[%s,%d]" % (tiles, (owner - meld.src_pid) % 4 + 4 * meld.is_added)


def format_tiles(tiles):
    """The text of tiles 0..33 in the order given; ranks of one suit in a row share its letter.

    >>> format_tiles([0, 8, 27])
    '19mE'
    """
    text = ""
    for at, tile in enumerate(tiles):
        if tile >= FIRST_HONOUR:
            text += _HONOURS[tile - FIRST_HONOUR]
        else:
            is_last = at + 1 == len(tiles) or tiles[at + 1] >= FIRST_HONOUR or tiles[at + 1] // 9 != tile // 9
            text += str(tile % 9 + 1) + (_SUITS[tile // 9] if is_last else "")
    return text


def name_tile(tile):
    """A tile 0..33 in both notations, for errors.

    >>> name_tile(22)
    '5p (B5)'
    """
    return "%s (%s)" % (format_tiles([tile]), TILE_NAMES[tile])


def _read_community(text, place):
    """Yields the tiles of a text that begins at a place, 1 the first letter."""
    ranks = []
    for at, letter in enumerate(text, start=place):
        if letter in "123456789":
            ranks.append(int(letter))
        elif letter in _SUITS:
            if not ranks:
                raise InvalidHandError("expected ranks before the suit %r at letter %d" % (letter, at))
            for rank in ranks:
                yield 9 * _SUITS.index(letter) + rank - 1
            ranks = []
        elif ranks:
            raise InvalidHandError("expected a suit m, s or p after the rank %d, got %r at letter %d" % (
                ranks[-1], letter, at))
        elif letter in _HONOURS:
            yield FIRST_HONOUR + _HONOURS.index(letter)
        elif not letter.isspace():
            raise InvalidHandError("expected a rank 1-9 with its suit m, s or p, or an honour E S W N C F P, got %r at "
                                   "letter %d" % (letter, at))
    if ranks:
        raise InvalidHandError("expected a suit m, s or p after the rank %d, got the end" % ranks[-1])


def _read_botzone(text, place):
    kind = None
    for at, letter in enumerate(text, start=place):
        if letter in _BOTZONE_RANKS:
            kind = letter
        elif letter in "0123456789" and kind is not None:
            if not 1 <= int(letter) <= _BOTZONE_RANKS[kind]:
                raise InvalidHandError("expected a rank 1-%d after %s, got %s at letter %d" % (
                    _BOTZONE_RANKS[kind], kind, letter, at))
            yield TILE_INDEX[kind + letter]
        elif not letter.isspace() and letter != ",":
            raise InvalidHandError("expected a tile W1-W9 T1-T9 B1-B9 F1-F4 J1-J3, got %r at letter %d" % (letter, at))


def _parse_meld(text, read_tiles, place, *, owner):
    """The Meld between brackets, whose text begins at a place."""
    body, comma, number = text.partition(",")
    if comma and number.strip() not in ("1", "2", "3", "5", "6", "7"):
        raise InvalidHandError("expected 1, 2, 3 (or 5, 6, 7 of an added kong) after the comma, got %.80r" % number)
    tiles, claim = sorted(read_tiles(body, place)), int(number or 1)
    giver, kinds = (owner - claim) % 4, len(set(tiles))
    if len(tiles) == 4 and kinds == 1:
        if not comma:
            return make_concealed_kong(owner, tiles[0])
        return make_added_kong(make_pung(tiles[0], giver)) if claim > 4 else make_kong(tiles[0], giver)
    if len(tiles) == 3 and kinds == 1 and claim < 4:
        return make_pung(tiles[0], giver)
    if len(tiles) == kinds == 3 and claim < 4 and all(is_chow(tiles[1], tile) for tile in tiles):
        return make_chow(tiles[1], tiles[claim - 1], (owner - 1) % 4)
    raise InvalidHandError("expected a chow, a pung or a kong in brackets, 5 to 7 of a kong alone, got %.80r" % text)


def _parse_facts(text):
    """The Hand's fields that the part after the first bar says."""
    match = re.fullmatch("([ESWN])([ESWN])([01]{4})?", text or "EE")
    if not match:
        raise InvalidHandError("expected two winds of E S W N and four digits 0 or 1 after the bar, as EE1000, "
                               "got %.80r" % text)
    names = ("is_self_drawn", "is_fourth_tile", "is_last_tile", "is_about_kong")
    return dict(zip(names, [flag == "1" for flag in match.group(3) or "0000"]),
                prevalent_wind=_WINDS.index(match.group(1)), seat_wind=_WINDS.index(match.group(2)))


def _parse_flowers(text):
    if re.fullmatch("[0-8]?", text):
        return int(text or 0)
    if set(text) <= set(_FLOWERS) and len(set(text)) == len(text):
        return len(text)
    raise InvalidHandError("expected the number of flowers 0-8, or their letters a to h, got %.80r" % text)


def _check(hand, is_whole):
    held = hand.counts
    for tile in range(TILE_COUNT):
        melded = sum(meld.tiles.count(tile) for meld in hand.melds)
        if held[tile] + melded > COPIES:
            raise InvalidHandError("expected at most 4 copies of a tile, got %d of %s%s" % (
                held[tile] + melded, name_tile(tile), ", %d of them in melds" % melded if melded else ""))
    if hand.size > 14 or len(hand.melds) > 4 or (is_whole and hand.size < 13):
        raise InvalidHandError("expected 13 or 14 tiles, each meld as three, got %d" % hand.size)
