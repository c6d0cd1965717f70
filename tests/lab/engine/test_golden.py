"""Recorded games through the engine: the judge's events and scores, legal actions and observations as of GameState."""

import itertools
from collections import defaultdict

import numpy as np
import pytest

from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.engine.game_rows import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, TILE_DRAWN, OPEN_KONG_MADE, PLAYED, PUNG_MADE, WALL_EMPTY, WON)
from mj_bot.lab.records.botzone.match_log import parse_log
from mj_bot.lab.records.compact import pack_games
from mj_bot.lab.records.follow import game_from_record
from mj_bot.lab.records.botzone.golden import parse_golden
from mj_bot.mahjong.action import DISCARD_BASE, PASS_INDEX, PUNG_BASE, decode_action, encode_action, parse_action
from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import FOLLOW, BYTE_RANGES
from tests.golden_games import GOLDEN, NEVER_LOOKED_AT, name_of, read_games, with_recorded, with_samples

NAMES = {TILE_DRAWN: "DRAW", PLAYED: "PLAY", CHOW_MADE: "CHI", PUNG_MADE: "PENG", OPEN_KONG_MADE: "GANG",
         CONCEALED_KONG_MADE: "GANG", ADDED_KONG_MADE: "BUGANG", WON: "HU"}
WITH_TILE = (TILE_DRAWN, PLAYED, CHOW_MADE, ADDED_KONG_MADE, WON)


def read_records(path=GOLDEN, most=None):
    games = list(itertools.islice(read_games(path), most))
    return [parse_golden(game, name_of(game)) for game in games], games


def list_events(log):
    """(seat, action) of the events of a log: claims with their discard, concealed kongs without their tile."""
    events, is_claimed = [], False
    for code, tile in log.tolist():
        kind, seat = divmod(code, 4)
        if kind == WALL_EMPTY:
            continue
        action = (TILE_NAMES[tile],) if kind in WITH_TILE else ()
        if is_claimed:
            events[-1] = seat, events[-1][1] + action
        else:
            events.append((seat, (NAMES[kind],) + action))
        is_claimed = kind in (CHOW_MADE, PUNG_MADE)
    return events


def list_recorded_events(record):
    """Events of a record as list_events has them, wins left out."""
    events = []
    for step in record.steps[2:]:
        kind, tile = step.display["action"], step.display["tile"]
        action = {"CHI": ("CHI", step.display.get("tileCHI"), tile), "GANG": ("GANG",)}.get(kind, (kind, tile))
        events.append((step.display["player"], action))
    return events


def check_events(records):
    """Replays the records and compares what the engine made of them; returns their decisions by record."""
    results = {}

    class Noting(Replayer):
        def _check_finished(self, games, book):
            results.update((int(result["game_id"]), result.copy()) for result in self._engine.finished)
            super()._check_finished(games, book)

    replayed = Noting().replay(pack_games([game_from_record(record) for record in records]))
    decisions, masks = defaultdict(list), unpack_masks(replayed.masks)
    for row, number in enumerate(replayed.games.tolist()):
        decisions[number].append((int(replayed.seats[row]), replayed.observations[row], masks[row],
                                  int(replayed.actions[row])))
    for number, record in enumerate(records):
        result = results[number]
        events, recorded = list_events(result["log"][:result["log_count"]]), list_recorded_events(record)
        assert events[:len(recorded)] == recorded, record.name
        verdict = record.closing["action"]
        if verdict in ("HU", "HUANG"):
            assert result["score"].tolist() == record.scores, record.name
            assert len(events) == len(recorded) + (verdict == "HU"), record.name
            assert result["winner"] == (record.closing["player"] if verdict == "HU" else -1), record.name
            assert result["fan"] == record.closing.get("fanCnt", 0), record.name
    return decisions


def check_views(record, game, decisions):
    """Compares a game's decisions with four GameStates: seats, legal actions, answers, bytes of the observation."""
    waiting = [[decision for decision in decisions if decision[0] == seat] for seat in range(4)]
    for seat in range(4):
        state = GameState()
        for number, step in enumerate(record.steps):
            state.apply(step.requests[seat])
            actions, claimed, answer = state.action_space(), state.last_tile, step.answers[seat].response
            if actions == [("PASS",)]:
                continue
            legal = {encode_action(action, claimed)[0] for action in actions}
            if (game["mode"], game["seed"], number, seat) in NEVER_LOOKED_AT:
                # It counts as a pass; the state refuses it.
                assert waiting[seat][0][-1] == PASS_INDEX
                waiting[seat].clear()
                break
            is_error = record.closing["action"] in ("WA", "WH") and step is record.steps[-1]
            if is_error and record.closing["player"] == seat:
                break
            if len(legal) > 1:
                where = record.name, number, seat
                if not waiting[seat]:
                    # The step of another seat's error, and passes right before it, are not told.
                    assert record.closing["action"] in ("WA", "WH"), where
                    assert is_error or answer == "PASS", where
                    break
                _, observation, mask, chosen = waiting[seat].pop(0)
                assert set(np.flatnonzero(mask)) == legal, where
                assert chosen == encode_action(parse_action(answer), claimed)[0], where
                check_bytes(encode_observation(state), observation, where)
                if chosen >= PUNG_BASE and waiting[seat] and waiting[seat][0][1][BYTE_RANGES["task"][0]] == FOLLOW:
                    _, observation, mask, discard = waiting[seat].pop(0)
                    claim = decode_action(chosen, discard)
                    follows = {DISCARD_BASE + TILE_INDEX[action[-1]] for action in actions if action[:-1] == claim[:-1]}
                    assert set(np.flatnonzero(mask)) == follows, where
                    check_bytes(encode_observation(state, claim), observation, where)
            state.answer(answer)
        assert not waiting[seat], (record.name, seat)


def check_bytes(expected, got, where):
    wrong = [name for name, (start, end, _) in BYTE_RANGES.items() if (expected[start:end] != got[start:end]).any()]
    assert not wrong, (where, wrong)


@with_recorded
def test_recorded_games(path):
    """Events and scores of all games; of the chosen ones observations, which take the longest, of every third."""
    records, games = read_records(path)
    decisions = check_events(records)
    for number in range(0, len(records), 3 if path == GOLDEN else 1):
        check_views(records[number], games[number], decisions[number])


@with_samples
def test_logs(folder):
    """As Botzone serves them."""
    records = list(map(parse_log, read_games(folder / "botzone.jsonl.gz")))
    assert sum(len(decisions) for decisions in check_events(records).values()) > 50 * len(records)


def test_a_record_without_its_wall():
    """The wall is rebuilt from deals and draws: the same moves, with any tiles in the part that nobody drew."""
    for record in read_records(most=20)[0]:
        moves, record.wall = game_from_record(record).moves, None
        assert game_from_record(record).moves == moves


def test_draws_that_no_wall_gives():
    (record,), _ = read_records(most=1)
    record.wall = None
    tile = record.steps[1].requests[0].split()[5]
    for step in record.steps:
        if step.requests[0].startswith("2 "):
            step.requests[0] = "2 " + tile
    with pytest.raises(InvalidHandError, match="rebuilt from"):
        game_from_record(record)
