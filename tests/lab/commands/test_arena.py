"""The command: tables, JSON, picture, bad input before any game, interrupts."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.fingerprint import compute_fingerprint, list_player_files
from mj_bot.lab.arena.result import format_tables
from mj_bot.lab.arena.results import format_markdown_table
from mj_bot.lab.arena.schedule import MAX_SEED, make_match
from mj_bot.lab.run.files import read_json as read
from mj_bot.lab.run.run_folder import check_settings
from mj_bot.mahjong.errors import MahjongError
from tests.lab.table.bots import list_running

PAIR = ["random", "random:seed=1"]
CLOCK_KEYS = {"decision_ms_p50", "decision_ms_p99", "decisions", "memory_mb"}


def run(*words):
    """The exit code of the command."""
    try:
        return main(["arena"] + [str(word) for word in words])
    except SystemExit as end:
        return end.code


def without_clock(result):
    """A result without the keys that depend on the machine or on edits of the sources."""
    players = [{key: value for key, value in player.items() if key not in CLOCK_KEYS} for player in result["players"]]
    match = dict(result["match"], sources=None, files=None)
    return dict(result, players=players, measured=None, commits=None, match=match)


@pytest.fixture
def without_trial(monkeypatch):
    """Leaves out the processes in which a match tries its players before it begins."""
    monkeypatch.setattr("mj_bot.lab.arena.referee_runner.probe_players", lambda specs, *limits: [0] * len(specs))


def test_tables_json_and_picture(tmp_path, capsys):
    words = ["random", "random:seed=1", "--rotations", 4, "--workers", 1, "--seed", 6, "--walls", 24]
    assert run(*words, "--json", tmp_path / "a.json", "--picture", tmp_path / "a.png") == 0
    out = capsys.readouterr().out
    result = read(tmp_path / "a.json")
    first, second = result["players"]
    assert (first["name"], first["games"], result["games"]) == ("random", 192, 96)
    assert first["score_low"] < first["score_mean"] < first["score_high"]
    assert first["score_mean"] == -second["score_mean"] and first["points_mean"] + second["points_mean"] == 5
    assert sum(first["patterns"].values()) == first["wins"]
    scores = result["wall_scores"]
    assert len(scores) == result["walls"] == 24 and {sum(pair) for pair in scores} == {0}
    assert first["score_mean"] == pytest.approx(sum(pair[0] for pair in scores) / 192, abs=1e-4)
    assert result["seeds"] == {"match": 6, "first_wall": 6 << 32}
    assert result["config"]["command"] == "mj-bot arena random random:seed=1 --walls 24 --seed 6 --rotations 4"
    assert {"config", "commits", "version", "format", "match"} <= set(result)
    assert "random:seed=1" in out and "24 walls in 4 seatings, 96 games" in out
    assert format_tables(result) in out
    assert "No difference shown between random and random:seed=1: " in out and "walls would show one of 0.5" in out
    few = dict(result, walls=19, differences=[dict(result["differences"][0], score_mean=-2.6, score_low=-2.9,
                                                   score_high=-2.4)])
    assert "random:seed=1 beats random by 2.60 points a game (95%: 2.40 to 2.90)\nToo few walls to rely on: 19." \
        in format_tables(few)
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.usefixtures("without_trial")
def test_the_same_seat_is_compared(tmp_path, capsys):
    words = ["--rotations", 4, "--workers", 1, "--seed", 6, "--walls", 8, "--time-limit", 3]
    base, other = tmp_path / "base.json", tmp_path / "other.json"
    assert run("random", "random:seed=1", *words, "--json", base) == 0
    assert run("random:seed=2", "random:seed=1", *words, "--json", other, "--compare", base) == 0
    first, second = read(base), read(other)
    assert second["comparison"]["name"] == "random" and "--time-limit 3 --compare" in second["config"]["command"]
    gained = sum(a[0] - b[0] for a, b in zip(second["wall_scores"], first["wall_scores"]))
    gained /= 8 * second["seats_per_wall"][0]
    assert second["comparison"]["score"]["mean"] == pytest.approx(gained, abs=1e-4)
    assert "random:seed=2 less random in the same seat at the same walls: " in capsys.readouterr().out
    assert run("random:seed=2", "random:seed=1", *words, "--seed", 7, "--compare", base) == 2
    assert run("random:seed=2", "random:seed=1", *words, "--until", 1000, "--compare", base) == 2
    assert run("random:seed=2", "random:seed=3", *words, "--compare", base) == 2
    assert run("random:seed=2", *["random:seed=1"] * 3, *words, "--compare", base) == 2
    capsys.readouterr()
    del first["wall_won"]
    base.write_text(json.dumps(first))
    assert run("random:seed=2", "random:seed=1", *words, "--json", tmp_path / "no.json", "--compare", base) == 2
    assert "expected a result that has the wins at each wall" in capsys.readouterr().err
    assert not list(tmp_path.glob("no*"))


def test_a_run_belongs_to_the_weights_that_played():
    """A tactic's default weights are no code, and a match went on with other weights."""
    names = {Path(path).name for path in list_player_files(["cnn", "search", "cnn:torch=0"])}
    assert names == {"cnn.npz"} == {Path(path).name for path in list_player_files(["cnn:data/weights/cnn.npz"])}


