"""The command `referee`: one game in the terminal, under the judge's rules."""

import argparse
from functools import partial

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..records.botzone_log import format_log
from ..run.command import check_fan_counter, parse_time
from ..run.files import check_output, expect_readable, read_text, write_whole
from ..table.board import NAME_WIDTH, format_board, format_event, format_result
from ..table.match import play_game
from ..table.players import TIME_LIMIT, make_player, shorten
from ..table.walls import check_wall, wall_from_seed, wind_from_seed


def print_step(names, is_full, referee):
    """Prints a game while it is played: a line an action, the table every round of turns, and the result.

    names: of the four players, in NAME_WIDTH characters. is_full: the table after every action.
    """
    if referee.is_over:
        print("\n%s\n\n%s" % (format_board(referee, names), format_result(referee, names)), flush=True)
        return
    line = format_event(referee, names)
    if line:
        print(line, flush=True)
    is_round = referee.turn == 0 and referee.event == ("DRAW",)
    if referee.event and (is_round or (is_full and line)):
        print("\n%s\n" % format_board(referee, names), flush=True)


def summarise(record):
    """A table of the seats: name, score, decisions, times, memory and failures."""
    lines = ["seat  player                    score  turns  ms p50  ms max  MB max  verdicts"]
    for seat, name in enumerate(record.players):
        answers = [step.answers[seat] for step in record.steps]
        times = sorted(answer.milliseconds for answer in answers)
        failures = sorted({answer.verdict for answer in answers if answer.verdict != "OK"})
        if not failures and seat == record.closing.get("player") and record.closing["action"] in ("WA", "WH"):
            failures = ["%s (illegal)" % record.closing["action"]]
        lines.append("%4d  %-24s  %+5d  %5d  %6.1f  %6.1f  %6s  %s" % (
            seat, shorten(name, NAME_WIDTH), record.scores[seat], len(answers), times[len(times) // 2], times[-1],
            max(answer.memory_mb for answer in answers) or "-", " ".join(failures) or "OK"))
    return "\n".join(lines)


def main(argv):
    """The command `referee`; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="mj-bot referee", description="Plays one game under the judge's rules.",
        epilog="A player is a tactic (random:seed=3) or an outside bot as PROTOCOL:COMMAND, with PROTOCOL one of json, "
               "json-keep, simplified, simplified-keep (keep: the bot keeps running).")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="four: seats east, south, west, north")
    parser.add_argument("--seed", type=int, default=0, help="of the wall (%(default)s)")
    parser.add_argument("--wall", metavar="FILE", help="file with 136 tiles, in place of a seed")
    parser.add_argument("--quan", type=int, choices=range(4), help="prevalent wind (from the seed)")
    parser.add_argument("--log", metavar="FILE", help="write the game as a Botzone log")
    parser.add_argument("--board", choices=("none", "round", "full"), default="round",
                        help="shows no table, one each round or one each action (%(default)s)")
    parser.add_argument("--time-limit", type=parse_time, default=TIME_LIMIT, metavar="S",
                        help="seconds a turn, twice for the first of an outside bot (%(default)s)")
    options = parser.parse_args(argv)
    if len(options.players) != SEATS:
        parser.error("expected four players, got %d" % len(options.players))
    check_fan_counter()
    check_output(options.log)
    wall = wall_from_seed(options.seed)
    if options.wall:
        with expect_readable("a file with a wall, got %r" % options.wall, MahjongError):
            wall = read_text(options.wall).split()
        check_wall(wall, " in " + options.wall)
    wind = wind_from_seed(options.seed) if options.quan is None else options.quan
    players = [make_player(spec, options.time_limit) for spec in options.players]
    show = partial(print_step, [shorten(spec, NAME_WIDTH) for spec in options.players], options.board == "full")
    record = play_game(players, wall, wind, watch=None if options.board == "none" else show)
    record.players = [shorten(spec) for spec in options.players]
    print("\n" + summarise(record))
    if options.log:
        write_whole(options.log, format_log(record))
        print("The game is saved as %s" % options.log)
    return 0
