"""Rewrites tiles that other programs write with other letters, or with the suit first, in the letters of letters.py.

A text is rewritten only if all of it is of one dialect. Every piece keeps its length, so that positions in messages of
errors stay those of the text.
"""

import re

_WINDS, _DRAGONS = "ESWN", "CFP"
_ENGLISH, _PINYIN = dict(zip("CDB", "mps")), dict(zip("WTB", "msp"))
_CHINESE = dict(zip("MSPZ万萬饼餅筒条條索", "mspzmmpppsss"))
_HONOURS = "东東南西北中发發白"
# What stands between tiles: blanks, brackets of melds with their claims, and the bars between seats.
_BETWEEN = re.compile(r"(?:[\s,/\[\]]|,\s*[1-7]\s*(?=\]))*")


def _compile_suits(suits, is_first=False):
    """Returns (piece, function that rewrites it) of ranks with the letters of suits, before the ranks or after them."""
    letters = "([%s])" % "".join(suits)
    return re.compile(letters + "([0-9]+)" if is_first else "([0-9]+)" + letters, re.IGNORECASE), (
        lambda match: match.group(2) + suits[match.group(1).upper()] if is_first else
        match.group(1) + suits[match.group(2).upper()])


def _write_honour(match):
    """Writes WE and DR as a blank and the letter, and winds and dragons by numbers, w111 and r11, as letters."""
    kind, which = match.group(1).upper(), match.group(2).upper()
    if which.isdigit():
        return " " + "".join((_WINDS if kind == "W" else _DRAGONS)[int(digit) - 1] for digit in which)
    return " " + (which if kind == "W" else {"R": "C", "G": "F", "W": "P"}[which])


def _keep(letters):
    """Returns (piece, function that returns it) of letters that are ours already."""
    return re.compile(letters, re.IGNORECASE), lambda match: match.group()


_ENGLISH_HONOURS = (re.compile("(W)([ESWN]|[1-4]+)", re.IGNORECASE), _write_honour), (
    re.compile("(D)([RGW])", re.IGNORECASE), _write_honour), (re.compile("(R)([1-3]+)", re.IGNORECASE), _write_honour)
# (what a text of the dialect has, its pieces)
_DIALECTS = (
    # C1 D4 B7 WE DR, c123d456b789w111r11: characters, dots, bamboos, winds, dragons
    (re.compile("[CD][1-9]", re.IGNORECASE), (_compile_suits(_ENGLISH, is_first=True), *_ENGLISH_HONOURS)),
    # 1c4d7bwedr
    (re.compile("[1-9][CD]", re.IGNORECASE), (_compile_suits(_ENGLISH), *_ENGLISH_HONOURS)),
    # 123w456t789b: wan, tiao, bing
    (re.compile("[1-9][WTB]", re.IGNORECASE),
     (_compile_suits(_PINYIN), _keep("[0-9]+z"), _keep("[%sESNCFP]" % _HONOURS))),
    # m123p456s789z11, M1M2M3Z1, 万123条456
    (re.compile("[%s][0-9]" % "".join(_CHINESE), re.IGNORECASE),
     (_compile_suits(_CHINESE, is_first=True), _keep("[%sEWNCF]" % _HONOURS))),
)


def write_our_letters(text: str) -> str:
    """Returns a text of tiles in the letters of letters.py, the text itself where it is of no dialect or of several.

    >>> write_our_letters("C1 C2 C3 WE DR"), write_our_letters("[m123,1]z77"), write_our_letters("123w4t")
    ('1m 2m 3m  E  C', '[123m,1]77z', '123m4s')
    """
    for mark, pieces in _DIALECTS:
        rest = text
        for piece, _ in pieces:
            rest = piece.sub(lambda match: " " * len(match.group()), rest)
        if mark.search(text) and _BETWEEN.fullmatch(rest):
            for piece, write in pieces:
                text = piece.sub(write, text)
            return text
    return text
