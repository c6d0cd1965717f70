"""Reviewed games for the tests of the library."""

import functools
import random
from dataclasses import replace

from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review import JUDGES
from tests.golden_games import SAMPLES
from tests.sharing import share


@functools.cache
def list_hands():
    """The hands of a session in the tests' samples, as records.source.ReadGame."""
    return list(read_games(str(SAMPLES / "tziakcha.jsonl")))


@functools.cache
def list_reviewed():
    """(ReadGame, its review by the usual judges) of the first hands of list_hands."""
    return share("reviewed", lambda: [(game, review_game(game, JUDGES)) for game in list_hands()[:3]])


def add_reviewed(library, game, reviewed, **changes):
    """Adds a game with its review, and returns its key. changes: fields of its record, and players of the review."""
    (key, _), = library.add_games([game._replace(record=replace(game.record, **changes))])
    library.add_review(key, dict(reviewed, players=changes.get("players", reviewed["players"])))
    return key


def add_four(library):
    """Adds the games of list_reviewed to a library, and returns the library."""
    for game, reviewed in list_reviewed():
        add_reviewed(library, game, reviewed)
    return library


def make_player_games(library, games, players=8, hands=16):
    """Fills a library with many games by rewriting the reviewed ones: other players, sessions and keys."""
    rng = random.Random(1)
    sources = list_reviewed()
    for number in range(games):
        game, reviewed = sources[number % len(sources)]
        names = rng.sample(["player %d" % index for index in range(players)], 4)
        origin = dict(game.record.origin, id="%s-%d" % (game.record.origin.get("id"), number), names=names,
                      ids=[""] * 4, session="s%d" % (number // hands), hand=number % hands, hands=hands,
                      time=1.7e9 + 3600 * number)
        reviewed = dict(reviewed, session=dict(
            reviewed["session"] or {}, hand=number % hands, hands=hands, seats=[0, 1, 2, 3], names=names))
        add_reviewed(library, game, reviewed, origin=origin, players=names)
