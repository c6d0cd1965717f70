"""Reads and writes a hand as players write it; letters.py says how tiles are written.

Melds are in brackets, before the tiles: [123m,2] is a chow whose second tile was claimed, [EEE,1] a pung from the
previous player (2 the opposite one, 3 the next one), [SSSS,1] an open kong, [SSSS,5] an added kong (4 more than the
pung's number), [SSSS] a concealed kong. The winning tile is the last one. After a bar come the prevalent wind, the seat
wind, and four digits 0 or 1: self-drawn, last copy of its kind, last tile of the wall, kong draw or robbed kong.
After another bar comes the number of flowers, or their letters a to h; flowers may be among the tiles too.

Source: the notation of the community's fan calculators.
"""

import re
from typing import NamedTuple

from ...mahjong.errors import InvalidHandError
from ...mahjong.meld import make_added_kong, make_chow, make_concealed_kong, make_kong, make_pung
from ...mahjong.rules import is_chow
from ...mahjong.tile import COPIES, TILE_COUNT, parse_tile
from .letters import (FIRST_FLOWER, FLOWER_COUNT, HONOUR_LETTERS, detect_notation, format_tiles, make_reader, name_tile,
                      normalise_letters)

_WINDS = HONOUR_LETTERS[:4]
_CHINESE_WINDS = str.maketrans("东東南西北", "EESWN")
_FLOWERS = "abcdefgh"
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_MOST_LETTERS = 200


class WrittenHand(NamedTuple):
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
    """Returns the WrittenHand of a text in one of the notations.

    winds: the winds of a text that names none, as "SE". is_whole: whether the hand must have 13 or 14 tiles.
    Raises InvalidHandError: with the part that is wrong, and where it begins; or a win that no game can have.

    >>> hand = parse_hand("[EEE,2][SSSS,1]WWWNN55pN|EE1000")
    >>> len(hand.melds), hand.is_self_drawn, name_tile(hand.tiles[-1])
    (2, True, 'N (F4)')
    >>> parse_hand("W123 T456 B789 F11 B55").counts == parse_hand("123万456条789饼东东 55p").counts
    True
    """
    if len(text) > _MOST_LETTERS or normalise_letters(text).count("|") > 2:
        raise InvalidHandError("expected at most two bars and %d letters, got %d and %d" % (
            _MOST_LETTERS, normalise_letters(text).count("|"), len(text)))
    words, facts, flowers = (normalise_letters(text) + "||").split("|")[:3]
    facts = _parse_facts(facts.strip() or winds)
    tiles, melds, laid = _parse_words(words, facts["seat_wind"])
    hand = WrittenHand(tuple(tiles), tuple(melds), flowers=_count_flowers(laid, flowers.strip()), **facts)
    _check_size(hand, is_whole)
    if hand.size > 13:
        _check_win(hand)
    return hand


def parse_tiles(text, owner=0):
    """Returns (list of tiles 0..33 as written, list of Meld) of a text; owner: seat of the player who has the melds.

    Raises InvalidHandError: with the part that is wrong; a flower.

    >>> parse_tiles("19mE") == parse_tiles("W19 F1") == parse_tiles("一九万东") == ([0, 8, 27], [])
    True
    """
    tiles, melds, flowers = _parse_words(normalise_letters(text), owner)
    if flowers:
        raise InvalidHandError("expected no flowers here, got %.80r" % text)
    return tiles, melds


def find_notation(text):
    """Returns the name of the notation of a hand's text, as letters.py lists them.

    >>> find_notation("１２３万"), find_notation("11z|EE"), find_notation("W123|EE1000")
    ('chinese', 'z', 'botzone')
    """
    return detect_notation(normalise_letters(text).partition("|")[0])


def list_notes(text):
    """Returns the names of what the reader of a hand's text, which parse_hand takes, should be told.

    z_order: 5z, 6z or 7z was read as the white, green or red dragon. flags: the digits after the bar say nothing about
    a hand that is not complete.

    >>> list_notes("123m456s789p5577z"), list_notes("123m|EE1000"), list_notes("11z")
    (['z_order'], ['flags'], [])
    """
    hand = parse_hand(text, is_whole=False)
    flags = hand.is_self_drawn or hand.is_fourth_tile or hand.is_last_tile or hand.is_about_kong
    return (["z_order"] * bool(re.search(r"[567][0-9\s,]*z", normalise_letters(text), re.IGNORECASE)) +
            ["flags"] * (flags and hand.size < 14))


def read_hand(state):
    """Returns the WrittenHand of the seat that a GameState sees; on its own turn the drawn tile is the last."""
    names = state.my_hand
    if state.is_my_turn:
        names.remove(state.drawn_tile)
        names.append(state.drawn_tile)
    return WrittenHand(tuple(map(parse_tile, names)), tuple(state.players[state.my_pid].melds), state.prevalent_wind,
                state.my_pid)


def format_hand(hand, notation="letters"):
    """Returns the text of a WrittenHand in a notation of letters.py, as parse_hand reads it.

    >>> format_hand(parse_hand("W123 T456 B789 F11 B55"))
    '123m456s789pEE55p'
    """
    text = "".join(format_meld(meld, hand.seat_wind, notation) for meld in hand.melds)
    text += format_tiles(hand.tiles, notation)
    flags = (hand.is_self_drawn, hand.is_fourth_tile, hand.is_last_tile, hand.is_about_kong)
    if any(flags) or hand.prevalent_wind or hand.seat_wind or hand.flowers:
        text += "|%s%s%s" % (_WINDS[hand.prevalent_wind], _WINDS[hand.seat_wind], "".join(str(int(f)) for f in flags))
    return text + ("|%d" % hand.flowers if hand.flowers else "")


