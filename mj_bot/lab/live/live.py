"""The command `live`."""

import argparse
import os
import sys

from ...botzone import BUDGET
from ...tactic import DEFAULT_TACTIC, load_tactic
from ..run.command import interruptible
from .address import Address
from .client import Client
from .matches import MatchFolder


@interruptible("live")
def main(argv):
    """The command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab live",
        description="Seats a tactic at Botzone's tables from here, through the platform's local-AI interface.",
        epilog="Every match is kept in the folder, so that the same command goes on where it was broken off; those "
               "that ended lie in its folder `finished`, where `replay` reads them. The address is a secret: whoever "
               "has it plays as you. It is neither shown nor saved.")
    parser.add_argument("url", metavar="URL", help="the address that Botzone gives your local AI; -: read from stdin, "
                        "which keeps it out of the shell's history and the list of processes")
    parser.add_argument("--tactic", default=DEFAULT_TACTIC, help="a tactic with its options (%(default)s)")
    parser.add_argument("--folder", default=os.path.join("build", "live"), metavar="DIR",
                        help="where the matches are kept (%(default)s)")
    parser.add_argument("--budget", type=float, default=BUDGET, metavar="S",
                        help="seconds the tactic may take for one answer (%(default)s)")
    parser.add_argument("--matches", type=int, metavar="N", help="stop after so many matches (never)")
    options = parser.parse_args(argv)
    load_tactic(options.tactic)
    address = Address(sys.stdin.readline().strip() if options.url == "-" else options.url)
    if not address.is_private:
        print("live: the address goes to %s unencrypted; is there one with https?" % address.host, file=sys.stderr)
    with MatchFolder(options.folder) as folder:
        client = Client(address, options.tactic, folder, options.budget, _report)
        print("live: polling %s with %s; %d matches go on" % (address.host, options.tactic, len(client.matches)),
              file=sys.stderr)
        client.run(options.matches)
    return 0


def _report(result):
    scores = " ".join(result.scores) if result.scores else "aborted"
    print("%s seat %d: %s" % (result.match_id, result.seat, scores), flush=True)