CODE = "UNIT = %d\n\n\ndef double(number):\n    return 2 * number * UNIT\n"


@pytest.mark.parametrize("changed, is_same", [
    ("# A comment.\n" + CODE % 1 + "# Another.\n", True),
    ('"""What the module is."""\n\n' + (CODE % 1).replace(":\n", ':\n    """A docstring."""\n'), True),
    (CODE % 2, False),
    ((CODE % 1).replace("2 * number", "number * 2"), False),
])
def test_a_match_goes_on_after_a_comment_but_not_after_another_constant(changed, is_same, tmp_path):
    """A comment in any shipped file broke the resume of all matches."""
    paths = [tmp_path / name / "code.py" for name in ("before", "after")]
    for path, text in zip(paths, (CODE % 1, changed)):
        path.parent.mkdir()
        path.write_text(text)
    before, after = (digest_code(["random"], path) for path in paths)
    assert (before == after) == is_same


def digest_code(specs, *rooms):
    """The digests of code and files in the fingerprint of a match of one player against another, or of two."""
    fingerprint = compute_fingerprint(make_match((specs * 2)[:2]), *rooms)
    return str((fingerprint["sources"], fingerprint["files"]))


def test_a_match_depends_on_the_files_of_its_players(tmp_path):
    """The code of all tactics counts, so that a change of one plays the matches of the others again too."""
    program = tmp_path / "bot"
    program.write_text("1")
    specs = ["random", "search", "cnn", "json:%s" % program]
    digests = [digest_code([spec]) for spec in specs]
    assert len(set(digests)) == 3 and digests[0] == digests[1] == digest_code(["random", "random:seed=2"])
    program.write_text("1  # by its bytes")
    assert digest_code(specs[3:]) != digests[3]


def test_a_changed_file_of_a_player_is_named(tmp_path):
    """The error said "sources fa02... -> f4e7...", and a word of more than 255 bytes in a command was a traceback."""
    fingerprints = []
    for name, body in (("before", "pass"), ("after", "x = 1")):
        own = tmp_path / name / "own.py"
        own.parent.mkdir()
        own.write_text("class OwnTactic(object):\n    %s" % body)
        specs = [str(own), "json:python3 -c '%s'" % ("x" * 300)]
        fingerprints.append(compute_fingerprint(make_match(specs, seed=0, rotations=4, time_limit=6))["files"])
    assert [list(files) for files in fingerprints] == [["own.py"]] * 2
    with pytest.raises(MahjongError, match=r"files.own.py \S+ -> "):
        check_settings(*({"files": files} for files in fingerprints), "a.json")