def format_meld(meld, owner, notation="letters"):
    """Returns the text of a Meld of seat `owner`, in brackets."""
    tiles = format_tiles(meld.tiles, notation)
    if meld.is_concealed:
        return "[%s]" % tiles
    if meld.type == "CHI":
        return "[%s,%d]" % (tiles, meld.cards.index(meld.src_card) + 1)
    return "[%s,%d]" % (tiles, (owner - meld.src_pid) % 4 + 4 * meld.is_added)


def _parse_words(text, owner):
    """(tiles 0..33, melds, flowers 34..41) of a normalised text without bars."""
    read_tiles = make_reader(text)
    melds = [_parse_meld(match.group(1), read_tiles, match.start() + 2, owner=owner)
             for match in _BRACKETS.finditer(text)]
    # Blanks instead of the melds, so that the positions in errors stay those of the text.
    tiles = list(read_tiles(_BRACKETS.sub(lambda match: " " * len(match.group()), text), 1))
    return ([tile for tile in tiles if tile < FIRST_FLOWER], melds, [tile for tile in tiles if tile >= FIRST_FLOWER])


def _parse_meld(text, read_tiles, position, *, owner):
    """The Meld between brackets, whose text begins at a position."""
    body, claimed = re.fullmatch(r"(.*?)(?:,\s*([0-9]+)\s*)?", text, re.DOTALL).groups()
    if claimed and claimed not in ("1", "2", "3", "5", "6", "7"):
        raise InvalidHandError("expected 1, 2, 3 (or 5, 6, 7 of an added kong) after the comma, got %.80r" % claimed)
    tiles, claim = sorted(read_tiles(body, position)), int(claimed or 1)
    giver, kinds = (owner - claim) % 4, len(set(tiles))
    is_tile = tiles and tiles[-1] < FIRST_FLOWER
    if len(tiles) == 4 and kinds == 1 and is_tile:
        if not claimed:
            return make_concealed_kong(owner, tiles[0])
        return make_added_kong(make_pung(tiles[0], giver)) if claim > 4 else make_kong(tiles[0], giver)
    if len(tiles) == 3 and kinds == 1 and claim < 4 and is_tile:
        return make_pung(tiles[0], giver)
    if len(tiles) == kinds == 3 and claim < 4 and all(is_chow(tiles[1], tile) for tile in tiles):
        return make_chow(tiles[1], tiles[claim - 1], (owner - 1) % 4)
    raise InvalidHandError("expected a chow, a pung or a kong in brackets, 5 to 7 of a kong alone, got %.80r" % text)


def _parse_facts(text):
    """The WrittenHand's fields that the part after the first bar says."""
    match = re.fullmatch(r"([ESWN])\s*([ESWN])\s*([01]{4})?", text.translate(_CHINESE_WINDS).upper() or "EE")
    if not match:
        raise InvalidHandError("expected two winds of E S W N and four digits 0 or 1 after the bar, as EE1000, "
                               "got %.80r" % text)
    names = ("is_self_drawn", "is_fourth_tile", "is_last_tile", "is_about_kong")
    return dict(zip(names, [flag == "1" for flag in match.group(3) or "0000"]),
                prevalent_wind=_WINDS.index(match.group(1)), seat_wind=_WINDS.index(match.group(2)))


def _count_flowers(laid, text):
    """The number of flowers. laid: those among the tiles, 34..41. text: what is after the second bar."""
    named = list(laid)
    count = 0
    if re.fullmatch("[0-8]?", text):
        count = int(text or 0)
    elif set(text) <= set(_FLOWERS):
        named += [FIRST_FLOWER + _FLOWERS.index(letter) for letter in text]
    else:
        raise InvalidHandError("expected the number of flowers 0-8, or their letters a to h, got %.80r" % text)
    if len(set(named)) < len(named) or len(named) + count > FLOWER_COUNT:
        raise InvalidHandError("expected each of the 8 flowers at most once, got %d flowers%s" % (
            len(named) + count, ", %.80r after the bar" % text if text else ""))
    return len(named) + count


def _check_size(hand, is_whole):
    held = hand.counts
    for tile in range(TILE_COUNT):
        melded = sum(meld.tiles.count(tile) for meld in hand.melds)
        if held[tile] + melded > COPIES:
            raise InvalidHandError("expected at most 4 copies of a tile, got %d of %s%s" % (
                held[tile] + melded, name_tile(tile), ", %d of them in melds" % melded if melded else ""))
    if hand.size > 14 or len(hand.melds) > 4 or (is_whole and hand.size < 13):
        raise InvalidHandError("expected 13 or 14 tiles, each meld as three, got %d" % hand.size)


def _check_win(hand):
    """Refuses digits after the bar that contradict each other or the tiles."""
    tile, own = hand.tiles[-1], list(hand.tiles[:-1])
    if hand.is_fourth_tile and tile in own:
        raise InvalidHandError("expected no other %s in the hand where it is the last copy of its kind, got %d" % (
            name_tile(tile), own.count(tile)))
    if hand.is_about_kong and hand.is_self_drawn and not any(meld.type == "GANG" for meld in hand.melds):
        raise InvalidHandError("expected a kong among the melds for a kong's draw, got none; the fourth digit of a win "
                               "that is not self-drawn means a robbed kong")
    if hand.is_about_kong and not hand.is_self_drawn:
        if hand.is_last_tile:
            raise InvalidHandError("expected the last tile of the wall or a robbed kong, got both: after the last tile "
                                   "nobody declares a kong")
        others = own.count(tile) + sum(meld.tiles.count(tile) for meld in hand.melds)
        if others:
            raise InvalidHandError("expected no other %s in the hand where it was robbed from a kong, got %d" % (
                name_tile(tile), others))
