"""Replaying logged games."""

import pathlib

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.source import list_files
from tests.lab.review.games import golden_lines

SAMPLES = pathlib.Path(__file__).parents[3] / "data" / "samples"


def test_all_samples_are_read(capsys):
    assert main(["replay", str(SAMPLES), "--tactic", "random"]) == 0
    captured = capsys.readouterr()
    assert "random chose" in captured.out and captured.err == ""


def test_a_broken_game_is_named_and_the_rest_goes_on(tmp_path, capsys):
    lines = golden_lines(3, "stacked")
    (tmp_path / "a.jsonl").write_text(lines[0] + lines[1][:500] + "\n" + lines[2])
    (tmp_path / "b.json").write_text('{"requests": ["0 0 0", "1 0 0 0 0 W1"], "responses": ["PASS"]}')
    assert main(["replay", str(tmp_path), "--tactic", "random", "--show", "none"]) == 2
    captured = capsys.readouterr()
    assert "a.jsonl:2: expected JSON, got" in captured.err
    assert "b.json:1 seat 0: request 1: expected" in captured.err and captured.err.count("\n") == 3
    assert captured.out.splitlines()[-1].startswith("all")


def test_one_seat_and_differences_alone(game_file, capsys):
    assert main(["replay", str(game_file), "--tactic", "random", "--seat", "2", "--show", "differences"]) == 0
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
    for name in ("b.JSON", "a.jsonl.gz", "note.md", "sub/c.log", "sub/d.mjg.gz"):
        (tmp_path / name).write_text("x")
    assert [pathlib.Path(path).name for path in list_files([str(tmp_path)])] == [
        "a.jsonl.gz", "b.JSON", "c.log", "d.mjg.gz"]
