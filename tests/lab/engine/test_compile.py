"""Compiled code on disk: what its first start says, and which folders go."""

import fcntl
import os
import shutil
import subprocess
import sys
import time

import pytest

from mj_bot import COMPILING, COMPILING_TEXT, QUIET, jit
from mj_bot.sources import PACKAGE_FOLDER

SCRIPT = """
from mj_bot.jit import jit

@jit
def double(number):
    return 2 * number

print(double(21))
"""

# Two workers, each of which runs a script like the one above.
POOL = """
import runpy
from mj_bot.lab.run.workers import run_in_order

def work(path):
    runpy.run_path(path)

if __name__ == "__main__":
    list(run_in_order(work, [("one.py",), ("two.py",)], 2))
"""

def run(folder, *words, **environment):
    """A process of Python that has ended; its scripts and its cache are in the folder."""
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, env=dict(
        os.environ, **{"XDG_CACHE_HOME": str(folder), "PYTHONPATH": os.getcwd(), **environment}))


def start(folder, **environment):
    """What a process writes that compiles a function, (stdout, stderr)."""
    (folder / "script.py").write_text(SCRIPT)
    done = run(folder, "script.py", **environment)
    assert done.returncode == 0
    return done.stdout.strip(), done.stderr.strip()


@pytest.mark.slow
def test_the_first_start_says_that_it_compiles(tmp_path, monkeypatch):
    """Once: not with compiled code on disk, nor in a quiet process. Code that no process used for two weeks goes."""
    monkeypatch.delenv(QUIET, raising=False)
    root = tmp_path / "mj_bot" / "compiled"
    names = ["rules-0123456789abcdef", "rules-fedcba9876543210"]
    for name, days in zip(names, (15, 13)):
        (root / name).mkdir(parents=True)
        (root / name / "index").write_text("")
        os.utime(root / name, (time.time() - days * 24 * 3600,) * 2)
    assert start(tmp_path) == ("42", COMPILING_TEXT)
    assert not (root / names[0]).exists() and (root / names[1]).exists()
    used, = root.glob("script-*")
    os.utime(used, (0, 0))
    assert start(tmp_path) == ("42", "")
    assert time.time() - used.stat().st_mtime < 600
    (tmp_path / "other").mkdir()
    assert start(tmp_path / "other", **{QUIET: "1"}) == ("42", "")
    (tmp_path / "third").mkdir()
    assert start(tmp_path / "third", **{COMPILING: "正在编译"}) == ("42", "正在编译")  # in the language of the reader


@pytest.mark.slow
def test_one_of_several_workers_says_it(tmp_path, monkeypatch):
    """Workers once compiled for half a minute and nobody said so."""
    monkeypatch.delenv(QUIET, raising=False)
    for name, script in (("one.py", SCRIPT), ("two.py", SCRIPT), ("pool.py", POOL)):
        (tmp_path / name).write_text(script)
    done = run(tmp_path, "pool.py")
    assert "".join(done.stdout.split()) == "4242"  # their line breaks may come together
    assert done.returncode == 0 and done.stderr.count("compiling what") == 1


@pytest.mark.slow
def test_copies_and_processes_share_what_one_compiles(tmp_path):
    """Each new clone compiled for 40 seconds, and processes that started together compiled all of it each."""
    code = ("from mj_bot.observation.fan_memo import table_bits as compiled; compiled(0, 0, 0); "
            "print(sum(compiled.stats.cache_misses.values()))")
    copies = [shutil.copytree(PACKAGE_FOLDER, tmp_path / name / "mj_bot", ignore=shutil.ignore_patterns("*.pyc")).parent
              for name in ("one", "other")]
    processes = [subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True, env=dict(
        os.environ, XDG_CACHE_HOME=str(tmp_path), PYTHONPATH=str(folder))) for folder in [*copies, *copies]]
    assert sorted(process.communicate()[0] for process in processes) == ["0\n"] * 3 + ["1\n"]


def test_a_stopped_process_holds_up_no_other(tmp_path, monkeypatch):
    """One that was stopped while it compiled let all others wait without end."""
    monkeypatch.setattr(jit, "_MOST_WAIT", 0.01)
    with open(tmp_path / "lock", "a") as held, open(tmp_path / "lock", "a") as wanted:
        fcntl.flock(held, fcntl.LOCK_EX)
        jit._lock(wanted)


# Damages each file of the compiled code in several ways, and compiles the function again after each.
DAMAGE = """
import os, pathlib, sys
from mj_bot.jit import jit

def double(number):
    return 2 * number

print(jit(double)(21))
folder, = pathlib.Path(sys.argv[1]).glob("mj_bot/compiled/script-*/*")
for pattern in ("*.nbi", "*.nbc"):
    for damage in (lambda data: b"", lambda data: data[:len(data) // 2], lambda data: b"\\x80\\x04garbage.",
                   lambda data: data[:-200] + bytes([data[-200] ^ 1]) + data[-199:] if len(data) > 200 else b"x",
                   lambda data: data[:len(data) // 3] + bytes([data[len(data) // 3] ^ 8]) + data[len(data) // 3 + 1:]):
        for path in folder.glob(pattern):
            path.write_bytes(damage(path.read_bytes()))
        print(jit(double)(21))
again = jit(double)
print(again(21), sum(again.stats.cache_hits.values()))
"""


def test_damaged_compiled_code_is_compiled_anew(tmp_path):
    """A power cut left an empty file, and every command ended in a traceback until somebody removed the folder."""
    (tmp_path / "script.py").write_text(DAMAGE)
    done = run(tmp_path, "script.py", str(tmp_path), **{QUIET: "1"})
    assert done.stdout.split() == ["42"] * 12 + ["1"], done.stderr
    line, = done.stderr.splitlines()
    assert line.startswith("mj_bot: the compiled code in %s" % tmp_path) and line.endswith("it is compiled anew")


@pytest.mark.slow
def test_a_cache_that_cannot_be_written(tmp_path):
    """A full disk was blamed on the tactic, as if it had opened a file."""
    (tmp_path / "script.py").write_text(SCRIPT + SCRIPT.replace("double", "triple"))
    (tmp_path / "file").write_text("")
    done = run(tmp_path, "script.py", **{QUIET: "1", "XDG_CACHE_HOME": str(tmp_path / "file")})
    assert done.stdout.split() == ["42", "42"]
    assert done.stderr.count("cannot be kept in") == 1 and "Not a directory" in done.stderr
    code = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (%d, %d)); runpy.run_path('script.py')"
    for most in (64, 1000):
        done = run(tmp_path, "-c", code % (most, most), **{QUIET: "1"})
        assert done.stdout.split() == ["42", "42"]
        assert done.stderr.count("cannot be kept in") == 1 and "File too large" in done.stderr
    assert not list(tmp_path.rglob("*.tmp.*"))
    assert start(tmp_path, **{QUIET: "1"}) == ("42", "")
