"""Compiled code on disk: what its first start says, and which folders go."""

import os
import subprocess
import sys
import time

SCRIPT = """
from mj_bot.lab.engine.compile import jit

@jit
def double(number):
    return 2 * number

print(double(21))
"""


def start(folder, **environment):
    """What a process writes that compiles a function, (stdout, stderr); its cache is in the folder."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder), PYTHONPATH=os.getcwd(), **environment)
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr.strip()


def test_the_first_start_says_that_it_compiles(tmp_path, monkeypatch):
    """Once: not when the code is there, nor in a process of one that has said it."""
    monkeypatch.delenv("MJ_BOT_COMPILES", raising=False)
    result, words = start(tmp_path)
    assert result == "42"
    # More lines are of what takes long on a busy machine.
    assert words.splitlines()[0] == "mj_bot: compiling for this machine, once; it takes a minute or two ..."
    assert start(tmp_path) == ("42", "")
    (tmp_path / "other").mkdir()
    assert start(tmp_path / "other", MJ_BOT_COMPILES="1") == ("42", "")


def test_code_that_nobody_asks_for_goes(tmp_path):
    """A new folder takes those with it that no process used for two weeks; one that is used counts as new."""
    root = tmp_path / "mj_bot"
    names = ["rules-0123456789abcdef", "rules-fedcba9876543210"]
    for name, days in zip(names, (15, 13)):
        (root / name).mkdir(parents=True)
        (root / name / "index").write_text("")
        os.utime(root / name, (time.time() - days * 24 * 3600,) * 2)
    start(tmp_path)
    assert not (root / names[0]).exists() and (root / names[1]).exists()
    used, = root.glob("script-*")
    os.utime(used, (0, 0))
    start(tmp_path)
    assert time.time() - used.stat().st_mtime < 600