def test_an_unknown_player_is_told_before_anything_else(capsys):
    """First came a line that the referee plays the match."""
    assert main(["arena", "cnn", "cnn2"]) == 2
    assert re.match("arena: expected a tactic, one of .*, got 'cnn2'", capsys.readouterr().err)


@pytest.mark.usefixtures("without_trial")
def test_the_same_match_comes_out_of_its_folder_and_of_more_workers(tmp_path):
    """And more walls of the same match play only the new ones."""
    words = ["random", "random:seed=1", "--rotations", 4]
    results = []
    for name, walls, *more in (("a", 3), ("b", 3, "--workers", 2, "--referee"), ("a", 3), ("a", 4)):
        assert run(*words, "--workers", 1, "--walls", walls, "--json", tmp_path / name, *more) == 0
        results.append(read(tmp_path / name))
    assert without_clock(results[0]) == without_clock(results[1]) == without_clock(results[2])
    assert [result["measured"]["games_played"] for result in results] == [12, 12, 0, 4]


@pytest.mark.usefixtures("without_trial")
def test_one_against_three_until_a_verdict(tmp_path, capsys):
    """After a rule intervals were shown with a warning; only the corrected one is."""
    words = ["random", "random:seed=1", "random:seed=1", "random:seed=1", "--walls", 3, "--workers", 1]
    assert run(*words, "--json", tmp_path / "a.json", "--sprt=-1,1") == 0
    result = read(tmp_path / "a.json")
    assert [player["games"] for player in result["players"]] == [12, 36]
    printed = capsys.readouterr().out
    assert result["rule"]["verdict"] == "undecided" and "undecided" in printed
    assert "corrected for early stopping" in printed and "+-" not in printed
    assert "Other figures have no interval: stopping early biases them." in printed
    difference, = result["differences"]
    assert difference["score_low"] < difference["score_mean"] < difference["score_high"] and difference["method"]
    # The result of --until could not be written: numpy's False is not JSON's.
    path = str(tmp_path / "b.json")
    assert run(*words, "--until", "0.01", "--json", path, "--picture", path + ".png") == 0
    printed, result = capsys.readouterr().out, read(path)
    assert "wider than +-0.01" in printed and " .. " not in printed
    assert all(player["elo_low"] is None for player in result["players"])
    assert " .. " not in format_markdown_table([("b.json", result)]) and main(["arena", "ratings", path]) == 0
    assert " .. " not in capsys.readouterr().out


