"""Files that are written whole or not at all, and folders that keep what they were begun with."""

import json
import os

from ...mahjong.errors import MahjongError


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


def begin_folder(folder, settings):
    """Makes the folder of a run, or goes on in one that was begun with the same settings, a dict for JSON.

    Raises MahjongError: it cannot be made, or was begun with others.
    """
    text = json.dumps(settings) + "\n"
    path = os.path.join(folder, "settings.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = file.read()
        if found != text:
            raise MahjongError("expected a new folder or one of the same settings, got %r of %s and %s" % (
                folder, found.strip(), text.strip()))
        return
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise MahjongError("expected a folder for the run, got %r: %s" % (folder, error)) from None
    write_whole(path, text)
