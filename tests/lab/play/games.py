"""A way to play for the tests, and games in which it claims much."""

import contextlib
import json

from mj_bot.lab.play.serve import start_server
from mj_bot.lab.records.botzone.match_log import parse_log
from mj_bot.lab.table.record import lay_wall
from mj_bot.mahjong.tile import COPIES, TILE_NAMES
from tests.serving import serving

OPPONENTS = ["random:seed=1", "random:seed=2", "random:seed=3"]
# In this game choose_greedily() chows, pungs and lays an open kong and one of its own, from seat 1.
RICH_SEED = 288


@contextlib.contextmanager
def serve(session):
    """The address of a session while it is served."""
    with serving(start_server(session, 0)) as server:
        yield "http://127.0.0.1:%d/" % server.port


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
    """Plays to the end, or `most` choices. Returns the session's last description and the texts of the choices."""
    played = []
    while shown["legal"] and len(played) != most:
        played.append(choose(shown["legal"]))
        shown = session.act(shown["sequence"], played[-1])
    return shown, played


def read_saved(shown):
    """The Record that was saved of a game that is over."""
    with open(shown["saved"], encoding="utf-8") as file:
        return parse_log(json.load(file))


class ScriptedTactic(object):
    """Discards what it drew; claims nothing but W4 for a pung, and adds the fourth one."""

    def __call__(self, state):
        actions = state.action_space()
        wanted = [action for action in actions if action[:2] == ("BUGANG", "W4") or (
            action[0] == "PENG" and state.last_tile == "W4")]
        return (wanted or [action for action in actions if action in (("PLAY", state.drawn_tile), ("PASS",))])[0]


# Two games of East against scripted tactics: what each seat is dealt and draws, and East's choices, in order. In the
# first East chows, pungs, kongs a discard, adds to the pung and robs a kong; in the second it lays a concealed kong and
# wins on the tile that replaces it.
STACKED_GAMES = (
    (["T1 T3 F1 F1 J1 J1 J1 B9 B9 W2 W3 F2 F3 F4 F1 J3", "W4 F1 J1 F4", "W4 W4 W4", "T2"],
     ["PLAY F4", "CHI T2 F2", "PENG F3", "GANG", "BUGANG F1", "PLAY J3", "HU"]),
    (["J2 J2 J2 W1 W2 W3 W4 W5 W6 T7 T8 T9 B5 J2 B5", "", "", ""], ["GANG J2", "HU"]),
)


def stack_wall(hands):
    """The wall (136 tile names) of one of STACKED_GAMES; who has no thirteen tiles is dealt what is left.

    hands: of each seat its tiles as text; for the opponents those that they draw, the pair of W4 apart.
    """
    tiles = [text.split() for text in hands]
    left = [name for name in TILE_NAMES for _ in range(COPIES - sum(seat.count(name) for seat in tiles))]
    for seat in (1, 2, 3):
        given = [name for name in tiles[seat][:-1] if name == "W4"] if seat == 2 else []
        dealt = given + [left.pop() for _ in range(13 - len(given))]
        tiles[seat] = dealt + tiles[seat][len(given):]
    return lay_wall(tiles, "a stacked game")


def stack_one_wall(hand, draw):
    """The wall of a game on one wall: East is dealt a hand, a text, and draws a tile first; the rest is in order."""
    dealt = hand.split()
    left = [name for name in TILE_NAMES for _ in range(COPIES - (dealt + [draw]).count(name))]
    return lay_wall([dealt, *([left.pop() for _ in range(13)] for _ in range(3))], "a stacked game", [draw])
