"""The command `mj-bot bench`: the speed of the engine and of tactics, next to references in the same run."""

import argparse
import sys

from ..run.command import parse_time


def main(argv):
    """Measures, prints the table, writes the JSON; exit code 0."""
    parser = argparse.ArgumentParser(prog="mj-bot bench", description="Measures the speed of the engine and compares "
                                     "it with references in the same run.")
    parser.add_argument("--json", metavar="FILE", help="write the table to this file")
    parser.add_argument("--seconds", type=parse_time, default=3.0, help="time for each measurement (%(default)s)")
    options = parser.parse_args(argv)
    from ..run.files import check_output, write_json
    from ..speed import MAX_COMPILE_SECONDS, measure

    check_output(options.json)
    print("bench: a start that compiles everything, about %d seconds, then a dozen measurements of %g seconds; after "
          "Ctrl-C nothing is kept" % (MAX_COMPILE_SECONDS, options.seconds), file=sys.stderr)
    rows = []
    print("%-44s %12s %-12s %12s %9s  %s" % ("name", "value", "unit", "reference", "ratio", "against"))
    for row in measure(options.seconds):
        rows.append(row)
        shown = {name: format(row[name], ".0f" if row[name] >= 100 else ".3g") for name in ("value", "reference")}
        print("%(name)-44s %(value)12s %(unit)-12s %(reference)12s %(ratio)9.2f  %(against)s" % dict(row, **shown),
              flush=True)
    write_json(options.json, rows)
    return 0
