"""Tells what a tactic would have done in recorded games, next to the log or to a second tactic."""

import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, Optional

from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError, TacticError
from ...mahjong.state import GameState
from ..records.source import ReadGame, list_named_files, pick_game, read_named_games
from ..run.progress import Progress
from ..table.players import TacticPlayer, make_tactic_player
from ..table.record import Transcript
from .decisions import JudgedDecision, replay
from .judges import grade_agreement, is_reusable, join_units


class ReplayOptions(NamedTuple):
    """Names which decisions `replay` compares and what it prints."""

    against: Optional[str] = None  # spec of a second tactic; None to compare with the log
    seat: Optional[int] = None  # 0..3, to replay alone; None for all
    game_number: Optional[int] = None  # of the game to replay alone, from 1 on; None for all
    show: str = "all"  # or "differences" or "none"


def replay_paths(
        paths: list[str], tactic: str, time_limit: Optional[float], *, write_hand: Callable[[GameState], str],
        options: ReplayOptions) -> int:
    """Prints the actions of a tactic at the decisions of games; returns the exit code of `replay`.

    paths: as the user typed them: files, folders, links, or "file:line" of one game. tactic: spec. time_limit: seconds
    for an answer of a tactic. write_hand: returns the text of the hand of a state.
    """
    games = read_named_games(list_named_files(paths))
    if options.game_number is not None:
        games = iter([pick_game(games, options.game_number)])
    with Progress(None, " decisions", leave=False, disable=None) as bar:
        comparison = _Comparison([tactic, *filter(None, [options.against])], time_limit, write_hand=write_hand, bar=bar,
                                 is_shown=options.show == "all")
        for game in games:
            comparison.replay_game(game, options.seat)
    if options.show == "differences":
        comparison.print_differences()
    print(comparison.format_counts())
    if comparison.broken:
        print("%d transcripts or files are broken, see above" % comparison.broken, file=sys.stderr)
    return 2 if comparison.broken else 0


class _Comparison:
    """Counts where a tactic decides as another tactic or the record does, and keeps where it does not.

    broken: number of games and transcripts that cannot be read.
    """

    def __init__(self, specs: list[str], time_limit: Optional[float], *, write_hand: Callable[[GameState], str],
                 bar: Progress, is_shown: bool):
        self._specs, self._time_limit, self._write_hand = specs, time_limit, write_hand
        self._bar, self._is_shown = bar, is_shown
        self._counts = Counter()  # of (kind of the other action, agreement)
        self._differences = []  # (loss, line)
        self._players = self._make_players()
        self._unit = join_units(self._players[-1:])
        self.broken = 0

    def _make_players(self) -> list[TacticPlayer]:
        return [make_tactic_player(spec, self._time_limit) for spec in self._specs]

    def replay_game(self, game: ReadGame, seat: Optional[int]) -> None:
        """Replays the transcripts of a game, and prints what breaks. seat: 0..3 to replay alone, None for all."""
        if game.error:
            self._tell("%s: %s" % (game.where, game.error))
        for transcript in game.transcripts:
            try:
                if seat in (None, transcript.seat):
                    self._replay_one(transcript, game.where)
            except TacticError:
                raise
            except MahjongError as error:
                if not game.error:
                    self._tell("%s seat %s: %s" % (game.where, transcript.seat, error))

    def _tell(self, problem: str) -> None:
        self.broken += 1
        self._bar.write(problem, file=sys.stderr)

    def _replay_one(self, transcript: Transcript, where: str) -> None:
        """Replays a transcript, and prints a line for each decision if lines are shown."""
        if not all(is_reusable(player.tactic) for player in self._players):
            self._players = self._make_players()
        for decisions in zip(*[replay(transcript, player) for player in self._players]):
            self._bar.update()
            first = decisions[0]
            other = decisions[1].chosen if len(decisions) > 1 else first.logged
            agreement = grade_agreement(other, first.chosen)
            if agreement:
                self._counts[other[0], agreement] += 1
            if agreement == "same" and not self._is_shown:
                continue
            loss, line = self._describe(decisions, other)
            line = "%s seat %s %s" % (where, transcript.seat, line)
            if self._is_shown:
                self._bar.write(line + ("; " + first.reasons if first.reasons else ""))
            else:
                self._differences.append((loss, line))

    def _describe(self, decisions: tuple[JudgedDecision, ...], other: Optional[tuple]) -> tuple[Optional[float], str]:
        """Returns (loss, line) of a decision. other: the action of the second tactic, or of the record."""
        first = decisions[0]
        actions = [action and format_action(action) for action in (first.chosen, other)]
        line = "request %d %r, hand %s: logged %s" % (
            first.index, first.request, self._write_hand(first.state),
            format_action(first.logged) if first.logged else "nothing")
        for spec, action, decision in zip(self._specs, actions, decisions):
            line += ", %s chose %s" % (spec, action)
            values = list(map(dict(decision.ranked).get, (first.chosen, other)))
            if actions[0] != actions[1] and values != [None, None]:
                line += " (%s)" % ", ".join("%s %s" % (name, "-" if value is None else "%+.2f" % value)
                                            for name, value in zip(actions, values) if name)
        # With a second tactic its action is taken as the better one.
        better, worse = values[::-1 if len(decisions) > 1 else 1]
        loss = None if None in (better, worse) else max(0.0, better - worse)
        if loss:
            line += ", loss %.2f%s" % (loss, " " + self._unit if self._unit else "")
        return loss, line

    def print_differences(self) -> None:
        """Prints a line for each difference, the greatest loss first."""
        for _, line in sorted(self._differences, key=lambda entry: 1.0 if entry[0] is None else -entry[0]):
            print(line)

    def format_counts(self) -> str:
        """Returns a table by kind of the other action: decisions, shares of the same kind and of the same action."""
        head = "logged" if len(self._specs) == 1 else self._specs[1]
        width = max(8, len(head))
        lines = ["%-*s  decisions  same kind  same action" % (width, head)]
        for verb in sorted({verb for verb, _ in self._counts}) + ["all"]:
            total, same_kind, same = (
                sum(count for (name, agreement), count in self._counts.items()
                    if verb in (name, "all") and agreement in agreements)
                for agreements in (("same", "kind", "other"), ("same", "kind"), ("same",)))
            shares = tuple(100.0 * count / max(1, total) for count in (same_kind, same))
            lines.append("%-*s  %9d  %8.1f%%  %10.1f%%" % ((width, verb, total) + shares))
        return "\n".join(lines)
