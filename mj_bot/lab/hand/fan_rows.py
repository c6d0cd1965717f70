"""Lists the 81 fans with their points, the fans that an example of each also counts, and the fans that it excludes.

All pages have this list from page/fan_rows.json, which `docs/make_tables.py` writes.
"""

from ...mahjong.tile import TILE_NAMES
from ..run.files import format_json
from ..table.fan_names import ENGLISH_FANS, EXCLUDED_FANS, FAN_EXAMPLES
from .answer import answer_texts
from .notation import parse_hand


def list_fan_rows() -> list[list]:
    """Returns a row [name, English name, points of one copy, tiles, others, excluded] for each fan.

    tiles: of the example, each meld and then the rest with the winning tile last, apart by spaces, e.g. "W1W2W3 F1F1".
    others: [name, points] of each other fan that the judge counts in the example of the fan.
    excluded: names of fans that are not counted together with the fan.
    """
    rows = []
    for name, hand in FAN_EXAMPLES.items():
        fans = answer_texts(hand)["win"]["fans"]
        points = next(points for points, _, counted in fans if counted == name)
        rows.append([name, ENGLISH_FANS[name], points, format_hand_tiles(hand), [
            [other, worth * copies] for worth, copies, other in fans if other != name], EXCLUDED_FANS[name]])
    return rows


def format_hand_tiles(text: str) -> str:
    """Returns the tiles of a hand in the notation as scripts have them, e.g. "W1W2W3 F1F1"."""
    hand = parse_hand(text)
    return " ".join("".join(group) for group in [*(meld.cards for meld in hand.melds),
                                                 [TILE_NAMES[tile] for tile in hand.tiles]])


def format_rows() -> str:
    """Returns the text of page/fan_rows.json."""
    return "[\n%s\n]\n" % ",\n".join(map(format_json, list_fan_rows()))
