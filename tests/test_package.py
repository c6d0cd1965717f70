"""The package as others install it: a wheel and a source archive, each in an empty environment outside the clone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from mj_bot import __version__
from mj_bot.lab.upload.pyz import build
from tests.test_written_commands import shorten

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Paths of {"wheel", "sdist"}, built from what git tracks."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    names = subprocess.check_output(["git", "ls-files"], cwd=REPOSITORY, text=True).splitlines()
    for name in filter(lambda name: Path(REPOSITORY, name).exists(), names):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((REPOSITORY / name).read_bytes())
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(target)], cwd=source, check=True,
                   capture_output=True)
    return {"wheel": next(target.glob("*.whl")), "sdist": next(target.glob("*.tar.gz"))}


@pytest.fixture(scope="module", params=["wheel", pytest.param("sdist", marks=pytest.mark.slow)])
def installed(request, archives, tmp_path_factory):
    """The folder of the programs of an environment with the package and, by a path, the libraries of this one."""
    folder = tmp_path_factory.mktemp(request.param)
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    site = Path(subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True).strip())
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    # Such a path comes after the environment's own packages, and files .pth in it, as that of the clone, do not count.
    (site / "libraries.pth").write_text(libraries + "\n")
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index",
                    "--no-deps", "--no-build-isolation", str(archives[request.param])], check=True)
    return folder / "env" / "bin"


def run(programs, folder, *words, text="", is_compiled=False):
    """Output of a command in a folder. Its messages must name neither the clone nor make.

    is_compiled: whether numba compiles, without which the engine cannot play; it takes a minute.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if not is_compiled:
        environment["NUMBA_DISABLE_JIT"] = "1"
    environment["PATH"] = os.pathsep.join((str(programs), environment["PATH"]))
    done = subprocess.run([programs / words[0], *words[1:]], cwd=folder, env=environment, capture_output=True,
                          text=True, input=text)
    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr
    assert str(REPOSITORY) not in told and "`make " not in told and ".venv" not in told, told
    return done.stdout


def test_the_metadata_has_no_pins(archives):
    with zipfile.ZipFile(archives["wheel"]) as wheel:
        metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("/METADATA"))).decode()
        names = set(wheel.namelist())
    assert "Version: %s\n" % __version__ in metadata and not re.search("^Requires-Dist: [^;]*==", metadata, re.M)
    assert {"mj_bot/py.typed", "mj_bot/data/weights/cnn.npz", "mj_bot/data/runs/self_play_cpu.toml"} < names
    assert not any(name.startswith(("tests/", "data/", "docs/")) for name in names)


def test_one_version():
    """The package was 1.0 and said 0.1.0."""
    assert "version: %s\n" % __version__ in (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    latest = re.search(r"^## (\S+)", (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"), re.M).group(1)
    assert latest == __version__


def test_commands_work_outside_the_clone(installed, tmp_path):
    """A wheel had no weights, no handin.py, no samples and no settings."""
    assert run(installed, tmp_path, "mj-bot", "--version") == "mj-bot %s\n" % __version__
    assert "[arena]" in run(installed, tmp_path, "mj-bot", "--help")
    game = re.search(r"\S*results/game\.json", run(installed, tmp_path, "mj-bot", "replay", "--help")).group()
    run(installed, tmp_path, "mj-bot", "review", game, "--tactic", "none", "-o", "game.html")
    assert (tmp_path / "game.html").stat().st_size > 10000
    assert "8" in run(installed, tmp_path, "mj-bot", "hand", "123m456s789pEE55p")
    run(installed, tmp_path, "mj-bot", "referee", "cnn", *["random"] * 3, "--seed", "1", "--board", "none")


def test_the_upload_file_is_that_of_the_clone(installed, tmp_path):
    assert "It answers PLAY" in run(installed, tmp_path, "mj-bot", "handin", "-o", "bot.pyz")
    assert (tmp_path / "bot.pyz").read_bytes() == build()
    sample = (REPOSITORY / "data/samples/draw.json").read_text()
    assert '"response": "PLAY' in run(installed, tmp_path, "python", "bot.pyz", text=sample)


@pytest.mark.parametrize("installed", ["wheel"], indirect=True)
@pytest.mark.parametrize("script, words, told", [
    ("legal_actions.py", ["data/samples/draw.json", "rule_based"], r"PLAY \w\d"),
    ("fans.py", ["123m456s789pEE55p5p"], "8 花龙 Mixed straight"),
    pytest.param("agreement.py", ["data/results/game.json", "rule_based"], r"PLAY    \d+ of 72",
                 marks=pytest.mark.slow),
    pytest.param("match.py", ["rule_based", "random", "8"], r"rule_based +\+\d", marks=pytest.mark.slow),  # compiles
    pytest.param("mistakes.py", ["data/results/game.json", "games.txt"], r"seat \d: \w+ \w\d cost \d",
                 marks=pytest.mark.slow),
], ids=lambda value: value if str(value).endswith(".py") else "")
def test_the_scripts_of_the_api_work_outside_the_clone(installed, tmp_path, script, words, told):
    find = "from mj_bot.project_files import project_path\nprint(project_path('examples/api/%s'))" % script
    path = run(installed, tmp_path, "python", "-c", find).strip()
    home = Path(path).parents[2]
    assert len(Path(path).read_text(encoding="utf-8").splitlines()) <= 20
    assert re.search(told, run(installed, tmp_path, "python", path, *(
        str(home / word) if word.startswith("data/") else word for word in words), is_compiled=script == "match.py"))


@pytest.mark.parametrize("installed", ["wheel"], indirect=True)
@pytest.mark.parametrize("commands, is_compiled", [
    (("records",), False),
    pytest.param(("hand", "handin", "referee", "review", "replay", "library", "check", "dataset", "train", "rl",
                  "arena", "bench", "fit", "guangdong"), True, marks=pytest.mark.slow)])
def test_the_lines_of_the_helps_run_from_an_empty_folder(installed, tmp_path, commands, is_compiled):
    """Those of `rl` named weights that were not there. The games of `referee --log` and `play`, and a run, are made."""
    (tmp_path / "played").mkdir()
    for name in ("game.json", "played/game.json"):
        shutil.copy(REPOSITORY / "data/results/game.json", tmp_path / name)
    for command in commands:
        told = run(installed, tmp_path, "mj-bot", command, "--help")
        lines = [shlex.split(line, comments=True) for line in re.findall("^  (mj-bot .*)", told, re.M)]
        assert lines
        for line in lines:
            if line[1:3] == ["train", "report"]:
                shutil.copytree(tmp_path / line[3], tmp_path / line[4])
            if line[1:3] not in (["dataset", "export"], ["guangdong", "play"]):
                run(installed, tmp_path, *shorten(line), is_compiled=is_compiled)
