"""Reads and writes a hand as players write it, for example [EEE,2]123m456s55pNNN|ES1000|2.

Tiles may be written in five notations, such as 123m or W123, which letters.py lists.

Melds are in brackets and come before the tiles. The number after the comma tells which tile of a chow was claimed, or
which player discarded the claimed tile of a pung or kong:

    [123m,2]    a chow; its second tile was claimed
    [EEE,1]     a pung from the previous player; 2 is the opposite player, 3 the next one
    [SSSS,1]    an open kong from the previous player
    [SSSS,5]    an added kong; the number is 4 more than that of its pung
    [SSSS]      a concealed kong

The winning tile is the last one. After a bar come the prevalent wind, the seat wind, and four digits 0 or 1. They tell
whether the winning tile is self-drawn, the last copy of its kind, the last tile of the wall, and drawn after a kong or
robbed from one. After another bar comes the number of flowers, or their letters a to h. Flowers may also be among the
tiles, in the letters that letters.py lists.

Source: the notation of the community's fan calculators.
"""

import re
from typing import NamedTuple

from ...mahjong.errors import InvalidHandError, Message
from ...mahjong.meld import Meld, make_added_kong, make_chow, make_concealed_kong, make_kong, make_pung
from ...mahjong.rules import is_chow
from ...mahjong.state import GameState
from ...mahjong.tile import COPIES, TILE_COUNT, parse_tile
from .letters import (FIRST_FLOWER, FLOWER_COUNT, HONOUR_LETTERS, detect_notation, format_tiles, make_reader, name_tile,
                      normalise_letters)

_WINDS = HONOUR_LETTERS[:4]
_CHINESE_WINDS = str.maketrans("东東南西北", "EESWN")
_FLOWERS = "abcdefgh"
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_MOST_LETTERS = 200  # most letters of a hand's text


class WrittenHand(NamedTuple):
    """Keeps a hand and what is known of its win.

    The owner of the hand sits at the seat `seat_wind`, and `src_pid` of a meld is a seat of the same table.
    """

    tiles: tuple  # concealed tiles 0..33 in the order of the text; the winning or drawn tile is the last
    melds: tuple = ()  # the melds, each a Meld
    prevalent_wind: int = 0  # 0..3; east is 0
    seat_wind: int = 0  # 0..3; east is 0
    is_self_drawn: bool = False
    is_fourth_tile: bool = False  # whether the other three copies of the winning tile are in the open
    is_last_tile: bool = False  # whether the winning tile is the last one of the wall
    is_about_kong: bool = False  # whether the winning tile was drawn after a kong, or robbed from a kong
    flowers: int = 0  # number of flowers, 0..8

    @property
    def size(self) -> int:
        """Returns the number of tiles, where each meld counts as three: 13 or 14 for a whole hand."""
        return len(self.tiles) + 3 * len(self.melds)

    @property
    def counts(self) -> list[int]:
        """Returns the number of concealed tiles of each kind, list[34]."""
        return [self.tiles.count(tile) for tile in range(TILE_COUNT)]


def parse_hand(text: str, winds: str = "", is_whole: bool = True) -> WrittenHand:
    """Returns the hand in a text of any notation.

    winds: prevalent wind and seat wind of a text that does not name them, such as "SE".
    is_whole: whether the hand must have 13 or 14 tiles.
    Raises InvalidHandError: a piece of the text is wrong, or no game can have such a win.

    >>> hand = parse_hand("[EEE,2][SSSS,1]WWWNN55pN|EE1000")
    >>> len(hand.melds), hand.is_self_drawn, name_tile(hand.tiles[-1])
    (2, True, 'N (F4)')
    >>> parse_hand("W123 T456 B789 F11 B55").counts == parse_hand("123万456条789饼东东 55p").counts
    True
    """
    text = normalise_letters(text)
    if len(text) > _MOST_LETTERS or text.count("|") > 2:
        raise InvalidHandError("expected at most two bars and %d letters, got %d and %d", _MOST_LETTERS,
                               text.count("|"), len(text))
    words, facts, flowers = (text + "||").split("|")[:3]
    facts = _parse_facts(facts.strip() or winds)
    tiles, melds, laid = _parse_words(words, facts["seat_wind"])
    hand = WrittenHand(tuple(tiles), tuple(melds), flowers=_count_flowers(laid, flowers.strip()), **facts)
    _check_size(hand, is_whole)
    if hand.size > 13:
        _check_win(hand)
    return hand


