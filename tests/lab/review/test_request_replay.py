"""Replaying logged games."""

import json
import pathlib

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.source import list_files
from mj_bot.lab.review.request_replay import ComparisonCounts, Difference
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
    assert "b.json seat 0: request 1: expected" in captured.err and captured.err.count("\n") == 3
    assert captured.out.splitlines()[-1].startswith("all")


def test_one_seat_and_differences_alone(game_file, capsys):
    assert main(["replay", str(game_file), "--tactic", "random", "--seat", "2", "--show", "differences"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line for line in lines if "seat" in line]
    assert shown and all("seat 2" in line for line in shown)
    for line in shown:
        logged, chosen = line.split("logged ")[1].split(", random chose ")
        assert logged != chosen.split(";")[0]


def test_two_tactics_are_compared_on_the_same_positions(game_file, tmp_path, capsys):
    """A second --tactic took the place of the first without a word; the log alone was compared with."""
    data = tmp_path / "differences.json"
    words = ["replay", str(game_file), "--seat", "east"]
    assert main([*words, "--tactic", "rule_based", "--against", "search", "--json", str(data)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " chose " in line]
    result = json.loads(data.read_text(encoding="utf-8"))
    differences = result["differences"]
    assert result["decisions"] - result["same"] == len(differences) == len(lines) > 3
    assert (result["tactic"], result["against"], result["unit"]) == ("rule_based", "search", "points")
    losses = [entry["loss"] for entry in differences if entry["loss"] is not None]
    assert losses == sorted(losses, reverse=True) and losses[0] > 0.1
    worst = differences[0]
    assert (result.keys(), worst.keys()) == (ComparisonCounts.__annotations__.keys(), Difference.__annotations__.keys())
    assert worst["chosen"] != worst["other"] and worst["hand"] in lines[0]
    chosen, other = worst["points"]["search"]
    assert other - chosen == pytest.approx(worst["loss"], abs=1e-3)
    # The hand is written so that `hand` reads it.
    assert main(["hand", worst["hand"]]) == 0
    capsys.readouterr()
    assert main([*words, "--tactic", "rule_based", "--against", "search", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == result
    assert main([*words, "--tactic", "search", "--against", "search"]) == 0
    assert "all" in capsys.readouterr().out.splitlines()[-1]
    with pytest.raises(SystemExit):
        main([*words, "--tactic", "search", "--tactic", "rule_based"])
    assert capsys.readouterr().err == "replay: --tactic: expected it once, got 'search' and 'rule_based'\n"


def test_a_game_is_named_as_it_is_printed(tmp_path, monkeypatch, capsys):
    """`replay` printed "two.jsonl:2" and refused that name."""
    monkeypatch.chdir(tmp_path)
    pathlib.Path("two.jsonl").write_text("".join(golden_lines(2, "stacked")))
    printed = []
    for words in (["two.jsonl:2"], ["two.jsonl", "--game", "2"]):
        assert main(["replay", *words, "--tactic", "random"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] and printed[0].startswith("two.jsonl:2 seat 0 ") and "jsonl:1" not in printed[0]
    pathlib.Path("one.json").write_text(golden_lines(1, "stacked")[0])
    assert main(["replay", "one.json:1", "--tactic", "random"]) == 0  # as --help writes it; it was refused
    capsys.readouterr()
    for words, message in ((["two.jsonl:3"], "expected a game of two.jsonl, got 'two.jsonl:3': no such game"),
                           (["two.jsonl", "--game", "3"], "expected a game 1..2, got 3"),
                           (["one.jsonl:1"], "there is no 'one.jsonl'")):
        assert main(["replay", *words, "--tactic", "random"]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "review"])
def test_paths_without_records(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for path in "no-such-file", ".":
        assert main([command, path]) == 2
        assert "expected" in capsys.readouterr().err


def test_directories_are_searched(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("b.JSON", "a.jsonl.gz", "note.md", "sub/c.log", "sub/d.json.gz"):
        (tmp_path / name).write_text("{")
    assert [pathlib.Path(path).name for path in list_files([str(tmp_path)])] == [
        "a.jsonl.gz", "b.JSON", "c.log", "d.json.gz"]
