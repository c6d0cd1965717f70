"""The command `review`: games as pages and as JSON, with a tactic's opinion of every decision."""

import argparse
import os
import sys
import time
from contextlib import AbstractContextManager, ExitStack
from itertools import chain, pairwise

from ...mahjong.errors import ProtocolError
from ...mahjong.rules import SEATS
from ...tactic import REVIEWER
from ..links.web import LinkError
from ..records.formats import HELP
from ..records.source import cut_games, list_files, read_games
from ..run.command import compute_exit_code, parse_time
from ..run.files import check_output, format_json, make_folder, open_whole, write_whole
from ..run.progress import Progress, print_estimate
from ..table.board import WINDS, parse_seat
from ..table.players import TIME_LIMIT, make_tactic_player
from .chaga import add_chaga
from .games import is_hand, name_players, read_session, review_game
from .overview import Overview
from .pages import build_index, build_page, format_table

NO_TACTIC = "none"
_KEPT = "the games before are saved"
_INDEX, _PAGE = "index.html", "game-%04d.html"
_START = '{"tactic": '  # of the JSON


def main(argv):
    """The command line; returns its exit code: 2 where a record breaks, 130 after an interrupt."""
    parser = argparse.ArgumentParser(
        prog="mj-bot review", description="Makes a page of a recorded game for a browser without a network: the table "
        "step by step, and the action that a tactic would choose at every decision.",
        epilog="Several games give a table, and -o names a folder. A broken record is shown up to the error. " + HELP)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="game records, folders of them, or links to matches "
                        "of Botzone and hands or sessions of tziakcha.net; - is stdin")
    parser.add_argument("--tactic", default=REVIEWER,
                        help="a tactic with its options; %s shows the game alone (%%(default)s)" % NO_TACTIC)
    parser.add_argument("--time-limit", type=parse_time, default=TIME_LIMIT, metavar="S",
                        help="seconds for an answer of the tactic (%(default)s)")
    parser.add_argument("--seat", type=parse_seat, help="review this seat alone: east, 东 or 0")
    parser.add_argument("--player", metavar="NAME", help="open every page at the seat of this player")
    parser.add_argument("--chaga", action="store_true", help="show the advice of CHAGA too, which reviews sessions of "
                        "tziakcha.net")
    parser.add_argument("--game", type=int, metavar="N", help="review the Nth game alone")
    parser.add_argument("-o", "--output", metavar="PATH", help="where to write the page, or the pages of several games")
    parser.add_argument("--json", metavar="FILE", help="where to write the reviews as JSON; - is stdout")
    options = parser.parse_args(argv)
    tactic = "" if options.tactic == NO_TACTIC else options.tactic
    if tactic:
        make_tactic_player(tactic, options.time_limit)
    # The JSON of an earlier review may lie in a folder of records.
    own = options.json and os.path.abspath(options.json)
    files = [path for path in list_files(options.paths, may_read_stdin=True)
             if path in options.paths or os.path.abspath(path) != own]
    games = order_sessions(game for path in files for game in read_games(path, shown=_shorten(path, options.paths)))
    if options.game is not None:
        games = iter([_pick(games, options.game)])
    first, is_readable, names, seats = [], False, set(), set()
    for game in games:  # nothing is written before a game that can be read, with the player and the seat
        first.append(game)
        is_readable |= any(transcript.requests for transcript in game.transcripts)
        names.update(name_players(game.record))
        seats.update(transcript.seat for transcript in game.transcripts)
        if len(first) > 1 and is_readable and options.player in (None, *names) and options.seat in (None, *seats):
            break
    if not is_readable:
        print(*("%s: %s" % (game.where, game.error) for game in first), sep="\n", file=sys.stderr)
        return 2
    if options.player not in (None, *names):
        raise ProtocolError("expected a player of these games, got %r; they are %s" % (
            options.player, ", ".join(sorted(names - {""})) or "without names"))
    if options.seat not in (None, *seats):
        raise ProtocolError("expected a seat of these games, got %s; they have %s" % (
            WINDS[options.seat], ", ".join(WINDS[seat] for seat in sorted(seats - {None}))))
    code, asks_chaga = 0, options.chaga
    with _Report(options, tactic, len(first) == 1) as report, \
            Progress(None, " decisions", leave=False, disable=None) as bar:
        start = time.monotonic()
        try:
            for game, following in pairwise(chain(first, games, [None])):
                players = name_players(game.record)
                seat = players.index(options.player) if options.player in players else None
                bar.set_description("game %d" % (len(report.games) + 1), refresh=False)
                reviewed = review_game(game, tactic, options.seat, bar=bar, time_limit=options.time_limit, first=seat)
                try:
                    if asks_chaga:
                        add_chaga(reviewed, game.record)
                except LinkError as error:
                    asks_chaga = False  # it would refuse the next game too
                    bar.write("review: %s" % error, file=sys.stderr)
                report.add(reviewed, read_session(game), is_last=following is None)
                if len(report.games) == 1 and following:
                    count = sum(1 for path in files if os.path.isfile(path) for _ in cut_games(path))
                    print_estimate("review", count, "games", rate=1 / (time.monotonic() - start), hint=_KEPT)
        except KeyboardInterrupt as interrupt:
            code = compute_exit_code(interrupt)
            bar.write("review: interrupted; %s" % _KEPT, file=sys.stderr)
        report.finish()
    if code:
        return code
    return 2 if any(game["error"] for game in report.games) else 0


