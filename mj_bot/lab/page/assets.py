"""The files of a page, and how they are put into one that needs no network."""

import json
import pathlib

_FOLDER = pathlib.Path(__file__).parent


def read_asset(name, folder=_FOLDER):
    """Text of a file of this folder (table.js, table.css), or of another one."""
    return (folder / name).read_text(encoding="utf-8")


def embed_json(value):
    """JSON that may stand inside a <script> element: no text in it can end the element or begin another.

    >>> embed_json({"name": "</script><!--"})
    '{"name":"\\\\u003c/script>\\\\u003c!--"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
