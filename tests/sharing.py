"""Lets one of the test processes make what several of them need."""

import pickle

from filelock import FileLock

FOLDER = None  # of all processes of this run; conftest.py sets it


def share(name, make):
    """What make() returns, which the first process that asks computes."""
    path = FOLDER / (name + ".pickle")
    with FileLock(str(path) + ".lock"):
        if not path.exists():
            path.write_bytes(pickle.dumps(make()))
        return pickle.loads(path.read_bytes())
