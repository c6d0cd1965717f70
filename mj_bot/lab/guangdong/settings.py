"""The rules' points that house rules differ in, each a setting with its default.

Source: FoxThinker's description where it says something, else what most published implementations do. Fixed are: four
seats with 13 tiles each, of which seat 0 deals and draws first; one wall, from whose end kongs draw; no chow; a pung of
any discard before the next seat draws.
"""

from typing import NamedTuple

from ...mahjong.errors import MahjongError
from ...mahjong.tile import TILE_INDEX

# What `wild` may be: nothing, tiles by name, or the kind that is turned at the deal, alone or with the next.
NO_WILD, RED, WHITE, RED_AND_WHITE, TURNED, TURNED_AND_NEXT = range(6)
WILD_NAMES = ("none", "red", "white", "red_and_white", "turned", "turned_and_next")
RED_TILE, WHITE_TILE = TILE_INDEX["J1"], TILE_INDEX["J3"]


class Settings(NamedTuple):
    """Whole numbers; switches are 0 or 1. Compiled code takes it as it is."""

    characters: int = 1  # whether these tiles are there
    winds: int = 1
    wild: int = RED_AND_WHITE  # place in WILD_NAMES; the turned tile lies open and is not drawn
    claim_wild: int = 0  # a discarded wild tile may be claimed, and serves in kongs, as itself
    win_by_discard: int = 0  # not only by an own draw or by robbing an added kong
    seven_pairs: int = 0  # is a winning hand too; four of a kind are two pairs
    reserve: int = 0  # tiles that are left when the wall counts as empty
    pay: int = 1  # of each other seat for a win; who gave the tile, robbed or discarded, pays for all three
    no_wild_times: int = 2  # the pay of a win without a wild tile
    kong_draw_times: int = 2  # of a win on the tile drawn for a kong
    last_tile_times: int = 1  # of a win on the wall's last tile
    flush_times: int = 1  # one suit, or honours alone
    seven_pairs_times: int = 1
    dealer_times: int = 1  # what the dealer pays or is paid for a win
    open_kong_pay: int = 3  # by who discarded the tile
    concealed_kong_pay: int = 2  # by each other seat
    added_kong_pay: int = 1  # by each other seat; nothing where it is robbed
    void_kongs: int = 0  # kongs pay nothing in a game that nobody wins
    horses: int = 0  # tiles turned after a win: each that belongs to the winner's seat adds the pay once more


DEFAULTS = Settings()


def parse_settings(text=""):
    """Settings written as name=value,name=value; those that are left out have their defaults.

    Raises MahjongError: a name or value that is none.

    >>> parse_settings("wild=turned,horses=2").horses
    2
    """
    values = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        if name == "wild" and value in WILD_NAMES:
            values[name] = WILD_NAMES.index(value)
        elif name in Settings._fields and name != "wild" and value.isdecimal() and int(value) <= 20:
            values[name] = int(value)
        else:
            raise MahjongError("expected settings as name=0..20, names %s, or wild= one of %s, got %r"
                               % (", ".join(Settings._fields), ", ".join(WILD_NAMES), item))
    settings = Settings(**values)
    if settings.reserve < settings.horses:
        settings = settings._replace(reserve=settings.horses)
    return settings


def format_settings(settings):
    """Text of what differs from the defaults, as parse_settings reads it."""
    return ",".join("%s=%s" % (name, WILD_NAMES[value] if name == "wild" else value)
                    for name, value, usual in zip(Settings._fields, settings, DEFAULTS) if value != usual)


def find_wild(settings, turned):
    """int, bit t set where tile t is wild. turned: the kind that is turned at the deal.

    The kind next to a 9 is the 1 of its suit; winds and dragons go around too.
    """
    if settings.wild < TURNED:
        return (settings.wild & 1) << RED_TILE | (settings.wild >> 1 & 1) << WHITE_TILE
    bits = 1 << turned
    if settings.wild == TURNED_AND_NEXT:
        first, count = (31, 3) if turned >= 31 else (27, 4) if turned >= 27 else (turned - turned % 9, 9)
        bits |= 1 << first + (turned - first + 1) % count
    return bits


def is_used(settings, tile):
    """Whether the game is played with tiles of this kind."""
    return not (tile < 9 and not settings.characters or 27 <= tile < 31 and not settings.winds)
