"""Keeps the address that Botzone gives a local AI. Its path is a secret: only the request contains it."""

import contextlib
import http.client
import re
import time
import urllib.error
import urllib.parse
from functools import partial

from ...deadline import BudgetExceeded, call_until
from ...mahjong.errors import MahjongError
from ..links.web import ExactName, open_address

_CONNECT_TIMEOUT = 10.0
# Longer parts of the address than `localai` count as secret.
_SECRET_LENGTH = 8
# The library's timeouts are for each piece: it would read a slow reply without end.
_BODY_SECONDS = 15.0
_MOST_BYTES = 1 << 20
# The library fails at each poll of an address with one.
_CONTROL = re.compile("%([01][0-9a-f]|7f)", re.IGNORECASE)
_PIECE = 1 << 12


class PollFailed(Exception):
    """Reports a poll without a usable reply.

    The message has no part of the address. status: of HTTP, or None.
    """

    def __init__(self, reason, status=None):
        super().__init__(reason)
        self.status = status


class Address(object):
    """Keeps the address of the polls, as Botzone shows it.

    host: the part that may be shown. Raises MahjongError, without the address: no address of a local AI.
    """

    def __init__(self, url):
        try:
            parts = urllib.parse.urlsplit(url)
            self.host = parts.hostname
            is_web = parts.scheme in ("http", "https") and bool(self.host) and (parts.port or 1) > 0
            (self.host or "").encode("idna")
        except ValueError:
            is_web = False
        if not is_web or _CONTROL.search(url) or not url.isascii() or not url.isprintable() or " " in url:
            raise MahjongError("expected the address of a local AI, https://..., got something else (not shown: an "
                               "address is a secret)")
        self.is_private = parts.scheme == "https" or self.host in ("localhost", "127.0.0.1", "::1")
        self._url = url
        words = re.split("[/?&=]", parts.path + "?" + parts.query)
        self._secrets = [word for word in words if len(word) >= _SECRET_LENGTH]

    def __repr__(self):
        return "Address(%r)" % self.host

    def poll(self, headers: dict, timeout: float) -> str:
        """Returns the body of a poll's reply, with *** for secret parts of the address.

        timeout: seconds until the reply begins; the body has _BODY_SECONDS more. Outside the main thread these are
        for each piece.
        Raises PollFailed.
        """
        headers = {ExactName(name): value for name, value in headers.items()}
        ask = partial(_open, self._url, headers, timeout)
        # The library's errors quote the address: they are not chained, and only their class is shown.
        try:
            reply = _call_until(_CONNECT_TIMEOUT + timeout, ask)
            with contextlib.closing(reply):
                if reply.status == 200:
                    text = _call_until(_BODY_SECONDS, _read_body, reply).decode("utf-8", "replace")
                    return re.sub("|".join(map(re.escape, self._secrets)) or "$^", "***", text)
        except TimeoutError:
            failure = PollFailed("no reply in %g s" % timeout)
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            failure = PollFailed("no reply in %g s" % timeout if isinstance(reason, TimeoutError)
                                 else type(reason).__name__)
        else:
            failure = PollFailed("status %d" % reply.status, reply.status)
        raise failure


def _open(url, headers, timeout):
    """Returns the reply to a request, also one whose status is an error."""
    try:
        return open_address(url, None, headers, timeout=timeout)
    except urllib.error.HTTPError as error:
        return error


def _call_until(seconds, function, *args):
    try:
        return call_until(time.perf_counter() + seconds, function, *args)
    except BudgetExceeded:
        failure = PollFailed("no whole reply in %g s" % seconds)
    raise failure


def _read_body(reply):
    """Returns the bytes of a reply's body. Raises PollFailed: the body is too long."""
    body = bytearray()
    for piece in iter(partial(reply.read1, _PIECE), b""):
        body += piece
        if len(body) > _MOST_BYTES:
            raise PollFailed("more than %d bytes" % _MOST_BYTES)
    if reply.length:
        raise http.client.IncompleteRead(bytes(body))
    return bytes(body)
