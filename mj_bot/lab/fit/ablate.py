"""The command `python3 -m mj_bot.lab ablate`: what each part of a tactic is worth."""

import argparse
import os
import shlex
import sys
import time

from ...mahjong.errors import MahjongError
from ..arena.identity import digest_players
from ..run.provenance import find_commit
from .bar import Bar
from .check import describe_interval, format_interval
from .matches import FIGURES, Matches, count_games
from .run_file import write_run
from .tune import refuse_unknown

FORMAT = "mj_bot ablation"
VERSION = 1
# What is left out, and the player without it.
PARTS = {
    "danger": "search:danger=0",
    "fans": "search:fans=0",
    "unseen tiles": "search:unseen=0",
    "claims by value": "search:claims_by_value=0",
    "waits that count eight fan": "search:ready=0",
    "correction": "search:correction=0",
    "next_draws": "search:next_draw=0",
}
_INTERRUPTED = 130
_SCORE, _WINS, _DEAL_INS = (FIGURES.index(name) for name in ("score", "wins", "deal_ins"))


def main(argv):
    """The command `ablate`; returns its exit code, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    parts = dict(options.part) or PARTS
    specs = [options.whole, *parts.values()]
    refuse_unknown(specs + options.against)
    sources = digest_players(specs + options.against)
    opponents = [opponent for opponent in options.against if opponent != options.whole]
    pairs = _list_pairs(options.whole, parts, opponents)
    games = len(pairs) * options.walls * count_games(options.rotations)
    start = time.monotonic()
    try:
        with Bar(games) as bar, \
                Matches(options.seed, options.rotations, sources, options.json and options.json + ".journal",
                        options.workers, bar.show) as matches:
            figures = dict(zip(pairs, matches.play(pairs, 0, options.walls)))
            played, seats = matches.games_played, matches.seats_a_wall
    except KeyboardInterrupt:
        print("ablate: interrupted; %s" % ("the same command goes on from there" if options.json else
              "with --json the games would have been kept"), file=sys.stderr)
        return _INTERRUPTED
    rows = [describe(name, spec, options.whole, opponents, figures, seats)
            for name, spec in [(None, options.whole), *parts.items()]]
    print(format_table(rows, options.whole), end="")
    if options.json:
        write_run(options.json, {
            "format": FORMAT, "version": VERSION, "command": _format_command(options, parts), "commits": find_commit(),
            "sources": sources, "seed": options.seed, "rotations": options.rotations, "walls": options.walls,
            "games": games, "whole": options.whole,
            "rows": rows,
            "measured": {"seconds": round(time.monotonic() - start, 1), "games_played": played,
                         "workers": options.workers},
        })
        print("The table is saved as %s" % options.json, file=sys.stderr)
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab ablate",
        description="Plays a tactic with parts left out against the whole of it and against others, two seats against "
                    "two, at the same walls, and prints a table.",
        epilog="Work that was broken off goes on with the same command where --json names a file.")
    parser.add_argument("--whole", default="search", metavar="PLAYER", help="with all its parts (%(default)s)")
    parser.add_argument("--part", action="append", default=[], type=_parse_part, metavar="NAME=PLAYER",
                        help="a part and the player without it, instead of the list: %s" % ", ".join(
                            "'%s=%s'" % item for item in PARTS.items()))
    parser.add_argument("--against", nargs="*", default=["rule_based"], metavar="PLAYER",
                        help="further opponents (rule_based)")
    parser.add_argument("--walls", type=int, default=500, metavar="N", help="(%(default)s)")
    parser.add_argument("--rotations", type=int, choices=(4, 24), default=4,
                        help="seatings a wall: the short form, or all (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the walls (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the table")
    options = parser.parse_args(argv)
    if options.walls < 1 or options.workers < 1:
        parser.error("expected one wall and one worker or more, got %d and %d" % (options.walls, options.workers))
    if options.json and not os.path.isdir(os.path.dirname(options.json) or "."):
        raise MahjongError("expected a file in a folder that is there, got %r" % options.json)
    return options


def _parse_part(text):
    name, equals, spec = text.partition("=")
    if not name or not spec:
        raise argparse.ArgumentTypeError("expected NAME=PLAYER, got %r" % text)
    return name, spec


def _format_command(options, parts):
    """The command that gives the same, wherever it is run."""
    words = ["python3", "-m", "mj_bot.lab", "ablate", "--whole", options.whole]
    for item in parts.items():
        words += ["--part", "%s=%s" % item]
    words += ["--against", *options.against]
    for name in ("walls", "rotations", "seed"):
        words += ["--" + name, str(getattr(options, name))]
    return shlex.join(words)


def _list_pairs(whole, parts, opponents):
    """All (player, opponent) that play."""
    pairs = [(spec, whole) for spec in parts.values()]
    pairs += [(spec, opponent) for spec in [whole, *parts.values()] for opponent in opponents]
    return list(dict.fromkeys(pairs))


def describe(name, spec, whole, opponents, figures, seats):
    """A row of the table as a dict for JSON.

    name: of the part that is left out; None for the whole. figures: {(player, opponent): int[W, 3]}, see matches.
    seats: that a player holds over the games of a wall.
    The row's `less` is the player's score a game against an opponent less the whole's at the same walls; against the
    whole, which has 0 against itself, the score.
    """
    row = {"left_out": name, "player": spec, "matches": []}
    for opponent in ([whole] if name else []) + opponents:
        own = figures[spec, opponent] / seats
        less = own[:, _SCORE] - (figures[whole, opponent][:, _SCORE] / seats if opponent != whole else 0)
        row["matches"].append({
            "opponent": opponent, "score": describe_interval(own[:, _SCORE]), "less": describe_interval(less),
            "win_rate": round(float(own[:, _WINS].mean()), 4),
            "deal_in_rate": round(float(own[:, _DEAL_INS].mean()), 4),
        })
    # A part earns its place where the player without it loses to the whole.
    row["is_earned"] = None if not name else (row["matches"][0]["score"]["high"] or 0.0) < 0
    return row


def format_table(rows, whole):
    """The rows as a Markdown table: a line for each match."""
    lines = ["| left out | against | points a game | less than %s | wins | deal-ins |" % whole,
             "|---|---|---|---|---|---|"]
    for row in rows:
        for match in row["matches"]:
            lines.append("| %s | %s | %s | %s | %.1f%% | %.1f%% |" % (
                row["left_out"] or "nothing", match["opponent"], format_interval(match["score"]),
                format_interval(match["less"]) if row["left_out"] else "", 100 * match["win_rate"],
                100 * match["deal_in_rate"]))
    return "\n".join(lines) + "\n"
