"""Stores fits in worth/fitted.json, which the bot reads, and in the cards of weight files."""

import os

from ...mahjong.errors import MahjongError
from ..run.files import check_output, expect_readable, read_json, write_json
from ..run.provenance import read_commit


def check_fits(path: str | None) -> None:
    """Checks that a fit can be stored in a file. None is no file.

    Raises MahjongError: the file cannot be written, or is no JSON of sections.
    """
    check_output(path)
    if path:
        _read_fits(path)


def store_fit(path: str | None, section: str, result: dict, *, command: str, seed: int) -> None:
    """Writes a fit into a section of a JSON file, with its command, seed and commit; other sections stay.

    path: of the file, which need not exist; None is no file. section: text. result: dict for JSON.
    Raises MahjongError: the file cannot be written, or is no JSON of sections.
    """
    if path:
        fit = dict(command=command, seed=seed, **read_commit(), **result)
        write_json(path, dict(_read_fits(path), **{section: fit}))


def _read_fits(path):
    if not os.path.exists(path) or not os.path.getsize(path):
        return {}
    with expect_readable("a JSON file of fits, got %r" % path, MahjongError):
        sections = read_json(path)
    if not isinstance(sections, dict):
        raise MahjongError("expected a JSON file with a dict of fits, got a %s in %r" % (
            type(sections).__name__, path))
    return sections
