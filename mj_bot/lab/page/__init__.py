"""Keeps what the pages of play, review and hand share: tiles as SVG, a position as JSON, the scripts that draw it.

A page with a table has STYLES and SCRIPTS, and calls, with a position of position.py,

    MjTable.draw(element, position, {seat: 0, open: true, names: [...], words: WORDS.en})
"""

import base64
import html
import os
import pathlib
import zlib
from collections.abc import Sequence
from typing import Any

from ...mahjong.errors import MahjongError
from ..run.files import check_output, expect_readable, format_json
from .constants import PAGE_CONSTANTS

# Files of this folder in all pages, in this order.
STYLES = ("table.css", "page.css")
SCRIPTS = (
    "words.en.js", "words.zh.js", "words_decision.en.js", "words_decision.zh.js", "words_play.en.js",
    "words_play.zh.js", "basics.js", "elements.js", "address.js", "reader.js", "table_tiles.js", "table_hand.js",
    "table.js", "actions.js", "hands.js", "judgement.js", "deal_ins.js", "remarks.js", "moves.js",
    "fans.js", "fan_table.js", "learning.js", "questions.js")
# Symbols mj-W1 .. mj-J3 and mj-back, each 60 x 80; the lowest 6 units show the side of the tile. Characters are
# drawn as outlines, since a reader may have no font that contains them.
SPRITE = "tiles.svg"
# What a page of one file may load: nothing but itself.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; " \
         "form-action 'none'"
_DOCUMENT_HEAD = '<meta http-equiv="Content-Security-Policy" content="%s">\n<style>\n%%s\n</style>' % POLICY
_DOCUMENT_SCRIPTS = '<script type="application/json" id="data" data-packed>%s</script>\n<script>\n%s\n</script>'
_FOLDER = pathlib.Path(__file__).parent
_MOST_HEAD = 1 << 13  # bytes up to the end of _DOCUMENT_HEAD's first line, with a long title


def read_asset(name: str, folder: pathlib.Path = _FOLDER) -> str:
    """Returns the text of a file of this folder (table.js, page.css), or of another one."""
    return (folder / name).read_text(encoding="utf-8")


def fill_page(title: str, head: str, body: str, *, scripts: str) -> str:
    """Returns the HTML of a page. title: text. head, body, scripts: HTML."""
    values = {"title": html.escape(title), "head": head, "sprite": read_asset(SPRITE), "body": body,
              "constants": embed_json(PAGE_CONSTANTS), "scripts": scripts}
    # Split first: a value may contain the text of a mark.
    pieces = read_asset("page.html").split("{{")
    return pieces[0] + "".join(values[mark] + rest for mark, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def build_document(
        name: str, folder: pathlib.Path, title: str, data: Any, *, scripts: Sequence[str]) -> str:
    """Returns the HTML of a page that is one file and needs no network.

    name: stem of NAME.html and NAME.css in the folder. data: JSON, which the scripts read by Panels.readData. scripts:
    files of the folder in their order; the last one starts the page.
    """
    style = "".join(map(read_asset, STYLES)) + read_asset(name + ".css", folder)
    script = "\n".join([*map(read_asset, SCRIPTS), *(read_asset(file, folder) for file in scripts)])
    return fill_page(title, _DOCUMENT_HEAD % style, read_asset(name + ".html", folder),
                     scripts=_DOCUMENT_SCRIPTS % (pack_json(data), script))


def check_document(path: str | None) -> None:
    """Checks that a page can be written: to a new file, an empty one, or one of build_document.

    Raises MahjongError: another file is there.
    """
    check_output(path, ("<",))
    if path and os.path.isfile(path):
        with expect_readable("a page that can be replaced, got %r", path, error_class=MahjongError):
            with open(path, "rb") as file:
                head = file.read(_MOST_HEAD).decode("utf-8", "replace")
        if head and POLICY not in head:
            raise MahjongError("expected a new file or a page of mj_bot, got another page: %r", path)


def pack_json(value: Any) -> str:
    """Returns JSON as deflated bytes in base64.

    Raises MahjongError: a value that JSON does not have.

    >>> import json; json.loads(zlib.decompress(base64.b64decode(pack_json({"name": 1}))))
    {'name': 1}
    """
    text = format_json(value, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return base64.b64encode(zlib.compress(text, 9)).decode("ascii")


def embed_json(value: Any) -> str:
    """Returns JSON for the inside of a <script> element, which no text in it can end.

    Raises MahjongError: a value that JSON does not have.

    >>> embed_json({"name": "</script><!--"})
    '{"name":"\\\\u003c/script>\\\\u003c!--"}'
    """
    return format_json(value, separators=(",", ":")).replace("<", "\\u003c")
