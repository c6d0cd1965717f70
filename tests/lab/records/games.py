"""Recorded games as Game, for the tests of the formats."""

import dataclasses
import gzip
from functools import lru_cache

from mj_bot.lab.records.follow import game_from_record
from mj_bot.lab.records.golden import parse_golden
from tests.golden_games import GOLDEN


@lru_cache(maxsize=None)
def golden_games():
    """Every recorded game of the repository, as a tuple."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        return tuple(game_from_record(parse_golden(line)) for line in file)


def change(game, **values):
    """A copy of a game with other values."""
    return dataclasses.replace(game, **values)


def whole_games():
    """Those that end by a win or an empty wall."""
    return tuple(game for game in golden_games() if max(game.scores) != 10)
