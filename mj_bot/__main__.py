"""Runs the bot on stdin and stdout, from a checkout: python3 -m mj_bot --tactic random < data/samples/draw.json"""

import argparse

from .botzone import BUDGET, run
from .mahjong.errors import UnknownTacticError
from .tactic import DEFAULT_TACTIC, parse_spec


def main() -> None:
    """Reads the options, and answers one input of Botzone."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot", description="Answers one input of Botzone.")
    parser.add_argument("--tactic", default=DEFAULT_TACTIC, help="a tactic with its options (%(default)s)")
    parser.add_argument("--keep-running", action="store_true", help="stay for the inputs that follow")
    parser.add_argument("--time-limit", type=float, metavar="S", default=BUDGET,
                        help="seconds the tactic may take (%(default)s)")
    options = parser.parse_args()
    try:
        parse_spec(options.tactic)
    except UnknownTacticError as error:
        parser.error(str(error))
    run(options.tactic, options.keep_running, options.time_limit)


if __name__ == "__main__":
    main()
