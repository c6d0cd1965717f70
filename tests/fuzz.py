"""What the fuzzers share: their command line."""

import argparse
import contextlib
import os


def run_command(description, run_fuzz, unit):
    """Exit code: 0 when nothing was found to complain of.

    description: docstring of the fuzzer, its first line for --help. run_fuzz: function(count, seed) that returns the
    first (input, complaint), None for none. unit: what is counted, and what became of it.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    # What is tried speaks of each broken input.
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        failure = run_fuzz(options.count, options.seed)
    if failure:
        print("%s\nfor %.3000r" % (failure[1], failure[0]))
        return 1
    print("%d %s" % (options.count, unit))
    return 0
