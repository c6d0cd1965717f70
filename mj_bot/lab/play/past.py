"""The folder of finished games: saves, lists, reviews and continues them."""

import os
import re

from ...mahjong.errors import IllegalActionError, MahjongError
from ..records.botzone_log import format_log, parse_log
from ..records.source import ReadGame
from ..review.games import review_game
from ..review.pages import build_page
from ..run.files import read_text, write_whole
from .game import PERSON, PersonGame, find_person

# As save() writes the numbers, so that no two names give one number.
_NAME = re.compile(r"game-([1-9][0-9]{0,17})\.json")
_MOST_LISTED = 50


class PastGames(object):
    """The records game-N.json of a folder; the first save() makes the folder. adviser: spec of the reviewing tactic."""

    def __init__(self, folder, adviser):
        self._folder = folder
        self._adviser = adviser
        self._rows = {}  # {(name, time): row}, cached

    def save(self, record, path=None):
        """Writes a Record over `path` or to a new file, and sets its name. Returns the path. Raises MahjongError."""
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise MahjongError("expected a folder for the record, got %r: %s" % (self._folder, error)) from None
        if path is None:
            path = os.path.join(self._folder, "game-%d.json" % (max(self._list_numbers(), default=0) + 1))
        record.name = os.path.basename(path)[:-len(".json")]
        write_whole(path, self.format(record))
        return path

    def read(self, name):
        """The Record of a name such as "game-3". Raises IllegalActionError: there is none."""
        if not _NAME.fullmatch(name + ".json"):
            raise IllegalActionError("expected the name of a past game, got %.40r" % name)
        try:
            return self.parse(read_text(os.path.join(self._folder, name + ".json")), name)
        except (OSError, ValueError) as error:
            raise IllegalActionError("expected a past game that can be read, got %s: %s" % (name, error)) from None

    def format(self, record):
        """The text of a record."""
        return format_log(record)

    def parse(self, text, name):
        """The record of a text. Raises ValueError: not a finished game with a person."""
        record = parse_log(text, name)
        if record.wall is None or PERSON not in record.players or record.scores is None:
            raise IllegalActionError("expected a finished game with a person, got %s" % name)
        return record

    def replay(self, record, frame):
        """The game of a record up to a frame, None for all of it. Raises IllegalActionError: no such frame."""
        if frame is not None and not 0 <= frame < len(record.steps):
            raise IllegalActionError("expected an event 0 .. %d of %s, got %r" % (
                len(record.steps) - 1, record.name, frame))
        return PersonGame(record.wall, record.prevalent_wind, *find_person(record), record.steps[:frame])

    def describe(self, record):
        """The reviewed game for build_page, from the person's seat."""
        return review_game(ReadGame(record.name, record, record.transcripts(), None), self._adviser,
                           first=record.players.index(PERSON))

    def list(self):
        """The latest games, newest first: list of {"name", "seat" of the person, "players", "scores", "fan" or null}.

        Skips files that are not such games.
        """
        rows = []
        for number in sorted(self._list_numbers(), reverse=True)[:_MOST_LISTED]:
            name = "game-%d" % number
            try:
                key = name, os.path.getmtime(os.path.join(self._folder, name + ".json"))
                self._rows[key] = self._rows.get(key) or _describe(name, self.read(name))
            except (IllegalActionError, OSError):
                continue
            rows.append(self._rows[key])
        return rows

    def review(self, name):
        """The page of a game as HTML, from the person's seat. Raises IllegalActionError: there is none."""
        record = self.read(name)
        game = self.describe(record)
        game.update(back={"address": "/", "to": "table"},
                    resume={"address": "/#resume=" + name, "seat": record.players.index(PERSON)})
        return build_page(game)

    def _list_numbers(self):
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        return [int(found.group(1)) for found in map(_NAME.fullmatch, names) if found]


def _describe(name, record):
    return {"name": name, "seat": record.players.index(PERSON), "players": record.players, "scores": record.scores,
            "fan": record.closing.get("fanCnt") if isinstance(record.closing, dict) else None}
