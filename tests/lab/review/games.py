"""Games for the tests of the review, and the positions of their tiles by the referee, who knows no GameState."""

import base64
import functools
import json
import re
import zlib

from mj_bot.lab.records.botzone.golden import parse_golden
from mj_bot.lab.records.source import ReadGame
from mj_bot.lab.table.one_wall import make_referee
from mj_bot.lab.table.record import rebuild_wall
from mj_bot.lab.table.game_referee import ADDED, ANNOUNCED_SEAT, DISCARDED
from mj_bot.mahjong.tile import TILE_NAMES, list_tiles
from tests.golden_games import read_lines


@functools.lru_cache(maxsize=None)
def _list_lines():
    """(mode, ending, line) of each recorded game."""
    return [(re.search('"mode":"(.*?)"', line).group(1), re.findall('"action":"(.*?)"', line)[-1], line)
            for line in read_lines()]


def golden_lines(count, mode=None, ending="HU", text=""):
    """Up to `count` lines of recorded games with this mode, ending and text, spread over the file."""
    lines = [line for its_mode, its_ending, line in _list_lines()
             if its_ending == ending and mode in (None, its_mode) and text in line]
    return lines[::max(1, len(lines) // count)][:count]


def golden_records(*wanted, **more):
    """The Records of golden_lines, new ones."""
    return [parse_golden(json.loads(line), "golden") for line in golden_lines(*wanted, **more)]


def as_read(record):
    """A record as if it had been read from a file."""
    return ReadGame("", record, record.transcripts(), None)


def read_data(path):
    """The data of a page."""
    return parse_data(path.read_text(encoding="utf-8"))


def parse_data(page):
    """The data of a page with packed data, HTML text."""
    (text,) = re.findall('<script type="application/json" id="data" data-packed>(.*?)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def start_referee(record):
    """The referee of a record, before its first step."""
    return make_referee(rebuild_wall(record), record.prevalent_wind,
                        record.list_flowers() if record.has_one_wall else None)


def lay_out(record):
    """Yields for each request of a record the positions of the tiles, a dict that tests compare with the page:

    {"hands": 4 sorted lists of names, "drawn": 4 names or None, "melds": 4 lists of (type, sorted names, giver),
    "rivers": 4 lists of the names that nobody claimed, "walls": 4 numbers, [] where one wall is for all}
    """
    referee = start_referee(record)
    for step in record.steps:
        assert referee.requests == step.requests
        rivers = [list(river) for river in referee.rivers]
        if referee.phase == DISCARDED:
            rivers[referee.turn].append(TILE_NAMES[referee.last_tile])
        is_draw = referee.event == ("DRAW",)
        drawn = [TILE_NAMES[referee.last_tile] if is_draw and seat == referee.turn else None for seat in range(4)]
        is_dealt = referee.phase != ANNOUNCED_SEAT
        yield {
            "hands": [list_tiles(hand) if is_dealt else [] for hand in referee.hands],
            "drawn": drawn,
            "melds": [[(meld.type, sorted(meld.cards), None if meld.is_concealed else meld.src_pid, meld.is_added)
                       for meld in melds] for melds in referee.melds],
            "rivers": rivers,
            "walls": [] if record.has_one_wall else list(referee.walls_left),
            "focus": (referee.turn, TILE_NAMES[referee.last_tile]) if referee.phase in (DISCARDED, ADDED) else None,
        }
        referee.step([answer.response for answer in step.answers], [answer.verdict for answer in step.answers])
