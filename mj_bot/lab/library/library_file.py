"""Opens the file of the library in a transaction, brings it to the present version, and keeps it private."""

import contextlib
import fcntl
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator

from ...mahjong.errors import MahjongError
from ...trouble import describe_error
from ..run.files import make_folder
from ..words import say
from .schema import LIBRARY_VERSION, list_statements

# A variable of the environment that names another file.
LIBRARY_VARIABLE = "MJ_BOT_LIBRARY"
BUSY_SECONDS = 20.0  # to wait for another process
# Says that a file of SQLite is a library: the letters "mjbo".
_APPLICATION = 0x6D6A626F
_SQLITE_HEAD = b"SQLite format 3\0"


class LibraryError(MahjongError):
    """Tells that the library cannot be used, for example on a full disk, or while another process uses it."""


class DamagedLibraryError(LibraryError):
    """Tells that the file of the library is no whole database."""


def find_library() -> str:
    """Returns the path of the user's library: that of the environment, else one in the user's folder for data."""
    return os.environ.get(LIBRARY_VARIABLE) or os.path.join(_find_folder(), "library.sqlite")


def _find_folder():
    import platformdirs

    return platformdirs.user_data_dir("mj_bot", appauthor=False)


class LibraryFile(object):
    """Gives connections to a file; each method opens the file anew, so threads and processes may share it.

    Every method raises LibraryError, or another MahjongError for a value that no library can keep, so that another
    try does not help. busy_seconds: how long to wait for another process that writes.
    """

    def __init__(self, path: str, busy_seconds: float = BUSY_SECONDS):
        self.path = path
        self._busy_seconds = busy_seconds

    @contextlib.contextmanager
    def open(self, is_change: bool = False) -> Iterator[sqlite3.Connection]:
        """Opens a connection in a transaction, as a context; an exception undoes it. is_change: whether it writes."""
        db = None
        try:
            db = sqlite3.connect(self.path, timeout=self._busy_seconds, isolation_level=None)
            # A read changes nothing: the file may be another program's database, which is refused.
            for pragma in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL") if is_change else ():
                db.execute("PRAGMA " + pragma)
            db.execute("BEGIN IMMEDIATE" if is_change else "BEGIN")
            yield db
            if is_change:
                db.execute("COMMIT")
        except MahjongError:
            raise
        except sqlite3.Error as error:
            raise self._translate(error) from error
        except (zlib.error, ValueError, TypeError, LookupError, ArithmeticError) as error:
            if isinstance(error, UnicodeEncodeError) or "SQLite INTEGER" in str(error):  # a value of the caller
                raise MahjongError("expected a text in UTF-8, or a number of at most 63 bits, got another one: %s",
                                   error) from error
            # A damaged value, or one of another program.
            raise LibraryError("expected a library that can be used, got %s: %s", self.path,
                               describe_error(error)) from error
        finally:
            if db:
                db.close()

    def _prepare(self):
        """Makes the tables of a new file, or brings those of an older version to the present one."""
        self._check_head()
        with self.open() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            application = db.execute("PRAGMA application_id").fetchone()[0]
            tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION and (application or version or tables):
            raise LibraryError("expected a library of mj_bot, got another database: %s", self.path)
        if version > LIBRARY_VERSION:
            raise LibraryError("expected a library of version %d or older, got one of version %d of a newer mj_bot: %s",
                               LIBRARY_VERSION, version, self.path)
        if version == LIBRARY_VERSION:
            return
        with self.open(is_change=True) as db:
            # Another process may have done it meanwhile.
            for statement in list_statements(db.execute("PRAGMA user_version").fetchone()[0]):
                db.execute(statement)
            db.execute("PRAGMA user_version = %d" % LIBRARY_VERSION)
            db.execute("PRAGMA application_id = %d" % _APPLICATION)

    def prepare(self, may_rename: bool = True) -> None:
        """Makes a new file, or brings one of an older version to the present one.

        may_rename: whether a damaged file is renamed, and named on stderr, and a new one begins; False for a
            DamagedLibraryError instead. Of several processes that find the damage at once, one renames the file.
        """
        self._make_private()
        try:
            self._prepare()
        except DamagedLibraryError:
            if not may_rename:
                raise
            descriptor = os.open(os.path.dirname(self.path), os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                self._set_aside_damaged()
            finally:
                os.close(descriptor)

    def _set_aside_damaged(self):
        """Prepares the file, or a new one in place of a damaged one. The caller has locked the folder."""
        try:
            self._prepare()  # another process may have begun a new one
        except DamagedLibraryError as error:
            print("library: %s" % say("%s; it is kept as %s, and a new library begins", error, set_aside(self.path)),
                  file=sys.stderr)
            self._make_private()
            self._prepare()

    def _check_head(self):
        """Raises LibraryError: the file is not one of SQLite, and not an empty one."""
        is_file, head = os.path.isfile(self.path), b""
        if is_file:  # a pipe would wait for its other end
            with contextlib.suppress(OSError), open(self.path, "rb") as file:
                head = file.read(len(_SQLITE_HEAD))
        if os.path.exists(self.path) and not is_file or head not in (b"", _SQLITE_HEAD):
            raise LibraryError("expected a library of mj_bot or a new file, got another file: %s", self.path)

    def _make_private(self):
        """Makes an empty file and its folder unless they exist; nobody but the owner may read them.

        A folder that is there and of the user's choice stays as it is.
        """
        folder = os.path.dirname(self.path)
        is_new = not os.path.isdir(folder)
        make_folder(folder)
        if is_new or folder == os.path.abspath(_find_folder()):
            _restrict(folder, 0o700)
        if not os.path.exists(self.path):
            with contextlib.suppress(OSError):  # SQLite says why it cannot be made
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        elif os.path.isfile(self.path):
            _restrict(self.path, 0o600)

    def _translate(self, error: sqlite3.Error) -> LibraryError:
        """Returns the LibraryError for an error of SQLite."""
        text = str(error)
        if "malformed" in text or "not a database" in text:
            return DamagedLibraryError("expected a whole library, got a damaged one: %s (%s)", self.path, text)
        if "full" in text:
            return LibraryError("expected room on the disk for the library %s, got: %s", self.path, text)
        if "locked" in text or "busy" in text:
            return LibraryError("expected the library %s, got none in %d seconds: another process uses it", self.path,
                                max(1, round(self._busy_seconds)))
        return LibraryError("expected a library that can be used, got %s: %s", self.path, text)


def set_aside(path: str) -> str:
    """Renames a library with the files that belong to it; returns its new path."""
    count = 1
    while os.path.exists("%s.damaged-%d" % (path, count)):
        count += 1
    move_library(path, "%s.damaged-%d" % (path, count))
    return "%s.damaged-%d" % (path, count)


def move_library(path: str, target: str) -> None:
    """Renames a library with the files that belong to it."""
    for ending in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + ending, target + ending)


def _restrict(path: str, mode: int):
    """Takes the rights of other users away. Some file systems have no rights, and some files another owner."""
    with contextlib.suppress(OSError):
        if os.stat(path).st_mode & 0o77:
            os.chmod(path, mode)
