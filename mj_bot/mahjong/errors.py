"""Defines the errors of the project, all under MahjongError.

Each message says what was expected, what came instead and where. A message keeps its template and its values, so that
another language has only the template to translate.
"""


class Message(object):
    """Keeps a text for a person as a template and its values; str() makes the English text.

    template: the text, with fields such as %s for the values. Without values it may contain any percent signs.
    values: one for each field; another Message or an error stays an object here, so it can be translated too.

    >>> str(Message("expected %s, got %r", Message("a tile of %d suits", 3), "X9")), str(Message("100% wrong"))
    ("expected a tile of 3 suits, got 'X9'", '100% wrong')
    """

    def __init__(self, template: str, *values: object) -> None:
        self.template, self.values = template, values

    def __str__(self):
        return self.template % self.values if self.values else str(self.template)


class MahjongError(Message, ValueError):
    """Stands for every error that bad input can raise: a caller may catch only this class.

    template, values: of the message; they are formatted when the message is shown.

    >>> str(MahjongError("%s: expected %s, got %r", "a.txt", "a tile", "X9"))
    "a.txt: expected a tile, got 'X9'"
    """

    def __init__(self, template: str = "", *values: object) -> None:
        super(MahjongError, self).__init__(template, *values)
        self.args = (template,) + values


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

    name: of the tactic. verdict: "RE" (crash) or "TLE" (too slow), the words of Botzone, or "illegal action".
    template, values: say what happened; `problem` keeps them as a Message.
    """

    def __init__(self, name: str, verdict: str, template: str, *values: object) -> None:
        self.verdict, self.problem = verdict, Message(template, *values)
        super(TacticError, self).__init__("%s: %s, %s", name, verdict, self.problem)
        self.args = (name, verdict, template) + values


class ModelMismatchError(MahjongError):
    """Reports weights that do not belong to this version of the observation or of the network."""
