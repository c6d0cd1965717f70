"""Errors of a tactic, and what it prints on stdout, told in a line that names the tactic's own line."""

import io
import os
import sys


def shorten_path(path):
    """A path from the present folder on, if it is in it."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here):] if path.startswith(here) else path


def locate(error, module_name):
    """" (line 12 of mj_bot/tactic/simple.py)", the line that a tactic was at when an error came; "" if unknown.

    module_name: of the tactic. The last line in that module, else the last one.
    """
    places, trace = [], error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        places.append((frame.f_globals.get("__name__") == module_name, trace.tb_lineno, frame.f_code.co_filename))
        trace = trace.tb_next
    own = [place for place in places if place[0]] or places
    return " (line %d of %s)" % (own[-1][1], shorten_path(own[-1][2])) if own else ""


def locate_method(tactic, *names):
    """" (line 12 of mj_bot/tactic/simple.py)", where the first method that a tactic has begins; "" if unknown."""
    for method in [getattr(tactic, name, None) for name in names] + [tactic]:
        code = getattr(method, "__code__", None)
        if code:
            return " (line %d of %s)" % (code.co_firstlineno, shorten_path(code.co_filename))
    return ""


def describe(error):
    """Type and text of an error in a line.

    >>> describe(KeyError("W1"))
    "KeyError: 'W1'"
    """
    return " ".join(("%s: %s" % (type(error).__name__, error)).split())


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
