"""The words of players in Chinese: nothing is missing, and what is translated keeps its values."""

import ast
import builtins
import importlib
import re
from pathlib import Path

import pytest

from mj_bot import COMPILING_TEXT
from mj_bot.lab import __main__ as lab
from mj_bot.lab import words
from mj_bot.lab.links import web
from mj_bot.lab.run.examples import list_examples
from mj_bot.lab.run.installation import adapt_example
from mj_bot.lab.run.options import Parser
from mj_bot.lab.table import board
from mj_bot.lab.words import find_language, load_catalogue, translate
from mj_bot.mahjong.errors import Message

PACKAGE = Path(words.__file__).parents[2]
# What a player meets raises its errors in these rooms and files.
SPOKEN = [path for room in ("records", "links", "play", "hand", "review", "library")
          for path in (PACKAGE / "lab" / room).rglob("*.py")]
SPOKEN += [PACKAGE / name for name in (
    "lab/run/command.py", "lab/run/files.py", "lab/run/options.py", "lab/run/progress.py", "lab/run/installation.py",
    "lab/__main__.py", "lab/table/board.py", "lab/table/walls.py", "lab/table/players.py", "lab/table/record.py",
    "lab/table/game_referee.py", "lab/guangdong/guangdong_rules.py", "lab/guangdong/guangdong_players.py",
    "lab/guangdong/seat.py", "tactic/__init__.py", "mahjong/action.py", "mahjong/request.py", "mahjong/seat_view.py",
    "mahjong/state.py", "mahjong/tile.py", *("lab/commands/%s.py" % command for command in lab.PLAYER_COMMANDS))]
FIELD = re.compile(r"%[-+.0-9]*[srdfgx]|%%")


def list_calls(path):
    """Yields (node, template or texts of its choices, values) of each error, Message and say() of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
        arguments = node.args[2:] if name in ("TacticError", "_require") else getattr(node, "args", ())
        if arguments and (name.endswith("Error") and not hasattr(builtins, name)
                          or name in ("Message", "say", "note", "expect_readable", "fail", "expect", "_require")):
            yield node, list(list_texts(arguments[0])), [] if name in ("fail", "expect") else arguments[1:]


def list_texts(node):
    """Yields a literal, or either side of a choice."""
    if isinstance(node, ast.IfExp):
        yield from list_texts(node.body)
        yield from list_texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def test_every_text_that_a_player_meets_is_translated():
    """Texts of one word are names; those of our own errors count, and what the commands print."""
    texts = {"expected %s: %%s" % text if node.func and "expect_readable" in ast.dump(node.func) else text
             for path in SPOKEN for node, texts, _ in list_calls(path) for text in texts
             if " " in text.strip() and re.search("[a-z]{2}", FIELD.sub("", text))}
    assert len(texts) > 300  # the reading above finds them
    assert not sorted(texts - set(load_catalogue()))


def test_every_template_has_a_value_for_each_field():
    """A record stood where a value belonged: str() of the error failed, and the page of the broken log with it."""
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        for node, texts, values in list_calls(path):
            if isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Mod):
                wrong.append("%s:%d formats before it translates" % (path, node.lineno))
            if not any(isinstance(value, ast.Starred) for value in values):
                wrong += ["%s:%d" % (path, node.lineno) for text in texts if values or FIELD.search(text)
                          if len([field for field in FIELD.findall(text) if field != "%%"]) != len(values)]
    assert not wrong


def test_the_list_of_commands_the_examples_and_the_verdicts_are_translated():
    texts = {text for command in lab.COMMANDS.values() for text in (command.group, command.help)}
    texts |= {template for _, template in web._REFUSALS.values()}
    texts |= set(map(board.name_verdict, "HU HUANG WA WH TLE MLE OLE RE NJ ERR".split()))
    texts |= {adapt_example(example, is_clone).partition("# ")[2] for command in lab.PLAYER_COMMANDS
              for example in list_examples(command) for is_clone in (True, False)} - {""}
    assert len(texts) > 30
    texts.add(COMPILING_TEXT)
    assert not sorted(texts - set(load_catalogue()))


def test_a_game_in_the_terminal_has_one_notation(capsys):
    """Tiles of the Chinese table were W1, T1 and B1, next to 1万 of `hand`; the rivers had an English heading."""
    assert lab.main(["referee", "--lang", "zh", "--seed", "3", "--board", "full", *["random"] * 4]) == 0
    told = capsys.readouterr().out
    assert "牌河" in told and "万" in told and "打 白" in told
    assert not set(re.findall("[A-Za-z]+[0-9]*", told)) - {"random", "MB", "OK"}
    assert "5饼" in translate(Message("expected at most 4 copies of a tile, got a fifth %s", "5p (B5)"))
    assert lab.main(["--lang", "zh", "--help"]) == 0
    assert not re.findall("(?m)^  [a-z]+ .*[a-z]{3,} [a-z]{3,}", capsys.readouterr().out)


def test_every_translation_has_the_values_of_its_text():
    for english, chinese in load_catalogue().items():
        used = sorted({int(index) for index in re.findall(r"{(\d+)}", chinese)})
        assert used == list(range(len([field for field in FIELD.findall(english) if field != "%%"]))), english
        assert re.search("[\u4e00-\u9fff：；。（]", chinese), english


@pytest.mark.parametrize("message, chinese", [
    (Message("expected games, got none in %s", "a b.txt"), "a b.txt 里没有对局"),
    # An error in an error, with a place behind it.
    (Message("seat %d, %s", 2, Message("request %d: expected at most 4 copies of a tile, got a fifth %s", 3, "W1")),
     "座位 2，第 3 个请求：每种牌最多 4 张，却有第五张 1万"),
    (Message("expected a wall of %d tiles, got %d%s", 136, 3, ""), "牌墙应有 136 张，却有 3 张"),
    # A value that looks like a field of the Chinese text.
    (Message("expected games, got none in %s", "{0}%s"), "{0}%s 里没有对局"),
    # A reason of the system's, and an error around a message.
    (Message("expected %s: %s", "a.txt", FileNotFoundError(2, "No such file or directory", "a.txt")),
     "expected a.txt: 没有这个文件：a.txt"),
    (ValueError(Message("more than %d characters", 3)), "more than 3 characters"),
    (Message("expected JSON, got %.80r: %s", "x", ValueError(Message("the number %s", "NaN"))),
     "应为 JSON，却是 'x'：数 NaN"),
    # What a request had to be was formatted before it was looked up, so it stayed English.
    (Message("request %d: expected %s, got %.80r", 2, Message("no claim of seat %d here", 2), "3 2 CHI W2 B3"),
     "第 2 个请求：应为 座位 2 此时不吃碰杠，却是 '3 2 CHI W2 B3'"),
    # A value of several parts was taken for the values of several fields, and raised.
    (Message("expected %s, got %.80r %s", "x", ("W1", 10), "here"), "here：应为x，却是 ('W1', 10)"),
    # The names of a list stood apart by English commas.
    (Message("expected rules, one of %s, got %.40r", "botzone, tziakcha", "a, b"),
     "规则应为 botzone、tziakcha 之一，却是 'a, b'"),
    ("a sentence of nobody", "a sentence of nobody"),
])
def test_a_text_with_its_values(message, chinese):
    assert translate(message, "zh") == chinese
    assert translate(message, "en") == str(message)


@pytest.mark.parametrize("command, environment, language", [
    ((), {}, "en"),
    ((), {"LANG": "zh_CN.UTF-8"}, "zh"),
    ((), {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
    ((), {"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ((), {"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
    (("hand", "--lang", "zh"), {"LANG": "en_US.UTF-8"}, "zh"),
    (("hand", "--lang=en"), {"LANG": "zh_CN.UTF-8"}, "en"),
])
def test_the_language_is_that_of_the_option_or_the_system(command, environment, language, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert find_language(command) == language


def list_parsers(parser):
    """Yields a parser and its actions' parsers."""
    yield parser
    for action in parser._actions:
        for inner in action.choices.values() if isinstance(action.choices, dict) else ():
            yield from list_parsers(inner)


