"""The command `review`: games as pages to look at, with a tactic's view of every decision, and as JSON."""

import argparse
import json
import os
import sys

from ...mahjong.errors import ProtocolError
from ...tactic import DEFAULT_TACTIC, parse_spec
from ..records.source import list_files, read_records
from .games import review_game
from .index import build_index, format_table
from .page import build_page

NO_TACTIC = "none"


def main(argv):
    """The command line; returns its exit code, 2 where a record breaks."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab review",
        description="Makes a page of a recorded game that a browser shows without a network: the table step by step, "
                    "and what a tactic would do at every decision.",
        epilog="Of several games (a directory, or a file of many) it prints a table, and -o names a folder for their "
               "pages. A record that breaks is shown up to there.")
    parser.add_argument("paths", nargs="+", metavar="FILE", help="records of any format that replay reads, directories")
    parser.add_argument("--tactic", default=DEFAULT_TACTIC,
                        help="a tactic with its options, or %s to look on (%%(default)s)" % NO_TACTIC)
    parser.add_argument("--seat", type=int, choices=range(4), help="whose decisions (all that are told)")
    parser.add_argument("--game", type=int, metavar="N", help="the Nth game alone, from 1 on")
    parser.add_argument("-o", "--output", metavar="PATH", help="the page, or the folder of several")
    parser.add_argument("--json", metavar="FILE", help="write all that is known of the games; - is stdout")
    options = parser.parse_args(argv)
    tactic = "" if options.tactic == NO_TACTIC else options.tactic
    if tactic:
        parse_spec(tactic)
    records = [entry for path in list_files(options.paths) for entry in read_records(path)]
    if options.game is not None:
        if not 1 <= options.game <= len(records):
            raise ProtocolError("expected a game 1..%d, got %d" % (len(records), options.game))
        records = records[options.game - 1:options.game]
    progress = _Progress(len(records))
    games = []
    for where, record in records:
        games.append(review_game(where, record, tactic, options.seat, progress.show))
        progress.finish_game()
    progress.close()
    if options.output:
        _write_pages(games, options.output)
    if options.json:
        _write(options.json, json.dumps({"tactic": tactic, "games": games}, ensure_ascii=False) + "\n")
    if options.json != "-":
        print(format_table(games))
    for game in games:
        if game["error"]:
            print("%s: %s" % (game["where"], game["error"]), file=sys.stderr)
    return 2 if any(game["error"] for game in games) else 0


def _write_pages(games, output):
    if len(games) == 1 and not os.path.isdir(output):
        _write(output, build_page(games[0]))
        print("The game is to be seen in %s" % output, file=sys.stderr)
        return
    os.makedirs(output, exist_ok=True)
    links = ["game-%0*d.html" % (len(str(len(games))), number) for number in range(1, len(games) + 1)]
    for game, link in zip(games, links):
        _write(os.path.join(output, link), build_page(game))
    _write(os.path.join(output, "index.html"), build_index(games, links, "%d games" % len(games)))
    print("The games are to be seen in %s" % os.path.join(output, "index.html"), file=sys.stderr)


def _write(path, text):
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".tmp", path)
    except OSError as error:
        raise ProtocolError("expected a file that can be written, got %r: %s" % (path, error)) from None


class _Progress(object):
    """Games and decisions done, on stderr: one line that moves in a terminal, else a line every so many games."""

    _EVERY = 20

    def __init__(self, games):
        self._games = games
        self._done = 0
        self._is_terminal = sys.stderr.isatty()

    def show(self, done, total):
        """Tells how many decisions of the present game are done."""
        if self._is_terminal:
            sys.stderr.write("\rgame %d of %d: decision %d of %d " % (self._done + 1, self._games, done, total))
            sys.stderr.flush()

    def finish_game(self):
        """Counts a game."""
        self._done += 1
        if not self._is_terminal and self._done % self._EVERY == 0:
            print("%d of %d games" % (self._done, self._games), file=sys.stderr)

    def close(self):
        """Ends the moving line."""
        if self._is_terminal:
            sys.stderr.write("\r\033[K")
