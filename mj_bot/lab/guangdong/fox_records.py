"""Reads and writes FoxThinker's records, each a discard of a player who won, and makes them by self-play.

A record is 70 numbers: 34 counts of the hand before the discard, 34 flags of the wild tiles, the discard 0..33, and how
many tiles complete the hand after the discard, at most 4. The hand is concealed: 14 tiles less 3 per meld. Tiles are in
that system's order: dots, bamboo, characters, winds, dragons. A file is text with one record per line, or .npz with the
array `records`.
"""

from collections.abc import Callable

import numpy as np

from ...arrays import read_arrays
from ...jit import jit
from ...mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ...mahjong.compiled import bit_count
from ...mahjong.errors import ProtocolError
from ...mahjong.rules import HAND_TILES
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ..run.files import expect_readable, open_whole
from ..run.progress import Progress
from .engine import Table
from .guangdong_hand import compute_steps, make_tools
from .guangdong_rules import DEFAULTS, HouseRules

SIZE = 2 * TILE_COUNT + 2
FLAGS_COLUMN, DISCARD_COLUMN, WAITS_COLUMN = TILE_COUNT, 2 * TILE_COUNT, 2 * TILE_COUNT + 1
MOST_WAITS = 4
# How a file may begin: with the letters of an .npz, or with the first number of a text.
STARTS = "PK", *map(str, range(COPIES + 1))
# TILES[tile of that system] is our tile, and TILES[our tile] is the tile of that system.
TILES = np.array([tile if tile >= FIRST_HONOUR else 18 - 9 * (tile // 9) + tile % 9 for tile in range(TILE_COUNT)])
_MOST_BYTES = 1 << 32  # most bytes of a file, unpacked
_WIDTH = 4096  # games of self-play that are played next to each other


def list_wrong_waits(records: np.ndarray, settings: HouseRules) -> np.ndarray:
    """Returns int[N], indices of the records, uint8[M, 70], whose number of waits is not the one that we count."""
    return np.flatnonzero(np.minimum(count_record_waits(records, settings), MOST_WAITS) != records[:, WAITS_COLUMN])


def read_records(path: str) -> np.ndarray:
    """Returns the records of a file, uint8[N, 70]. Raises ProtocolError: no such file, or a line that is no record."""
    with expect_readable("records, got %r", str(path)):
        if str(path).endswith(".npz"):
            records = read_arrays(path, _MOST_BYTES, {"records": ("[iu][1248]", (None, SIZE))})["records"]
        else:
            records = np.loadtxt(path, np.int64, delimiter=",", ndmin=2)
    if records.shape[1:] != (SIZE,):
        raise ProtocolError("expected %d numbers 0..33, got %.60r in line 1 of %s", SIZE, records[:1].tolist(), path)
    hands, flags, tiles, waits = np.split(records, (FLAGS_COLUMN, DISCARD_COLUMN, WAITS_COLUMN), 1)
    sizes = hands.sum(1, keepdims=True, dtype=np.int64)
    copies = np.take_along_axis(hands, np.clip(tiles, 0, TILE_COUNT - 1).astype(np.int64), 1)
    is_wrong = (records < 0).any(1) | (hands > COPIES).any(1) | (flags > 1).any(1) | np.concatenate(
        [sizes % 3 != 2, sizes > HAND_TILES + 1, tiles >= TILE_COUNT, copies == 0, waits > MOST_WAITS], 1).any(1)
    wrong = np.flatnonzero(is_wrong)
    if len(wrong):
        raise ProtocolError("expected a hand of 14 tiles less 3 a meld, flags 0 or 1, a discard of the hand and waits "
                            "0..4, got %r in record %d of %s", records[wrong[0]].tolist(), wrong[0] + 1, path)
    return records.astype(np.uint8)


def write_records(path: str, records: np.ndarray) -> None:
    """Writes records as text, or as .npz if the path ends so. A failed write leaves no partial file.

    records: uint8[N, 70]. Raises MahjongError: the file cannot be written.
    """
    with open_whole(path, "wb") as file:
        if str(path).endswith(".npz"):
            np.savez_compressed(file, records=records)
        else:
            np.savetxt(file, records, "%d", ",")


def encode_records(
        hands: np.ndarray, wild: np.ndarray, tiles: np.ndarray, *, settings: HouseRules = DEFAULTS) -> np.ndarray:
    """Returns the records of discards, uint8[N, 70].

    hands: uint8[N, 34] before the discard, in our order. wild: int64[N], bit t set where tile t is wild.
    tiles: int64[N], the discards 0..33. settings: the rules, with which the waits are counted.
    """
    records = np.zeros((len(hands), SIZE), np.uint8)
    records[:, :FLAGS_COLUMN] = hands[:, TILES]
    records[:, FLAGS_COLUMN:DISCARD_COLUMN] = wild[:, None] >> TILES & 1
    records[:, DISCARD_COLUMN] = TILES[tiles]
    records[:, WAITS_COLUMN] = np.minimum(count_record_waits(records, settings), MOST_WAITS)
    return records


def split_records(records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns (hands uint8[N, 34] in our order, wild tiles int64[N] as bits, discards int64[N]) of records."""
    wild = (records[:, FLAGS_COLUMN:DISCARD_COLUMN].astype(np.int64) << TILES).sum(1)
    return np.ascontiguousarray(records[:, TILES]), wild, TILES[records[:, DISCARD_COLUMN]]


def count_record_waits(records: np.ndarray, settings: HouseRules = DEFAULTS) -> np.ndarray:
    """Returns how many tiles that are not wild complete the hand after the discard of each record, int64[N].

    records: uint8[N, 70]. settings: the rules of their games.
    """
    hands, wild, tiles = split_records(records)
    hands[np.arange(len(hands)), tiles] -= 1
    waits = np.zeros(len(hands), np.int64)
    _count_waits(make_tools(settings), hands, wild, waits)
    return waits


@jit
def _count_waits(tools, hands, wild, waits):
    """Writes the number of waits of each hand. hands: uint8[N, 34] of 3 n + 1 tiles. wild, waits: int64[N]."""
    for row in range(len(hands)):
        steps, useful = compute_steps(tools, hands[row], wild[row], hands[row].sum() // 3)
        if steps == 0:
            waits[row] = bit_count(useful & ~wild[row])


def collect_records(player: Callable, count: int, seed: int, *, settings: HouseRules) -> np.ndarray:
    """Returns `count` records, uint8[N, 70], of the winners of games in which the player sits in all seats.

    player: a player of guangdong_players.py. Game number k has the wall of the seed (seed << 32) + k. Equal arguments
    give equal records.
    """
    batches, record_count, game_count = [np.zeros((0, SIZE), np.uint8)], 0, 0
    with Progress(count, " records", name="guangdong", hint="nothing is kept") as bar:
        while record_count < count:
            seeds = (seed << 32) + game_count + np.arange(_WIDTH)
            batches.append(_collect(player, Table(seeds, settings)))
            record_count = min(count, record_count + len(batches[-1]))
            game_count += _WIDTH
            bar.update(record_count - bar.n)
    return np.concatenate(batches)[:count]


def _collect(player, table):
    """Plays the games of a table to their end, and returns the records of the winners, uint8[N, 70]."""
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
    return encode_records(hands[kept], table.games["wild"][rows[kept]], tiles[kept].astype(np.int64),
                        settings=table.tools.settings)
