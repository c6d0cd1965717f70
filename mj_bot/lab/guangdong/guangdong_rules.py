"""Defines the rules: settings for the points in which house rules differ, what wins, and what a win pays.

Source: FoxThinker's description, and where it is silent, most published implementations. The same under all settings:
four seats with 13 tiles each; seat 0 deals and draws first; one wall, from whose end kongs draw; no chow; a pung of
any discard before the next seat draws. engine.py compiles these functions: they take arrays and return numbers.
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
# Factors of the pay of a win, in the order of list_times.
TIMES = {"无鬼": "No Wild Tiles", "杠上开花": "Kong's Draw", "海底捞月": "Last Tile", "清一色": "Flush",
         "混一色": "Half Flush", "碰碰和": "All Pungs", "七对": "Seven Pairs"}
# Values of `wild`: no tile, tiles by name, or the kind that is turned at the deal, alone or with the next kind.
NO_WILD, RED, WHITE, RED_AND_WHITE, TURNED, TURNED_AND_NEXT = range(6)
WILD_NAMES = ("none", "red", "white", "red_and_white", "turned", "turned_and_next")
_NUMBERS = tuple(map(str, range(21)))
RED_TILE, WHITE_TILE = TILE_INDEX["J1"], TILE_INDEX["J3"]


class HouseRules(NamedTuple):
    """Keeps the rules of a table as whole numbers; switches are 0 or 1. Compiled code takes it as it is."""

    characters: int = 1  # whether these tiles are used
    winds: int = 1
    wild: int = RED_AND_WHITE  # place in WILD_NAMES; the turned tile lies open and is not drawn
    claim_wild: int = 0  # a discarded wild tile may be claimed, and serves in kongs, as itself
    win_by_discard: int = 0  # not only by an own draw or by robbing an added kong
    seven_pairs: int = 0  # are a winning hand too; four of a kind are two pairs
    thirteen_orphans: int = 0  # too: every 1, 9 and honour, one of them twice
    four_reds: int = 0  # concealed win too, with any other tiles
    reserve: int = 0  # tiles that are left when the wall counts as empty
    pay: int = 1  # of each other seat for a win; who gave the tile, robbed or discarded, pays for all three
    no_wild_times: int = 2  # the pay of a win without a wild tile
    kong_draw_times: int = 2  # of a win on the tile drawn for a kong
    last_tile_times: int = 1  # of a win on the wall's last tile
    flush_times: int = 1  # one suit, or honours alone
    half_flush_times: int = 1  # one suit and honours
    pungs_times: int = 1  # four triplets and a pair
    seven_pairs_times: int = 1
    dealer_times: int = 1  # what the dealer pays or is paid for a win
    open_kong_pay: int = 3  # by who discarded the tile
    concealed_kong_pay: int = 2  # by each other seat
    added_kong_pay: int = 1  # by each other seat; nothing where it is robbed
    void_kongs: int = 0  # kongs pay nothing in a game that nobody wins
    horses: int = 0  # tiles turned after a win: each that belongs to the winner's seat adds the pay once more


DEFAULTS = HouseRules()


def parse_settings(text: str = "") -> HouseRules:
    """Returns the Settings written as name=value,name=value; settings that are not written have their defaults.

    Raises MahjongError: an unknown name or value.

    >>> parse_settings("wild=turned,horses=2").horses
    2
    """
    values = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        choices = WILD_NAMES if name == "wild" else _NUMBERS
        if name not in HouseRules._fields or value not in choices:
            raise MahjongError("expected settings as name=0..20, names %s, or wild= one of %s, got %r"
                               % (", ".join(HouseRules._fields), ", ".join(WILD_NAMES), item))
        values[name] = choices.index(value)
    settings = HouseRules(**values)
    # Horses are turned from the wall, so some of it has to be left.
    return settings._replace(reserve=max(settings.reserve, settings.horses))


def format_settings(settings: HouseRules) -> str:
    """Returns the text of the settings that differ from the defaults, for parse_settings."""
    return ",".join("%s=%s" % (name, WILD_NAMES[value] if name == "wild" else value)
                    for name, value, usual in zip(HouseRules._fields, settings, DEFAULTS) if value != usual)


def compute_wild(settings: HouseRules, turned: int) -> int:
    """Returns the wild tiles as an int, bit t set where tile t is wild.

    After a 9 comes the 1 of its suit, after north east, after white red.
    turned: the kind that is turned at the deal.
    """
    if settings.wild < TURNED:
        return (settings.wild & 1) << RED_TILE | (settings.wild >> 1 & 1) << WHITE_TILE
    bits = 1 << turned
    if settings.wild == TURNED_AND_NEXT:
        first, count = (31, 3) if turned >= 31 else (27, 4) if turned >= 27 else (turned - turned % 9, 9)
        bits |= 1 << first + (turned - first + 1) % count
    return bits


def is_used(settings: HouseRules, tile: int) -> bool:
    """Checks whether the wall has tiles of this kind."""
    return not (tile < 9 and not settings.characters or 27 <= tile < 31 and not settings.winds)


def missing_otherwise(settings: HouseRules, counts: Sequence[int], wild: int, sets: int) -> int:
    """Returns the missing tiles of the nearest win without four sets.

    The settings may have no such win: the result is TOO_MANY_MISSING then.

    counts: concealed tiles by kind, wild ones included. wild: bit t set where tile t is wild. sets: 4 less the melds.
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
    """Returns the missing tiles of seven pairs, for 13 or 14 tiles; four of a kind are two pairs."""
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
    """Returns the missing tiles of thirteen orphans, for 13 or 14 tiles."""
    kinds, seconds, wilds = 0, 0, 0
    for tile in range(TILE_COUNT):
        count = int(counts[tile])
        if wild >> tile & 1:
            wilds += count
        elif tile >= FIRST_HONOUR or tile % 9 in (0, 8):
            kinds += count > 0
            seconds += count > 1
    return 14 - kinds - min(seconds, 1) - wilds


