"""Sends requests to the platforms: one at a time, limited in time and size, with a cache, and to no other host."""

import contextlib
import fcntl
import hashlib
import http.client
import math
import os
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from types import MappingProxyType
from typing import Any

from ... import __version__
from ...mahjong.errors import ProtocolError
from ...project_files import cache_folder
from ..run.files import make_folder, parse_json, read_json, write_whole
from ..words import say

# The only places that are asked, by name.
SITES = {"botzone": "https://www.botzone.org.cn", "tziakcha": "https://tziakcha.net",
         "salasasa": "https://salasasa.cn", "chaga": "https://tc-api.pesiu.org"}
_USER_AGENT = "mj_bot/%s (reads the records of games; one request at a time)" % __version__
# Seconds between two requests, for each read, and for the whole answer.
_PAUSE = 1.0
_READ_SECONDS = 15.0
LINK_SECONDS = 30.0
_LOCK_SECONDS = 90.0  # for the turn to ask, which another process may have
_MOST_HOLDER = 20  # characters of a process's number
_MOST_BYTES = 1 << 24
_PIECE = 1 << 14
_SAVE_IT = "; if you can see it in a browser, save the record there and give the file"
# The reason of a LinkError and its template, by the status.
_REFUSALS = {
    404: ("gone", "%s has nothing there (status %d): the id is wrong, or the record is gone"),
    410: ("gone", "%s has nothing there any more (status %d)"),
    429: ("busy", "%s wants fewer requests (status %d); try again later"),
}


class LinkError(ProtocolError):
    """Tells why a link gives no record.

    reason: "login" (or refused), "gone", "busy" (or out of order), "unreachable", "odd" (an answer that is no record),
        "link" (of another place), "hand" (of a calculator).
    """

    def __init__(self, template: str, *values: object, reason: str = "odd"):
        super().__init__(template, *values)
        self.reason = reason


class ExactName(str):
    """Keeps the name of a header from urllib, which writes other names with capitals."""

    def capitalize(self):
        return self

    title = capitalize


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def http_error_302(self, *details):
        return None  # so the status comes back as an error, and the new address is not even parsed

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def open_address(url: str, body: bytes | None = None, headers: dict = MappingProxyType({}), *,
                 timeout: float) -> http.client.HTTPResponse:
    """Returns the reply of a server, which the caller closes. A redirection is an error. body: sent by POST.

    Raises urllib.error.HTTPError: an error's status. OSError, http.client.HTTPException, ValueError: no whole reply.
    """
    request = urllib.request.Request(url, body, dict(headers))
    return urllib.request.build_opener(_NoRedirects).open(request, timeout=timeout)


class TooLongError(ValueError):
    """Tells that the body of a reply has more bytes than a caller takes."""


def read_body(reply: http.client.HTTPResponse, most: int, seconds: float = math.inf) -> bytes:
    """Returns the body of a reply. most: most bytes. seconds: limit for all of it.

    Raises TooLongError, TimeoutError: it is longer, or takes longer. http.client.IncompleteRead: it ends too early.
    """
    body, end = bytearray(), time.monotonic() + seconds
    for piece in iter(partial(reply.read1, _PIECE), b""):
        body += piece
        if len(body) > most:
            raise TooLongError
        if time.monotonic() > end:
            raise TimeoutError
    if reply.length:
        raise http.client.IncompleteRead(bytes(body))
    return bytes(body)


def ask(site: str, path: str, *, form: dict | None = None, is_final: Callable = bool,
        seconds: float = LINK_SECONDS) -> Any:
    """Returns the JSON value that a site answers, from the cache or by one request.

    site: a name of SITES. path: with its query. form: {name: value}, which is sent by POST; None for GET.
    is_final: function(value) that tells whether the answer stays as it is; only such answers are kept.
    seconds: limit for the whole answer.
    Raises LinkError: the site refuses, sends elsewhere, is slow, or answers with something else.
    """
    url = SITES[site] + path
    folder = cache_folder("links")
    kept = os.path.join(folder, hashlib.sha256(("%s %s" % (url, form)).encode()).hexdigest()[:32] + ".json")
    make_folder(folder)
    with _open_alone(os.path.join(folder, "lock")) as was_asked:
        with contextlib.suppress(OSError, ValueError):
            return read_json(kept)
        time.sleep(min(_PAUSE, max(0.0, was_asked + _PAUSE - time.time())))
        host = urllib.parse.urlsplit(url).netloc
        print(say("Asking %s for %s", host, " ".join([path, *(form or {}).values()])), file=sys.stderr)
        data = _call_within(seconds, host, lambda: _request(url, host, form, seconds=seconds))
        try:
            value = parse_json(data)
        except ValueError:
            raise LinkError("%s answers with a page where a record was expected; it may want a login%s", host, _SAVE_IT,
                            reason="login") from None
        if is_final(value):
            write_whole(kept, data)
        return value


@contextlib.contextmanager
def _open_alone(path):
    """Locks a file until the context ends. Its value is the time of the previous request.

    The file names the process that holds it. Raises LinkError: that process holds it for too long, as a stopped one
    does.
    """
    with open(path, "a+", encoding="utf-8") as file:
        end = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                file.seek(0)
                if time.monotonic() > end:
                    raise LinkError("expected to ask a site, process %s has the turn and does not end",
                                    file.read(_MOST_HOLDER) or "?", reason="unreachable") from None
                time.sleep(_PAUSE / 10)
        try:
            was_asked = os.path.getmtime(path)
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield was_asked
        finally:
            os.utime(path)


def _call_within(seconds, host, function):
    """Returns the answer of a function. Raises LinkError after some seconds; the function's thread ends later."""
    answer = Future()

    def run():
        try:
            answer.set_result(function())
        except (OSError, http.client.HTTPException, ValueError) as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return answer.result(seconds)
    except LinkError:
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = getattr(error, "reason", error)
        if isinstance(cause, TimeoutError):
            raise LinkError("%s gives no whole answer in %g s; try again later", host, seconds,
                            reason="unreachable") from None
        raise LinkError("%s cannot be reached, or breaks off: %s", host,
                        type(error).__name__ if cause is error else cause, reason="unreachable") from None


def _request(url, host, form, *, seconds):
    body = None if form is None else urllib.parse.urlencode(form).encode()
    end = time.monotonic() + seconds
    try:
        with open_address(url, body, {"User-Agent": _USER_AGENT}, timeout=min(seconds, _READ_SECONDS)) as reply:
            return read_body(reply, _MOST_BYTES, end - time.monotonic())
    except TooLongError:
        raise LinkError("%s answers with more than %d MB", host, _MOST_BYTES >> 20, reason="odd") from None
    except urllib.error.HTTPError as error:
        with error:
            raise _explain(error, host) from None


def _explain(error, host):
    """Returns the LinkError for the status of an answer."""
    address = str(error.headers.get("Location")) if 300 <= error.code < 400 else ""
    if error.code == 401 or "login" in address or "account" in address:
        return LinkError("%s wants a login (status %d)%s", host, error.code, _SAVE_IT, reason="login")
    if error.code == 403:
        return LinkError("%s refuses to show it (status %d)%s", host, error.code, _SAVE_IT, reason="login")
    if address:
        return LinkError("%s sends on to %.80r, which is not asked", host, address, reason="odd")
    reason, template = _REFUSALS.get(error.code, ("busy", "%s has an error of its own (status %d); try again later"))
    return LinkError(template, host, error.code, reason=reason)
