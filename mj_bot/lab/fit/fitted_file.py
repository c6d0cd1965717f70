"""Stores fits in worth/fitted.json, which the bot reads, and in the cards of weight files."""

import os

from ...mahjong.errors import MahjongError
from ..run.files import check_output, expect_readable, read_json, write_json
from ..run.provenance import read_commit
from .joint_value import check_verdict


def check_fits(path: str | None) -> None:
    """Checks that a fit can be stored in a file.

    path: JSON file, which need not exist; None for no file.
    Raises MahjongError: the file cannot be written, or it contains something else than a dict of fits.
    """
    check_output(path)
    if path:
        _read_fits(path)


def store_fit(path: str | None, section: str, result: dict, *, command: str, seed: int) -> None:
    """Writes a fit into a section of a JSON file, with its command, seed and commit. Other sections stay as they are.

    path: JSON file, which need not exist; None writes nothing. section: key of the fit. result: dict for JSON.
    command: command that repeats the fit. seed: seed of its first wall.
    Raises MahjongError: the file cannot be written, it contains something else than a dict of fits, or the weights of a
        verdict have no sum above 0. ProtocolError: a number is not finite.
    """
    if path:
        if section.startswith("verdict "):
            check_verdict(result)
        fit = dict(command=command, seed=seed, **read_commit(), **result)
        write_json(path, dict(_read_fits(path), **{section: fit}))


def _read_fits(path):
    """Returns the fits in a file, {section: dict}. A file that does not exist, or is empty, has none."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return {}
    with expect_readable("a JSON file of fits, got %r", path, error_class=MahjongError):
        sections = read_json(path)
    if not isinstance(sections, dict):
        raise MahjongError("expected a JSON file with a dict of fits, got a %s in %r", type(sections).__name__, path)
    return sections
