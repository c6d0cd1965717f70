"""What is installed: every release is pinned, and locked to its hashes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
LOCKS = {"play": ("requirements.txt",), "workshop": ("requirements.txt", "3rdparty/requirements-workshop.txt"),
         "test": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-test.txt"),
         "train": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-train.txt"),
         "ray": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-ray.txt")}


def read_lock(name):
    """{package: (version, number of its hashes)} of a lock; of packages with several versions the last."""
    text = (TOP / "3rdparty" / "locks" / (name + ".txt")).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", "\n" + text.replace("\\\n", " "))
    found = [re.match(r"([\w.-]+)==(\S+)", entry) for entry in entries if entry.strip() and not entry.startswith("#")]
    assert all(found)
    return {match.group(1).lower(): (match.group(2), match.string.count("--hash=sha256:")) for match in found}


@pytest.mark.parametrize("name", LOCKS)
def test_locks_have_the_pins_of_the_requirements(name):
    """After a change of a requirements file: make locks."""
    lock = read_lock(name)
    # torch has its own lock: another lock that has it would install the file for other GPUs.
    assert "torch" not in lock
    lock.update(read_lock("torch"))
    assert all(hashes for _, hashes in lock.values())
    for source in LOCKS[name]:
        for line in (TOP / source).read_text(encoding="utf-8").splitlines():
            pin = re.match(r"([\w.-]+)==([^\s;]+)", line)
            if pin and "python_version <" not in line:
                assert lock[pin.group(1).lower()][0] == pin.group(2), line


def test_licences_are_listed():
    listed = subprocess.run([sys.executable, str(TOP / "3rdparty" / "list_licences.py")], stdout=subprocess.PIPE,
                            universal_newlines=True, check=True).stdout
    assert re.search(r"^numpy \S+ +BSD", listed, re.M)
