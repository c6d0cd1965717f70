"""Writes the positions of sample games, for people whose library has none: `samples.json.gz` of this room.

    python -m mj_bot.lab.learn.samples tests/samples/tziakcha.jsonl mj_bot/lab/learn/samples.json.gz
"""

import gzip
import sys

from ..library.game_content import make_key
from ..records.source import read_games
from ..review import JUDGES
from ..review.games import review_game
from ..run.files import format_json
from .positions import describe_question

_MOST = 40


def write_samples(source: str, path: str) -> int:
    """Reviews the games of a file, and writes the _MOST largest mistakes as positions; returns their number."""
    positions = []
    for game in read_games(source):
        reviewed = review_game(game, JUDGES)
        for seat, review in reviewed["reviews"].items():
            for index in review["mistakes"]:
                position = describe_question(reviewed, seat, review["decisions"][index])
                positions.append(dict(position, key=make_key(game), title="", time=None))
    positions.sort(key=lambda position: -(position["decision"]["loss"] or 0.0))
    text = format_json(positions[:_MOST], separators=(",", ":"))
    with open(path, "wb") as file:
        file.write(gzip.compress(text.encode(), mtime=0))
    return len(positions[:_MOST])


if __name__ == "__main__":
    print(write_samples(*sys.argv[1:]))
