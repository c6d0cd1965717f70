"""Keeps the games of one sitting: the state that the browser shows, and the requests that it may send.

The state as JSON:

    sequence, table  number of the state; id of the server's table, so that a page sees that another server answers
    has_unkept      whether the library could not be written, so that a game or the match is not kept yet
    practice        whether moves can be taken back
    match           {"id", "is_kept" (whether it goes on after a restart), "games", "number" (of this game, from 1;
                    0 before the first), "opponents", "rows" (scores of each game that is over), "rules",
                    "counts_fans", "placing" (standard points for the places so far, null by rules without them)}
    offered, offered_rules  opponents, and names of rules, to choose from
    is_standard     whether the game is Chinese Standard Mahjong, which has a coach, a library and files to open
    fan_names       {name of a fan by the judge: its English name}

Before the first game also

    proposed        {"seat" (-1: any), "seed"}

In a game also

    seat, players   the seat of the person; the names of all four players
    can_undo        whether there is a choice to take back
    frames, events, marked, rules, waits    see table_game.py
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
from dataclasses import asdict, fields, replace
from typing import Any

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS
from ..library.keeping import GameKeeper
from ..words import say
from .coach import Coach
from .past import MATCH, PastGames
from .person_game import StandardGame
from .seated_match import PERSON, Deal, SeatedMatch, find_person
from .table_game import SeatedGame, TableGame

MOST_GAMES = 16
# What a kept match of another version raises where it is read.
_MISFITS = (AttributeError, LookupError, TypeError, ValueError)


class StaleError(MahjongError):
    """Tells that a request is for another state of the game than the present one."""


class Session(object):
    """Plays one match at a time, and saves each game when it ends; safe for several threads.

    opponents: specs of the three players of the first match. The browser may choose these and the game's tactics alone,
    since a spec may be a command to run. adviser: judges that give hints and review the games.
    folder: of the records, which `past`, a PastGames, reads and writes. game: what is played, None for Chinese Standard
    Mahjong. proposed: the match that the page proposes. There is no game before begin() or resume().
    Each change of the game raises the sequence number. A request carries the number of the state that it saw, None for
    any, so that two tabs cannot act on one state. Requests raise StaleError for another state than the present one, and
    return describe(True).
    keeper: keeps the match after each move, so that continue_match() of another process goes on; None keeps nothing.
    """

    keeper: GameKeeper | None = None

    def __init__(
            self, opponents: Sequence[str], adviser: str, folder: str, *, game: TableGame | None = None,
            proposed: SeatedMatch | None = None):
        self.table_game = game = game or StandardGame()
        self._offered = list(dict.fromkeys([*opponents, *game.offered]))
        self._opponents = list(opponents)
        self.adviser = adviser
        self.past = PastGames(folder, adviser, game)
        self._lock = threading.RLock()
        self.table = secrets.token_hex(8)
        self._sequence = 0
        self._match = proposed or SeatedMatch(list(opponents), rules=game.rules[0])
        self._game = self._deal = self._hint = None
        self._saved = set()  # names of the records of this sitting
        self._coach = Coach()

    def begin(
            self, seed: int | None, seat: int | None, is_practice: bool, *, sequence: int | None = None,
            **choices: Any) -> dict:
        """Deals the first game of a new match and drops the present one.

        seed, seat, is_practice, choices: of a SeatedMatch. Opponents that are left out are those of the sitting, and
        rules those of the match before. Raises IllegalActionError: a choice that the page does not offer.
        """
        match = SeatedMatch(**{"opponents": self._opponents, "rules": self._match.rules, **choices},
                            seat=seat, is_practice=is_practice, seed=seed)
        self._check_match(match)
        with self._lock:
            self._check(sequence)
            return self._deal_next(match)

    def go_on(self, sequence: int | None) -> dict:
        """Deals the next game of the match. Raises IllegalActionError: no game is over, or it was the last one."""
        with self._lock:
            self._check_game(sequence)
            if not self._game.is_over or self._match.is_whole:
                raise IllegalActionError("expected a game that is over and another to come in the match")
            return self._deal_next(self._match)

    def resume(self, sequence: int | None, name: str, frame: int | None = None, *, seat: int | None = None) -> dict:
        """Continues a past or opened game as a match for practice.

        name: of a game of `past`. frame: the request of a choice of the person, None for the last one. seat: of the
        person, None for the one who played here; at any other seat the opponents are those of the first match.
        Raises IllegalActionError: no such game or frame, or a game whose opponents the page does not offer.
        UnknownTacticError: an opponent that does not exist.
        """
        record = self.past.read(name)
        opponents = self._opponents
        if PERSON in record.players and seat in (None, record.players.index(PERSON)):
            seat, opponents = find_person(record)
        elif seat is None:
            raise IllegalActionError("expected the seat from which to play on %s, got none", name)
        rules = "tziakcha" if getattr(record, "has_one_wall", False) else self.table_game.rules[0]
        match = SeatedMatch(opponents, seat, is_practice=True, rules=rules)
        self._check_match(match)
        with self._lock:
            self._check(sequence)
            game = self.table_game.replay(record, frame, seat, opponents=opponents)
            if frame is None:
                game.undo()
            # A game that breaks off has no scores.
            return self._sit_down(game, match, Deal(seat, None, recorded=record.scores))

    def continue_match(self, sequence: int | None, name: str) -> dict:
        """Puts a match that is kept on the table, where it is not there already. Returns describe().

        name: id of the match.
        Raises IllegalActionError: no such match, one that the page does not offer, since an opponent may be a command
        to run, or one of another version. LibraryError: the library cannot be read.
        """
        with self._lock:
            if self._game is not None and self._match.session == name:
                return self.describe()
            self._check(sequence)
            library = self.keeper and self.keeper.library
            _, kept = library and library.list_matches().get(name) or (None, None)
            if not kept:
                raise IllegalActionError("expected a match that is kept, got %.40r", name)
            try:
                match, coach = SeatedMatch(**kept["match"]), Coach(kept["stops"])
                self._check_match(match)
                deal = Deal(**{field.name: kept[field.name] for field in fields(Deal)})
                if deal.seat not in range(SEATS) or sorted(deal.order) != [*range(SEATS)]:
                    raise ValueError("%r" % deal)
                # Stops of the coach name states of the server that kept the match.
                sequence = max(self._sequence, kept["sequence"]) + 1
                coach.describe(), match.share_places()  # noqa: B018  these read all that describe() reads
                game = self.table_game.load(kept["game"], deal.seat, match.list_opponents(deal))
            except _MISFITS as error:
                raise IllegalActionError("expected a match of this version, got another one: %s", error) from error
            self.close()
            self._game, self._match, self._deal, self._coach, self._hint = game, match, deal, coach, None
            self._sequence = sequence
            return self.describe()

    def list_kept(self) -> list[dict]:
        """Lists the matches that are kept and not on the table, the latest first. Leaves out those of another version.

        A row is {"id", "time" in seconds since 1970, "games", "number" of the present game, "opponents", "rules",
        "total" of the person}.
        """
        rows, library = [], self.keeper and self.keeper.library
        for name, (time, content) in library.list_matches().items() if library else ():
            if self._game is None or name != self._match.session:
                with contextlib.suppress(*_MISFITS):
                    rows.append({"id": name, "time": time, **_describe_kept(**content)})
        return [row for row in rows if row["rules"] in self.table_game.rules]

    def forget_match(self, name: str) -> None:
        """Forgets a match that is kept. The one on the table goes on and is kept at its next move."""
        if self.keeper:
            self.keeper.keep_match(name, None)

    def act(self, sequence: int, text: str, *, limit: float | None = None) -> dict:
        """Plays an action.

        text: the action as Botzone's text.
        limit: expected loss in points above which the coach stops the game, None for no coach. Then the action is not
        played, and the result is describe() with the key "stopped", the decision as review/decisions.py describes it.
        Raises IllegalActionError: an action that is not legal.
        """
        with self._lock:
            self._check_game(sequence)
            legal = {format_action(action): action for action in self._game.choices}
            if text not in legal:
                raise IllegalActionError("expected one of the %d legal actions, got %.40r", len(legal), text)
            if limit is not None and self.table_game.is_standard:
                decision = self.table_game.judge(self._game, self.table_game.judges, text)
                if self._coach.check(self._sequence, decision, limit):
                    return dict(self.describe(), stopped=decision)
            self._coach.note(self._sequence, text)
            self._game.act(legal[text])
            return self._changed()

    def undo(self, sequence: int) -> dict:
        """Takes the latest choice back. Raises IllegalActionError: there is none, or the match is not for practice."""
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
        """Returns the state of the game as JSON. whole: with all frames since the latest choice, not the last alone."""
        with self._lock:
            game, match, deal = self._game, self._match, self._deal
            state = {
                "sequence": self._sequence, "table": self.table, "practice": match.is_practice,
                "has_unkept": bool(self.keeper and self.keeper.problem), "offered": self._offered,
                "offered_rules": self.table_game.rules, "is_standard": self.table_game.is_standard,
                "fan_names": self.table_game.fan_names,
                "match": {"id": match.session, "is_kept": bool(self.keeper and self.keeper.library),
                          "games": match.games, "number": len(match.scores) + bool(game and not game.is_over),
                          "opponents": match.opponents, "rows": match.scores, "rules": match.rules,
                          "counts_fans": match.counts_fans, "placing": match.share_places()},
            }
            # Seeds as text: JavaScript's numbers are too small.
            if game is None:
                return dict(state, proposed={"seat": -1 if match.seat is None else match.seat,
                                             "seed": "" if match.seed is None else str(match.seed)})
            wins = [action[1] for action in game.choices if action[0] == "HU"]
            shown = deal if game.is_over else Deal(deal.seat, None)
            return {
                **state, "coach": self._coach.describe(), "seat": game.seat, "players": game.names,
                "can_undo": match.is_practice and bool(game.chosen),
                "frames": game.frames[0 if whole else -1:], "events": list(game.events), "marked": game.marked,
                "rules": game.rules, "legal": [format_action(action) for action in game.choices],
                "win_fan": wins[0] if wins and not game.counts_fans else None,
                "false_wins": game.false_wins, "waits": game.list_waits(),
                "seed": None if shown.seed is None else str(shown.seed), "saved": shown.path,
                "recorded": shown.recorded,
            }

    def is_of_sitting(self, name: str) -> bool:
        """Checks whether a name, of PastGames.review(), is that of a game of this sitting or of the match's page."""
        page = MATCH + self._match.session
        return name in self._saved or name == page or name.startswith(page + "-")

    def hint(self, sequence: int | None) -> dict | None:
        """Returns the adviser's opinion of the present choice, None without one.

        The opinion is a decision as review/decisions.py describes it, with `unit` of the values and `adviser`.
        Raises IllegalActionError: no game yet.
        """
        with self._lock:
            self._check_game(sequence)
            if self._hint is None and self._game.choices:
                self._hint = self.table_game.judge(self._game, self.adviser)
            return self._hint

    def close(self) -> None:
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

    def _check_match(self, match):
        if match.rules not in self.table_game.rules:
            raise IllegalActionError("expected rules, one of %s, got %.40r", ", ".join(self.table_game.rules),
                                     match.rules)
        if len(match.opponents) != SEATS - 1 or any(spec not in self._offered for spec in match.opponents):
            raise IllegalActionError("expected three of the opponents %s, got %.200r", ", ".join(self._offered),
                                     match.opponents)
        if match.games not in range(1, MOST_GAMES + 1):
            raise IllegalActionError("expected 1 .. %d games, got %r", MOST_GAMES, match.games)

    def _deal_next(self, match):
        deal = match.deal(self._deal)
        return self._sit_down(self.table_game.deal(match, deal), match, deal)

    def _sit_down(self, game: SeatedGame, match: SeatedMatch, deal: Deal) -> dict:
        self.close()
        self._game, self._match, self._deal, self._coach = game, match, deal, Coach()
        return self._changed()

    def _changed(self):
        self._sequence += 1
        self._hint = None
        if self._game.is_over:
            self._match.finish(self._deal, self._game.record)
            self._save()
        self._keep()
        return self.describe(True)

    def _keep(self):
        """Keeps the match until it is over."""
        if not self.keeper:
            return
        game, match = self._game, self._match
        self.keeper.keep_match(match.session, None if game.is_over and match.is_whole else {
            **asdict(self._deal), "match": asdict(match), "game": game.dump(), "is_over": game.is_over,
            "stops": self._coach.stops, "sequence": self._sequence})

    def _save(self):
        path = None
        try:
            path = self.past.save(self._game.record, self._deal.path)
            self._saved.add(self._game.record.name)
        except MahjongError as error:
            print("play: %s" % say(error), file=sys.stderr)
        self._deal = replace(self._deal, path=path)


def _describe_kept(match, is_over, **_):
    """Returns the columns of list_kept() that tell of the match. Raises _MISFITS: it is of another version."""
    scores = match["scores"]
    return {"games": match["games"], "opponents": match["opponents"], "number": len(scores) + (not is_over),
            "rules": match["rules"], "total": sum(row[0] for row in scores)}
