"""FoxThinker's records: a discard of a player who won, 70 numbers each.

34 counts of the hand of 14, 34 flags of the wild kinds, the discard 0..33, and how many kinds the hand waits for after
it, 0..4, where 4 stands for more too. Kinds go in that system's order: dots, bamboo, characters, winds, dragons. A hand
with melds has three tiles fewer for each. Files are text, a line each, or .npz with the array `records`.
"""

import zipfile

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ..engine.compile import jit
from ..run.files import write_whole
from .hand import read_steps
from .rules import HAND_TILES
from .tables import load_suits

SIZE = 2 * TILE_COUNT + 2
FLAGS, DISCARD, WAITS = TILE_COUNT, 2 * TILE_COUNT, 2 * TILE_COUNT + 1
MOST_WAITS = 4
# TILES[kind of that system] is ours. The same the other way around.
TILES = np.array([kind if kind >= FIRST_HONOUR else 18 - 9 * (kind // 9) + kind % 9 for kind in range(TILE_COUNT)])


def read_records(path):
    """uint8[N, 70] of a file.

    Raises ProtocolError: no such file, or a line that is no record.
    """
    try:
        if str(path).endswith(".npz"):
            with np.load(path) as file:
                records = file["records"]
            rows = records.tolist() if records.ndim != 2 or records.shape[1] != SIZE else ()
        else:
            with open(path, encoding="utf-8") as file:
                rows = [[int(word) for word in line.split(",")] for line in file if line.strip()]
            records = None
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ProtocolError("expected records, got %r: %s" % (str(path), error)) from None
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != SIZE or not all(0 <= value < TILE_COUNT for value in row):
            raise ProtocolError("expected %d numbers 0..33, got %.60r in line %d of %s" % (SIZE, row, number, path))
    if records is None:
        records = np.array(rows, np.uint8).reshape(-1, SIZE)
    wrong = find_wrong(records)
    if len(wrong):
        raise ProtocolError("expected a hand of 14 tiles less 3 a meld, flags 0 or 1, a discard that is held and waits "
                            "0..4, got %r in record %d of %s" % (records[wrong[0]].tolist(), wrong[0] + 1, path))
    return records


def write_records(path, records):
    """Writes uint8[N, 70] as text, or as .npz where the name ends so.

    Raises MahjongError: it cannot be written.
    """
    if str(path).endswith(".npz"):
        try:
            np.savez_compressed(path, records=records)
        except OSError as error:
            raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), error)) from None
    else:
        write_whole(path, "".join(",".join(map(str, row)) + "\n" for row in records.tolist()))


def make_records(hands, wild, tiles, has_pairs=False):
    """uint8[N, 70] of discards.

    hands: uint8[N, 34] in our order. wild: int64[N], bit t set where tile t is wild. tiles: int[N], what was discarded.
    has_pairs: whether seven pairs win.
    """
    records = np.zeros((len(hands), SIZE), np.uint8)
    records[:, :FLAGS] = hands[:, TILES]
    records[:, FLAGS:DISCARD] = wild[:, None] >> TILES & 1
    records[:, DISCARD] = TILES[tiles]
    records[:, WAITS] = np.minimum(count_waits(records, has_pairs), MOST_WAITS)
    return records


def split_records(records):
    """(hands uint8[N, 34] in our order, wild int64[N], discarded tiles int64[N])."""
    wild = (records[:, FLAGS:DISCARD].astype(np.int64) << TILES).sum(1)
    return np.ascontiguousarray(records[:, TILES]), wild, TILES[records[:, DISCARD]]


def count_waits(records, has_pairs=False):
    """How many kinds, wild ones left out, complete the hand after the discard of each record, int64[N].

    has_pairs: whether seven pairs win.
    """
    hands, wild, tiles = split_records(records)
    hands[np.arange(len(hands)), tiles] -= 1
    waits = np.zeros(len(hands), np.int64)
    _count_waits(load_suits(), has_pairs, hands, wild, np.zeros(4, np.int32), np.zeros(4, np.uint64),
                 np.zeros(TILE_COUNT, np.int8), waits)
    return waits


def find_wrong(records):
    """Places of records that no hand can give, an array of ints."""
    hands, sizes = records[:, :FLAGS], records[:, :FLAGS].sum(1, dtype=np.int64)
    wrong = (hands.max(1, initial=0) > COPIES) | (sizes % 3 != 2) | (sizes > HAND_TILES + 1)
    wrong |= (records[:, FLAGS:DISCARD].max(1, initial=0) > 1) | (records[:, WAITS] > MOST_WAITS)
    wrong |= records[np.arange(len(records)), np.minimum(records[:, DISCARD], TILE_COUNT - 1)] == 0
    return np.flatnonzero(wrong)


@jit
def _count_waits(suits, has_pairs, hands, wild, keys, rests, after, waits):
    for place in range(len(hands)):
        size = 0
        for tile in range(TILE_COUNT):
            size += hands[place, tile]
        steps = read_steps(suits, has_pairs, hands[place], wild[place], size // 3, keys, rests, after)
        for tile in range(TILE_COUNT):
            waits[place] += steps == 0 and after[tile] < 0 and not wild[place] >> tile & 1
