"""Tells what a tactic would have done in recorded games, next to the log or to a second tactic, as text and as JSON."""

import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, Optional, TypedDict

from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError, TacticError
from ...mahjong.state import GameState
from ..records.source import ReadGame, list_named_files, pick_game, read_named_games
from ..run.files import check_output, write_json
from ..run.options import STDOUT
from ..run.progress import Progress
from ..table.players import TacticPlayer, make_tactic_player
from ..table.record import Transcript
from .decisions import JudgedDecision, replay
from .judges import grade_agreement, is_reusable, join_units


_AGREEMENTS = ("same", "kind", "other")  # of grade_agreement


class ReplayOptions(NamedTuple):
    """Names which decisions `replay` compares and what it prints."""

    against: Optional[str] = None  # spec of a second tactic; None to compare with the log
    seat: Optional[int] = None  # 0..3, to replay alone; None for all
    game_number: Optional[int] = None  # of the game to replay alone, from 1 on; None for all
    show: str = "all"  # or "differences" or "none"
    json_path: Optional[str] = None  # STDOUT to print the JSON in place of the text


class Difference(TypedDict):
    """Keeps a decision where the tactic and the log, or a second tactic, disagree."""

    where: str  # The game as `replay` takes it.
    seat: int
    request: int  # Index of the request.
    received: str  # The request.
    hand: str  # The hand with its melds, winds and, before a discard, the drawn tile.
    logged: Optional[str]  # The game's action.
    chosen: str  # The tactic's action.
    other: Optional[str]  # The action of the second tactic, or of the record.
    points: dict  # {tactic: [points of chosen, points of other]}, None for a tactic without any.
    # What `chosen` loses against `other` by the points of the second tactic, or what the logged action loses against
    # `chosen` by the points of the tactic; None without points of both actions.
    loss: Optional[float]


class ComparisonCounts(TypedDict):
    """Keeps a comparison, the JSON of `replay`."""

    tactic: str
    against: Optional[str]  # The second tactic; None for the log.
    decisions: int  # Decisions where both actions are known.
    same: int  # Decisions where both actions agree.
    unit: str  # Of the losses.
    differences: list[Difference]  # The greatest loss first.


def replay_paths(
        paths: list[str], tactic: str, time_limit: Optional[float], *, write_hand: Callable[[GameState], str],
        options: ReplayOptions) -> int:
    """Prints the actions of a tactic at the decisions of games; returns the exit code of `replay`.

    paths: as the user typed them: files, folders, links, or "file:line" of one game. tactic: spec. time_limit: seconds
    for an answer of a tactic. write_hand: returns the text of the hand of a state.
    """
    check_output(options.json_path)
    games = read_named_games(list_named_files(paths))
    if options.game_number is not None:
        games = iter([pick_game(games, options.game_number)])
    is_printed = options.json_path != STDOUT
    with Progress(None, " decisions", leave=False, disable=None) as bar:
        comparison = _Comparison([tactic, *filter(None, [options.against])], time_limit, write_hand=write_hand, bar=bar,
                                 is_shown=is_printed and options.show == "all")
        for game in games:
            comparison.replay_game(game, options.seat)
    result = comparison.describe()
    if is_printed:
        lines = map(comparison.format_difference, result["differences"] if options.show == "differences" else ())
        print(*lines, comparison.format_counts(), sep="\n")
    write_json(options.json_path, result)
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
        self._counts = Counter()  # of (kind of the other action or "all", agreement)
        self._differences = []
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
                self._counts.update([(other[0], agreement), ("all", agreement)])
            difference = self._describe(decisions, other, where=where, seat=transcript.seat)
            if agreement != "same":
                self._differences.append(difference)
            if self._is_shown:
                self._bar.write(self.format_difference(difference) + ("; " + first.reasons if first.reasons else ""))

    def _describe(self, decisions: tuple[JudgedDecision, ...], other: Optional[tuple], *, where: str,
                  seat: int) -> Difference:
        """Returns what differs at a decision. other: the action of the second tactic, or of the record."""
        first = decisions[0]
        points = {spec: [value if value is None else round(value, 4)
                         for value in map(dict(decision.ranked).get, (first.chosen, other))]
                  for spec, decision in zip(self._specs, decisions)}
        # With a second tactic its action is taken as the better one.
        better, worse = points[self._specs[-1]][::-1 if len(decisions) > 1 else 1]
        loss = None if None in (better, worse) else max(0.0, round(better - worse, 4))
        return {"where": where, "seat": seat, "request": first.index, "received": first.request,
                "hand": self._write_hand(first.state), "logged": first.logged and format_action(first.logged),
                "chosen": format_action(first.chosen), "other": other and format_action(other),
                "points": {spec: None if pair == [None, None] else pair for spec, pair in points.items()},
                "loss": loss}

    def describe(self) -> ComparisonCounts:
        """Returns the JSON of the comparison."""
        ranked = sorted(self._differences, key=lambda entry: -1.0 if entry["loss"] is None else entry["loss"],
                        reverse=True)
        return {"tactic": self._specs[0], "against": self._specs[1] if len(self._specs) > 1 else None,
                "decisions": sum(self._counts["all", agreement] for agreement in _AGREEMENTS),
                "same": self._counts["all", "same"], "unit": self._unit, "differences": ranked}

    def format_difference(self, entry: Difference) -> str:
        """Returns the line of an entry of "differences"."""
        text = "%s seat %s request %d %r, hand %s: logged %s" % (
            entry["where"], entry["seat"], entry["request"], entry["received"], entry["hand"],
            entry["logged"] or "nothing")
        actions = (entry["chosen"], entry["other"])
        for spec, action in zip(self._specs, actions):
            text += ", %s chose %s" % (spec, action)
            values = entry["points"][spec]
            if values and actions[0] != actions[1]:
                text += " (%s)" % ", ".join("%s %s" % (name, "-" if value is None else "%+.2f" % value)
                                            for name, value in zip(actions, values) if name)
        if entry["loss"]:
            text += ", loss %.2f%s" % (entry["loss"], " " + self._unit if self._unit else "")
        return text

    def format_counts(self) -> str:
        """Returns a table by kind of the other action: decisions, shares of the same kind and of the same action."""
        head = "logged" if len(self._specs) == 1 else self._specs[1]
        width = max(8, len(head))
        lines = ["%-*s  decisions  same kind  same action" % (width, head)]
        for verb in sorted({verb for verb, _ in self._counts} - {"all"}) + ["all"]:
            same, kind, other = (self._counts[verb, agreement] for agreement in _AGREEMENTS)
            total = same + kind + other
            lines.append("%-*s  %9d  %8.1f%%  %10.1f%%" % (
                width, verb, total, 100 * (same + kind) / max(1, total), 100 * same / max(1, total)))
        return "\n".join(lines)
