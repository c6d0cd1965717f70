"""The words of players in Chinese: nothing is missing, and what is translated keeps its values."""

import ast
import re
from pathlib import Path

import pytest

from mj_bot.lab import words
from mj_bot.lab.words import find_language, load_catalogue, translate

PACKAGE = Path(words.__file__).parents[2]
# What a player meets raises its errors in these files.
SPOKEN = ("lab/records/*.py", "lab/records/platforms/*.py", "lab/links/*.py", "lab/play/*.py", "lab/hand/*.py",
          "lab/review/*.py", "lab/run/command.py", "lab/run/files.py", "lab/table/board.py", "lab/table/walls.py",
          "lab/table/players.py", "lab/table/record.py", "lab/table/referee.py", "mahjong/action.py",
          "mahjong/request.py", "mahjong/state.py", "mahjong/tile.py")
FIELD = re.compile(r"%[-+.0-9]*[srdf]")


def list_texts(node):
    """Yields the texts of an error's argument: a literal, the left side of a %, or either side of a choice."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        node = node.left
    if isinstance(node, ast.IfExp):
        yield from list_texts(node.body)
        yield from list_texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def list_errors(path):
    """Yields the English texts of the errors that a file makes; texts of one word are names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
        if name.endswith("Error") or name in ("expect_readable", "_refuse"):
            for argument in node.args:
                yield from (text for text in list_texts(argument)
                            if " " in text and re.search("[a-z]", FIELD.sub("", text)))


def test_every_error_that_a_player_meets_is_translated():
    texts = {text for pattern in SPOKEN for path in PACKAGE.glob(pattern) for text in list_errors(path)}
    assert len(texts) > 100  # the reading above finds them
    assert not sorted(texts - set(load_catalogue()))


def test_every_translation_has_the_values_of_its_text():
    for english, chinese in load_catalogue().items():
        used = sorted({int(index) for index in re.findall(r"{(\d+)}", chinese)})
        assert used == list(range(len(FIELD.findall(english)))), english
        assert re.search("[\u4e00-\u9fff]", chinese), english


@pytest.mark.parametrize("text, chinese", [
    ("expected games, got none in a b.txt", "a b.txt 里没有对局"),
    # An error in an error, with a place behind it.
    ("seat 2, request 3: expected at most 4 copies of a tile, got a fifth W1",
     "座位 2，第 3 个请求：每种牌最多 4 张，却有第五张 W1"),
    ("expected a wall of 136 tiles, got 3", "牌墙应有 136 张，却有 3 张"),
    # A value that looks like a field of the Chinese text.
    ("expected games, got none in {0}%s", "{0}%s 里没有对局"),
    ("a sentence of nobody", "a sentence of nobody"),
])
def test_a_text_with_its_values(text, chinese):
    assert translate(text, "zh") == chinese
    assert translate(text, "en") == text


@pytest.mark.parametrize("command, environment, language", [
    ((), {}, "en"),
    ((), {"LANG": "zh_CN.UTF-8"}, "zh"),
    ((), {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
    ((), {"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ((), {"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
    (("hand", "--lang", "zh"), {"LANG": "en_US.UTF-8"}, "zh"),
    (("hand", "--lang=en"), {"LANG": "zh_CN.UTF-8"}, "en"),
])
def test_the_language_is_that_of_the_option_or_the_system(command, environment, language):
    assert find_language(command, environment) == language