def order_sessions(games):
    """Yields games, of records.source.ReadGame, with the hands of a session one after another, by their numbers.

    Of several copies of a hand one is left, if possible a whole one. Hands whose records name no session come last.
    They form one where the same four continue with the same totals, or in the same file.
    """
    waiting = {}  # {session: {hand: game}}; None for each game of one that is whole
    nameless = []  # such hands
    for game in games:
        session = read_session(game)
        if session:
            hands, number = waiting.setdefault(session, {}), game.record.origin["hand"]
            if number in hands and not (hands[number] and hands[number].error):
                continue
            hands[number] = game
            if len(hands) == game.record.origin.get("hands"):
                waiting[session] = dict.fromkeys(hands)
                yield from map(hands.get, sorted(hands))
        elif is_hand(game):
            nameless.append(game)
        else:
            yield game
    for hands in waiting.values():
        yield from filter(None, map(hands.get, sorted(hands)))
    for hands in _join_hands(nameless):
        for game in hands:
            game.record.origin["session"] = hands[0].where if len(hands) > 1 else ""
            yield game


def _join_hands(games):
    """Lists of hands, those that continue one another in one list."""
    joined = []
    for game in sorted(games, key=lambda game: game.record.origin["hand"]):
        before = next((hands for hands in joined if _continues(hands[-1], game)), None)
        if before is None:
            joined.append([game])
        else:
            before.append(game)
    return joined


def _continues(game, following):
    one, two = game.record.origin, following.record.origin
    if one["hand"] + 1 != two["hand"] or any(one.get(key) != two.get(key) for key in ("platform", "names", "rules")):
        return False
    if "before" not in two:
        return "#" in game.where and game.where.rpartition("#")[0] == following.where.rpartition("#")[0]
    return game.record.scores is not None and [
        one["before"][seat] + game.record.scores[seat] for seat in map(one["seats"].index, range(SEATS))] == [
        two["before"][seat] for seat in map(two["seats"].index, range(SEATS))]


def _shorten(path, typed):
    """A path for texts and pages: without the folder that the user typed, or that of the file that the user typed."""
    if not os.path.exists(path):
        return path  # stdin, or a link
    folders = [os.path.join(given if os.path.isdir(given) else os.path.dirname(given), "") for given in typed]
    return min((path[len(folder):] for folder in folders if path.startswith(folder)), key=len, default=path)


def _pick(games, number):
    """The game of a number, from 1 on."""
    count = 0
    for count, game in enumerate(games, 1):
        if count == number:
            return game
    raise ProtocolError("expected a game 1..%d, got %d" % (count, number))


class _Report(AbstractContextManager):
    """A context that writes the requested files game by game. games: the games so far, without frames and decisions."""

    def __init__(self, options, tactic, is_single):
        self.games = []
        self._page = self._folder = self._json = None
        self._files = ExitStack()
        self._overview = Overview(tactic)
        path = options.output
        if path and (os.path.exists(path) or path.lower().endswith((".html", ".htm"))) and not os.path.isdir(path):
            if not is_single:
                raise ProtocolError("expected a folder for the pages of several games, got the file %r" % path)
            check_output(path, ("<",))
            self._page = path
        elif path:
            self._folder = path
            make_folder(path)
        self._json_path = options.json
        if options.json:
            check_output(None if options.json == "-" else options.json, (_START,))
            self._json = sys.stdout if options.json == "-" else self._files.enter_context(open_whole(options.json))
            self._json.write('%s%s, "games": [' % (_START, format_json(tactic)))

    def __exit__(self, *details):
        return self._files.__exit__(*details)

    def add(self, game, session, is_last):
        """Writes a game's page and JSON. session: of games.read_session. is_last: whether no game follows."""
        if self._json:
            self._json.write("%s\n%s" % ("," if self.games else "", format_json(game)))
        if self._page:
            write_whole(self._page, build_page(game))
        elif self._folder:
            number = len(self.games) + 1
            back = {"address": _INDEX, "to": "games", "session": self._overview.add(game, _PAGE % number, session)}
            page = build_page(dict(game, back=back, previous=_PAGE % (number - 1) if number > 1 else None,
                                   next=None if is_last else _PAGE % (number + 1)))
            write_whole(os.path.join(self._folder, _PAGE % number), page)
        sums = {seat: {key: review[key] for key in ("summary", "unit")} for seat, review in game["reviews"].items()}
        self.games.append(dict(game, frames=[], decisions=[], distances=[], reviews=sums))
        if game["error"]:
            Progress.write("%s: %s" % (game["where"], game["error"]), file=sys.stderr)

    def finish(self):
        """Writes the end of the JSON and the index, and prints the table."""
        if self._json:
            self._json.write("]}\n")
        page = self._page
        if self._folder:
            page = os.path.join(self._folder, _INDEX)
            write_whole(page, build_index(self._overview.describe()))
        if page:
            print("Written to %s" % page, file=sys.stderr)
        if not any(game["seats"] for game in self.games):
            return  # the error says all
        if not page and not self._json:
            print("For the page with every move: -o %s" % ("game.html" if len(self.games) == 1 else "FOLDER"),
                  file=sys.stderr)
        if self._json_path != "-":
            print(format_table(self.games))
