"""Reports errors of a tactic, and what it prints on stdout, in one line that names the place in the tactic's code."""

import io
import os
import sys
from math import isfinite
from numbers import Real
from typing import Any, Callable, List, Optional, Tuple

from .deadline import BudgetExceeded
from .mahjong.errors import TacticError, UnknownTacticError

# The code of a tactic may raise these.
FAILURES = (Exception, SystemExit, BudgetExceeded)
_TOP = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
# A message lists the legal actions with at most this many characters.
_MAX_LEGAL = 300


def shorten_path(path: str) -> str:
    """Returns a path without the folders above the project or above the .pyz."""
    return path[len(_TOP):] if path.startswith(_TOP) else path


def replace_unprintable(text: str) -> str:
    """Returns a text with U+FFFD in place of control codes and of marks that turn the direction of writing."""
    return text if text.isprintable() else "".join(
        character if character.isprintable() else "\ufffd" for character in text)


def make_tactic_error(error: BaseException, name: str, module_name: str) -> TacticError:
    """Returns the TacticError that reports an error, one of FAILURES, of a tactic."""
    if isinstance(error, TacticError):
        return TacticError(name, error.verdict, "%s", error.problem)
    return TacticError(name, "TLE" if isinstance(error, BudgetExceeded) else "RE", describe_error(error, module_name))


def check_action(action: Any, name: str, tactic: Any, *, legal: List[Tuple], request: str, hand: List[str]) -> None:
    """Raises TacticError if an action is not one of the legal actions. hand: names of the own concealed tiles."""
    if not isinstance(action, tuple) or action not in legal:
        raise TacticError(name, "illegal action", "expected one of %s after %r with the hand %s, got %.80r%s",
                          repr(legal)[:_MAX_LEGAL], request, " ".join(hand), action,
                          locate_method(tactic, "decide", "__call__"))


def check_finite(tactic: Any) -> None:
    """Raises ValueError if a value in `ranked` of a tactic is NaN or infinite. Entries of another form are not checked.
    """
    for entry in getattr(tactic, "ranked", ()):
        if isinstance(entry, tuple) and isinstance(entry[-1], Real) and not isfinite(entry[-1]):
            raise ValueError("expected finite numbers in ranked, got %s" % entry[-1])


def check_number(name: str, value: Real, low: float, high: float, *, is_whole: bool = False) -> None:
    """Checks an option of a tactic, a number low .. high.

    name: of the option. is_whole: whether it must be a whole number.
    Raises TypeError: the value is no number. UnknownTacticError: the number is outside the range, NaN, or a fraction.
    """
    if not isinstance(value, Real):
        raise TypeError("expected %s to be a number, got %r" % (name, value))
    if not low <= value <= high or is_whole and value != int(value):
        raise UnknownTacticError("expected %s%g .. %g for %s, got %r", "a whole number " * is_whole, low, high, name,
                                 value)


def describe_error(error: BaseException, module_name: Optional[str] = None) -> str:
    """Returns an error in one line: its type, its text, and where it was raised.

    The lines named are the last one in the module and the last one in a file of the same folder. If no line is known,
    the file of the module is named.
    module_name: of the tactic; None to name the last line of all.
    """
    frames, trace, text = [], error.__traceback__, str(error)
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__"))
        if module_name in (None, name):
            frames = [(trace.tb_lineno, trace.tb_frame.f_code.co_filename)]
        elif name.rpartition(".")[0] == module_name.rpartition(".")[0] != "":
            frames[1:] = [(trace.tb_lineno, trace.tb_frame.f_code.co_filename)]
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        frames, text = [(error.lineno, error.filename)] if error.filename else [], error.msg
    if not isinstance(error, BudgetExceeded):
        text = replace_unprintable(" ".join([type(error).__name__ + ":" * bool(text)] + text.split()))
    if isinstance(error, FileNotFoundError):
        text += "; mj_bot.tactic.read_weight_file opens a tactic's file everywhere"
    if not frames:
        path = getattr(sys.modules.get(module_name), "__file__", module_name)
        return "%s (%s)" % (text, shorten_path(path)) if path else text
    return "%s (%s)" % (text, ", ".join("line %s of %s" % (line, shorten_path(path)) for line, path in frames))


def locate_method(tactic: Any, *names: str) -> str:
    """Returns text such as " (decide at line 12 of mj_bot/tactic/simple.py)", "" if it is unknown.

    names: of methods; the one that the tactic itself defines is named.
    """
    for tactic_class in type(tactic).__mro__:
        for name in names:
            code = getattr(vars(tactic_class).get(name), "__code__", None)
            if code:
                return " (%s at line %d of %s)" % (name, code.co_firstlineno, shorten_path(code.co_filename))
    return ""


def warn(text: str) -> None:
    """Writes a text to stderr if stderr is open."""
    try:
        sys.stderr.write(text)
    except (AttributeError, OSError, ValueError):
        pass


class Printed(io.TextIOBase):
    """Replaces stdout, which is for the answer alone. It sends everything to stderr, and reports the first line.

    tell: function(text), which is called with the report.
    """

    def __init__(self, tell: Callable[[str], Any]) -> None:
        self._tell = tell

    def write(self, text: str) -> int:
        """Passes a text on, and returns its length."""
        if self._tell and text.strip():
            frame = sys._getframe(1)
            self._tell("stdout is for the answer alone, but line %d of %s printed %.80r; print to stderr" % (
                frame.f_lineno, shorten_path(frame.f_code.co_filename), text.strip()))
            self._tell = None
        warn(text)
        return len(text)
