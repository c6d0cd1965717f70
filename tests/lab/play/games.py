"""A way to play for the tests, and games in which it claims much."""

import itertools

from mj_bot.lab.play.session import Session
from mj_bot.mahjong.action import parse_action

OPPONENTS = ["random:seed=1", "random:seed=2", "random:seed=3"]
# From here on a rich game comes soon.
_FIRST_SEED = 102


def choose_greedily(legal):
    """A win, else a kong, a chow, a pung, with the first discard there is; else the first discard.

    legal: texts. The page's buttons are clicked in the same order.
    """
    for kind in ("HU", "GANG", "BUGANG", "CHI", "PENG", "PLAY", "PASS"):
        for text in legal:
            if text.split(" ")[0] == kind:
                return text
    raise AssertionError(legal)


def play_on(session, shown, choose=choose_greedily, most=None):
    """Plays up to the end, or so many choices. Returns what the session showed last and the texts that were played."""
    played = []
    while shown["legal"] and len(played) != most:
        played.append(choose(shown["legal"]))
        shown = session.act(shown["sequence"], played[-1])
    return shown, played


def find_rich_seed(folder):
    """A seed in whose game choose_greedily() chows, pungs and lays an open kong and one of its own, from seat 1."""
    for seed in itertools.count(_FIRST_SEED):
        session = Session(OPPONENTS, "random", folder)
        _, played = play_on(session, session.begin(seed, 1, True))
        kinds = {parse_action(text)[:1] + (len(text.split(" ")),) for text in played}
        if {("CHI", 3), ("PENG", 2), ("GANG", 1)} <= kinds and kinds & {("GANG", 2), ("BUGANG", 2)}:
            return seed
