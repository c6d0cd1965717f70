"""Sends requests to the platforms: one at a time, limited in time and size, with a cache, and to no other host."""

import contextlib
import hashlib
import http.client
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
from typing import Any

from filelock import FileLock, Timeout

from ... import __version__
from ...mahjong.errors import ProtocolError
from ...project_files import cache_folder
from ..run.files import make_folder, parse_json, read_json, read_text, write_whole
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
# Name of the file with the number of the process that asked last; its time is that of the request.
_ASKER = "asker"
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


class TooLongError(ValueError):
    """Tells that the body of a reply has more bytes than a caller takes."""


def fetch(
        url: str, body: bytes | None, headers: dict[str, str], *, timeout: float, seconds: float, most: int) -> bytes:
    """Returns the body of a server's reply. A redirection is an error.

    body: sent by POST, None for GET. timeout: seconds for the start of the reply, and for each piece. seconds: limit
    for all of it. most: most bytes.
    Raises TooLongError, TimeoutError: it is longer, or takes longer. urllib.error.HTTPError: an error's status, which
        the caller closes. OSError, http.client.HTTPException, ValueError: no whole reply.
    """
    answer = Future()

    def run():
        try:
            request = urllib.request.Request(url, body, headers)
            with urllib.request.build_opener(_NoRedirects).open(request, timeout=timeout) as reply:
                answer.set_result(_read_body(reply, most, time.monotonic() + seconds))
        except (OSError, http.client.HTTPException, ValueError) as error:
            cause = getattr(error, "reason", error)
            answer.set_exception(cause if isinstance(cause, OSError) else error)

    # Header lines that never end reset the library's own timeout. Only the thread waits for them.
    threading.Thread(target=run, daemon=True).start()
    return answer.result(seconds)


def _read_body(reply, most, end):
    """Returns the body of a reply. end: time of time.monotonic() at which it has to be there."""
    body = bytearray()
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
    try:
        with FileLock(os.path.join(folder, "lock"), timeout=_LOCK_SECONDS):
            with contextlib.suppress(OSError, ValueError):
                return read_json(kept)
            return _ask_alone(url, form, kept, is_final=is_final, seconds=seconds)
    except Timeout:
        raise LinkError("expected to ask a site, process %s has the turn and does not end",
                        read_text(os.path.join(folder, _ASKER)), reason="unreachable") from None


def _ask_alone(url, form, kept, *, is_final, seconds):
    """Asks while no other process does. kept: path of the file for a final answer. Raises LinkError."""
    asker, host = os.path.join(os.path.dirname(kept), _ASKER), urllib.parse.urlsplit(url).netloc
    wait = 0.0
    with contextlib.suppress(OSError):
        wait = os.path.getmtime(asker) + _PAUSE - time.time()
    write_whole(asker, str(os.getpid()))
    time.sleep(min(_PAUSE, max(0.0, wait)))
    print(say("Asking %s for %s", host, " ".join([url.partition(host)[2], *(form or {}).values()])), file=sys.stderr)
    body = None if form is None else urllib.parse.urlencode(form).encode()
    try:
        data = fetch(url, body, {"User-Agent": _USER_AGENT}, timeout=min(seconds, _READ_SECONDS), seconds=seconds,
                     most=_MOST_BYTES)
        value = parse_json(data)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _explain(error, host, seconds) from None
    finally:
        os.utime(asker)
    if is_final(value):
        write_whole(kept, data)
    return value


def _explain(error, host, seconds):
    if isinstance(error, urllib.error.HTTPError):
        with error:
            return _explain_status(error, host)
    if isinstance(error, TooLongError):
        return LinkError("%s answers with more than %d MB", host, _MOST_BYTES >> 20)
    if isinstance(error, TimeoutError):
        return LinkError("%s gives no whole answer in %g s; try again later", host, seconds, reason="unreachable")
    if isinstance(error, ValueError):
        return LinkError("%s answers with a page where a record was expected; it may want a login%s", host, _SAVE_IT,
                         reason="login")
    return LinkError("%s cannot be reached, or breaks off: %s", host, type(error).__name__, reason="unreachable")


def _explain_status(error, host):
    address = str(error.headers.get("Location")) if 300 <= error.code < 400 else ""
    if error.code == 401 or "login" in address or "account" in address:
        return LinkError("%s wants a login (status %d)%s", host, error.code, _SAVE_IT, reason="login")
    if error.code == 403:
        return LinkError("%s refuses to show it (status %d)%s", host, error.code, _SAVE_IT, reason="login")
    if address:
        return LinkError("%s sends on to %.80r, which is not asked", host, address)
    reason, template = _REFUSALS.get(error.code, ("busy", "%s has an error of its own (status %d); try again later"))
    return LinkError(template, host, error.code, reason=reason)
