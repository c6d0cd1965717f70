"""Reviews games: writes their pages and their JSON, and prints their table."""

import difflib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple, Optional

from ...mahjong.errors import ProtocolError
from ..library.game_content import find_players, name_players, read_session
from ..library.keeping import GameKeeper
from ..library.sessions import order_sessions
from ..links.web import LinkError
from ..page import check_document
from ..records.source import ReadGame, ReadLimits, cut_games, list_files, pick_game, read_games
from ..run.command import compute_exit_code
from ..run.files import check_output, format_json, make_folder, open_alone, open_whole, write_whole
from ..run.options import STDOUT
from ..run.progress import Progress, print_estimate
from ..table.board import WINDS
from ..words import get_language, say
from .chaga import add_chaga
from .games import review_game
from .judges import make_judges
from .overview import Overview
from .pages import build_index, build_page, format_table

_KEPT = "the games before are saved"
_INDEX, _PAGE = "index.html", "game-%04d.html"
_PAGE_NAME = re.compile(r"game-\d{4,}\.html")
_START = '{"tactic": '  # of the JSON


class ReviewOptions(NamedTuple):
    """Names what `review` reviews and where it writes."""

    seat: Optional[int] = None  # 0..3, to review alone; None for all
    player: Optional[str] = None  # at whose seat the pages open; None for any
    game_number: Optional[int] = None  # of the game to review alone, from 1 on; None for all
    asks_chaga: bool = False  # whether the advice of CHAGA is shown
    output: Optional[str] = None  # path of the page, or of the folder of pages
    json_path: Optional[str] = None  # STDOUT to print the JSON
    is_kept: bool = False  # whether the games go into the library


def review_paths(paths: list[str], tactic: str, time_limit: Optional[float], options: ReviewOptions) -> int:
    """Reviews the games of files, folders and links; returns the exit code of `review`.

    paths: as the user typed them. tactic: specs of the judges, "" for none. time_limit: seconds for an answer of one.
    """
    make_judges(tactic, time_limit)
    # The JSON of an earlier review may lie in a folder of records.
    own = options.json_path and os.path.abspath(options.json_path)
    files = [path for path in list_files(paths, may_read_stdin=True)
             if path in paths or os.path.abspath(path) != own]
    named = [(_shorten(path, paths), path) for path in files]
    games = order_sessions(
        game for shown, path in named for game in read_games(path, shown=shown, limits=ReadLimits()))
    if options.game_number is not None:
        games = iter([pick_game(games, options.game_number)])
    first, is_readable, names, seats = _read_first(games, options)
    if not is_readable:
        print(*("%s: %s" % (game.where, say(game.error)) for game in first), sep="\n", file=sys.stderr)
        return 2
    player = options.player and _choose_player(options.player, names)
    if options.seat not in (None, *seats):
        raise ProtocolError("expected a seat of these games, got %s; they have %s", say(WINDS[options.seat]),
                            ", ".join(say(WINDS[seat]) for seat in sorted(seats - {None})))
    code = 0
    with Progress(None, " decisions", leave=False, disable=None) as bar, \
            Report(tactic, time_limit, options._replace(player=player), is_single=len(first) == 1, bar=bar) as report:
        start = time.monotonic()
        try:
            for game, following in pairwise(chain(first, games, [None])):
                report.review(game, _lengthen(game.where, named), is_last=following is None)
                if len(report.games) == 1 and following:
                    _print_estimate(files, time.monotonic() - start)
        except KeyboardInterrupt as interrupt:
            code = compute_exit_code(interrupt)
            bar.write("review: %s" % say("interrupted; %s", _KEPT), file=sys.stderr)
        report.finish()
    return code or (2 if any(game["error"] for game in report.games) else 0)


def _read_first(games: Iterator[ReadGame], options: ReviewOptions) -> tuple[list[ReadGame], bool, set, set]:
    """Returns (the first games, whether one can be read, names of players, seats), before any file is written."""
    first, is_readable, names, seats = [], False, set(), set()
    for game in games:
        first.append(game)
        is_readable |= any(transcript.requests for transcript in game.transcripts)
        names.update(name_players(game.record))
        seats.update(transcript.seat for transcript in game.transcripts)
        if len(first) > 1 and is_readable and options.player in (None, *names) and options.seat in (None, *seats):
            break
    return first, is_readable, names, seats


def _print_estimate(files: list[str], seconds: float) -> None:
    """Prints how long all games of some files take. seconds: that one game took."""
    count = sum(1 for path in files if os.path.isfile(path) for _ in islice(cut_games(path), ReadLimits().games))
    print_estimate("review", count, "games", rate=1 / seconds, hint=_KEPT)


def _shorten(path: str, typed: list[str]) -> str:
    """Returns a path for texts and pages, without the folder that the user typed or that contains the typed file."""
    if not os.path.exists(path):
        return path  # stdin, or a link
    folders = [os.path.join(given if os.path.isdir(given) else os.path.dirname(given), "") for given in typed]
    return min((path[len(folder):] for folder in folders if path.startswith(folder)), key=len, default=path)


def _choose_player(wanted: str, names: set[str]) -> str:
    """Returns the name that a person means. Raises ProtocolError: none, or several; the error names the near ones."""
    names = sorted(names - {""})
    meant = find_players(wanted, names)
    if len(meant) == 1:
        return meant[0]
    near = meant or difflib.get_close_matches(wanted, names, n=5, cutoff=0.5)
    raise ProtocolError(
        "expected one player of these games, got %r; near ones are %s" if near else
        "expected one player of these games, got %r; they are %s", wanted, ", ".join(near or names) or "without names")


