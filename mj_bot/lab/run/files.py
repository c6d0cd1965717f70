"""Files that are written whole or not at all, and files and folders that one process at a time works on."""

import fcntl
import json
import os
import shlex
import sys
import textwrap

from ...mahjong.errors import MahjongError

_LOCK = "lock"
_SETTINGS = "settings.json"
_WIDTH = 120


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


def write_dict(path, data):
    """Writes a dict as JSON, a key a line; as write_whole.

    Of a list of dicts each takes a line; a list of lists is filled to the width of a line.
    """
    parts = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  %s\n ]" % ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
        elif isinstance(value, list) and value and isinstance(value[0], list):
            items = ", ".join(json.dumps(item, separators=(",", ":")) for item in value)
            text = "[\n%s\n ]" % textwrap.fill(items, _WIDTH, initial_indent="  ", subsequent_indent="  ")
        parts.append(" %s: %s" % (json.dumps(key), text))
    write_whole(path, "{\n%s\n}\n" % ",\n".join(parts))


def make_folder(path):
    """Makes a folder, and those above it, where it is not there yet.

    Raises MahjongError: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise MahjongError("expected a folder, got %r: %s" % (str(path), error)) from None


def check_folder_of(path):
    """Refuses the path of a file whose folder does not exist.

    Raises MahjongError.
    """
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise MahjongError("expected a file in a folder that is there, got %r" % path)


def open_alone(path, holder="another process"):
    """The file, open in mode "a+b"; until it is closed no other process can open it so.

    holder: who has it open otherwise, for the error.
    Raises MahjongError: another process has it open, or it cannot be written.
    """
    file = None
    try:
        file = open(path, "a+b")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if file:
            file.close()
        reason = "%s uses it" % holder if isinstance(error, BlockingIOError) else error
        raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), reason)) from None
    return file


def hold(folder):
    """Holds a folder for this process until the file that is returned is closed; FOLDER/lock says who holds it.

    Raises MahjongError: another process holds it, or it cannot be written.
    """
    path = os.path.join(folder, _LOCK)
    try:
        with open(path, encoding="utf-8") as file:
            holder = file.read()
    except OSError:
        holder = ""
    file = open_alone(path, holder or "another process")
    file.truncate(0)
    file.write(("process %d (%s)" % (os.getpid(), shlex.join(sys.argv))).encode("utf-8"))
    file.flush()
    return file


def begin_folder(folder, settings):
    """Makes the folder of a run, or goes on in one that was begun with the same settings, a dict for JSON.

    Returns what hold(folder) returns.
    Raises MahjongError: it cannot be made, was begun with others, or another process holds it.
    """
    make_folder(folder)
    lock = hold(folder)
    text = json.dumps(settings) + "\n"
    path = os.path.join(folder, _SETTINGS)
    if not os.path.exists(path):
        write_whole(path, text)
        return lock
    with open(path, encoding="utf-8") as file:
        found = file.read()
    if found != text:
        lock.close()
        raise MahjongError("expected a new folder or one of the same settings, got %r of %s and %s" % (
            folder, found.strip(), text.strip()))
    return lock
