"""A game in the terminal: what is printed while it is played, and a table of the seats at its end."""


from ..table.board import NAME_WIDTH, format_board, format_event, format_result, name_verdict
from ..table.players import shorten
from ..words import say


def print_step(names, is_full, referee):
    """Prints a game while it is played: a line an action, the table every round of turns, and the result.

    names: of the four players, in NAME_WIDTH characters. is_full: the table after every action.
    """
    if referee.is_over:
        print("\n%s\n\n%s" % (format_board(referee, names), format_result(referee, names)), flush=True)
        return
    line = format_event(referee, names)
    if line:
        print(line, flush=True)
    is_round = referee.turn == 0 and referee.event == ("DRAW",)
    if referee.event and (is_round or (is_full and line)):
        print("\n%s\n" % format_board(referee, names), flush=True)


def summarise(record):
    """A table of the seats: name, score, decisions, times, memory and failures."""
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
