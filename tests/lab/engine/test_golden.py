"""Recorded games through the engine: the judge's events and scores, legal actions and observations as of GameState."""

import gzip
import itertools
import json

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.records.botzone_log import parse_log
from mj_bot.lab.records.golden import parse_golden
from mj_bot.mahjong.action import DISCARD_BASE, PUNG_BASE, decode_action, encode_action
from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_INDEX
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import FOLLOW, PLACES
from tests.golden_games import GOLDEN, NEVER_LOOKED_AT, full_sets, name_of, read_games, with_samples
from tests.lab.engine.drive import drive_together
from tests.lab.engine.events import list_events


def read_records(path=GOLDEN, most=None):
    games = list(itertools.islice(read_games(path), most))
    return [parse_golden(json.dumps(game), name_of(game)) for game in games], games


def list_recorded_events(record):
    """Events of a record as events.list_events has them, concealed kongs without their tile and wins left out."""
    events = []
    for step in record.steps[2:]:
        kind, tile = step.display["action"], step.display["tile"]
        action = {"CHI": ("CHI", step.display.get("tileCHI"), tile), "GANG": ("GANG",)}.get(kind, (kind, tile))
        events.append((step.display["player"], action))
    return events


def check_events(records):
    """Drives the records and compares what the engine made of them; returns their decisions by record."""
    engine = NotingEngine(64)
    decisions = [[] for _ in records]
    for rows in drive_together(records, engine=engine):
        for row, number in enumerate(rows.record.tolist()):
            decisions[number].append((int(rows.seat[row]), rows.observation[row], rows.mask[row],
                                      int(rows.action[row])))
    for number, record in enumerate(records):
        result = engine.results[number]
        events = [(seat, ("GANG",) if action[0] == "GANG" else action)
                  for seat, action in list_events(result["log"], result["log_count"])]
        recorded = list_recorded_events(record)
        assert events[:len(recorded)] == recorded, record.name
        verdict = record.closing["action"]
        if verdict in ("HU", "HUANG"):
            assert result["score"].tolist() == record.scores, record.name
            assert len(events) == len(recorded) + (verdict == "HU"), record.name
            assert result["winner"] == (record.closing["player"] if verdict == "HU" else -1), record.name
            assert result["fan"] == record.closing.get("fanCnt", 0), record.name
    return decisions


class NotingEngine(Engine):
    """Keeps the results of all games by their number."""

    def __init__(self, count):
        super().__init__(count)
        self.results = {}

    def step(self, actions):
        super().step(actions)
        self.results.update((int(result["game_id"]), result.copy()) for result in self.finished)


def check_views(record, game, decisions):
    """Compares a game's decisions with four GameStates: seats, legal actions, bytes of the observation."""
    waiting = [[decision for decision in decisions if decision[0] == seat] for seat in range(4)]
    for seat in range(4):
        state = GameState()
        for number, step in enumerate(record.steps):
            state.apply(step.requests[seat])
            actions = state.action_space()
            if actions != [("PASS",)]:
                claimed = state.last_tile
                answer = step.answers[seat].response
                legal = {encode_action(action, claimed)[0] for action in actions}
                if is_refused(record, game, number, seat):
                    break
                _, observation, mask, chosen = waiting[seat].pop(0)
                assert set(np.flatnonzero(mask)) == legal, (record.name, number, seat)
                check_bytes(encode_observation(state), observation, (record.name, number, seat))
                if chosen >= PUNG_BASE and waiting[seat] and waiting[seat][0][1][PLACES["task"][0]] == FOLLOW:
                    _, observation, mask, discard = waiting[seat].pop(0)
                    claim = decode_action(chosen, discard)
                    follows = {DISCARD_BASE + TILE_INDEX[action[-1]] for action in actions if action[:-1] == claim[:-1]}
                    assert set(np.flatnonzero(mask)) == follows, (record.name, number, seat)
                    check_bytes(encode_observation(state, claim), observation, (record.name, number, seat))
                state.answer(answer)
        assert not waiting[seat], (record.name, seat)


def is_refused(record, game, number, seat):
    """Whether the seat's answer was refused by the judge, or odd and never looked at."""
    verdict = record.closing["action"]
    last = number == len(record.steps) - 1
    if last and verdict in ("WA", "WH") and record.closing["player"] == seat:
        return True
    return (game["mode"], game["seed"], number, seat) in NEVER_LOOKED_AT


def check_bytes(expected, got, where):
    wrong = [name for name, (start, end, _) in PLACES.items() if (expected[start:end] != got[start:end]).any()]
    assert not wrong, (where, wrong)


def test_recorded_games():
    """Events and scores of all chosen games; observations, which take the longest to check, of every third."""
    records, games = read_records()
    checked = list(zip(records, games, check_events(records)))
    for record, game, decisions in checked[::3]:
        check_views(record, game, decisions)


@pytest.mark.slow
@pytest.mark.parametrize("path", full_sets())
def test_all_recorded_games(path):
    records, games = read_records(path)
    for record, game, decisions in zip(records, games, check_events(records)):
        check_views(record, game, decisions)


@with_samples
def test_logs(folder):
    """As Botzone serves them."""
    with gzip.open(folder / "botzone.jsonl.gz", "rt", encoding="utf-8") as file:
        records = [parse_log(line) for line in file]
    assert sum(len(decisions) for decisions in check_events(records)) > 50 * len(records)


def test_a_record_without_its_wall():
    """The wall is rebuilt from deals and draws: the same decisions, with any tiles in the part that nobody drew."""
    records = read_records(most=20)[0]
    with_wall = [row for rows in drive_together(records) for row in zip(rows.record.tolist(), rows.action.tolist())]
    for record in records:
        record.wall = None
    without = [row for rows in drive_together(records) for row in zip(rows.record.tolist(), rows.action.tolist())]
    assert sorted(with_wall) == sorted(without)


def test_draws_that_no_wall_gives():
    (record,), _ = read_records(most=1)
    record.wall = None
    tile = record.steps[1].requests[0].split()[5]
    for step in record.steps:
        if step.requests[0].startswith("2 "):
            step.requests[0] = "2 " + tile
    with pytest.raises(InvalidHandError, match="rebuilt from"):
        list(drive_together([record]))
