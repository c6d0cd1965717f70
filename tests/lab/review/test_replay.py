"""Replaying logged games."""

import gzip
import json
import pathlib
import shutil

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.table.players import make_tactic_player
from tests.golden_games import GOLDEN, NEVER_LOOKED_AT
from tests.golden_games import read_games as read_golden

SAMPLES = pathlib.Path(__file__).parents[3] / "data" / "samples"


def only_transcripts(path):
    games = list(read_games(str(path)))
    assert not any(game.error for game in games)
    return [transcript for game in games for transcript in game.transcripts]


def test_the_logged_move_is_always_legal(tmp_path):
    """Every decision of every recorded game that nobody erred in has its logged answer among the legal ones."""
    decisions = 0
    path = tmp_path / "clean.jsonl"
    odd = {entry[:2] for entry in NEVER_LOOKED_AT}
    games = [game for game in read_golden() if game["steps"][-1][1]["action"] in ("HU", "HUANG")]
    path.write_text("".join(json.dumps(game) + "\n" for game in games if (game["mode"], game["seed"]) not in odd))
    for transcript in only_transcripts(path):
        for decision in replay(transcript, make_tactic_player("random")):
            assert decision.logged in decision.legal and decision.chosen in decision.legal
            decisions += 1
    assert decisions > 5000


def test_all_samples_are_read(capsys):
    assert main(["replay", str(SAMPLES), "--tactic", "random"]) == 0
    captured = capsys.readouterr()
    assert "random chose" in captured.out and captured.err == ""


def test_a_kept_running_bots_input_is_one_game():
    for name in ("keep_running.json", "keep_running.txt"):
        (transcript,) = only_transcripts(SAMPLES / name)
        assert len(transcript.requests) > len(transcript.responses) + 1
        assert all(request[0] in "0123" for request in transcript.requests)


def test_a_broken_game_is_named_and_the_rest_goes_on(tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    lines = stacked_lines()
    with gzip.open(folder / "a.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines[0] + lines[1][:500] + "\n" + lines[2])
    (folder / "b.json").write_bytes(b"\xff\xfe nothing")
    (folder / "c.json").write_text('{"requests": ["0 0 0", "1 0 0 0 0 W1"], "responses": ["PASS"]}')
    shutil.copy(SAMPLES / "win.json", folder / "d.json")
    assert main(["replay", str(folder), "--tactic", "random", "--show", "none"]) == 2
    captured = capsys.readouterr()
    assert "a.jsonl.gz:2: step 0: expected a recorded game" in captured.err
    assert "b.json" in captured.err
    assert "c.json:1 seat 0: request 1: expected" in captured.err
    assert "a.jsonl.gz:1" not in captured.err and "a.jsonl.gz:3" not in captured.err and "d.json" not in captured.err
    assert captured.out.splitlines()[-1].startswith("all")


def stacked_lines():
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        return [line for line in file if '"mode":"stacked"' in line][:3]


def test_one_seat_and_differences_alone(tmp_path, capsys):
    path = tmp_path / "one.jsonl"
    path.write_text(stacked_lines()[0])
    assert main(["replay", str(path), "--tactic", "random", "--seat", "2", "--show", "differences"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line for line in lines if "seat" in line]
    assert shown and all("seat 2" in line for line in shown)
    for line in shown:
        logged, chosen = line.split("logged ")[1].split(", random chose ")
        assert logged != chosen.split(";")[0]


@pytest.mark.parametrize("paths", [["no-such-file"], ["."]])
def test_paths_without_records(paths, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["replay"] + paths) == 2
    assert "expected" in capsys.readouterr().err


def test_directories_are_searched(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("b.json", "a.jsonl.gz", "note.md", "sub/c.log"):
        (tmp_path / name).write_text("x")
    assert [pathlib.Path(path).name for path in list_files([str(tmp_path)])] == ["a.jsonl.gz", "b.json", "c.log"]


@pytest.mark.parametrize("tactic", ["cnn:/no/such.npz", "random:sed=1", "random:seed=abc", "search:danger=abc"])
def test_a_tactic_that_cannot_be_is_no_fault_of_the_records(tactic, capsys):
    for command in ("replay", "review"):
        assert main([command, str(SAMPLES / "win.json"), "--tactic", tactic]) == 2
        captured = capsys.readouterr()
        assert captured.err.count("\n") == 1 and "expected" in captured.err and not captured.out


def test_a_seat_that_is_no_number(tmp_path, capsys):
    path = tmp_path / "input.json"
    path.write_text('{"requests": ["0 \u00b2 0"], "responses": []}', encoding="utf-8")
    assert main(["replay", str(path), "--tactic", "random"]) == 2
    assert "expected" in capsys.readouterr().err
