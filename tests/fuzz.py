"""What the fuzzers share: broken values and bytes, and their command line; in Python 3.6, which runs some of them."""

import argparse
import contextlib
import copy
import os

VALUES = (None, True, False, 0, -1, 3, 10 ** 9, 2 ** 70, 1.5, 1e300, float("nan"), float("inf"), "", "x", "9" * 500,
          u"\ud800", "\x1b[31m", "{", "[1]", "7", "../x", [], {}, [[]], {"a": 1}, {"requests": []}, ["x"] * 4, [1] * 4,
          [None] * 4, "HU", "2 W1", ["2 W1"], u"\u202e")
BYTES = (b"\xff", b"\x00", b"\x7f", b"\xc3", b"\xe4\xb8", b"\n", b"\r", b'"', b"{", b"}", b"[", b"\\", b" ", b"2",
         b"\t", b",", b"\xef\xbb\xbf", b"\x1b[2J", b"\\ud800", b"9" * 5000, b"NaN", b"1e999", b"[" * 5000, b"-", b":")


def break_value(rng, value):
    """A value of JSON with another one somewhere inside; the value itself may change."""
    if not isinstance(value, (list, dict)) or not value or rng.random() < 0.12:
        return copy.deepcopy(rng.choice(VALUES))  # the next break may change a list of VALUES
    key = rng.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
    if rng.random() < 0.05:
        del value[key]
    else:
        value[key] = break_value(rng, value[key])
    return value


def break_bytes(rng, data):
    """The bytes with a cut, some left out, or others in between."""
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + rng.randint(1, 20):]
    return data[:at] + rng.choice(BYTES) + data[at + rng.randint(0, 2):]


def try_broken(count, make, find_complaint):
    """(input, complaint) of the first of `count` inputs with one, else None.

    make: function() that returns an input. find_complaint: function(input) that says what is wrong with how the input
    is read, None where nothing is. An error that comes out is printed with its input.
    """
    for _ in range(count):
        data = make()
        try:
            complaint = find_complaint(data)
        except Exception:
            print("for %.3000r" % (data,))
            raise
        if complaint:
            return data, complaint
    return None


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
