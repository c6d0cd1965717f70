"""Reads and writes tiles in the notations of players.

letters     123m456s789pESWNCFP: ranks stand before their suit, which is m for characters, s for bamboos or p for dots.
            The winds are E S W N and the dragons C F P.
z           123m456s789p1234567z: honours are 1z to 7z, in the order east, south, west, north, white, green, red.
            A rank 0 before a suit is a red five of riichi mahjong, and is read as a five.
botzone     W123 T456 B7 F1 J2: Botzone's names, where several ranks may follow one letter. Flowers are H1 to H8.
chinese     123万456条789饼东南西北中发白: ranks may be Chinese numbers too, 一二三万.
emoji       The characters are those of Unicode's block of mahjong tiles.

Flowers are 春夏秋冬梅兰竹菊, H1 to H8, their emoji, or the small letters a, b, d, g and h. Small e, w, n, c and f are
honours, and a text may not have small letters for both. In a text with one of these honours, a small s or p without
ranks before it is an honour too. Blanks and commas mean nothing. Full-width letters are read as letters of normal
width. Other letters of suits, and suits before their ranks, are rewritten by dialects.py.
"""

import re
from collections.abc import Callable, Iterable

from ...mahjong.errors import InvalidHandError
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT, TILE_INDEX, TILE_NAMES
from .dialects import write_our_letters

FIRST_FLOWER = TILE_COUNT  # Flowers have the numbers 34..41.
FLOWER_COUNT = 8
HONOUR_LETTERS = "ESWNCFP"
_SUITS = ("mM万萬", "sS条條索", "pP饼餅筒")  # in the order of tile indices
_SUIT_OF = {letter: suit for suit, letters in enumerate(_SUITS) for letter in letters}
_RANKS = dict({letter: rank for rank, letter in enumerate("一二三四五六七八九", start=1)},
              幺=1, **{str(rank): rank for rank in range(10)})
_RED_FIVE = 5  # of a rank 0
_CHINESE_HONOURS = "东南西北中发白春夏秋冬梅兰竹菊"  # and flowers
# In Unicode the honours come before characters, bamboos and dots; as tile indices they come before the flowers.
_EMOJI = "".join(map(chr, [*range(0x1F007, 0x1F022), *range(0x1F000, 0x1F007), *range(0x1F022, 0x1F02A)]))
_Z_ORDER = (27, 28, 29, 30, 33, 32, 31)
_BOTZONE_RANKS = {"W": 9, "T": 9, "B": 9, "F": 4, "J": 3, "H": FLOWER_COUNT}
_TILES = {letter: tile for first, letters in (
    (0, _EMOJI), (FIRST_HONOUR, HONOUR_LETTERS), (FIRST_HONOUR, _CHINESE_HONOURS))
    for tile, letter in enumerate(letters, start=first)}
_TILES.update({"東": _TILES["东"], "發": _TILES["发"], "蘭": _TILES["兰"]})
_SMALL_FLOWERS = "abdgh"  # The letters c, e and f are left out because they are honours too.
_SMALL_HONOURS = "ewncf"
# Each replacement has one letter, so that positions in messages of errors stay those of the text.
_WIDTHS = str.maketrans({
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("、;；+＋-－—\u200b\ufeff\ufe0e\ufe0f", " ")})
_BRACKETS = str.maketrans("(){}【】〔〕「」（）", "[]" * 6)
_SECOND_LETTERS = re.compile("(?<=[东東南西北])[风風]|[红紅](?=中)|[青绿綠](?=[发發])|(?<=[发發])[财財]|(?<=白)板")


def normalise_letters(text: str) -> str:
    """Returns the text with narrow letters, square brackets, and blanks for the second letters of names such as 红中.

    Tiles before the first bar that are of another dialect are in our letters.

    >>> normalise_letters("（１２３ｍ，１）红中"), normalise_letters("m123z11|EE")
    ('[123m,1] 中', '123m11z|EE')
    """
    tiles, bar, rest = _SECOND_LETTERS.sub(" ", text.translate(_BRACKETS).translate(_WIDTHS)).partition("|")
    return write_our_letters(tiles) + bar + rest


def detect_notation(text: str) -> str:
    """Returns the name of the notation in which the tiles of a text are written: letters, z, botzone, chinese or emoji.

    text: a text that normalise_letters returned.
    """
    if any(letter in _EMOJI for letter in text):
        return "emoji"
    if any(letter > "\u2e80" for letter in text):
        return "chinese"
    # Botzone's names have the letter first, and none of the letters M, S, P and Z.
    if re.search(r"[%s]\s*[0-9]" % "".join(_BOTZONE_RANKS), text, re.IGNORECASE) and not re.search(
            "[MSPZ]", text, re.IGNORECASE):
        return "botzone"
    return "z" if "z" in text.lower() else "letters"


