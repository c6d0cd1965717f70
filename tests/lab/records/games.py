"""Recorded games as Game, for the tests of the formats."""

import json
from functools import lru_cache
from itertools import islice

from mj_bot.lab.records.follow import game_from_record
from mj_bot.lab.records.botzone.golden import parse_golden
from tests.golden_games import read_lines


@lru_cache(maxsize=None)
def golden_games():
    """Every recorded game of the repository, as a tuple."""
    return tuple(parse_golden_games())


@lru_cache(maxsize=None)
def first_whole_games(count):
    """Returns the first of whole_games() without reading all, for what is computed when tests are collected."""
    return tuple(islice(filter(_is_whole, parse_golden_games()), count))


def whole_games():
    """Those that end by a win or an empty wall."""
    return tuple(filter(_is_whole, golden_games()))


def parse_golden_games():
    """Every recorded game, each read when it is asked for."""
    return (game_from_record(parse_golden(json.loads(line))) for line in read_lines())


def _is_whole(game):
    return max(game.scores) != 10
