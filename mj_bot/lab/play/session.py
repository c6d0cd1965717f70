"""The games of one sitting: what the browser shows, and what it may ask for."""

import os
import shlex
import sys
import threading

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...tactic import load_tactic
from ..records.botzone_log import format_log
from ..review.decisions import replay, review_decision
from ..run.files import write_whole
from ..table.fan_names import ENGLISH_FANS
from .game import PersonGame


class StaleError(MahjongError):
    """A request that was made on another state of the game than the present one."""


def format_review(path, seat):
    """The command that makes a page of a record, from a seat's point of view, for this interpreter."""
    python = os.path.relpath(sys.executable)
    if python.startswith(os.pardir):
        python = sys.executable
    page = os.path.splitext(path)[0] + ".html"
    return shlex.join([python, "-m", "mj_bot.lab", "review", path, "--seat", str(seat), "-o", page])


class Session(object):
    """One game at a time, each saved when it ends; safe for several threads.

    opponents: specs of three players. adviser: spec of the tactic that gives hints. folder: where records go, made when
    the first one does.
    Each change of the game raises the sequence number, and a request for a change has the number that it was made on,
    so that no two tabs can act on the same state.
    """

    def __init__(self, opponents, adviser, folder):
        self._opponents = list(opponents)
        self._adviser = adviser
        self._folder = folder
        self._lock = threading.Lock()
        self._sequence = 0
        self._game = None
        self._is_practice = False
        self._path = None
        self._hint = None

    def begin(self, seed, seat, is_practice, sequence=None):
        """Deals a new game in place of the one that is played.

        seed: of the wall. seat: the person's. is_practice: whether choices may be taken back.
        Returns describe(). Raises StaleError; sequence None passes.
        """
        with self._lock:
            if sequence is not None:
                self._check(sequence)
            game = PersonGame(seed, seat, self._opponents)
            self.close()
            self._game = game
            self._is_practice = is_practice
            self._path = None
            return self._changed()

    def act(self, sequence, text):
        """Plays an action in Botzone's text. Returns describe(). Raises StaleError, IllegalActionError."""
        with self._lock:
            self._check(sequence)
            legal = {format_action(action): action for action in self._game.choices}
            if text not in legal:
                raise IllegalActionError("expected one of the %d legal actions, got %.40r" % (len(legal), text))
            self._game.act(legal[text])
            return self._changed()

    def undo(self, sequence):
        """Takes the latest choice back. Returns describe(). Raises StaleError, IllegalActionError."""
        with self._lock:
            self._check(sequence)
            if not self._is_practice:
                raise IllegalActionError("expected a game for practice, where a choice may be taken back")
            self._game.undo()
            return self._changed()

    def describe(self, whole=False):
        """The state of the game as JSON.

        whole: with the frames since the latest choice; without them only with the last one.

        Keys: sequence, seed, seat, players (names), practice, can_undo; frames, events (see game.py); legal (texts,
        with the fan of a win apart: win_fan or null); fan_names (in English); saved (path of the record), review
        (command that opens it): null before the end.
        """
        with self._lock:
            return self._describe(whole)

    def hint(self, sequence):
        """What the adviser thinks of the present choice, None without one.

        As review/decisions.py describes a decision, with `unit`, what its values are, and `adviser`.
        Raises StaleError.
        """
        with self._lock:
            self._check(sequence)
            if self._hint is None and self._game.choices:
                self._hint = self._advise()
            return self._hint

    def close(self):
        """Ends the game that is played."""
        if self._game is not None:
            self._game.close()

    def _check(self, sequence):
        if sequence != self._sequence:
            raise StaleError("expected a request on state %d of the game, got one on %r" % (self._sequence, sequence))

    def _changed(self):
        self._sequence += 1
        self._hint = None
        if self._game.is_over:
            self._save()
        return self._describe(True)

    def _describe(self, whole):
        game = self._game
        wins = [action[1] for action in game.choices if action[0] == "HU"]
        path = self._path if game.is_over else None
        return {
            "sequence": self._sequence,
            "seed": str(game.seed),  # may be more than a number of JavaScript holds
            "seat": game.seat,
            "players": game.names,
            "practice": self._is_practice,
            "can_undo": self._is_practice and game.can_undo,
            "frames": game.frames[0 if whole else -1:],
            "events": list(game.events),
            "legal": [format_action(action) for action in game.choices],
            "win_fan": wins[0] if wins else None,
            "fan_names": {name: ENGLISH_FANS.get(name, name) for _, _, name in game.events[-1].get("fans", [])},
            "saved": path,
            "review": path and format_review(path, game.seat),
        }

    def _advise(self):
        tactic = load_tactic(self._adviser)
        transcript = self._game.record.transcripts()[self._game.seat]
        past = len(transcript.requests)
        transcript = transcript._replace(requests=transcript.requests + [self._game.request])
        decision, = replay(transcript, tactic, past)
        return dict(review_decision(decision), unit=getattr(tactic, "value_unit", ""), adviser=self._adviser)

    def _save(self):
        try:
            if self._path is None:
                os.makedirs(self._folder, exist_ok=True)
                number = 1
                while os.path.exists(self._path_of(number)):
                    number += 1
                self._path = self._path_of(number)
            self._game.record.name = os.path.basename(self._path)[:-len(".json")]
            write_whole(self._path, format_log(self._game.record))
        except (OSError, MahjongError) as error:
            self._path = None
            print("play: expected room for the record in %r: %s" % (self._folder, error), file=sys.stderr)

    def _path_of(self, number):
        return os.path.join(self._folder, "game-%d.json" % number)
