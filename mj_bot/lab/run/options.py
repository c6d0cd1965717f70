"""What commands share whose runs play many games into a folder and go on where they were broken off."""

import json
import os
import shlex
import sys

from .files import begin_folder, write_whole

_INTERRUPTED = 130


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


def run_command(name, options, settings, play, describe, format_result):
    """Plays, prints what was found and writes it to --json; exit code 0, 130 where the keyboard interrupted it.

    name: of the command, such as "rl signals". options: of parse_run. settings: names of the options that make the run
    what it is. play: function() that plays what does not stand in the folder and returns what was found; describe: of
    that, a dict for JSON; format_result: of that with its "command", the text to print.
    """
    values = {setting: getattr(options, setting) for setting in settings}
    begin_folder(options.output, values)
    try:
        found = play()
    except KeyboardInterrupt:
        print("%s: interrupted; the same command goes on from there" % name, file=sys.stderr)
        return _INTERRUPTED
    words = ["python3", "-m", "mj_bot.lab"] + name.split() + ["--output", os.path.basename(options.output)]
    for setting, value in values.items():
        words += ["--" + setting, str(value)]
    result = dict({"command": shlex.join(words)}, **describe(found))
    print(format_result(result))
    if options.json:
        write_whole(options.json, json.dumps(result, indent=1) + "\n")
    return 0
