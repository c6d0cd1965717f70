"""Files that are written whole or not at all, and files and folders that one process at a time works on."""

import contextlib
import errno
import json
import os
import shlex
import sys
import textwrap

from ...mahjong.errors import MahjongError

# Of an OSError: there is no room for more.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LOCK = "lock"
_SETTINGS = "settings.json"
_WIDTH = 120


def write_whole(path, content):
    """Writes a file and moves it into place.

    content: text, or bytes.
    Raises MahjongError: it cannot be written.
    """
    with open_whole(path, "wb") as file:
        # A file's name may have bytes that are no UTF-8: JSON reads them again from the escape.
        file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)


@contextlib.contextmanager
def open_whole(path, mode="w"):
    """A context with a file to write, of bytes or of text in UTF-8; it is moved into place if the block ends well.

    Otherwise what stands there stays, and nothing stands beside it. Where a link stands, the file that it leads to is
    written; pipes and devices take what comes.
    Raises MahjongError: it cannot be written.
    """
    place = os.path.realpath(path)
    is_file = os.path.isfile(place) or not os.path.exists(place)
    unfinished = "%s.tmp" % place if is_file else place
    try:
        with open(unfinished, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            if is_file:
                # Without this a crash of the machine may leave the new name on a file that is empty.
                os.fsync(file.fileno())
        if is_file:
            os.replace(unfinished, place)
    except BaseException as error:
        if is_file:
            with contextlib.suppress(OSError):
                os.remove(unfinished)
        if isinstance(error, OSError):
            raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), error)) from None
        raise


def read_json(path):
    """The value in a JSON file. Raises OSError, ValueError: it cannot be read, or is no JSON."""
    with open(path, encoding="utf-8") as file:
        return parse_json(file.read())


def parse_json(text):
    """The value of a JSON text or of its bytes. Raises ValueError: no JSON, brackets without an end too."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("brackets nested too deeply") from None


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
    """The file, open in mode "a+b"; until it is closed, or this process ends, no other process can open it so.

    holder: who has it open otherwise, for the error.
    Raises MahjongError: another process has it open, or it cannot be written.
    """
    from filelock import lock_descriptor  # of the workshop; who only reviews games can do without

    file = None
    try:
        file = open(path, "a+b")
        if lock_descriptor(file.fileno(), blocking=False):
            return file
        reason = "%s uses it" % holder
    except OSError as error:
        reason = error
    if file:
        file.close()
    raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), reason))


def lock_new_folder(folder):
    """Makes a folder where it is not there, and locks it for this process until the file that is returned is closed.

    FOLDER/lock says who has locked it.
    Raises MahjongError: another process has locked it, or it cannot be written.
    """
    make_folder(folder)
    path = os.path.join(folder, _LOCK)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            holder = file.read()
    except OSError:
        holder = ""
    file = open_alone(path, holder or "another process")
    file.truncate(0)
    with contextlib.suppress(OSError):  # without room for it the folder is locked no less
        file.write(("process %d (%s)" % (os.getpid(), shlex.join(sys.argv))).encode("utf-8", "replace"))
        file.flush()
    return file


def begin_folder(folder, settings):
    """Makes the folder of a run, or goes on in one that was begun with the same settings, a dict for JSON.

    Returns what lock_new_folder(folder) returns.
    Raises MahjongError: it cannot be made, was begun with others, or another process holds it.
    """
    lock = lock_new_folder(folder)
    text = json.dumps(settings) + "\n"
    path = os.path.join(folder, _SETTINGS)
    if not os.path.exists(path):
        write_whole(path, text)
        return lock
    with open(path, encoding="utf-8", errors="replace") as file:
        found = file.read()
    if found != text:
        lock.close()
        raise MahjongError("expected a new folder or one of the same settings, got %r of %s and %s" % (
            folder, found.strip(), text.strip()))
    return lock
