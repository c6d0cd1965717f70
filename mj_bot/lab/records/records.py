"""The command `mj-bot records`."""

import argparse
import os
import sys

from ...mahjong.errors import ProtocolError
from ..run.command import GOES_ON, interruptible, parse_count
from ..run.files import open_whole, write_whole
from ..run.progress import Progress
from .convert import Conversion, check_files, measure_text
from .formats import COMPACT, FORMATS, HELP
from .source import list_files


@interruptible("records", "the same command continues a conversion into the compact form")
def main(argv):
    """The command `records`; returns its exit code: 2 where a game is not legal, 130 after an interrupt."""
    options = _parse_arguments(argv)
    files = list_files(options.paths)
    if options.action == "check":
        return _check(files, options.workers)
    if options.to == COMPACT:
        return _convert(files, options.output, options.workers)
    return _write_texts(files, options.output, options.to, workers=options.workers)


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="mj-bot records", epilog=HELP, description="Checks game records, or writes them in another form.")
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser(
        "check", help="replay every game by the judge's rules",
        description="Replays every game by the judge's rules: moves, fan, scores. Names the games that break one.")
    convert = actions.add_parser("convert", help="write the legal games in another form",
                                 description="Writes the legal games in another form, and names the others.",
                                 epilog="The same command continues an interrupted conversion into the compact form.")
    convert.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write")
    writable = sorted(entry.name for entry in FORMATS.values() if entry.format)
    convert.add_argument("--to", choices=[COMPACT] + writable, default=COMPACT, help="the form to write (%(default)s)")
    for action in (check, convert):
        action.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        action.add_argument("--workers", type=parse_count, default=1, metavar="N", help="processes (%(default)s)")
    return parser.parse_args(argv)


class FilesProgress(Progress):
    """A bar over the text of the files; prints each broken game. hint: what Ctrl-C does."""

    def __init__(self, files, games=0, broken=0, *, hint=GOES_ON):
        super().__init__(sum(map(measure_text, files)), " bytes", name="records", hint=hint, unit_scale=True)
        self.games, self.broken = games, broken

    def show(self, done):
        """Counts the games of a convert.Done."""
        self.games += len(done.games.heads)
        self.broken += len(done.broken)
        for where, what in done.broken:
            self.write("%s: %s" % (where, what), file=sys.stderr)
        self.set_postfix_str("%d games, %d broken" % (self.games, self.broken), refresh=False)
        self.update(done.size - self.n)


def _check(files, workers):
    with FilesProgress(files, hint="nothing is kept") as progress:
        for done in check_files(files, workers):
            progress.show(done)
    print("Games: %d legal, %d not legal" % (progress.games, progress.broken))
    return 2 if progress.broken else 0


def _convert(files, output, workers):
    broken = output + ".broken.txt"
    with Conversion(files, output) as conversion:
        with FilesProgress(files, conversion.games, len(conversion.broken)) as progress:
            for done in check_files(files, workers, skip=conversion.done):
                conversion.add(done)
                progress.show(done)
        if conversion.broken:
            write_whole(broken, "".join("%s: %s\n" % item for item in conversion.broken))
        conversion.finish()
    print("Games: %d in %s, %.1f bytes each; %d not legal" % (
        conversion.games, output, os.path.getsize(output) / max(1, conversion.games), len(conversion.broken)))
    if conversion.broken:
        print("what is wrong with them: %s" % broken)
    return 2 if conversion.broken else 0


def _write_texts(files, output, form, *, workers):
    """Writes the games as text; a file that is there must be this text, of a command that was killed after its end."""
    is_there = os.path.exists(output)
    wanted = "expected a file that is not there yet, or one of the same games, got %r" % output
    if is_there and not os.path.isfile(output):
        raise ProtocolError(wanted)
    with FilesProgress(files, hint="nothing is kept") as progress, \
            open(output, "rb") if is_there else open_whole(output, "wb") as file:
        for done in check_files(files, workers, form):
            text = "".join(done.texts).encode("utf-8", "backslashreplace")
            if is_there and file.read(len(text)) != text:
                raise ProtocolError(wanted)
            if not is_there:
                file.write(text)
            progress.show(done)
        if is_there and file.read(1):
            raise ProtocolError(wanted)
    print("Games: %d in %s; %d not written" % (progress.games, output, progress.broken))
    return 2 if progress.broken else 0
