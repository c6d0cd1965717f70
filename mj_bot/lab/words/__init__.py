"""Shows errors and help texts in the player's language. The code has them in English, and zh.po in Chinese.

A text is translated where it is shown, by a command or a page: its template is looked up, and its values are put into
the Chinese. The code that raises an error knows nothing of this. zh.po is read as text: a clone and a wheel have the
same file, and no step makes another one from it.
"""

import argparse
import ast
import os
import pathlib
import re
from functools import lru_cache
from typing import Dict, Sequence

from ...mahjong.errors import Message

LANGUAGES = ("en", "zh")
_CATALOGUE = pathlib.Path(__file__).parent / "zh.po"
_ENTRY = re.compile(r"(msgid|msgstr) (\".*\")")
# What % puts into a text, as %s, %.80r or %+d; the last alternative is a percent sign.
_FIELD = re.compile(r"%[-+.0-9]*[srdfg]|%%")
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
_TILE = "(?:[WTB][1-9]|F[1-4]|J[1-3]|H[1-8])"
# A tile of Botzone's name in a text, or a value that names a tile in two notations, as "5p (B5)".
_TILES, _TILE_VALUE = re.compile(r"\b%s\b" % _TILE), re.compile(r"(?:\w+ \()?(%s)\)?" % _TILE)
_NAMES = re.compile(r"[\w:=-]+(?:(?:, | or )[\w:=-]+)+")
_SUITS = {"W": "万", "T": "条", "B": "饼"}
_HONOURS = {"F": "东南西北", "J": "中发白", "H": "春夏秋冬梅兰竹菊"}


def find_language(words: Sequence[str]) -> str:
    """Returns "zh" or "en", from --lang among the words of a command, else from the locale, as gettext finds it."""
    for index, word in enumerate(words):
        asked = word[len("--lang="):] if word.startswith("--lang=") else "".join(words[index + 1:index + 2])
        if (word == "--lang" or word.startswith("--lang=")) and asked in LANGUAGES:
            return asked
    locale = next(filter(None, map(os.environ.get, _LOCALES)), "")
    if locale.split(".")[0] not in ("", "C", "POSIX"):
        # The variable LANGUAGE counts only with a locale other than C and POSIX.
        locale = os.environ.get("LANGUAGE") or locale
    return "zh" if locale.startswith("zh") else "en"


@lru_cache(maxsize=None)
def load_catalogue() -> Dict[str, str]:
    """Returns {English template: Chinese text}. The English has fields as %s, the Chinese names them {0}, {1} in order.
    """
    texts = [ast.literal_eval(text) for _, text in _ENTRY.findall(_CATALOGUE.read_text(encoding="utf-8"))]
    return dict(zip(texts[::2], texts[1::2]))


def translate(text: object, language: str = "zh") -> str:
    """Returns a text in a language: the English where the language is English or the catalogue has no such template.

    text: a Message, an error, or a text without values. Values that are messages, errors, texts of the catalogue or
        names of tiles are translated in turn.

    >>> translate(Message("expected games, got none in %s", "a.txt"))
    'a.txt 里没有对局'
    >>> translate(Message("%s in request %d", Message("expected at most 4 copies of a tile, got a fifth %s", "B5"), 2))
    '第 2 个请求：每种牌最多 4 张，却有第五张 5饼'
    """
    if language != "zh":
        return str(text)
    if not isinstance(text, Message):
        return load_catalogue().get(str(text), str(text))
    chinese, values = load_catalogue().get(text.template), tuple(map(_translate_value, text.values))
    if chinese is None or not values:
        return str(Message(chinese or text.template, *values))
    fields = [field.group() for field in _FIELD.finditer(text.template) if field.group() != "%%"]
    return chinese.format(*(_name_value(field % (value,)) if field == "%s" else field % (value,)
                            for field, value in zip(fields, values)))


def _translate_value(value):
    """Returns a value of a Message, in Chinese where it is a message, an error, or a text of the catalogue."""
    if isinstance(value, Message):
        return translate(value)
    if isinstance(value, BaseException) and value.args and isinstance(value.args[0], Message):
        return translate(value.args[0])
    if isinstance(value, OSError) and value.strerror:
        return "：".join([translate(value.strerror), *map(str, filter(None, [value.filename]))])
    # Names of players and files have a single word more often than phrases of ours.
    return translate(value) if isinstance(value, BaseException) or isinstance(value, str) and " " in value else value


def _name_value(text):
    """Returns a text, with the Chinese name of the tile that it names, or the Chinese commas of a list of names."""
    tile = _TILE_VALUE.fullmatch(text)
    if tile:
        return _name_tile(tile.group(1))
    return text.replace(", ", "、").replace(" or ", "、") if _NAMES.fullmatch(text) else text


def _name_tile(name):
    letter, digit = name
    return digit + _SUITS[letter] if letter in _SUITS else _HONOURS[letter][int(digit) - 1]


def name_tiles(text: str) -> str:
    """Returns a text with Botzone's names of tiles as it is in English, and with names as 1万 in Chinese."""
    return text if _spoken[0] == "en" else _TILES.sub(lambda name: _name_tile(name.group()), text)


# Texts of argparse in the form of our own errors.
_ARGPARSE = {
    "the following arguments are required: %s": "expected %s; --help lists the options",
    "one of the arguments %s is required": "expected one of %s; --help lists the options",
    "unrecognized arguments: %s": "expected options of this command, got %s; --help lists them",
    "not allowed with argument %s": "expected no %s next to it",
}
# The language of this process: one name, which speak() sets.
_spoken = ["en"]


def speak(language: str) -> None:
    """Sets the language of this process, "en" or "zh"; argparse's own words follow it."""
    _spoken[:] = [language]
    argparse._ = _say_template
    argparse.ngettext = lambda one, several, count: _say_template(one if count == 1 else several)


def _say_template(text):
    """Returns a text of argparse, which puts the values into it."""
    return re.sub(r"{\d}", "%s", say(_ARGPARSE.get(text, text)))


def get_language() -> str:
    """Returns the language of this process, "en" or "zh"."""
    return _spoken[0]


def say(text: object, *values: object) -> str:
    """Returns a template with its values, or a Message, an error or another text, in the language of this process."""
    return translate(Message(text, *values) if values else text, _spoken[0])
