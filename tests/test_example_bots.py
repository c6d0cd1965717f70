"""The outside bots of examples/bots/ speak Botzone's protocol: both interactions, started each turn or kept running."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.lab.upload.pyz import PROJECT_FOLDER

BOTS = Path(PROJECT_FOLDER, "examples", "bots")


def build_bot(name, folder, is_kept):
    """Returns the command of a bot of examples/bots, built in a folder. Skips without its compiler."""
    text = (BOTS / name).read_text(encoding="utf-8")
    former, setting = ("KEEP_RUNNING = False", "KEEP_RUNNING = True") if name.endswith(".py") else (
        "KEEP_RUNNING = false", "KEEP_RUNNING = true")
    assert former in text
    path = folder / name
    path.write_text(text.replace(former, setting) if is_kept else text, encoding="utf-8")
    if name.endswith(".py"):
        return "%s -S %s" % (sys.executable, path)
    compiler = {"bot.cpp": "g++", "Main.java": "javac"}[name]
    if not shutil.which(compiler):
        pytest.skip("no %s found: %s is not tried" % (compiler, name))
    if compiler == "javac":
        subprocess.run(["javac", str(path)], check=True)
        return "java -XX:TieredStopAtLevel=1 -cp %s Main" % folder
    subprocess.run(["g++", "-o", str(folder / "bot"), str(path)], check=True)
    return str(folder / "bot")


@pytest.mark.parametrize("name, is_kept", [
    ("simplified_bot.py", True), ("json_bot.py", True), ("bot.cpp", True), ("Main.java", False),
    *(pytest.param(*bot, marks=pytest.mark.slow) for bot in (
        ("simplified_bot.py", False), ("json_bot.py", False), ("bot.cpp", False), ("Main.java", True)))])
def test_a_bot_answers_turn_after_turn(tmp_path, name, is_kept):
    player = make_player("%s%s:%s" % ("json" if "json" in name else "simplified", "-keep" * is_kept,
                                      build_bot(name, tmp_path, is_kept)), 30)
    player.begin()
    requests = ["0 0 3", "1 0 0 0 0 " + " ".join(["W1"] * 13), "2 T6", "3 1 PLAY F2", "2 J3"]
    answers = [player.respond(request) for request in requests]
    player.end()
    assert [(answer.response, answer.verdict) for answer in answers] == [
        (response, "OK") for response in ("PASS", "PASS", "PLAY T6", "PASS", "PLAY J3")]


def test_a_whole_game_of_kept_bots(tmp_path):
    bots = [("simplified_bot.py", "simplified-keep"), ("json_bot.py", "json-keep")]
    players = [make_player("%s:%s" % (protocol, build_bot(name, tmp_path, True)), 30) for name, protocol in bots * 2]
    assert play_game(players, wall_from_seed(3), 0).closing["action"] == "HUANG"
