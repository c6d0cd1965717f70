"""The address that Botzone gives a local AI. Its path is a secret: only the request contains it."""

import logging
import re
import time
import urllib.parse
from functools import partial

import requests

from ...deadline import BudgetExceeded, call_until
from ...mahjong.errors import MahjongError

_CONNECT_TIMEOUT = 10.0
# Longer parts of the address than `localai` count as secret.
_SECRET_LENGTH = 8
# The library's timeouts are for each piece: it would read a slow reply for ever.
_BODY_SECONDS = 15.0
_MOST_BYTES = 1 << 20
# The library fails at each poll of an address with one.
_CONTROL = re.compile("%([01][0-9a-f]|7f)", re.IGNORECASE)
_PIECE = 1 << 12


class PollFailed(Exception):
    """A poll without a usable reply. The message has no part of the address. status: of HTTP, or None."""

    def __init__(self, reason, status=None):
        super().__init__(reason)
        self.status = status


class _Session(requests.Session):
    """Reports a redirection as a status: requests would parse its address and could fail."""

    def get_redirect_target(self, resp):
        return None


class Address(object):
    """The address of the polls, as Botzone shows it. host: what may be shown. Raises MahjongError, without the text."""

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
        self._session = _Session()
        # Its log would show the address.
        logging.getLogger("urllib3").setLevel(logging.CRITICAL + 1)

    def __repr__(self):
        return "Address(%r)" % self.host

    def poll(self, headers, timeout):
        """The body of a poll's reply, with *** for secret parts of the address.

        timeout: seconds until the reply begins; the body has _BODY_SECONDS more. Outside the main thread these are
        for each piece.
        Raises PollFailed.
        """
        ask = partial(self._session.get, self._url, headers=headers, timeout=(_CONNECT_TIMEOUT, timeout),
                      allow_redirects=False, stream=True)
        # The library's errors quote the address: they are not chained, and only their class is shown.
        try:
            with self._call_until(_CONNECT_TIMEOUT + timeout, ask) as reply:
                if reply.status_code == 200:
                    text = self._call_until(_BODY_SECONDS, _read_body, reply).decode("utf-8", "replace")
                    return re.sub("|".join(map(re.escape, self._secrets)) or "$^", "***", text)
        except requests.ReadTimeout:
            failure = PollFailed("no reply in %g s" % timeout)
        except requests.RequestException as error:
            failure = PollFailed(type(error).__name__)
        else:
            failure = PollFailed("status %d" % reply.status_code, reply.status_code)
        raise failure

    def _call_until(self, seconds, function, *args):
        try:
            return call_until(time.perf_counter() + seconds, function, *args)
        except BudgetExceeded:
            failure = PollFailed("no whole reply in %g s" % seconds)
        # The connection still has a part of the reply.
        self._session = _Session()
        raise failure


def _read_body(reply):
    """The bytes of a reply's body. Raises PollFailed: too long."""
    body = bytearray()
    for piece in reply.iter_content(_PIECE):
        body += piece
        if len(body) > _MOST_BYTES:
            raise PollFailed("more than %d bytes" % _MOST_BYTES)
    return bytes(body)