def is_all_pungs(counts: Sequence[int], wild: int) -> bool:
    """Checks whether 3 n + 2 tiles are n triplets and a pair."""
    size, groups = 0, 0
    for tile in range(TILE_COUNT):
        size += int(counts[tile])
        if not wild >> tile & 1:
            # Four of a kind are in two groups, which wild tiles complete.
            groups += (int(counts[tile]) + 2) // 3
    return groups <= size // 3 + 1


def list_times(
        settings: HouseRules, counts: Sequence[int], wild: int, meld_tiles: int, is_kong_draw: bool,
        is_last_tile: bool) -> tuple[int, ...]:
    """Returns the factor of each name in TIMES for a win, 1 for those that it does not have.

    counts: of the concealed tiles and the winning one, 34 kinds. meld_tiles: bit t set where a meld is of tile t.
    """
    kinds = meld_tiles
    for tile in range(TILE_COUNT):
        if counts[tile]:
            kinds |= 1 << tile
    fixed = kinds & ~wild
    suits = min(1, fixed & 511) + min(1, fixed >> 9 & 511) + min(1, fixed >> 18 & 511)
    is_flush = suits == 0 or suits == 1 and fixed >> FIRST_HONOUR == 0
    pungs = settings.pungs_times if is_all_pungs(counts, wild) else 1
    pairs = settings.seven_pairs_times if settings.seven_pairs and missing_pairs(counts, wild) <= 0 else 1
    return (
        1 if kinds & wild else settings.no_wild_times,
        settings.kong_draw_times if is_kong_draw else 1,
        settings.last_tile_times if is_last_tile else 1,
        settings.flush_times if is_flush else 1,
        settings.half_flush_times if suits == 1 and not is_flush else 1,
        # A hand is read in one way: as pungs or as pairs.
        pungs if pungs > pairs else 1,
        1 if pungs > pairs else pairs,
    )


def horse_owner(tile: int) -> int:
    """Returns the seat to which a horse belongs: ranks 1 5 9, east and red to the dealer, and so on around the table.
    """
    return (tile % 9 if tile < FIRST_HONOUR else tile - FIRST_HONOUR) % SEATS
