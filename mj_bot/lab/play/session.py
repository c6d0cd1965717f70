"""The games of one sitting: the state that the browser shows, and the requests that it may send."""

import secrets
import sys
import threading
from dataclasses import dataclass, field
from typing import Optional

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS
from ...mahjong.splitmix import MASK
from ...tactic import REVIEWER, TACTICS
from ..library.sessions import share_places
from ..records.platforms.hands import SESSION_SEATINGS
from ..review.decisions import replay, review_decision
from ..review import JUDGES
from ..table.fan_names import ENGLISH_FANS
from ..table.one_wall import TABLE_RULES
from ..table.players import make_player, make_tactic_player
from ..table.walls import wall_from_seed, wind_from_seed
from ..words import say
from .coach import Coach
from .game import PERSON, PersonGame, find_person
from .past import PastGames

MOST_GAMES = 16


class StaleError(MahjongError):
    """A request for another state of the game than the present one."""


@dataclass
class SeatedMatch:
    """Games in a row with the same players."""

    opponents: list  # 3 specs
    seat: Optional[int] = None  # of the person, None for a new one each game
    games: int = 1
    is_practice: bool = False
    seed: Optional[int] = None  # of the first game, the next games count up; None for any
    rules: str = "botzone"  # one of Session.rules
    counts_fans: bool = False  # whether the person does, see game.PersonGame
    # For each finished game: 4 scores, of the person and of `opponents`.
    scores: list = field(default_factory=list)
    session: str = field(default_factory=lambda: secrets.token_hex(8))  # names the match in the library

    @property
    def totals(self):
        """Sums of the scores, of the person and of `opponents`."""
        return [sum(scores) for scores in zip(*self.scores)] or [0] * SEATS


