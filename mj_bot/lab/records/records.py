"""The command `python3 -m mj_bot.lab records`."""

import argparse
import os
import sys

from tqdm import tqdm

from ...mahjong.errors import MahjongError, ProtocolError
from .convert import COMPACT, FORMATS, Conversion, check_files
from .source import list_files

_INTERRUPTED = 130
_MANY = "the games that do not hold are named on stderr, and the others go on"


def main(argv):
    """The command `records`; returns its exit code: 2 where a game does not hold, 130 after an interrupt."""
    options = _parse_arguments(argv)
    if options.workers < 1:
        raise MahjongError("expected 1 process or more, got %d" % options.workers)
    files = list_files(options.paths)
    try:
        if options.action == "check":
            return _check(files, options.workers)
        if options.to == COMPACT:
            return _convert(files, options.output, options.workers)
        return _write_texts(files, options.output, options.to, options.workers)
    except KeyboardInterrupt:
        print("records: interrupted%s" % (
            "; the same command goes on from there" if options.action == "convert" and options.to == COMPACT else ""),
            file=sys.stderr)
        return _INTERRUPTED


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab records", description="Checks and converts game records.",
        epilog="Reads the organisers' text, the Lianzhong platform's text, Botzone logs, games of the recorded judge "
               "and the compact form, told apart by how they begin; text also as .gz; directories are searched.")
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="replay every game by the judge's rules: moves, fan, scores",
                               description="Replays every game by the judge's rules; " + _MANY + ".")
    convert = actions.add_parser("convert", help="write the games that hold in another form",
                                 description="Writes games in another form; " + _MANY + ".",
                                 epilog="A conversion into the compact form that was broken off goes on with the same "
                                        "command.")
    convert.add_argument("-o", "--output", required=True, metavar="OUT",
                         help="file; a folder for lianzhong, which has a file a game")
    convert.add_argument("--to", choices=[COMPACT] + sorted(FORMATS), default=COMPACT, help="(%(default)s)")
    for action in (check, convert):
        action.add_argument("paths", nargs="+", metavar="PATH", help="files or directories")
        action.add_argument("--workers", type=int, default=1, metavar="N", help="processes (%(default)s)")
    return parser.parse_args(argv)


class Progress(object):
    """A bar on stderr over the bytes of the files; names broken games as they come."""

    def __init__(self, files, games=0, broken=0):
        total = sum(os.path.getsize(path) for path in files)
        self._bar = tqdm(total=total, unit="B", unit_scale=True, file=sys.stderr, dynamic_ncols=True,
                         mininterval=0.1 if sys.stderr.isatty() else 30)
        self.games, self.broken = games, broken

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._bar.close()

    def show(self, done):
        """Counts a task."""
        self.games += len(done.games.heads)
        self.broken += len(done.broken)
        for where, what in done.broken:
            self._bar.write("%s: %s" % (where, what), file=sys.stderr)
        self._bar.set_postfix_str("%d games, %d broken" % (self.games, self.broken), refresh=False)
        self._bar.update(done.size - self._bar.n)


def _check(files, workers):
    with Progress(files) as progress:
        for done in check_files(files, workers):
            progress.show(done)
    print("%d games hold, %d do not" % (progress.games, progress.broken))
    return 2 if progress.broken else 0


def _convert(files, output, workers):
    with Conversion(files, output) as conversion:
        with Progress(files, conversion.games, len(conversion.broken)) as progress:
            for done in check_files(files, workers, skip=conversion.done):
                conversion.add(done)
                progress.show(done)
        conversion.finish()
    size = os.path.getsize(output)
    print("%d games in %s, %.1f bytes a game; %d do not hold" % (
        conversion.games, output, size / max(1, conversion.games), len(conversion.broken)))
    if conversion.broken:
        name = output + ".broken.txt"
        with open(name, "w", encoding="utf-8") as file:
            file.writelines("%s: %s\n" % item for item in conversion.broken)
        print("what is wrong with them: %s" % name)
    return 2 if conversion.broken else 0


def _write_texts(files, output, form, workers):
    if os.path.exists(output):
        raise ProtocolError("expected a file or folder that is not there yet, got %r" % output)
    if form == "lianzhong":
        os.makedirs(output)
    with Progress(files) as progress:
        for done in check_files(files, workers, form):
            if form == "lianzhong":
                for number, text in enumerate(done.texts, progress.games):
                    with open(os.path.join(output, "%07d.txt" % number), "w", encoding="utf-8") as file:
                        file.write(text)
            else:
                with open(output, "a", encoding="utf-8") as file:
                    file.writelines(done.texts)
            progress.show(done)
    print("%d games in %s; %d do not hold" % (progress.games, output, progress.broken))
    return 2 if progress.broken else 0
