"""What goes wrong in a tactic, in a line that names the tactic's own line."""

import io
import os
import sys


def locate(error, tactic):
    """" (line 12 of mj_bot/tactic/simple.py)", the line that a tactic was at when an error came; "" if unknown.

    tactic: the tactic, its class or its module. It is the last line in the file of the tactic, else the last one.
    """
    places, trace = [], error.__traceback__
    while trace is not None:
        places.append((trace.tb_lineno, trace.tb_frame.f_code.co_filename))
        trace = trace.tb_next
    path = find_file(tactic)
    own = [place for place in places if place[1] == path] or places
    return " (line %d of %s)" % (own[-1][0], shorten_path(own[-1][1])) if own else ""


def find_file(tactic):
    """The source file of a tactic, a class or a module; "" if unknown."""
    name = getattr(tactic, "__module__", None) or getattr(tactic, "__name__", "")
    return getattr(sys.modules.get(name), "__file__", "") or ""


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
