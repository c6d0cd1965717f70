"""Servers of the standard library, for the tests."""

import contextlib
import threading


@contextlib.contextmanager
def serving(server):
    """Answers from a thread until the end."""
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
