"""Actions as tuples, as Botzone text and as indices.

Tuples, tiles by name:

    ("PASS",)  ("PLAY", tile)  ("CHI", middle, tile)  ("PENG", tile)  ("GANG",)  ("GANG", tile)
    ("BUGANG", tile)  ("HU", fan)

The tile of CHI and PENG is the discard that follows, ("GANG",) is an open kong of the last discard, ("GANG", tile) a
concealed kong. fan is the count of the hand; Botzone's text has no place for it.

Indices 0..234 name one decision each, with the discard after a claim a decision of its own:

    0 pass, 1 win, 2..35 discard, 36..69 open kong, 70..103 concealed kong, 104..137 added kong, 138..171 pung,
    172..234 chow: 21 a suit (W, T, B), 3 a middle (2..8), the claimed tile lowest, middle, highest
"""

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

# Number of tiles after each word; GANG takes none (open) or one (concealed).
_TILES_AFTER = {"PASS": (0,), "PLAY": (1,), "CHI": (2,), "PENG": (1,), "GANG": (0, 1), "BUGANG": (1,), "HU": (0,)}
# First index of the actions that name only their own tile.
_BASES = {"PLAY": DISCARD_BASE, "GANG": CONCEALED_KONG_BASE, "BUGANG": ADDED_KONG_BASE}


def parse_action(text, fan=0):
    """Returns the action tuple of a response in Botzone's text.

    fan: of ("HU", fan). The text is split at every single space, as the judge does.
    Raises IllegalActionError: an unknown word, a wrong number of tiles, an unknown tile.

    >>> parse_action("CHI W5 T3")
    ('CHI', 'W5', 'T3')
    >>> parse_action("GANG"), parse_action("HU", fan=9)
    (('GANG',), ('HU', 9))
    """
    words = text.split(" ") if isinstance(text, str) else [""]
    kind = words[0]
    if kind not in _TILES_AFTER:
        raise IllegalActionError("expected PASS, PLAY, CHI, PENG, GANG, BUGANG or HU, got %.40r" % (text,))
    if len(words) - 1 not in _TILES_AFTER[kind]:
        raise IllegalActionError("expected %s with %s tiles after single spaces, got %.40r"
                                 % (kind, " or ".join(map(str, _TILES_AFTER[kind])), text))
    if not all(name in TILE_INDEX for name in words[1:]):
        raise IllegalActionError("expected tiles after %s, got %.40r" % (kind, text))
    return ("HU", fan) if kind == "HU" else tuple(words)


def format_action(action):
    """Returns Botzone's text of an action tuple.

    >>> format_action(("HU", 12)), format_action(("PENG", "W1"))
    ('HU', 'PENG W1')
    """
    return "HU" if action[0] == "HU" else " ".join(action)


def chow_index(middle, claimed):
    """Returns the index of the chow around `middle` (0..26) that claims tile `claimed` (middle - 1 .. middle + 1)."""
    return CHOW_BASE + middle // 9 * 21 + (middle % 9 - 1) * 3 + claimed - middle + 1


def split_chow_index(index):
    """Returns the (middle, claimed) tiles of a chow's index. This is the inverse of chow_index.

    >>> split_chow_index(chow_index(13, 12))
    (13, 12)
    """
    suit, rest = divmod(index - CHOW_BASE, 21)
    middle = suit * 9 + rest // 3 + 1
    return middle, middle + rest % 3 - 1


def encode_action(action, claimed=None):
    """Returns the indices of an action tuple: a tuple of one int 0..234, or of two for a claim with its discard.

    claimed: name of the tile that CHI, PENG or an open GANG claims.
    Raises IllegalActionError: no action tuple, or a claim without its tile.

    >>> encode_action(("PLAY", "W1")), encode_action(("CHI", "W2", "J3"), claimed="W3")
    ((2,), (174, 35))
    """
    kind = action[0]
    if kind not in _TILES_AFTER:
        raise IllegalActionError("expected an action tuple, got %r" % (action,))
    if kind in ("PASS", "HU"):
        return (PASS_INDEX if kind == "PASS" else WIN_INDEX,)
    if claimed is None and (kind in ("CHI", "PENG") or action == ("GANG",)):
        raise IllegalActionError("expected the tile that %r claims, got none" % (action,))
    if kind == "GANG" and len(action) == 1:
        return (OPEN_KONG_BASE + TILE_INDEX[claimed],)
    last = TILE_INDEX[action[-1]]
    if kind in _BASES:
        return (_BASES[kind] + last,)
    taken = TILE_INDEX[claimed]
    claim = PUNG_BASE + taken if kind == "PENG" else chow_index(TILE_INDEX[action[1]], taken)
    return (claim, DISCARD_BASE + last)


def decode_action(index, discard=None, fan=0):
    """Returns the action tuple of an index 0..234. This is the inverse of encode_action.

    discard: index 2..35 of the discard that follows a pung or chow.
    fan: the fan that ("HU", fan) gets.
    Raises IllegalActionError: an index outside 0..234, or a claim without its discard.

    >>> decode_action(174, discard=35)
    ('CHI', 'W2', 'J3')
    """
    if not 0 <= index < ACTION_COUNT:
        raise IllegalActionError("expected an action index 0..234, got %r" % (index,))
    if index == PASS_INDEX:
        return ("PASS",)
    if index == WIN_INDEX:
        return ("HU", fan)
    if OPEN_KONG_BASE <= index < CONCEALED_KONG_BASE:
        return ("GANG",)
    for kind, base in _BASES.items():
        if base <= index < base + TILE_COUNT:
            return (kind, TILE_NAMES[index - base])
    if discard is None or not DISCARD_BASE <= discard < OPEN_KONG_BASE:
        raise IllegalActionError("expected a discard index 2..35 after claim %d, got %r" % (index, discard))
    tile_name = TILE_NAMES[discard - DISCARD_BASE]
    if index < CHOW_BASE:
        return ("PENG", tile_name)
    return ("CHI", TILE_NAMES[split_chow_index(index)[0]], tile_name)
