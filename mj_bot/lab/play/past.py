"""Keeps past games to review and to play on from: those of a folder, and those that the page has opened."""

import contextlib
import hashlib
import os
import re
from itertools import chain, count, islice

from ...mahjong.errors import IllegalActionError, MahjongError, ProtocolError
from ..library.game_content import describe_result, is_key, make_key, name_players, read_session
from ..library.sessions import order_sessions
from ..library.store import HERE, Library
from ..links.links import find_calculated_hand, is_link, list_links
from ..links.web import LinkError
from ..records.follow import game_from_record, record_from_game
from ..records.packed import name_of_file
from ..records.source import ReadGame, ReadLimits, find_file, list_files, read_games
from ..review.judges import split_judges
from ..review.games import review_game
from ..review.overview import Overview
from ..review.pages import build_index, build_page
from ..run.files import expect_readable, make_folder, read_text, write_whole
from ..table.record import Record
from .person_game import StandardGame
from .seated_match import PERSON
from .table_game import TableGame

# Matches only the names that save() writes: with leading zeros two names would have the same number.
_NAME = re.compile(r"game-([1-9][0-9]{0,17})\.json")
_MOST_LINK = 4096  # bytes
_MOST_LISTED = 50  # past games
_NAME_DIGITS = 12  # of an opened file
_TO_TABLE = {"address": "../", "to": "table"}  # where a page leads back
MATCH = "match-"  # before the id of a match that was played here, in the name of the page of its hands
# Games of an opened file, and files that are kept.
_MOST_GAMES, _MOST_FILES = 64, 4
# Reviews of games and of files that are kept.
_MOST_JUDGED = 80
# The most that is read of an opened file.
_LIMITS = ReadLimits(games=1 << 10, characters=1 << 26, seconds=30.0)


class OpenError(MahjongError):
    """Tells that a file or a link has no game. reason: that of a links.web.LinkError, "empty", or "hand"."""

    def __init__(self, template: str, *values: object, reason: str = "empty"):
        super().__init__(template, *values)
        self.reason = reason