def make_reader(text: str) -> Callable:
    """Returns the function that reads pieces of a text: read(piece, position) yields tiles 0..41.

    text: the whole text that normalise_letters returned; it tells the notation.
    position: number of the piece's first letter in the text, 1 for the first letter, for messages of errors.
    Raises InvalidHandError: the text has small letters for flowers and for honours. The returned function raises it for
        a letter that is wrong.
    """
    if detect_notation(text) == "botzone":
        return _read_botzone
    tiles = dict(_TILES)
    flowers, honours = (re.findall("[%s]" % letters, text) for letters in (_SMALL_FLOWERS, _SMALL_HONOURS))
    if flowers and honours:
        raise InvalidHandError("expected small letters for flowers or for honours, got both %r and %r: write the "
                               "honours as E S W N C F P", flowers[0], honours[0])
    if flowers:
        tiles.update((letter, FIRST_FLOWER + "abcdefgh".index(letter)) for letter in _SMALL_FLOWERS)
    elif honours:
        tiles.update((letter.lower(), tile) for tile, letter in enumerate(HONOUR_LETTERS, start=FIRST_HONOUR))
    return lambda piece, position: _read_letters(piece, position, tiles)


def format_tiles(tiles: Iterable[int], notation: str = "letters") -> str:
    """Returns the text of tiles 0..33 in the given order. Neighbouring tiles of one suit share the letter of the suit.

    notation: letters, z, botzone, chinese or emoji.

    >>> format_tiles([0, 8, 27]), format_tiles([0, 8, 27], "botzone"), format_tiles([0, 8, 27], "chinese")
    ('19mE', 'W19 F1', '19万东')
    """
    if notation == "emoji":
        return "".join(_EMOJI[tile] for tile in tiles)
    words = []  # lists [letter of the suit, ranks]
    for tile in tiles:
        suit, rank = _name_suit_and_rank(tile, notation)
        if words and words[-1][0] == suit and suit:
            words[-1][1] += rank
        else:
            words.append([suit, rank])
    if notation == "botzone":
        return " ".join(suit + ranks for suit, ranks in words)
    return "".join(ranks + suit for suit, ranks in words)


def name_tile(tile: int) -> str:
    """Returns the name of a tile 0..33 in two notations, for messages of errors.

    >>> name_tile(22)
    '5p (B5)'
    """
    return "%s (%s)" % (format_tiles([tile]), TILE_NAMES[tile])


def _name_suit_and_rank(tile, notation):
    """Returns (letter of the suit, text of the rank) of a tile; the letter is "" where the rank is enough."""
    if notation == "botzone":
        return tuple(TILE_NAMES[tile])
    if tile < FIRST_HONOUR:
        return _SUITS[tile // 9][2 if notation == "chinese" else 0], str(tile % 9 + 1)
    if notation == "z":
        return "z", str(_Z_ORDER.index(tile) + 1)
    return "", (_CHINESE_HONOURS if notation == "chinese" else HONOUR_LETTERS)[tile - FIRST_HONOUR]


def _read_letters(piece, position, tiles):
    """Yields the tiles of a piece that begins at a letter of the whole text. tiles: of letters that name one alone."""
    ranks = []
    for here, letter in enumerate(piece, start=position):
        if letter in _RANKS:
            ranks.append(_RANKS[letter])
        elif letter in _SUIT_OF and (ranks or letter not in tiles):
            if not ranks:
                raise InvalidHandError("expected ranks before the suit %r at letter %d", letter, here)
            yield from (9 * _SUIT_OF[letter] + (rank or _RED_FIVE) - 1 for rank in ranks)
            ranks = []
        elif letter in "zZ" and ranks:
            wrong = [rank for rank in ranks if not 1 <= rank <= len(_Z_ORDER)]
            if wrong:
                raise InvalidHandError("expected 1z to 7z, got %dz at letter %d", max(wrong), here)
            yield from (_Z_ORDER[rank - 1] for rank in ranks)
            ranks = []
        elif letter.isspace() or letter == ",":
            continue
        elif ranks:
            raise InvalidHandError("expected a suit m, s or p after the rank %d, got %r at letter %d", ranks[-1],
                                   letter, here)
        elif letter in tiles:
            yield tiles[letter]
        else:
            raise InvalidHandError("expected a rank 1-9 with its suit m, s or p, or an honour E S W N C F P, got %r at "
                                   "letter %d", letter, here)
    if ranks:
        raise InvalidHandError("expected a suit m, s or p after the rank %d, got the end", ranks[-1])


def _read_botzone(piece, position):
    """Yields the tiles of a piece of text in Botzone's names. position: number of its first letter."""
    suit = None
    for here, letter in enumerate(piece.upper(), start=position):
        if letter in _BOTZONE_RANKS:
            suit = letter
        elif letter in "0123456789" and suit is not None:
            if not 1 <= int(letter) <= _BOTZONE_RANKS[suit]:
                raise InvalidHandError("expected a rank 1-%d after %s, got %s at letter %d", _BOTZONE_RANKS[suit], suit,
                                       letter, here)
            yield FIRST_FLOWER + int(letter) - 1 if suit == "H" else TILE_INDEX[suit + letter]
        elif not letter.isspace() and letter != ",":
            raise InvalidHandError("expected a tile W1-W9 T1-T9 B1-B9 F1-F4 J1-J3 or a flower H1-H8, got %r at "
                                   "letter %d", letter, here)
