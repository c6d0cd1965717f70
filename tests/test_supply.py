"""What is installed: every release is pinned, and locked to its hashes."""

import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

TOP = Path(__file__).parents[1]
PLAY = ("requirements.txt",)
WORKSHOP = (*PLAY, "3rdparty/requirements-workshop.txt")
LOCKS = {"setup": ("3rdparty/requirements-setup.txt",), "python36": PLAY, "play": PLAY, "workshop": WORKSHOP,
         "lint": ("3rdparty/requirements-lint.txt",),
         "test": (*WORKSHOP, *("3rdparty/requirements-%s.txt" % name for name in ("lint", "docs", "test"))),
         **{name: (*WORKSHOP, "3rdparty/requirements-%s.txt" % name) for name in ("train", "ray", "docs")}}


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
    assert read_lock("torch-cpu") == {"torch": (lock["torch"][0] + "+cpu", 1)}
    assert all(hashes for _, hashes in lock.values())
    for source in LOCKS[name]:
        for line in (TOP / source).read_text(encoding="utf-8").splitlines():
            pin = re.match(r"([\w.-]+)==([^\s;]+)", line)
            if pin and "python_version %s" % (">=" if name == "python36" else "<") not in line:
                assert lock[pin.group(1).lower()][0] == pin.group(2), line


def test_the_pins_lie_in_the_ranges_of_the_metadata():
    """The metadata had the pins themselves, so that nothing else could be installed next to the package."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ranges = [Requirement(text) for text in chain(
        project["dependencies"], *project["optional-dependencies"].values()) if not text.startswith("mj-bot")]
    pins = {}
    for name in ("requirements.txt", *("3rdparty/requirements-%s.txt" % name for name in ("workshop", "train", "ray"))):
        pins.update(re.findall(r"^([\w.-]+)==([^\s;]+)(?:; python_version >= .*)?$", (TOP / name).read_text(
            encoding="utf-8"), re.M))
    named = {requirement.name for requirement in ranges}
    assert {"numpy", "numba", "torch"} < set(pins) and set(pins) <= named
    for requirement in ranges:
        assert not any(part.operator == "==" for part in requirement.specifier)
        assert requirement.name not in pins or pins[requirement.name] in requirement.specifier, requirement


def test_licences_are_listed():
    listed = subprocess.run([sys.executable, str(TOP / "3rdparty" / "list_licences.py")], stdout=subprocess.PIPE,
                            universal_newlines=True, check=True).stdout
    assert re.search(r"^numpy \S+ +BSD", listed, re.M)
    assert re.search(r"^PyMahjongGB 1.4.0 +MIT", listed, re.M)


def test_make_clean_removes_what_make_made(tmp_path):
    """It removed all of build/: the games of `play`, sets, and runs of days."""
    kept = {tmp_path / "build/played/game.json", tmp_path / "build/runs/self-play/checkpoint.pt"}
    for path in [*kept, *(tmp_path / name for name in (
            ".venv/play.ready", "build/game.json", "build/python36/numpy.py", "build/python36.ready", "mj_bot.pyz"))]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    subprocess.run(["make", "-f", str(TOP / "Makefile"), "clean"], cwd=str(tmp_path), check=True)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == kept


@pytest.mark.parametrize("is_link", [False, True])
def test_an_environment_of_others_is_not_cleared(is_link, tmp_path):
    """`make` removed all packages of an environment that the user had made in .venv, or that a link there named."""
    shutil.copytree(str(TOP / "3rdparty"), str(tmp_path / "3rdparty"))
    own = tmp_path / "own" if is_link else tmp_path / ".venv"
    own.mkdir()
    (own / ("workshop.ready" if is_link else "pyvenv.cfg")).touch()
    if is_link:
        (tmp_path / ".venv").symlink_to(own)
    before = sorted(own.iterdir())
    done = subprocess.run(["make", "-f", str(TOP / "Makefile"), ".venv/lint.ready", "PYTHON=" + sys.executable],
                          cwd=str(tmp_path), stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 2 and "expected no .venv, or one that make has set up here" in done.stderr
    assert sorted(own.iterdir()) == before


@pytest.mark.parametrize("target, least", [("play", 2), ("test", 6), ("workshop", 3)])
def test_make_installs_by_hash(target, least):
    """PyMahjongGB was built with tools fetched by no hash; torch of the tests and what Python 3.6 has had no hash."""
    commands = subprocess.run(["make", "--dry-run", "--always-make", target], cwd=str(TOP), stdout=subprocess.PIPE,
                              universal_newlines=True, check=True).stdout
    assert not re.search(r"\b(curl|wget|git|apt-get|playwright|npm)\b", re.sub("echo .*", "", commands))
    installs = re.findall(r"pip install .*", commands.replace("\\\n", " "))
    assert len(installs) >= least and all("--no-build-isolation" in line for line in installs)
    assert all("--require-hashes" in words for line in installs for words in line.split("pip install")[1:])


def test_the_check_of_the_style_installs_its_tools_alone():
    """It installed all that the tests need, with torch."""
    commands = subprocess.run(["make", "--dry-run", "--always-make", "lint"], cwd=str(TOP), stdout=subprocess.PIPE,
                              universal_newlines=True, check=True).stdout
    assert re.findall(r"-r 3rdparty/locks/([\w-]+).txt", commands) == ["setup", "lint"] and "ruff check" in commands
    assert "oxlint" in commands