class Session(object):
    """One match at a time, each game saved when it ends; safe for several threads.

    opponents: specs of the three players of the first match. adviser: spec of the tactic that gives hints; it
    also reviews, but `judges` do where it is the default.
    folder: of the records, which `past`, a PastGames, reads and writes. settings: text of the settings of the rules.
    proposed: the Match that the page proposes.
    There is no game before begin() or resume().
    The browser may choose these opponents and the tactics alone, since a spec may be a command to run.
    Each change of the game raises the sequence number. A request carries the number of the state that it saw, so that
    two tabs cannot act on one state.
    Other rules override the class attributes, read_settings, make_game and advise. `default` is the spec of the
    opponents and of the adviser where the command names none. `rules`: names of the rules that the page offers.
    has_coach: whether the judges value moves in points, so that a coach can stop those that lose many.
    """

    offered = tuple(reversed(TACTICS))
    default = REVIEWER
    judges = JUDGES
    rules = tuple(TABLE_RULES)
    has_coach = True
    fan_names = ENGLISH_FANS
    past_games = PastGames
    load_adviser = staticmethod(make_tactic_player)
    load_opponent = staticmethod(make_player)

    def __init__(self, opponents, adviser, folder, *, settings="", proposed=None):
        self._settings = self.read_settings(settings)
        self._offered = list(dict.fromkeys([*opponents, *self.offered]))
        self._opponents = list(opponents)
        self._adviser = adviser
        self.past = self.past_games(folder, self.judges if adviser == self.default else adviser)
        self._lock = threading.RLock()
        self._sequence = 0
        self._match = proposed or SeatedMatch(list(opponents), rules=self.rules[0])
        self._game = None
        self._order = list(range(SEATS))  # the person, 0, and the opponents of the match, by their distance in seats
        self._seed = None  # of the game's wall, None where it is played on from a record
        self._recorded = None  # the scores of that record
        self._path = None
        self._hint = None
        self._coach = Coach(self.judges)

    def begin(self, seed, seat, is_practice, *, sequence=None, games=1, opponents=None, rules=None, counts_fans=False):
        """Deals the first game of a new match and drops the present one.

        For seed, seat, is_practice and counts_fans see Match. opponents: three offered specs, None for those of the
        sitting. rules: a name of `rules`, None for those of the match before.
        Returns describe(True), as all changes. Raises StaleError, IllegalActionError; sequence None is never stale.
        """
        opponents = self._opponents if opponents is None else opponents
        if len(opponents) != SEATS - 1 or any(spec not in self._offered for spec in opponents):
            raise IllegalActionError("expected three of the opponents %s, got %.200r" % (
                ", ".join(self._offered), opponents))
        if games not in range(1, MOST_GAMES + 1):
            raise IllegalActionError("expected 1 .. %d games, got %r" % (MOST_GAMES, games))
        rules = self._match.rules if rules is None else rules
        if rules not in self.rules:
            raise IllegalActionError("expected rules, one of %s, got %.40r" % (", ".join(self.rules), rules))
        with self._lock:
            self._check(sequence)
            return self._deal(SeatedMatch(list(opponents), seat, games, is_practice, seed, rules, counts_fans))

    def go_on(self, sequence):
        """Deals the next game of the match. Returns describe(). Raises StaleError, IllegalActionError."""
        with self._lock:
            self._check_game(sequence)
            if not self._game.is_over or len(self._match.scores) == self._match.games:
                raise IllegalActionError("expected a game that is over and another to come in the match")
            return self._deal(self._match)

    def resume(self, sequence, name, frame=None, *, seat=None):
        """Continues a past or opened game as a match for practice.

        name: of a game of `past`. frame: the request of a choice of the person, None for the last one. seat: of the
        person, None for the one who played here; at any other seat the opponents are those of the first match.
        Returns describe(). Raises StaleError, IllegalActionError, and errors of the record's players.
        """
        record = self.past.read(name)
        opponents = self._opponents
        if PERSON in record.players and seat in (None, record.players.index(PERSON)):
            seat, opponents = find_person(record)
        elif seat is None:
            raise IllegalActionError("expected the seat from which to play on %s, got none" % name)
        if not set(opponents) <= set(self._offered):
            raise IllegalActionError("expected a game against the opponents %s, got one against %s" % (
                ", ".join(self._offered), ", ".join(opponents)))
        with self._lock:
            self._check(sequence)
            game = self.past.replay(record, frame, seat, opponents=opponents)
            if frame is None:
                game.undo()
            rules = "tziakcha" if getattr(record, "has_one_wall", False) else self.rules[0]
            # A game that breaks off has no scores.
            return self._sit_down(game, SeatedMatch(opponents, seat, is_practice=True, rules=rules), None,
                                  recorded=record.scores)

    def act(self, sequence, text, *, limit=None):
        """Plays an action in Botzone's text. Returns describe(). Raises StaleError, IllegalActionError.

        limit: agreed loss in points above which the coach stops the game, None for no coach. Then the action is not
        played, and the description has the key "stopped", the decision as review/decisions.py describes it.
        """
        with self._lock:
            self._check_game(sequence)
            legal = {format_action(action): action for action in self._game.choices}
            if text not in legal:
                raise IllegalActionError("expected one of the %d legal actions, got %.40r" % (len(legal), text))
            if limit is not None and self.has_coach:
                stopped = self._coach.check(self._sequence, text, limit, lambda: self._judge(text))
                if stopped:
                    return dict(self.describe(), stopped=stopped)
            self._coach.note(self._sequence, text)
            self._game.act(legal[text])
            return self._changed()

    def undo(self, sequence):
        """Takes the latest choice back. Returns describe(). Raises StaleError, IllegalActionError."""
        with self._lock:
            self._check_game(sequence)
            if not self._match.is_practice:
                raise IllegalActionError("expected a game for practice, where a choice may be taken back")
            was_over = self._game.is_over
            self._game.undo()
            if was_over:
                self._match.scores.pop()
            return self._changed()

    def describe(self, whole=False):
        """The state of the game as JSON, with its last frame; whole: with all since the latest choice.

        Keys: sequence, practice; match: {"games", "number" (of this one, from 1; 0 before the first), "opponents",
        "rows" (scores of each game that is over), "rules", "counts_fans", "placing" (standard points for the places
        so far, null by rules without them)}; offered (opponents to choose from), offered_rules, has_coach, opens
        (whether `past` may have opened games), fan_names (in English). Before the first game also proposed: {"seat"
        (-1: any), "seed"}. In a game seat, players (names), can_undo; frames, events, marked, rules, waits (see
        game.py); legal (texts), win_fan (of a legal win, or null, also where the person counts), false_wins (of the
        person), coach (see coach.py); seed (text) and saved (path of the record), both null before the end: the seed
        gives the wall away; recorded (at the end, the scores of the game that was played on, or null).
        """
        with self._lock:
            game, match = self._game, self._match
            state = {
                "sequence": self._sequence, "practice": match.is_practice, "offered": self._offered,
                "opens": self.past.opens_files, "fan_names": self.fan_names,
                "match": {"games": match.games, "number": len(match.scores) + bool(game and not game.is_over),
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

    def hint(self, sequence):
        """The adviser's opinion of the present choice, None without one. Raises StaleError.

        As review/decisions.py describes a decision, with `unit` of the values and `adviser`.
        """
        with self._lock:
            self._check_game(sequence)
            if self._hint is None and self._game.choices:
                self._hint = self.advise()
            return self._hint

    def close(self):
        """Ends the game that is played."""
        if self._game is not None:
            self._game.close()

    def _check(self, sequence):
        if sequence not in (None, self._sequence):
            raise StaleError("expected a request on state %d of the game, got one on %r" % (self._sequence, sequence))

    def _check_game(self, sequence):
        self._check(sequence)
        if self._game is None:
            raise IllegalActionError("expected a game on the table, got none yet")

    def _deal(self, match):
        number = len(match.scores)
        # From the system's randomness: no seed follows from those that were shown before.
        seed = secrets.randbits(64) if match.seed is None else (match.seed + number) & MASK
        seat, order = match.seat, list(range(SEATS))
        if seat is None:
            seat = (self._game.seat + 1) % SEATS if number else secrets.randbelow(SEATS)
        if match.rules == "tziakcha":
            match.seat = seat = match.seat if number else seat  # of the first hand
            seats = SESSION_SEATINGS[number]
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
        return self.describe(True)

    def read_settings(self, text):
        """The settings of a text, for make_game. Raises MahjongError: unknown settings."""
        if text:
            raise MahjongError("expected no settings of these rules, got %r" % text)

    def _list_by_offset(self, values):
        """The values of the four seats, of the person's seat first."""
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

    def make_game(self, seed, seat, opponents, match):
        """The next game of a match, on the wall of a seed. opponents: their specs, the next to play first."""
        flowers = TABLE_RULES[match.rules](seed)
        # A new round begins every four hands.
        wind = wind_from_seed(seed) if flowers is None else len(match.scores) // SEATS % SEATS
        return PersonGame((wall_from_seed(seed), wind), seat, opponents, flowers=flowers, counts_fans=match.counts_fans)

    def advise(self):
        """The adviser's opinion of the present choice, as hint() returns it."""
        player = make_tactic_player(self._adviser)
        transcript = self._game.record.transcripts()[self._game.seat]
        requests = transcript.requests + [self._game.request]
        decision, = replay(transcript._replace(requests=requests), player, first=len(requests) - 1)
        return dict(review_decision(decision), unit=getattr(player.tactic, "value_unit", ""), adviser=self._adviser)

    def _judge(self, text):
        return self._coach.judge(self._game.record.transcripts()[self._game.seat], self._game.request, text)

    def _save(self):
        try:
            self._path = self.past.save(self._game.record, self._path)
        except MahjongError as error:
            self._path = None
            print("play: %s" % say(error), file=sys.stderr)


def _share_places(match):
    """The standard points of the person and the opponents for their places, None by rules without them."""
    totals = match.totals
    return [share_places(total, totals) for total in totals] if match.rules == "tziakcha" and match.scores else None
