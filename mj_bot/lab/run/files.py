"""Files that are written whole or not at all, and files and folders that one process at a time works on."""

import contextlib
import errno
import json
import os
import shlex
import sys
import textwrap

from ...mahjong.errors import MahjongError, ProtocolError
from .options import STDOUT

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a full disk
_WIDTH = 120
_MOST_START = 16  # characters by which check_output knows the kind of a file
_MOST_HOLDER = 300  # characters of a lock file, for a line
# Characters of a file that is read whole; results and states have some millions at most.
_MOST_TEXT = 1 << 28


def write_whole(path, content):
    """Writes a file of text or bytes and moves it into place. Raises MahjongError: it cannot be written."""
    with open_whole(path, "wb") as file:
        # Names of files may have bytes that are not UTF-8: JSON reads them from the escape.
        file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)


@contextlib.contextmanager
def open_whole(path, mode="w"):
    """A context with a file to write, of bytes or of text in UTF-8, which is moved into place at the end.

    After an error the old file stays. The target of a link is written; pipes and devices are written directly.
    Raises MahjongError: it cannot be written.
    """
    place = os.path.realpath(path)
    if os.path.islink(place):
        raise MahjongError("expected a file that can be written, got %r: a loop of links" % str(path))
    is_file = os.path.isfile(place) or not os.path.exists(place)
    unfinished = "%s.tmp" % place if is_file else place
    try:
        with open(unfinished, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            if is_file:
                # Without this a crash of the machine may leave an empty file under the new name.
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


@contextlib.contextmanager
def expect_readable(what, error_class=ProtocolError):
    """A context that reads a file: OSError and ValueError become an error_class, "expected WHAT: ..."."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise error_class("expected %s: %s" % (what, getattr(error, "strerror", None) or error)) from None


def read_text(path):
    """The text of a file in UTF-8. Raises OSError, ValueError: it cannot be read, or is too long."""
    with open(path, encoding="utf-8") as file:
        return read_limited(file)


def read_limited(file, most=_MOST_TEXT):
    """All of an open file, text or bytes. Raises OSError, ValueError: it cannot be read, or is longer than `most`."""
    content = file.read(most + 1)
    if len(content) > most:
        raise ValueError("more than %d characters" % most)
    return content


def read_json(path):
    """The value of a JSON file. Raises OSError, ValueError: as read_text, or it is not JSON."""
    return parse_json(read_text(path))


def parse_json(text):
    """The value of a JSON text or of its bytes. Raises ValueError: not JSON, or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("brackets nested too deeply") from None


def format_json(value, **options):
    """The JSON text of a value. options: of json.dumps. Raises ProtocolError: a number in it is not finite."""
    try:
        return json.dumps(value, **{"ensure_ascii": False, "allow_nan": False, **options})
    except ValueError as error:
        raise ProtocolError("expected finite numbers in JSON: %s" % error) from None


def write_json(path, value, **options):
    """As write_whole, a value as JSON, an item a line; None is no file, "-" is stdout. options: of json.dumps.

    Raises MahjongError: as format_json.
    """
    if path:
        _write_or_print(path, format_json(value, **dict({"indent": 1}, **options)) + "\n")


def write_dict(path, data):
    """As write_json, a dict as JSON, a key a line; a list of dicts takes a line each, lists of lists are wrapped."""
    parts = []
    for key, value in data.items():
        text = format_json(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  %s\n ]" % ",\n  ".join(map(format_json, value))
        elif isinstance(value, list) and value and isinstance(value[0], list):
            items = ", ".join(format_json(item, separators=(",", ":")) for item in value)
            text = "[\n%s\n ]" % textwrap.fill(items, _WIDTH, initial_indent="  ", subsequent_indent="  ")
        parts.append(" %s: %s" % (format_json(key), text))
    _write_or_print(path, "{\n%s\n}\n" % ",\n".join(parts))


def _write_or_print(path, text):
    if path == STDOUT:
        print(end=text)
    else:
        write_whole(path, text)


def make_folder(path):
    """Makes a folder and its parents unless it exists. Raises MahjongError."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise MahjongError("expected a folder, got %r: %s" % (str(path), error)) from None


def check_output(path, starts=("{", "[")):
    """Raises MahjongError unless a file can be written. None is no file, and "-" is stdout.

    starts: a file that is replaced must be empty or begin with one of these texts, which are those of JSON.
    """
    if path in (None, "", STDOUT):
        return
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise MahjongError("expected a file in a folder that is there, got %r" % path)
    if os.path.isdir(path):
        raise MahjongError("expected a file, got the folder %r" % path)
    if os.path.isfile(path):
        with expect_readable("a file that can be replaced, got %r" % path, MahjongError), open(path, "rb+") as file:
            found = file.read(_MOST_START).decode("latin-1")
        if found and not found.startswith(starts):
            raise MahjongError("expected a new file or one of the same kind, which begins with %s, got %r" % (
                " or ".join(map(repr, starts)), path))
    place = os.path.realpath(path)  # open_whole writes a file next to it
    if (os.path.isfile(place) or not os.path.exists(place)) and not os.access(os.path.dirname(place), os.W_OK):
        raise MahjongError("expected a file in a folder that can be written, got %r" % path)


def open_alone(path, holder="another process"):
    """The file, open in mode "a+b" and locked against other processes until it is closed or this process ends.

    holder: the other process, for the error. Raises MahjongError: it is locked, or cannot be written.
    """
    from filelock import lock_descriptor  # not installed where people only review games

    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(open(path, "a+b"))
            if lock_descriptor(file.fileno(), blocking=False):
                stack.pop_all()
                return file
            reason = "%s uses it" % holder
        except OSError as error:
            reason = error
    raise MahjongError("expected a file that can be written, got %r: %s" % (str(path), reason))


def lock_new_folder(folder):
    """Makes a folder unless it exists, and locks it for this process until the returned file is closed.

    FOLDER/lock names the process. Raises MahjongError: another process has locked it, or it cannot be written.
    """
    make_folder(folder)
    path = os.path.join(folder, "lock")
    holder = ""
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        holder = file.read(_MOST_HOLDER)
    file = open_alone(path, holder or "another process")
    file.truncate(0)
    with contextlib.suppress(OSError):  # the lock works without the name
        file.write(("process %d (%s)" % (os.getpid(), shlex.join(sys.argv))).encode("utf-8", "replace"))
        file.flush()
    return file
