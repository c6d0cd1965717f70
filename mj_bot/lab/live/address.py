"""Keeps the address that Botzone gives a local AI. Its path is a secret: only the request contains it."""

import http.client
import re
import urllib.error
import urllib.parse

from ...mahjong.errors import MahjongError
from ..links.web import ExactName, TooLongError, fetch

_MORE_SECONDS = 25.0
# A word of the address counts as secret if it has at least this many letters. The word `localai` has fewer.
_SECRET_LENGTH = 8
_MOST_BYTES = 1 << 20
# Control characters: the library fails at each poll of an address that contains one.
_CONTROL = re.compile("%([01][0-9a-f]|7f)", re.IGNORECASE)


class PollFailed(Exception):
    """Reports a poll without a usable reply. The message contains nothing of the address.

    reason: the message. status: the status of HTTP, or None.
    """

    def __init__(self, reason, status=None):
        super().__init__(reason)
        self.status = status


class Address(object):
    """Keeps the address of the polls, as Botzone shows it.

    host: the name of the server, which may be shown. is_private: whether the connection hides the address from others.
    Raises MahjongError: the text is no address of a local AI. The message does not contain it.
    """

    def __init__(self, url):
        try:
            url_parts = urllib.parse.urlsplit(url)
            self.host = url_parts.hostname
            is_web = url_parts.scheme in ("http", "https") and bool(self.host) and (url_parts.port or 1) > 0
            (self.host or "").encode("idna")
        except ValueError:
            is_web = False
        if not is_web or _CONTROL.search(url) or not url.isascii() or not url.isprintable() or " " in url:
            raise MahjongError("expected the address of a local AI, https://..., got something else (not shown: an "
                               "address is a secret)")
        self.is_private = url_parts.scheme == "https" or self.host in ("localhost", "127.0.0.1", "::1")
        self._url = url
        words = re.split("[/?&=]", url_parts.path + "?" + url_parts.query)
        self._secrets = [word for word in words if len(word) >= _SECRET_LENGTH]

    def __repr__(self):
        return "Address(%r)" % self.host

    def poll(self, headers: dict, timeout: float) -> str:
        """Returns the body of a poll's reply, with *** for secret words of the address.

        headers: {name: value} of the request. timeout: seconds until the reply begins; all of it has _MORE_SECONDS
        more.
        Raises PollFailed: no usable reply.
        """
        headers = {ExactName(name): value for name, value in headers.items()}
        # The library's errors quote the address: they are not chained, and only their class is shown.
        try:
            body = fetch(self._url, None, headers, timeout=timeout, seconds=timeout + _MORE_SECONDS, most=_MOST_BYTES)
            return re.sub("|".join(map(re.escape, self._secrets)) or "$^", "***", body.decode("utf-8", "replace"))
        except urllib.error.HTTPError as error:
            error.close()
            failure = PollFailed("status %d" % error.code, error.code)
        except TooLongError:
            failure = PollFailed("more than %d bytes" % _MOST_BYTES)
        except TimeoutError:
            failure = PollFailed("no whole reply in %g s" % timeout)
        except (OSError, http.client.HTTPException, ValueError) as error:
            failure = PollFailed(type(error).__name__)
        raise failure
