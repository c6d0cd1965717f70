"""The errors of the project: one family. Each message says what was expected, what came and where."""


class MahjongError(ValueError):
    """Base of every error that bad input can raise; a caller may catch only this one."""


class InvalidTileError(MahjongError):
    """A tile name or index that is none of the 34 kinds (or 8 flowers), or a fifth copy of one."""


class InvalidHandError(MahjongError):
    """A hand with a wrong number of tiles, or more copies of a tile than there are."""


class IllegalActionError(MahjongError):
    """An action that is malformed or that the rules do not allow here."""


class ProtocolError(MahjongError):
    """A request or response that does not fit Botzone's protocol or the game so far."""


class UnknownTacticError(MahjongError):
    """A tactic name that is not in the registry."""


class TacticError(MahjongError):
    """A tactic that fails. verdict: RE (crash) or TLE (time) as Botzone's, or "illegal action"; problem: text."""

    def __init__(self, name, verdict, problem):
        super(TacticError, self).__init__(name, verdict, problem)
        self.verdict, self.problem = verdict, problem

    def __str__(self):
        return "%s: %s, %s" % self.args


class ModelMismatchError(MahjongError):
    """Weights that do not belong to this version of the encoder or network."""
