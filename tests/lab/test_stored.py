"""What others made, sets of games, lessons and checkpoints, is read whole or refused in a line."""

import os
import subprocess
import sys

import pytest

from tests.python36 import REPOSITORY

pytest.importorskip("torch", reason="torch is not installed: broken checkpoints are not tried")


def test_broken_files():
    """Wrong ends made compiled code read outside its arrays; broken checkpoints ended in tracebacks."""
    from tests.lab.stored_fuzz import run_fuzz

    assert run_fuzz(150, seed=1) is None


@pytest.mark.slow
def test_many_broken_files_with_bounds_checks(tmp_path):
    done = subprocess.run([sys.executable, "-m", "tests.lab.stored_fuzz", "--count", "100000", "--seed", "2"],
                          cwd=REPOSITORY, capture_output=True, text=True,
                          env=dict(os.environ, NUMBA_BOUNDSCHECK="1", XDG_CACHE_HOME=str(tmp_path)))
    assert (done.returncode, done.stdout) == (0, "100000 files read\n"), done.stdout + done.stderr
