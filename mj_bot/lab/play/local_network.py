"""Opens the table to the devices of the local network, while the person asks for it."""

import contextlib
import ipaddress
import socket
import threading
from collections.abc import Callable

import segno

from ...mahjong.errors import MahjongError
from ..words import say

# What others in the network may see: the table alone, or all that the person sees.
TABLE, LIBRARY = "table", "library"
ACCESSES = (TABLE, LIBRARY)
_REACH = {
    TABLE: "Every device in your local network with this address can play at this table, unencrypted; your library is "
           "not shown.",
    LIBRARY: "Every device in your local network with this address can play at this table and sees your library, "
             "unencrypted."}
_CLOSED = {"access": "", "url": "", "code": []}
_ANYWHERE = ("192.0.2.1", 9)  # an address outside, to which nothing is sent


def find_address() -> str:
    """Returns this machine's address in its local network.

    Raises MahjongError: there is no network, or the address can be reached from the whole internet.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ANYWHERE)
            address = probe.getsockname()[0]
    except OSError as error:
        raise MahjongError("expected a local network, got none: %s", error) from None
    if not ipaddress.ip_address(address).is_private or ipaddress.ip_address(address).is_loopback:
        raise MahjongError("expected an address of a local network, got %s, which others can reach too", address)
    return address


class LocalNetwork(object):
    """Serves the table at this machine's address in the local network, after open() and until close().

    start: function(address, access) that returns a listening server and its URL. Each opening has a new secret, which
    is not the one of the person's own address: what is sent in a local network can be read along there.
    """

    def __init__(self, start: Callable):
        self._start = start
        self._lock = threading.RLock()
        self._server, self._shown = None, _CLOSED

    def open(self, access: str) -> dict:
        """Opens the table, or closes it with access "". Returns describe(). Raises MahjongError: no such network."""
        if access and access not in ACCESSES:
            raise MahjongError("expected the access %s, got %.40r", " or ".join(ACCESSES), access)
        address = find_address() if access else None
        with self._lock:
            if access == self._shown["access"]:
                return self._shown
            self.close()
            if access:
                self._server, url = self._start(address, access)
                threading.Thread(target=self._server.serve_forever, daemon=True).start()
                rows = [[int(dark) for dark in row] for row in segno.make(url, error="l").matrix]
                self._shown = {"access": access, "url": url, "code": rows}
            return self._shown

    def print(self) -> None:
        """Prints the address, its QR code, and who can reach the table; nothing where it is not open."""
        access, url = self._shown["access"], self._shown["url"]
        if access:
            print(say("In your local network: %s", url))
            segno.make(url, error="l").terminal(compact=True)
            print(say(_REACH[access]), flush=True)

    def describe(self) -> dict:
        """Returns {"access": one of ACCESSES or "", "url", "code": rows of the QR code, 1 for a dark square}."""
        return self._shown

    def close(self) -> None:
        """Ends the server for others, and their connections."""
        with self._lock:
            if self._server:
                self._server.shutdown()
                self._server.server_close()
                for connection in list(self._server.unread):
                    with contextlib.suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
            self._server, self._shown = None, _CLOSED
