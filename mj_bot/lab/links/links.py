"""Fetches the record behind a link, in a form that records/ reads: a match of Botzone, a hand or a session of 雀渣, a
session of salasasa."""

import re
import urllib.parse
from collections.abc import Callable
from itertools import chain

from ...mahjong.errors import Message
from ..run.files import format_json, parse_json
from .web import LinkError, ask

_ID = re.compile("[0-9A-Za-z]{1,64}")
# Hands of a session; more are left out.
_MOST_HANDS = 64
# Only texts of at most this length are searched for addresses. Longer texts are records.
_MOST_TEXT = 1 << 12
_MOST_LINE = 500
_BEGIN = r"(?:https?://|(?<![A-Za-z0-9_.@/-]))"
_IS_RECORD = re.compile(r"\s*(?:\{|<(?!https?:)|\[\s*[\[{\"\]])", re.IGNORECASE)
_MATCH_ID = "[0-9a-fA-F]{24}"
_TZIAKCHA_HOST = r"(?:[a-z]+\.)?tziakcha\.(?:net|xyz)/"
_TZIAKCHA = (_TZIAKCHA_HOST + r"(?:_qry/)?%s(?:/([0-9a-z]{8})\b|/?(?:index\.html?)?[?#](?:[^\s\"'<>]*[?#&;])?"
             r"id=([0-9a-z]{4,64}))")
_SALASASA = r"(?:[a-z]+\.)?salasasa\.(?:cn|com|net)(?::\d+)?/[^\s\"'<>]*?%s([0-9a-z_-]{4,64})"
_ROUND = re.compile(r"[?&]round=(\d{1,2})\b", re.IGNORECASE)
_SOME_ADDRESS = re.compile(
    r"https?://|\bwww\.|^\s*[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|cn|io|xyz|jp)(?:[:/?#]|\s*$)", re.IGNORECASE)
_RIICHI_SITES = re.compile(r"tenhou\.net|mahjong-?soul|maj-?soul|riichi", re.IGNORECASE)
# An address of tziakcha.net. It is one of the calculator if it contains a hand in the community's notation.
_TOOL = re.compile(_BEGIN + r"(?:www\.)?tziakcha\.net/\S*", re.IGNORECASE)
_HAND = re.compile(r"[0-9mspESWNCFP\[\],|a-h]*[0-9][msp][0-9mspESWNCFP\[\],|a-h]*")
KNOWN_LINKS = ("https://www.botzone.org.cn/match/ID, the ID of such a match, https://tziakcha.net/record/?id=ID, "
               "https://tziakcha.net/game/?id=ID or https://salasasa.cn/2d/record/ID")
_MOST_LIST = 1 << 16  # most characters of a text with a link in each line


def is_link(text: str) -> bool:
    """Checks whether a text that a person typed or pasted is an address of the web, or has one, or is a match's ID."""
    return len(text) <= _MOST_TEXT and not _IS_RECORD.match(text) and bool(
        list_links(text) or _SOME_ADDRESS.search(text))


def list_links(text: str) -> list[str]:
    """Returns the addresses of known records in a text, each once, in order; in the form of KNOWN_LINKS."""
    named = [(match.start(), form % _read_id(match) + _read_round(text, match.end()))
             for pattern, form, _ in _PLACES for match in pattern.finditer(text)]
    return list(dict.fromkeys(link for _, link in sorted(named)))


def list_link_lines(text: str) -> list[str]:
    """Returns the links of a text in which each line is a link or the ID of a match; [] for any other text."""
    links = [list_links(line) for line in text[:_MOST_LIST].split("\n") if line.strip()]
    is_list = len(text) <= _MOST_LIST and all(len(line) < _MOST_LINE for line in text.split("\n"))
    return list(dict.fromkeys(chain.from_iterable(links))) if is_list and all(links) else []


def find_calculated_hand(text: str) -> str | None:
    """Returns the hand that a link of tziakcha.net's calculator carries, in the community's notation; else None."""
    for address in _TOOL.findall(text[:_MOST_TEXT]):
        for word in re.split("[/?#&=]", address)[::-1]:
            hand = urllib.parse.unquote(word)
            if len(hand) > 8 and _HAND.fullmatch(hand):
                return hand
    return None


def fetch_link(link: str) -> bytes:
    """Returns the record behind a link, as bytes for records.source. Raises LinkError."""
    fetch, record_id = _parse(link)
    value = fetch(record_id)
    hand = _ROUND.search(link)
    if hand and fetch is _fetch_salasasa:
        value, name = _list_rounds(value), "round_index_%d" % int(hand.group(1))
        rounds = value["game_round"]
        if name in rounds:
            value = dict(value, game_round={name: rounds[name]})
    return format_json(value, ensure_ascii=True).encode()


def fetch_hand(record_id: str) -> dict:
    """Returns a hand of 雀渣, {"id", "script", ...}. Raises LinkError."""
    hand = ask("tziakcha", "/_qry/record/", form={"id": record_id}, is_final=_has_hand)
    if not _has_hand(hand):
        raise LinkError("tziakcha.net shows no hand %s: the id is wrong, or the record is gone", record_id,
                        reason="gone")
    return dict(hand, id=record_id)


