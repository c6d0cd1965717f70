"""The commands `python3 -m mj_bot.lab guangdong ...`."""

import argparse
import os

from ...mahjong.errors import MahjongError
from ..play import play
from ..run.command import interruptible, parse_count
from ..run.files import check_folder_of
from .settings import DEFAULTS, parse_settings

_PROGRAM = "python3 -m mj_bot.lab guangdong"


@interruptible("guangdong")
def main(argv):
    """The command `guangdong`; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog=_PROGRAM, description="Guangdong mahjong with wild tiles: a second game, its records, players, matches.",
        epilog="Settings are the points of its rules, written name=value,name=value: %s. Players: random, shanten, "
               "ours, fox:FOLDER." % ", ".join(DEFAULTS._fields))
    ways = parser.add_subparsers(dest="way", required=True, metavar="COMMAND")
    _add(ways, "selfplay", _selfplay, "make records of winners", _add_selfplay)
    _add(ways, "train", _train, "train fox on records", _add_train)
    _add(ways, "match", _match, "play a duplicate match and say who wins how often", _add_match)
    ways.add_parser("play", help="sit down at a table in the browser: play --rules guangdong")
    _add(ways, "check", _check, "check files of records, or convert one", _add_check)
    if argv[:1] == ["play"]:
        return play.main(["--rules", "guangdong", *argv[1:]])
    options = parser.parse_args(argv)
    return options.run(options)


def _add(ways, name, run, text, add_options):
    way = ways.add_parser(name, prog="%s %s" % (_PROGRAM, name), help=text, description=text.capitalize() + ".")
    add_options(way)
    way.set_defaults(run=run)


def _add_settings(way):
    way.add_argument("--settings", type=_read_settings, default=DEFAULTS, metavar="LIST", help="points of the rules")


def _read_settings(text):
    try:
        return parse_settings(text)
    except MahjongError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _add_selfplay(way):
    way.add_argument("-o", "--output", required=True, metavar="FILE", help="of records, .npz or text")
    way.add_argument("--player", default="shanten", metavar="PLAYER", help="in all four seats (%(default)s)")
    way.add_argument("--records", type=_parse_number, default=200_000, metavar="N", help="how many (%(default)s)")
    way.add_argument("--seed", type=int, default=0, metavar="N", help="of the walls (%(default)s)")
    _add_settings(way)


def _parse_number(text):
    return parse_count(str(int(float(text))))


def _selfplay(options):
    from .players import load_player
    from .records import write_records
    from .selfplay import collect_records

    check_folder_of(options.output)
    records = collect_records(load_player(options.player), options.records, options.seed, options.settings)
    write_records(options.output, records)
    print("%s: %d records" % (options.output, len(records)))
    return 0


def _add_train(way):
    way.add_argument("records", metavar="FILE", help="of records")
    way.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    way.add_argument("--samples", type=_parse_number, default=2_000_000, metavar="N",
                     help="records to train on in all, each many times (%(default)s)")
    way.add_argument("--seed", type=int, default=0, metavar="N", help="(%(default)s)")
    way.add_argument("--minutes", type=float, metavar="M", help="break off after so many; the same command goes on")
    way.add_argument("--threads", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                     help="of the processor (%(default)s)")


def _train(options):
    import torch

    from ..train.loop import Settings as Training
    from .fox import train
    from .records import read_records

    torch.set_num_threads(options.threads)
    result = train(read_records(options.records), options.output, Training(
        options.samples, options.seed, "cpu", "float32", False, options.minutes, save_minutes=1.0))
    print("\n".join("%s: %s" % item for item in result.items()))
    return 0


def _add_match(way):
    way.add_argument("players", nargs="+", metavar="PLAYER", help="two, with two seats each, or four; of four, equal "
                     "ones are one player")
    way.add_argument("--walls", type=parse_count, default=1000, metavar="N", help="each in four seatings (%(default)s)")
    way.add_argument("--seed", type=int, default=0, metavar="N", help="of the walls (%(default)s)")
    way.add_argument("--workers", type=parse_count, default=1, metavar="N", help="number of processes (%(default)s)")
    way.add_argument("--json", metavar="FILE", help="write the result to this file; the same command goes on")
    way.add_argument("--beside", metavar="FILE", help="result of another first player on the same walls, to compare")
    _add_settings(way)


def _match(options):
    from .match import format_match, play

    if options.json:
        check_folder_of(options.json)
    result = play(options.players, options.walls, options.seed, options.settings, options.workers, options.json,
                  options.beside)
    print(format_match(result))
    return 0


def _add_check(way):
    way.add_argument("files", nargs="+", metavar="FILE", help="of records")
    way.add_argument("-o", "--output", metavar="FILE", help="write the records to this file, .npz or text")
    _add_settings(way)


def _check(options):
    import numpy as np

    from .records import MOST_WAITS, WAITS, count_waits, read_records, write_records

    read = [read_records(path) for path in options.files]
    for path, records in zip(options.files, read):
        waits = np.minimum(count_waits(records, bool(options.settings.seven_pairs)), MOST_WAITS)
        wrong = np.flatnonzero(waits != records[:, WAITS])
        print("%s: %d records, %d with other waits than our own count" % (path, len(records), len(wrong)) + (
            ", the first is record %d" % (wrong[0] + 1) if len(wrong) else ""))
    if options.output:
        write_records(options.output, np.concatenate(read))
    return 0
