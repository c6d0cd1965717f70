"""Runs `mj-bot bench`, which measures the speed of the engine and of tactics next to references."""

import sys

from ..run.options import STDOUT, Parser, add_json, parse_time


def main(argv: list[str]) -> int:
    """Measures speeds, prints the table and writes the JSON. Returns exit code 0."""
    parser = Parser(prog="mj-bot bench", description="Measures the speed of the engine and compares it with references "
                    "in the same run.")
    parser.add_argument("--environments", action="store_true", help="measure the environments by the number of games, "
                        "with a random policy in numpy, instead")
    add_json(parser, "write the table to this file; without FILE print it as JSON")
    parser.add_argument("--seconds", type=parse_time, default=3.0, metavar="S",
                        help="time for each measurement (%(default)s)")
    options = parser.parse_args(argv)
    from ..run.files import check_output, write_json
    from ..speed import measure, measure_environments

    check_output(options.json)
    print("bench: %s measurements of %g seconds each; after Ctrl-C nothing is kept" % (
        "16" if options.environments else "eight", options.seconds), file=sys.stderr)
    rows = []
    is_shown = options.json != STDOUT
    if is_shown:
        print("%-44s %12s %-12s %12s %9s  %s" % ("name", "value", "unit", "reference", "ratio", "against"))
    for row in (measure_environments if options.environments else measure)(options.seconds):
        rows.append(row)
        if is_shown:
            print(_format_row(row), flush=True)
    write_json(options.json, rows)
    return 0


def _format_row(row):
    """Returns a row of the table as a line of text."""
    shown = {name: format(row[name], ".0f" if row[name] >= 100 else ".3g") for name in ("value", "reference")}
    return "%(name)-44s %(value)12s %(unit)-12s %(reference)12s %(ratio)9.2f  %(against)s" % dict(row, **shown)
