"""Prints a game in the terminal: the moves while it is played, and a table of the seats at its end."""

from collections.abc import Sequence
from typing import Any

from ..table.board import NAME_WIDTH, format_board, format_event, format_ending, name_verdict
from ..table.players import shorten
from ..table.record import Record
from ..words import say


def print_step(names: Sequence[str], is_full: bool, referee: Any):
    """Prints the latest step of a game: a line for the action, the table every round of turns, and the result.

    names: of the four players, in NAME_WIDTH characters. is_full: whether the table is printed after every action.
    """
    if referee.is_over:
        print("\n%s\n\n%s" % (format_board(referee, names), format_ending(referee, names)), flush=True)
        return
    line = format_event(referee, names)
    if line:
        print(line, flush=True)
    is_round = referee.turn == 0 and referee.event == ("DRAW",)
    if referee.event and (is_round or (is_full and line)):
        print("\n%s\n" % format_board(referee, names), flush=True)


def summarise(record: Record) -> str:
    """Returns a table of the seats: name, score, decisions, times, memory and failures."""
    lines = [say("seat  player                    score  turns  ms p50  ms max  MB max  verdicts")]
    for seat, name in enumerate(record.players):
        answers = [step.answers[seat] for step in record.steps]
        times = sorted(answer.milliseconds for answer in answers)
        failures = sorted({answer.verdict for answer in answers if answer.verdict != "OK"})
        if not failures and seat == record.closing.get("player") and record.closing["action"] in ("WA", "WH"):
            failures = [record.closing["action"]]
        lines.append("%4d  %-24s  %+5d  %5d  %6.1f  %6.1f  %6s  %s" % (
            seat, shorten(name, NAME_WIDTH), record.scores[seat], len(answers), times[len(times) // 2], times[-1],
            max(answer.memory_mb for answer in answers) or "-", ", ".join(map(name_verdict, failures)) or "OK"))
    return "\n".join(lines)
