"""Defines the rules: settings for the points in which house rules differ, what wins, and what a win pays.

Source: FoxThinker's description; where it is silent, most published implementations. All settings have in common: four
seats with 13 tiles each; seat 0 deals and draws first; one wall, from whose end kongs draw; no chow; any seat may pung
a discard before the next seat draws.

engine.py compiles these functions, so they take arrays and return numbers. In this file `wild` is an int with bit t set
where tile t is wild, and `sets` is 4 less the number of melds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT, TILE_INDEX

FULL_SETS = 4
# The last phase of a game. The others are tasks of observation/layout.py: TURN (win, lay kongs, discard), FOLLOW
# (discard after a pung), CLAIM (claim a discard, or win on it) and ROB (win on an added kong).
HAND_OVER = 4
LAID_PUNG, LAID_OPEN_KONG, LAID_CONCEALED_KONG, LAID_ADDED_KONG = range(4)
TOO_MANY_MISSING = 99  # more missing tiles than any hand has
# Chinese and English names of special wins.
TIMES = {"无鬼": "No Wild Tiles", "杠上开花": "Kong's Draw", "海底捞月": "Last Tile", "清一色": "Flush",
         "混一色": "Half Flush", "碰碰和": "All Pungs", "七对": "Seven Pairs"}
# Values of the setting `wild`: no tile is wild, or these tiles are, or all copies of the tile that is turned at the
# deal, alone or with the next tile.
NO_WILD, RED, WHITE, RED_AND_WHITE, TURNED, TURNED_AND_NEXT = range(6)
WILD_NAMES = ("none", "red", "white", "red_and_white", "turned", "turned_and_next")
_NUMBERS = tuple(map(str, range(21)))
RED_TILE, WHITE_TILE = TILE_INDEX["J1"], TILE_INDEX["J3"]


class HouseRules(NamedTuple):
    """Keeps the rules of a table as whole numbers; switches are 0 or 1. Compiled functions take this record.

    characters, winds: whether the wall contains these tiles.
    wild: index in WILD_NAMES. A turned tile lies open and is not drawn.
    claim_wild: whether a discarded wild tile may be claimed, and whether kongs of wild tiles are allowed.
    win_by_discard: whether a seat may win on a discard. It always may win on its own draw and by robbing a kong.
    seven_pairs: whether seven pairs win; four of a kind are two pairs.
    thirteen_orphans: whether every 1, 9 and honour, one of them twice, wins.
    four_reds: whether four concealed red dragons win, with any other tiles.
    reserve: how many tiles are left when the wall counts as empty.
    pay: points of each other seat for a win. A seat that discarded the tile, or whose kong was robbed, pays for all.
    no_wild_times .. seven_pairs_times: factors of special wins, in the order of TIMES. no_wild_times is for a win
        without a wild tile, flush_times for one suit or honours only, half_flush_times for one suit and honours,
        pungs_times for four triplets and a pair.
    dealer_times: factor of what the dealer pays or gets for a win.
    open_kong_pay: points of the seat that discarded the tile. concealed_kong_pay, added_kong_pay: points of each other
        seat; a robbed kong pays nothing. void_kongs: whether kongs pay nothing in a game that nobody wins.
    horses: how many tiles are turned after a win. Each that belongs to the winner's seat adds the pay once more.
    """

    characters: int = 1
    winds: int = 1
    wild: int = RED_AND_WHITE
    claim_wild: int = 0
    win_by_discard: int = 0
    seven_pairs: int = 0
    thirteen_orphans: int = 0
    four_reds: int = 0
    reserve: int = 0
    pay: int = 1
    no_wild_times: int = 2
    kong_draw_times: int = 2
    last_tile_times: int = 1
    flush_times: int = 1
    half_flush_times: int = 1
    pungs_times: int = 1
    seven_pairs_times: int = 1
    dealer_times: int = 1
    open_kong_pay: int = 3
    concealed_kong_pay: int = 2
    added_kong_pay: int = 1
    void_kongs: int = 0
    horses: int = 0


DEFAULTS = HouseRules()


def parse_settings(text: str = "") -> HouseRules:
    """Returns the HouseRules written as name=value,name=value. Settings that are not written have their defaults.

    Raises MahjongError: an unknown name or value.

    >>> parse_settings("wild=turned,horses=2").horses
    2
    """
    values = DEFAULTS._asdict()
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        choices = WILD_NAMES if name == "wild" else _NUMBERS
        if name not in values or value not in choices:
            raise MahjongError("expected settings as name=0..20, names %s, or wild= one of %s, got %r",
                               ", ".join(values), ", ".join(WILD_NAMES), item)
        values[name] = choices.index(value)
    settings = HouseRules(**values)
    # Horses are turned from the wall, so some of it has to be left.
    return settings._replace(reserve=max(settings.reserve, settings.horses))


def format_settings(settings: HouseRules) -> str:
    """Returns the settings that differ from the defaults, as a text that parse_settings reads."""
    return ",".join("%s=%s" % (name, WILD_NAMES[value] if name == "wild" else value)
                    for name, value in settings._asdict().items() if value != getattr(DEFAULTS, name))


def compute_wild(settings: HouseRules, turned: int) -> int:
    """Returns the wild tiles as an int, bit t set where tile t is wild.

    turned: the tile that is turned at the deal. The next tile after a 9 is the 1 of its suit, after north east, after
    white red.
    """
    if settings.wild < TURNED:
        return (settings.wild & 1) << RED_TILE | (settings.wild >> 1 & 1) << WHITE_TILE
    bits = 1 << turned
    if settings.wild == TURNED_AND_NEXT:
        first, count = (31, 3) if turned >= 31 else (27, 4) if turned >= 27 else (turned - turned % 9, 9)
        bits |= 1 << first + (turned - first + 1) % count
    return bits


def is_used(settings: HouseRules, tile: int) -> bool:
    """Checks whether the wall of these rules contains a tile."""
    return not (tile < 9 and not settings.characters or 27 <= tile < 31 and not settings.winds)


def missing_otherwise(settings: HouseRules, counts: Sequence[int], wild: int, sets: int) -> int:
    """Returns the missing tiles of the nearest win that is not four sets and a pair.

    counts: 34 numbers, the concealed tiles with wild ones. sets: 4 less the melds.
    Returns TOO_MANY_MISSING if the settings have no such win.
    """
    missing = TOO_MANY_MISSING
    if settings.seven_pairs and sets == FULL_SETS:
        missing = missing_pairs(counts, wild)
    if settings.thirteen_orphans and sets == FULL_SETS:
        missing = min(missing, missing_orphans(counts, wild))
    if settings.four_reds:
        missing = min(missing, COPIES - int(counts[RED_TILE]))
    return missing


def missing_pairs(counts: Sequence[int], wild: int) -> int:
    """Returns the missing tiles of seven pairs; four of a kind are two. counts: 34 numbers, tiles with wild ones."""
    pairs, singles, wilds = 0, 0, 0
    for tile in range(TILE_COUNT):
        count = int(counts[tile])
        if wild >> tile & 1:
            wilds += count
        else:
            pairs += count // 2
            singles += count % 2
    return 14 - 2 * pairs - min(singles, 7 - pairs) - wilds


def missing_orphans(counts: Sequence[int], wild: int) -> int:
    """Returns the missing tiles of thirteen orphans. counts: 34 numbers, 13 or 14 tiles with wild ones."""
    orphans, seconds, wilds = 0, 0, 0
    for tile in range(TILE_COUNT):
        count = int(counts[tile])
        if wild >> tile & 1:
            wilds += count
        elif tile >= FIRST_HONOUR or tile % 9 in (0, 8):
            orphans += count > 0
            seconds += count > 1
    return 14 - orphans - min(seconds, 1) - wilds


def is_all_pungs(counts: Sequence[int], wild: int) -> bool:
    """Checks whether tiles are n triplets and a pair. counts: 34 numbers, 3 * n + 2 tiles with wild ones."""
    size, groups = 0, 0
    for tile in range(TILE_COUNT):
        size += int(counts[tile])
        if not wild >> tile & 1:
            # Four copies of a tile are in two groups, which wild tiles complete.
            groups += (int(counts[tile]) + 2) // 3
    return groups <= size // 3 + 1


def list_times(
        settings: HouseRules, counts: Sequence[int], wild: int, meld_tiles: int, is_kong_draw: bool,
        is_last_tile: bool) -> tuple[int, ...]:
    """Returns the factor of each name in TIMES for a win, 1 for a name that the win does not have.

    counts: 34 numbers, the concealed tiles with the winning one. meld_tiles: int, bit t set where a meld is of tile t.
    is_kong_draw: whether the winning tile was drawn for a kong. is_last_tile: whether it was the last tile of the wall.
    """
    tile_bits = meld_tiles
    for tile in range(TILE_COUNT):
        if counts[tile]:
            tile_bits |= 1 << tile
    fixed = tile_bits & ~wild
    suits = min(1, fixed & 511) + min(1, fixed >> 9 & 511) + min(1, fixed >> 18 & 511)
    is_flush = suits == 0 or suits == 1 and fixed >> FIRST_HONOUR == 0
    pungs = settings.pungs_times if is_all_pungs(counts, wild) else 1
    pairs = settings.seven_pairs_times if settings.seven_pairs and missing_pairs(counts, wild) <= 0 else 1
    return (
        1 if tile_bits & wild else settings.no_wild_times,
        settings.kong_draw_times if is_kong_draw else 1,
        settings.last_tile_times if is_last_tile else 1,
        settings.flush_times if is_flush else 1,
        settings.half_flush_times if suits == 1 and not is_flush else 1,
        # A hand counts either as pungs or as pairs, whichever pays more.
        pungs if pungs > pairs else 1,
        1 if pungs > pairs else pairs,
    )


def horse_owner(tile: int) -> int:
    """Returns the seat of a horse: 1, 5, 9, east and red are the dealer's, the next ranks and honours the next seat's.
    """
    return (tile % 9 if tile < FIRST_HONOUR else tile - FIRST_HONOUR) % SEATS
