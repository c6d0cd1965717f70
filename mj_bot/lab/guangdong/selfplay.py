"""Records of winners, made by self-play."""

import numpy as np

from ...mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ..run.progress import Progress
from .engine import Table
from .records import SIZE, make_records

# Games side by side.
_WIDTH = 4096


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
    while len(table.rows):
        actions = player(table, table.rows)
        is_discard = (actions >= DISCARD_BASE) & (actions < OPEN_KONG_BASE)
        rows = table.rows[is_discard]
        seats = table.games["seat"][rows]
        made.append((rows, seats, table.games["hand"][rows, seats], actions[is_discard] - DISCARD_BASE))
        table.step(actions)
    rows, seats, hands, tiles = map(np.concatenate, zip(*made))
    kept = np.flatnonzero(table.games["winner"][rows] == seats)
    kept = kept[np.argsort(rows[kept], kind="stable")]
    return make_records(hands[kept], table.games["wild"][rows[kept]], tiles[kept].astype(np.int64),
                        bool(table.settings.seven_pairs))
