"""Runs `mj-bot live`, which seats a tactic at Botzone's live tables."""

import sys

from ...botzone import BUDGET
from ...tactic import DEFAULT_TACTIC
from ..run.installation import default_folder
from ..run.options import Parser, add_output, add_tactic, add_time_limit, parse_count


def main(argv: list[str]) -> int:
    """Plays at live tables until the options or an interrupt end it. Returns the exit code."""
    parser = Parser(
        prog="mj-bot live",
        description="Seats a tactic at Botzone's tables from here, through the platform's local-AI interface.",
        epilog="The folder keeps every match, so that the same command continues after an interrupt; `replay` reads "
               "its folder `finished`. The address is a secret, since anyone can play as you with it. It is neither "
               "shown nor saved.")
    parser.add_argument("url", metavar="URL", help="the address that Botzone gives your local AI; -: from stdin, to "
                        "keep it out of the shell's history and the list of processes")
    add_tactic(parser, DEFAULT_TACTIC)
    add_output(parser, "folder of the matches (%(default)s)", default=default_folder("live"))
    add_time_limit(parser, "seconds for an answer of the tactic (%(default)s)", BUDGET)
    parser.add_argument("--matches", type=parse_count, metavar="N", help="stop after this number of matches (never)")
    options = parser.parse_args(argv)
    from ..live.address import Address
    from ..live.client import Client
    from ..live.matches import MatchFolder
    from ..table.players import make_tactic

    make_tactic(options.tactic, options.time_limit)
    address = Address(sys.stdin.readline().strip() if options.url == "-" else options.url)
    if not address.is_private:
        print("live: the address goes to %s unencrypted; is there one with https?" % address.host, file=sys.stderr)
    with MatchFolder(options.output) as folder:
        client = Client(address, options.tactic, folder, budget=options.time_limit, report=_report)
        print("live: polling %s with %s; matches to continue: %d" % (address.host, options.tactic, len(client.matches)),
              file=sys.stderr)
        client.run(options.matches)
    return 0


def _report(result):
    """Prints a line about a match that has ended. result: wire.Result."""
    scores = " ".join(result.scores) if result.scores else "aborted"
    print("%s seat %d: %s" % (result.match_id, result.seat, scores), flush=True)
