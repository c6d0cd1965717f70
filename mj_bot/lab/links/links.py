"""The links of players: a match of Botzone, a hand or a session of 雀渣, as the text that records/ reads."""

import re
import urllib.parse

from ..run.files import format_json
from .web import LinkError, ask

_ID = re.compile("[0-9A-Za-z]{1,64}")
# Hands of a session; more are left out.
_MOST_HANDS = 64


def is_link(text):
    """Whether a text is an address of the web."""
    return re.match("https?://", text, re.IGNORECASE) is not None


def fetch_link(link):
    """The record behind a link, as bytes for records.source. Raises LinkError."""
    fetch, record_id = _parse(link)
    return format_json(fetch(record_id), ensure_ascii=True).encode()


def fetch_hand(record_id):
    """A hand of 雀渣, {"id", "script", ...}. Raises LinkError."""
    hand = ask("tziakcha", "/_qry/record/", form={"id": record_id}, is_final=_has_hand)
    if not _has_hand(hand):
        raise LinkError("tziakcha.net shows no hand %s: the id is wrong, or the record is gone" % record_id, "gone")
    return dict(hand, id=record_id)


def _has_hand(value):
    return isinstance(value, dict) and bool({"script", "step"} & set(value))


def _fetch_match(match_id):
    match = ask("botzone", "/match/%s?lite=true" % match_id, is_final=_is_over)
    if isinstance(match, dict) and match.get("logs"):
        return match
    said = match.get("message") if isinstance(match, dict) else None
    raise LinkError("www.botzone.org.cn shows no match %s%s: the id is wrong, or the match is hidden or has no moves"
                    % (match_id, " (it says %.80r)" % said if said else ""), "gone")


def _is_over(match):
    try:
        return any(entry["output"]["command"] == "finish" for entry in match["logs"] if "output" in entry)
    except (TypeError, KeyError):
        return False


def _fetch_session(session_id):
    session = ask("tziakcha", "/_qry/game/?id=" + session_id, form={}, is_final=lambda found: (
        isinstance(found, dict) and bool(found.get("records")) and bool(found.get("finish_time"))))
    rows = session.get("records") if isinstance(session, dict) else None
    ids = [row.get("i") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    ids = [hand_id for hand_id in ids[:_MOST_HANDS] if isinstance(hand_id, str) and _ID.fullmatch(hand_id)]
    if not ids:
        raise LinkError("tziakcha.net shows no hands of the session %s: the id is wrong, or none is over" % session_id,
                        "gone")
    return {"session": session, "records": [dict(fetch_hand(hand_id), belongs=session_id) for hand_id in ids]}


# (pattern of host and path, where the id is, None: in the path; what fetches it).
_PLACES = (
    (r"(?:www\.)?botzone\.org\.cn/match/([^/]+)/?", None, _fetch_match),
    (r"(?:www\.)?tziakcha\.net/record/?", "id", fetch_hand),
    (r"(?:www\.)?tziakcha\.net/game/?", "id", _fetch_session),
)


def _parse(link):
    """(function, id) of a link."""
    try:
        parts = urllib.parse.urlsplit(link.strip())
        query = urllib.parse.parse_qs(parts.query)
    except ValueError:
        parts, query = urllib.parse.urlsplit(""), {}
    for pattern, key, fetch in _PLACES:
        found = re.fullmatch(pattern, parts.netloc.lower() + parts.path)
        if found:
            record_id = query.get(key, [""])[0] if key else found.group(1)
            if _ID.fullmatch(record_id):
                return fetch, record_id
    raise LinkError("expected https://www.botzone.org.cn/match/ID, https://tziakcha.net/record/?id=ID or "
                    "https://tziakcha.net/game/?id=ID, got %.120r" % link, "link")
