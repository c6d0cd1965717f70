"""Runs `mj-bot records`, which checks game records, or converts them."""

import os

from ..records.formats import COMPACT, HELP, list_writers
from ..run.options import PlayerParser, add_output, add_workers
from ..words import say


def main(argv: list[str]) -> int:
    """Checks or converts games. Returns the exit code: 0, or 2 if a game is not legal, 130 after an interrupt."""
    parser = PlayerParser(
        prog="mj-bot records", epilog=HELP, description="Checks game records, or writes them in another form.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")
    check = actions.add_parser(
        "check", help="replay every game by the judge's rules",
        description="Replays every game by the judge's rules: moves, fan, scores. Names the games that break one.")
    convert = actions.add_parser("convert", help="write the legal games in another form",
                                 description="Writes the legal games in another form, and names the others.",
                                 epilog="The same command continues an interrupted conversion into the compact form.")
    add_output(convert, "the folder of the compact form, or the file of another form", "PATH")
    convert.add_argument("--to", choices=[COMPACT, *sorted(list_writers())], default=COMPACT,
                         help="the form to write (%(default)s)")
    for action in (check, convert):
        action.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        add_workers(action, 1)
    options = parser.parse_args(argv)
    from ..records.compact import measure_folder
    from ..records.convert import BROKEN_FILE, check_all, convert_all, write_texts
    from ..records.source import list_files

    files = list_files(options.paths)
    if options.action == "check":
        games, broken = check_all(files, options.workers)
        print(say("Games: %d legal, %d not legal", games, broken))
        return 2 if broken else 0
    # Games may be in the folder of the output. The output itself is left out, or another run would read it.
    files = [path for path in files if os.path.realpath(path) != os.path.realpath(options.output)]
    if options.to == COMPACT:
        games, broken = convert_all(files, options.output, options.workers)
        print(say("Games: %d in %s, %.1f bytes each; %d not legal",
            games, options.output, measure_folder(options.output) / max(1, games), broken))
        if broken:
            print(say("what is wrong with them: %s", os.path.join(options.output, BROKEN_FILE)))
    else:
        games, broken = write_texts(files, options.output, options.to, workers=options.workers)
        print(say("Games: %d in %s; %d not written", games, options.output, broken))
    return 2 if broken else 0
