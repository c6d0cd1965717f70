"""Adds the advice of CHAGA, which reviews finished sessions of 雀渣, to a reviewed game."""

import math
import re
from collections.abc import Iterator
from typing import Any, Optional

from ...mahjong.request import parse_request
from ..links.links import fetch_hand
from ..links.web import LinkError, ask
from ..records.platforms.tziakcha import read_actions
from ..records.shapes import MISFITS, describe_misfit
from ..table.record import Record

# CHAGA's first answer on a session takes tens of seconds.
_SECONDS = 180.0
_VERBS = {"Play": "PLAY", "Chi": "CHI", "Peng": "PENG", "Gang": "GANG", "BuGang": "BUGANG", "Hu": "HU", "Pass": "PASS",
          "Abandon": "PASS"}
_TEXT = re.compile("(%s)(?: ([WTB][1-9]|F[1-4]|J[1-3]))?" % "|".join(_VERBS))
_MOST = 5


def add_chaga(game: dict[str, Any], record: Optional[Record]) -> None:
    """Adds CHAGA's advice, where there is any, to the decisions of a reviewed game.

    game: of games.review_game. record: of the game.
    Adds "chaga" and, for the discard after a claim, "chaga_discard": lists of [action, share of 1], the best first. An
    action is Botzone's text without the discard of a claim.
    Raises LinkError: not a finished session of 雀渣, or the site refuses.
    """
    origin = record.origin if record else {}
    if origin.get("platform") != "tziakcha" or not (origin.get("session", "").isalnum() and origin.get("id")):
        raise LinkError("CHAGA reviews the sessions of tziakcha.net alone, and this record names none", reason="link")
    hand = fetch_hand(origin["id"])
    try:
        actions = read_actions(hand)
    except MISFITS as error:
        raise LinkError("tziakcha.net shows a hand %s that cannot be read: %s", origin["id"], describe_misfit(error),
                        reason="odd") from None
    progress = list(_count_progress(record))
    for seat, review in game["reviews"].items():
        decisions = {progress[decision["frame"]]: decision for decision in review["decisions"]}
        for row in _load_rows(origin["session"], origin["seats"][seat]):
            if row.get("rr") != origin["hand"] or row.get("ri") not in range(len(actions)):
                continue
            happened = [code for code, _ in actions[:row["ri"] + 1]]
            # The dealer's fourteenth tile is a draw here, and the tile for a flower is part of the draw before it.
            decision = decisions.get((1 + happened.count("draw"), happened.count("discard")))
            if decision:
                is_after_claim = actions[row["ri"]] == ("claim", seat)
                decision["chaga_discard" if is_after_claim else "chaga"] = _read_candidates(row)


def _count_progress(record: Record) -> Iterator[tuple[int, int]]:
    """Yields (draws, discards) so far at each step of a record."""
    draws = discards = 0
    for step in record.steps:
        event, *facts = parse_request(step.requests[0])
        draws += any(request.startswith("2 ") for request in step.requests)
        discards += event == "EVENT" and facts[1][0] in ("PLAY", "CHI", "PENG")
        yield draws, discards


def _load_rows(session_id: str, player: int) -> list[dict]:
    """Returns CHAGA's rows about a player 0..3 of a session."""
    answer = ask("chaga", "/review/?id=%s&seat=%d" % (session_id, player), seconds=_SECONDS,
                 is_final=lambda value: bool(_find_rows(value)))
    rows = _find_rows(answer)
    if rows is None:
        raise LinkError("CHAGA has no review of the session %s (it says %.80r)", session_id, answer, reason="gone")
    return [row for row in rows if isinstance(row, dict)]


def _find_rows(answer: Any) -> Optional[list]:
    """Returns the rows of CHAGA's answer, None where it has none."""
    rows = answer.get("data") if isinstance(answer, dict) else answer
    return rows if isinstance(rows, list) else None


def _read_candidates(row: dict) -> list[list]:
    """Returns [[action, share of 1]] of the weights of a row, which are logits; the best is first."""
    weights = {}
    try:
        for weight, text in row["extra"]["candidates"]:
            verb, tile = _TEXT.fullmatch(text).groups()
            if math.isfinite(weight):
                weights.setdefault(" ".join(filter(None, (_VERBS[verb], tile))), float(weight))
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        pass  # the candidates before the faulty one are shown
    if not weights:
        return []
    best = max(weights.values())
    shares = {action: math.exp(weight - best) for action, weight in weights.items()}
    return [[action, round(share / sum(shares.values()), 4)]
            for action, share in sorted(shares.items(), key=lambda item: -item[1])[:_MOST]]
