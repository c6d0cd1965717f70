"""Files that are written whole or not at all."""

import os

from ..mahjong.errors import MahjongError


def write_whole(path, text):
    """Writes a text file and moves it into place.

    Raises MahjongError: it cannot be written.
    """
    try:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".tmp", path)
    except OSError as error:
        raise MahjongError("expected a file that can be written, got %r: %s" % (path, error)) from None
