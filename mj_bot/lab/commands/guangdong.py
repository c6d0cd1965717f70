"""Runs `mj-bot guangdong`: matches, a table, records and a network for Guangdong mahjong."""

import os
from functools import partial

from ..guangdong.guangdong_rules import HouseRules
from ..run.options import Parser, add_minutes, add_output, add_seed, parse_count
from .arena import add_match_options, run_arena
from .play import add_table_options, open_table


def main(argv: list[str]) -> int:
    """Runs a command of its own for each thing to do. Returns the exit code."""
    parser = Parser(
        prog="mj-bot guangdong",
        description="Guangdong mahjong with wild tiles: its records, and a network that learns from them. "
                    "`arena` plays matches as `mj-bot arena` does, `play` opens a table in the browser.",
        epilog="Settings change the rules, written name=value,name=value: %s. Players: random, shanten, ours, "
               "fox:FOLDER." % ", ".join(HouseRules._fields))
    selfplay = parser.add_command("selfplay", _selfplay, "make records of winners")
    add_output(selfplay, "records, .npz or text", "FILE")
    selfplay.add_argument("--player", default="shanten", metavar="PLAYER", help="in all four seats (%(default)s)")
    selfplay.add_argument("--records", type=parse_count, default=200_000, metavar="N", help="(%(default)s)")
    add_seed(selfplay, "of the walls; a match of this seed plays the same ones (%(default)s)", 1)
    train = parser.add_command("train", _train, "train fox on records")
    train.add_argument("records", metavar="FILE", help="records")
    add_output(train, "of the run")
    train.add_argument("--samples", type=parse_count, default=2_000_000, metavar="N",
                       help="records to train on in all, each many times (%(default)s)")
    add_seed(train, "(%(default)s)")
    add_minutes(train, "stop after M minutes; the same command continues")
    train.add_argument("--threads", type=parse_count, default=os.cpu_count() or 1, metavar="N", help="(%(default)s)")
    check = parser.add_command("check", _check, "check files of records, or convert one")
    check.add_argument("files", nargs="+", metavar="FILE", help="records")
    add_output(check, "write the records to this file, .npz or text", "FILE", required=False)
    arena = parser.add_command("arena", _arena, "play a duplicate match")
    add_match_options(arena)
    play = parser.add_command("play", _play, "sit down at a table in the browser")
    add_table_options(play)
    for command in (selfplay, check, arena, play):
        command.add_argument("--settings", default="", metavar="RULES", help="of the game, such as wild=red,horses=2")
    options = parser.parse_args(argv)
    return options.run(options)


def _arena(options):
    from ..guangdong.runner import prepare

    return run_arena(options, partial(prepare, settings=options.settings), "guangdong", "arena")


def _play(options):
    from ..guangdong.guangdong_rules import parse_settings
    from ..guangdong.seat import GuangdongGame

    return open_table(options, GuangdongGame(parse_settings(options.settings)), "guangdong")


def _selfplay(options):
    """Makes a file of records by self-play. Returns exit code 0."""
    from ..guangdong.fox_records import STARTS, collect_records, write_records
    from ..guangdong.guangdong_players import load_player
    from ..guangdong.guangdong_rules import parse_settings
    from ..run.files import check_output, make_folder

    make_folder(os.path.dirname(options.output) or ".")
    check_output(options.output, STARTS)
    records = collect_records(load_player(options.player), options.records, options.seed,
                              settings=parse_settings(options.settings))
    write_records(options.output, records)
    print("%s: %d records" % (options.output, len(records)))
    return 0


def _train(options):
    """Trains fox on a file of records, and prints the result. Returns exit code 0."""
    from ..guangdong.fox import train
    from ..guangdong.fox_records import read_records
    from ..run.files import lock_new_folder

    records = read_records(options.records)
    with lock_new_folder(options.output):
        result = train(records, options.output, options.samples, seed=options.seed, minutes=options.minutes,
                       threads=options.threads)
    print("\n".join("%s: %s" % item for item in result.items()))
    return 0


def _check(options):
    """Checks files of records, and writes them as one file if the options say so. Returns exit code 0."""
    import numpy as np

    from ..guangdong.fox_records import STARTS, list_wrong_waits, read_records, write_records
    from ..guangdong.guangdong_rules import parse_settings
    from ..run.files import check_output

    settings = parse_settings(options.settings)
    check_output(options.output, STARTS)
    read = [read_records(path) for path in options.files]
    for path, records in zip(options.files, read):
        wrong = list_wrong_waits(records, settings)
        print("%s: %d records, %d with other waits than our own count" % (path, len(records), len(wrong)) + (
            ", the first is record %d" % (wrong[0] + 1) if len(wrong) else ""))
    if options.output:
        write_records(options.output, np.concatenate(read))
    return 0
