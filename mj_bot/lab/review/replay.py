"""The command `replay`: what a tactic would have done at each decision of logged games."""

import argparse
import sys
from collections import Counter
from typing import NamedTuple, Optional

from ...mahjong.action import format_action, parse_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.state import GameState
from ...tactic import DEFAULT_TACTIC, load_tactic, parse_spec
from ..records.formats import HELP
from ..records.source import list_files, read_games

class Decision(NamedTuple):
    """One decision of a transcript."""

    index: int  # of its request
    request: str
    legal: list  # of action tuples
    logged: Optional[tuple]  # action; None where the log ends before the answer
    chosen: tuple  # the tactic's action
    reasons: str  # the tactic's, see tactic/__init__.py, and ranked too
    ranked: list
    state: GameState  # there, until the next decision is asked for


def replay(transcript, tactic):
    """Yields a Decision for each request of a transcript at which there was a choice.

    transcript: table.record.Transcript. tactic: a tactic object, new or fit for a new game.
    Raises ProtocolError, InvalidTileError: where the transcript breaks; the decisions before have been yielded.
    """
    state = GameState()
    for index, request in enumerate(transcript.requests):
        seen = len(state.history)
        state.apply(request)
        if hasattr(tactic, "loading"):
            for player_id, action in state.history[seen:]:
                tactic.loading(state, player_id, action)
        legal = state.action_space()
        response = transcript.responses[index] if index < len(transcript.responses) else None
        if len(legal) > 1:
            chosen = tactic(state)
            logged = _read_logged(response, state)
            yield Decision(index, request, legal, logged, chosen, getattr(tactic, "reasons", ""),
                           getattr(tactic, "ranked", []), state)
        if response is not None:
            state.answer(response)


class Agreement(object):
    """Counts how often the tactic did as the log, by kind of the logged action."""

    def __init__(self):
        self._total = Counter()
        self._same_kind = Counter()
        self._same = Counter()

    def add(self, decision):
        """Counts one decision that the log answers."""
        kind = decision.logged[0]
        self._total[kind] += 1
        self._same_kind[kind] += decision.chosen[0] == kind
        self._same[kind] += decision.chosen == decision.logged

    def format(self):
        """The table as text: decisions, share of the same kind of action, share of the very same action."""
        lines = ["logged    decisions  same kind  same action"]
        for kind in sorted(self._total) + ["all"]:
            counts = [sum(part.values()) if kind == "all" else part[kind]
                      for part in (self._total, self._same_kind, self._same)]
            shares = tuple(100.0 * count / max(1, counts[0]) for count in counts[1:])
            lines.append("%-8s  %9d  %8.1f%%  %10.1f%%" % ((kind, counts[0]) + shares))
        return "\n".join(lines)


def main(argv):
    """The command line; returns its exit code, 2 where a game could not be read."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab replay", description="Shows what a tactic would have done in logged games.",
        epilog=HELP)
    parser.add_argument("paths", nargs="+", metavar="FILE")
    parser.add_argument("--tactic", default=DEFAULT_TACTIC, help="a tactic with its options (%(default)s)")
    parser.add_argument("--seat", type=int, choices=range(4), help="one seat instead of all in the record")
    parser.add_argument("--show", choices=("all", "differences", "none"), default="all",
                        help="which decisions are printed (%(default)s)")
    options = parser.parse_args(argv)
    parse_spec(options.tactic)
    agreement = Agreement()
    broken = 0
    for path in list_files(options.paths):
        for game in read_games(path):
            if game.error:
                broken += 1
                print("%s: %s" % (game.where, game.error), file=sys.stderr)
                continue
            for transcript in game.transcripts:
                if options.seat is None or options.seat == _seat_of(transcript):
                    broken += not _replay_one(transcript, game.where, options, agreement)
    print(agreement.format())
    if broken:
        print("%d transcripts or files could not be read to their end, see above" % broken, file=sys.stderr)
    return 2 if broken else 0


def _replay_one(transcript, where, options, agreement):
    """Replays and prints one transcript; False where it broke."""
    where = "%s seat %s" % (where, _seat_of(transcript))
    try:
        for decision in replay(transcript, load_tactic(options.tactic)):
            is_same = decision.logged == decision.chosen
            if decision.logged is not None:
                agreement.add(decision)
            if options.show == "all" or (options.show == "differences" and not is_same):
                print("%s request %d %r: logged %s, %s chose %s%s" % (
                    where, decision.index, decision.request,
                    format_action(decision.logged) if decision.logged else "nothing", options.tactic,
                    format_action(decision.chosen), "; " + decision.reasons if decision.reasons else ""))
    except MahjongError as error:
        print("%s: %s" % (where, error), file=sys.stderr)
        return False
    return True


def _seat_of(transcript):
    if transcript.seat is not None or not transcript.requests:
        return transcript.seat
    words = str(transcript.requests[0]).split()
    return int(words[1]) if len(words) == 3 and words[1].isdigit() else None


def _read_logged(response, state):
    if response is None:
        return None
    try:
        return parse_action(response, state.win_fan() if response == "HU" else 0)
    except IllegalActionError:
        return None  # state.answer says what is wrong with it
