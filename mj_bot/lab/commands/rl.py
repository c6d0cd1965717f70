"""Runs `mj-bot rl`, which trains by self-play, and `mj-bot rl strength`, which measures the result."""

import shlex
import sys

from ..run.command import compute_exit_code, interruptible
from ..run.options import Parser, add_minutes, add_output, add_set, parse_count

_SET = "change a setting of FILE, as --set run.games=20000 --set ppo.rate=1e-5; the value is written as in TOML"


@interruptible("rl")
def main(argv: list[str]) -> int:
    """Trains a policy by self-play, or measures a run. Returns the exit code."""
    if argv[:1] == ["strength"]:
        return _strength(argv[1:])
    options = _parse_arguments(argv)
    import torch

    from ..rl.config import read_config
    from ..rl.policy import keep_memory
    from ..rl.self_play_loop import Learning
    from ..run.ranks import join_ranks, leave_ranks, lock_by_first
    from ..train.checkpoint import has_checkpoint

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
        try:
            learning.run(options.minutes)
        except KeyboardInterrupt as interrupt:
            if has_checkpoint(options.output):
                raise
            print("rl: interrupted before the first checkpoint; the same command begins anew", file=sys.stderr)
            return compute_exit_code(interrupt)
    if learning.is_first:
        print("%d games, %d of them in this stretch, %.1f minutes, weights in %s" % (
            learning.games, learning.stretch, learning.minutes, options.output))
    leave_ranks()
    return 0


def _parse_arguments(argv):
    """Returns the options of a command line."""
    parser = Parser(
        prog="mj-bot rl",
        description="Trains a policy further by self-play. `rl strength`, with its own --help, measures the result.",
        epilog="The same command continues an interrupted run, also after a kill. Under torchrun several processes "
               "share the games and learn together: one a GPU, or one a core where there is none.")
    parser.add_argument("config", metavar="FILE", help="a TOML file, see mj_bot/lab/rl/config.py")
    add_output(parser, "of the run")
    add_set(parser, _SET)
    add_minutes(parser, "stop after the iteration that passes M minutes")
    parser.add_argument("--threads", type=parse_count, metavar="N", help="of the processor, for learning")
    parser.add_argument("--ray", default="auto", metavar="ADDRESS",
                        help="of the Ray cluster where run.actors of FILE play; auto: that of this machine")
    return parser.parse_args(argv)


def _strength(argv):
    """Measures the saved networks of a run in matches. Returns exit code 0."""
    parser = Parser(prog="mj-bot rl strength", description=(
        "Plays the saved networks of a run in duplicate matches on walls that training never saw. Its results are in "
        "strength.json in the folder of the run, and a match that is there is not played again."))
    parser.add_argument("config", metavar="FILE", help="of the run; its [strength] says which matches are played")
    add_output(parser, "of the run")
    add_set(parser, _SET)
    parser.add_argument("--every", type=parse_count, default=1, metavar="N",
                        help="only each N-th of the saved networks, counted from the last (%(default)s)")
    options = parser.parse_args(argv)
    from pathlib import Path

    from ..rl.config import read_config
    from ..rl.strength import list_networks, measure_run
    from ..run.files import open_alone

    config = read_config(options.config, options.set)
    list_networks(options.output)  # refuses a folder that is no run before a lock is made in it
    # This is not the lock of the folder, because a run that goes on may be measured.
    with open_alone(Path(options.output) / "strength.lock"):
        measured = measure_run(options.output, config.strength, options.every)
    for match in measured:
        print("%9d games, %6.1f minutes, against %s: %+.2f (%+.2f .. %+.2f) points a game, draws %.1f%%" % (
            match["games"], match["minutes"], match["opponent"], match["points"], match["low"], match["high"],
            100 * match["draws"]))
    return 0
