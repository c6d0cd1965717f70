"""Describes a position as the JSON that table.js draws, the events between positions, and the end of a game.

A position has these keys:

    wind    prevalent wind 0..3, null before the first request
    walls   4 numbers, tiles left; [] in games with one wall
    left    tiles left in all
    turn    seat that acted last, null before the first action
    focus   {"seat", "tile", "added"} of the tile that may be claimed or won on now, or null; added: true if the tile
            was added to a pung, false if it was discarded
    seats   4 of
        hand        names of the concealed tiles in tile order, with the drawn one; null where they are unseen
        hand_size   number of these tiles
        drawn       name of the tile just drawn, true where it is unseen, or null
        melds       list of {"type": CHI PENG GANG, "tiles": names, none where unseen, "claimed": name or null for a
                    concealed kong, "from": seat that gave it, "added": whether the kong was a pung}
        river       all discards in order, list of {"tile", "claimed_by": seat or null, "drawn": whether it had just
                    been drawn, null where that is unseen}
        flowers     number set aside

An event has a kind, a seat except for SEAT and DEAL, and:

    DRAW BUHUA      tile: where it is seen
    PLAY BUGANG     tile
    CHI PENG        tile: the discard of the action; claimed, from: tile and giver; middle: of a chow
    GANG            claimed, from: of an open kong; tile: of a concealed one where it is seen
    END             see describe_ending
"""

from ...mahjong.errors import ProtocolError
from ...mahjong.fan import sum_fans
from ...mahjong.rules import SEATS, win_scores
from ...mahjong.state import GameState


def describe_event(by_seat: list, index: int) -> dict:
    """Returns the event of the latest request, number `index`.

    by_seat: list of 4, the GameState of each seat or None.
    """
    seen = next(state for state in by_seat if state)
    if index < 2 or not seen.history:
        return {"kind": "DEAL" if index else "SEAT"}
    seat = seen.history[-1][0]
    action = (by_seat[seat] or seen).history[-1][1]
    event = {"kind": action[0], "seat": seat}
    if len(action) > 1:
        event["tile"] = action[-1]
    if action[0] == "CHI":
        event["middle"] = action[1]
    if action[0] in ("CHI", "PENG") or (action[0] == "GANG" and seen.players[seat].melds[-1].src_card):
        meld = seen.players[seat].melds[-1]
        event["claimed"], event["from"] = meld.src_card, meld.src_pid
    return event


def describe_position(states: list) -> dict:
    """Returns the position as JSON.

    states: list of 4, the GameState of each seat; None for a seat whose tiles stay hidden.
    """
    seen = next(state for state in states if state is not None)
    return {
        "wind": seen.prevalent_wind, "walls": list(seen.walls) if seen.shared_wall is None else [],
        "left": sum(seen.walls) if seen.shared_wall is None else seen.shared_wall,
        "turn": seen.last_action[0] if seen.history else None,
        "focus": None if seen.last_tile is None else {
            "seat": seen.last_pid, "tile": seen.last_tile, "added": seen.last_action[1][0] == "BUGANG"},
        "seats": [_describe_seat(seat, states[seat], seen) for seat in range(SEATS)],
    }


def _describe_seat(seat: int, own: GameState | None, seen: GameState) -> dict:
    """Returns a seat of the position. own: its state, None where its tiles stay hidden; seen: a state that is known."""
    player = (own or seen).players[seat]
    return {
        "hand": own and own.my_hand, "hand_size": player.hand_size,
        "drawn": own.drawn_tile if own else seen.last_action == (seat, ("DRAW",)) or None,
        "melds": [{"type": meld.type, "tiles": list(meld.cards), "claimed": meld.src_card, "from": meld.src_pid,
                   "added": meld.is_added} for meld in player.melds],
        "river": [{"tile": tile, "claimed_by": claimer, "drawn": was_drawn} for tile, claimer, was_drawn in zip(
            player.played_tiles, player.claimed_by, _list_drawn(player.history))],
        "flowers": player.n_flowers,
    }


def _list_drawn(history: list) -> list:
    """Returns for each discard in a player's history whether it was the drawn tile; None where the draw is unseen."""
    flags = []
    drawn = ()
    for action in history:
        if action[0] == "DRAW":
            drawn = action
        elif action[0] == "PLAY":
            flags.append(drawn[1] == action[1] if len(drawn) == 2 else None)
        elif action[0] in ("CHI", "PENG"):
            flags.append(False)
    return flags


def describe_ending(by_seat: list, transcripts: list, closing: dict | None, *, scores: list[int] | None) -> dict | None:
    """Returns the END event of a game, None where its record has no end.

    by_seat: list of 4, GameState at the last request or None. transcripts: of the known seats.
    closing: the judge's closing display, a dict with "action", "player" and "fan", or None. scores: list of 4, or None.
    The event is {"kind": "END", "verdict", "seat", "scores"} and for a win "from", "tile", "fans", "fan", "counted".
    verdict: HU, HUANG (drawn), WH (fewer than 8 fan) or an error (WA, TLE, RE ...). seat: of the win or error.
    from: seat that gave the tile, None for a self-draw. fans: list of [points, copies, Chinese name]. fan: sum of
    points x copies. counted: who counted the fans, "judge" or "here".
    Raises ProtocolError: a closing display that does not fit the game.
    """
    closing = closing or {}
    verdict, seat = closing.get("action"), closing.get("player")
    if verdict is None:
        seat = _find_winner(by_seat, transcripts)
        verdict = "HU" if seat is not None else "HUANG" if scores == [0] * SEATS else None
    if verdict is None:
        return None
    event = {"kind": "END", "verdict": verdict, "seat": seat, "scores": scores}
    if verdict in ("HU", "WH"):
        if seat not in range(SEATS):
            raise ProtocolError("expected the seat that won in the closing display, got %.80r", closing)
        state = by_seat[seat]
        seen = state or next(known for known in by_seat if known)
        is_self_drawn = _read_last_seat(seen) == seat
        event["from"] = None if is_self_drawn else seen.last_pid
        event["tile"] = seen.last_tile if not is_self_drawn else state and state.drawn_tile
        fans, event["counted"] = _list_fans(state, closing)
        event["fans"] = fans
        event["fan"] = sum_fans(fans)
        if scores is None and verdict == "HU":
            event["scores"] = win_scores(seat, event["fan"], event["from"])
    return event


def _find_winner(by_seat: list, transcripts: list) -> int | None:
    """Returns the nearest seat after the giver that answered HU to the last request, or None."""
    won = [transcript.seat for transcript in transcripts
           if transcript.responses[-1:] == ["HU"] and len(transcript.responses) == len(transcript.requests)]
    if not won:
        return None
    giver = _read_last_seat(next(state for state in by_seat if state))
    return min(won, key=lambda seat: (seat - giver) % SEATS)


def _read_last_seat(state: GameState) -> int:
    """Returns the seat that drew or gave the tile of a win."""
    if state.last_action is None:
        raise ProtocolError("expected a tile that was drawn or discarded before the win, got none after the deal")
    return state.last_action[0]


def _list_fans(state: GameState | None, closing: dict) -> tuple[list, str]:
    """Returns ([points, copies, Chinese name] of each fan of a win, who counted them: "judge" or "here")."""
    if "fan" in closing:
        return [[fan["value"], fan["cnt"], fan["name"]] for fan in closing["fan"]], "judge"
    return [list(fan) for fan in state.win_fans()] if state else [], "here"
