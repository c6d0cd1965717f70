"""Keeps the games of one sitting: the state that the browser shows, and the requests that it may send.

The state as JSON:

    sequence        number of the state
    table           id of the server's table, so that a page sees that another server answers
    has_unkept      whether the library could not be written, so that a game or the match is not kept yet
    practice        whether moves can be taken back
    match           {"id", "is_kept" (whether it goes on after a restart), "games", "number" (of this game, from 1;
                    0 before the first), "opponents", "rows" (scores of each game that is over), "rules",
                    "counts_fans", "placing" (standard points for the places so far, null by rules without them)}
    offered         opponents to choose from
    offered_rules   names of rules to choose from
    has_coach       whether there is a coach
    opens           whether the page can open files and links of games
    fan_names       {name of a fan by the judge: its English name}

Before the first game also

    proposed        {"seat" (-1: any), "seed"}

In a game also

    seat, players   the seat of the person; the names of all four players
    can_undo        whether there is a choice to take back
    frames, events, marked, rules, waits    see person_game.py
    legal           texts of the actions
    win_fan         of a legal win; null where there is none, or where the person counts
    false_wins      of the person
    coach           see coach.py
    seed            as text; null before the end, since it gives the wall away, and where a record is played on
    saved           path of the record, null before the end
    recorded        at the end the scores of the game that was played on, or null
"""

import contextlib
import secrets
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS
from ...mahjong.splitmix import MASK
from ...tactic import REVIEWER, TACTICS
from ..library.keeping import GameKeeper
from ..library.kept_matches import list_matches, read_match
from ..library.sessions import share_places
from ..records.platforms.hands import SESSION_SEATINGS
from ..review import JUDGES
from ..review.judges import make_judges
from ..table.fan_names import ENGLISH_FANS
from ..table.one_wall import TABLE_RULES
from ..table.players import make_player
from ..table.walls import wall_from_seed, wind_from_seed
from ..words import say
from .coach import Coach
from .person_game import PERSON, PersonGame, SeatedGame, find_person
from .past import MATCH, PastGames

MOST_GAMES = 16
# What a kept match of another version raises where it is read.
_MISFITS = (AttributeError, LookupError, TypeError, ValueError)


class StaleError(MahjongError):
    """Tells that a request is for another state of the game than the present one."""


@dataclass
class SeatedMatch:
    """Describes games in a row with the same players."""

    opponents: list  # 3 specs
    seat: int | None = None  # of the person, None for a new one each game
    games: int = 1
    is_practice: bool = False
    seed: int | None = None  # of the first game, the next games count up; None for any
    rules: str = "botzone"  # one of Session.rules
    counts_fans: bool = False  # whether the person does, see person_game.PersonGame
    # For each finished game: 4 scores, of the person and of `opponents`.
    scores: list = field(default_factory=list)
    session: str = field(default_factory=lambda: secrets.token_hex(8))  # names the match in the library

    @property
    def is_whole(self) -> bool:
        """Checks whether all games of the match are over."""
        return len(self.scores) == self.games

    @property
    def totals(self) -> list[int]:
        """The sums of the scores, of the person and of `opponents`."""
        return [sum(scores) for scores in zip(*self.scores)] or [0] * SEATS


