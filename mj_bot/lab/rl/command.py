"""The command `python3 -m mj_bot.lab rl`."""

import argparse
import sys

import torch

from .config import read_config
from .loop import Learning

_INTERRUPTED = 130


def main(argv):
    """The command `rl`; returns its exit code, 130 where the keyboard interrupted it."""
    if argv and argv[0] in _WAYS:
        return _WAYS[argv[0]](argv[1:])
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab rl", description="Learns by self-play, from a trained policy on. Another way, with "
        "a --help: rl strength.", epilog="The same command goes on where it was broken off, also after a kill.")
    parser.add_argument("config", metavar="CONFIG", help="a TOML file, see mj_bot/lab/rl/config.py")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    parser.add_argument("--minutes", type=float, metavar="M", help="break off after the iteration that passes so many")
    parser.add_argument("--threads", type=int, metavar="N", help="of the processor, for the learner")
    options = parser.parse_args(argv)
    if options.threads:
        torch.set_num_threads(options.threads)
    learning = Learning(read_config(options.config), options.output)
    try:
        learning.run(options.minutes)
    except KeyboardInterrupt:
        print("rl: interrupted after %d games; the same command goes on from the last checkpoint" % learning.games,
              file=sys.stderr)
        return _INTERRUPTED
    print("%d games, %.1f minutes, weights in %s" % (learning.games, learning.minutes, options.output))
    return 0


_WAYS = {}