class PastGames(object):
    """Keeps the records game-N.json of a folder, and the games of opened files.

    folder: the first save() makes it. judges: specs, see review/judges.py. game: what the records are of, None for
    Chinese Standard Mahjong, the only one of which files are opened.
    keeper: library.keeping.GameKeeper that keeps played and opened games, so that their pages stay; with None only the
    latest opened files stay, until this process ends.
    """

    keeper = None

    def __init__(self, folder: str, judges: str, game: TableGame | None = None):
        self._folder = folder
        self.judges = judges
        self._game = game or StandardGame()
        self._asked = set()  # keys of _judge that were asked for
        self._judged = {}  # {key of _judge: what all judges say}, the latest last
        self._rows = {}  # {(name, time): row}, cached
        self._files = {}  # {name: {name of a game: ReadGame}}, the latest last

    @property
    def library(self) -> Library | None:
        """Returns the library, None without one."""
        return self.keeper and self.keeper.library

    def open_file(self, data: bytes, name: str = "file") -> list[dict]:
        """Reads games from a file or a link, and keeps the latest files. Returns list_opened().

        data: bytes of the file, or the link. name: of the file, for errors and names of games.
        Raises OpenError: no game in it; for a calculator's link the reason is "hand" and the message the hand.
        IllegalActionError: games of these rules cannot be opened.
        """
        self._check_opens()
        text = data[:_MOST_LINK + 1].decode(errors="replace").strip()
        if len(data) <= _MOST_LINK and is_link(text):
            hand = find_calculated_hand(text)
            if hand and not list_links(text):
                raise OpenError(hand, reason="hand")
            read = chain.from_iterable(read_games(link, limits=_LIMITS) for link in list_links(text) or [text])
        else:
            read = read_games("file", data, name_of_file(name) or "file", limits=_LIMITS)
        games = list(islice(order_sessions(read), _MOST_GAMES + 1))
        if len(games) > _MOST_GAMES:
            games[-1] = ReadGame(name, None, [], ProtocolError(
                "expected a file of at most %d games here, got more in %s: the rest is left out, mj-bot review shows "
                "it", _MOST_GAMES, name))
        if not any(game.transcripts for game in games):
            error = games[0].error
            raise OpenError("%s", error, reason=error.reason if isinstance(error, LinkError) else "empty")
        self._keep(games)
        return self.list_opened()

    def open_record(self, where: str) -> str:
        """Opens one game, and returns its name among the opened games.

        where: path or link, then ":line" or "#number" of one of several games, in the form that its page shows.
        Raises OpenError: no such game. IllegalActionError: games of these rules cannot be opened.
        """
        self._check_opens()
        path = find_file(where)
        read = chain.from_iterable(map(read_games, list_files([path])))
        game = next((game for game in read if where in (path, game.where)), None)
        if game is None or game.error:
            raise OpenError("expected a game to play on from, got %r: %s", where,
                            game.error if game else "no such game")
        return self._keep([game])

    def _check_opens(self):
        if not self._game.is_standard:
            raise IllegalActionError("expected a session of Chinese Standard Mahjong, which opens files")

    def _keep(self, games):
        """Keeps the games of a file; returns the name of the first. Equal games have equal names."""
        keys = " ".join(map(make_key, games))
        name = "open-" + hashlib.sha256(keys.encode()).hexdigest()[:_NAME_DIGITS]
        if self.keeper and name not in self._files:
            self.keeper.keep([game for game in games if game.transcripts], name)
        return self._remember(name, games)

    def _remember(self, name, games):
        self._files.pop(name, None)
        self._files[name] = {"%s-%d" % (name, number): game for number, game in enumerate(games, 1)}
        for old in list(self._files)[:-_MOST_FILES]:
            self._files.pop(old)
        return name + "-1"

    def list_opened(self) -> list[dict]:
        """Lists the opened games, the latest file first: rows of list_own() with "file", the name of its page."""
        return [dict(_describe(name, game.record, game.error), file=file)
                for file, games in reversed(list(self._files.items())) if not file.startswith(MATCH)
                for name, game in games.items() if game.transcripts]

    def _find_opened(self, name):
        """Returns the games of the opened file that has a game, or a game of the library by its key; {} without one."""
        if self.library and is_key(name):
            game = self.library.read_game(name)
            return {name: game} if game else {}
        file = name.rpartition("-")[0]
        self._restore(file)
        games = self._files.get(file, {})
        return games if name in games else {}

    def _restore(self, file):
        """Reads the games of an earlier file from the library, if they are there; those of a match each time."""
        library, match = self.library, file.removeprefix(MATCH)
        if library and (match != file or file not in self._files):
            keys = library.list_collection(file) if match == file else library.list_session(HERE, match)
            games = list(filter(None, map(library.read_game, keys)))
            if games:
                self._remember(file, games)

    def _find_review(self, game):
        """Returns the library's review of a game by these judges, None without one."""
        review = self.library and self.library.read_review(make_key(game))
        return review if review and review["tactic"] == self.judges else None

    def save(self, record: Record, path: str | None = None) -> str:
        """Writes a record, and sets its name. Returns the path.

        path: of the file of this game before choices were taken back, which is replaced; None for a new game. A file
        that has another deal by now stays. Raises MahjongError.
        """
        make_folder(self._folder)
        former = self._read_former(record, path)
        if former is None:
            path = self._reserve_path()
        record.name = os.path.basename(path)[:-len(".json")]
        write_whole(path, self._game.format(record))
        if self.keeper:
            self.keeper.keep([_as_read(record, os.path.abspath(path))], "", is_own=True,
                             former=former and make_key(_as_read(former, path)))
        return path

    def _read_former(self, record, path):
        """Returns the record at a path, None if it is not an earlier form of the same game."""
        try:
            former = path and self._game.parse(read_text(path), record.name)
        except (OSError, ValueError):
            return None
        return former if former and _read_deal(former) == _read_deal(record) else None

    def _reserve_path(self):
        """Makes the file of a new game, empty; no two processes get the same one. Returns its path."""
        for number in count(1 + max(self._list_numbers(), default=0)):
            path = os.path.join(self._folder, "game-%d.json" % number)
            with expect_readable("a file that can be written, got %r", path, error_class=MahjongError), \
                    contextlib.suppress(FileExistsError):
                open(path, "x").close()
                return path

    def read(self, name: str) -> Record:
        """Returns the record of a past game, such as "game-3", of an opened game, or of a library's game by its key.

        Raises IllegalActionError: an unknown name, or a game that is broken or has not all four seats.
        """
        opened = self._find_opened(name).get(name)
        if opened:
            if opened.error or opened.record is None:
                raise IllegalActionError("expected a whole game of all four seats to play on from, got another one: %s",
                                         name)
            return record_from_game(game_from_record(opened.record))
        if not _NAME.fullmatch(name + ".json"):
            raise IllegalActionError("expected a past game, or one of the last %d files that were opened, got %.40r: "
                                     "open its file again", _MOST_FILES, name)
        with expect_readable("a past game that can be read, got %s", name, error_class=IllegalActionError):
            return self._game.parse(read_text(os.path.join(self._folder, name + ".json")), name)

    def _judge(self, key, review):
        """Returns review(judges), a dict, and keeps the latest ones for later calls with the same key."""
        # Where there are several judges, the first call returns the review of the first judge alone, with "pending":
        # then the page asks again at once, and shows the review of all judges when it comes.
        first, *more = split_judges(self.judges) or [""]
        if more and key not in self._asked:
            self._asked.add(key)
            return dict(review(first), pending=True)
        if key not in self._judged:
            self._judged[key] = review(self.judges)
            for old in list(self._judged)[:-_MOST_JUDGED]:
                self._judged.pop(old, None)
        return self._judged[key]

    def list_own(self) -> list[dict]:
        """Lists the latest games of the folder, newest first. Skips files that cannot be read as such games.

        A row is {"name", "title", "players", "scores", "error"; "seat" of the person; of a win "winner", "giver", null
        where self-drawn, and "fan"; "is_drawn"; "time" in seconds since 1970; "key" of the game in the library;
        "match", the name of review() for the hands of its match}, with null for what there is not.
        """
        rows = []
        for file_number in sorted(self._list_numbers(), reverse=True)[:_MOST_LISTED]:
            name = "game-%d" % file_number
            with contextlib.suppress(IllegalActionError, OSError):
                key = name, os.path.getmtime(os.path.join(self._folder, name + ".json"))
                self._rows[key] = self._rows.get(key) or self._describe_own(name, key[1])
                rows.append(self._rows[key])
        return rows

    def review(self, name: str) -> str:
        """Returns the page of a game, or of an opened file, as HTML.

        name: of a past game, of an opened game or file, or the key of a game in the library. A past game is shown from
        the person's seat. Raises IllegalActionError: an unknown name.
        """
        self._restore(name)
        if name in self._files:
            return self._review_file(name)
        games = self._find_opened(name)
        if games:
            return self._review_opened(name, games)
        record = self.read(name)
        reviewed = self._judge((name, self._game.format(record)), lambda judges: self._game.review(record, judges))
        return build_page(dict(reviewed, back=_TO_TABLE, resume=_make_resume(name, record.players.index(PERSON))))

    def _review_opened(self, name, games):
        """Returns the page of one of some opened games."""
        game, back, links = games[name], _TO_TABLE, [None, *games, None]
        if len(games) > 1:
            sessions = [None, *dict.fromkeys(filter(None, map(read_session, games.values())))]
            back = {"address": name.rpartition("-")[0], "to": "games", "session": sessions.index(read_session(game))}
        review = self._find_review(game) or self._judge(make_key(game), lambda judges: review_game(game, judges))
        return build_page(dict(
            review, back=back, previous=links[links.index(name) - 1], next=links[links.index(name) + 1],
            **{} if game.error or game.record is None else {"resume": _make_resume(name)}))

    def _review_file(self, name):
        """Returns the page of an opened file: of its game, or the table of its games."""
        if len(self._files[name]) == 1:
            return self.review(name + "-1")
        games = self._files[name]
        kept = {link: self._find_review(game) for link, game in games.items()}
        if all(kept.values()):
            return build_index(_sum_up(games, self.judges, kept))
        keys = tuple(map(make_key, games.values()))  # a match may go on
        return build_index(self._judge(keys, lambda judges: _sum_up(games, judges)))

    def _describe_own(self, name, time):
        record = self.read(name)
        match = self.library and getattr(record, "origin", {}).get("session")
        return dict(_describe(name, record), time=time, key=make_key(_as_read(record, name)) if self.library else None,
                    match=MATCH + match if match else None)

    def _list_numbers(self):
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        return [int(match.group(1)) for match in map(_NAME.fullmatch, names) if match]


def _as_read(record, where):
    return ReadGame(where, record, record.transcripts(), None)


def _make_resume(name, seat=None):
    """Returns where a page of review leads to play a game on, from its own seat or from any."""
    return {"address": "../#resume=" + name, "seat": seat}


def _read_deal(record):
    """Returns what the tiles of a game depend on: its wall, or by other rules its seed."""
    return getattr(record, "wall", None) or record.seed


def _sum_up(games, judges, reviews=None):
    """Returns the data of the table of opened games, {name: ReadGame}. reviews: {name: review} where they are known."""
    overview = Overview(judges)
    for link, game in games.items():
        overview.add(reviews[link] if reviews else review_game(game, judges), link, read_session(game))
    return overview.describe()


def _describe(name, record, error=None):
    players, result = name_players(record), describe_result(record)
    return {"name": name, "title": record.name if record else "", "players": players,
            "seat": players.index(PERSON) if PERSON in players else None, "error": error and str(error),
            "is_drawn": result.pop("verdict") == "HUANG", **result}
