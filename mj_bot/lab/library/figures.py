"""Describes each seat of a reviewed game by numbers, and each decision by a row of the library."""

from bisect import bisect_right
from typing import Any, Optional

from ..table.record import Record
from .leaks import LEAKS, PLANS, count_steps, name_leak, sum_danger

# The first value of each group of turns, and of each group of steps from ready.
TURNS, DISTANCES = (1, 4, 7, 10, 13, 16), (0, 1, 2, 3, 4)
GROUPS = {"leak": LEAKS, "plan": PLANS, "turn": TURNS, "distance": DISTANCES}
# How a game went for a seat. score: points. won: 1 on a discard or by self-draw. paid: 1 where the seat paid the fan of
# a win, of its own discard or of another seat's self-draw. fan_won, fan_paid: fan of the own win, and of a deal-in,
# else 0. ready_turn, win_turn: 0 for never. claimed: 1 for a hand with a chow, pung or open kong.
GAME_FIGURES = ("score", "won", "self_drawn", "dealt_in", "paid", "drawn_game", "fan_won", "fan_paid", "ready_turn",
                "win_turn", "claimed")
# loss: expected loss, in points. discards, danger: discards with a chance to deal in, and the sum of these. The
# replays tell how the replay of the game went for the seat, see WallReplay of review/games.py; 0 in a game without one.
FIGURES = GAME_FIGURES + ("loss", "discards", "danger", "has_replay") + tuple(
    ("replay", name) for name in GAME_FIGURES)
# Two more figures follow for each group: the number of its decisions and their loss. Leaks and plans count mistakes
# alone.
FIGURES += tuple((axis, group, what) for axis, groups in GROUPS.items() for group in groups
                 for what in ("count", "loss"))
FIGURE_INDEX = {name: index for index, name in enumerate(FIGURES)}
# The judge that plays the walls of the games again, with which players are compared.
COMPARED = "cnn"
_DISCARDS, _CLAIMS = ("PLAY", "CHI", "PENG"), ("CHI", "PENG", "GANG")


def describe_seats(game: dict, record: Optional[Record]) -> dict[int, tuple[dict, list]]:
    """Returns {seat: ({figure: number}, [{column of the table decisions: value}, without game, seat and player])}.

    game: a reviewed game of review/games.py. record: of the game, None where there is none.
    """
    events = [frame["event"] for frame in game["frames"]]
    described = {}
    replay = game.get("replay")  # reviews of older versions have none
    for seat, review in game["reviews"].items():
        seat = int(seat)
        turns = _count_turns(events, seat)
        figures = dict.fromkeys(FIGURES, 0.0)
        figures.update(_describe_game(events, game["distances"], game["scores"], seat=seat))
        if replay:
            figures["has_replay"] = 1.0
            replayed = _describe_game(replay["events"], replay["distances"], None, seat=seat)
            figures.update((("replay", name), value) for name, value in replayed.items())
        rows = []
        for decision in review["decisions"]:
            if decision["logged"] is not None:
                rows.append(_describe_decision(decision, turns, _read_milliseconds(record, decision["frame"], seat)))
                _count_decision(figures, rows[-1])
        described[seat] = figures, rows
    return described


def _count_turns(events: list[dict], seat: int) -> list[int]:
    """Returns for each event the number of the seat's turn: one more than its discards before."""
    turns, turn = [], 1
    for event in events:
        turns.append(turn)
        turn += event["kind"] in _DISCARDS and event["seat"] == seat
    return turns


def _describe_game(
        events: list[dict], distances: list[list], scores: Optional[list[int]], *, seat: int) -> dict[str, float]:
    """Returns the GAME_FIGURES of a seat, of a recorded game or of a replay.

    distances: of review/frames.py. scores: of the four seats, None for those of the END event.
    """
    end = events[-1] if events and events[-1]["kind"] == "END" else {}
    turns = _count_turns(events, seat)
    scores = scores or end.get("scores")
    has_claimed = any(event.get("seat") == seat and event["kind"] in _CLAIMS and event.get("from") is not None
                      for event in events)
    is_win = end.get("verdict") == "HU"
    won, gave = is_win and end["seat"] == seat, is_win and end["from"] == seat and end["seat"] != seat
    ready = next((frame for frame, _, shanten in distances[seat] if shanten <= 0), None) if distances else None
    return dict(
        score=scores[seat] if scores else 0, won=won, self_drawn=won and end["from"] is None, dealt_in=gave,
        drawn_game=end.get("verdict") == "HUANG", paid=is_win and end["seat"] != seat and end["from"] in (None, seat),
        fan_won=end["fan"] if won else 0, fan_paid=end["fan"] if gave else 0,
        ready_turn=0 if ready is None else turns[min(ready, len(turns) - 1)], win_turn=turns[-1] if won else 0,
        claimed=has_claimed)


def _describe_decision(decision: dict, turns: list[int], milliseconds: Optional[float]) -> dict[str, Any]:
    """Returns the columns of a decision."""
    # The loss of a repeated mistake is 0.
    grade, loss = decision["class"], 0.0 if decision["repeats"] is not None else decision["loss"]
    loss = None if grade is None else loss
    is_mistake = grade != "good" or decision["is_needless_danger"]
    leak, plan = name_leak(decision) if loss and is_mistake else (None, None)
    first, second = ([judge["loss"] for judge in decision["judges"]] + [None])[:2]
    forecast = decision["forecast"] or {}
    return dict(
        frame=decision["frame"], turn=turns[min(decision["frame"], len(turns) - 1)], logged=decision["logged"],
        kind=decision["logged"].split(" ")[0], chosen=decision["chosen"], shanten=count_steps(decision),
        eight=decision["distance_to_8_fan"], first=first, second=second, loss=loss, grade=grade, leak=leak, plan=plan,
        danger=sum_danger(decision["logged_facts"]), milliseconds=milliseconds, win_chance=forecast.get("win"),
        pay_chance=forecast.get("pay"), chance=decision["chance"])


def _count_decision(figures: dict[Any, float], row: dict[str, Any]) -> None:
    """Adds a decision to the figures of its seat. row: of _describe_decision."""
    loss = row["loss"] or 0.0
    figures["discards"] += row["danger"] is not None
    figures["danger"] += row["danger"] or 0.0
    figures["loss"] += loss
    for slot in list_groups(row["leak"], row["plan"], row["turn"], row["shanten"]):
        figures[(*slot, "count")] += 1
        figures[(*slot, "loss")] += loss


def list_groups(leak: Optional[str], plan: Optional[str], turn: int, steps: Optional[int]) -> list[tuple]:
    """Returns (axis, group) of each group of a decision, by its columns of the table decisions."""
    groups = (("leak", leak), ("plan", plan if plan in PLANS else None), ("turn", _pick_first(TURNS, turn)),
              ("distance", None if steps is None else _pick_first(DISTANCES, steps)))
    return [slot for slot in groups if slot[1] is not None]


def _pick_first(firsts: tuple[int, ...], value: int) -> int:
    return firsts[max(0, bisect_right(firsts, value) - 1)]


def _read_milliseconds(record: Optional[Record], frame: int, seat: int) -> Optional[float]:
    """Returns the time of an answer; None where the record has none, which is stored as 0 ms."""
    if record is None or frame >= len(record.steps):
        return None
    return record.steps[frame].answers[seat].milliseconds or None
