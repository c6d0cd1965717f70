"""Transforms: a transformed decision is the decision of the game in other tiles."""

from dataclasses import replace

import numpy as np
import pytest

from mj_bot.lab.dataset.augment import (
    TRANSFORMS, DecisionRows, make_tables, take_rows, transform_action, transform_tile)
from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.records.compact import pack_games, unpack_games
from mj_bot.lab.records.game_record import ANSWER_BASE
from mj_bot.mahjong.action import (
    ACTION_COUNT, CHOW_BASE, DISCARD_BASE, decode_action, encode_action, split_chow_index)
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES
from mj_bot.observation.layout import OBSERVATION_SIZE
from tests.lab.dataset.sets import random_games

# By transform // 2: the suits that W, T and B become.
ORDERS = ("WTB", "WBT", "TWB", "TBW", "BWT", "BTW")


def rename(transform, name):
    """What a tile's name becomes, from the definition."""
    if name[0] not in "WTB":
        return name
    rank = 10 - int(name[1]) if transform % 2 else int(name[1])
    return ORDERS[transform // 2]["WTB".index(name[0])] + str(rank)


def rename_action(transform, action):
    """What an action becomes, by names."""
    if action >= CHOW_BASE:
        middle, claimed = (rename(transform, TILE_NAMES[tile]) for tile in split_chow_index(action))
        return encode_action(("CHI", middle, "W1"), claimed)[0]
    words = decode_action(action, discard=DISCARD_BASE)
    if 36 <= action < 70 or action >= 138:
        claimed = rename(transform, TILE_NAMES[(action - 36) % 34])
        return encode_action(words, claimed)[0]
    return encode_action(words[:1] + tuple(rename(transform, name) for name in words[1:] if isinstance(name, str))
                         if words[0] != "HU" else words)[0]


@pytest.mark.parametrize("transform", range(TRANSFORMS))
def test_tiles_and_actions_by_their_names(transform):
    assert [TILE_NAMES[transform_tile(transform, tile)] for tile in range(34)] == [
        rename(transform, name) for name in TILE_NAMES]
    actions = [transform_action(transform, action) for action in range(ACTION_COUNT)]
    assert actions == [rename_action(transform, action) for action in range(ACTION_COUNT)]
    assert sorted(actions) == list(range(ACTION_COUNT))
    assert transform or actions == sorted(actions)


def rename_game(transform, game):
    """The game in other tiles: its wall and every move."""
    moves = bytes(byte if byte > ANSWER_BASE else rename_action(transform, byte) for byte in game.moves)
    return replace(game, wall=[TILE_INDEX[rename(transform, TILE_NAMES[tile])] for tile in game.wall], moves=moves)


@pytest.mark.parametrize("transform", range(TRANSFORMS))
def test_a_transformed_decision_is_that_of_the_transformed_game(transform):
    """Observations, masks and actions of whole games, byte by byte."""
    games = list(unpack_games(random_games()))[4 * transform:4 * transform + 4]
    plain = Replayer().replay(pack_games(games))
    rows = np.argsort(plain.games, kind="stable")
    source = DecisionRows(plain.observations, plain.masks, plain.actions)
    target = DecisionRows(np.empty((len(rows), OBSERVATION_SIZE), np.uint8),
                          np.empty((len(rows), ACTION_COUNT), bool), np.empty(len(rows), np.int16))
    take_rows(make_tables(), rows, np.full(len(rows), transform, np.uint8), source, target)
    expected = Replayer().replay(pack_games([rename_game(transform, game) for game in games]))
    order = np.argsort(expected.games, kind="stable")
    assert (expected.games[order] == plain.games[rows]).all()
    assert (expected.observations[order] == target.observations).all()
    assert (unpack_masks(expected.masks[order]) == target.masks).all()
    assert (expected.actions[order] == target.actions).all()
