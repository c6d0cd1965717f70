"""Defines the errors of the project, all under MahjongError.

Each message says what was expected, what came instead and where.
"""


class MahjongError(ValueError):
    """Stands for every error that bad input can raise: a caller may catch only this class.

    template: the message, or a text with fields such as %s for the values. values: one for each field; another error
        stays an object here, so that its own text can be translated too.

    >>> str(MahjongError("expected %s, got %r", "a tile", "X9")), str(MahjongError("100% wrong"))
    ("expected a tile, got 'X9'", '100% wrong')
    """

    def __init__(self, template: str = "", *values: object) -> None:
        super(MahjongError, self).__init__(template, *values)
        self.template, self.values = template, values

    def __str__(self):
        return self.template % self.values if self.values else str(self.template)


class InvalidTileError(MahjongError):
    """Reports a name or index that is no tile (or flower), or a fifth copy of a tile."""


class InvalidHandError(MahjongError):
    """Reports a hand with a wrong number of tiles, or with more copies of a tile than there are."""


class IllegalActionError(MahjongError):
    """Reports an action that is malformed or that the rules do not allow here."""


class ProtocolError(MahjongError):
    """Reports a request or response that does not fit Botzone's protocol or the game so far."""


class UnknownTacticError(MahjongError):
    """Reports the name of a tactic that the registry does not contain."""


class TacticError(MahjongError):
    """Reports a tactic that crashes, is too slow or answers something illegal.

    verdict: "RE" (crash) or "TLE" (too slow), the words of Botzone, or "illegal action".
    problem: text that says what happened.
    """

    def __init__(self, name: str, verdict: str, problem: str) -> None:
        super(TacticError, self).__init__(name, verdict, problem)
        self.verdict, self.problem = verdict, problem

    def __str__(self):
        return "%s: %s, %s" % self.args


class ModelMismatchError(MahjongError):
    """Reports weights that do not belong to this version of the observation or of the network."""
