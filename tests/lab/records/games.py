"""Recorded games as Game, for the tests of the formats."""

from functools import lru_cache

from mj_bot.lab.records.follow import game_from_record
from mj_bot.lab.records.golden import parse_golden
from tests.golden_games import read_lines


@lru_cache(maxsize=None)
def golden_games():
    """Every recorded game of the repository, as a tuple."""
    return tuple(game_from_record(parse_golden(line)) for line in read_lines())


def whole_games():
    """Those that end by a win or an empty wall."""
    return tuple(game for game in golden_games() if max(game.scores) != 10)
