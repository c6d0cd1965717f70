"""Shows errors and help texts in the player's language. The code has them in English, and zh.po in Chinese.

An English sentence is translated where it is shown, by a command or a page. The code that raises an error knows nothing
of this, so the shipped rooms do not either. zh.po is read as text: a clone and a wheel have the same file, and no step
makes another one from it.
"""

import argparse
import ast
import os
import pathlib
import re
from functools import lru_cache
from typing import Dict, Mapping, Optional, Sequence, Union

from ...trouble import replace_unprintable

LANGUAGES = ("en", "zh")
_CATALOGUE = pathlib.Path(__file__).parent / "zh.po"
_ENTRY = re.compile(r"(msgid|msgstr) (\".*\")")
# What % puts into a text, as %s, %.80r or %+d; the last alternative is a percent sign.
_FIELD = re.compile(r"%[-+.0-9]*([srdfg])|%%")
_VALUES = {"s": "(.*?)", "r": r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|.*?)""",
           "d": r"([-+]?\d+)", "f": r"([-+]?[\d.]+)", "g": r"([-+]?[\d.]+)"}
# A text of more characters is not translated: it is no sentence, and comparing it would take long.
_MOST_TEXT = 1 << 11
_MOST_NAME = 200
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
_TILE = "(?:[WTB][1-9]|F[1-4]|J[1-3]|H[1-8])"
# A tile of Botzone's name in a text, or a value that names a tile in two notations, as "5p (B5)".
_TILES, _TILE_VALUE = re.compile(r"\b%s\b" % _TILE), re.compile(r"(?:\w+ \()?(%s)\)?" % _TILE)
_SUITS = {"W": "万", "T": "条", "B": "饼"}
_HONOURS = {"F": "东南西北", "J": "中发白", "H": "春夏秋冬梅兰竹菊"}


def clean_text(text: str, most: int = _MOST_NAME) -> str:
    """Returns a text that is safe in terminals and files: U+FFFD replaces unprintable characters.

    most: number of characters after which the text is cut.

    >>> clean_text("\\x1b[31mred\\n")
    '\ufffd[31mred\ufffd'
    """
    if len(text) > most:
        text = text[:most - 3] + "..."
    return replace_unprintable(text)


def clean_lines(text: str) -> str:
    """Returns a text of several lines that is safe in terminals; tabs become spaces.

    >>> clean_lines("\\x1b[31mred\\n\\tline")
    '\ufffd[31mred\\n        line'
    """
    return "\n".join(replace_unprintable(line.expandtabs()) for line in text.splitlines())


def find_language(words: Sequence[str] = (), environment: Optional[Mapping[str, str]] = None) -> str:
    """Returns "zh" or "en", from --lang among the words of a command, else from the locale, as gettext finds it.

    environment: names and values, by default those of this process.
    """
    for index, word in enumerate(words):
        asked = word[len("--lang="):] if word.startswith("--lang=") else "".join(words[index + 1:index + 2])
        if (word == "--lang" or word.startswith("--lang=")) and asked in LANGUAGES:
            return asked
    environment = os.environ if environment is None else environment
    locale = next(filter(None, map(environment.get, _LOCALES)), "")
    if locale.split(".")[0] not in ("", "C", "POSIX"):
        # The variable LANGUAGE counts only with a locale other than C and POSIX.
        locale = environment.get("LANGUAGE") or locale
    return "zh" if locale.startswith("zh") else "en"


@lru_cache(maxsize=None)
def load_catalogue() -> Dict[str, str]:
    """Returns {English text: Chinese text}. The English has fields as %s, the Chinese names them {0}, {1} in order."""
    texts = [ast.literal_eval(text) for _, text in _ENTRY.findall(_CATALOGUE.read_text(encoding="utf-8"))]
    return dict(zip(texts[::2], texts[1::2]))


@lru_cache(maxsize=None)
def _list_patterns():
    """Returns (pattern of an English text, Chinese text) of the texts with fields, the longest text first."""
    patterns = []
    for english, chinese in load_catalogue().items():
        pieces, end = [], 0
        for field in _FIELD.finditer(english):
            pieces += [re.escape(english[end:field.start()]), _VALUES.get(field.group(1), "%")]
            end = field.end()
        if end:
            pattern = "".join([*pieces, re.escape(english[end:])])
            patterns.append((len(_FIELD.sub("", english)), re.compile(pattern, re.DOTALL), chinese))
    return [entry[1:] for entry in sorted(patterns, key=lambda entry: -entry[0])]


def translate(text: str, language: str = "zh") -> str:
    """Returns a text in a language: the text itself where the language is English or the catalogue has none like it.

    The values in the text are translated too: an error may contain the text of another one, or name a tile.

    >>> translate("expected games, got none in a.txt")
    'a.txt 里没有对局'
    >>> translate("expected at most 4 copies of a tile, got a fifth B5")
    '每种牌最多 4 张，却有第五张 5饼'
    """
    if language != "zh" or len(text) > _MOST_TEXT:
        return text
    chinese = load_catalogue().get(text)
    if chinese is not None:
        return chinese
    for pattern, chinese in _list_patterns():
        match = pattern.fullmatch(text)
        if match:
            return chinese.format(*map(_translate_value, match.groups()))
    return text


def _translate_value(value):
    tile = _TILE_VALUE.fullmatch(value)
    if tile:
        return _name_tile(tile.group(1))
    # Some errors quote words of ours.
    words = value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
    chinese = translate(words) if " " in words else words
    return value if chinese == words else chinese


def _name_tile(name):
    letter, digit = name
    return digit + _SUITS[letter] if letter in _SUITS else _HONOURS[letter][int(digit) - 1]


def name_tiles(text: str) -> str:
    """Returns a text with the tile names of the language of this process: Botzone's in English, as W1; else 1万.

    text: with Botzone's names.
    """
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


def say(text: Union[str, Exception]) -> str:
    """Returns a text, or the text of an error, in the language of this process."""
    return translate(str(text), _spoken[0])
