"""What a tactic would have done in recorded games, as text."""

import sys
from collections import Counter

from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError, TacticError
from ..records.source import list_files, read_games
from ..table.players import make_tactic_player
from .decisions import replay
from .judges import compare


def replay_paths(paths, tactic, time_limit, *, seat, show):
    """Prints the actions of a tactic at the decisions of games; returns the exit code of `replay`.

    paths: as the user typed them. tactic: spec. time_limit: seconds for an answer of the tactic. seat: 0..3, or None
    for all. show: "all" decisions, "differences" or "none".
    """
    make_tactic_player(tactic, time_limit)
    counts = Counter()
    broken = 0
    for path in list_files(paths, may_read_stdin=True):
        for game in read_games(path):
            if game.error:
                broken += 1
                print("%s: %s" % (game.where, game.error), file=sys.stderr)
            for transcript in game.transcripts:
                if seat in (None, transcript.seat):
                    where = "%s seat %s" % (game.where, transcript.seat)
                    try:
                        _replay_one(transcript, where, tactic, time_limit=time_limit, show=show, counts=counts)
                    except TacticError:
                        raise
                    except MahjongError as error:
                        if not game.error:
                            broken += 1
                            print("%s: %s" % (where, error), file=sys.stderr)
    print(_format_agreement(counts))
    if broken:
        print("%d transcripts or files are broken, see above" % broken, file=sys.stderr)
    return 2 if broken else 0


def _replay_one(transcript, where, tactic, *, time_limit, show, counts):
    """Replays and prints one transcript. counts: of (kind of the logged action, agreement)."""
    for decision in replay(transcript, make_tactic_player(tactic, time_limit)):
        agreement = compare(decision.logged, decision.chosen)
        if agreement:
            counts[decision.logged[0], agreement] += 1
        if show == "all" or (show == "differences" and agreement != "same"):
            print("%s request %d %r: logged %s, %s chose %s%s" % (
                where, decision.index, decision.request,
                format_action(decision.logged) if decision.logged else "nothing", tactic,
                format_action(decision.chosen), "; " + decision.reasons if decision.reasons else ""))


def _format_agreement(counts):
    """A table by kind of the logged action: decisions, shares of the same kind and of the same action."""
    lines = ["logged    decisions  same kind  same action"]
    for kind in sorted({kind for kind, _ in counts}) + ["all"]:
        total, same_kind, same = (
            sum(count for (logged, agreement), count in counts.items()
                if kind in (logged, "all") and agreement in agreements)
            for agreements in (("same", "kind", "other"), ("same", "kind"), ("same",)))
        shares = tuple(100.0 * count / max(1, total) for count in (same_kind, same))
        lines.append("%-8s  %9d  %8.1f%%  %10.1f%%" % ((kind, total) + shares))
    return "\n".join(lines)
