"""Replaying logged games."""

import gzip
import pathlib
import shutil

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.source import list_files
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.table.players import make_tactic_player
from tests.lab.review.games import golden_lines, golden_records

SAMPLES = pathlib.Path(__file__).parents[3] / "data" / "samples"


def test_the_logged_move_is_always_legal():
    decisions = 0
    for record in golden_records(30, "stacked") + golden_records(10, "explore", ending="HUANG"):
        for transcript in record.transcripts():
            for decision in replay(transcript, make_tactic_player("random")):
                assert decision.logged in decision.legal and decision.chosen in decision.legal
                decisions += 1
    assert decisions > 1000


def test_all_samples_are_read(capsys):
    assert main(["replay", str(SAMPLES), "--tactic", "random"]) == 0
    captured = capsys.readouterr()
    assert "random chose" in captured.out and captured.err == ""


def test_a_broken_game_is_named_and_the_rest_goes_on(tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    lines = golden_lines(3, "stacked")
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


def test_one_seat_and_differences_alone(tmp_path, capsys):
    path = tmp_path / "one.jsonl"
    path.write_text(golden_lines(1, "stacked")[0])
    assert main(["replay", str(path), "--tactic", "random", "--seat", "2", "--show", "differences"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line for line in lines if "seat" in line]
    assert shown and all("seat 2" in line for line in shown)
    for line in shown:
        logged, chosen = line.split("logged ")[1].split(", random chose ")
        assert logged != chosen.split(";")[0]


@pytest.mark.parametrize("command", ["replay", "review"])
def test_paths_without_records(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for path in "no-such-file", ".":
        assert main([command, path]) == 2
        assert "expected" in capsys.readouterr().err


def test_directories_are_searched(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("b.json", "a.jsonl.gz", "note.md", "sub/c.log"):
        (tmp_path / name).write_text("x")
    assert [pathlib.Path(path).name for path in list_files([str(tmp_path)])] == ["a.jsonl.gz", "b.json", "c.log"]
