"""Builds the pages of the library on play's server: its list, and the answer to an address that is no more."""

import pathlib
from typing import Any

from ..page import build_document
from .queries import list_games, list_players
from .store import Library

# Files with what the pages of this room say.
LIBRARY_WORDS = ("words.en.js", "words.zh.js")
_FOLDER = pathlib.Path(__file__).parent
_GAMES_PER_PAGE, _MOST_PLAYERS = 100, 60


def build_library_page(library: Library, after: int = 0, base: str = "") -> str:
    """Returns the list of the games as HTML. after: how many of the latest to leave out. base: the server's address."""
    return _build(library.count_games(), list_games(library, most=_GAMES_PER_PAGE, after=after), list_players(
        library, most=_MOST_PLAYERS), after=after, base=base, isGone=False, reason="")


def build_gone_page(base: str, reason: str = "") -> str:
    """Returns the page for an address of no game or player as HTML. reason: a sentence for the reader, or ""."""
    return _build(0, [], [], after=0, base=base, isGone=True, reason=reason)


def _build(count: int, games: list[dict], players: list[dict], **more: Any) -> str:
    """Returns the page library.html. more: further values of its data."""
    data = dict(more, count=count, games=games, players=players, most=_GAMES_PER_PAGE)
    return build_document("library", _FOLDER, "mj_bot", data, scripts=(*LIBRARY_WORDS, "library.js"))
