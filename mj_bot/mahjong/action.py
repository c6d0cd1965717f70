"""Converts actions between tuples, Botzone's text and indices.

An action tuple is a word and names of tiles:

    ("PASS",)               to do nothing
    ("PLAY", tile)          to discard a tile
    ("CHI", middle, tile)   to claim the last discard for the chow around `middle`, then to discard `tile`
    ("PENG", tile)          to claim the last discard for a pung, then to discard `tile`
    ("GANG",)               to claim the last discard for an open kong
    ("GANG", tile)          to lay a concealed kong
    ("BUGANG", tile)        to add the fourth tile to a pung
    ("HU", fan)             to win; fan is the count of the hand, which Botzone's text does not contain

Each index 0..234 names one decision. The discard after a pung or chow is a decision of its own:

    0 pass, 1 win, 2..35 discard, 36..69 open kong, 70..103 concealed kong, 104..137 added kong, 138..171 pung,
    172..234 chow: 21 indices for each suit (W, T, B), in a suit 3 for each middle tile (2..8), of these the first
             claims the lowest tile of the chow, the second the middle one, the third the highest
"""

from typing import Optional, Tuple

from .errors import IllegalActionError
from .tile import TILE_COUNT, TILE_INDEX, TILE_NAMES

PASS_INDEX = 0
WIN_INDEX = 1
DISCARD_BASE = 2
OPEN_KONG_BASE = 36
CONCEALED_KONG_BASE = 70
ADDED_KONG_BASE = 104
PUNG_BASE = 138
CHOW_BASE = 172
ACTION_COUNT = 235

# How many tiles may follow each word. GANG is followed by none (open kong) or by one (concealed kong).
_TILES_AFTER = {"PASS": (0,), "PLAY": (1,), "CHI": (2,), "PENG": (1,), "GANG": (0, 1), "BUGANG": (1,), "HU": (0,)}
# These are the first indices of the actions that name only their own tile.
_BASES = {"PLAY": DISCARD_BASE, "GANG": CONCEALED_KONG_BASE, "BUGANG": ADDED_KONG_BASE}


def parse_action(text: str, fan: int = 0) -> Tuple:
    """Returns the action tuple of a response in Botzone's text, split at every single space as the judge splits it.

    fan: the fan that ("HU", fan) gets, because the text does not contain it.
    Raises IllegalActionError: the word is unknown, the number of tiles is wrong or a tile is unknown.

    >>> parse_action("CHI W5 T3"), parse_action("HU", fan=9)
    (('CHI', 'W5', 'T3'), ('HU', 9))
    """
    words = text.split(" ") if isinstance(text, str) else [""]
    word = words[0]
    if word not in _TILES_AFTER:
        raise IllegalActionError("expected PASS, PLAY, CHI, PENG, GANG, BUGANG or HU, got %.40r", text)
    if len(words) - 1 not in _TILES_AFTER[word]:
        raise IllegalActionError("expected %s with %s tiles after single spaces, got %.40r", word,
                                 " or ".join(map(str, _TILES_AFTER[word])), text)
    if not all(name in TILE_INDEX for name in words[1:]):
        raise IllegalActionError("expected tiles after %s, got %.40r", word, text)
    return ("HU", fan) if word == "HU" else tuple(words)


def format_action(action: Tuple) -> str:
    """Returns Botzone's text of an action tuple, such as "PENG W1"."""
    return "HU" if action[0] == "HU" else " ".join(action)


def chow_index(middle: int, claimed: int) -> int:
    """Returns the action index of a chow. middle: its middle tile 0..26. claimed: middle - 1 .. middle + 1."""
    return CHOW_BASE + middle // 9 * 21 + (middle % 9 - 1) * 3 + claimed - middle + 1


def split_chow_index(index: int) -> Tuple[int, int]:
    """Returns the (middle, claimed) tiles of the chow with an action index 172..234."""
    suit, position = divmod(index - CHOW_BASE, 21)
    middle = suit * 9 + position // 3 + 1
    return middle, middle + position % 3 - 1


def encode_action(action: Tuple, claimed: Optional[str] = None) -> Tuple[int, ...]:
    """Returns the indices of an action tuple: a tuple of one int 0..234, or of two for a claim with its discard.

    claimed: name of the tile that CHI, PENG or an open GANG claims. Other actions do not need it.
    Raises IllegalActionError: this is no action tuple, or a claim without the claimed tile.

    >>> encode_action(("PLAY", "W1")), encode_action(("CHI", "W2", "J3"), claimed="W3")
    ((2,), (174, 35))
    """
    word = action[0]
    if word not in _TILES_AFTER:
        raise IllegalActionError("expected an action tuple, got %r", action)
    if word in ("PASS", "HU"):
        return (PASS_INDEX if word == "PASS" else WIN_INDEX,)
    if claimed is None and (word in ("CHI", "PENG") or action == ("GANG",)):
        raise IllegalActionError("expected the tile that %r claims, got none", action)
    if word == "GANG" and len(action) == 1:
        return (OPEN_KONG_BASE + TILE_INDEX[claimed],)
    last_tile = TILE_INDEX[action[-1]]
    if word in _BASES:
        return (_BASES[word] + last_tile,)
    claimed_tile = TILE_INDEX[claimed]
    claim = PUNG_BASE + claimed_tile if word == "PENG" else chow_index(TILE_INDEX[action[1]], claimed_tile)
    return (claim, DISCARD_BASE + last_tile)


def decode_action(index: int, discard: Optional[int] = None, fan: int = 0) -> Tuple:
    """Returns the action tuple of an index 0..234.

    discard: index 2..35 of the discard that follows a pung or chow.
    fan: the fan that ("HU", fan) gets.
    Raises IllegalActionError: the index is outside 0..234, or a pung or chow has no discard.

    >>> decode_action(174, discard=35)
    ('CHI', 'W2', 'J3')
    """
    if not 0 <= index < ACTION_COUNT:
        raise IllegalActionError("expected an action index 0..234, got %r", index)
    if index == PASS_INDEX:
        return ("PASS",)
    if index == WIN_INDEX:
        return ("HU", fan)
    if OPEN_KONG_BASE <= index < CONCEALED_KONG_BASE:
        return ("GANG",)
    for word, base in _BASES.items():
        if base <= index < base + TILE_COUNT:
            return (word, TILE_NAMES[index - base])
    if discard is None or not DISCARD_BASE <= discard < OPEN_KONG_BASE:
        raise IllegalActionError("expected a discard index 2..35 after claim %d, got %r", index, discard)
    tile_name = TILE_NAMES[discard - DISCARD_BASE]
    if index < CHOW_BASE:
        return ("PENG", tile_name)
    return ("CHI", TILE_NAMES[split_chow_index(index)[0]], tile_name)
