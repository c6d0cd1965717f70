"""Describes games in a row with the same players: who sits where, and the scores so far."""

import secrets
from dataclasses import dataclass, field

from ...mahjong.rules import SEATS
from ...mahjong.splitmix import MASK
from ..library.sessions import share_places
from ..records.platforms.hands import SESSION_SEATINGS
from ..table.record import Record

PERSON = "person"


def find_person(record: Record) -> tuple[int, list[str]]:
    """Returns (seat of the person, names of the opponents from the next to play on) of a record."""
    seat = record.players.index(PERSON)
    return seat, [record.players[(seat + offset) % SEATS] for offset in range(1, SEATS)]


@dataclass
class Deal:
    """Describes one game of a match."""

    seat: int  # of the person
    seed: int | None  # of the wall, None where it is played on from a record
    order: list = field(default_factory=lambda: list(range(SEATS)))  # players by their distance from the person's seat
    path: str | None = None  # of the record that is saved
    recorded: list | None = None  # the scores of the record that is played on


@dataclass
class SeatedMatch:
    """Describes a match. A player is 0, the person, or 1..3, one of `opponents`."""

    opponents: list  # 3 specs
    seat: int | None = None  # of the person, None for a new one each game
    games: int = 1
    is_practice: bool = False
    seed: int | None = None  # of the first game, the next games count up; None for any
    rules: str = "botzone"  # one of TableGame.rules
    counts_fans: bool = False  # whether the person does, see person_game.PersonGame
    scores: list = field(default_factory=list)  # of each finished game: the scores of the players
    session: str = field(default_factory=lambda: secrets.token_hex(8))  # names the match in the library

    @property
    def is_whole(self) -> bool:
        """Checks whether all games of the match are over."""
        return len(self.scores) == self.games

    @property
    def totals(self) -> list[int]:
        """Returns the sums of the scores."""
        return [sum(scores) for scores in zip(*self.scores)] or [0] * SEATS

    def share_places(self) -> list[float] | None:
        """Returns the standard points of the players for their places so far; None by rules without such points."""
        totals = self.totals
        return [share_places(total, totals) for total in totals] if self.rules == "tziakcha" and self.scores else None

    def deal(self, former: Deal | None) -> Deal:
        """Returns the next game. former: the game before, None for the first."""
        played = len(self.scores)
        # From the system's randomness: no seed follows from those that were shown before.
        seed = secrets.randbits(64) if self.seed is None else (self.seed + played) & MASK
        seat = self.seat
        if seat is None:
            seat = (former.seat + 1) % SEATS if played else secrets.randbelow(SEATS)
        if self.rules != "tziakcha":
            return Deal(seat, seed)
        self.seat = seat  # of the first hand
        seats = SESSION_SEATINGS[played]
        place = seats.index(seat)
        return Deal(place, seed, [(seats[(place + offset) % SEATS] - seat) % SEATS for offset in range(SEATS)])

    def list_opponents(self, deal: Deal) -> list[str]:
        """Returns the specs of the opponents in a game, the next to play first."""
        return [self.opponents[player - 1] for player in deal.order[1:]]

    def finish(self, deal: Deal, record: Record) -> None:
        """Adds the scores of a game, and says in its record which hand of a session it is, if it is one."""
        seats = [deal.order[(seat - deal.seat) % SEATS] for seat in range(SEATS)]  # the player of each seat
        if self.games > 1 and isinstance(record, Record):  # other rules have records of their own
            record.origin.update(
                session=self.session, hand=len(self.scores), hands=self.games, seats=seats,
                names=[PERSON, *self.opponents], before=[self.totals[player] for player in seats])
        self.scores.append([record.scores[seats.index(player)] for player in range(SEATS)])
