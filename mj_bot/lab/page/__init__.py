"""What the pages of play and review share: tiles as SVG, a position as JSON, and the script that draws it.

It never asks a tactic.

A page that shows a table has the sprite of tiles.draw_sprite() in its body, STYLES and SCRIPTS, and calls, with a
position as position.py describes it,

    MjTable.draw(element, position, {seat: 0, open: true, names: [...], words: WORDS.en})
"""

import json
import pathlib

# The files of this folder that all pages have, in this order.
STYLES = ("table.css", "page.css")
SCRIPTS = ("table.js", "words.en.js", "words.zh.js", "panels.js")
_FOLDER = pathlib.Path(__file__).parent


def read_asset(name, folder=_FOLDER):
    """Text of a file of this folder (table.js, page.css), or of another one."""
    return (folder / name).read_text(encoding="utf-8")


def embed_json(value):
    """JSON that may stand inside a <script> element: no text in it can end the element or begin another.

    >>> embed_json({"name": "</script><!--"})
    '{"name":"\\\\u003c/script>\\\\u003c!--"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
