"""How a recorded game ended."""

from ...mahjong.errors import ProtocolError
from ...mahjong.fan import sum_fans
from ...mahjong.rules import SEATS, win_scores


def describe_ending(by_seat, transcripts, closing, scores):
    """The END event of a game, None where its record has no end.

    by_seat: list of 4, GameState at the last request or None. transcripts: of the seats that are known.
    closing, scores: as in records.record.Record.
    Returns {"kind": "END", "verdict", "seat", "scores"} and for a win "from", "tile", "fans", "fan", "counted": verdict
    HU, HUANG (drawn), WH (fewer than 8 fan) or what went wrong (WA, TLE, RE ...); seat: that won or erred, from: that
    gave the tile, None for a self-draw; fans: list of [points, copies, Chinese name]; counted: "judge" or "here".
    Raises ProtocolError: a closing display that does not fit the game.
    """
    if not isinstance(closing, (dict, type(None))):
        raise ProtocolError("expected the judge's closing display, got %.80r" % (closing,))
    verdict = (closing or {}).get("action")
    if verdict is None:
        seat = _find_winner(by_seat, transcripts)
        verdict = "HUANG" if seat is None and scores == [0] * SEATS else None if seat is None else "HU"
    else:
        seat = closing.get("player")
    if verdict is None:
        return None
    event = {"kind": "END", "verdict": verdict, "seat": seat, "scores": scores}
    if verdict in ("HU", "WH"):
        if seat not in range(SEATS):
            raise ProtocolError("expected the seat that won in the closing display, got %.80r" % (closing,))
        state = by_seat[seat]
        seen = state or next(known for known in by_seat if known)
        is_self_drawn = seen.last_action[0] == seat
        event["from"] = None if is_self_drawn else seen.last_pid
        event["tile"] = seen.last_tile if not is_self_drawn else state and state.drawn_tile
        fans, event["counted"] = _list_fans(state, closing)
        event["fans"] = fans
        event["fan"] = sum_fans(fans)
        if scores is None and verdict == "HU":
            event["scores"] = win_scores(seat, event["fan"], event["from"])
    return event


def _find_winner(by_seat, transcripts):
    """The nearest seat after the giver that answered HU to the last request, None where none did."""
    won = []
    for transcript in transcripts:
        responses = transcript.responses
        if len(responses) == len(transcript.requests) and responses and responses[-1] == "HU":
            won.append(transcript.requests[0].split()[1])
    if not won:
        return None
    seen = next(state for state in by_seat if state)
    giver = seen.last_action[0]
    return min((int(seat) for seat in won), key=lambda seat: (seat - giver) % SEATS)


def _list_fans(state, closing):
    judged = (closing or {}).get("fan")
    if isinstance(judged, list):
        try:
            return [[int(fan["value"]), int(fan["cnt"]), str(fan["name"])] for fan in judged], "judge"
        except (KeyError, TypeError, ValueError) as error:
            raise ProtocolError("expected fans with value, cnt and name in the closing display, got %.80r"
                                % (judged,)) from error
    return [list(fan) for fan in state.win_fans()] if state else [], "here"
