"""Runs `mj-bot handin` and handin.py, which make mj_bot.pyz, the one file to upload to Botzone.

handin.py calls `main` on any Python from 3.6 on, so this file keeps to that version.
"""

import hashlib
import os
import sys
from typing import List

from ...mahjong.errors import MahjongError
from ...tactic import DEFAULT_TACTIC
from ..run.options import Parser, add_output, add_tactic
from ..upload.pythons import choose_python
from ..upload.pyz import build, read_tactic
from ..upload.trial import SAMPLES, WINS, try_file


def main(argv: List[str]) -> int:
    """Makes the file and tests it. Returns the exit code: 0 if the file is written, 2 if it is not."""
    options = _parse_arguments(argv)
    unfinished = "%s.%d.tmp" % (options.output, os.getpid())
    try:
        if os.path.lexists(options.output):
            os.stat(options.output)  # this raises an error for a loop of links, which would otherwise be replaced
        archive = build(options.tactic, options.weights, options.keep_running)
        os.makedirs(os.path.dirname(unfinished) or ".", exist_ok=True)
        try:
            with open(unfinished, "wb") as file:
                file.write(archive)
            python, reason = choose_python()
            former = read_tactic(options.output)
            if former == "":
                raise MahjongError("expected a new file or one that handin made, got %r", options.output)
            answers = try_file(unfinished, options.keep_running, python=python)
            tactic = read_tactic(unfinished)
            os.replace(unfinished, options.output)
        finally:
            if os.path.exists(unfinished):
                os.remove(unfinished)
    except MahjongError as error:
        print("handin: %s" % error, file=sys.stderr)
        return 2
    except OSError as error:
        print("handin: expected to write %r: %s" % (options.output, error.strerror or error), file=sys.stderr)
        return 2
    print("%s: %s, %d bytes, sha256 %s" % (options.output, options.tactic, len(archive),
                                           hashlib.sha256(archive).hexdigest()))
    if former not in (None, tactic):
        print("Before, %s had the tactic %s." % (options.output, former))
    print("It answers %s, on Python %s with numpy and MahjongGB alone.%s" % (
        ", ".join("%s to %s" % (answers[name], name) for name in SAMPLES + WINS), python.version,
        " Not tried on Python 3.6, which Botzone has: %s." % reason if reason else ""))
    return 0


def _parse_arguments(argv):
    """Returns the options of a command line."""
    parser = Parser(prog="mj-bot handin", description=(
        "Makes mj_bot.pyz, the one file to upload to Botzone. It tests the file on sample requests before it writes "
        "it."))
    add_tactic(parser, DEFAULT_TACTIC)
    parser.add_argument("--weights", metavar="FILE", help="weights that the tactic loads")
    parser.add_argument("--keep-running", action="store_true",
                        help="for a bot version with the long-running setting on Botzone, and for no other")
    add_output(parser, "the file to make (%(default)s)", "FILE", default="mj_bot.pyz")
    return parser.parse_args(argv)
