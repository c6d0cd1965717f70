"""The workshop's commands: python3 -m mj_bot.lab COMMAND ..."""

import difflib
import importlib
import sys

from ..mahjong.errors import MahjongError

# Name: the function that takes the words after it and returns an exit code. Imported only when asked for.
COMMANDS = {
    "ablate": "mj_bot.lab.fit.ablate:main",
    "arena": "mj_bot.lab.arena.arena:main",
    "bench": "mj_bot.lab.bench:main",
    "calibrate": "mj_bot.lab.fit.calibrate:main",
    "correction": "mj_bot.lab.fit.correction:main",
    "dataset": "mj_bot.lab.dataset.dataset:main",
    "live": "mj_bot.lab.live.live:main",
    "play": "mj_bot.lab.play.play:main",
    "ratings": "mj_bot.lab.arena.ratings:main",
    "records": "mj_bot.lab.records.records:main",
    "referee": "mj_bot.lab.play.terminal:main",
    "replay": "mj_bot.lab.review.replay:main",
    "results": "mj_bot.lab.arena.results:main",
    "review": "mj_bot.lab.review.review:main",
    "rl": "mj_bot.lab.rl.rl:main",
    "train": "mj_bot.lab.train.train:main",
    "tune": "mj_bot.lab.fit.tune:main",
}


def main(argv=None):
    """Exit code of a command line: the command's own, 2 for bad use or bad input."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] in ("-h", "--help"):
        print("usage: python3 -m mj_bot.lab COMMAND ...\n\ncommands, each with a --help of its own:")
        for name in sorted(COMMANDS):
            print("  " + name)
        return 0 if argv else 2
    if argv[0] not in COMMANDS:
        near = difflib.get_close_matches(argv[0], COMMANDS, n=1, cutoff=0.0)
        print("expected a command, one of %s, got %r; did you mean %r?"
              % (", ".join(sorted(COMMANDS)), argv[0], near[0]), file=sys.stderr)
        return 2
    module_name, function_name = COMMANDS[argv[0]].split(":")
    try:
        return getattr(importlib.import_module(module_name), function_name)(argv[1:])
    except MahjongError as error:
        print("%s: %s" % (argv[0], error), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
