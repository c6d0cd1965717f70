"""Runs `mj-bot rl`, which trains by self-play."""

import shlex
import sys

from ..run.options import Parser, add_minutes, add_output, add_set, parse_count


def main(argv: list[str]) -> int:
    """Trains a policy by self-play. Returns the exit code."""
    options = _parse_arguments(argv)
    import torch

    from ..rl.config import read_config
    from ..rl.policy import keep_memory
    from ..rl.self_play_loop import Learning
    from ..run.ranks import join_ranks, leave_ranks, lock_by_first

    if options.threads:
        torch.set_num_threads(options.threads)
    config = read_config(options.config, options.set)
    keep_memory()
    with lock_by_first(options.output):
        learning = Learning(config, options.output, join_ranks(), ray_address=options.ray)
        if learning.is_first:
            print("rl: begins after %d games; a checkpoint every %d games; its second iteration shows how long others "
                  "take; to watch it: tensorboard --logdir %s" % (
                      learning.games, config.run.games_per_iteration, shlex.quote(options.output)), file=sys.stderr)
        learning.run(options.minutes)
    if learning.is_first:
        print("%d games, %d of them in this stretch, %.1f minutes, weights in %s" % (
            learning.games, learning.stretch, learning.minutes, options.output))
    leave_ranks()
    return 0


def _parse_arguments(argv):
    """Returns the options of a command line."""
    parser = Parser(
        prog="mj-bot rl",
        description="Trains a policy further by self-play. `arena cnn:FILE` measures a weight file that it saves.",
        epilog="The same command continues an interrupted run, also after a kill. Under torchrun several processes "
               "share the games and learn together: one a GPU, or one a core where there is none.")
    parser.add_argument("config", metavar="FILE", help="a TOML file, see mj_bot/lab/rl/config.py")
    add_output(parser, "of the run")
    add_set(parser, "change a setting of FILE, as --set run.games=20000; the value is written as in TOML")
    add_minutes(parser, "stop after the iteration that passes M minutes")
    parser.add_argument("--threads", type=parse_count, metavar="N", help="of the processor, for learning")
    parser.add_argument("--ray", default="auto", metavar="ADDRESS",
                        help="of the Ray cluster where run.actors of FILE play; auto: that of this machine")
    return parser.parse_args(argv)
