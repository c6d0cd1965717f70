"""The page of the 81 fans: what each is worth, a hand that has it, and a word to those who play riichi mahjong."""

import html
import pathlib
from functools import lru_cache

from ..page import STYLES, fill_page, read_asset, read_fan_examples
from ..table.fan_names import ENGLISH_FANS
from .answer import answer_texts

_FOLDER = pathlib.Path(__file__).parent
_TILE = '<svg class="fan-tile" viewBox="0 0 60 80"><use href="#mj-%s"/></svg>'
_ROW = "<tr><td>%d</td><td>%s<br>%s</td><td>%s</td><td>%s</td></tr>"


def list_rows():
    """Returns (name, points, tile names, other fans) of each fan's example.

    points: of one copy. tile names: melds first, the winning tile last. other fans: list of (points, copies, name) that
    the judge counts in the example as well; a fan that another one includes is not among them.
    """
    rows = []
    for name, hand in read_fan_examples().items():
        answer = answer_texts(hand)
        fans = answer["win"]["fans"]
        points = next(points for points, _, counted in fans if counted == name)
        melds = [tile for meld in answer["hand"]["melds"] for tile in meld[1:]]
        rows.append((name, points, [*melds, *answer["hand"]["tiles"]], [fan for fan in fans if fan[2] != name]))
    return rows


@lru_cache(maxsize=1)
def build_fan_page():
    """Returns the HTML of the page, in Chinese and English side by side."""
    rows = [_ROW % (points, html.escape(name), html.escape(ENGLISH_FANS[name]),
                    "".join(_TILE % tile for tile in tiles),
                    "<br>".join("%s %s %d" % (other, ENGLISH_FANS[other], worth * copies)
                                for worth, copies, other in others))
            for name, points, tiles, others in list_rows()]
    head = "".join('<link rel="stylesheet" href="%s">' % name for name in STYLES)
    return fill_page("81 番 · 81 fans", '<link rel="icon" href="data:,">' + head,
                     read_asset("fan_page.html", _FOLDER).replace("ROWS", "\n".join(rows)), scripts="")
