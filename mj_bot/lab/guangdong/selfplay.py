"""Records of winners, made by self-play."""

import numpy as np

from ...mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ..run.progress import Progress
from .engine import Table
from .records import SIZE, make_records

# Games side by side.
_WIDTH = 4096


def play_table(table, players, seatings, watch=None):
    """Plays all games of a Table to their ends.

    players: list of players. seatings: int[N, 4], place in players of each seat of each game.
    watch: function(table, actions), called before each step.
    """
    while len(table.rows):
        actions = choose(table, players, seatings)
        if watch:
            watch(table, actions)
        table.step(actions)


def choose(table, players, seatings):
    """The actions of all rows, int16."""
    owners = seatings[table.rows, table.games["seat"][table.rows]]
    actions = np.zeros(len(table.rows), np.int16)
    for number, player in enumerate(players):
        places = np.flatnonzero(owners == number)
        if len(places):
            actions[places] = player(table, table.rows[places])
    return actions


def collect_records(player, count, seed, settings):
    """`count` records, uint8[N, 70], of the winners of games in which all seats play alike.

    Game number k has the wall of seed (seed << 32) + k. Equal arguments give equal records.
    """
    parts, found, game_count = [np.zeros((0, SIZE), np.uint8)], 0, 0
    with Progress(count, unit=" records") as bar:
        while found < count:
            seeds = (seed << 32) + game_count + np.arange(_WIDTH)
            parts.append(_collect(player, Table(seeds, settings)))
            found += len(parts[-1])
            game_count += _WIDTH
            bar.update(len(parts[-1]))
    return np.concatenate(parts)[:count]


def _collect(player, table):
    made = []

    def watch(table, actions):
        is_discard = (actions >= DISCARD_BASE) & (actions < OPEN_KONG_BASE)
        rows = table.rows[is_discard]
        seats = table.games["seat"][rows]
        made.append((rows, seats, table.games["hand"][rows, seats], actions[is_discard] - DISCARD_BASE))

    play_table(table, [player], np.zeros((len(table.games), 4), np.int64), watch)
    rows, seats, hands, tiles = map(np.concatenate, zip(*made))
    kept = np.flatnonzero(table.games["winner"][rows] == seats)
    kept = kept[np.argsort(rows[kept], kind="stable")]
    return make_records(hands[kept], table.games["wild"][rows[kept]], tiles[kept].astype(np.int64),
                        bool(table.settings.seven_pairs))
