"""Runs `mj-bot check`, which checks the answers of a tactic before a match or an upload."""

import sys

from ..run.options import Parser


def main(argv: list[str]) -> int:
    """Checks a tactic and prints what was checked. Returns exit code 0.

    Raises TacticError: the tactic crashes, or an answer is wrong or late.
    """
    parser = Parser(
        prog="mj-bot check", description="Plays two games with a tactic and three `random` players, and checks every "
        "answer: it is legal, comes in time, is the same when asked again and by `choose`, and `ranked` and `reasons` "
        "are well formed. A tactic whose class says is_repeatable = False may answer otherwise each time.")
    parser.add_argument("tactic", metavar="TACTIC", help="a tactic with its options")
    options = parser.parse_args(argv)
    from ...botzone import BUDGET
    from ...mahjong.errors import TacticError
    from ..run.command import check_fan_counter
    from ..table.bot_process import read_memory_mb
    from ..table.choosers import find_engine_obstacle
    from ..table.tactic_check import compare_python36, find_python36, try_tactic

    check_fan_counter()
    trial = try_tactic(options.tactic)
    seconds = [seconds for _, seconds in trial.answers]
    print("answers     %d in %d games are right" % (len(seconds), len(trial.games)))
    print("time        " + _format_seconds(seconds))
    print("memory      %d MB, with the workshop's libraries" % read_memory_mb("self"))
    obstacle = find_engine_obstacle(options.tactic)
    print("matches     %s" % ("by the referee: " + obstacle if obstacle else "on the engine"), flush=True)
    python = find_python36()
    if python:
        seconds = compare_python36(python, options.tactic, trial)
        print("Python 3.6  %d answers as here; %s" % (len(seconds), _format_seconds(seconds)))
    else:
        print("check: expected a Python 3.6 with the libraries of the bot to check it there too, found none; "
              "MJ_BOT_PYTHON36 may name one", file=sys.stderr)
    if max(seconds) > BUDGET:
        raise TacticError(options.tactic, "TLE", "expected answers within the %g s of Botzone, one took %.1f s" % (
            BUDGET, max(seconds)))
    return 0


def _format_seconds(seconds):
    """Returns the mean and the longest time of decisions as text."""
    return "%.1f ms a decision, the longest %.0f ms" % (1000 * sum(seconds) / len(seconds), 1000 * max(seconds))
