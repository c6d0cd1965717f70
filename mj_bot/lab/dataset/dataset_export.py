"""Writes the decisions of a set as Parquet, which pandas, polars, DuckDB and the datasets library read.

The rows are the decisions with two legal actions or more, game by game in the order of play. They are neither shuffled
nor transformed. A card describes every column, the bytes of an observation and the names of the actions. It is the file
FILE.json, and also the key "mj_bot" in the metadata of the Parquet file.
"""

import json
import os
from collections.abc import Callable

import numpy as np

from ...mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE,
    WIN_INDEX, split_chow_index)
from ...mahjong.errors import MahjongError
from ...mahjong.tile import TILE_NAMES
from ...observation.layout import FIELDS, NONE, OBSERVATION_SIZE, BYTE_RANGES
from ..records.compact import take_games
from ..run.files import check_output, open_whole, write_dict
from .augment import make_tables
from .reader import SPLITS, Dataset, list_outcomes, split_games
from .replayed_decisions import Replayer
from .teach import REGRET_UNIT, compute_starts, take_lessons, unpack_masks

DECISIONS_FORMAT, DECISIONS_VERSION = "mj_bot decisions", 1
_GAMES = 1024  # games that are replayed together; their decisions are one group of rows of the file
_COLUMN_MEANINGS = {
    "game": "the number of the game in the set, from 0 on",
    "seat": "who decides, 0..3 from east on",
    "split": "the part of the set that the game's wall belongs to: train, valid or test",
    "observation": "what the seat sees: %d bytes, see observation" % OBSERVATION_SIZE,
    "legal": "indices of the legal actions in actions, in ascending order",
    "action": "index of the action that was played",
    "is_random": "whether the action was made at random",
    "score": "final points of the seat",
    "winner": "offset of the winning seat from this one, 0 itself, -1 for a drawn game",
    "fan": "fan of the win with its flowers, 0 for a drawn game",
}
_REGRET = "of each action of legal: points less than the best one by the teacher, in steps of %g" % REGRET_UNIT


def export_decisions(dataset: Dataset, path: str, show: Callable = lambda games: None) -> int:
    """Writes the decisions of a dataset and the card of the file. Returns the number of rows.

    path: path of the file, which ends in .parquet. show: function(number of games that were just written).
    Raises MahjongError: the path has another ending, or the file cannot be written. ModuleNotFoundError: pyarrow is not
        installed.
    """
    if not path.endswith(".parquet"):
        raise MahjongError("expected a file name that ends in .parquet, got %r", path)
    card_path = os.path.splitext(path)[0] + ".json"
    check_output(path, ("PAR1",))
    check_output(card_path)
    import pyarrow
    from pyarrow import parquet

    card = describe_decisions(dataset)
    schema = _make_schema(pyarrow, "regret" in card["columns"]).with_metadata({"mj_bot": json.dumps(card)})
    replayer, splits, count = Replayer(), split_games(dataset.games), 0
    with open_whole(path, "wb") as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for first in range(0, len(splits), _GAMES):
            game_indices = np.arange(first, min(first + _GAMES, len(splits)))
            columns = _list_columns(dataset, game_indices, splits, replayer=replayer)
            writer.write_table(pyarrow.table([_make_array(pyarrow, columns[name], schema.field(name).type)
                                              for name in schema.names], schema=schema))
            count += len(columns["action"])
            show(len(game_indices))
    write_dict(card_path, dict(card, rows=count))
    return count


def describe_decisions(dataset: Dataset) -> dict:
    """Returns the card of a file with the decisions of a dataset, as a dict for JSON."""
    columns = dict(_COLUMN_MEANINGS, **{"regret": _REGRET} if dataset.lessons is not None else {})
    fields = [{"name": name, "first": BYTE_RANGES[name][0], "shape": list(shape), "content": content}
              for name, shape, content in FIELDS]
    return {"format": DECISIONS_FORMAT, "version": DECISIONS_VERSION, "columns": columns, "observation": fields,
            "tiles": list(TILE_NAMES), "no_tile": NONE,
            "actions": [name_action(index) for index in range(ACTION_COUNT)], "set": dataset.card}


def name_action(index: int) -> str:
    """Returns the name of an action.

    index: 0..234. The discard after a pung or a chow is another decision and has its own name.

    >>> name_action(0), name_action(2), name_action(36), name_action(172)
    ('PASS', 'PLAY W1', 'GANG W1 claimed', 'CHI W2 claims W1')
    """
    if index in (PASS_INDEX, WIN_INDEX):
        return "PASS" if index == PASS_INDEX else "HU"
    if index >= CHOW_BASE:
        return "CHI %s claims %s" % tuple(TILE_NAMES[tile] for tile in split_chow_index(index))
    for base, form in ((PUNG_BASE, "PENG %s"), (ADDED_KONG_BASE, "BUGANG %s"),
                       (CONCEALED_KONG_BASE, "GANG %s concealed"), (OPEN_KONG_BASE, "GANG %s claimed"),
                       (DISCARD_BASE, "PLAY %s")):
        if index >= base:
            return form % TILE_NAMES[index - base]
    raise AssertionError(index)


def _list_columns(dataset, game_indices, splits, *, replayer):
    """Returns {name: array} of the decisions of some games. A column of lists is (offsets, values)."""
    games = take_games(dataset.games, game_indices)
    decisions = replayer.replay(games)
    rows = np.argsort(decisions.games, kind="stable")
    masks = decisions.masks[rows]
    legal = unpack_masks(masks)
    offsets = np.concatenate([[0], np.cumsum(legal.sum(1))]).astype(np.int32)
    score, winner, fan = (column[rows] for column in list_outcomes(games.heads, decisions))
    columns = {
        "game": game_indices[decisions.games[rows]].astype(np.int32), "seat": decisions.seats[rows],
        "split": np.array(SPLITS)[splits[game_indices][decisions.games[rows]]],
        "observation": decisions.observations[rows],
        "legal": (offsets, np.nonzero(legal)[1].astype(np.int16)), "action": decisions.actions[rows],
        "is_random": decisions.is_random[rows], "score": score, "winner": winner, "fan": fan}
    if dataset.lessons is not None:
        starts = compute_starts(dataset.lessons, game_indices, decisions)
        regret, _ = take_lessons(dataset.lessons, starts[rows], masks, actions=make_tables().actions,
                                 transforms=np.zeros(len(rows), np.uint8))
        columns["regret"] = offsets, regret[legal]
    return columns


def _make_schema(pyarrow, has_regret):
    """Returns the schema of the Parquet file. has_regret: whether the set has a teacher."""
    types = {"game": pyarrow.int32(), "seat": pyarrow.uint8(), "split": pyarrow.string(),
             "observation": pyarrow.list_(pyarrow.uint8(), OBSERVATION_SIZE), "legal": pyarrow.list_(pyarrow.int16()),
             "action": pyarrow.int16(), "is_random": pyarrow.bool_(), "score": pyarrow.int16(),
             "winner": pyarrow.int8(), "fan": pyarrow.uint8()}
    if has_regret:
        types["regret"] = pyarrow.list_(pyarrow.uint8())
    return pyarrow.schema(list(types.items()))


def _make_array(pyarrow, column, column_type):
    """Returns a column as an array of pyarrow. A tuple (offsets, values) becomes a column of lists."""
    if isinstance(column, tuple):
        return pyarrow.ListArray.from_arrays(*map(pyarrow.array, column))
    if column.ndim > 1:
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(column.ravel()), column.shape[1])
    return pyarrow.array(column, column_type)
