"""The command `mj-bot live`: a tactic at Botzone's live tables."""

import argparse
import sys

from ...botzone import BUDGET
from ...tactic import DEFAULT_TACTIC
from ..run.command import interruptible, parse_time
from ..run.installation import default_folder


@interruptible("live")
def main(argv):
    """The command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="mj-bot live",
        description="Seats a tactic at Botzone's tables from here, through the platform's local-AI interface.",
        epilog="The folder keeps every match, so that the same command continues after an interrupt; `replay` reads "
               "its folder `finished`. The address is a secret, since anyone can play as you with it. It is neither "
               "shown nor saved.")
    parser.add_argument("url", metavar="URL", help="the address that Botzone gives your local AI; -: from stdin, to "
                        "keep it out of the shell's history and the list of processes")
    parser.add_argument("--tactic", default=DEFAULT_TACTIC, help="a tactic with its options (%(default)s)")
    parser.add_argument("--folder", default=default_folder("live"), metavar="DIR",
                        help="folder of the matches (%(default)s)")
    parser.add_argument("--budget", type=parse_time, default=BUDGET, metavar="S",
                        help="seconds for an answer of the tactic (%(default)s)")
    parser.add_argument("--matches", type=int, metavar="N", help="stop after this number of matches (never)")
    options = parser.parse_args(argv)
    from ..live.address import Address
    from ..live.client import Client
    from ..live.matches import MatchFolder
    from ..table.players import make_tactic

    make_tactic(options.tactic, options.budget)
    address = Address(sys.stdin.readline().strip() if options.url == "-" else options.url)
    if not address.is_private:
        print("live: the address goes to %s unencrypted; is there one with https?" % address.host, file=sys.stderr)
    with MatchFolder(options.folder) as folder:
        client = Client(address, options.tactic, folder, budget=options.budget, report=_report)
        print("live: polling %s with %s; matches to continue: %d" % (address.host, options.tactic, len(client.matches)),
              file=sys.stderr)
        client.run(options.matches)
    return 0


def _report(result):
    scores = " ".join(result.scores) if result.scores else "aborted"
    print("%s seat %d: %s" % (result.match_id, result.seat, scores), flush=True)
