"""Says what a table needs of the game that is played at it, so that a session knows no rules.

Chinese Standard Mahjong and Guangdong mahjong each have a TableGame and a SeatedGame.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from ...mahjong.errors import IllegalActionError
from ...mahjong.rules import SEATS
from ..table.record import Record
from .seated_match import PERSON, Deal, SeatedMatch


class SeatedGame(object):
    """Plays a game with a person in one seat: takes choices, and takes them back. Subclasses know the rules.

    seat: of the person, 0..3. opponents: specs of the three others, the next to play first.
    names: of the players by seat.
    marked: names of the tiles that the page marks.
    rules: [name, value] of each setting in force that the page tells.
    counts_fans: whether the person counts the fan. false_wins: how many the person has declared.
    choices: action tuples from which the person chooses; [] when the game is over.
    chosen: number of steps before each choice that the person has taken.
    events: all events that the person saw, see page/position.py; the last one of a finished game is END.
    frames: {"event", "position"} since the person's latest choice, the present state last. Positions show what the
    person sees; at the end they show all.
    record: of the game, with its list of steps. is_over: whether the game has ended.

    A subclass also has

        restore(steps)  restores the game after some steps, and goes on to the next choice
        choose(action)  takes the person's choice, and adds to `chosen`
        go_on()         lets the opponents play until the person has a choice or the game is over
        list_waits()    returns {text of a choice: waits of the hand after it} for the choices that leave a ready hand;
                        a wait is [tile name, copies unseen, fan or None, whether by self-draw alone]
        dump()          returns the game so far as JSON, for TableGame.load
    """

    marked = rules = ()
    counts_fans, false_wins = False, 0

    def __init__(self, seat: int, opponents: Sequence[str], steps: Sequence):
        self.seat = seat
        names = [PERSON] + list(opponents)
        self.names = [names[(player_seat - seat) % SEATS] for player_seat in range(SEATS)]
        self.restore(steps)

    def act(self, action: tuple) -> None:
        """Takes one of the choices and goes on to the next choice or the end."""
        self.frames = []
        self.choose(action)
        self.go_on()

    def undo(self) -> None:
        """Takes the person's latest choice back with all later steps. Raises IllegalActionError: there is none."""
        if not self.chosen:
            raise IllegalActionError("expected a choice to take back, got none")
        steps = self.record.steps[:self.chosen[-1]]
        self.close()
        self.restore(steps)

    def show(self, event: dict, position: dict) -> None:
        """Adds an event and the position after it to what the page shows."""
        self.events.append(event)
        self.frames.append({"event": event, "position": position})

    def close(self) -> None:
        """Ends the opponents' processes."""


class TableGame(Protocol):
    """Says what a session and its past games need of a game.

    offered: specs of the tactics that the page offers as opponents. opponent: the usual one.
    judges: specs of those that usually give hints and review. rules: names of the rules that the page offers.
    fan_names: {name of a fan in Chinese: its English name}.
    is_standard: whether it is Chinese Standard Mahjong, which has a coach, a library, and records to open.
    """

    offered: Sequence[str]
    opponent: str
    judges: str
    rules: Sequence[str]
    fan_names: dict[str, str]
    is_standard: bool

    def load_player(self, spec: str) -> Any:
        """Returns a new opponent. Raises UnknownTacticError: there is no such player."""

    def load_adviser(self, judges: str) -> Any:
        """Loads judges that give hints. Raises UnknownTacticError: there is no such player."""

    def deal(self, match: SeatedMatch, deal: Deal) -> SeatedGame:
        """Returns a new game of a match."""

    def load(self, content: dict, seat: int, opponents: Sequence[str]) -> SeatedGame:
        """Returns the game of a SeatedGame.dump(). Raises TypeError, KeyError, ValueError: the content is none."""

    def judge(self, game: SeatedGame, judges: str, text: str | None = None) -> dict:
        """Returns the present choice as judges review it, in the form of review/decisions.py.

        text: the person's action, None for one that is not chosen yet. The result has `unit` of the values and the
        judges' names as `adviser` too. Raises TacticError, UnknownTacticError: a judge fails.
        """

    def format(self, record: Record) -> str:
        """Returns the text of a record, for its file."""

    def parse(self, text: str, name: str) -> Record:
        """Returns the record of a file's text. Raises ValueError: it is no finished game with a person."""

    def replay(self, record: Record, frame: int | None, seat: int, *, opponents: Sequence[str]) -> SeatedGame:
        """Returns the game of a record, continued from a frame; frame None means after the last step.

        seat: of the person. opponents: specs of the three others, the next to play first.
        Raises IllegalActionError: the record cannot be continued from there.
        """

    def review(self, record: Record, judges: str) -> dict:
        """Returns the reviewed game for the page of a game, from the person's seat."""
