"""What a tactic prints on stdout, told in a line that names the tactic's own line."""

import io
import os
import sys


def shorten_path(path):
    """A path from the present folder on, if it is in it."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here):] if path.startswith(here) else path


class Printed(io.TextIOBase):
    """A stream in place of stdout, which is for the answer alone: all goes to stderr, and the first line is told.

    tell: function(text).
    """

    def __init__(self, tell):
        self._tell = tell

    def write(self, text):
        """Passes a text on; returns its length."""
        if self._tell and text.strip():
            frame = sys._getframe(1)
            self._tell("stdout is for the answer alone, but line %d of %s printed %.80r; print to stderr" % (
                frame.f_lineno, shorten_path(frame.f_code.co_filename), text.strip()))
            self._tell = None
        return sys.stderr.write(text)