def parse_tiles(text: str, owner: int = 0) -> tuple[list[int], list[Meld]]:
    """Returns (tiles 0..33 in the order of the text, melds) of a text without a bar. owner: seat that has the melds.

    Raises InvalidHandError: a piece of the text is wrong, or the text has a flower.

    >>> parse_tiles("19mE") == parse_tiles("W19 F1") == parse_tiles("一九万东") == ([0, 8, 27], [])
    True
    """
    tiles, melds, flowers = _parse_words(normalise_letters(text), owner)
    if flowers:
        raise InvalidHandError("expected no flowers here, got %.80r", text)
    return tiles, melds


def find_notation(text: str) -> str:
    """Returns the name of the notation in which the text of a hand is written: letters, z, botzone, chinese or emoji.

    >>> find_notation("１２３万"), find_notation("11z|EE"), find_notation("W123|EE1000")
    ('chinese', 'z', 'botzone')
    """
    return detect_notation(normalise_letters(text).partition("|")[0])


def list_notes(text: str) -> list[str]:
    """Returns the names of notes that the writer of a hand should read. text: a hand that parse_hand reads.

    red_five: a rank 0 was read as a five. z_order: 5z, 6z or 7z was read as the white, green or red dragon. flags: the
    digits after the bar say nothing about a hand that is not complete.

    >>> list_notes("123m456s789p5577z"), list_notes("123m|EE1000"), list_notes("11z5p"), list_notes("340p")
    (['z_order'], ['flags'], [], ['red_five'])
    """
    hand = parse_hand(text, is_whole=False)
    flags = hand.is_self_drawn or hand.is_fourth_tile or hand.is_last_tile or hand.is_about_kong
    words = normalise_letters(text).partition("|")[0]
    return (["red_five"] * ("0" in words) + ["z_order"] * bool(re.search(r"[567][0-9\s,]*z", words, re.IGNORECASE)) +
            ["flags"] * (flags and hand.size < 14))


def read_hand(state: GameState) -> WrittenHand:
    """Returns the hand of the seat that a state sees. On the seat's own turn, the drawn tile is the last one."""
    names = state.my_hand
    if state.is_my_turn:
        names.remove(state.drawn_tile)
        names.append(state.drawn_tile)
    return WrittenHand(tuple(map(parse_tile, names)), tuple(state.players[state.my_pid].melds), state.prevalent_wind,
                       state.my_pid)


def format_hand(hand: WrittenHand, notation: str = "letters") -> str:
    """Returns the text of a hand, which parse_hand reads again. notation: name of the notation.

    >>> format_hand(parse_hand("W123 T456 B789 F11 B55"))
    '123m456s789pEE55p'
    """
    text = "".join(format_meld(meld, hand.seat_wind, notation) for meld in hand.melds)
    text += format_tiles(hand.tiles, notation)
    flags = (hand.is_self_drawn, hand.is_fourth_tile, hand.is_last_tile, hand.is_about_kong)
    if any(flags) or hand.prevalent_wind or hand.seat_wind or hand.flowers:
        text += "|%s%s%s" % (_WINDS[hand.prevalent_wind], _WINDS[hand.seat_wind], "".join(str(int(f)) for f in flags))
    return text + ("|%d" % hand.flowers if hand.flowers else "")


def format_meld(meld: Meld, owner: int, notation: str = "letters") -> str:
    """Returns the text of a meld, in brackets. owner: seat that has the meld. notation: name of the notation."""
    tiles = format_tiles(meld.tiles, notation)
    if meld.is_concealed:
        return "[%s]" % tiles
    if meld.type == "CHI":
        return "[%s,%d]" % (tiles, meld.cards.index(meld.src_card) + 1)
    return "[%s,%d]" % (tiles, (owner - meld.src_pid) % 4 + 4 * meld.is_added)


def _parse_words(text, owner):
    """Returns (tiles 0..33, melds, flowers 34..41) of a normalised text without bars."""
    read_tiles = make_reader(text)
    melds = [_parse_meld(match.group(1), read_tiles, match.start() + 2, owner=owner)
             for match in _BRACKETS.finditer(text)]
    # Blanks replace the melds, so that positions in messages of errors stay those of the text.
    tiles = list(read_tiles(_BRACKETS.sub(lambda match: " " * len(match.group()), text), 1))
    return ([tile for tile in tiles if tile < FIRST_FLOWER], melds, [tile for tile in tiles if tile >= FIRST_FLOWER])


