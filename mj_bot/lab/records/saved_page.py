r"""Finds the record of a match in a page that a browser saved: in a variable of a script, or as JSON in the text.

Botzone's page has the log in a script, as a JSON text or as JSON:

    playerNames = [{"name": "a"}, ...];
    var _rawLogJSON = "[{\"output\": ...}, ...]";

A saved "view source" has the same page once more as text, each line in a row of a table. A page in one file (.mhtml) is
a mail with the page as its part. A .har has all answers that a browser got.
"""

import base64
import binascii
import contextlib
import email
import html
import re
from typing import Any

from ...mahjong.errors import ProtocolError
from ..run.files import format_json
from .shapes import decode_json, parse_record_json

_LOG, _NAMES, _WALL, _MATCH = "_rawLogJSON", "playerNames", "initdata", "matchID"
_ADDRESS = re.compile(r"/match/([0-9a-f]{24})")
_PRE, _PRE_END = (re.compile(pattern, re.IGNORECASE) for pattern in (
    r"<(?:pre|textarea|code)\b[^<>]*+>", r"</(?:pre|textarea|code)\s*+>"))
_TAG = re.compile(r"<[a-zA-Z!/][^<>]*+>")
_STRING = re.compile(r"""(["'`])((?:(?!\1)[^\\]|\\.)*+)\1""", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_MAIL = re.compile(r"[A-Z][A-Za-z-]*:[^\n]*\n(?=.{0,2000}?^Content-Type:\s*(?:multipart/|text/html))",
                   re.DOTALL | re.MULTILINE | re.IGNORECASE)
_MOST_PIECES = 64  # most elements of a page that are searched for JSON
_MOST_BLANKS = 1000  # most blanks before the beginning of a page


def is_page(text: str) -> bool:
    """Checks whether a text begins as a page, or is a copy of a page's source, or a page in one file."""
    if _MAIL.match(text):
        return True
    begin = text[:_MOST_BLANKS].lstrip("\ufeff \t\r\n")[:4]
    return begin[:1] == "<" or begin == "&lt;" or (begin[:1] not in ("{", "[") and _LOG in text)


def list_page_texts(text: str) -> list[str]:
    """Returns the JSON texts in a page: the text in its script, or else the texts that the page shows.

    Raises ProtocolError: the page has no such text.
    """
    if _MAIL.match(text):
        return _list_mail_texts(text)
    shown = html.unescape(_TAG.sub("", text))
    # In "view source" the page's own "<" and "&" are written as text, so its text is decoded twice.
    for source in (text, shown, html.unescape(shown)):
        log = _read_variable(source, _LOG)
        if log:
            return [_join_match(source, log)]
    pieces = [_PRE.split(piece, 1)[-1] for piece in _PRE_END.split(text, _MOST_PIECES)[:-1]]
    pieces = [html.unescape(_TAG.sub("", piece)).strip() for piece in pieces]
    pieces = [piece for piece in pieces or [shown.strip()] if piece[:1] in ("{", "[")]
    if not pieces:
        raise ProtocolError(
            "expected a page with a match: Botzone's page of a match that is over, or one that shows JSON; got a page "
            "without one: save the page of the match again, or give its address")
    return pieces


def _list_mail_texts(text):
    """Returns the JSON texts of the pages in a mail."""
    texts, problem = [], ProtocolError("expected a page in a file .mhtml, got none")
    for entity in email.message_from_bytes(text.encode("utf-8", "replace")).walk():
        if entity.get_content_type() == "text/html":
            page = entity.get_payload(decode=True)
            try:
                texts += list_page_texts(page.decode("utf-8"))
            except UnicodeDecodeError:
                texts += list_page_texts(page.decode("gb18030", "replace"))
            except ProtocolError as error:
                problem = error
    if not texts:
        raise problem
    return texts


def is_har(value: Any) -> bool:
    """Checks whether a JSON value is a .har, in which the tools of a browser keep all that it loaded."""
    log = value.get("log") if isinstance(value, dict) else None
    entries = log.get("entries") if isinstance(log, dict) else None
    return isinstance(entries, list) and all(isinstance(entry, dict) and "response" in entry for entry in entries[:1])


def list_har_texts(value: dict) -> list[str]:
    """Returns the JSON texts among the answers that a .har has, those in pages of matches too."""
    texts = []
    for entry in value["log"]["entries"]:
        content = entry
        for key in ("response", "content"):
            content = content.get(key) if isinstance(content, dict) else None
        text = content.get("text") if isinstance(content, dict) else None
        if not isinstance(text, str):
            continue
        if content.get("encoding") == "base64":
            with contextlib.suppress(binascii.Error, ValueError):
                text = base64.b64decode(text).decode("utf-8", "replace")
        if text.lstrip()[:1] in ("{", "["):
            texts.append(text)
        elif _LOG in text:
            with contextlib.suppress(ProtocolError):
                texts += list_page_texts(text)
    return texts


def _join_match(source, log):
    """Returns the JSON text of a match from the variables of its page. log: value of the one with the moves."""
    match = {"logs": log}
    names, wall, match_id = (_read_variable(source, name) for name in (_NAMES, _WALL, _MATCH))
    address = _ADDRESS.search(source)
    if isinstance(names, str):
        with contextlib.suppress(ProtocolError):
            names = parse_record_json(names)
    if isinstance(names, list) and len(names) == 4:
        match["players"] = names
    if isinstance(wall, (str, dict)):
        match["initdata"] = wall
    if isinstance(match_id, str) and match_id or address:
        match["id"] = match_id if isinstance(match_id, str) and match_id else address.group(1)
    return format_json(match)


def _find_variable(text, name):
    """Returns the index in `text` at which the value of a script's variable begins, or None."""
    return next((assigned.end() for assigned in re.finditer(
        r"\b%s[\"']?\s*[=:]\s*(?:JSON\.parse\s*\(\s*)?(?=[\"'`\[{])" % name, text)), None)


def _read_variable(text, name):
    """Returns the value of a script's variable, a text or a JSON value; None if there is none that can be read."""
    begin = _find_variable(text, name)
    if begin is None:
        return None
    if text[begin] in "[{":
        try:
            return decode_json(text, begin)[0]
        except ProtocolError:
            return None
    string = _STRING.match(text, begin)
    return _ESCAPE.sub(_unescape, string.group(2)) if string else None


def _unescape(escape):
    code, short, newline, letter = escape.groups()
    if code or short:
        return chr(int(code or short, 16))
    return "" if newline else _LETTERS.get(letter, letter)
