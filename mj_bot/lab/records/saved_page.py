r"""Finds the record of a match in a page that a browser saved: in a variable of a script, or as JSON in the text.

Botzone's page has the log in a script, as a JSON text or as JSON:

    playerNames = [{"name": "a"}, ...];
    var _rawLogJSON = "[{\"output\": ...}, ...]";

A saved "view source" has the same page once more as text, each line in a row of a table. A page in one file (.mhtml) is
a mail with the page as its part.
"""

import contextlib
import email
import html
import re

from ...mahjong.errors import ProtocolError
from ..run.files import format_json
from .record_json import decode_json

PAGE_WORD = "_rawLogJSON"
_ADDRESS = re.compile(r"/match/([0-9a-f]{24})")
_PRE, _PRE_END = (re.compile(pattern, re.IGNORECASE) for pattern in (
    r"<(?:pre|textarea|code)\b[^<>]*+>", r"</(?:pre|textarea|code)\s*+>"))
_TAG = re.compile(r"<[a-zA-Z!/][^<>]*+>")
_VARIABLE = r"\b%s[\"']?\s*[=:]\s*(?:JSON\.parse\s*\(\s*)?(?=[\"'`\[{])"
_STRING = re.compile(r"""(["'`])((?:(?!\1)[^\\]|\\.)*+)\1""", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_MAIL = re.compile(r"[A-Z][A-Za-z-]*:[^\n]*\n(?=.{0,2000}?^Content-Type:\s*(?:multipart/|text/html))",
                   re.DOTALL | re.MULTILINE | re.IGNORECASE)
_MOST_PIECES = 64  # most elements of a page that are searched for JSON
_MOST_BLANKS = 1000  # most blanks before the beginning of a page


def is_page(text: str) -> bool:
    """Checks whether a text begins as a page, or is a copy of a page's source, or a page in one file."""
    begin = text[:_MOST_BLANKS].lstrip("\ufeff \t\r\n")[:4]
    return begin[:1] == "<" or begin == "&lt;" or (begin[:1] not in ("{", "[") and (
        PAGE_WORD in text or _MAIL.match(text) is not None))


def list_page_texts(text: str) -> list[str]:
    """Returns the JSON texts in a page: the text in its script, or else the texts that the page shows.

    Raises ProtocolError: the page has no such text.
    """
    if _MAIL.match(text):
        pieces = _list_mail_texts(text)
    else:
        shown = html.unescape(_TAG.sub("", text))
        # In "view source" the page's own "<" and "&" are written as text, so its text is decoded twice.
        for source in (text, shown, html.unescape(shown)):
            log = _read_variable(source, PAGE_WORD)
            if log:
                return [_join_match(source, log)]
        pieces = [_PRE.split(piece, 1)[-1] for piece in _PRE_END.split(text, _MOST_PIECES)[:-1]]
        pieces = [html.unescape(_TAG.sub("", piece)).strip() for piece in pieces] or [shown.strip()]
        pieces = [piece for piece in pieces if piece[:1] in ("{", "[")]
    if not pieces:
        raise ProtocolError(
            "expected a page with a match: Botzone's page of a match that is over, or one that shows JSON; got a page "
            "without one: save the page of the match again, or give its address")
    return pieces


def _list_mail_texts(text):
    texts = []
    for entity in email.message_from_bytes(text.encode("utf-8", "replace")).walk():
        if entity.get_content_type() == "text/html":
            with contextlib.suppress(ProtocolError):
                texts += list_page_texts(entity.get_payload(decode=True).decode("utf-8", "replace"))
    return texts


def _join_match(source, log):
    """Returns the JSON text of a match from the variables of its page. log: value of the one with the moves."""
    names, wall, match_id = (_read_variable(source, name) for name in ("playerNames", "initdata", "matchID"))
    address = _ADDRESS.search(source)
    match = {"logs": log, "players": names if isinstance(names, list) and len(names) == 4 else None,
             "initdata": wall if isinstance(wall, (str, dict)) else None,
             "id": match_id if isinstance(match_id, str) and match_id else address and address.group(1)}
    return format_json({key: value for key, value in match.items() if value is not None})


def _read_variable(text, name):
    """Returns the value of a script's variable, a text or a JSON value; None if there is none that can be read."""
    assigned = re.search(_VARIABLE % name, text)
    if not assigned:
        return None
    if text[assigned.end()] in "[{":
        with contextlib.suppress(ProtocolError):
            return decode_json(text, assigned.end())[0]
        return None
    string = _STRING.match(text, assigned.end())
    return _ESCAPE.sub(_unescape, string.group(2)) if string else None


def _unescape(escape):
    code, short, newline, letter = escape.groups()
    if code or short:
        return chr(int(code or short, 16))
    return "" if newline else _LETTERS.get(letter, letter)