def _parse_meld(text, read_tiles, position, *, owner):
    """Returns the meld of a seat in a text from between brackets, which begins at a letter of the whole text."""
    body, claimed = re.fullmatch(r"(.*?)(?:,\s*([0-9]+)\s*)?", text, re.DOTALL).groups()
    if claimed and claimed not in ("1", "2", "3", "5", "6", "7"):
        raise InvalidHandError("expected 1, 2, 3 (or 5, 6, 7 of an added kong) after the comma, got %.80r", claimed)
    tiles, claim = sorted(read_tiles(body, position)), int(claimed or 1)
    giver, kind_count = (owner - claim) % 4, len(set(tiles))
    is_tile = tiles and tiles[-1] < FIRST_FLOWER
    if len(tiles) == 4 and kind_count == 1 and is_tile:
        if not claimed:
            return make_concealed_kong(owner, tiles[0])
        return make_added_kong(make_pung(tiles[0], giver)) if claim > 4 else make_kong(tiles[0], giver)
    if len(tiles) == 3 and kind_count == 1 and claim < 4 and is_tile:
        return make_pung(tiles[0], giver)
    if len(tiles) == kind_count == 3 and claim < 4 and all(is_chow(tiles[1], tile) for tile in tiles):
        return make_chow(tiles[1], tiles[claim - 1], (owner - 1) % 4)
    raise InvalidHandError("expected a chow, a pung or a kong in brackets, 5 to 7 of a kong alone, got %.80r", text)


def _parse_facts(text):
    """Returns the fields of a WrittenHand that the text after the first bar tells, as a dict."""
    match = re.fullmatch(r"([ESWN])\s*([ESWN])\s*([01]{4})?", text.translate(_CHINESE_WINDS).upper() or "EE")
    if not match:
        raise InvalidHandError("expected two winds of E S W N and four digits 0 or 1 after the bar, as EE1000, "
                               "got %.80r", text)
    names = ("is_self_drawn", "is_fourth_tile", "is_last_tile", "is_about_kong")
    return dict(zip(names, [flag == "1" for flag in match.group(3) or "0000"]),
                prevalent_wind=_WINDS.index(match.group(1)), seat_wind=_WINDS.index(match.group(2)))


def _count_flowers(laid, text):
    """Returns the number of flowers. laid: flowers 34..41 among the tiles. text: the text after the second bar."""
    named = list(laid)
    count = 0
    if re.fullmatch("[0-8]?", text):
        count = int(text or 0)
    elif set(text) <= set(_FLOWERS):
        named += [FIRST_FLOWER + _FLOWERS.index(letter) for letter in text]
    else:
        raise InvalidHandError("expected the number of flowers 0-8, or their letters a to h, got %.80r", text)
    if len(set(named)) < len(named) or len(named) + count > FLOWER_COUNT:
        raise InvalidHandError("expected each of the 8 flowers at most once, got %d flowers%s", len(named) + count,
                               Message(", %.80r after the bar", text) if text else "")
    return len(named) + count


def _check_size(hand, is_whole):
    """Refuses a hand with too many tiles, too many copies of a tile, or too few tiles for a whole hand."""
    held = hand.counts
    for tile in range(TILE_COUNT):
        melded = sum(meld.tiles.count(tile) for meld in hand.melds)
        if held[tile] + melded > COPIES:
            raise InvalidHandError("expected at most 4 copies of a tile, got %d of %s%s", held[tile] + melded,
                                   name_tile(tile), Message(", %d of them in melds", melded) if melded else "")
    if hand.size > 14 or len(hand.melds) > 4 or (is_whole and hand.size < 13):
        raise InvalidHandError("expected 13 or 14 tiles, each meld as three, got %d", hand.size)


def _check_win(hand):
    """Refuses digits after the bar that contradict each other or the tiles."""
    tile, own = hand.tiles[-1], list(hand.tiles[:-1])
    if hand.is_fourth_tile and tile in own:
        raise InvalidHandError("expected 0 as the second digit: 1 says that the other three %s lie open on the table, "
                               "and the hand has %d of them", name_tile(tile), own.count(tile))
    if hand.is_about_kong and hand.is_self_drawn and not any(meld.type == "GANG" for meld in hand.melds):
        raise InvalidHandError("expected a kong among the melds for a kong's draw, got none; the fourth digit of a win "
                               "that is not self-drawn means a robbed kong")
    if hand.is_about_kong and not hand.is_self_drawn:
        if hand.is_last_tile:
            raise InvalidHandError("expected the last tile of the wall or a robbed kong, got both: after the last tile "
                                   "nobody declares a kong")
        others = own.count(tile) + sum(meld.tiles.count(tile) for meld in hand.melds)
        if others:
            raise InvalidHandError("expected no other %s in the hand where it was robbed from a kong, got %d",
                                   name_tile(tile), others)
