"""Walls that four players of the judge play once more."""

import pytest

from mj_bot.lab.engine import Engine
from mj_bot.lab.engine.wall_sources import wall_source
from mj_bot.lab.library.figures import GAME_FIGURES, describe_seats
from mj_bot.lab.review import games
from mj_bot.lab.review.decisions import describe_review
from mj_bot.lab.review.games import replay_wall, review_game
from mj_bot.lab.table.choosers import load_chooser
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.one_wall import deal_flowers
from mj_bot.lab.table.players import make_player, make_tactic_player
from mj_bot.lab.table.walls import wall_from_seed
from tests.lab.review.games import as_read, golden_records


def play_wall(seed, flowers):
    """The record of a game of four cnn."""
    return play_game([make_player("cnn") for _ in range(4)], wall_from_seed(seed), seed % 4, flowers=flowers)


@pytest.fixture(autouse=True)
def no_decisions(monkeypatch):
    """Reviews of no decision: the replay needs none."""
    monkeypatch.setattr(games, "review_seat", lambda *arguments: describe_review([], "points"))


def find_short_record():
    """A recorded game of few steps."""
    return min(golden_records(40, "explore"), key=lambda record: len(record.steps))


@pytest.mark.parametrize("rules", ["botzone", "tziakcha"])
def test_a_game_of_four_judges_is_its_own_replay(rules):
    """Record, story and figures of such a game are made without a replay; it has to repeat every event of them."""
    record = play_wall(4, deal_flowers(4) if rules == "tziakcha" else None)
    game = review_game(as_read(record), "cnn")
    assert game["replay"]["events"] == [frame["event"] for frame in game["frames"]]
    for replayed, told in zip(game["replay"]["distances"], game["distances"]):
        assert [(index, shanten) for index, _, shanten in replayed] == [
            (index, shanten) for (index, _, shanten), before in zip(told, [[0, 0, None], *told])
            if shanten != before[2]]
    for figures, _ in describe_seats(game, record).values():
        assert [figures["replay", name] for name in GAME_FIGURES] == [figures[name] for name in GAME_FIGURES]
    assert any(figures["won"] for figures, _ in describe_seats(game, record).values())


def test_the_replay_has_the_wall_of_the_game_and_not_its_moves():
    record = find_short_record()
    game = review_game(as_read(record), "random,cnn")
    events, played = game["replay"]["events"], [frame["event"] for frame in game["frames"]]
    assert events[:3] == played[:3] and events != played
    again = play_game([make_player("cnn") for _ in range(4)], record.wall, record.prevalent_wind)
    assert events == [frame["event"] for frame in review_game(as_read(again), "")["frames"]]


@pytest.mark.parametrize("change, judges, seat", [
    ({}, "random", None), ({}, "cnn", 0), ({"wall": None}, "cnn", None),
    ({"closing": None, "scores": None, "steps": 20}, "cnn", None), ({"origin": {"sub_rule": "own"}}, "cnn", None)],
    ids=["no cnn", "one seat", "no wall", "no end", "own rules"])
def test_games_without_a_replay(change, judges, seat):
    record = find_short_record()
    if "steps" in change:
        change = dict(change, steps=record.steps[:change["steps"]])
    vars(record).update(change)
    assert review_game(as_read(record), judges, seat)["replay"] is None


def test_a_wall_that_is_none_has_no_replay():
    record = find_short_record()
    record.wall = ["W1"] * 136
    assert replay_wall(record, make_tactic_player("cnn")) is None


def test_a_replay_counted_by_hand():
    """East claims, is ready at its second turn, and deals in at its third; South was ready before and wins."""
    events = [{"kind": "SEAT"}, {"kind": "DEAL"}, {"kind": "DRAW", "seat": 0}, {"kind": "PLAY", "seat": 0},
              {"kind": "DRAW", "seat": 1}, {"kind": "PLAY", "seat": 1},
              {"kind": "PENG", "seat": 0, "from": 1}, {"kind": "DRAW", "seat": 1}, {"kind": "PLAY", "seat": 1},
              {"kind": "DRAW", "seat": 2}, {"kind": "PLAY", "seat": 2}, {"kind": "DRAW", "seat": 3},
              {"kind": "PLAY", "seat": 3}, {"kind": "DRAW", "seat": 0}, {"kind": "PLAY", "seat": 0},
              {"kind": "END", "verdict": "HU", "seat": 1, "from": 0, "fan": 12, "scores": [-20, 36, -8, -8]}]
    distances = [[[1, None, 2], [3, None, 1], [6, None, 0]], [[1, None, 1], [5, None, 0]], [[1, None, 3]],
                 [[1, None, 2], [12, None, 3]]]
    reviews = {seat: {"decisions": []} for seat in range(4)}
    seats = describe_seats({
        "frames": [], "session": None, "scores": None, "distances": [], "judges": ["cnn"], "reviews": reviews,
        "replay": {"events": events, "distances": distances}}, None)
    counted = [{name: figures["replay", name] for name in GAME_FIGURES if figures["replay", name]}
               for figures, _ in seats.values()]
    assert counted == [
        {"score": -20, "dealt_in": True, "paid": True, "fan_paid": 12, "ready_turn": 2, "claimed": True},
        {"score": 36, "won": True, "fan_won": 12, "ready_turn": 1, "win_turn": 3},
        {"score": -8}, {"score": -8}]


@pytest.mark.slow
def test_the_engine_plays_the_same_games():
    records = golden_records(16, "explore")
    engine, choose = Engine(len(records), wall_source(
        [record.wall for record in records], [record.prevalent_wind for record in records])), load_chooser("cnn")
    engine.reset()
    scores = {}
    while len(engine.pending):
        engine.step(choose(engine.observations(), engine.mask()))
        scores.update((int(result["game_id"]), result["score"].tolist()) for result in engine.finished)
    judge = make_tactic_player("cnn")
    assert [replay_wall(record, judge)["events"][-1]["scores"] for record in records] == [
        scores[index] for index in range(len(records))]