@pytest.mark.usefixtures("without_trial")
def test_a_match_on_one_wall(tmp_path, capsys):
    """The referee plays it, and its result goes together with none by other rules."""
    words = [*PAIR, "--rotations", 4, "--walls", 3, "--workers", 1, "--seed", 6]
    assert run(*words, "--rules", "tziakcha", "--json", tmp_path / "a.json") == 0
    result = read(tmp_path / "a.json")
    assert result["config"]["command"].endswith("--rotations 4 --rules tziakcha")
    assert result["match"]["settings"] == "tziakcha" and {sum(pair) for pair in result["wall_scores"]} == {0}
    assert run(*words, "--json", tmp_path / "b.json") == 0
    capsys.readouterr()
    assert main(["arena", "ratings", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 2
    assert "expected matches by the same rules" in capsys.readouterr().err


@pytest.mark.parametrize("words, message", [
    (["random", "randon"], "did you mean 'random'"),
    (["random", "random:sed=1"], "sed"),
    (["random"], "expected two players or four"),
    (["random", "json:no-such-program"], "expected a command that can be started"),
    (["random", "json:%s -c 1/0" % sys.executable], "expected a player that starts, got the verdict RE"),
    (["random"] * 3, "got 3"), (["random"] * 4, "expected different players"), ([], "arena: expected PLAYER; "),
    (PAIR + ["--walls", "0"], "--walls: expected 1 or more"),
    (PAIR + ["--until", "0"], "--until: expected a number above 0"),
    (PAIR + ["--json", "no-such-folder/a.json"], "expected a file in a folder that is there"),
    (PAIR + ["--seed", "-1"], "--seed: expected 0 or more"), (PAIR + ["--seed", MAX_SEED + 1], "expected a seed"),
    (PAIR + ["--workers", "1", "--ray", "localhost:1"], "ray"), (PAIR + ["--workers", "0"], "--workers: expected"),
    (PAIR + ["--rules", "riichi"], "--rules: expected one of botzone, tziakcha, got 'riichi'"),
    (PAIR + ["--picture", "a.txt"], "--picture: expected"),
    (PAIR + ["--rotations", "5"], "--rotations: expected one of 4, 24, got 5"),
    (PAIR + ["--sprt", "1"], "--sprt: expected"),
    (PAIR + ["--sprt", "0,1", "--until", "1"], "--until: expected no --sprt next to it"),
])
def test_bad_use_is_told_before_any_game(words, message, capsys, monkeypatch, request):
    if message == "ray":
        request.getfixturevalue("without_trial")
    monkeypatch.setattr("mj_bot.lab.arena.run_match.play_task", pytest.fail)
    assert run(*words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text, message", [
    ('{"format": "mj_bot arena result", "version": 0}', "the version 1"), ("{}", "expected a file with the format"),
    ("", "expected a result of the arena"),
    ('{"format": "mj_bot arena result", "version": 1, "match": {"players": ["x"]}}', "players [\"x\"] -> "),
])
def test_results_of_something_else_stay_as_they_are(tmp_path, capsys, text, message):
    path = tmp_path / "a.json"
    path.write_text(text)
    assert run("random", "random:seed=1", "--json", path) == 2
    assert message in capsys.readouterr().err and path.read_text() == text


@pytest.mark.usefixtures("without_trial")
def test_an_interrupted_match_goes_on_where_it_was(tmp_path):
    """Ctrl-C, then the same command: each wall is played once, and the result is that of an uninterrupted match."""
    folder = tmp_path / "a.json.run"
    words = ["random", "random:seed=1", "--rotations", "4", "--json"]
    command = [sys.executable, "-m", "mj_bot.lab", "arena", *words, str(tmp_path / "a.json"), "--referee", "--workers",
               "2", "--walls", "20000"]
    # Background processes of a shell ignore Ctrl-C, and so would processes of tests that run there.
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    deadline = time.monotonic() + 60
    while len(list(folder.glob("walls-*.gz"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "the same command goes on from there" in errors
    assert "Traceback" not in errors
    kept = len(list(folder.glob("walls-*.gz")))
    assert kept >= 2 and not (tmp_path / "a.json").exists()
    for name in ("a.json", "b.json"):
        assert run(*words, tmp_path / name, "--walls", 8, "--workers", 1) == 0
    result = read(tmp_path / "a.json")
    assert result["measured"]["games_played"] <= (8 - min(kept, 8) + 2) * 4
    assert without_clock(read(tmp_path / "b.json")) == without_clock(result)


@pytest.mark.slow
def test_a_kill_during_the_trial_of_the_players_leaves_no_process(tmp_path):
    """The process that tries the players waited for its next task for ever, and so did the bot that it had started."""
    bot = tmp_path / "bot.py"
    bot.write_text("import time; open(%r, 'w').close(); time.sleep(60)" % str(tmp_path / "started"))
    # All processes of the command have its outputs; the bot has stderr of its own.
    process = subprocess.Popen(
        [sys.executable, "-m", "mj_bot.lab", "arena", "json:%s -S -E %s" % (sys.executable, bot), "random", "--walls",
         "1", "--time-limit", "60"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 60
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=20)  # returns when the last one has ended
    assert process.returncode == -signal.SIGKILL
    assert list_running(bot) == []
