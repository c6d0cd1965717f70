"""Writes files whole or not at all, and locks files and folders for one process at a time."""

import contextlib
import errno
import itertools
import json
import os
import shlex
import shutil
import stat
import sys
import textwrap
from collections.abc import Iterator
from typing import IO, Any

from ...mahjong.errors import MahjongError, Message, ProtocolError
from .options import STDOUT

# A path of a file or folder.
PathLike = str | os.PathLike
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a full disk
_WIDTH = 120
_WRITERS = itertools.count()  # one number for each file that this process writes
_MOST_START = 400  # bytes at the beginning of a file by which check_output recognises it
_MOST_HOLDER = 300  # most characters of a lock file in an error
# Most characters of a file that is read whole; results and states have some millions.
_MOST_TEXT = 1 << 28


def write_whole(path: PathLike, content: str | bytes) -> None:
    """Writes a file next to its target, and moves it into place. Raises MahjongError: it cannot be written."""
    with open_whole(path, "wb") as file:
        # Names of files may have bytes that are not UTF-8. They are written as escapes, which JSON reads.
        file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)


@contextlib.contextmanager
def open_whole(path: PathLike, mode: str = "w") -> Iterator[IO]:
    """Makes a context with a new file to write, which is moved into place at the end.

    path: the file. The target of a link is written; pipes and devices are written directly.
    mode: "w" for text in UTF-8, "wb" for bytes.
    After an error the old file stays. Raises MahjongError: the file cannot be written.
    """
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise MahjongError("expected a file that can be written, got %r: a loop of links", str(path))
    is_file = os.path.isfile(target) or not os.path.exists(target)
    # No other writer of this file has this path, in this process or another.
    unfinished = "%s.%d-%d.tmp" % (target, os.getpid(), next(_WRITERS)) if is_file else target
    try:
        with open(unfinished, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            if is_file:
                # Without this a crash of the machine may leave an empty file under the new name.
                os.fsync(file.fileno())
        if is_file:
            _move(unfinished, target)
    except BaseException as error:
        if is_file:
            with contextlib.suppress(OSError):
                os.remove(unfinished)
        if isinstance(error, OSError):
            raise MahjongError("expected a file that can be written, got %r: %s", str(path), error) from None
        raise


def _move(unfinished, target):
    """Replaces a file. Its mode stays, and so do its other names, if it has hard links."""
    if not os.path.exists(target):
        os.replace(unfinished, target)
        return
    status = os.stat(target)
    if status.st_nlink > 1:
        shutil.copyfile(unfinished, target)
        os.remove(unfinished)
    else:
        os.chmod(unfinished, stat.S_IMODE(status.st_mode))
        os.replace(unfinished, target)


@contextlib.contextmanager
def expect_readable(
        what: str, *values: object, error_class: type[MahjongError] = ProtocolError) -> Iterator[None]:
    """Makes a context in which an OSError or ValueError becomes an error of one line: "expected WHAT: ...".

    what: template of what is read, for the line, and its values. error_class: class of the error that is raised.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        raise error_class("expected %s: %%s" % what, *values, getattr(error, "strerror", None) or error) from None


def read_text(path: PathLike) -> str:
    """Returns the text of a file in UTF-8. Raises OSError, ValueError: it cannot be read, or is too long."""
    with open(path, encoding="utf-8") as file:
        return read_limited(file)


def read_limited(file: IO) -> Any:
    """Returns all of an open file, text or bytes. Raises OSError, ValueError: it cannot be read, or is too long."""
    content = file.read(_MOST_TEXT + 1)
    if len(content) > _MOST_TEXT:
        raise ValueError(Message("more than %d characters", _MOST_TEXT))
    return content


def read_json(path: PathLike) -> Any:
    """Returns the value of a JSON file. Raises OSError, ValueError: it cannot be read, is too long, or is not JSON."""
    return parse_json(read_text(path))


def parse_json(text: str | bytes) -> Any:
    """Returns the value of a JSON text of our own. Raises ValueError: it is not JSON, or nested too deeply.

    What others wrote is read by records/shapes.py, which limits numbers and names the place of an error.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("brackets nested too deeply") from None


def format_json(value: Any, **options: Any) -> str:
    """Returns the JSON text of a value. options: more arguments of json.dumps.

    Raises ProtocolError: a number in the value is not finite.
    """
    try:
        return json.dumps(value, **{"ensure_ascii": False, "allow_nan": False, **options})
    except ValueError as error:
        raise ProtocolError("expected finite numbers in JSON: %s", error) from None


def write_json(path: PathLike | None, value: Any, **options: Any) -> None:
    """Writes a value as JSON, one item per line: to a path, to stdout for "-", nowhere for None."""
    if path:
        _write_or_print(path, format_json(value, **dict({"indent": 1}, **options)) + "\n")


def write_dict(path: PathLike, data: dict) -> None:
    """Writes a dict as JSON, with one key per line. A list of dicts takes a line per dict, a list of lists is wrapped.

    path: the file; "-" prints on stdout.
    Raises MahjongError: the file cannot be written. ProtocolError: a number in the dict is not finite.
    """
    lines = []
    for key, value in data.items():
        text = format_json(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  %s\n ]" % ",\n  ".join(map(format_json, value))
        elif isinstance(value, list) and value and isinstance(value[0], list):
            items = ", ".join(format_json(item, separators=(",", ":")) for item in value)
            text = "[\n%s\n ]" % textwrap.fill(items, _WIDTH, initial_indent="  ", subsequent_indent="  ")
        lines.append(" %s: %s" % (format_json(key), text))
    _write_or_print(path, "{\n%s\n}\n" % ",\n".join(lines))


def _write_or_print(path, text):
    """Writes a text to a file, or prints it if the path is "-"."""
    if path == STDOUT:
        print(end=text)
    else:
        write_whole(path, text)


def make_folder(path: PathLike) -> None:
    """Makes a folder and its parents unless it exists. Raises MahjongError: that is impossible."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise MahjongError("expected a folder, got %r: %s", str(path), error) from None


def check_output(path: str | None, starts: tuple[str, ...] = ("{", "[")) -> None:
    """Raises MahjongError: a file cannot be written, or another sort of file would be replaced.

    path: the file; None means no file, and "-" means stdout.
    starts: a file that is replaced must be empty or begin with one of these texts, a character a byte. The default
        texts are those of JSON.
    """
    if path in (None, "", STDOUT):
        return
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise MahjongError("expected a file in a folder that is there, got %r", path)
    if os.path.isdir(path):
        raise MahjongError("expected a file, got the folder %r", path)
    if os.path.isfile(path):
        with expect_readable("a file that can be replaced, got %r", path, error_class=MahjongError):
            with open(path, "rb+") as file:
                start = file.read(_MOST_START).decode("latin-1")
        if start and not start.startswith(starts):
            raise MahjongError("expected a new file or one of the same kind, which begins with %s, got %r",
                               " or ".join(map(repr, starts)), path)
    target = os.path.realpath(path)  # open_whole writes a file next to it
    if (os.path.isfile(target) or not os.path.exists(target)) and not os.access(os.path.dirname(target), os.W_OK):
        raise MahjongError("expected a file in a folder that can be written, got %r", path)


def open_alone(path: PathLike, holder: str = "another process") -> IO:
    """Returns a file, open in mode "a+b" and locked against other processes until it is closed or this process ends.

    holder: name of the other process, for the error. Raises MahjongError: the file is locked, or cannot be written.
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
    raise MahjongError("expected a file that can be written, got %r: %s", str(path), reason)


def lock_new_folder(folder: PathLike) -> IO:
    """Makes a folder unless it exists, and locks it for this process until the returned file is closed.

    The file FOLDER/lock names the process. Raises MahjongError: another process has locked it, or it cannot be written.
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