def _lengthen(where: str, named: list[tuple[str, str]]) -> str:
    """Returns the whole path of a game, or the link, from the shortened one. named: (shortened, whole) of each file."""
    shown, path = next((pair for pair in named if where.startswith(pair[0])), (where, where))
    return (os.path.abspath(path) if os.path.exists(path) else path) + where[len(shown):]


class Report(ExitStack):
    """Reviews games one by one into the requested files and the library, as a context.

    games: the games so far, without frames and decisions.
    """

    def __init__(
            self, tactic: str, time_limit: Optional[float], options: ReviewOptions, *, is_single: bool, bar: Progress):
        """Checks where the files go. is_single: whether there is one game; of several, options.output is a folder."""
        super().__init__()
        self.games = []
        self._tactic, self._time_limit, self._options, self._bar = tactic, time_limit, options, bar
        self._asks_chaga = options.asks_chaga
        self._open_files(options.output, options.json_path, is_single)
        # Only games with the decisions of all seats are kept.
        self._keeper = GameKeeper("review") if options.is_kept and tactic and options.seat is None else None

    def _open_files(self, path: Optional[str], json_path: Optional[str], is_single: bool) -> None:
        """Opens the files, and the folder of several pages. Raises ProtocolError, MahjongError: one is of others."""
        self._page = self._folder = self._json = None
        self._overview = Overview(self._tactic)
        if path and (os.path.exists(path) or path.lower().endswith((".html", ".htm"))) and not os.path.isdir(path):
            if not is_single:
                raise ProtocolError("expected a folder for the pages of several games, got the file %r: give a folder, "
                                    "such as %s/", path, os.path.splitext(path)[0])
            check_document(path)
            self._page = path
        elif path:
            self._folder = path
            make_folder(path)
            # Not files.lock_new_folder, which writes down the command: people publish the folder.
            self.enter_context(open_alone(os.path.join(path, ".lock"), "another review"))
            for name in sorted(os.listdir(path)):
                if name == _INDEX or _PAGE_NAME.fullmatch(name):
                    check_document(os.path.join(path, name))
        if json_path:
            check_output(json_path, (_START,))
            self._json = sys.stdout if json_path == STDOUT else self.enter_context(open_whole(json_path))
            self._json.write('%s%s, "games": [' % (_START, format_json(self._tactic)))

    def review(self, game: ReadGame, where: str, *, is_last: bool) -> None:
        """Reviews a game. where: its whole path, for the library alone. is_last: whether no game follows."""
        players, options = name_players(game.record), self._options
        own_seat = players.index(options.player) if options.player in players else None
        self._bar.set_description(say("game %d", len(self.games) + 1), refresh=False)
        reviewed = review_game(game, self._tactic, options.seat, bar=self._bar, time_limit=self._time_limit,
                               first=own_seat)
        try:
            if self._asks_chaga:
                add_chaga(reviewed, game.record)
        except LinkError as error:
            self._asks_chaga = False  # it would refuse the next game too
            self._bar.write("review: %s" % say(error), file=sys.stderr)
        self._add(reviewed, read_session(game), is_last)
        if self._keeper:
            self._keeper.keep_reviewed(game._replace(where=where), reviewed)

    def _add(self, game: dict[str, Any], session: Optional[tuple], is_last: bool) -> None:
        """Writes a game's page and JSON. session: of game_content.read_session."""
        if self._json:
            self._json.write("%s\n%s" % ("," if self.games else "", format_json(game)))
        if self._page:
            write_whole(self._page, build_page(game))
        elif self._folder:
            count = len(self.games) + 1
            back = {"address": _INDEX, "to": "games", "session": self._overview.add(game, _PAGE % count, session)}
            page = build_page(dict(game, back=back, previous=_PAGE % (count - 1) if count > 1 else None,
                                   next=None if is_last else _PAGE % (count + 1)))
            write_whole(os.path.join(self._folder, _PAGE % count), page)
        sums = {seat: {key: review[key] for key in ("summary", "unit")} for seat, review in game["reviews"].items()}
        self.games.append(dict(game, frames=[], decisions=[], distances=[], reviews=sums))
        if game["error"]:
            Progress.write("%s: %s" % (game["where"], game["said"].get(get_language(), {}).get(
                game["error"], game["error"])), file=sys.stderr)

    def _remove_former_pages(self):
        """Removes the pages of a former review of more games; all pages in the folder are ours, or none was written."""
        names = {_PAGE % count for count in range(1, len(self.games) + 1)}
        for name in os.listdir(self._folder):
            if _PAGE_NAME.fullmatch(name) and name not in names:
                os.remove(os.path.join(self._folder, name))

    def finish(self) -> None:
        """Writes the end of the JSON and the index, prints the table, and keeps what the library could not take."""
        if self._keeper:
            self._keeper.close()
        if self._json:
            self._json.write("]}\n")
        page = self._page
        if self._folder:
            page = os.path.join(self._folder, _INDEX)
            write_whole(page, build_index(self._overview.describe()))
            self._remove_former_pages()
        if page:
            print(say("Written to %s", page), file=sys.stderr)
        if not any(game["seats"] for game in self.games):
            return  # the error says all
        if not page and not self._json:
            print(say("For the page with every move: -o %s", "game.html" if len(self.games) == 1 else "FOLDER"),
                  file=sys.stderr)
        if self._options.json_path != STDOUT:
            print(format_table(self.games))
