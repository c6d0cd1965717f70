"""Recorded games driven through the engine: every decision with its observation, its mask and what was chosen."""

from collections import namedtuple

import numpy as np

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.sources import wall_source
from mj_bot.lab.table.record import rebuild_wall
from mj_bot.mahjong.action import encode_action, parse_action
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.mahjong.meld import make_meld
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES
from mj_bot.observation.layout import ADDED_KONG, CHOW, FOLLOW, PUNG

# Rows of one step. record int32[M]: number of the record; seat uint8[M]; observation uint8[M, OBSERVATION_SIZE];
# mask bool[M, 235]; action int16[M].
Decisions = namedtuple("Decisions", "record seat observation mask action")

# The seats and the deal come before the first event.
_FIRST_STEP = 1


def drive_together(records, width=256, engine=None):
    """Yields the decisions of recorded games as Decisions, those of a step of `width` games together.

    engine: an Engine to use.
    """
    records = list(records)
    source = wall_source([rebuild_wall(record) for record in records], [record.prevalent_wind for record in records])
    engine = engine or Engine(min(width, max(1, len(records))))
    engine.reset(source)
    while len(engine.pending):
        games, seats = engine.pending["game"], engine.pending["seat"]
        numbers = engine.games["game_id"][games]
        mask = engine.mask()
        chosen = [_find_answer(records[number], engine.games[game], seat, legal)
                  for number, game, seat, legal in zip(numbers.tolist(), games.tolist(), seats.tolist(), mask)]
        told = np.array([action is not None for action in chosen])
        actions = np.where(told, [action or 0 for action in chosen], mask.argmax(axis=1)).astype(np.int16)
        if told.any():
            observations = engine.observations()
            yield Decisions(numbers[told].astype(np.int32), seats[told].copy(), observations[told],
                            mask[told], actions[told])
        engine.step(actions)


def _find_answer(record, game, seat, legal):
    """Index of the answer of `seat` to its pending decision; None where the record ends before, or refused it."""
    kinds = game["meld"][:, :, 0][np.arange(4) < game["meld_count"][:, None]]
    claims = int(np.isin(kinds, (CHOW, PUNG, ADDED_KONG)).sum())
    # A pung or chow and the discard after it are two events of the log and one step of the judge.
    step = _FIRST_STEP + int(game["log_count"]) - claims
    if step >= len(record.steps):
        return None
    try:
        answer = parse_action(record.steps[step].answers[seat].response)
    except IllegalActionError:
        return None
    claimed = TILE_NAMES[game["last_tile"]] if answer[0] in ("CHI", "PENG", "GANG") else None
    indices = encode_action(answer, claimed)
    index = indices[-1 if game["phase"] == FOLLOW else 0]
    if not legal[index]:
        return None
    if game["phase"] != FOLLOW and answer[0] in ("CHI", "PENG"):
        discard = TILE_INDEX[answer[-1]]
        if game["hand"][seat][discard] <= make_meld(answer, seat, TILE_INDEX[claimed]).from_hand.count(discard):
            return None
    return index