class Session(object):
    """Plays one match at a time, and saves each game when it ends; safe for several threads.

    opponents: specs of the three players of the first match. adviser: judges that give hints and review the games.
    folder: of the records, which `past`, a PastGames, reads and writes. settings: text of the settings of the rules.
    proposed: the match that the page proposes.
    There is no game before begin() or resume().
    The browser may choose these opponents and the tactics alone, since a spec may be a command to run.
    Each change of the game raises the sequence number. A request carries the number of the state that it saw, so that
    two tabs cannot act on one state.
    Other rules override the class attributes, read_settings, make_game and advise. Where the command names none,
    `default` is the spec of the opponents, and `judges` are the adviser. `rules`: names of the rules that the page
    offers.
    has_coach: whether the judges value moves in points, so that a coach can stop those that lose many.
    keeper: keeps the match after each move, so that continue_match() of another process goes on; None keeps nothing.
    """

    offered = tuple(reversed(TACTICS))
    default = REVIEWER
    judges = JUDGES
    rules = tuple(TABLE_RULES)
    has_coach = True
    fan_names = ENGLISH_FANS
    past_games = PastGames
    game_class = PersonGame
    keeper: GameKeeper | None = None
    load_adviser = staticmethod(make_judges)
    load_opponent = staticmethod(make_player)

    def __init__(
            self, opponents: Sequence[str], adviser: str, folder: str, *, settings: str = "",
            proposed: SeatedMatch | None = None):
        self.settings = self.read_settings(settings)
        self._offered = list(dict.fromkeys([*opponents, *self.offered]))
        self._opponents = list(opponents)
        self.adviser = adviser
        self.past = self.past_games(folder, adviser)
        self._lock = threading.RLock()
        self.table = secrets.token_hex(8)
        self._sequence = 0
        self._match = proposed or SeatedMatch(list(opponents), rules=self.rules[0])
        self._game = None
        self._order = list(range(SEATS))  # the person, 0, and the opponents of the match, by their distance in seats
        self._seed = None  # of the game's wall, None where it is played on from a record
        self._recorded = None  # the scores of that record
        self._path = None
        self._saved = set()  # names of the records of this sitting
        self._hint = None
        self._coach = Coach(self.judges)
        self._adviser = self._coach if adviser == self.judges else Coach(adviser)

    def begin(
            self, seed: int | None, seat: int | None, is_practice: bool, *, sequence: int | None = None,
            **choices: Any) -> dict:
        """Deals the first game of a new match and drops the present one.

        seed: of the first wall, the next games count up; None for any. seat: of the person, None for a new one each
        game. is_practice: whether moves can be taken back.
        sequence: number of the state that the request saw, None for any state.
        choices: the fields games, opponents, rules and counts_fans of a SeatedMatch. Opponents that are left out are
        those of the sitting, and rules those of the match before.
        Returns describe(True).
        Raises StaleError: a request on another state. IllegalActionError: a choice that the page does not offer.
        """
        match = SeatedMatch(**{"opponents": self._opponents, "rules": self._match.rules, **choices},
                            seat=seat, is_practice=is_practice, seed=seed)
        if len(match.opponents) != SEATS - 1 or any(spec not in self._offered for spec in match.opponents):
            raise IllegalActionError("expected three of the opponents %s, got %.200r", ", ".join(self._offered),
                                     match.opponents)
        if match.games not in range(1, MOST_GAMES + 1):
            raise IllegalActionError("expected 1 .. %d games, got %r", MOST_GAMES, match.games)
        if match.rules not in self.rules:
            raise IllegalActionError("expected rules, one of %s, got %.40r", ", ".join(self.rules), match.rules)
        with self._lock:
            self._check(sequence)
            return self._deal(match)

    def go_on(self, sequence: int | None) -> dict:
        """Deals the next game of the match. Returns describe(True).

        sequence: number of the state that the request saw.
        Raises StaleError: a request on another state. IllegalActionError: no game is over, or it was the last one.
        """
        with self._lock:
            self._check_game(sequence)
            if not self._game.is_over or self._match.is_whole:
                raise IllegalActionError("expected a game that is over and another to come in the match")
            return self._deal(self._match)

    def resume(self, sequence: int | None, name: str, frame: int | None = None, *, seat: int | None = None) -> dict:
        """Continues a past or opened game as a match for practice. Returns describe(True).

        sequence: number of the state that the request saw, None for any state.
        name: of a game of `past`. frame: the request of a choice of the person, None for the last one. seat: of the
        person, None for the one who played here; at any other seat the opponents are those of the first match.
        Raises StaleError: a request on another state. IllegalActionError: no such game or frame, or a game whose
        opponents the page does not offer. UnknownTacticError: an opponent that does not exist.
        """
        record = self.past.read(name)
        opponents = self._opponents
        if PERSON in record.players and seat in (None, record.players.index(PERSON)):
            seat, opponents = find_person(record)
        elif seat is None:
            raise IllegalActionError("expected the seat from which to play on %s, got none", name)
        if not set(opponents) <= set(self._offered):
            raise IllegalActionError("expected a game against the opponents %s, got one against %s",
                                     ", ".join(self._offered), ", ".join(opponents))
        with self._lock:
            self._check(sequence)
            game = self.past.replay(record, frame, seat, opponents=opponents)
            if frame is None:
                game.undo()
            rules = "tziakcha" if getattr(record, "has_one_wall", False) else self.rules[0]
            # A game that breaks off has no scores.
            return self._sit_down(game, SeatedMatch(opponents, seat, is_practice=True, rules=rules), None,
                                  recorded=record.scores)

    def continue_match(self, sequence: int | None, name: str) -> dict:
        """Puts a match that is kept on the table, where it is not there already. Returns describe().

        sequence: number of the state that the request saw, None for any state. name: id of the match.
        Raises StaleError: a request on another state. IllegalActionError: no such match, or one of other rules or of
        another version. LibraryError: the library cannot be read. UnknownTacticError: an opponent that does not exist.
        """
        with self._lock:
            if self._game is not None and self._match.session == name:
                return self.describe()
            self._check(sequence)
            kept = self.keeper and self.keeper.library and read_match(self.keeper.library, name)
            if not kept:
                raise IllegalActionError("expected a match that is kept, got %.40r", name)
            former, stops = dict(vars(self)), self._coach.stops
            try:
                self._seat_kept(kept)
                shown = self.describe()
            except _MISFITS as error:
                if self._game is not former["_game"]:
                    self.close()
                vars(self).update(former)
                self._coach.stops = stops
                raise IllegalActionError("expected a match of this version, got another one: %s", error) from error
            if former["_game"] is not None:
                former["_game"].close()
            return shown

    def _seat_kept(self, kept):
        """Puts a match on the table from what the library keeps of it. Raises _MISFITS: it is of another version."""
        if kept["match"]["rules"] not in self.rules:
            raise IllegalActionError("expected rules, one of %s, got %.40r", ", ".join(self.rules),
                                     kept["match"]["rules"])
        self._match = SeatedMatch(**kept["match"])
        self._game = self.game_class.load(kept["game"], kept["seat"], kept["opponents"])
        self._order, self._seed, self._path, self._recorded = (
            kept[key] for key in ("order", "seed", "path", "recorded"))
        self._coach.stops = kept["stops"]
        # Stops of the coach name states of the server that kept the match.
        self._sequence = max(self._sequence, kept["sequence"]) + 1
        self._hint = None

    def list_kept(self) -> list[dict]:
        """Lists the matches that are kept and not on the table, the latest first. Leaves out those of another version.

        A row is {"id", "time" in seconds since 1970, "games", "number" of the present game, "opponents", "rules",
        "total" of the person}.
        """
        if not self.keeper or not self.keeper.library:
            return []
        rows = []
        for name, time, content in list_matches(self.keeper.library):
            if self._game is None or name != self._match.session:
                with contextlib.suppress(*_MISFITS):
                    rows.append({"id": name, "time": time, **_describe_kept(**content)})
        return [row for row in rows if row["rules"] in self.rules]

    def forget_match(self, name: str):
        """Forgets a match that is kept. The one on the table goes on and is kept at its next move."""
        if self.keeper:
            self.keeper.keep_match(name, None)

    def act(self, sequence: int, text: str, *, limit: float | None = None) -> dict:
        """Plays an action. Returns describe(True).

        sequence: number of the state that the request saw. text: the action as Botzone's text.
        limit: expected loss in points above which the coach stops the game, None for no coach. Then the action is not
        played, and the result is describe() with the key "stopped", the decision as review/decisions.py describes it.
        Raises StaleError: a request on another state. IllegalActionError: an action that is not legal.
        """
        with self._lock:
            self._check_game(sequence)
            legal = {format_action(action): action for action in self._game.choices}
            if text not in legal:
                raise IllegalActionError("expected one of the %d legal actions, got %.40r", len(legal), text)
            if limit is not None and self.has_coach:
                stopped = self._coach.check(self._sequence, text, limit, lambda: self._judge(text))
                if stopped:
                    return dict(self.describe(), stopped=stopped)
            self._coach.note(self._sequence, text)
            self._game.act(legal[text])
            return self._changed()

    def undo(self, sequence: int) -> dict:
        """Takes the latest choice back. Returns describe(True).

        sequence: number of the state that the request saw.
        Raises StaleError: a request on another state. IllegalActionError: no choice, or a match without practice.
        """
        with self._lock:
            self._check_game(sequence)
            if not self._match.is_practice:
                raise IllegalActionError("expected a game for practice, where a choice may be taken back")
            was_over = self._game.is_over
            self._game.undo()
            if was_over:
                self._match.scores.pop()
            return self._changed()

    def describe(self, whole: bool = False) -> dict:
        """Returns the state of the game as JSON. whole: with all frames since the latest choice, not the last alone.

        The head of this file lists the keys.
        """
        with self._lock:
            game, match = self._game, self._match
            state = {
                "sequence": self._sequence, "table": self.table, "practice": match.is_practice,
                "has_unkept": bool(self.keeper and self.keeper.problem),
                "offered": self._offered, "opens": self.past.opens_files, "fan_names": self.fan_names,
                "match": {"id": match.session, "is_kept": bool(self.keeper and self.keeper.library),
                          "games": match.games, "number": len(match.scores) + bool(game and not game.is_over),
                          "opponents": match.opponents, "rows": match.scores, "rules": match.rules,
                          "counts_fans": match.counts_fans, "placing": _share_places(match)},
                "offered_rules": self.rules, "has_coach": self.has_coach,
            }
            # Seeds as text: JavaScript's numbers are too small.
            if game is None:
                return dict(state, proposed={"seat": -1 if match.seat is None else match.seat,
                                             "seed": "" if match.seed is None else str(match.seed)})
            wins = [action[1] for action in game.choices if action[0] == "HU"]
            return {
                **state, "coach": self._coach.describe(), "seat": game.seat, "players": game.names,
                "can_undo": match.is_practice and game.can_undo,
                "frames": game.frames[0 if whole else -1:], "events": list(game.events), "marked": game.marked,
                "rules": game.rules, "legal": [format_action(action) for action in game.choices],
                "win_fan": wins[0] if wins and not game.counts_fans else None,
                "false_wins": game.false_wins, "waits": game.list_waits(),
                "seed": str(self._seed) if game.is_over and self._seed is not None else None,
                "saved": self._path if game.is_over else None, "recorded": self._recorded if game.is_over else None,
            }

    def is_of_sitting(self, name: str) -> bool:
        """Checks whether a name, of PastGames.review(), is that of a game of this sitting or of the match's page."""
        page = MATCH + self._match.session
        return name in self._saved or name == page or name.startswith(page + "-")

    def hint(self, sequence: int | None) -> dict | None:
        """Returns the adviser's opinion of the present choice, None without one.

        The opinion is a decision as review/decisions.py describes it, with `unit` of the values and `adviser`.
        sequence: number of the state that the request saw, None for any state.
        Raises StaleError: a request on another state. IllegalActionError: no game yet.
        """
        with self._lock:
            self._check_game(sequence)
            if self._hint is None and self._game.choices:
                self._hint = self.advise(self._game)
            return self._hint

    def close(self):
        """Ends the game that is played."""
        if self._game is not None:
            self._game.close()

    def _check(self, sequence):
        if sequence not in (None, self._sequence):
            raise StaleError("expected a request on state %d of the game, got one on %r", self._sequence, sequence)

    def _check_game(self, sequence):
        self._check(sequence)
        if self._game is None:
            raise IllegalActionError("expected a game on the table, got none yet")

    def _deal(self, match):
        played = len(match.scores)
        # From the system's randomness: no seed follows from those that were shown before.
        seed = secrets.randbits(64) if match.seed is None else (match.seed + played) & MASK
        seat, order = match.seat, list(range(SEATS))
        if seat is None:
            seat = (self._game.seat + 1) % SEATS if played else secrets.randbelow(SEATS)
        if match.rules == "tziakcha":
            match.seat = seat = match.seat if played else seat  # of the first hand
            seats = SESSION_SEATINGS[played]
            order = [(seats[(seats.index(seat) + offset) % SEATS] - seat) % SEATS for offset in range(SEATS)]
            seat = seats.index(seat)
        opponents = [match.opponents[player - 1] for player in order[1:]]
        return self._sit_down(self.make_game(seed, seat, opponents, match), match, seed, order)

    def _sit_down(self, game, match, seed, order=tuple(range(SEATS)), *, recorded=None):
        self.close()
        self._recorded = recorded
        self._game, self._match, self._seed, self._path, self._order = game, match, seed, None, order
        self._coach.clear()
        return self._changed()

    def _changed(self):
        self._sequence += 1
        self._hint = None
        if self._game.is_over:
            self._name_hand(self._game.record)
            by_player = dict(zip(self._order, self._list_by_offset(self._game.record.scores)))
            self._match.scores.append([by_player[player] for player in range(SEATS)])
            self._save()
        self._keep()
        return self.describe(True)

    def _keep(self):
        """Keeps the match until it is over."""
        if not self.keeper:
            return
        game, match = self._game, self._match
        seat = game.names.index(PERSON)
        self.keeper.keep_match(match.session, None if game.is_over and match.is_whole else {
            "match": asdict(match), "game": game.dump(), "is_over": game.is_over, "seat": seat,
            "opponents": [game.names[(seat + offset) % SEATS] for offset in range(1, SEATS)],
            "order": list(self._order), "seed": self._seed, "path": self._path, "recorded": self._recorded,
            "stops": self._coach.stops, "sequence": self._sequence})

    def read_settings(self, text: str) -> Any:
        """Returns the settings of a text, for make_game. Raises MahjongError: unknown settings."""
        if text:
            raise MahjongError("expected no settings of these rules, got %r", text)

    def _list_by_offset(self, values):
        """Returns the values of the four seats, of the person's seat first."""
        return [values[(self._game.seat + offset) % SEATS] for offset in range(SEATS)]

    def _name_hand(self, record):
        """Says in a record which hand of the match it is, where the hands are those of a session."""
        match = self._match
        if match.rules != "tziakcha" or match.games == 1:
            return
        seats = [0] * SEATS  # the player 0..3 of each seat, the person first
        for offset, player in enumerate(self._order):
            seats[(self._game.seat + offset) % SEATS] = player
        record.origin.update(
            session=match.session, hand=len(match.scores), hands=match.games, seats=seats,
            names=[PERSON, *match.opponents], before=[match.totals[player] for player in seats])

    def make_game(self, seed: int, seat: int, opponents: list[str], match: SeatedMatch) -> SeatedGame:
        """Returns the next game of a match, on the wall of a seed.

        seat: of the person. opponents: specs of the three others, the next to play first.
        """
        flowers = TABLE_RULES[match.rules](seed)
        # A new round begins every four hands.
        wind = wind_from_seed(seed) if flowers is None else len(match.scores) // SEATS % SEATS
        return PersonGame((wall_from_seed(seed), wind), seat, opponents, flowers=flowers, counts_fans=match.counts_fans)

    def advise(self, game: SeatedGame) -> dict:
        """Returns the adviser's opinion of the present choice, in the form of hint()."""
        decision = self._adviser.judge(game.record.transcripts()[game.seat], game.request)
        return dict(decision, unit=self._adviser.unit, adviser=self.adviser)

    def _judge(self, text):
        return self._coach.judge(self._game.record.transcripts()[self._game.seat], self._game.request, text)

    def _save(self):
        try:
            self._path = self.past.save(self._game.record, self._path)
            self._saved.add(self._game.record.name)
        except MahjongError as error:
            self._path = None
            print("play: %s" % say(error), file=sys.stderr)


def _describe_kept(match, is_over, **_):
    """Returns the columns of list_kept() that tell of the match. Raises _MISFITS: it is of another version."""
    scores = match["scores"]
    return {"games": match["games"], "opponents": match["opponents"], "number": len(scores) + (not is_over),
            "rules": match["rules"], "total": sum(row[0] for row in scores)}


def _share_places(match):
    """Returns the standard points of the person and the opponents for their places, None by rules without them."""
    totals = match.totals
    return [share_places(total, totals) for total in totals] if match.rules == "tziakcha" and match.scores else None
