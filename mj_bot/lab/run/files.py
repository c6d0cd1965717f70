"""Files that are written whole or not at all, and folders that keep what they were begun with."""

import json
import os

from ...mahjong.errors import MahjongError


def write_whole(path, content):
    """Writes a file and moves it into place.

    content: text, or bytes.
    Raises MahjongError: it cannot be written.
    """
    unfinished = "%s.tmp" % path
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    except OSError as error:
        raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), error)) from None


def write_json(path, value, **options):
    """Writes a value as JSON, an item a line; as write_whole. options: of json.dumps."""
    write_whole(path, json.dumps(value, ensure_ascii=False, **dict({"indent": 1}, **options)) + "\n")


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
