"""The command `results`: the README's table of measured matches, made from the arena's results."""

import argparse
import glob
import json
import os

from ...mahjong.errors import ProtocolError
from .result import FORMAT

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "data", "results")
_HEADER = (
    "| players | points a game | wins | deal-ins | fan | ms p50 / p99 | games |\n"
    "|---|---|---|---|---|---|---|\n"
)


def read_results(folder=FOLDER):
    """The arena results of a folder as list of (file name, dict), by file name.

    Raises ProtocolError: a file that is no JSON.
    """
    results = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            try:
                result = json.load(file)
            except ValueError as error:
                raise ProtocolError("expected JSON in %s: %s" % (path, error)) from None
        if isinstance(result, dict) and result.get("format") == FORMAT:
            results.append((os.path.basename(path), result))
    return results


def format_table(results):
    """The table as Markdown: a row a player, with the 95% interval of its score, and each match's command below.

    Before a player stands how many of the four seats it holds.
    """
    rows, commands = [], []
    for name, result in results:
        seating = result["config"]["seatings"][0]
        names = ["%d %s" % (seating.count(place), player["name"]) for place, player in enumerate(result["players"])]
        for place, player in enumerate(result["players"]):
            others = names[:place] + names[place + 1:]
            rows.append("| **%s** against %s | %+.2f (%+.2f .. %+.2f) | %.1f%% | %.1f%% | %s | %s / %s | %s |" % (
                names[place], ", ".join(others), player["score_mean"], player["score_low"], player["score_high"],
                100 * player["win_rate"], 100 * player["deal_in_rate"], _format(player["mean_fan"]),
                _format(player["decision_ms_p50"]), _format(player["decision_ms_p99"]), format(player["games"], ",")))
        commands.append("    %s    # %s" % (result["config"]["command"], name))
    return _HEADER + "\n".join(rows) + "\n\n" + "\n".join(commands) + "\n"


def _format(number):
    """A number that a player without wins or decisions does not have."""
    return "-" if number is None else "%.1f" % number


def main(argv):
    """Prints the table; exit code 0."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab results", description=__doc__)
    parser.add_argument("--folder", default=FOLDER, help="where the arena's results are (data/results)")
    options = parser.parse_args(argv)
    print(format_table(read_results(options.folder)), end="")
    return 0