@pytest.mark.parametrize("command", lab.PLAYER_COMMANDS)
def test_the_helps_of_players_are_translated(command, monkeypatch):
    parsers = []

    def keep(self, *arguments):
        parsers.append(self)
        raise SystemExit

    monkeypatch.setattr(Parser, "parse_args", keep)
    words.speak("zh")
    try:
        with pytest.raises(SystemExit):
            importlib.import_module("mj_bot.lab.commands." + command).main([])
        told = " ".join(" ".join(parser.format_help() for parser in list_parsers(parsers[0])).split())
    finally:
        words.speak("en")
    assert len(re.findall("[\u4e00-\u9fff]", told)) > 100
    assert not re.findall(r"(?:\b[a-z]{2,} ){2}[a-z]{2,}\b", re.sub("mj-bot [a-z ]+", "", told))


def test_a_whole_help_and_the_errors_of_options(capsys):
    with pytest.raises(SystemExit):
        lab.main(["review", "--lang", "zh", "--help"])
    told = capsys.readouterr().out
    assert told.startswith("用法：") and "选项:" in told.replace("：", ":") and "例子：" in told
    with pytest.raises(SystemExit):
        lab.main(["review", "--lang", "zh"])
    assert capsys.readouterr().err == "review: 缺少 PATH；--help 列出选项\n"


@pytest.mark.parametrize("hand", [
    "123m456s789pEE55s5p", "123m456s789pEE555p",
    "[123m,1]456m789m123mE", "123m456m789m123sEE|EE1000|2", "19m19s19pESWNCFPP"])
def test_a_hand_in_chinese(hand, capsys):
    """Every word of the answer is Chinese; names of tactics and of tiles are not words."""
    assert lab.main(["hand", "--lang", "zh", hand]) == 0
    told = capsys.readouterr().out.replace(hand, "")
    assert not set(re.findall("[a-z]{3,}", told)) - {"search", "salasasa", "Botzone"}
    assert lab.main(["hand", hand]) == 0
    assert " round, East seat" in capsys.readouterr().out, "the next command speaks English"


def test_errors_in_the_terminal(capsys, tmp_path):
    assert lab.main(["review", "--lang", "zh", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.startswith("review: 应为文件、文件夹或链接，没有")
    assert lab.main(["hand", "--lang=zh", "1q"]) == 2
    assert capsys.readouterr().err.startswith("hand: 第 2 个字")
