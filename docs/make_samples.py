"""Writes the positions of sample games, for people whose library has none: mj_bot/lab/learn/samples.json.gz.

    python docs/make_samples.py

Run it after a change of what a review says of a decision.
"""

import gzip

from mj_bot.sources import PACKAGE_FOLDER
from mj_bot.lab.library.game_content import make_key
from mj_bot.lab.learn.positions import describe_question
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review import JUDGES
from mj_bot.lab.review.games import review_game
from mj_bot.lab.run.files import format_json

SOURCE = PACKAGE_FOLDER.parent / "tests" / "samples" / "tziakcha.jsonl"
TARGET = PACKAGE_FOLDER / "lab" / "learn" / "samples.json.gz"
_MOST = 40


def main() -> None:
    """Reviews the sample games, and writes the _MOST largest mistakes as positions."""
    positions = []
    for game in read_games(str(SOURCE)):
        reviewed = review_game(game, JUDGES)
        for seat, review in reviewed["reviews"].items():
            for index in review["mistakes"]:
                position = describe_question(reviewed, seat, review["decisions"][index])
                positions.append(dict(position, key=make_key(game), title="", time=None))
    positions.sort(key=lambda position: -(position["decision"]["loss"] or 0.0))
    text = format_json(positions[:_MOST], separators=(",", ":"))
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
