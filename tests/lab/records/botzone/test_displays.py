"""Logs as local runners and collections keep them: displays, outputs alone, answers as texts, entries one a line."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.records.follow import record_from_game
from mj_bot.lab.records.source import read_games
from tests.lab.records.games import parse_golden_games

CASES = Path(__file__).parents[1] / "cases"
SEATS = "0123"


@lru_cache(maxsize=None)
def load_logs():
    """Returns logs of games with each kind of claim and kong, of a drawn game and of one that a fault ends."""
    logs, games = [], parse_golden_games()
    missing = {"INIT", "DEAL", "DRAW", "PLAY", "CHI", "PENG", "GANG", "BUGANG", "HU", "HUANG", "WA"}
    while missing:
        log = json.loads(format_log(record_from_game(next(games))))
        actions = {entry["output"]["display"]["action"] for entry in log["logs"][::2]}
        if actions & missing:
            missing -= actions
            logs.append(log)
    return logs


def list_displays(log):
    return [entry["output"]["display"] for entry in log["logs"][::2]]


def list_contents(log):
    return [output["content"] for output, _ in list_steps(log)]


def list_steps(log):
    """Returns (output, answers) of each step, and the closing output without answers."""
    entries = log["logs"] + [None]
    return list(zip((entry["output"] for entry in entries[::2]), entries[1::2]))


def list_words(answers):
    return answers and [answers[seat]["response"] for seat in SEATS]


def make_lines(entries):
    return "\n".join(map(json.dumps, entries))


def wrap_steps(log, output, answers, write):
    return [dict({output: entry}, **{answers: write(given)} if given else {}) for entry, given in list_steps(log)]


SHAPES = {
    "a list of displays": lambda log: json.dumps(list_displays(log)),
    "indented": lambda log: json.dumps(list_displays(log), indent=1),
    "displays a line": lambda log: make_lines(list_displays(log)),
    "displays as texts": lambda log: json.dumps(list(map(json.dumps, list_displays(log)))),
    "a text a line": lambda log: make_lines(map(json.dumps, list_displays(log))),
    "a list as a text": lambda log: json.dumps(json.dumps(list_displays(log))),
    "displays wrapped": lambda log: json.dumps([{"display": display} for display in list_displays(log)]),
    "displays as texts wrapped": lambda log: json.dumps([{"display": json.dumps(item)} for item in list_displays(log)]),
    "by numbers": lambda log: json.dumps(dict(enumerate(list_displays(log)))),
    "in a match": lambda log: json.dumps(dict(log, logs=list_displays(log), players=dict(zip(SEATS, "abcd")))),
    "by the id": lambda log: json.dumps({"0123456789abcdef01234567": list_displays(log)}),
    "outputs": lambda log: json.dumps([output for output, _ in list_steps(log)]),
    "outputs a line": lambda log: make_lines(output for output, _ in list_steps(log)),
    "outputs in a match": lambda log: json.dumps(dict(log, logs=log["logs"][::2])),
    "outputs without displays": lambda log: json.dumps(dict(log, logs=[
        {"output": {key: value for key, value in output.items() if key != "display" or output["command"] == "finish"}}
        for output, _ in list_steps(log)])),
    "requests alone": lambda log: json.dumps(list_contents(log)),
    "requests in lists": lambda log: json.dumps([list(content.values()) for content in list_contents(log)]),
    "requests a line": lambda log: make_lines(list_contents(log)),
    "requests and answers in lists": lambda log: make_lines(
        seats for output, answers in list_steps(log)
        for seats in (list(output["content"].values()), list_words(answers)) if seats),
    "entries a line": lambda log: make_lines(log["logs"]),
    "bare answers": lambda log: json.dumps(dict(log, logs=[
        entry if "output" in entry else dict(zip(SEATS, list_words(entry))) for entry in log["logs"]])),
    "answers in a list": lambda log: json.dumps([
        entry if "output" in entry else list_words(entry) for entry in log["logs"]]),
    "request and response": lambda log: json.dumps(wrap_steps(log, "request", "response", dict)),
    "output and answers": lambda log: make_lines(wrap_steps(log, "judge", "answers", list_words)),
    "display and answers": lambda log: json.dumps([dict(display=output["display"], **{"response": list_words(
        answers)} if answers else {}) for output, answers in list_steps(log)]),
    "another key": lambda log: json.dumps(dict(log, logs=[
        {"id": {"judge": entry["output"]}} if "output" in entry else entry for entry in log["logs"]])),
    "logs by numbers": lambda log: json.dumps(dict(log, logs=dict(enumerate(log["logs"])))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_log_in_another_shape(shape):
    """Each was refused. The requests to all seats are those of the whole log, and so are the scores."""
    for log in load_logs():
        whole, = read_games("whole.json", json.dumps(log).encode())
        game, = read_games("a.json", SHAPES[shape](log).encode())
        assert game.error is None, shape
        assert game.record.scores == whole.record.scores
        assert [step.requests for step in game.record.steps] == [step.requests for step in whole.record.steps]
        if "answers" in shape and "lists" not in shape or shape in (
                "entries a line", "request and response", "another key"):
            assert game.transcripts == whole.transcripts


@pytest.mark.parametrize("shape", ["a list of displays", "displays a line", "a text a line", "entries a line"])
def test_several_games_one_after_another(shape):
    texts = [SHAPES[shape](log) for log in load_logs()]
    text = "[%s]" % ",".join(text[1:-1] for text in texts) if shape.startswith("a list") else "\n".join(texts)
    games = list(read_games("a.json", text.encode()))
    assert [game.record.scores for game in games] == [
        [log["logs"][-1]["output"]["content"][seat] for seat in SEATS] for log in load_logs()]


@pytest.mark.parametrize("shape", ["displays a line", "requests a line", "entries a line"])
@pytest.mark.parametrize("head", [
    {"players": ["a", "b", "c", "d"], "seed": 7},
    {"initdata": {"seed": 3}, "players": [{"name": name} for name in "abcd"]}, {"bots": 4, "game": "mahjong"}])
def test_lines_about_each_game_before_its_entries(shape, head):
    """Such a line was an error apart from its game, and the players of the game were lost."""
    text = "\n".join(json.dumps(head) + "\n" + SHAPES[shape](log) for log in load_logs()[:1 if "bots" in head else 3])
    games = list(read_games("a.json", text.encode()))
    assert [game.error for game in games] == [None] * len(games) and len(games) == (1 if "bots" in head else 3)
    assert [game.record.scores for game in games] == [
        [log["logs"][-1]["output"]["content"][seat] for seat in SEATS] for log in load_logs()[:len(games)]]
    assert "bots" in head or [game.record.players for game in games] == [list("abcd")] * 3


@pytest.mark.parametrize("name", ["botzone_local_displays.log", "06_outputs_only.json"])
def test_the_files_of_a_runner(name):
    game, = read_games(str(CASES / name))
    assert game.error is None and game.record.scores == [-21, 63, -21, -21] and game.record.closing["fanCnt"] == 13


@pytest.mark.parametrize("change, told", [
    (lambda shown: shown[:-1], "expected the end of the game with its scores, got 'the end of the log'"),
    (lambda shown: shown[:9] + shown[10:], "in entry 9 of"),
    (lambda shown: shown[:6] + [dict(shown[6], player="x")] + shown[7:], "in entry 6 of"),
    # The error could not be printed: "%d" and None.
    (lambda shown: shown[:6] + [dict(shown[6], action="PLAY", player=None)] + shown[7:], "in entry 6 of"),
    (lambda shown: shown[:6] + [7] + shown[7:], "log entry 6: expected the judge's output and four answers, got 7"),
])
def test_what_does_not_fit_is_named(change, told):
    """The moves before it are kept."""
    displays = json.loads((CASES / "botzone_local_displays.log").read_text(encoding="utf-8"))
    game, = read_games("a.json", json.dumps(change(displays)).encode())
    assert told in str(game.error) and len(game.record.steps) > 3


def test_a_win_without_its_scores():
    """The scores follow from the rules."""
    displays = json.loads((CASES / "botzone_local_displays.log").read_text(encoding="utf-8"))
    displays[-1] = {"action": "HU", "player": 1}
    game, = read_games("a.json", json.dumps(displays).encode())
    assert game.error is None and game.record.scores == [-21, 63, -21, -21]


def test_a_log_without_outputs_names_its_keys():
    """Entries {"id": {...}} alone were "no 'output'"."""
    game, = read_games("a.json", json.dumps({"logs": [{"id": {"time": 1}}, {"0": {"response": "PASS"}}] * 20}).encode())
    assert "the judge's outputs under the key 'output', got entries with the keys 0, id only" in str(game.error)
