"""Options that commands share whose runs play many games into a folder and go on where they were broken off."""

import os


def parse_run(parser, argv, games, seed, counts=()):
    """The options of a command line, with --output, --games, --seed, --workers and --json added.

    games, seed: what holds where the line has none. counts: names of other options that must be 1 or more.
    """
    parser.epilog = "The same command goes on where it was broken off, also after a kill."
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    parser.add_argument("--games", type=int, default=games, help="in all, rounded up to whole parts (%(default)s)")
    parser.add_argument("--seed", type=int, default=seed, help="of the first wall (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write what was found to this file")
    options = parser.parse_args(argv)
    for name in ("games", "workers") + tuple(counts):
        if getattr(options, name) < 1:
            parser.error("expected --%s 1 or more, got %d" % (name, getattr(options, name)))
    return options
