"""Reports errors of a tactic, and its prints on stdout, in one line that names the tactic's line."""

import io
import os
import sys
from math import isfinite
from numbers import Real

from .deadline import BudgetExceeded
from .mahjong.errors import TacticError, UnknownTacticError

# What the code of a tactic may raise.
FAILURES = (Exception, SystemExit, BudgetExceeded)
_TOP = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
_MAX_LEGAL = 300  # characters


def shorten_path(path):
    """Returns a path without the folders above the project or above the .pyz."""
    return path[len(_TOP):] if path.startswith(_TOP) else path


def replace_unprintable(text):
    """Returns a text in which U+FFFD stands for codes for the terminal and marks that turn the direction of writing.

    >>> replace_unprintable("\\x1b[31mred\\n")
    '\ufffd[31mred\ufffd'
    """
    return text if text.isprintable() else "".join(
        character if character.isprintable() else "\ufffd" for character in text)


def make_tactic_error(error, name, module_name):
    """Returns the TacticError of one of FAILURES. name, module_name: those of the tactic."""
    if isinstance(error, TacticError):
        return TacticError(name, error.verdict, error.problem)
    return TacticError(name, "TLE" if isinstance(error, BudgetExceeded) else "RE", describe(error, module_name))


def check_action(action, name, tactic, *, legal, request, hand):
    """Raises the TacticError of an action that is not one of the legal ones. hand: own concealed tiles by name."""
    if not isinstance(action, tuple) or action not in legal:
        raise TacticError(name, "illegal action", "expected one of %.*s after %r with the hand %s, got %.80r%s" % (
            _MAX_LEGAL, legal, request, " ".join(hand), action, locate_method(tactic, "decide", "__call__")))


def check_finite(tactic):
    """Raises ValueError where a value in `ranked` of a tactic is NaN or infinite; passes remarks of another form."""
    for entry in getattr(tactic, "ranked", ()):
        if isinstance(entry, tuple) and isinstance(entry[-1], Real) and not isfinite(entry[-1]):
            raise ValueError("expected finite numbers in ranked, got %s" % entry[-1])


def check_number(name, value, low, high, *, is_whole=False):
    """Checks an option of a tactic, a number low .. high.

    Raises TypeError: no number. UnknownTacticError: a number outside the range, NaN, or a fraction where is_whole.
    """
    if not isinstance(value, Real):
        raise TypeError("expected %s to be a number, got %r" % (name, value))
    if not low <= value <= high or is_whole and value != int(value):
        raise UnknownTacticError("expected %s%g .. %g for %s, got %r" % (
            "a whole number " * is_whole, low, high, name, value))


def describe(error, module_name=None):
    """Returns an error in one line: its type, text, and last line in the module and in a file of the same folder.

    module_name: of the tactic; None for the last line of all. Where no line is known, the module's file stands there.
    """
    places, trace, text = [], error.__traceback__, str(error)
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__"))
        if module_name in (None, name):
            places = [(trace.tb_lineno, trace.tb_frame.f_code.co_filename)]
        elif name.rpartition(".")[0] == module_name.rpartition(".")[0] != "":
            places[1:] = [(trace.tb_lineno, trace.tb_frame.f_code.co_filename)]
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        places, text = [(error.lineno, error.filename)] if error.filename else [], error.msg
    if not isinstance(error, BudgetExceeded):
        text = replace_unprintable(" ".join([type(error).__name__ + ":" * bool(text)] + text.split()))
    if isinstance(error, OSError):
        text += "; mj_bot.tactic.read_weight_file opens a tactic's file everywhere"
    if not places:
        path = getattr(sys.modules.get(module_name), "__file__", module_name)
        return "%s (%s)" % (text, shorten_path(path)) if path else text
    return "%s (%s)" % (text, ", ".join("line %s of %s" % (line, shorten_path(path)) for line, path in places))


def locate_method(tactic, *names):
    """Returns " (decide at line 12 of mj_bot/tactic/simple.py)", the tactic's own one of these methods; "" if unknown.
    """
    for kind in type(tactic).__mro__:
        for name in names:
            code = getattr(vars(kind).get(name), "__code__", None)
            if code:
                return " (%s at line %d of %s)" % (name, code.co_firstlineno, shorten_path(code.co_filename))
    return ""


def warn(text):
    """Writes to stderr where it is open."""
    try:
        sys.stderr.write(text)
    except (AttributeError, OSError, ValueError):
        pass


class Printed(io.TextIOBase):
    """A stream in place of stdout, which is for the answer alone. Sends all to stderr, reports the first line.

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
        warn(text)
        return len(text)