def _has_hand(value):
    return isinstance(value, dict) and bool({"script", "step"} & set(value))


def _fetch_match(match_id):
    match = ask("botzone", "/match/%s?lite=true" % match_id, is_final=_is_over)
    if isinstance(match, dict) and match.get("logs"):
        return match
    message = match.get("message") if isinstance(match, dict) else None
    raise LinkError("www.botzone.org.cn shows no match %s%s: the id is wrong, or the match is hidden or has no moves",
                    match_id, Message(" (it says %.80r)", message) if message else "", reason="gone")


def _is_over(match):
    try:
        return any(entry["output"]["command"] == "finish" for entry in match["logs"] if "output" in entry)
    except (TypeError, KeyError):
        return False


def _fetch_session(session_id):
    session = ask("tziakcha", "/_qry/game/?id=" + session_id, form={}, is_final=lambda answer: (
        isinstance(answer, dict) and bool(answer.get("records")) and bool(answer.get("finish_time"))))
    rows = session.get("records") if isinstance(session, dict) else None
    ids = [row.get("i") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    ids = [hand_id for hand_id in ids[:_MOST_HANDS] if isinstance(hand_id, str) and _ID.fullmatch(hand_id)]
    if not ids:
        raise LinkError("tziakcha.net shows no hands of the session %s: the id is wrong, or none is over",
                        session_id, reason="gone")
    return {"session": session, "records": [dict(fetch_hand(hand_id), belongs=session_id) for hand_id in ids]}


def _fetch_any(record_id):
    """Returns the hand or the session of 雀渣 with an ID."""
    try:
        return fetch_hand(record_id)
    except LinkError as error:
        if error.reason != "gone":
            raise
        return _fetch_session(record_id)


def _fetch_salasasa(record_id):
    session = ask("salasasa", "/api/platform/record/" + record_id, is_final=_list_rounds)
    if not _list_rounds(session):
        raise LinkError("salasasa.cn shows no hands of the record %s: the id is wrong, or the record is gone",
                        record_id, reason="gone")
    return session


def _list_rounds(value, level=0):
    """Returns the object with the hands of a session of salasasa in an answer; None where there is none."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = parse_json(value)
        except ValueError:
            return None
    if not isinstance(value, dict) or level > 3:
        return None
    rounds = value.get("game_round")
    return value if isinstance(rounds, dict) and rounds else next(
        filter(None, (_list_rounds(item, level + 1) for item in value.values())), None)


# (pattern, with the ID as its group; form of the address; function that fetches the record with this ID).
_PLACES = tuple((re.compile(pattern, re.IGNORECASE | re.MULTILINE), form, fetch) for pattern, form, fetch in (
    (_BEGIN + r"(?:[a-z]+\.)?botzone\.org(?:\.cn)?/match/(%s)(?![0-9a-f])" % _MATCH_ID,
     "https://www.botzone.org.cn/match/%s", _fetch_match),
    (r"^\s*(%s)(?=\s|$)" % _MATCH_ID, "https://www.botzone.org.cn/match/%s", _fetch_match),
    (_BEGIN + _TZIAKCHA % "record",
     "https://tziakcha.net/record/?id=%s", fetch_hand),
    (_BEGIN + _TZIAKCHA % "game",
     "https://tziakcha.net/game/?id=%s", _fetch_session),
    (_BEGIN + _TZIAKCHA_HOST + r"\?(?:[^\s\"'<>]*&)?id=([0-9a-z]{4,64})", "https://tziakcha.net/?id=%s", _fetch_any),
    (_BEGIN + _SALASASA % "/record/", "https://salasasa.cn/2d/record/%s", _fetch_salasasa),
    (_BEGIN + _SALASASA % r"[?&]recordId=", "https://salasasa.cn/2d/record/%s", _fetch_salasasa),
))


def _read_id(match):
    """Returns the ID in a match of a pattern of _PLACES. The letters of Botzone's IDs become small ones."""
    record_id = next(filter(None, match.groups()))
    return record_id.lower() if len(record_id) == 24 else record_id


def _read_round(text, end):
    """Returns "?round=R" of an address that names a hand of a session, else "". end: index after its ID."""
    rest = re.match(r"[^\s\"'<>，。]*", text[end:end + 200]).group()
    hand = _ROUND.search(rest)
    return "?round=%s" % hand.group(1) if hand else ""


def _parse(link: str) -> tuple[Callable, str]:
    """Returns (function that fetches the record, its ID) of a link. Raises LinkError: a link of another place."""
    for pattern, _, fetch in _PLACES:
        known = pattern.search(link)
        if known:
            return fetch, _read_id(known)
    hand = find_calculated_hand(link)
    if hand:
        raise LinkError("expected the link of a record, got a hand of the calculator: mj-bot hand %r shows it",
                        hand, reason="hand")
    if _RIICHI_SITES.search(link):
        raise LinkError("this is a link of riichi mahjong; here only 国标 (Chinese Standard Mahjong) is read",
                        reason="link")
    raise LinkError("expected %s, got %.120r", KNOWN_LINKS, link, reason="link")
