"""Runs `mj-bot check`, which checks a tactic before a match or an upload."""

import sys

from ..run.options import Parser


def main(argv: list[str]) -> int:
    """Checks a tactic and prints what was checked. Returns exit code 0.

    Raises TacticError: the tactic crashes, or an answer is wrong or late. HandinError: Botzone could not run it.
    """
    parser = Parser(
        prog="mj-bot check", description="Builds the file for Botzone and tests it, as `handin` does. Then plays two "
        "games with the tactic and three `random` players, and checks every answer, here and in the file: it is legal, "
        "comes in time, is the same when asked again and by `choose`, and `ranked` and `reasons` are well formed. A "
        "tactic whose class says is_repeatable = False may answer otherwise each time.")
    parser.add_argument("tactic", metavar="TACTIC", help="a tactic with its options")
    spec = parser.parse_args(argv).tactic
    import os
    import tempfile
    from pathlib import Path

    from ...mahjong.errors import UnknownTacticError
    from ..table.players import INTERACTIONS
    from ..table.tactic_check import compare_answers, try_tactic
    from ..upload.pythons import choose_python
    from ..upload.pyz import build
    from ..upload.trial import try_file

    if spec.partition(":")[0] in INTERACTIONS:
        raise UnknownTacticError(
            "expected a tactic, got the outside bot %r; `mj-bot referee` plays a game with it", spec)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mj_bot.pyz")
        Path(path).write_bytes(build(spec))
        python, reason = choose_python()
        try_file(path, python=python)
        print("upload      %d bytes, on Python %s with numpy and MahjongGB alone" % (
            os.path.getsize(path), python.version), flush=True)
        games, answers = try_tactic(spec)
        print("answers     %d in %d games are right" % (len(answers), len(games)), flush=True)
        seconds, peak = compare_answers(path, spec, games, answers, python=python)
    _print_costs(spec, seconds, peak, reason)
    return 0


def _print_costs(spec, seconds, peak, reason):
    from ..table.choosers import find_engine_obstacle

    print("time        %.1f ms a decision, the longest %.0f ms" % (
        1000 * sum(seconds) / len(seconds), 1000 * max(seconds)))
    print("memory      %d MB" % peak)
    obstacle = find_engine_obstacle(spec)
    print("matches     %s" % ("by the referee: " + obstacle if obstacle else "on the engine"))
    if reason:
        print("check: not tried on Python 3.6, which Botzone has: " + reason, file=sys.stderr)
